"""Evaluate limits for a deck: matching cards, zones, counts and sums."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from typing import NamedTuple

from deckwright.base.units import round_number
from deckwright.game.deck_rules import (
    CARDS,
    DECK,
    RESTRICTION,
    Condition,
    Exemption,
    Formula,
    Limit,
    Operator,
    Reference,
    Where,
    Zone,
)
from deckwright.game.kinds import FieldValue, Scalar, parts_of
from deckwright.game.model import Card, Deck, DeckEntry, Game, RestrictionList

FieldValues = tuple[str, ...]
"""The values that conditions compare: a single one, which may be empty, or those of a list."""


def value_of(card: Card, field: str) -> FieldValue:
    """Return a field of a card, or its name, id, faction or kind."""
    if field == "kind":
        return card.kind.tag
    if field in {"name", "id", "faction_id"}:
        return str(getattr(card, field))
    return card.fields.get(field)


def values_of(card: Card, field: str) -> FieldValues:
    """Return the values of a card in a field, or of children given by their plural."""
    for spec in card.kind.children:
        if spec.plural == field:
            return tuple(str(child.value) for child in card.children[spec.tag])
    value = value_of(card, field)
    if isinstance(value, tuple):
        return tuple(map(_format_value, value))
    return (_format_value(value),)


def _format_value(value: FieldValue) -> str:
    """Return a value in the form that files use."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def card_matches(where: Where, card: Card) -> bool:
    """Return whether a card matches conditions that do not refer to the deck."""
    return not where or make_matcher(where)(card)


def make_matcher(
    where: Where,
    left: Callable[[Card, str], FieldValues] = values_of,
    right: Callable[[Condition], FieldValues] = lambda condition: condition.values,
) -> Callable[[Card], bool]:
    """Return a predicate for cards that match; `left` and `right` return the values compared."""
    groups = [[(each.field, COMPARISONS[each.operator], right(each)) for each in group]
              for group in where]  # fmt: skip

    def matches(card: Card) -> bool:
        return not groups or any(
            all(test(left(card, field), values) for field, test, values in group)
            for group in groups
        )

    return matches


def _make_comparison(
    sign: Callable[[float, float], bool],
) -> Callable[[FieldValues, FieldValues], bool]:
    """Return a comparison of numbers; it is false for values that are not numbers."""
    return lambda left, right: any(
        sign(one, other) for one in _parse_numbers(left) for other in _parse_numbers(right)
    )


def _parse_numbers(values: FieldValues) -> list[float]:
    numbers = []
    for value in values:
        with suppress(ValueError):
            numbers.append(float(value))
    return numbers


def _have_common_value(left: FieldValues, right: FieldValues) -> bool:
    if len(left) == 1:
        return left[0] in right
    return not set(left).isdisjoint(right)


COMPARISONS: dict[Operator, Callable[[FieldValues, FieldValues], bool]] = {
    "=": _have_common_value,
    "!=": lambda left, right: not _have_common_value(left, right),
    "in": lambda left, right: all(value in right for value in left),
    "not in": lambda left, right: not all(value in right for value in left),
    "<": _make_comparison(operator.lt),
    "<=": _make_comparison(operator.le),
    ">": _make_comparison(operator.gt),
    ">=": _make_comparison(operator.ge),
}
"""The comparison for each operator."""


class DeckLine(NamedTuple):
    """A line of a deck list, with its card and zone."""

    entry: DeckEntry
    card: Card
    zone: Zone | None


def assign_zones(game: Game, deck: Deck) -> list[DeckLine]:
    """Return the lines of a deck list whose cards exist, sorted by zone, else in list order."""
    lines = []
    zones: dict[tuple[int, str | None], Zone | None] = {}
    for entry in deck.entries:
        card = game.card_of(entry)
        if card is not None and card.faction_id in game.factions:
            key = (id(card), entry.zone)
            if key not in zones:
                zones[key] = zone_of(game, card, entry.zone)
            lines.append(DeckLine(entry, card, zones[key]))
    order = {zone.id: number for number, zone in enumerate(game.setup.zones)}
    return sorted(lines, key=lambda line: order.get(line.zone.id, 99) if line.zone else 99)


def zone_of(game: Game, card: Card, wanted: str | None = None) -> Zone | None:
    """Return the first zone that admits a card; `wanted` is the id of the only one allowed."""
    return next((zone for zone in zones_of(game, card) if wanted in {None, zone.id}), None)


def zones_of(game: Game, card: Card) -> Iterator[Zone]:
    """Yield the zones that admit a card, in order."""
    groups = game.factions[card.faction_id].groups
    for zone in game.setup.zones:
        if zone.audience.admits(groups) and card_matches(zone.where, card):
            yield zone


class DeckRules(NamedTuple):
    """The rules that apply to a deck: its limits, and the restriction list in force."""

    limits: tuple[Limit, ...] = ()
    restrictions: RestrictionList | None = None


def own_faction_zones(deck_rules: DeckRules) -> frozenset[str]:
    """Return the ids of the zones whose cards must all be of the deck's own faction."""
    return frozenset(
        limit.zone
        for limit in deck_rules.limits
        if limit.own_faction and not (limit.warning or limit.where or limit.per)
        if not (limit.exemptions or limit.required_zones)
    )


class Bounds(NamedTuple):
    """The bounds of a limit for one deck; None for no bound."""

    min: int | None
    max: int | None
    exactly: int | None

    @classmethod
    def of(cls, limit: Limit, value: Callable[[Formula], int | None] = lambda _: None) -> Bounds:
        """Return the bounds of a limit; without `value`, formulas set none."""
        numbers = (limit.min, limit.max, limit.exactly)
        return cls(*(value(n) if isinstance(n, Formula) else n for n in numbers))

    @property
    def lower(self) -> float:
        """The least total allowed, -inf if any."""
        return max((n for n in (self.min, self.exactly) if n is not None), default=-math.inf)

    @property
    def upper(self) -> float:
        """The greatest total allowed, inf if any."""
        return min((n for n in (self.max, self.exactly) if n is not None), default=math.inf)

    def allow(self, total: float) -> bool:
        """Return whether a total is within the bounds."""
        return self.lower <= total <= self.upper


class LimitCounter:
    """Counts the cards of a deck for its limits.

    Attributes:
        deck: the deck.
        deck_rules: the rules that apply to the deck.
        lines: the lines of the deck, sorted by zone.
    """

    def __init__(self, game: Game, deck: Deck, deck_rules: DeckRules) -> None:
        """Count a deck; cards that do not exist are ignored."""
        self.deck, self.deck_rules = deck, deck_rules
        self._factions = game.factions
        self.lines = assign_zones(game, deck)
        self._in_zone: dict[str, list[DeckLine]] = {zone.id: [] for zone in game.setup.zones}
        for line in self.lines:
            if line.zone is not None:
                self._in_zone[line.zone.id].append(line)
        self._values: dict[Reference, FieldValues] = {}
        if DECK not in self._in_zone:
            self._in_zone[DECK] = self.lines
            self._values[Reference(DECK, "faction_id")] = (deck.faction_id,)
        self._numbers: dict[Reference, int] = {}

    def group_lines(self, limit: Limit) -> dict[FieldValue, list[DeckLine]]:
        """Return the lines that a limit counts, by the value of `per`, or all under None."""
        groups: dict[FieldValue, list[DeckLine]] = {} if limit.per else {None: []}
        for line in self.counted_lines(limit):
            for each in groups_of(limit, line.card):
                groups.setdefault(each, []).append(line)
        return groups

    def counted_lines(self, limit: Limit) -> Iterator[DeckLine]:
        """Yield the lines that a limit counts."""
        in_zone = self._in_zone[limit.zone]
        free = {id(card) for each in limit.exemptions for card in self._find_exempt(each, in_zone)}
        matches = self.matcher_for(limit.where)
        for line in in_zone:
            if matches(line.card) and id(line.card) not in free:
                yield line

    def resolve_bounds(self, limit: Limit) -> Bounds:
        """Return the bounds of a limit for this deck."""
        return Bounds.of(limit, lambda formula: formula.evaluate(self.resolve_number))

    def resolve_limit(self, limit: Limit) -> Limit:
        """Return a limit with its bounds for this deck, if it applies."""
        return (
            limit._replace(**self.resolve_bounds(limit)._asdict()) if self.applies(limit) else limit
        )

    def applies(self, limit: Limit) -> bool:
        """Return whether a limit can be evaluated for this deck.

        A limit that depends on the cards of a zone cannot while the zone has too few or too many,
        which another limit reports.
        """
        return limit.required_zones.isdisjoint(self._unsettled_zones)

    def lines_of(self, reference: Reference) -> list[DeckLine]:
        """Return the lines in the zone of a reference, or those of the whole deck."""
        return self._in_zone[reference.zone]

    def resolve_number(self, reference: Reference) -> int:
        """Return a reference as a number: a sum over all copies, or their number."""
        if reference not in self._numbers:
            lines, field = self.lines_of(reference), reference.field
            number = count_copies(lines) if field == CARDS else sum_field(field, lines)
            self._numbers[reference] = int(number)
        return self._numbers[reference]

    def resolve_values(self, reference: Reference) -> FieldValues:
        """Return a reference as values, each once."""
        if reference not in self._values:
            cards = [line.card for line in self.lines_of(reference)]
            values = (value for card in cards for value in self.card_values(card, reference.field))
            self._values[reference] = tuple(dict.fromkeys(values))
        return self._values[reference]

    def card_values(self, card: Card, field: str) -> FieldValues:
        """Return the values of a card in a field; its restriction counts as a field."""
        if field != RESTRICTION or field in card.fields:
            return values_of(card, field)
        owner = self._factions[card.faction_id].cards_of or card.faction_id
        return self._restriction_words.get((owner, card.id), ("",))

    @cached_property
    def _unsettled_zones(self) -> frozenset[str]:
        """The zones with a wrong number of cards."""
        broken = set()
        for limit in self.deck_rules.limits:
            copies = count_copies(self._in_zone[limit.zone])
            if limit.counts_copies and limit.is_fixed and not Bounds.of(limit).allow(copies):
                broken.add(limit.zone)
        return frozenset(broken)

    @cached_property
    def _restriction_words(self) -> dict[tuple[str, str], FieldValues]:
        """The restrictions of cards, by faction and id."""
        words: dict[tuple[str, str], FieldValues] = {}
        entries = self.deck_rules.restrictions.entries if self.deck_rules.restrictions else ()
        for entry in entries:
            key = entry.faction_id, entry.card_id
            words[key] = (*words.get(key, ()), entry.word)
        return words

    def matcher_for(self, where: Where) -> Callable[[Card], bool]:
        """Return a predicate for cards that match conditions, which may refer to the deck."""

        def compared_values(condition: Condition) -> FieldValues:
            value = condition.value
            return self.resolve_values(value) if isinstance(value, Reference) else condition.values

        return make_matcher(where, self.card_values, compared_values)

    def _find_exempt(self, exemption: Exemption, lines: Iterable[DeckLine]) -> Iterator[Card]:
        """Yield the cards that a limit does not count because there are enough others."""
        groups: dict[FieldValue, Counter[str]] = {}
        alike = partial(value_of, field=exemption.same) if exemption.same else lambda _: None
        counts = self.matcher_for(exemption.other_cards)
        may_be_free = self.matcher_for(exemption.where)
        for card, number in ((line.card, line.entry.copies) for line in lines):
            if counts(card):
                groups.setdefault(alike(card), Counter())[card.name] += number
        for card in (line.card for line in lines):
            names = groups.get(alike(card), Counter())
            if names.total() - names[card.name] >= exemption.min and may_be_free(card):
                yield card


def groups_of(limit: Limit, card: Card) -> tuple[FieldValue, ...]:
    """Return the values of `per` that a card counts for, or only None."""
    return (*dict.fromkeys(parts_of(value_of(card, limit.per) if limit.per else None)),)


def amount_of(limit: Limit, card: Card) -> float:
    """Return what a copy of a card adds to a total: 1, or the value of the summed field."""
    value = 1 if limit.sum is None else value_of(card, limit.sum)
    return value if isinstance(value, (int, float)) else 0


def count_copies(lines: Iterable[DeckLine]) -> int:
    """Return the number of copies in lines."""
    return sum(line.entry.copies for line in lines)


def sum_field(field: str, lines: Iterable[DeckLine]) -> float:
    """Return the sum of a field over all copies."""
    values = ((value_of(line.card, field), line.entry.copies) for line in lines)
    return round_number(sum(value * n for value, n in values if isinstance(value, (int, float))))


def count_total(limit: Limit, lines: list[DeckLine]) -> float:
    """Return the total of a limit over lines: copies, a sum, or the number of different values."""
    if limit.distinct is not None:
        values = (value_of(line.card, limit.distinct) for line in lines)
        return len({v for value in values for v in parts_of(value)})
    return count_copies(lines) if limit.sum is None else sum_field(limit.sum, lines)


class LimitCount:
    """What a limit counts in a deck, while copies of cards are added and removed.

    Cards are those that the zone of the limit contains. `add` knows neither exemptions nor
    references to the deck: where a limit has these, another card may change what counts.

    Attributes:
        bounds: the bounds for the deck.
        applies: whether the limit can be evaluated for the deck.
        totals: the totals by the value of `per`, or under None.
        foreign_copies: the copies that `own_faction` forbids.
    """

    def __init__(self, limit: Limit, tally: LimitCounter) -> None:
        self.limit, self.applies = limit, tally.applies(limit)
        self.bounds = tally.resolve_bounds(limit)
        self._matches, self._faction_id = tally.matcher_for(limit.where), tally.deck.faction_id
        self.totals: dict[FieldValue, float] = {} if limit.per else {None: 0}
        self.foreign_copies = 0
        self._copies_of: dict[FieldValue, Counter[Scalar]] = {}
        for line in tally.counted_lines(limit):
            self.add(line.card, line.entry.copies)

    def add(self, card: Card, copies: int = 1) -> None:
        """Count more copies of a card, or fewer if negative."""
        distinct, foreign = self.limit.distinct, self.is_foreign(card)
        for group in self.groups_of(card):
            self.foreign_copies += copies * foreign
            if distinct is None:
                more = copies * amount_of(self.limit, card)
                self.totals[group] = round_number(self.totals.get(group, 0) + more)
            else:
                present = self._copies_of.setdefault(group, Counter())
                present.update(dict.fromkeys(parts_of(value_of(card, distinct)), copies))
                self.totals[group] = sum(number > 0 for number in present.values())

    def groups_of(self, card: Card) -> tuple[FieldValue, ...]:
        """Return the values of `per` that a card counts for: () if it does not count at all."""
        return groups_of(self.limit, card) if self._matches(card) else ()

    def is_foreign(self, card: Card) -> bool:
        """Return whether the limit forbids a card that it counts because of its faction."""
        return self.limit.own_faction and card.faction_id != self._faction_id

    def additions(self, card: Card) -> Iterator[tuple[FieldValue, float]]:
        """Yield the values of `per` that a card counts for, with what a copy adds to the total."""
        for group in self.groups_of(card):
            if self.limit.distinct is None:
                yield group, amount_of(self.limit, card)
            else:
                present = self._copies_of.get(group, Counter())
                values = {*parts_of(value_of(card, self.limit.distinct))}
                yield group, sum(present[each] <= 0 for each in values)

    @property
    def excess(self) -> dict[FieldValue, float]:
        """The amounts by which totals exceed the maximum, by the value of `per`."""
        upper = self.bounds.upper
        return {value: total - upper for value, total in self.totals.items() if total > upper}
