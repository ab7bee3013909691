"""Validation of drafts: limits, charts and problems, and the limits that block a card."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.base.findings import find_nearest
from deckwright.base.units import round_number
from deckwright.checks.counting import (
    Bounds,
    DeckRules,
    LimitCount,
    LimitCounter,
    count_copies,
    zone_of,
    zones_of,
)
from deckwright.checks.limits import resolve_deck_rules
from deckwright.decks.comparison import sum_measure
from deckwright.decks.solver.building import source_factions
from deckwright.decks.stats import make_charts
from deckwright.game.deck_rules import CARDS, DECK, Reference, Zone
from deckwright.game.decklist import count_tokens, format_of
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Card, CardKey, Deck, DeckEntry, Game
from deckwright.game.words import describe_bounds
from deckwright.studio.answers import Json, pick
from deckwright.studio.drafts import format_card_key, key_of

_OWN_FACTION = Reference(DECK, "faction_id")


class AdditionChecker:
    """Finds the limits that block adding a card to a deck, as it would break or worsen them.

    Attributes:
        counts: the counts of all limits; those that only warn block nothing.
    """

    def __init__(self, game: Game, deck: Deck, tally: LimitCounter) -> None:
        self._game, self._deck, self._rules = game, deck, tally.deck_rules
        self._counts_whole_deck = DECK not in {zone.id for zone in game.setup.zones}
        self._tally = tally
        self.counts = [LimitCount(each, tally) for each in self._rules.limits]

    def blocking_limits(self, card: Card, zone: Zone) -> list[str]:
        """Return the ids of the limits that block one more copy of a card in a zone."""
        recounted: dict[str, LimitCount] = {}
        blocking = []
        for each in self.counts:
            limit = each.limit
            if limit.warning:
                continue
            others = (
                r for r in limit.references() if r != _OWN_FACTION or not self._counts_whole_deck
            )
            # A copy may change which cards count, not only how many.
            if any(self._covers(other.zone, zone) and other.field != CARDS for other in others) or (
                limit.exemptions and self._covers(limit.zone, zone)
            ):
                if not recounted:
                    entry = DeckEntry(card.faction_id, card.id, 1, self._deck.source, zone.id)
                    deck = self._deck._replace(entries=(*self._deck.entries, entry))
                    tally = LimitCounter(self._game, deck, self._rules)
                    recounted = {
                        count.limit.id: LimitCount(count.limit, tally)
                        for count in self.counts
                        if not count.limit.warning
                    }
                after = recounted[limit.id]
                before, foreign = (each.excess, each.foreign_copies) if each.applies else ({}, 0)
                blocks = after.applies and (
                    after.foreign_copies > foreign or _grows(before, after.excess)
                )
            else:
                blocks = each.applies and self._breaks(each, card, zone)
            if blocks:
                blocking.append(limit.id)
        return blocking

    def free_copies(self, card: Card, zone: Zone) -> int | None:
        """Return how many more copies are allowed; None if unlimited, or if it varies."""
        rooms = []
        for each in self.counts:
            if each.limit.warning or each.bounds.upper == math.inf or [*each.limit.references()]:
                continue
            if each.limit.exemptions or not each.applies or not self._counts(each, card, zone):
                continue
            for group, more in each.additions(card):
                left = max(0, each.bounds.upper - each.totals.get(group, 0))
                if more > 0 and each.limit.distinct is None:
                    rooms.append(int(round_number(left / more)))
                elif more > left:
                    rooms.append(0)
        return min(rooms, default=None)

    def _counts(self, each: LimitCount, card: Card, zone: Zone) -> bool:
        """Return whether a limit counts a card in a zone."""
        return self._covers(each.limit.zone, zone) and bool(each.groups_of(card))

    def _covers(self, where: str, zone: Zone) -> bool:
        """Return whether the zone of a limit or reference includes another zone."""
        return where == zone.id or (self._counts_whole_deck and where == DECK)

    def _breaks(self, each: LimitCount, card: Card, zone: Zone) -> bool:
        """Return whether one more copy of a card breaks or worsens a limit."""
        totals: dict[FieldValue, float] = {}
        limit, upper = each.limit, each.bounds.upper
        if self._counts(each, card, zone):
            for group, more in each.additions(card):
                totals[group] = round_number(each.totals.get(group, 0) + more)
            if totals and limit.own_faction and card.faction_id != self._deck.faction_id:
                return True
        if [*limit.references()]:  # the bounds may depend on the number of cards

            def number(reference: Reference) -> int:
                more = reference.field == CARDS and self._covers(reference.zone, zone)
                return self._tally.resolve_number(reference) + more

            upper = Bounds.of(limit, lambda formula: formula.evaluate(number)).upper
            if upper != each.bounds.upper:
                totals = {**each.totals, **totals}
        return _grows(each.excess, {value: n - upper for value, n in totals.items() if n > upper})


def _grows(before: dict[FieldValue, float], after: dict[FieldValue, float]) -> bool:
    return any(more > before.get(value, 0) for value, more in after.items())


class LimitGroup(NamedTuple):
    """A limit's total for one value of `per`, or overall.

    Attributes:
        by: 0 if the limit is met; positive for a deficit, negative for an excess.
    """

    value: FieldValue
    number: float
    by: float
    cards: list[str]


class ZoneOption(NamedTuple):
    """A zone that admits a card of a draft.

    Attributes:
        why: the ids of the limits that block one more copy.
        room: how many more copies are allowed; None if unlimited.
    """

    zone: str
    why: list[str]
    room: int | None


class PoolCard(NamedTuple):
    """A card that a draft may have, with the zones that admit it, default zone first."""

    card: str
    zones: list[ZoneOption]


class DraftProblem(NamedTuple):
    """A problem of a draft other than its limits.

    Attributes:
        kind: "empty" for a draft without cards; for a card: its "faction" is unknown, its file
            has an error ("faulty"), it does not exist ("unknown"), its "zone" does not admit it,
            or no zone does ("no-zone").
        card: the card concerned, None for the whole draft.
        name: the name of the card, faction or zone.
        near: the nearest known name, None if none is similar.
    """

    kind: str
    card: str | None
    name: str
    near: str | None


def resolve_rules(game: Game, deck: Deck) -> DeckRules:
    """Return the rules for a draft: the limits of its format."""
    return resolve_deck_rules(game, deck, None, {})


def validate_draft(game: Game, deck: Deck) -> Json:
    """Return all that the page shows while building: limits, zones, problems and the card pool."""
    tally = LimitCounter(game, deck, resolve_rules(game, deck))
    form, restrictions = format_of(game, deck), tally.deck_rules.restrictions
    adding = AdditionChecker(game, deck, tally)
    zones: list[Json] = []
    for zone in game.setup.zones:
        lines = [line for line in tally.lines if line.zone is zone]
        charts = [
            {
                **pick(chart, "id", "name", "numeric", "unit", "total", "average"),
                "bars": [pick(bar, "name", "copies") for bar in chart.bars],
            }
            for chart in make_charts(game.setup, lines)
            if chart.is_informative
        ]
        zones.append({**pick(zone, "id", "name"), "cards": count_copies(lines), "charts": charts})
    # The cards available to this faction's decks, and those already in the draft.
    present = {(entry.faction_id, entry.card_id) for entry in deck.entries}
    sources = source_factions(game, deck.faction_id, tally.deck_rules)
    pool: list[PoolCard] = []
    for key, card in game.cards.items():
        if card.faction_id in game.factions and (card.faction_id in sources or key in present):
            options = _zone_options(game, card, adding)
            if options or key in present:
                pool.append(PoolCard(format_card_key(key), options))
    pool += [PoolCard(format_card_key(key), []) for key in sorted(present - game.cards.keys())]
    return {
        "cards": sum(entry.copies for entry in deck.entries),
        "format": form.id if form else None,
        "restrictions": restrictions.name if restrictions else None,
        "zones": zones,
        "limits": [_serialize_limit(game, each, tally) for each in adding.counts],
        "pool": pool,
        "findings": [*find_problems(game, deck)],
        "measures": [
            {"name": str(each), "value": round_number(float(sum_measure(each, tally.lines)))}
            for each in dict.fromkeys((game.setup.worth, game.setup.cost))
            if each is not None
        ],
        "tokens": [
            {"card": format_card_key((deck.faction_id, count.token.id)), "copies": count.copies}
            for count in count_tokens(game, deck)
        ],
    }


def list_zone_options(game: Game, deck: Deck, key: CardKey) -> list[ZoneOption]:
    """Return the zones that admit a card, each with the limits that block one more copy."""
    adding = AdditionChecker(game, deck, LimitCounter(game, deck, resolve_rules(game, deck)))
    return _zone_options(game, game.cards[key], adding)


def find_problems(game: Game, deck: Deck) -> Iterator[DraftProblem]:
    """Yield the problems of a draft other than its limits."""
    if not deck.entries:
        yield DraftProblem("empty", None, "", None)
    for entry in deck.entries:
        card, key = game.card_of(entry), (entry.faction_id, entry.card_id)
        kind, name, known = "", entry.card_id, list[str]()
        if entry.faction_id not in game.factions:
            kind, name, known = "faction", entry.faction_id, [*game.factions]
        elif card is None and game.may_have(*key):
            kind = "faulty"
        elif card is None:
            kind = "unknown"
            known = [card_id for faction, card_id in game.cards if faction == entry.faction_id]
        elif zone_of(game, card, entry.zone) is None:
            kind = "zone" if entry.zone else "no-zone"
            name = game.setup.zone_name(entry.zone) if entry.zone else card.name
        if kind:
            near = next(iter(find_nearest(name, known)), None)
            yield DraftProblem(kind, format_card_key(key), name, near)


def _serialize_limit(game: Game, counted: LimitCount, tally: LimitCounter) -> Json:
    limit = counted.limit
    bounds = counted.bounds if counted.applies else Bounds(None, None, None)
    groups = []
    for value, lines in tally.group_lines(limit).items():
        total = counted.totals.get(value, 0)
        by = max(bounds.lower - total, 0) or min(bounds.upper - total, 0)
        keys = (key_of(line.card) for line in lines)
        groups.append(LimitGroup(value, total, round_number(by), [*dict.fromkeys(keys)]))
    groups.sort(key=lambda each: (not each.by, -each.number))
    worst = max(groups, key=lambda each: abs(each.by), default=None)
    most = max(groups, key=lambda each: each.number, default=None)
    decisive = worst if worst is not None and worst.by else most
    number, by = (decisive.number, decisive.by) if decisive else (0, 0)
    if limit.own_faction:
        number = counted.foreign_copies if limit.bound is None else number
        by = by or (-counted.foreign_copies if counted.applies else 0)
    return {
        **pick(limit, "id", "name", "zone", "distinct", "per", "warning"),
        **pick(bounds, "min", "max", "exactly"),
        "zoneName": game.setup.zone_name(limit.zone),
        "number": number,
        "bound": describe_bounds(game.setup.words, tally.resolve_limit(limit), game.setup),
        "sums": limit.sum,
        "own": limit.own_faction,
        "judged": counted.applies,
        "keeps": not by,
        "by": by,
        "cards": [*dict.fromkeys(card for each in groups for card in each.cards)],
        "groups": groups if limit.per else [],
    }


def _zone_options(game: Game, card: Card, adding: AdditionChecker) -> list[ZoneOption]:
    return [
        ZoneOption(zone.id, adding.blocking_limits(card, zone), adding.free_copies(card, zone))
        for zone in (zones_of(game, card) if card.faction_id in game.factions else ())
    ]
