"""Compare decks side by side: cards, sums, curves, odds and limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from deckwright.base.findings import Diagnostic
from deckwright.checks.counting import DeckLine, assign_zones
from deckwright.decks.odds import resolve_opening
from deckwright.decks.odds_tables import Chances, compute_chances
from deckwright.decks.stats import Chart, ChartBar, DeckStats, LimitState, make_charts
from deckwright.game.deck_rules import Measure
from deckwright.game.model import Card, CardKey, Game


class CardColumns(NamedTuple):
    """A card and its number of copies in each deck."""

    card: Card
    copies: tuple[int, ...]


class ZoneColumns(NamedTuple):
    """A zone of the decks; tuples of numbers have one for each deck.

    Attributes:
        id, name: the id and name of the zone; "" for cards that no zone admits.
        lines: the cards that any deck has there, in the order of their lists.
        charts: the charts of each field or term, one a deck, with the same bars for all decks.
    """

    id: str
    name: str
    cards: tuple[int, ...]
    lines: tuple[CardColumns, ...]
    charts: tuple[tuple[Chart, ...], ...]


class MeasureColumns(NamedTuple):
    """The worth or cost of the decks by a measure of the game."""

    measure: Measure
    values: tuple[Decimal, ...]


class TermOdds(NamedTuple):
    """The odds that opening hands hold cards with a term, such as a row, in a field or children."""

    field: str
    term: str
    chances: tuple[Chances, ...]


class CopyChange(NamedTuple):
    """Copies added to a zone of a deck, or removed from it if negative."""

    zone: str
    card: Card
    copies: int


class DeckComparison(NamedTuple):
    """A comparison of decks; tuples of numbers have one for each deck.

    Attributes:
        factions: the name of each deck's main faction.
        measures: the worth and cost of the decks, unless these are sums of a single field.
        odds: the odds that opening hands hold cards with each term; empty if the game does not
            define opening hands.
        limits: the state of each limit in each deck; None where it does not apply.
    """

    decks: tuple[DeckStats, ...]
    factions: tuple[str, ...]
    zones: tuple[ZoneColumns, ...]
    measures: tuple[MeasureColumns, ...]
    odds: tuple[TermOdds, ...]
    limits: tuple[tuple[LimitState | None, ...], ...]
    findings: tuple[Diagnostic, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        """The names of the decks, or of their files if names are not unique."""
        names = tuple(each.deck.name for each in self.decks)
        return names if len({*names}) == len(names) else tuple(d.deck.stem for d in self.decks)

    def changes(self, old: int = 0, new: int = 1) -> tuple[CopyChange, ...]:
        """Return the changes from one deck to another by zone, removals first."""
        changes = [
            CopyChange(zone.id, line.card, line.copies[new] - line.copies[old])
            for zone in self.zones
            for line in zone.lines
        ]
        order = {zone.id: number for number, zone in enumerate(self.zones)}
        changes.sort(key=lambda change: (order[change.zone], change.copies > 0))
        return tuple(change for change in changes if change.copies)


def compare_decks(decks: Sequence[tuple[Game, DeckStats]]) -> DeckComparison:
    """Compare decks of one game, each given with the game as read for it."""
    setup = decks[0][0].setup
    lists = [assign_zones(game, stats.deck) for game, stats in decks]
    zones = []
    for zone_id, name in (*((zone.id, zone.name) for zone in setup.zones), ("", "")):
        columns = [[line for line in deck if _zone_id(line) == zone_id] for deck in lists]
        cards: dict[CardKey, Card] = {}
        copies: dict[CardKey, list[int]] = {}
        for number, column in enumerate(columns):
            for line in column:
                key = line.card.faction_id, line.card.id
                cards.setdefault(key, line.card)
                copies.setdefault(key, [0] * len(columns))[number] += line.entry.copies
        lines = (CardColumns(card, tuple(copies[key])) for key, card in cards.items())
        of_each = [{chart.id: chart for chart in make_charts(setup, each)} for each in columns]
        charts = (
            tuple(_align_chart(chart, each.get(chart.id)) for each in of_each)
            for chart in make_charts(setup, [line for each in columns for line in each])
            if chart.is_informative
        )
        if cards:
            totals = tuple(sum(line.entry.copies for line in each) for each in columns)
            zones.append(ZoneColumns(zone_id, name, totals, tuple(lines), tuple(charts)))
    # The sum of a single field is shown with its curve.
    measures = (
        MeasureColumns(measure, tuple(sum_measure(measure, each) for each in lists))
        for measure in dict.fromkeys((setup.worth, setup.cost))
        if measure is not None and not (len(measure.parts) == 1 and measure.parts[0].factor == 1)
    )
    odds = []
    opening = setup.opening and resolve_opening(setup)
    for zone in (each for each in zones if opening and each.id == opening.zone):
        for of_decks in zone.charts:
            for bars in zip(*(chart.bars for chart in of_decks), strict=True):
                if opening and not of_decks[0].numeric:
                    numbers = zip((bar.copies for bar in bars), zone.cards, strict=True)
                    shares = tuple(compute_chances(n, total - n, opening) for n, total in numbers)
                    odds.append(TermOdds(of_decks[0].id, bars[0].name, shares))
    states = [{state.id: state for state in stats.limits} for _, stats in decks]
    limit_ids = dict.fromkeys(limit_id for each in states for limit_id in each)
    return DeckComparison(
        tuple(stats for _, stats in decks),
        tuple(game.factions[stats.deck.faction_id].name for game, stats in decks),
        tuple(zones),
        tuple(measures),
        tuple(odds),
        tuple(tuple(each.get(limit_id) for each in states) for limit_id in limit_ids),
    )


def _zone_id(line: DeckLine) -> str:
    return line.zone.id if line.zone else ""


def _align_chart(axis: Chart, chart: Chart | None) -> Chart:
    """Return a chart with the bars of another chart, a superset of its own."""
    counts: Mapping[str, int] = dict(chart.bars) if chart else {}
    bars = tuple(ChartBar(bar.name, counts.get(bar.name, 0)) for bar in axis.bars)
    return axis._replace(bars=bars, total=chart.total if chart else 0, lines=())


def sum_measure(measure: Measure, lines: Iterable[DeckLine]) -> Decimal:
    """Return the sum of a measure over the copies of cards."""
    worth = (
        measure.evaluate(line.card.fields, _zone_id(line)) * line.entry.copies for line in lines
    )
    return sum(worth, Decimal(0))
