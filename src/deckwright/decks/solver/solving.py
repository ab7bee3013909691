"""Solve for the best decks or the smallest repair, and explain why none exists."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from deckwright.base.findings import ChoiceError, Diagnostic, Report, has_errors
from deckwright.base.units import round_number
from deckwright.checks.counting import DeckRules, assign_zones
from deckwright.checks.limits import check_limits
from deckwright.decks.comparison import CopyChange, compare_decks
from deckwright.decks.solver.building import (
    CardSlot,
    DeckProgram,
    OmittedLimit,
    build_program,
    total_copies,
)
from deckwright.decks.solver.highs import HighsSolver, SolverOutcome, SolverStatus
from deckwright.decks.solver.program import Factor, Linear, sum_of_products
from deckwright.decks.solver.search import (
    Aim,
    CardConstraint,
    ProgramAnswer,
    aim_near,
    bound_best,
    find_best,
    find_unlimited,
    make_aim,
    make_exclusion,
    make_inclusion,
    require_difference,
)
from deckwright.decks.stats import deck_stats, require_measure
from deckwright.game.deck_rules import Limit
from deckwright.game.decklist import empty_deck
from deckwright.game.model import Card, CardKey, Deck, DeckEntry, Game
from deckwright.game.words import WORDS, describe_bounds


class AimValue(NamedTuple):
    """What a deck has of something that was asked for.

    Attributes:
        aim: for example "maximize strength".
        bound: the value that no deck can pass, None if that is not known.
    """

    aim: str
    value: float
    bound: float | None

    @property
    def proven(self) -> bool:
        """Whether it is the best that can be."""
        return self.value == self.bound


class Answer(NamedTuple):
    """A deck that was found.

    Attributes:
        values: what it has of what was asked for, in that order.
        proven: whether there is no better one.
        settled: whether of all that are as good it is the first by the order of the card files;
            with less time, another one may have been found.
        findings: warnings of limits, and errors of those that were left out.
    """

    deck: Deck
    values: tuple[AimValue, ...]
    proven: bool
    settled: bool
    findings: tuple[Diagnostic, ...] = ()


def make_answer(
    game: Game, held: DeckRules, built: DeckProgram, found: ProgramAnswer, empty: Deck
) -> Answer:
    """Return an answer as a deck, once the check has nothing against it.

    Args:
        empty: the deck without its cards.

    Raises:
        AssertionError: if it breaks a limit that was not left out: a fault of ours.
    """
    zones = [zone.id for zone in game.setup.zones]
    entries = tuple(
        DeckEntry(
            slot.card.faction_id, slot.card.id, found.values[slot.number], empty.source,
            None if slot.usual else slot.zone.id,
        )
        for slot in sorted(built.slots, key=lambda slot: zones.index(slot.zone.id))
        if found.values[slot.number]
    )  # fmt: skip
    deck = empty._replace(entries=entries)
    report: Report = []
    check_limits(game, deck, held, report)
    if has_errors(report) and not built.left_out:
        raise AssertionError(f"the deck that was found breaks limits: {report[0].message}")
    values = tuple(
        AimValue(
            each.aim.text,
            round_number(float(each.value)),
            None if each.bound is None else round_number(float(each.bound)),
        )
        for each in found.reached
    )
    return Answer(deck, values, found.proven, found.settled, tuple(report))


class UnlimitedError(ChoiceError):
    """A deck could have any number of copies of the card in this slot."""

    def __init__(self, slot: CardSlot, message: str, hint: str) -> None:
        """Take the slot, and what is said of it."""
        super().__init__(message, hint)
        self.slot = slot


def unlimited_error(slot: CardSlot, game: Game, held: DeckRules) -> UnlimitedError:
    """Return what to say where a deck could have any number of copies of a card."""
    zone = slot.zone.id
    message = f"nothing limits how many copies of `{slot.card.id}` are in `{zone}`"
    now = {limit.id for limit in held.limits}
    for limit in game.setup.limits:
        if limit.zone == zone and limit.id not in now and limit.bound in {"max", "exactly"}:
            return UnlimitedError(
                slot, message, f"add one: `--limit {limit.id}={_bound_of(limit)}`"
            )
    hint = f'add a limit to game.xml: `<limit id="most" name="cards" zone="{zone}" max="40"/>`'
    return UnlimitedError(slot, message, hint)


def _bound_of(limit: Limit) -> int:
    number = limit.exactly if limit.exactly is not None else limit.max
    return number if isinstance(number, int) else 40


class DeckProblem(NamedTuple):
    """Whether there is a deck with any cards.

    Attributes:
        wishes: what the deck is to keep besides limits.
        end: until when, in `time.monotonic`, it may be thought about.
    """

    game: Game
    faction_id: str
    held: DeckRules
    wishes: tuple[CardConstraint, ...] = ()
    end: float = math.inf

    def built(self, yielding: str | None = None) -> DeckProgram:
        """Return its program.

        Args:
            yielding: the id of a limit that gives way.
        """
        built = build_program(self.game, self.faction_id, self.held, yielding=yielding)
        built.program.keep(total_copies(built.slots), least=1, origin="a card")
        for wish in self.wishes:
            wish.add_to(built)
        return built

    def without(self, name: str) -> DeckProblem:
        """Return it without the limit of this id, or without this wish."""
        limits = tuple(limit for limit in self.held.limits if limit.id != name)
        wishes = tuple(wish for wish in self.wishes if wish.text != name)
        return self._replace(held=self.held._replace(limits=limits), wishes=wishes)

    @property
    def possible(self) -> bool | None:
        """Whether there is a deck; None if there was no time to be sure."""
        if time.monotonic() > self.end:
            return None
        found = self._solved(self.built(), Linear())
        if found.status is SolverStatus.INFEASIBLE:
            return False
        return None if found.values is None else True

    @property
    def impossible(self) -> bool:
        """Whether there is surely no deck."""
        return self.possible is False

    def relax(self, limit: Limit) -> Limit | None:
        """Return a limit with the nearest number that makes a deck possible, None if none does."""
        numbers = {name: getattr(limit, name) for name in ("min", "max", "exactly")}
        fixed = {name: number for name, number in numbers.items() if isinstance(number, int)}
        if not fixed:
            return None
        built = self.built(limit.id)
        values = self._solved(built, sum_of_products((-1, part) for part in built.gap)).values
        if values is None:
            return None
        under, over = (int(part.value(values)) for part in built.gap)
        moves = {"min": -under, "max": over, "exactly": over - under}
        changes: dict[str, Any] = {name: n + moves[name] for name, n in fixed.items()}
        return limit._replace(**changes)

    def _solved(self, built: DeckProgram, aim: Linear) -> SolverOutcome:
        return HighsSolver(built.program, self.end - time.monotonic()).most(aim)


class ConflictPart(NamedTuple):
    """A limit or a wish that cannot be kept with others.

    Attributes:
        name: the limit's id, or the wish.
        limit: None for a wish.
        possible: the limit with the nearest number that settles the conflict while all others are
            kept as they are; None if there is no such number.
    """

    name: str
    limit: Limit | None = None
    possible: Limit | None = None

    @property
    def change(self) -> str | None:
        """That number as `--limit` takes it; None if there is none, or more than one."""
        if self.limit is None or self.possible is None or (bound := self.limit.bound) is None:
            return None
        number = getattr(self.possible, bound)
        alone = self.limit.with_value(number) == self.possible
        return f"{self.name}={number}" if alone else None

    def __str__(self) -> str:
        """Return it in English, with what it asks for."""
        return (
            f"`{self.name}` ({describe_bounds(WORDS, self.limit)})"
            if self.limit
            else f"`{self.name}`"
        )


class Conflict(NamedTuple):
    """What cannot all hold.

    Attributes:
        parts: limits in their order, then wishes; without any of them there is no conflict.
        only: whether there is a deck if a certain one of them gives way.
    """

    parts: tuple[ConflictPart, ...]
    only: bool

    def __str__(self) -> str:
        """Return in English what conflicts, and which numbers would do."""
        return f"{self.clash}; {self.way}" if self.way else self.clash

    @property
    def limits(self) -> Conflict:
        """The same without wishes."""
        return self._replace(parts=tuple(part for part in self.parts if part.limit is not None))

    @property
    def names(self) -> str:
        """Its parts in English: "`size` (at least 25) and `provisions` (at most 200)"."""
        if not self.parts:
            return "that a deck has a card"
        *others, last = map(str, self.parts)
        return f"{', '.join(others)} and {last}" if others else last

    @property
    def clash(self) -> str:
        """That they conflict, in English."""
        return f"{self.names} cannot {'all hold' if len(self.parts) > 1 else 'be kept'}"

    @property
    def way(self) -> str:
        """The numbers of which each one would do, in English; "" if there are none."""
        limits = [part.possible for part in self.parts if part.possible is not None]
        ways = [
            f"`{each.id}` {describe_bounds(WORDS, each._replace(per=None, own_faction=False))}"
            for each in limits
        ]
        what = "possible with" if self.only else "there are other conflicts; this one ends with"
        return f"{what} {' or '.join(ways)}" if ways else ""


def find_conflict(question: DeckProblem) -> Conflict:
    """Return what conflicts where there is no deck.

    Limits are left aside in the order of the file from its end, for what stands first is mostly
    what a deck is about; wishes are left aside last.
    """
    kept = question
    ids = [limit.id for limit in question.held.limits if not limit.warning]
    for name in (*reversed(ids), *(wish.text for wish in reversed(question.wishes))):
        if kept.without(name).impossible:
            kept = kept.without(name)
    limits = [limit for limit in kept.held.limits if not limit.warning]
    wishes = [ConflictPart(wish.text) for wish in kept.wishes]
    names = [*(limit.id for limit in limits), *(wish.name for wish in wishes)]
    only = any(question.without(name).possible for name in names)
    asked = question if only else kept
    parts = [ConflictPart(limit.id, limit, asked.relax(limit)) for limit in limits]
    return Conflict((*parts, *wishes), only)


DEFAULT_SECONDS = 10.0
"""How long a search may take."""
DEFAULT_APART = 3
"""How many copies of a deck no earlier one has, where several are sought."""


class Objective(NamedTuple):
    """What a deck is to have most of, or least.

    Attributes:
        measure: as it is written, for example "strength + 2*actions".
    """

    measure: str
    smallest: bool = False


class SolveOptions(NamedTuple):
    """What decks are sought.

    Attributes:
        objectives: in their order; those of the game if there are none and `like` is None.
        include, exclude: cards, as `wishes.include` reads them.
        like: a deck that they are as near to as the objectives allow.
        different: how many decks.
        apart: how many copies each has that an earlier one does not have.
        seconds: how long the search for all of them may take.
        name: of the decks.
        nearest: a deck that they are as near to as can be, whatever the objectives.
    """

    objectives: Sequence[Objective] = ()
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    like: Deck | None = None
    different: int = 1
    apart: int = DEFAULT_APART
    seconds: float = DEFAULT_SECONDS
    name: str | None = None
    nearest: Deck | None = None


class SolveResult(NamedTuple):
    """What a search has found.

    Attributes:
        answers: the decks, the best one first.
        impossible: whether there is none, or no further one.
        left_out: limits that the search could not regard.
        question: which was asked.
    """

    answers: tuple[Answer, ...]
    impossible: bool
    left_out: tuple[OmittedLimit, ...]
    question: DeckProblem


def solve(
    game: Game,
    faction_id: str,
    held: DeckRules,
    options: SolveOptions,
    format_id: str | None = None,
) -> SolveResult:
    """Look for the best decks of a faction.

    Args:
        format_id: the format that the decks name, None for none.

    Raises:
        ChoiceError: if a wish names what there is not, the solver is not installed, or nothing
            limits what is asked for.
    """
    end = time.monotonic() + options.seconds
    question = DeckProblem(game, faction_id, held)
    built = question.built()
    wishes = (
        *(make_inclusion(text, built, game) for text in options.include),
        *(make_exclusion(text, built, game) for text in options.exclude),
    )
    for wish in wishes:
        wish.add_to(built)
    asked = question._replace(wishes=wishes)
    aims = make_aims(built, game, options)
    name = options.name or game.factions[faction_id].name
    answers: list[Answer] = []
    for number in range(options.different):
        found = find_best(built.program, built.slots, aims, end - time.monotonic())
        if isinstance(found, SolverStatus):
            impossible = found is SolverStatus.INFEASIBLE
            return SolveResult(tuple(answers), impossible, built.left_out, asked)
        endless = find_unlimited(built.program, built.slots, found.values)
        if endless is not None:
            raise unlimited_error(endless, game, held)
        title = f"{name} {number + 1}" if options.different > 1 else name
        answers.append(
            make_answer(game, held, built, found, empty_deck(game, faction_id, title, format_id))
        )
        had = {slot.number: found.values[slot.number] for slot in built.slots}
        require_difference(
            {at: copies for at, copies in had.items() if copies}, built, options.apart
        )
        bound_best(found.reached, built)
    return SolveResult(tuple(answers), impossible=False, left_out=built.left_out, question=asked)


def make_aims(built: DeckProgram, game: Game, options: SolveOptions) -> list[Aim]:
    """Return what is sought, in its order.

    Raises:
        ChoiceError: if an objective cannot be read.
    """
    setup = game.setup
    aims = [
        make_aim(require_measure(text, setup), built, smallest=smallest)
        for text, smallest in options.objectives
    ]
    if options.like is not None:
        aims.append(aim_near(options.like, built, game))
    if not options.objectives:
        usual = [(setup.worth, False), (setup.cost, True)]
        if options.nearest is not None:
            usual = usual[1:]
        elif setup.worth is None:
            usual = [(require_measure("cards", setup), True), *usual]
        aims += [make_aim(m, built, smallest=s) for m, s in usual if m is not None]
    if options.nearest is not None:
        aims.insert(0, aim_near(options.nearest, built, game))
    return aims


class Repair(NamedTuple):
    """A change that a deck needs.

    Attributes:
        why: the ids of the limits, and the wishes, that would be broken without it; none if no zone
            takes the card.
    """

    change: CopyChange
    why: tuple[str, ...]


def find_repairs(
    game: Game, old: Deck, new: Deck, held: DeckRules, wishes: Iterable[CardConstraint] = ()
) -> Iterator[Repair]:
    """Yield the changes that make one deck of another, each with what needs it."""
    decks = [(game, deck_stats(game, deck, held)) for deck in (old, new)]
    for change in compare_decks(decks).changes():
        without = _undo_change(change, game, new)
        states = deck_stats(game, without, held).limits
        limits = [state.id for state in states if not (state.keeps or state.limit.warning)]
        asked = [wish.text for wish in wishes if not wish.is_met_by(game, without)]
        yield Repair(change, (*limits, *asked))


def _undo_change(change: CopyChange, game: Game, deck: Deck) -> Deck:
    """Return a deck without one change."""
    copies = {(*_key(change.card), change.zone): -change.copies}
    for line in assign_zones(game, deck):
        own = *_key(line.card), line.zone.id if line.zone else ""
        copies[own] = copies.get(own, 0) + line.entry.copies
    entries = (
        DeckEntry(faction_id, card_id, number, deck.source, zone or None)
        for (faction_id, card_id, zone), number in copies.items()
        if number
    )
    return deck._replace(entries=tuple(entries))


def _key(card: Card) -> CardKey:
    return card.faction_id, card.id


class Gain(NamedTuple):
    """What could be reached without a limit.

    Attributes:
        aim: what is sought first, such as "maximize strength".
        value: what it could be, None if there would be no end to it.
    """

    limit: Limit
    aim: str
    value: Factor | None

    def __str__(self) -> str:
        """Return in English what is left aside."""
        return f"without `{self.limit.id}` ({describe_bounds(WORDS, self.limit)})"


def explain_failure(found: SolveResult, options: SolveOptions) -> Conflict | None:
    """Return what conflicts if there is surely no deck.

    Args:
        options: as they were when it was found; it may take as long again.
    """
    if found.answers or not found.impossible:
        return None
    return find_conflict(found.question._replace(end=time.monotonic() + options.seconds))


def find_gains(found: SolveResult, options: SolveOptions) -> list[Gain]:
    """Return the limits without which the first deck could be better, the most telling ones first.

    That is by what was sought first.

    Args:
        options: as they were when it was found; it may take as long again.
    """
    if not found.answers or not found.answers[0].values:
        return []
    better = list(_measure_gains(found, options))
    return [gain for _, gain in sorted(better, key=lambda each: -each[0])]


def _measure_gains(found: SolveResult, options: SolveOptions) -> Iterator[tuple[float, Gain]]:
    """Yield gains, each with how large it is."""
    end = time.monotonic() + options.seconds
    (reached, *_), question = found.answers[0].values, found.question
    for limit in question.held.limits:
        built = question.without(limit.id).built()
        aim = make_aims(built, question.game, options)[0]
        sign = -1 if aim.smallest else 1
        outcome = HighsSolver(built.program, end - time.monotonic()).most(
            sum_of_products([(sign, aim.linear)])
        )
        if limit.warning or outcome.values is None:
            continue
        value = aim.linear.value(outcome.values)
        gain = sign * (float(value) - reached.value)
        if find_unlimited(built.program, built.slots, outcome.values) and gain > 0:
            yield float("inf"), Gain(limit, aim.text, None)
        elif gain > 0:
            yield gain, Gain(limit, aim.text, value)
