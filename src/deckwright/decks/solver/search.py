"""Find the best answer of a program, reproducibly, and add objectives and card constraints."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from deckwright.base.files import to_nfc
from deckwright.base.findings import ChoiceError, format_names, known_hint
from deckwright.checks.counting import assign_zones
from deckwright.decks.solver.building import CardSlot, DeckProgram, total_copies
from deckwright.decks.solver.highs import HighsSolver, SolverStatus
from deckwright.decks.solver.program import Factor, Linear, Program, make_row, sum_of_products
from deckwright.game.deck_rules import Measure, Zone
from deckwright.game.model import Card, CardKey, Deck, Game
from deckwright.game.shapes import MAX_COPIES

_MAX_WEIGHT = 1 << 20
"""The largest weight that is exact enough for the solver."""
_MIN_ZEROS = 16
"""At least this many variables with the value 0 are settled together."""


def find_first(
    highs: HighsSolver, numbers: Sequence[int], values: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the lexicographically largest answer: by the first variable, then by the next ones.

    Several variables are settled at once: a few by weights, and many zeros by one search whether
    any of them can be larger.

    Args:
        values: a known answer.

    Returns:
        None if time runs out.
    """
    best, waiting, many = tuple(values), list(numbers), _MIN_ZEROS
    while True:
        # Settle leading variables at their upper bounds.
        open_ones = (at for at, n in enumerate(waiting) if best[n] < highs.variables[n].upper)
        first = next(open_ones, len(waiting))
        for number in waiting[:first]:
            _, low, high = highs.variables[number]
            if low < high:
                highs.set_bounds(number, high, high)
        waiting = waiting[first:]
        if not waiting:
            return best
        # Zeros that follow are settled together, unless they are too few to pay off.
        zeros: list[int] = []
        for number in waiting:
            _, low, high = highs.variables[number]
            if best[number] or len(zeros) == many:
                break
            if low < high:
                zeros.append(number)
        together = len(zeros) >= _MIN_ZEROS
        weights = dict.fromkeys(zeros, 1) if together else _weights(highs, waiting)
        outcome = highs.maximize(Linear(weights))
        if outcome.status is not SolverStatus.OPTIMAL or outcome.values is None:
            return None
        best = outcome.values
        if together and outcome.value:
            many = max(many // 4, 1)
            continue
        many *= 4
        for number in weights:
            highs.set_bounds(number, best[number], best[number])


def _weights(highs: HighsSolver, numbers: Sequence[int]) -> dict[int, int]:
    """Return weights for leading variables: one unit of each outweighs all after it."""
    weights: dict[int, int] = {}
    weight = 1
    for number in numbers:
        _, low, high = highs.variables[number]
        if low < high:
            if weights and weight * (high - low + 1) > _MAX_WEIGHT:
                break
            weights[number] = high - low + 1
            weight *= high - low + 1
    for number, steps in weights.items():
        weight //= steps
        weights[number] = weight
    return weights


class Aim(NamedTuple):
    """An objective such as "maximize strength", and the expression to maximize or minimize."""

    text: str
    linear: Linear
    smallest: bool = False


class AimResult(NamedTuple):
    """The value reached for an objective, which is proven to be the best if it equals the bound.

    Attributes:
        bound: the bound that the value cannot pass, None if unknown.
    """

    aim: Aim
    value: Factor
    bound: Factor | None


class ProgramAnswer(NamedTuple):
    """An answer of a program, with the results of the objectives in order.

    Attributes:
        values: the values of all variables.
        proven: whether the answer is proven to be the best.
        settled: whether it is the first of all equally good answers.
    """

    values: tuple[int, ...]
    results: tuple[AimResult, ...]
    proven: bool
    settled: bool


def find_best(
    program: Program, slots: Sequence[CardSlot], aims: Sequence[Aim], seconds: float = math.inf
) -> ProgramAnswer | SolverStatus:
    """Return the best answer of a program, or the status of the search if there is none.

    Args:
        slots: the cards that decks may contain, in the order of their files.

    Raises:
        ChoiceError: if the solver is not installed.
    """
    highs = HighsSolver(program, seconds)
    values: tuple[int, ...] | None = None
    reached: list[AimResult] = []
    fewest = Aim("fewest cards", total_copies(slots), smallest=True)
    for aim in (*aims, fewest):
        sign = -1 if aim.smallest else 1
        linear = sum_of_products([(sign, aim.linear)])
        outcome = highs.maximize(linear)
        values = values if outcome.values is None else outcome.values
        if values is None:
            return outcome.status
        bound = None if outcome.bound is None else sign * outcome.bound
        reached.append(AimResult(aim, aim.linear.value(values), bound))
        if outcome.status is not SolverStatus.OPTIMAL or outcome.value is None:
            results, enough = tuple(reached[: len(aims)]), len(reached) > len(aims)
            return ProgramAnswer(values, results, proven=enough, settled=False)
        highs.add(make_row(linear, outcome.value, None))
        highs.fix_variables(linear, outcome.value)
    assert values is not None
    first = find_first(highs, [slot.number for slot in slots], values)
    results, settled = tuple(reached[: len(aims)]), first is not None
    return ProgramAnswer(first or values, results, proven=True, settled=settled)


def find_unlimited(
    program: Program, slots: Sequence[CardSlot], values: Sequence[int]
) -> CardSlot | None:
    """Return a card whose copies only the maximum of deck lists limits, None if there is none."""
    for slot in slots:
        if values[slot.number] == program.variables[slot.number].upper == MAX_COPIES:
            return slot
    return None


_COPIES_PATTERN = re.compile(r"\s*(.*?)\s*(?:(>=|<=|=)\s*([0-9]{1,4})\s*)?", re.DOTALL)


def find_card_slots(name: str, built: DeckProgram, game: Game) -> list[CardSlot]:
    """Return the slots of a card by its id or name, before which may be its faction and a colon.

    Cards of the deck's own faction take precedence. A name that several cards share means all of
    them.

    Raises:
        ChoiceError: if the card does not exist, decks cannot contain it, or it is ambiguous.
    """
    faction, colon, rest = name.partition(":")
    owner = faction if colon and faction in game.factions else None
    wanted = rest if owner is not None else name
    matches = [slot for slot in built.slots if slot.card.is_called(name)]
    if not matches and any(card.is_called(name) for card in game.cards.values()):
        limits = [limit.id for limit in game.setup.limits if limit.own_faction]
        message = f"decks of `{built.faction_id}` cannot have the card `{name}`"
        raise ChoiceError(message, f"allow it with `--limit {limits[0]}=off`" if limits else None)
    if not matches:
        cards = [slot.card for slot in built.slots if owner in {None, slot.card.faction_id}]
        known = dict.fromkeys([*(card.id for card in cards), *(card.name for card in cards)])
        usage = "write a number of copies as in `HK3=2`"
        hint = usage if "=" in name else known_hint(wanted, known)
        raise ChoiceError(f"there is no card `{name}`", hint)
    matches = [slot for slot in matches if slot.card.id == wanted] or matches
    own = [slot for slot in matches if slot.card.faction_id == built.faction_id]
    matches = own or matches
    owners = list(dict.fromkeys(slot.card.faction_id for slot in matches))
    if len(owners) > 1:
        message = f"several factions have a card `{name}`"
        raise ChoiceError(
            message, f"name one: {format_names(f'{each}:{wanted}' for each in owners)}"
        )
    return matches


_MAX_STEPS = 12
"""Cards with up to this many copies are modelled in unary to compare decks, which is fastest."""


def make_aim(measure: Measure, built: DeckProgram, *, smallest: bool) -> Aim:
    """Return the objective to maximize or minimize a measure."""
    parts = ((measure.evaluate(slot.card.fields, slot.zone.id), slot) for slot in built.slots)
    terms: dict[int, Factor] = {s.number: Fraction(value) for value, s in parts if value}
    verb = "minimize" if smallest else "maximize"
    return Aim(f"{verb} {measure}", Linear(terms), smallest)


class CardConstraint(NamedTuple):
    """A constraint on the copies of all cards of a name, such as "include HK3=2".

    Attributes:
        lower, upper: the bounds on their total copies, None where there is none.
        zone: the id of the zone in which they count, None for all.
    """

    text: str
    cards: frozenset[CardKey]
    lower: int | None = None
    upper: int | None = None
    zone: str | None = None

    def add_to(self, built: DeckProgram) -> None:
        """Add its row to a program."""
        slots = (slot for slot in built.slots if self._counts(slot.card, slot.zone))
        built.program.add_row(total_copies(slots), self.lower, self.upper, self.text)

    def is_met_by(self, game: Game, deck: Deck) -> bool:
        """Return whether a deck satisfies the constraint."""
        lines = assign_zones(game, deck)
        copies = sum(line.entry.copies for line in lines if self._counts(line.card, line.zone))
        return (self.lower or 0) <= copies and (self.upper is None or copies <= self.upper)

    def _counts(self, card: Card, zone: Zone | None) -> bool:
        if (card.faction_id, card.id) not in self.cards:
            return False
        return self.zone is None or (zone is not None and zone.id == self.zone)


def make_constraint(
    text: str, built: DeckProgram, game: Game, *, excludes: bool = False
) -> CardConstraint:
    """Require a card, or forbid it.

    Args:
        text: `HK3` requires at least one copy, `HK3=2` two, `HK3>=2` two or more, `HK3<=2` at most
            two.
        excludes: whether the card is forbidden; the text has no number then.

    Raises:
        ChoiceError: if there is no such card, or an excluded one has a number of copies.
    """
    text = to_nfc(text)
    match = _COPIES_PATTERN.fullmatch(text)
    assert match is not None  # it matches any text
    number, name = int(match[3]) if match[3] else 1, match[1]
    lower = None if match[2] == "<=" else number
    upper = number if match[2] in {"=", "<="} else None
    if excludes and (lower, upper) != (1, None):
        message = f"`{text.strip()}` has a number, but no copy of an excluded card is left"
        raise ChoiceError(message, f"limit its copies with `--include '{name}<=2'`")
    cards = frozenset(slot.key for slot in find_card_slots(name, built, game))
    if excludes:
        return CardConstraint(f"exclude {text.strip()}", cards, upper=0)
    return CardConstraint(f"include {text.strip()}", cards, lower, upper)


def count_by_zone(game: Game, deck: Deck) -> Counter[tuple[str, str, str]]:
    """Return the copies of a deck's known cards by faction, id and zone, "" for none."""
    copies = Counter[tuple[str, str, str]]()
    for line in assign_zones(game, deck):
        zone = line.zone.id if line.zone else ""
        copies[line.card.faction_id, line.card.id, zone] += line.entry.copies
    return copies


def aim_near(deck: Deck, built: DeckProgram, game: Game) -> Aim:
    """Return the objective to minimize the copies added to and removed from a deck."""
    had = count_by_zone(game, deck)
    parts: list[tuple[Factor, Linear]] = []
    for slot in built.slots:
        copies = had.pop((slot.card.faction_id, slot.card.id, slot.zone.id), 0)
        parts.append((1, slot.copies.add(Linear(constant=copies), -1)))
        if copies:
            fewer = built.program.variable(f"fewer {slot.card.id}", 0, copies)
            built.program.add_row(fewer.add(slot.copies), least=copies)
            parts.append((2, fewer))
    lost = Linear(constant=sum(had.values()))
    return Aim(f"changes to {deck.stem}", sum_of_products([*parts, (1, lost)]), smallest=True)


def require_difference(values: Sequence[int], built: DeckProgram, least: int) -> None:
    """Require a minimum number of copies that another answer, given by its values, lacks."""
    program = built.program
    parts: list[tuple[Factor, Linear]] = []
    for slot in built.slots:
        copies = values[slot.number]
        most = program.variables[slot.number].upper - copies
        if not copies:
            parts.append((1, slot.copies))
        elif copies + most <= _MAX_STEPS:
            steps = built.contents.logic.steps(slot.number)[copies:]
            parts += ((1, step) for step in steps)
        elif most > 0:
            # `more` is at most the excess over `copies`, and 0 unless `above` is set.
            above = program.variable(f"more {slot.card.id}")
            more = program.variable(f"more {slot.card.id}", 0, most)
            program.add_row(more.add(above, -most), most=0)
            program.add_row(more.add(slot.copies, -1).add(above, copies), most=0)
            parts.append((1, more))
    program.add_row(sum_of_products(parts), least, origin="different")
