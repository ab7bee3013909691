"""The best answer of a program, always the same, within constraints that callers add."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from deckwright.base.findings import ChoiceError, format_names, known_hint
from deckwright.base.names import to_nfc
from deckwright.checks.counting import assign_zones
from deckwright.decks.solver.building import CardSlot, DeckProgram, total_copies
from deckwright.decks.solver.highs import HighsSolver, SolverOutcome, SolverStatus
from deckwright.decks.solver.program import Factor, Linear, Program, make_row, sum_of_products
from deckwright.game.deck_rules import Measure, Zone
from deckwright.game.model import Card, CardKey, Deck, Game
from deckwright.game.shapes import MAX_COPIES

_MAX_WEIGHT = 1 << 20
"""Weights up to this are exact enough for the solver."""
_MIN_ZEROS = 16
"""So many variables that are 0 are first looked at together."""


def find_first(
    highs: HighsSolver, numbers: Sequence[int], values: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the answer with the most of the first variable, then of the second, and so on.

    Several variables are settled at once: a few by weights, and many that are 0 by asking whether
    any of them can be more.

    Args:
        numbers: those of the variables, in their order.
        values: an answer.

    Returns:
        None if the time does not suffice.
    """
    best, waiting, many = tuple(values), list(numbers), _MIN_ZEROS
    while waiting := _skip_settled(highs, waiting, best):
        nothing = _leading_zeros(highs, waiting, best, many)
        weights = dict.fromkeys(nothing, 1) if nothing else _weights(highs, waiting)
        outcome = highs.most(Linear(weights))
        if outcome.status is not SolverStatus.OPTIMAL or outcome.values is None:
            return None
        best = outcome.values
        if nothing and outcome.value:
            many = max(many // 4, 1)
            continue
        many *= 4
        for number in weights:
            highs.set_bounds(number, best[number], best[number])
    return best


def _skip_settled(highs: HighsSolver, numbers: Sequence[int], values: Sequence[int]) -> list[int]:
    """Return the variables from the first on that can be more than it is; settle those before."""
    for at, number in enumerate(numbers):
        low, high = highs.bounds(number)
        if values[number] < high:
            return list(numbers[at:])
        if low < high:
            highs.set_bounds(number, high, high)
    return []


def _leading_zeros(
    highs: HighsSolver, numbers: Sequence[int], values: Sequence[int], most: int
) -> list[int]:
    """Return the first variables as far as they are 0, if these are more than some weights hold."""
    zeros: list[int] = []
    for number in numbers:
        low, high = highs.bounds(number)
        if values[number] or len(zeros) == most:
            break
        if low < high:
            zeros.append(number)
    return zeros if len(zeros) >= _MIN_ZEROS else []


def _weights(highs: HighsSolver, numbers: Sequence[int]) -> dict[int, int]:
    """Return weights for the first variables: one more of any outweighs all behind it."""
    weights: dict[int, int] = {}
    weight = 1
    for number in numbers:
        low, high = highs.bounds(number)
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
    """What is sought.

    Attributes:
        text: for example "maximize strength".
        linear: the sum that is as large as can be, or with `smallest` as small.
    """

    text: str
    linear: Linear
    smallest: bool = False


class AimResult(NamedTuple):
    """How far an aim was reached.

    Attributes:
        value: of its sum.
        bound: which the sum cannot pass, None if that is not known. It is the value if that is
            proven to be the best.
    """

    aim: Aim
    value: Factor
    bound: Factor | None


class ProgramAnswer(NamedTuple):
    """An answer.

    Attributes:
        values: of all variables of the program.
        reached: the aims, in their order.
        proven: whether there is no better answer.
        settled: whether of all answers that are as good it is the one that comes first.
    """

    values: tuple[int, ...]
    reached: tuple[AimResult, ...]
    proven: bool
    settled: bool


def find_best(
    program: Program, slots: Sequence[CardSlot], aims: Sequence[Aim], seconds: float = math.inf
) -> ProgramAnswer | SolverStatus:
    """Return the best answer of a program, or how the search ended without any.

    Args:
        slots: the cards that decks may have, in the order of their files.
        aims: what comes first stands first.
        seconds: how long it may take.

    Raises:
        ChoiceError: if the solver is not installed.
    """
    highs = HighsSolver(program, seconds)
    found: SolverOutcome | None = None
    reached: list[AimResult] = []
    fewest = Aim("fewest cards", total_copies(slots), smallest=True)
    for aim in (*aims, fewest):
        sign = -1 if aim.smallest else 1
        linear = sum_of_products([(sign, aim.linear)])
        outcome = highs.most(linear)
        if outcome.values is None and found is None:
            return outcome.status
        proven = outcome.status is SolverStatus.OPTIMAL
        found = outcome if outcome.values is not None else found
        assert found is not None
        assert found.values is not None
        bound = None if outcome.bound is None else sign * outcome.bound
        reached.append(AimResult(aim, aim.linear.value(found.values), bound))
        if not proven or outcome.value is None:
            told, enough = tuple(reached[: len(aims)]), len(reached) > len(aims)
            return ProgramAnswer(found.values, told, proven=enough, settled=False)
        highs.add(make_row(linear, outcome.value, None))
        highs.fix_variables(linear, outcome.value)
    assert found is not None
    assert found.values is not None
    values = find_first(highs, [slot.number for slot in slots], found.values)
    told, settled = tuple(reached[: len(aims)]), values is not None
    return ProgramAnswer(values or found.values, told, proven=True, settled=settled)


def find_unlimited(
    program: Program, slots: Sequence[CardSlot], values: Sequence[int]
) -> CardSlot | None:
    """Return a card of which only deck lists limit how many copies there are, None if none is."""
    for slot in slots:
        if values[slot.number] == program.variables[slot.number].most == MAX_COPIES:
            return slot
    return None


_COPIES_PATTERN = re.compile(r"\s*(.*?)\s*(?:(>=|<=|=)\s*([0-9]{1,4})\s*)?", re.DOTALL)


class CopyRange(NamedTuple):
    """How many copies of a card are wanted.

    Attributes:
        card: its id or name, or its faction and its id or name, with a colon between them.
        least, most: how many copies, None where that does not matter.
    """

    card: str
    least: int | None
    most: int | None


def parse_copy_range(text: str) -> CopyRange:
    """Return what a text such as `HK3`, `HK3=2`, `HK3>=2` or `HK3<=2` asks for."""
    found = _COPIES_PATTERN.fullmatch(text)
    assert found is not None  # it matches any text
    number = int(found[3]) if found[3] else 1
    least = None if found[2] == "<=" else number
    most = number if found[2] in {"=", "<="} else None
    return CopyRange(to_nfc(found[1]), least, most)


def find_slots(name: str, built: DeckProgram, game: Game) -> list[CardSlot]:
    """Return where a card may be in a deck.

    Of cards of several factions those of the deck's own are meant. A name that several cards have
    means all of them.

    Args:
        name: its id or name, or with a colon before it that of its faction.

    Raises:
        ChoiceError: if there is no such card, none that decks may have, or more than one.
    """
    faction, colon, rest = name.partition(":")
    owner = faction if colon and faction in game.factions else None
    wanted = rest if owner is not None else name
    found = [slot for slot in built.slots if _matches(slot.card, wanted, owner)]
    if not found:
        raise _unknown_card_error(name, wanted, owner, built, game)
    found = [slot for slot in found if slot.card.id == wanted] or found
    own = [slot for slot in found if slot.card.faction_id == built.faction_id]
    found = own or found
    owners = list(dict.fromkeys(slot.card.faction_id for slot in found))
    if len(owners) > 1:
        message = f"several factions have a card `{name}`"
        raise ChoiceError(
            message, f"say which: {format_names(f'{each}:{wanted}' for each in owners)}"
        )
    return found


def _matches(card: Card, name: str, owner: str | None) -> bool:
    return owner in {None, card.faction_id} and name in {card.id, card.name}


def _unknown_card_error(
    name: str, wanted: str, owner: str | None, built: DeckProgram, game: Game
) -> ChoiceError:
    if any(_matches(card, wanted, owner) for card in game.cards.values()):
        message = f"decks of `{built.faction_id}` cannot have the card `{name}`"
        own = [limit.id for limit in game.setup.limits if limit.own_faction]
        return ChoiceError(message, f"allow it with `--limit {own[0]}=off`" if own else None)
    cards = [slot.card for slot in built.slots if owner in {None, slot.card.faction_id}]
    known = dict.fromkeys([*(card.id for card in cards), *(card.name for card in cards)])
    hint = "write a number of copies as in `HK3=2`" if "=" in name else known_hint(wanted, known)
    return ChoiceError(f"there is no card `{name}`", hint)


_MAX_STEPS = 12
"""Up to so many copies, each is a variable where several decks are compared: that is quickest."""


def make_aim(measure: Measure, built: DeckProgram, *, smallest: bool) -> Aim:
    """Return the aim to have most of something, or least."""
    parts = ((measure.of(slot.card.fields, slot.zone.id), slot) for slot in built.slots)
    terms: dict[int, Factor] = {s.number: Fraction(value) for value, s in parts if value}
    verb = "minimize" if smallest else "maximize"
    return Aim(f"{verb} {measure}", Linear(terms), smallest)


class CardConstraint(NamedTuple):
    """How many copies of a card there are to be.

    Attributes:
        text: as it was asked for: "include HK3=2".
        cards: all of this name.
        least, most: how many copies of them in all, None where that does not matter.
        zone: the id of the zone that they are counted in, None for all.
    """

    text: str
    cards: frozenset[CardKey]
    least: int | None = None
    most: int | None = None
    zone: str | None = None

    def add_to(self, built: DeckProgram) -> None:
        """Add its row to a program."""
        slots = (slot for slot in built.slots if self._counts(slot.card, slot.zone))
        built.program.keep(total_copies(slots), self.least, self.most, self.text)

    def is_met_by(self, game: Game, deck: Deck) -> bool:
        """Return whether a deck has so many copies."""
        lines = assign_zones(game, deck)
        copies = sum(line.entry.copies for line in lines if self._counts(line.card, line.zone))
        return (self.least or 0) <= copies and (self.most is None or copies <= self.most)

    def _counts(self, card: Card, zone: Zone | None) -> bool:
        if (card.faction_id, card.id) not in self.cards:
            return False
        return self.zone is None or (zone is not None and zone.id == self.zone)


def make_inclusion(text: str, built: DeckProgram, game: Game) -> CardConstraint:
    """Return the wish for a card: `HK3` is at least one, `HK3=2` two, `HK3>=2` two or more.

    Raises:
        ChoiceError: if there is no such card.
    """
    wanted = parse_copy_range(text)
    cards = _find_card_keys(wanted.card, built, game)
    return CardConstraint(f"include {text.strip()}", cards, wanted.least, wanted.most)


def make_exclusion(text: str, built: DeckProgram, game: Game) -> CardConstraint:
    """Return the wish to have no copy of a card.

    Raises:
        ChoiceError: if there is no such card, or a number of copies.
    """
    wanted = parse_copy_range(text)
    if (wanted.least, wanted.most) != (1, None):
        message = f"`{text.strip()}` has a number, but no copy of an excluded card is left"
        raise ChoiceError(message, f"have at most so many with `--include '{wanted.card}<=2'`")
    cards = _find_card_keys(wanted.card, built, game)
    return CardConstraint(f"exclude {text.strip()}", cards, most=0)


def _find_card_keys(name: str, built: DeckProgram, game: Game) -> frozenset[CardKey]:
    slots = find_slots(name, built, game)
    return frozenset((slot.card.faction_id, slot.card.id) for slot in slots)


def aim_near(deck: Deck, built: DeckProgram, game: Game) -> Aim:
    """Return the aim to be as near to a deck as can be: copies that are added or taken out."""
    had: dict[tuple[str, str, str], int] = {}
    for line in assign_zones(game, deck):
        key = line.card.faction_id, line.card.id, line.zone.id if line.zone else ""
        had[key] = had.get(key, 0) + line.entry.copies
    parts: list[tuple[Factor, Linear]] = []
    for slot in built.slots:
        copies = had.pop((slot.card.faction_id, slot.card.id, slot.zone.id), 0)
        parts.append((1, slot.copies.plus(Linear(constant=copies), -1)))
        if copies:
            fewer = built.program.variable(f"fewer {slot.card.id}", 0, copies)
            built.program.keep(fewer.plus(slot.copies), least=copies)
            parts.append((2, fewer))
    lost = Linear(constant=sum(had.values()))
    return Aim(f"changes to {deck.stem}", sum_of_products([*parts, (1, lost)]), smallest=True)


def require_difference(had: Mapping[int, int], built: DeckProgram, least: int) -> None:
    """Have at least so many copies that another answer does not have.

    Args:
        had: the copies of the other one, by the numbers of slots; only those that it has.
    """
    program = built.program
    parts: list[tuple[Factor, Linear]] = []
    for slot in built.slots:
        copies = had.get(slot.number, 0)
        most = program.variables[slot.number].most - copies
        if not copies:
            parts.append((1, slot.copies))
        elif copies + most <= _MAX_STEPS:
            steps = built.contents.logic.steps(slot.number)[copies:]
            parts += ((1, step) for step in steps)
        elif most > 0:
            # `more` is at most what there is above `copies`, and only where there is anything.
            above = program.binary(f"more {slot.card.id}")
            more = program.variable(f"more {slot.card.id}", 0, most)
            program.keep(more.plus(above, -most), most=0)
            program.keep(more.plus(slot.copies, -1).plus(above, copies), most=0)
            parts.append((1, more))
    program.keep(sum_of_products(parts), least, origin="different")


def bound_best(reached: Sequence[AimResult], built: DeckProgram) -> None:
    """Say that no further answer is better than one that is known to be best: it is quicker so."""
    for (_, linear, smallest), value, bound in reached[:1]:
        if value == bound:
            built.program.keep(
                linear, value if smallest else None, None if smallest else value, origin="different"
            )
