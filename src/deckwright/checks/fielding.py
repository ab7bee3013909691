"""Check that every faction can build a legal deck.

Sums are compared with a lower bound. Limits on copies cap sets of cards; if any two such sets are
nested or disjoint, a greedy choice of the cheapest copies gives the least possible sum. Sets that
overlap otherwise are ignored, and so are limits that depend on the deck or on a restriction list.
That only lowers the bound, so there are no false alarms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from deckwright.base.findings import Code, Diagnostic, Severity, format_names
from deckwright.base.units import pluralize, round_number
from deckwright.checks import design_check
from deckwright.checks.counting import make_matcher, value_of, zones_of
from deckwright.checks.limits import select_limits
from deckwright.game.deck_rules import Format, Limit
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Card, Faction, Game
from deckwright.game.setup import Setup

D011 = Code("D011", Severity.WARNING, "a faction that cannot build a legal deck")

_UNLIMITED = 10_000
"""More copies than any limit can require."""
_MAX_WORK = 500_000
"""Bounds the work: cards times limits and conditions, in all."""


@design_check
def check_factions(game: Game) -> Iterator[Diagnostic]:
    """Every faction with decks can build one within the limits of its format."""
    if game.omissions.cards or game.omissions.factions:
        # Omitted cards might be the missing ones.
        return
    feasibility, setup = DeckFeasibility(game), game.setup
    for faction in game.factions.values():
        form = faction_format(setup, faction)
        reason = feasibility.find_obstacle(faction, form)
        if reason is not None:
            formats = setup.formats.values()
            others = [f.id for f in formats if feasibility.find_obstacle(faction, f) is None]
            yield infeasible_finding(faction, form, reason, others)


def faction_format(setup: Setup, faction: Faction) -> Format | None:
    """Return the default format of a faction's decks, None in a game without formats."""
    return setup.formats.get(faction.format or setup.default_format or "")


def infeasible_finding(
    faction: Faction, form: Format | None, reason: str, other_formats: Collection[str]
) -> Diagnostic:
    """Return the finding that a faction can build no legal deck, but may in other formats."""
    hint = "change cards or limits"
    if other_formats:
        names = format_names(other_formats)
        hint += f', or give the faction another format with `format="…"`: {names}'
    what = f"in the format `{form.id}`" if form else "within the limits"
    message = f"faction `{faction.id}` can build no legal deck {what}: {reason}"
    return D011.at(faction.source.at(), message, hint)


class DeckFeasibility:
    """Finds out whether factions can build legal decks."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._in_zone: dict[str, list[Card]] = {zone.id: [] for zone in game.setup.zones}
        self._of_faction: dict[tuple[str, str], list[Card]] = {}
        self._with_cards = {faction_id for faction_id, _ in game.cards}
        self._obstacles: dict[object, str | None] = {}
        self._work = 0
        for card in game.cards.values():
            for zone in zones_of(game, card) if card.faction_id in game.factions else ():
                self._in_zone[zone.id].append(card)
                self._of_faction.setdefault((zone.id, card.faction_id), []).append(card)

    def has_decks(self, faction: Faction, form: Format | None) -> bool:
        """Return whether a faction is meant to have decks.

        Neutral factions only lend cards to the decks of others; new ones have no cards yet.
        """
        limits = self._usable_limits(faction, form)
        needed = {limit.zone for limit in limits if _lower_bound(limit) > 0}
        own = needed & _own_faction_zones(limits)
        lends = any((zone, faction.id) not in self._of_faction for zone in own)
        return faction.id in self._with_cards and not lends

    def _usable_limits(self, faction: Faction, form: Format | None) -> list[Limit]:
        """Return the limits that count the same cards in every deck."""
        return [
            limit
            for limit in select_limits(self._game.setup, faction.id, form, {})
            if not (limit.warning or limit.distinct or limit.exemptions) and limit.is_fixed
        ]

    def find_obstacle(self, faction: Faction, form: Format | None) -> str | None:
        """Return why a faction cannot build a deck in a format, None if no reason is known."""
        limits = self._usable_limits(faction, form)
        if not self.has_decks(faction, form):
            return None
        own = _own_faction_zones(limits)
        for zone in self._game.setup.zones:
            counting = tuple(limit for limit in limits if limit.zone == zone.id)
            key = (zone.id, faction.id if zone.id in own else None, counting)
            if key not in self._obstacles:
                pool = self._in_zone[zone.id]
                if zone.id in own:
                    pool = self._of_faction.get((zone.id, faction.id), [])
                work = len(pool) * sum(1 + sum(map(len, limit.where)) for limit in counting)
                self._obstacles[key] = None
                if self._work + work <= _MAX_WORK:
                    self._work += work
                    self._obstacles[key] = _find_obstacle(zone.id, pool, counting)
            if self._obstacles[key] is not None:
                return self._obstacles[key]
        return None


def _find_obstacle(zone: str, pool: Sequence[Card], limits: Sequence[Limit]) -> str | None:
    """Return why a zone cannot be filled from a pool of cards, None if no reason is known."""
    caps = _build_caps(pool, limits)
    size = 0
    for limit in limits:
        if limit.sum is None and limit.per is None:
            numbers = _counted_cards(pool, limit)
            most, _ = _take_cheapest(dict.fromkeys(numbers, 0), caps, _UNLIMITED)
            if most < _lower_bound(limit):
                copies = pluralize(_lower_bound(limit), "copy", "copies")
                needs = f"limit `{limit.id}` needs {copies} in `{zone}`"
                return f"{needs}, but at most {most} are possible"
            if len(numbers) == len(pool):
                size = max(size, _lower_bound(limit))
    for limit in limits:
        bound = _upper_bound(limit)
        if limit.sum is None or limit.per is not None or bound is None:
            continue
        costs: dict[int, float] = dict.fromkeys(range(len(pool)), 0)
        for number in _counted_cards(pool, limit):
            value = value_of(pool[number], limit.sum)
            costs[number] = value if isinstance(value, (int, float)) else 0
        _, total = _take_cheapest(costs, caps, size)
        if total > bound:
            which, have = "the cheapest copy", "has"
            if size != 1:
                which, have = f"the {size} cheapest copies", "have"
            return f"{which} for `{zone}` {have} {total} `{limit.sum}`, at most {bound} are allowed"
    return None


def _own_faction_zones(limits: Iterable[Limit]) -> set[str]:
    """Return the zones in which cards must be of the deck's faction."""
    return {limit.zone for limit in limits if limit.own_faction}


def _lower_bound(limit: Limit) -> int:
    number = limit.exactly if limit.exactly is not None else limit.min
    return number if isinstance(number, int) else 0


def _upper_bound(limit: Limit) -> int | None:
    number = limit.exactly if limit.exactly is not None else limit.max
    return number if isinstance(number, int) else None


def _counted_cards(pool: Sequence[Card], limit: Limit) -> list[int]:
    """Return the indices of the cards that a limit counts."""
    matches = make_matcher(limit.where)
    return [number for number, card in enumerate(pool) if matches(card)]


def _build_caps(pool: Sequence[Card], limits: Sequence[Limit]) -> dict[int, list[list[int]]]:
    """Return the caps on the copies of each card, as mutable lists of one number.

    Cards under the same cap share its list. Caps that partly overlap a smaller one are ignored.
    """
    bounds: dict[frozenset[int], int] = {}
    for limit in limits:
        bound = _upper_bound(limit)
        if limit.sum is None and bound is not None:
            groups: dict[FieldValue, list[int]] = {}
            for number in _counted_cards(pool, limit):
                value = value_of(pool[number], limit.per) if limit.per else None
                groups.setdefault(value, []).append(number)
            for group in map(frozenset, groups.values()):
                bounds[group] = min(bound, bounds.get(group, bound))
    largest: dict[int, frozenset[int]] = {}
    caps: dict[int, list[list[int]]] = {number: [] for number in range(len(pool))}
    for cards in sorted(bounds, key=len):
        inner = {id(largest[n]): largest[n] for n in cards if n in largest}
        if all(smaller <= cards for smaller in inner.values()):
            left = [bounds[cards]]
            for number in cards:
                largest[number] = cards
                caps[number].append(left)
    return caps


def _take_cheapest(
    costs: Mapping[int, float], caps: Mapping[int, list[list[int]]], copies: int
) -> tuple[int, float]:
    """Return the number of copies that can be taken, up to `copies`, and their least cost."""
    left = {id(cap): list(cap) for of_card in caps.values() for cap in of_card}
    taken, total = 0, 0.0
    for number in sorted(costs, key=lambda number: costs[number]):
        own = [left[id(cap)] for cap in caps[number]]
        now = min([copies - taken, *(cap[0] for cap in own)])
        for cap in own:
            cap[0] -= now
        taken += now
        total += now * costs[number]
    return taken, round_number(total)
