"""Cards that dominate others: no worse in anything, better in something, no more expensive."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.units import round_number
from deckwright.checks import counting
from deckwright.checks.fielding import DeckFeasibility, faction_format
from deckwright.checks.limits import select_limits
from deckwright.checks.loading import LimitOptions
from deckwright.game.deck_rules import (
    CARDS,
    DECK,
    RESTRICTION,
    Format,
    Limit,
    Measure,
    Where,
    references_in,
)
from deckwright.game.kinds import CROP_TYPES, Field, FieldValue, Kind
from deckwright.game.model import Card, Deck, Faction, Game

_APPEARANCE_TYPES = {"image", "color", *CROP_TYPES}
"""Types of fields for the appearance of a card."""


class Advantage(NamedTuple):
    """An advantage of a card over another one.

    Attributes:
        field: the name of a field, or the plural of children.
        by: the difference of a number, negative for costs; None for children and lists.
        more: the values that only the better card has, for children and lists.
    """

    field: str
    by: float | None = None
    more: tuple[str, ...] = ()


class CardComparer:
    """Compares the cards of a game.

    Attributes:
        better: for each compared number, 1 if more is better, -1 if less is better, 0 if unknown.
    """

    def __init__(
        self,
        cards: Sequence[Card],
        deck_rules: counting.DeckRules,
        worth: Measure | None,
        cost: Measure | None,
    ) -> None:
        """Analyze all cards of the game.

        A field whose sum the limits bound from above is a cost. Fields that they refer to may
        differ, as limits determine the value of their contents.
        """
        limit_fields: set[str | None] = set()
        for limit in deck_rules.limits:
            limit_fields |= {limit.per, limit.distinct, *_condition_fields(limit.conditions)}
        kinds: dict[str, Kind] = {card.kind.tag: card.kind for card in cards}
        signs: dict[str, set[int]] = {}
        for measure, sign in ((worth, 1), (cost, -1)):
            for part in measure.parts if measure else ():
                signs.setdefault(part.field, set()).add(sign if part.factor > 0 else -sign)
        for limit in deck_rules.limits:
            if limit.sum is not None and limit.sum not in signs:
                signs[limit.sum] = {-1 if limit.min is None else 1}
        numbers = dict.fromkeys(f.name for k in kinds.values() for f in _fields(k) if f.numeric)
        self.better = {
            name: sum(signs.get(name, {1}))
            for name in numbers
            if name in signs or name not in limit_fields
        }
        # Texts that are unique to a card do not matter, nor what limits determine the value of.
        self._shared: dict[str, set[str]] = {tag: set() for tag in kinds}
        for tag, kind in kinds.items():
            of_kind = [card for card in cards if card.kind.tag == tag]
            for field in _fields(kind):
                values = Counter(
                    value for card in of_kind if (value := card.fields.get(field.name))
                )
                unique = field.type == "text" and max(values.values(), default=0) <= 1
                if not unique and field.name not in limit_fields:
                    self._shared[tag].add(field.name)

    def find_advantages(self, one: Card, other: Card) -> tuple[Advantage, ...] | None:
        """Return the advantages of `one` over `other`, None if it is worse in anything.

        Cards of different kinds are not comparable. Rules count as children.
        """
        if one.kind.tag != other.kind.tag:
            return None
        gains: list[Advantage] = []
        for field in _fields(one.kind):
            mine, theirs = one.fields.get(field.name), other.fields.get(field.name)
            if mine == theirs:
                continue
            if field.name not in (self.better if field.numeric else self._shared[one.kind.tag]):
                continue
            gain = _compare_values(field.name, mine, theirs, self.better.get(field.name, 0))
            if gain is None:
                return None
            gains += [gain] if gain.by or gain.more else []
        for spec in one.kind.children:
            have, need = (
                Counter(tuple(child.values.values()) for child in card.children.get(spec.tag, ()))
                for card in (one, other)
            )
            if need - have:
                return None
            if more := tuple(str(values[0]) for values in (have - need).elements()):
                gains.append(Advantage(spec.plural, None, more))
        return tuple(gains)


def _compare_values(
    name: str, value: FieldValue, theirs: FieldValue, better: int
) -> Advantage | None:
    """Return the advantage of a value over another one, None if it is worse or not comparable."""
    if isinstance(value, tuple) and isinstance(theirs, tuple):
        have, need = Counter(value), Counter(theirs)
        lacks = need - have
        return None if lacks else Advantage(name, None, tuple(map(str, (have - need).elements())))
    if isinstance(value, (int, float)) and isinstance(theirs, (int, float)):
        by = round_number(value - theirs)
        return Advantage(name, by) if by * better > 0 else None
    return None


def _fields(kind: Kind) -> list[Field]:
    """Return the fields of a kind that matter in play."""
    return [f for f in kind.fields if not (f.ignored or f.picture or f.type in _APPEARANCE_TYPES)]


class LimitComparer:
    """Compares how the limits of a zone treat the cards that can be there."""

    def __init__(
        self,
        deck_rules: counting.DeckRules,
        zone: str,
        pool: Sequence[Card],
        values_in: Callable[[Card, str], counting.FieldValues],
    ) -> None:
        """Set the limits and cards of a zone; `values_in` gives values as limits see them."""
        self._zones = {zone, DECK}
        self._limits = [
            limit for limit in deck_rules.limits if limit.zone in self._zones and not limit.warning
        ]
        self._values_in = values_in
        self._sharing = {
            limit.per: Counter(group for card in pool for group in counting.groups_of(limit, card))
            for limit in self._limits
        }

    def no_worse(self, one: Card, other: Card) -> bool:
        """Return whether all limits treat `one` no worse than `other`."""
        return all(self._no_worse(limit, one, other) for limit in self._limits)

    def _no_worse(self, limit: Limit, one: Card, other: Card) -> bool:
        if limit.own_faction and one.faction_id != other.faction_id:
            return False
        fields = self._deck_dependent_fields(limit)
        if any(self._values_in(one, field) != self._values_in(other, field) for field in fields):
            return False
        (mine, groups), (theirs, their_groups) = (_contribution(limit, c) for c in (one, other))
        if limit.exemptions or limit.distinct is not None:
            return (mine, groups) == (theirs, their_groups)
        most = limit.max is not None or limit.exactly is not None
        least = limit.min is not None or limit.exactly is not None
        if groups in {their_groups, ()} and not (their_groups and least):
            return not (most and mine > theirs) and not (least and mine < theirs)
        if groups == their_groups:
            return mine == theirs
        if least:
            return False
        # The limit may count only copies of `one`, and allow as many as others allow of `other`.
        alone = all(self._sharing[limit.per][group] == 1 for group in groups)
        allowed = [n for each in self._limits if (n := _max_copies(each, other)) is not None]
        own = _max_copies(limit, one)
        return alone and own is not None and bool(allowed) and own >= min(allowed)

    def _deck_dependent_fields(self, limit: Limit) -> Iterator[str]:
        """Yield the fields in which cards must be equal because the limit depends on the deck."""
        for reference in limit.references():
            if reference.zone in self._zones and reference.field != CARDS:
                yield reference.field
        if _depends_on_deck(limit.where):
            yield from _condition_fields(limit.where)
        if limit.distinct is not None:
            yield limit.distinct
        for each in limit.exemptions:
            yield from ("name", *_condition_fields((*each.where, *each.other_cards)))
            yield from filter(None, [each.same])


def _contribution(limit: Limit, card: Card) -> tuple[float, tuple[FieldValue, ...]]:
    """Return what a copy of a card adds to a limit, and to which values of `per`.

    Conditions that depend on the deck are assumed to hold. The amount is 0 if the limit does not
    count the card; without `per` there are no values.
    """
    if not _depends_on_deck(limit.where) and not counting.card_matches(limit.where, card):
        return 0, ()
    number = counting.amount_of(limit, card)
    return number, counting.groups_of(limit, card) if limit.per and number else ()


def _max_copies(limit: Limit, card: Card) -> int | None:
    """Return the maximum copies of a card that a limit allows, None if it sets none."""
    number, _ = _contribution(limit, card)
    plain = limit.is_fixed and limit.distinct is None and not limit.exemptions
    most = counting.Bounds.of(limit).upper
    return int(most // number) if plain and most < math.inf and number > 0 else None


def _depends_on_deck(where: Where) -> bool:
    return next(references_in(where), None) is not None or RESTRICTION in _condition_fields(where)


def _condition_fields(where: Where) -> set[str]:
    return {each.field for group in where for each in group}


class FactionPool(NamedTuple):
    """The cards that a faction's decks can contain, and their format if the game has formats."""

    faction: Faction
    form: Format | None
    deck_rules: counting.DeckRules
    cards: tuple[Card, ...]


def faction_pools(game: Game, rules: LimitOptions) -> Iterator[FactionPool]:
    """Yield the card pools of all factions that have decks."""
    setup, fields = game.setup, DeckFeasibility(game)
    zones = {
        id(card): {zone.id for zone in counting.zones_of(game, card)}
        for card in game.cards.values()
        if card.faction_id in game.factions
    }
    for faction in game.factions.values():
        form = setup.formats[rules.format] if rules.format else faction_format(setup, faction)
        if not fields.has_decks(faction, form):
            continue
        limits = () if rules.ignore else select_limits(setup, faction.id, form, rules.changes)
        restrictions = game.restrictions_for(form.id if form else None, rules.date)
        deck_rules = counting.DeckRules(limits, restrictions)
        shut = counting.own_faction_zones(deck_rules)
        cards = (
            card
            for card in game.cards.values()
            if zones.get(id(card), set()) - (frozenset() if card.faction_id == faction.id else shut)
        )
        yield FactionPool(faction, form, deck_rules, tuple(cards))


class Dominance(NamedTuple):
    """A card that dominates another.

    Attributes:
        rules: the rules that only it has. Numbers cannot tell whether they are good for it.
    """

    better: Card
    worse: Card
    advantages: tuple[Advantage, ...]
    rules: tuple[str, ...]


def find_dominances(game: Game, pool: FactionPool, comparing: CardComparer) -> Iterator[Dominance]:
    """Yield the dominances between cards of a pool, in the order of the worse cards."""
    cards = pool.cards
    zones = {id(card): tuple(zone.id for zone in counting.zones_of(game, card)) for card in cards}
    empty = Deck("", "", pool.faction.id, None, (), pool.faction.source)
    values_in = counting.LimitCounter(game, empty, pool.deck_rules).card_values
    treatments: Mapping[str, LimitComparer] = {
        zone.id: LimitComparer(
            pool.deck_rules, zone.id, [c for c in cards if zone.id in zones[id(c)]], values_in
        )
        for zone in game.setup.zones
    }
    for worse in cards:
        for better in cards:
            if better is worse or zones[id(better)] != zones[id(worse)]:
                continue
            gains = comparing.find_advantages(better, worse)
            if gains and all(treatments[z].no_worse(better, worse) for z in zones[id(worse)]):
                rules = {spec.plural for spec in better.kind.children if spec.holds_rules}
                more = tuple(rule for gain in gains if gain.field in rules for rule in gain.more)
                yield Dominance(better, worse, gains, more)
