"""What a deck that is sought has, as sums and statements over the copies of each card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from deckwright.checks.counting import Held, Tally
from deckwright.checks.matching import TESTS, value_of
from deckwright.decks.solver.logic import ALWAYS, NEVER, Logic, Statement
from deckwright.decks.solver.program import Factor, Linear, total_of
from deckwright.game.conditions import Condition, Where
from deckwright.game.deck_rules import Zone
from deckwright.game.decklist import empty_deck
from deckwright.game.formulas import CARDS, DECK, Number, Quotient, Reference
from deckwright.game.model import Card, Game


class NotLinearError(ValueError):
    """What a limit asks for cannot be told a solver; the message says why."""


class Slot(NamedTuple):
    """A card in a zone that admits it, and how many copies of it are there.

    Attributes:
        usual: whether it comes to this zone by itself, so that lines need not name it.
        number: that of the variable.
    """

    card: Card
    zone: Zone
    usual: bool
    number: int

    @property
    def copies(self) -> Linear:
        """How many there are."""
        return Linear({self.number: 1})


class Contents:
    """What a deck has, as far as limits ask for it. As `Tally`, but before its cards are known.

    Attributes:
        faction_id: the deck's main faction.
        logic: statements over the program.
    """

    def __init__(
        self, game: Game, faction_id: str, held: Held, slots: Iterable[Slot], logic: Logic
    ) -> None:
        """Take the cards that may be in the deck."""
        self.faction_id, self.logic = faction_id, logic
        self._values_in = Tally(game, empty_deck(game, faction_id), held).values_in
        self._in_zone: dict[str, list[Slot]] = {zone.id: [] for zone in game.setup.zones}
        self._whole = DECK not in self._in_zone
        everything = [*slots]
        for slot in everything:
            self._in_zone[slot.zone.id].append(slot)
        self._in_zone.setdefault(DECK, everything)
        self._numbers: dict[object, Linear] = {}
        self._values: dict[Reference, dict[str, Statement]] = {}

    def zone(self, zone_id: str) -> list[Slot]:
        """Return the cards that may be in a zone."""
        return self._in_zone[zone_id]

    def holds(self, where: Where, card: Card) -> Statement:
        """Return that a condition holds for a card."""
        if not where:
            return ALWAYS
        logic = self.logic
        return logic.any_of(logic.all_of(self._test(each, card) for each in group)
                            for group in where)  # fmt: skip

    def number(self, number: Number | None) -> Linear | None:
        """Return the number of a limit; None if it has none.

        Raises:
            NotLinearError: if it is of decimals below 0.
        """
        if number is None or isinstance(number, int):
            return None if number is None else Linear(constant=number)
        parts: list[tuple[Factor, Linear]] = [(1, Linear(constant=number.constant))]
        for factor, part in number.parts:
            if isinstance(part, Reference):
                parts.append((factor, self._reference(part)))
                continue
            inner = self.number(part.formula) or Linear()
            if isinstance(part, Quotient):
                parts.append((factor, self._floor(inner, part.divisor)))
            else:
                parts.append((factor, self.logic.reaches(inner, 0).linear))
        return total_of(parts)

    def _reference(self, reference: Reference) -> Linear:
        slots, field = self._in_zone[reference.zone], reference.field
        if field == CARDS:
            return copies_of(slots)
        total = sum_of(field, slots)
        if total.scale == 1:
            return total
        if self.logic.program.reach(total)[0] < 0:
            raise NotLinearError(f"`{reference}` has decimals below 0")
        return self._floor(total, 1)

    def _floor(self, linear: Linear, divisor: int) -> Linear:
        """Return a sum divided by a whole number, rounded down."""
        key = (frozenset(linear.terms.items()), linear.constant, divisor)
        if key not in self._numbers:
            program = self.logic.program
            low, high = program.reach(linear)
            quotient = program.variable("quotient", low // divisor, high // divisor)
            most = divisor - Fraction(1, linear.scale)
            program.keep(linear.plus(quotient, -divisor), 0, most)
            self._numbers[key] = quotient
        return self._numbers[key]

    def _present(self, reference: Reference) -> Mapping[str, Statement]:
        """Return for each value that may be in a zone that it is there."""
        if self._whole and reference == (DECK, "faction_id"):
            return {self.faction_id: ALWAYS}
        if reference not in self._values:
            having: dict[str, list[Slot]] = {}
            for slot in self._in_zone[reference.zone]:
                for value in dict.fromkeys(self._values_in(slot.card, reference.field)):
                    having.setdefault(value, []).append(slot)
            there = {value: self.logic.reaches(copies_of(slots), 1)
                     for value, slots in having.items()}  # fmt: skip
            self._values[reference] = {
                value: statement for value, statement in there.items() if statement != NEVER
            }
        return self._values[reference]

    def _test(self, condition: Condition, card: Card) -> Statement:
        left, sign = self._values_in(card, condition.field), condition.operator
        if not isinstance(condition.value, Reference):
            return ALWAYS if TESTS[sign](left, condition.values) else NEVER
        right = self._present(condition.value)
        if sign in {"=", "!="}:
            shared = self.logic.any_of(right.get(value, NEVER) for value in left)
            return shared if sign == "=" else ~shared
        if sign in {"in", "not in"}:
            within = self.logic.all_of(right.get(value, NEVER) for value in left)
            return within if sign == "in" else ~within
        return self.logic.any_of(
            there for other, there in right.items() if TESTS[sign](left, (other,))
        )


def copies_of(slots: Iterable[Slot]) -> Linear:
    """Return how many copies there are in all."""
    return Linear({slot.number: 1 for slot in slots})


def sum_of(field: str, slots: Iterable[Slot]) -> Linear:
    """Return the sum of a field over all copies."""
    return total_of((exactly(value_of(slot.card, field)), slot.copies) for slot in slots)


def exactly(value: object) -> Factor:
    """Return a number without the noise of its last places; 0 for what is none."""
    if isinstance(value, int):
        return int(value)
    return Fraction(str(value)) if isinstance(value, float) else 0
