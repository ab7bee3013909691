"""Build an integer program from a game's limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from deckwright.checks.counting import (
    COMPARISONS,
    Bounds,
    DeckRules,
    LimitCounter,
    amount_of,
    groups_of,
    own_faction_zones,
    value_of,
    zones_of,
)
from deckwright.decks.solver.program import (
    ALWAYS,
    NEVER,
    Factor,
    Linear,
    Logic,
    Program,
    Statement,
    sum_of_products,
)
from deckwright.game.deck_rules import (
    CARDS,
    DECK,
    Condition,
    Exemption,
    Limit,
    Number,
    Quotient,
    Reference,
    Where,
    Zone,
)
from deckwright.game.decklist import empty_deck
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.shapes import MAX_COPIES


class NotLinearError(ValueError):
    """Raised for a limit that linear rows cannot express; the message gives the reason."""


class CardSlot(NamedTuple):
    """A card in a zone that admits it, with the variable for its number of copies.

    Attributes:
        usual: whether this is the card's default zone, which deck lines need not name.
    """

    card: Card
    zone: Zone
    usual: bool
    number: int

    @property
    def key(self) -> CardKey:
        """The key of the card."""
        return self.card.faction_id, self.card.id

    @property
    def copies(self) -> Linear:
        """The number of copies."""
        return Linear({self.number: 1})


class DeckModel:
    """The quantities of a deck that limits refer to, as expressions over variables."""

    def __init__(
        self,
        game: Game,
        faction_id: str,
        deck_rules: DeckRules,
        slots: Iterable[CardSlot],
        logic: Logic,
    ) -> None:
        self.faction_id, self.logic = faction_id, logic
        self._values_in = LimitCounter(game, empty_deck(game, faction_id), deck_rules).card_values
        self.in_zone: dict[str, list[CardSlot]] = {zone.id: [] for zone in game.setup.zones}
        everything = [*slots]
        for slot in everything:
            self.in_zone[slot.zone.id].append(slot)
        self._numbers: dict[object, Linear] = {}
        self._values: dict[Reference, dict[str, Statement]] = {}
        if DECK not in self.in_zone:
            self.in_zone[DECK] = everything
            self._values[Reference(DECK, "faction_id")] = {faction_id: ALWAYS}

    def holds(self, where: Where, card: Card) -> Statement:
        """Return the statement that a condition holds for a card."""
        if not where:
            return ALWAYS
        logic = self.logic
        return logic.any_of(logic.all_of(self._test(each, card) for each in group)
                            for group in where)  # fmt: skip

    def number(self, number: Number | None) -> Linear | None:
        """Return the expression for a number of a limit; None if it has none.

        Raises:
            NotLinearError: if it rounds negative decimals.
        """
        if number is None or isinstance(number, int):
            return None if number is None else Linear(constant=number)
        parts: list[tuple[Factor, Linear]] = [(1, Linear(constant=number.constant))]
        for factor, part in number.parts:
            if isinstance(part, Reference):
                slots, field = self.in_zone[part.zone], part.field
                value = sum_of_products(
                    (1 if field == CARDS else to_exact(value_of(slot.card, field)), slot.copies)
                    for slot in slots
                )
                if value.scale != 1:
                    if self.logic.program.range_of(value)[0] < 0:
                        raise NotLinearError(f"`{part}` has decimals below 0")
                    value = self._floor(value, 1)
            else:
                inner = self.number(part.formula) or Linear()
                if isinstance(part, Quotient):
                    value = self._floor(inner, part.divisor)
                else:
                    value = self.logic.is_at_least(inner, 0).linear
            parts.append((factor, value))
        return sum_of_products(parts)

    def _floor(self, linear: Linear, divisor: int) -> Linear:
        """Return the floor of a sum divided by a whole number."""
        key = (frozenset(linear.terms.items()), linear.constant, divisor)
        if key not in self._numbers:
            program = self.logic.program
            low, high = program.range_of(linear)
            quotient = program.variable("quotient", low // divisor, high // divisor)
            most = divisor - Fraction(1, linear.scale)
            program.add_row(linear.add(quotient, -divisor), 0, most)
            self._numbers[key] = quotient
        return self._numbers[key]

    def _test(self, condition: Condition, card: Card) -> Statement:
        left, sign = self._values_in(card, condition.field), condition.operator
        if not isinstance(condition.value, Reference):
            return ALWAYS if COMPARISONS[sign](left, condition.values) else NEVER
        if condition.value not in self._values:
            # Each value that the cards of the zone may have, with the statement that it occurs.
            having: dict[str, list[CardSlot]] = {}
            for slot in self.in_zone[condition.value.zone]:
                for value in dict.fromkeys(self._values_in(slot.card, condition.value.field)):
                    having.setdefault(value, []).append(slot)
            there = {value: self.logic.is_at_least(total_copies(slots), 1)
                     for value, slots in having.items()}  # fmt: skip
            self._values[condition.value] = {v: each for v, each in there.items() if each != NEVER}
        right = self._values[condition.value]
        if sign in {"=", "!="}:
            shared = self.logic.any_of(right.get(value, NEVER) for value in left)
            return shared if sign == "=" else ~shared
        if sign in {"in", "not in"}:
            within = self.logic.all_of(right.get(value, NEVER) for value in left)
            return within if sign == "in" else ~within
        return self.logic.any_of(
            occurs for other, occurs in right.items() if COMPARISONS[sign](left, (other,))
        )


def total_copies(slots: Iterable[CardSlot]) -> Linear:
    """Return the total number of copies."""
    return Linear({slot.number: 1 for slot in slots})


def to_exact(value: object) -> Factor:
    """Convert a float to the fraction of its decimal text; other types than numbers to 0."""
    if isinstance(value, int):
        return int(value)
    return Fraction(str(value)) if isinstance(value, float) else 0


CountedSlots = list[tuple[CardSlot, Statement]]
"""Cards of a zone, each with the statement when it counts."""


Slack = tuple[Linear, Linear]
"""The slack of a relaxed limit: the decrease of its minimum, and the increase of its maximum.

Numbers that depend on the deck are not relaxed.
"""
NO_SLACK: Slack = (Linear(), Linear())


def add_limit(
    limit: Limit, contents: DeckModel, deck_rules: DeckRules, slack: Slack = NO_SLACK
) -> None:
    """Add the rows of a limit.

    Raises:
        NotLinearError: if rows cannot express it; some of them may have been added.
    """
    (under, over), logic, slots = slack, contents.logic, contents.in_zone[limit.zone]
    # The limit applies if zones that it needs have their numbers of cards. Only limits that are
    # warnings matter here, as all others hold anyway.
    applies: list[Statement] = []
    for other in deck_rules.limits:
        unsure = other.warning and other.counts_copies and other.is_fixed
        if unsure and other.zone in limit.required_zones:
            copies, bounds = total_copies(contents.in_zone[other.zone]), Bounds.of(other)
            if bounds.lower > -math.inf:
                applies.append(logic.is_at_least(copies, int(bounds.lower)))
            if bounds.upper < math.inf:
                applies.append(~logic.is_at_least(copies, int(bounds.upper) + 1))

    def bound_by(number: Number | None, *moves: tuple[int, Linear]) -> list[Linear]:
        linear = contents.number(number)
        if linear is None:
            return []
        return [sum_of_products([(1, linear), *(moves if isinstance(number, int) else ())])]

    fixed = bound_by(limit.exactly, (-1, under), (1, over))
    low = [*bound_by(limit.min, (-1, under)), *fixed]
    high = [*bound_by(limit.max, (1, over)), *fixed]

    freed = [_exempt_slots(each, contents, slots) for each in limit.exemptions]
    counted: CountedSlots = []
    for at, slot in enumerate(slots):
        conditions = [contents.holds(limit.where, slot.card), *(~each[at] for each in freed)]
        counted.append((slot, logic.all_of(conditions)))
    for group in _split_by_per(limit, counted):
        if limit.own_faction:
            foreign = [each for each in group if each[0].card.faction_id != contents.faction_id]
            logic.add_row(_counted_copies(contents, foreign), None, 0, limit.id, applies)
        if limit.distinct is None:
            total = _counted_copies(contents, group, limit)
        else:
            values = _split_by_per(limit._replace(per=limit.distinct), group)
            copies_of = (_counted_copies(contents, each) for each in values)
            present = (logic.is_at_least(copies, 1).linear for copies in copies_of)
            total = sum_of_products((1, each) for each in present)
        for sign, numbers in ((1, low), (-1, high)):
            for bound in numbers:
                when = [*applies]
                # A value of `per` counts only if there are cards with it.
                lack = sum_of_products([(sign, bound)])
                if limit.per is not None and logic.program.range_of(lack)[1] > 0:
                    when.append(logic.is_at_least(_counted_copies(contents, group), 1))
                lower, upper = (0, None) if sign > 0 else (None, 0)
                logic.add_row(total.add(bound, -1), lower, upper, limit.id, when)


def _split_by_per(limit: Limit, counted: CountedSlots) -> Iterable[CountedSlots]:
    """Split counted cards by the values of `per`."""
    groups: dict[FieldValue, CountedSlots] = {} if limit.per else {None: []}
    for each in counted:
        for value in groups_of(limit, each[0].card):
            groups.setdefault(value, []).append(each)
    return groups.values()


def _counted_copies(
    contents: DeckModel, counted: CountedSlots, limit: Limit | None = None
) -> Linear:
    """Return the number of counted copies, or what a limit adds up over them."""
    parts: dict[Statement, dict[int, int | Fraction]] = {}
    for slot, when in counted:
        factor = 1 if limit is None else to_exact(amount_of(limit, slot.card))
        if factor:
            parts.setdefault(when, {})[slot.number] = factor
    total = Linear()
    for when, terms in parts.items():
        scale = Linear(terms).scale
        whole = Linear({at: int(factor * scale) for at, factor in terms.items()})
        share = 1 if scale == 1 else Fraction(1, scale)
        total = total.add(contents.logic.product(whole, when), share)
    return total


def _exempt_slots(
    exemption: Exemption, contents: DeckModel, slots: Sequence[CardSlot]
) -> list[Statement]:
    """Return for each card the statement that it is exempt: if there are enough others."""
    logic, same = contents.logic, exemption.same
    keys = [(value_of(slot.card, same) if same else None, slot.card.name) for slot in slots]
    groups: dict[FieldValue, CountedSlots] = {}
    by_name: dict[tuple[FieldValue, str], CountedSlots] = {}
    for slot, key in zip(slots, keys, strict=True):
        when = contents.holds(exemption.other_cards, slot.card)
        groups.setdefault(key[0], []).append((slot, when))
        by_name.setdefault(key, []).append((slot, when))
    others = {
        alike: logic.as_variable(_counted_copies(contents, group))
        for alike, group in groups.items()
    }
    exempt = []
    for slot, key in zip(slots, keys, strict=True):
        may_be = contents.holds(exemption.where, slot.card)
        if may_be != NEVER:
            named = _counted_copies(contents, by_name[key])
            enough = logic.is_at_least(others[key[0]].add(named, -1), exemption.min)
            may_be = logic.all_of([enough, may_be])
        exempt.append(may_be)
    return exempt


class OmittedLimit(NamedTuple):
    """A limit that is not in a program, with the reason."""

    limit: str
    reason: str


class DeckProgram(NamedTuple):
    """A program for the decks of a faction.

    Attributes:
        slots: the cards that they may contain, in the order of the card files; they are the first
            variables.
        contents: the quantities of decks, for further rows and objectives.
    """

    program: Program
    faction_id: str
    slots: tuple[CardSlot, ...]
    left_out: tuple[OmittedLimit, ...]
    contents: DeckModel
    slack: Slack = NO_SLACK


def build_program(
    game: Game, faction_id: str, deck_rules: DeckRules, *, relaxed: str | None = None
) -> DeckProgram:
    """Return a program whose solutions are the legal decks.

    Limits that are warnings are ignored, and that with the id `relaxed` has slack. Each limit
    tightens the bounds of variables, and so the rows of later limits. Cards that no deck can
    contain have no variables.
    """
    program = Program()
    slots = find_slots(card_zones(game), faction_id, deck_rules)
    for card, zone, _, _ in slots:
        program.variable(f"{card.faction_id}:{card.id} {zone.id}", 0, MAX_COPIES)
    contents = DeckModel(game, faction_id, deck_rules, slots, Logic(program))
    gap = NO_SLACK
    if relaxed:
        under = program.variable("under", 0, _MAX_SLACK)
        gap = under, program.variable("over", 0, _MAX_SLACK)
    # Limits whose rows benefit from tight bounds come late.
    phases: tuple[list[Limit], ...] = ([], [], [])
    for limit in deck_rules.limits:
        late = limit.exemptions or any(True for _ in limit.references())
        if not limit.warning:
            phases[2 if late else 1 if limit.distinct else 0].append(limit)
    left_out = []
    for phase in phases:
        for limit in phase:
            try:
                gives = gap if limit.id == relaxed else NO_SLACK
                add_limit(limit, contents, deck_rules, slack=gives)
            except NotLinearError as error:
                program.rows = [row for row in program.rows if row.origin != limit.id]
                left_out.append(OmittedLimit(limit.id, str(error)))
        program.tighten()
    return DeckProgram(program, faction_id, tuple(slots), tuple(left_out), contents, gap)


_MAX_SLACK = 1_000_000
"""The maximum slack of a limit."""


def find_slots(
    places: Iterable[tuple[Card, Zone, bool]], faction_id: str, deck_rules: DeckRules
) -> list[CardSlot]:
    """Return the slots of a faction's decks, given the `card_zones` of a game."""
    shut = own_faction_zones(deck_rules)
    admitted = (
        place for place in places if place[1].id not in shut or place[0].faction_id == faction_id
    )
    return [CardSlot(*place, number) for number, place in enumerate(admitted)]


def card_zones(game: Game) -> Iterator[tuple[Card, Zone, bool]]:
    """Yield all cards with each zone that admits them, and whether it is the first."""
    for card in game.cards.values():
        if card.faction_id in game.factions:
            for place, zone in enumerate(zones_of(game, card)):
                yield card, zone, place == 0


def source_factions(game: Game, faction_id: str, deck_rules: DeckRules) -> frozenset[str]:
    """Return the ids of the factions whose cards a faction's decks may contain, with its own."""
    shut = own_faction_zones(deck_rules)
    zones = [zone for zone in game.setup.zones if zone.id not in shut]
    factions = game.factions.values()
    lending = {f.id for f in factions if any(zone.audience.admits(f.groups) for zone in zones)}
    return frozenset(lending | {faction_id})
