"""Solve for the best decks or the smallest repair, and explain why none exists."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from deckwright.base.findings import ChoiceError, Diagnostic, Report, has_errors
from deckwright.base.strings import Translated
from deckwright.base.units import round_number
from deckwright.checks.counting import Bounds, DeckRules
from deckwright.checks.limits import check_limits
from deckwright.decks.comparison import CopyChange, compare_decks
from deckwright.decks.solver import search
from deckwright.decks.solver.building import (
    CardSlot,
    DeckProgram,
    OmittedLimit,
    build_program,
    total_copies,
)
from deckwright.decks.solver.highs import HighsSolver, SolverOutcome, SolverStatus
from deckwright.decks.solver.program import Factor, Linear, sum_of_products
from deckwright.decks.stats import deck_stats, require_measure
from deckwright.game.deck_rules import Limit
from deckwright.game.decklist import empty_deck
from deckwright.game.model import Deck, DeckEntry, Game
from deckwright.game.words import WORDS, describe_bounds


class AimValue(NamedTuple):
    """The value of an objective in a deck, and the one that no deck can beat, None if unknown."""

    aim: str
    value: float
    bound: float | None

    @property
    def proven(self) -> bool:
        """True if the value is proven to be the best."""
        return self.value == self.bound


class Answer(NamedTuple):
    """A deck found by the solver.

    Attributes:
        settled: whether it is the first, in the order of the card files, of all equally good decks;
            false if time ran out.
        findings: warnings of limits, and errors of limits that were left out.
    """

    deck: Deck
    values: tuple[AimValue, ...]
    proven: bool
    settled: bool
    findings: tuple[Diagnostic, ...] = ()


def make_answer(
    game: Game,
    deck_rules: DeckRules,
    built: DeckProgram,
    program_answer: search.ProgramAnswer,
    empty: Deck,
) -> Answer:
    """Convert a program's answer to a deck and check it.

    Raises:
        AssertionError: if it breaks a limit that was not left out, which is a bug.
    """
    zones = [zone.id for zone in game.setup.zones]
    entries = tuple(
        DeckEntry(
            slot.card.faction_id, slot.card.id, program_answer.values[slot.number], empty.source,
            None if slot.usual else slot.zone.id,
        )
        for slot in sorted(built.slots, key=lambda slot: zones.index(slot.zone.id))
        if program_answer.values[slot.number]
    )  # fmt: skip
    deck = empty._replace(entries=entries)
    report: Report = []
    check_limits(game, deck, deck_rules, report)
    if has_errors(report) and not built.left_out:
        raise AssertionError(f"the deck breaks limits: {report[0].message}")
    values = tuple(
        AimValue(
            each.aim.text,
            round_number(float(each.value)),
            None if each.bound is None else round_number(float(each.bound)),
        )
        for each in program_answer.results
    )
    return Answer(deck, values, program_answer.proven, program_answer.settled, tuple(report))


class UnlimitedError(ChoiceError):
    """Raised if no limit bounds the copies of the card in this slot."""

    def __init__(self, slot: CardSlot, game: Game, deck_rules: DeckRules) -> None:
        """Set the slot, and a limit to add as the hint."""
        zone = slot.zone.id
        hint = f'add a limit to game.xml: `<limit id="most" name="cards" zone="{zone}" max="40"/>`'
        now = {limit.id for limit in deck_rules.limits}
        for limit in reversed(game.setup.limits):
            if limit.zone == zone and limit.id not in now and limit.bound in {"max", "exactly"}:
                number = limit.max if limit.exactly is None else limit.exactly
                number = number if isinstance(number, int) else 40
                hint = f"add one: `--limit {limit.id}={number}`"
        super().__init__(f"no limit restricts the copies of `{slot.card.id}` in `{zone}`", hint)
        self.slot = slot


class DeckProblem(NamedTuple):
    """The problem of finding a legal deck with a card or more before `end`, a `time.monotonic`."""

    game: Game
    faction_id: str
    deck_rules: DeckRules
    constraints: tuple[search.CardConstraint, ...] = ()
    end: float = math.inf

    def build(self, relaxed: str | None = None) -> DeckProgram:
        """Build its program, with slack for the limit of the id `relaxed`."""
        built = build_program(self.game, self.faction_id, self.deck_rules, relaxed=relaxed)
        built.program.add_row(total_copies(built.slots), least=1, origin="a card")
        for constraint in self.constraints:
            constraint.add_to(built)
        return built

    def without(self, name: str) -> DeckProblem:
        """Return the problem without the limit of this id, or without this card constraint."""
        limits = tuple(limit for limit in self.deck_rules.limits if limit.id != name)
        constraints = tuple(each for each in self.constraints if each.text != name)
        return self._replace(
            deck_rules=self.deck_rules._replace(limits=limits), constraints=constraints
        )

    @property
    def possible(self) -> bool | None:
        """True if there is a deck, None if time ran out."""
        if time.monotonic() > self.end:
            return None
        outcome = self._solve(self.build(), Linear())
        if outcome.status is SolverStatus.INFEASIBLE:
            return False
        return None if outcome.values is None else True

    @property
    def impossible(self) -> bool:
        """True if there is proven to be no deck."""
        return self.possible is False

    def relax(self, limit: Limit) -> Limit | None:
        """Return a limit with the nearest number that allows a deck, None if there is none."""
        numbers = Bounds.of(limit)._asdict()
        fixed = {name: number for name, number in numbers.items() if number is not None}
        if not fixed:
            return None
        built = self.build(limit.id)
        values = self._solve(built, sum_of_products((-1, part) for part in built.slack)).values
        if values is None:
            return None
        under, over = (int(part.value(values)) for part in built.slack)
        moves = {"min": -under, "max": over, "exactly": over - under}
        changes: dict[str, Any] = {name: n + moves[name] for name, n in fixed.items()}
        return limit._replace(**changes)

    def _solve(self, built: DeckProgram, aim: Linear) -> SolverOutcome:
        return HighsSolver(built.program, self.end - time.monotonic()).maximize(aim)


class ConflictPart(NamedTuple):
    """A limit or card constraint in a conflict.

    Attributes:
        name: the id of the limit, or the text of the card constraint.
        possible: the limit with the nearest number that resolves the conflict while the others
            stay; None if there is no such number.
    """

    name: str
    limit: Limit | None = None
    possible: Limit | None = None

    @property
    def change(self) -> str | None:
        """The number in the form of `--limit`; None if there is none, or more than one."""
        if self.limit is None or self.possible is None or (bound := self.limit.bound) is None:
            return None
        number = getattr(self.possible, bound)
        alone = self.limit.with_value(number) == self.possible
        return f"{self.name}={number}" if alone else None

    def __str__(self) -> str:
        """Return its name and bounds in English."""
        return (
            f"`{self.name}` ({describe_bounds(WORDS, self.limit)})"
            if self.limit
            else f"`{self.name}`"
        )


class Conflict(NamedTuple):
    """A minimal set of limits and card constraints that cannot all hold.

    Attributes:
        parts: limits in order, then card constraints; removing any one resolves the conflict.
        only: whether relaxing one of them suffices for a deck; otherwise there are other conflicts.
    """

    parts: tuple[ConflictPart, ...]
    only: bool

    def __str__(self) -> str:
        """Describe the conflict and its resolutions in English."""
        return f"{self.clash}; {self.way}" if self.way else self.clash

    @property
    def limits(self) -> Conflict:
        """The conflict without card constraints."""
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
        """The statement of the conflict in English."""
        return f"{self.names} cannot {'all be met' if len(self.parts) > 1 else 'be met'}"

    @property
    def way(self) -> str:
        """The alternative numbers that resolve the conflict, in English; "" if there are none."""
        limits = [part.possible for part in self.parts if part.possible is not None]
        ways = [
            f"`{each.id}` {describe_bounds(WORDS, each._replace(per=None, own_faction=False))}"
            for each in limits
        ]
        what = (
            "possible with" if self.only else "there are other conflicts; this one is solved with"
        )
        return f"{what} {' or '.join(ways)}" if ways else ""


def find_conflict(question: DeckProblem) -> Conflict:
    """Find a minimal conflict of a problem without a deck.

    Limits are dropped from the end of the file, as the first ones usually matter most; card
    constraints are dropped last.
    """
    kept = question
    ids = [limit.id for limit in question.deck_rules.limits if not limit.warning]
    for name in (*reversed(ids), *(each.text for each in reversed(question.constraints))):
        if kept.without(name).impossible:
            kept = kept.without(name)
    limits = [limit for limit in kept.deck_rules.limits if not limit.warning]
    constraints = [ConflictPart(each.text) for each in kept.constraints]
    names = [*(limit.id for limit in limits), *(each.name for each in constraints)]
    only = any(question.without(name).possible for name in names)
    relaxable = question if only else kept
    parts = [ConflictPart(limit.id, limit, relaxable.relax(limit)) for limit in limits]
    return Conflict((*parts, *constraints), only)


DEFAULT_SECONDS = 10.0
"""The default time limit of a search."""
DEFAULT_APART = 3
"""The default number of copies of each deck that no earlier one has."""


class Objective(NamedTuple):
    """A measure to maximize or minimize, such as "strength + 2*actions"."""

    measure: str
    smallest: bool = False


class SolveOptions(NamedTuple):
    """The options of a search for decks.

    Attributes:
        objectives: the objectives in order; those of the game if there are none and `like` is None.
        include, exclude: required and forbidden cards, such as `HK3=2`.
        like: a deck to stay as near to as the objectives allow.
        apart: the minimum number of copies of each deck that an earlier one lacks.
        seconds: the time limit for all of them.
        nearest: a deck to stay as near to as possible, before all objectives.
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
    """The result of a search: decks, the best first, and the limits that the solver cannot handle.

    Attributes:
        impossible: whether there is proven to be no deck, or no further one.
    """

    answers: tuple[Answer, ...]
    impossible: bool
    left_out: tuple[OmittedLimit, ...]
    problem: DeckProblem


def solve(
    game: Game,
    faction_id: str,
    deck_rules: DeckRules,
    options: SolveOptions,
    format_id: str | None = None,
) -> SolveResult:
    """Find the best decks of a faction, which name the format with this id, if any.

    Raises:
        ChoiceError: if a card constraint names an unknown card, the solver is not installed, or an
            objective is unbounded.
    """
    end = time.monotonic() + options.seconds
    question = DeckProblem(game, faction_id, deck_rules)
    built = question.build()
    constraints = (
        *(search.make_constraint(text, built, game) for text in options.include),
        *(search.make_constraint(text, built, game, excludes=True) for text in options.exclude),
    )
    for constraint in constraints:
        constraint.add_to(built)
    problem = question._replace(constraints=constraints)
    aims = make_aims(built, game, options)
    faction = game.factions[faction_id].name
    # Deck lists are in the game's own language.
    name = options.name or (faction.source if isinstance(faction, Translated) else faction)
    answers: list[Answer] = []
    for number in range(options.different):
        answer = search.find_best(built.program, built.slots, aims, end - time.monotonic())
        if isinstance(answer, SolverStatus):
            impossible = answer is SolverStatus.INFEASIBLE
            return SolveResult(tuple(answers), impossible, built.left_out, problem)
        endless = search.find_unlimited(built.program, built.slots, answer.values)
        if endless is not None:
            raise UnlimitedError(endless, game, deck_rules)
        title = f"{name} {number + 1}" if options.different > 1 else name
        empty = empty_deck(game, faction_id, title, format_id)
        answers.append(make_answer(game, deck_rules, built, answer, empty))
        search.require_difference(answer.values, built, options.apart)
        for (_, linear, smallest), value, bound in answer.results[:1]:
            if value == bound:  # no further answer beats it, which speeds up their search
                low, high = (value, None) if smallest else (None, value)
                built.program.add_row(linear, low, high, origin="different")
    return SolveResult(tuple(answers), impossible=False, left_out=built.left_out, problem=problem)


def make_aims(built: DeckProgram, game: Game, options: SolveOptions) -> list[search.Aim]:
    """Return the objectives in order; raise a ChoiceError if one is invalid."""
    setup = game.setup
    aims = [
        search.make_aim(require_measure(text, setup), built, smallest=smallest)
        for text, smallest in options.objectives
    ]
    if options.like is not None:
        aims.append(search.aim_near(options.like, built, game))
    if not options.objectives:
        usual = [(setup.worth, False), (setup.cost, True)]
        if options.nearest is not None:
            usual = usual[1:]
        elif setup.worth is None:
            usual = [(require_measure("cards", setup), True), *usual]
        aims += [search.make_aim(m, built, smallest=s) for m, s in usual if m is not None]
    if options.nearest is not None:
        aims.insert(0, search.aim_near(options.nearest, built, game))
    return aims


class Repair(NamedTuple):
    """A change that makes a deck legal.

    Attributes:
        why: the ids of the limits, and the card constraints, that would be broken without it; empty
            if no zone admits the card.
    """

    change: CopyChange
    why: tuple[str, ...]


def find_repairs(
    game: Game,
    old: Deck,
    new: Deck,
    deck_rules: DeckRules,
    constraints: Iterable[search.CardConstraint] = (),
) -> Iterator[Repair]:
    """Yield the changes from one deck to another, each with its reasons."""
    decks = [(game, deck_stats(game, deck, deck_rules)) for deck in (old, new)]
    for change in compare_decks(decks).changes():
        copies = search.count_by_zone(game, new)
        copies[change.card.faction_id, change.card.id, change.zone] -= change.copies
        entries = (
            DeckEntry(faction_id, card_id, number, new.source, zone or None)
            for (faction_id, card_id, zone), number in copies.items()
            if number
        )
        without = new._replace(entries=tuple(entries))
        states = deck_stats(game, without, deck_rules).limits
        limits = [state.id for state in states if not (state.keeps or state.limit.warning)]
        broken = [each.text for each in constraints if not each.is_met_by(game, without)]
        yield Repair(change, (*limits, *broken))


class Gain(NamedTuple):
    """The improvement possible without a limit: an objective and its value, None if unbounded."""

    limit: Limit
    aim: str
    value: Factor | None

    def __str__(self) -> str:
        """Describe the omitted limit in English."""
        return f"without `{self.limit.id}` ({describe_bounds(WORDS, self.limit)})"


def explain_failure(result: SolveResult, options: SolveOptions) -> Conflict | None:
    """Return the conflict if there is proven to be no deck; the time limit applies again."""
    if result.answers or not result.impossible:
        return None
    return find_conflict(result.problem._replace(end=time.monotonic() + options.seconds))


def find_gains(result: SolveResult, options: SolveOptions) -> list[Gain]:
    """Return the limits that keep the first deck from being better, the largest gains first.

    Gains are measured by the first objective. The time limit of the options applies again.
    """
    if not result.answers or not result.answers[0].values:
        return []
    end = time.monotonic() + options.seconds
    better: list[tuple[float, Gain]] = []
    (reached, *_), question = result.answers[0].values, result.problem
    for limit in question.deck_rules.limits:
        built = question.without(limit.id).build()
        aim = make_aims(built, question.game, options)[0]
        sign = -1 if aim.smallest else 1
        outcome = HighsSolver(built.program, end - time.monotonic()).maximize(
            sum_of_products([(sign, aim.linear)])
        )
        if limit.warning or outcome.values is None:
            continue
        value = aim.linear.value(outcome.values)
        gain = sign * (float(value) - reached.value)
        if gain > 0 and search.find_unlimited(built.program, built.slots, outcome.values):
            better.append((math.inf, Gain(limit, aim.text, None)))
        elif gain > 0:
            better.append((gain, Gain(limit, aim.text, value)))
    return [gain for _, gain in sorted(better, key=lambda each: -each[0])]
