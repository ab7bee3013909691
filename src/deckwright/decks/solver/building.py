"""Build an integer program from a game's limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from deckwright.checks.counting import COMPARISONS, DeckRules, LimitCounter, value_of, zones_of
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
from deckwright.game.kinds import FieldValue, parts_of
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.shapes import MAX_COPIES


class NotLinearError(ValueError):
    """Raised for a limit that linear rows cannot express; the message gives the reason."""


class CardSlot(NamedTuple):
    """A card in a zone that admits it, with the variable for its number of copies.

    Attributes:
        usual: whether this is the card's default zone, which deck lines need not name.
        number: the number of the variable.
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
    """The quantities of a deck that limits refer to, as expressions over variables.

    Attributes:
        faction_id: the deck's main faction.
        logic: the statements over the program.
    """

    def __init__(
        self,
        game: Game,
        faction_id: str,
        deck_rules: DeckRules,
        slots: Iterable[CardSlot],
        logic: Logic,
    ) -> None:
        """Set the cards that the deck may contain."""
        self.faction_id, self.logic = faction_id, logic
        self._values_in = LimitCounter(game, empty_deck(game, faction_id), deck_rules).card_values
        self._in_zone: dict[str, list[CardSlot]] = {zone.id: [] for zone in game.setup.zones}
        self._has_no_deck_zone = DECK not in self._in_zone
        everything = [*slots]
        for slot in everything:
            self._in_zone[slot.zone.id].append(slot)
        self._in_zone.setdefault(DECK, everything)
        self._numbers: dict[object, Linear] = {}
        self._values: dict[Reference, dict[str, Statement]] = {}

    def zone(self, zone_id: str) -> list[CardSlot]:
        """Return the cards that a zone may contain."""
        return self._in_zone[zone_id]

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
                parts.append((factor, self._reference(part)))
                continue
            inner = self.number(part.formula) or Linear()
            if isinstance(part, Quotient):
                parts.append((factor, self._floor(inner, part.divisor)))
            else:
                parts.append((factor, self.logic.is_at_least(inner, 0).linear))
        return sum_of_products(parts)

    def _reference(self, reference: Reference) -> Linear:
        slots, field = self._in_zone[reference.zone], reference.field
        if field == CARDS:
            return total_copies(slots)
        total = field_total(field, slots)
        if total.scale == 1:
            return total
        if self.logic.program.range_of(total)[0] < 0:
            raise NotLinearError(f"`{reference}` has decimals below 0")
        return self._floor(total, 1)

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

    def _present_values(self, reference: Reference) -> Mapping[str, Statement]:
        """Return for each possible value in a zone the statement that it occurs."""
        if self._has_no_deck_zone and reference == (DECK, "faction_id"):
            return {self.faction_id: ALWAYS}
        if reference not in self._values:
            having: dict[str, list[CardSlot]] = {}
            for slot in self._in_zone[reference.zone]:
                for value in dict.fromkeys(self._values_in(slot.card, reference.field)):
                    having.setdefault(value, []).append(slot)
            there = {value: self.logic.is_at_least(total_copies(slots), 1)
                     for value, slots in having.items()}  # fmt: skip
            self._values[reference] = {
                value: statement for value, statement in there.items() if statement != NEVER
            }
        return self._values[reference]

    def _test(self, condition: Condition, card: Card) -> Statement:
        left, sign = self._values_in(card, condition.field), condition.operator
        if not isinstance(condition.value, Reference):
            return ALWAYS if COMPARISONS[sign](left, condition.values) else NEVER
        right = self._present_values(condition.value)
        if sign in {"=", "!="}:
            shared = self.logic.any_of(right.get(value, NEVER) for value in left)
            return shared if sign == "=" else ~shared
        if sign in {"in", "not in"}:
            within = self.logic.all_of(right.get(value, NEVER) for value in left)
            return within if sign == "in" else ~within
        return self.logic.any_of(
            there for other, there in right.items() if COMPARISONS[sign](left, (other,))
        )


def total_copies(slots: Iterable[CardSlot]) -> Linear:
    """Return the total number of copies."""
    return Linear({slot.number: 1 for slot in slots})


def field_total(field: str, slots: Iterable[CardSlot]) -> Linear:
    """Return the sum of a field over all copies."""
    return sum_of_products((to_exact(value_of(slot.card, field)), slot.copies) for slot in slots)


def to_exact(value: object) -> Factor:
    """Convert a float to the fraction of its decimal text; other types than numbers to 0."""
    if isinstance(value, int):
        return int(value)
    return Fraction(str(value)) if isinstance(value, float) else 0


CountedSlots = list[tuple[CardSlot, Statement]]
"""Cards of a zone, each with the statement when it counts."""


class Slack(NamedTuple):
    """The slack of a relaxed limit: the decrease of its minimum, and the increase of its maximum.

    Numbers that depend on the deck are not relaxed.
    """

    under: Linear = Linear()
    over: Linear = Linear()


NO_SLACK = Slack()


def add_limit(
    limit: Limit, contents: DeckModel, deck_rules: DeckRules, slack: Slack = NO_SLACK
) -> None:
    """Add the rows of a limit.

    Args:
        slack: the slack of the limit.

    Raises:
        NotLinearError: if rows cannot express it; some of them may have been added.
    """
    judged = list(_zone_conditions(limit, contents, deck_rules))
    logic = contents.logic

    def bound_by(number: Number | None, *moves: tuple[int, Linear]) -> list[Linear]:
        linear = contents.number(number)
        if linear is None:
            return []
        return [sum_of_products([(1, linear), *(moves if isinstance(number, int) else ())])]

    fixed = bound_by(limit.exactly, (-1, slack.under), (1, slack.over))
    low = [*bound_by(limit.min, (-1, slack.under)), *fixed]
    high = [*bound_by(limit.max, (1, slack.over)), *fixed]
    for group in _split_by_per(limit, _count_slots(limit, contents)):
        if limit.own_faction:
            foreign = [each for each in group if each[0].card.faction_id != contents.faction_id]
            logic.add_row(_counted_copies(contents, foreign), None, 0, limit.id, judged)
        total = _limit_total(limit, contents, group)
        for bound in low:
            when = [*judged, *_group_conditions(limit, contents, group, bound)]
            logic.add_row(total.add(bound, -1), 0, None, limit.id, when)
        for bound in high:
            when = [*judged, *_group_conditions(limit, contents, group, Linear().add(bound, -1))]
            logic.add_row(total.add(bound, -1), None, 0, limit.id, when)


def _group_conditions(
    limit: Limit, contents: DeckModel, group: CountedSlots, lacking: Linear
) -> list[Statement]:
    """Return the conditions of a bound: a group of `per` must have cards to count.

    Args:
        lacking: the amount by which a group without cards would break the bound.
    """
    if limit.per is None or contents.logic.program.range_of(lacking)[1] <= 0:
        return []
    return [contents.logic.is_at_least(_counted_copies(contents, group), 1)]


def _zone_conditions(
    limit: Limit, contents: DeckModel, deck_rules: DeckRules
) -> Iterator[Statement]:
    """Yield the conditions of a limit: zones that it needs must have their numbers of cards.

    Only limits that are warnings matter here, as all others hold anyway.
    """
    logic = contents.logic
    for other in deck_rules.limits:
        unsure = other.warning and other.counts_copies and other.is_fixed
        if unsure and other.zone in limit.required_zones:
            copies = total_copies(contents.zone(other.zone))
            numbers = (other.min, other.max, other.exactly)
            least, most, exact = (n if isinstance(n, int) else None for n in numbers)
            for low in (least, exact):
                yield ALWAYS if low is None else logic.is_at_least(copies, low)
            for high in (most, exact):
                yield ALWAYS if high is None else ~logic.is_at_least(copies, high + 1)


def _count_slots(limit: Limit, contents: DeckModel) -> CountedSlots:
    """Return the cards that a limit may count, with the statements when it does."""
    slots = contents.zone(limit.zone)
    exemptions = [_ExemptionModel(each, contents, slots) for each in limit.exemptions]
    counted = []
    for slot in slots:
        free = [freed.exempts(slot) for freed in exemptions]
        parts = [contents.holds(limit.where, slot.card), *(~each for each in free)]
        counted.append((slot, contents.logic.all_of(parts)))
    return counted


def _split_by_per(limit: Limit, counted: CountedSlots) -> Iterable[CountedSlots]:
    """Split counted cards by the values of `per`."""
    if limit.per is None:
        return [counted]
    groups: dict[FieldValue, CountedSlots] = {}
    for each in counted:
        for value in parts_of(value_of(each[0].card, limit.per)):
            groups.setdefault(value, []).append(each)
    return groups.values()


def _limit_total(limit: Limit, contents: DeckModel, counted: CountedSlots) -> Linear:
    """Return the total of a limit: copies, the sum of a field, or distinct values."""
    if limit.distinct is not None:
        groups = _split_by_per(limit._replace(per=limit.distinct), counted)
        copies = (_counted_copies(contents, group) for group in groups)
        return sum_of_products((1, contents.logic.is_at_least(each, 1).linear) for each in copies)
    return _counted_copies(contents, counted, limit.sum)


def _counted_copies(contents: DeckModel, counted: CountedSlots, field: str | None = None) -> Linear:
    """Return the number of counted copies, or the sum of a field over them."""
    parts: dict[Statement, dict[int, int | Fraction]] = {}
    for slot, when in counted:
        factor = 1 if field is None else to_exact(value_of(slot.card, field))
        if factor:
            parts.setdefault(when, {})[slot.number] = factor
    total = Linear()
    for when, terms in parts.items():
        scale = Linear(terms).scale
        whole = Linear({at: int(factor * scale) for at, factor in terms.items()})
        share = 1 if scale == 1 else Fraction(1, scale)
        total = total.add(contents.logic.product(whole, when), share)
    return total


class _ExemptionModel:
    """The statements when an exemption frees cards: if there are enough others."""

    def __init__(self, exemption: Exemption, contents: DeckModel, slots: list[CardSlot]) -> None:
        self._exemption, self._contents = exemption, contents
        self._groups_by_name: dict[tuple[FieldValue, str], CountedSlots] = {}
        groups: dict[FieldValue, CountedSlots] = {}
        for slot in slots:
            when = contents.holds(exemption.other_cards, slot.card)
            alike = self._alike(slot)
            groups.setdefault(alike, []).append((slot, when))
            self._groups_by_name.setdefault((alike, slot.card.name), []).append((slot, when))
        self._others = {
            alike: contents.logic.as_variable(_counted_copies(contents, group))
            for alike, group in groups.items()
        }

    def _alike(self, slot: CardSlot) -> FieldValue:
        return value_of(slot.card, self._exemption.same) if self._exemption.same else None

    def exempts(self, slot: CardSlot) -> Statement:
        """Return the statement that a card is exempt."""
        contents, alike = self._contents, self._alike(slot)
        may_be = contents.holds(self._exemption.where, slot.card)
        if may_be == NEVER:
            return NEVER
        named = _counted_copies(contents, self._groups_by_name[alike, slot.card.name])
        enough = contents.logic.is_at_least(self._others[alike].add(named, -1), self._exemption.min)
        return contents.logic.all_of([enough, may_be])


class OmittedLimit(NamedTuple):
    """A limit that is not in a program, with the reason."""

    limit: str
    reason: str


class DeckProgram(NamedTuple):
    """A program for the decks of a faction.

    Attributes:
        faction_id: the main faction of the decks.
        slots: the cards that they may contain, in the order of the card files; they are the first
            variables.
        left_out: the limits that rows cannot express.
        contents: the quantities of decks, for further rows and objectives.
        slack: the slack of the relaxed limit.
    """

    program: Program
    faction_id: str
    slots: tuple[CardSlot, ...]
    left_out: tuple[OmittedLimit, ...]
    contents: DeckModel
    slack: Slack = NO_SLACK


def build_program(
    game: Game,
    faction_id: str,
    deck_rules: DeckRules,
    *,
    relaxed: str | None = None,
) -> DeckProgram:
    """Return a program whose solutions are the legal decks.

    Limits that are warnings are ignored. Each limit tightens the bounds of variables, and so the
    rows of later limits. Cards that no deck can contain have no variables.

    Args:
        relaxed: the id of a limit to relax.
    """
    program = Program()
    enforced = [limit for limit in deck_rules.limits if not limit.warning]
    slots = find_slots(card_zones(game), faction_id, deck_rules)
    for card, zone, _, _ in slots:
        program.variable(f"{card.faction_id}:{card.id} {zone.id}", 0, MAX_COPIES)
    contents = DeckModel(game, faction_id, deck_rules, slots, Logic(program))
    gap = (
        Slack(*(program.variable(name, 0, _MAX_SLACK) for name in Slack._fields))
        if relaxed
        else NO_SLACK
    )
    left_out = []
    for phase in range(_LAST_PHASE + 1):
        for limit in enforced:
            if _phase(limit) == phase:
                try:
                    gives = gap if limit.id == relaxed else NO_SLACK
                    add_limit(limit, contents, deck_rules, slack=gives)
                except NotLinearError as error:
                    program.remove_rows(limit.id)
                    left_out.append(OmittedLimit(limit.id, str(error)))
        program.tighten()
    return DeckProgram(program, faction_id, tuple(slots), tuple(left_out), contents, gap)


_MAX_SLACK = 1_000_000
"""The maximum slack of a limit."""


def find_slots(
    places: Iterable[tuple[Card, Zone, bool]], faction_id: str, deck_rules: DeckRules
) -> list[CardSlot]:
    """Return the slots of a faction's decks.

    Args:
        places: the cards with their zones, from `card_zones`.
    """
    shut = _own_faction_zones(deck_rules)
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
    shut = _own_faction_zones(deck_rules)
    zones = [zone for zone in game.setup.zones if zone.id not in shut]
    factions = game.factions.values()
    lending = {f.id for f in factions if any(zone.audience.admits(f.groups) for zone in zones)}
    return frozenset(lending | {faction_id})


def _own_faction_zones(deck_rules: DeckRules) -> frozenset[str]:
    """Return the ids of the zones that admit only the deck's own faction."""
    return frozenset(
        limit.zone
        for limit in deck_rules.limits
        if limit.own_faction and not (limit.warning or limit.where or limit.per)
        if not (limit.exemptions or limit.required_zones)
    )


_LAST_PHASE = 2


def _phase(limit: Limit) -> int:
    """Return the phase in which to add a limit: late if its rows benefit from tight bounds."""
    if limit.exemptions or any(True for _ in limit.references()):
        return _LAST_PHASE
    return 1 if limit.distinct else 0
