"""Compare decks side by side: cards, sums, curves, odds and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from deckwright.base.findings import Diagnostic
from deckwright.base.units import format_fixed, format_number, format_percent
from deckwright.checks.counting import DeckLine, assign_zones
from deckwright.decks.answers import (
    CARD_COLUMNS,
    LABEL,
    NOTE,
    Answer,
    CardCell,
    Column,
    Kind,
    Note,
    Row,
    Section,
    Table,
    TextCell,
    hide,
    make_data_table,
    make_record,
    make_unique,
)
from deckwright.decks.odds import resolve_opening
from deckwright.decks.odds_tables import Chances, compute_chances
from deckwright.decks.stats import Chart, ChartBar, DeckStats, LimitState, make_charts
from deckwright.game.deck_rules import Formula, Measure
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.setup import Setup
from deckwright.game.words import WORDS, describe_bounds, label


class CardColumns(NamedTuple):
    """A card and its number of copies in each deck."""

    card: Card
    copies: tuple[int, ...]


class ZoneColumns(NamedTuple):
    """A zone of the decks; tuples of numbers have one for each deck.

    Attributes:
        id, name: the id and name of the zone; "" for cards that no zone admits.
        cards: the number of copies in it.
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
    """The odds that opening hands hold cards with a term, such as a row.

    Attributes:
        field: the name of the field, or of the children, such as "rows".
        term: the name of the term.
    """

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
        decks: the statistics of each deck.
        factions: the name of each deck's main faction.
        zones: the contents of each zone.
        measures: the worth and cost of the decks, unless these are sums of a single field.
        odds: the odds that opening hands hold cards with each term; empty if the game does not
            define opening hands.
        limits: the state of each limit in each deck; None where it does not apply.
        findings: the warnings.
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
    lines = [assign_zones(game, stats.deck) for game, stats in decks]
    zones = tuple(_zones(setup, lines))
    return DeckComparison(
        tuple(stats for _, stats in decks),
        tuple(game.factions[stats.deck.faction_id].name for game, stats in decks),
        zones,
        tuple(
            MeasureColumns(measure, tuple(sum_measure(measure, each) for each in lines))
            for measure in dict.fromkeys((setup.worth, setup.cost))
            if measure is not None and not _is_field(measure)
        ),
        tuple(_odds(setup, zones)),
        tuple(_limits([stats.limits for _, stats in decks])),
    )


def _zones(setup: Setup, decks: Sequence[Sequence[DeckLine]]) -> Iterator[ZoneColumns]:
    for zone_id, name in (*((zone.id, zone.name) for zone in setup.zones), ("", "")):
        columns = [[line for line in deck if _zone_id(line) == zone_id] for deck in decks]
        if any(columns):
            cards = tuple(sum(line.entry.copies for line in column) for column in columns)
            charts = tuple(_charts(setup, columns))
            yield ZoneColumns(zone_id, name, cards, tuple(_lines(columns)), charts)


def _zone_id(line: DeckLine) -> str:
    return line.zone.id if line.zone else ""


def _lines(decks: Sequence[Iterable[DeckLine]]) -> Iterator[CardColumns]:
    cards: dict[CardKey, Card] = {}
    copies: dict[CardKey, list[int]] = {}
    for number, deck in enumerate(decks):
        for line in deck:
            key = line.card.faction_id, line.card.id
            cards.setdefault(key, line.card)
            copies.setdefault(key, [0] * len(decks))[number] += line.entry.copies
    return (CardColumns(card, tuple(copies[key])) for key, card in cards.items())


def _charts(setup: Setup, decks: Sequence[Sequence[DeckLine]]) -> Iterator[tuple[Chart, ...]]:
    of_all = make_charts(setup, [line for deck in decks for line in deck])
    of_each = [{chart.id: chart for chart in make_charts(setup, deck)} for deck in decks]
    for chart in of_all:
        if chart.is_informative:
            yield tuple(_align_chart(chart, charts.get(chart.id)) for charts in of_each)


def _align_chart(axis: Chart, chart: Chart | None) -> Chart:
    """Return a chart with the bars of another chart, a superset of its own."""
    counts: Mapping[str, int] = dict(chart.bars) if chart else {}
    bars = tuple(ChartBar(bar.name, counts.get(bar.name, 0)) for bar in axis.bars)
    return axis._replace(bars=bars, total=chart.total if chart else 0)


def sum_measure(measure: Measure, lines: Iterable[DeckLine]) -> Decimal:
    """Return the sum of a measure over the copies of cards."""
    worth = (
        measure.evaluate(line.card.fields, _zone_id(line)) * line.entry.copies for line in lines
    )
    return sum(worth, Decimal(0))


def _is_field(measure: Measure) -> bool:
    """Return whether a measure is a single field, whose sum is shown with its curve."""
    return len(measure.parts) == 1 and measure.parts[0].factor == 1


def _odds(setup: Setup, zones: Iterable[ZoneColumns]) -> Iterator[TermOdds]:
    if setup.opening is None:
        return
    opening = resolve_opening(setup)
    for zone in zones:
        for charts in zone.charts if zone.id == opening.zone else ():
            for bars in zip(*(chart.bars for chart in charts), strict=True):
                if not charts[0].numeric:
                    numbers = zip((bar.copies for bar in bars), zone.cards, strict=True)
                    shares = tuple(compute_chances(n, cards - n, opening) for n, cards in numbers)
                    yield TermOdds(charts[0].id, bars[0].name, shares)


def _limits(
    decks: Sequence[Iterable[LimitState]],
) -> Iterator[tuple[LimitState | None, ...]]:
    of_each = [{state.id: state for state in states} for states in decks]
    for limit_id in dict.fromkeys(name for states in of_each for name in states):
        yield tuple(states.get(limit_id) for states in of_each)


def describe_comparison(
    comparison: DeckComparison, words: Mapping[str, str] | None = None
) -> Answer:
    """Return a comparison as an answer. In data, columns of decks are named after their files.

    Args:
        words: the game's words, None for English.
    """
    text = _ComparisonAnswer(comparison, partial(label, words))
    tables = [*text.decks(), *(each for zone in comparison.zones for each in text.zone(zone))]
    sections = [Section("", [*tables, *text.odds(), *text.limits()], aligned=True)]
    if len(comparison.decks) == 2:  # noqa: PLR2004 - from one to the other
        sections.append(Section("", [*text.changes()]))
    return Answer("compare", sections, comparison.decks[0].language)


class _ComparisonAnswer:
    """Describes a comparison."""

    def __init__(self, comparison: DeckComparison, word: Callable[[str], str]) -> None:
        self._comparison, self._word = comparison, word
        stems = [stats.deck.stem for stats in comparison.decks]
        self._ids = make_unique(stems, ("table", "zone", "field", "value", "of", *CARD_COLUMNS))

    def _columns(
        self, first: str, heads: Sequence[str] = (), kind: Kind = "text", unit: str = ""
    ) -> list[Column]:
        """Return a column named `first`, and one for each deck.

        Args:
            heads: the headings of all of them.
            kind, unit: those of the decks' columns.
        """
        heads = heads or [""] * (1 + len(self._ids))
        decks = zip(self._ids, heads[1:], strict=True)
        return [Column(first, heads[0]), *(Column(id_, head, kind, unit) for id_, head in decks)]

    def decks(self) -> Iterator[Table]:
        decks, comparison = self._comparison.decks, self._comparison
        for id_, stats in zip(self._ids, decks, strict=True):
            deck = stats.deck
            yield make_record("decks", deck=id_, file=deck.stem, name=deck.name,
                         faction=deck.faction_id, cards=stats.cards)  # fmt: skip
        rows: list[Row] = [(self._word("faction"), *comparison.factions)]
        rows.append((self._word("cards"), *(stats.cards for stats in decks)))
        yield Table("", self._columns("", ("", *comparison.titles)), rows)
        rows = [(each.measure.text, *each.values) for each in comparison.measures]
        yield Table("measures", self._columns("name"), rows)

    def zone(self, zone: ZoneColumns) -> Iterator[Table]:
        """Yield the cards of a zone, and its charts."""
        common, name = {"zone": zone.id}, zone.name or self._word("none")
        cards: list[Row] = [(name, *zone.cards)]
        yield hide(Table("zones", self._columns("name"), cards, common=common))
        rows: list[Row] = []
        for line in zone.lines:
            copies = (TextCell(number, str(number or "–")) for number in line.copies)
            rows.append((CardCell.of(line.card), *copies))
        marks = ["" if len({*line.copies}) == 1 else "~" if all(line.copies) else "*"
                 for line in zone.lines]  # fmt: skip
        heads = name, *map(str, zone.cards)
        yield Table("cards", self._columns("", heads), rows, common=common, marks=marks)
        for charts in zone.charts:
            chart, title = charts[0], f"{name}, {charts[0].name}"
            common = {"zone": zone.id, "field": chart.id, "name": chart.name}
            if chart.numeric:
                averages = (round(each.average, 2) for each in charts)
                rows = [(TextCell("total", self._word("total")), *(each.total for each in charts)),
                        (TextCell("average", self._word("average")), *averages)]  # fmt: skip
                columns = self._columns("of", unit=chart.unit)
                yield Table("sums", columns, rows, title, common)
                title = ""
            bars = zip(*(each.bars for each in charts), strict=True)
            rows = [(bar[0].name, *(each.copies for each in bar)) for bar in bars]
            yield Table("copies", self._columns("value", kind="bar"), rows, title, common)

    def odds(self) -> Iterator[Table]:
        language = self._comparison.decks[0].language
        rows: list[Row] = []
        for odds in self._comparison.odds:
            averages = [format_fixed(float(each.average), 2, language) for each in odds.chances]
            cells = [TextCell(each.some, f"{format_percent(each.some, language)}, {average}")
                     for each, average in zip(odds.chances, averages, strict=True)]  # fmt: skip
            rows.append((odds.term, *cells, odds.field))
            row: Row = (odds.term, *(each.average for each in odds.chances))
            common = {"field": odds.field}
            yield hide(Table("averages", self._columns("value"), [row], common=common))
        title = f"{self._word('hand')}: ≥ 1, {self._word('average')}" if rows else ""
        yield Table("chances", [*self._columns("value"), Column("field")], rows, title)

    def limits(self) -> Iterator[Table]:
        """Yield the limits: in text with a column for each deck, in data with a row for each."""
        for id_, stats in zip(self._ids, self._comparison.decks, strict=True):
            yield hide(make_limits_table(stats, id_))
        rows, marks = [], []
        for states in self._comparison.limits:
            name = next(f"{state.zone}: {state.name}" for state in states if state)
            rows.append((name, *map(self._state, states)))
            marks.append("" if all(state is None or state.keeps for state in states) else "!")
        yield Table("", self._columns(""), rows, self._word("limits") if rows else "", marks=marks)

    def _state(self, state: LimitState | None) -> str:
        """Format a limit for one deck: its number and the allowed ones."""
        if state is None:
            return ""
        limit, language = state.limit, self._comparison.decks[0].language
        bounds = (("≥", limit.min), ("≤", limit.max), ("=", limit.exactly))
        parts = [f"{sign} {bound}" for sign, bound in bounds if bound is not None]
        allowed = f" ({', '.join(parts)})" if parts else ""
        return f"{format_number(state.number, language)}{allowed}{'' if state.keeps else ' !'}"

    def changes(self) -> Iterator[Table | Note]:
        changes = self._comparison.changes()
        rows: list[Row] = [(each.zone, CardCell.of(each.card), each.copies) for each in changes]
        yield make_data_table("changes", "zone card copies", rows)
        out, into = (sum(max(0, sign * each.copies) for each in changes) for sign in (-1, 1))
        yield Note(f"{self._word('changes')}: −{out} +{into}")


def make_limits_table(stats: DeckStats, deck: str, words: Mapping[str, str] = WORDS) -> Table:
    """Return the states of a deck's limits, with a mark before each broken one in text.

    Args:
        deck: the deck's name in data.
        words: the words for their bounds.
    """
    rows: list[Row] = []
    for state in stats.limits:
        limit, name = state.limit, f"{state.zone}: {state.name}"
        bounds = (limit.min, limit.max, limit.exactly)
        numbers = (str(each) if isinstance(each, Formula) else each for each in bounds)
        texts = (name, state.number, describe_bounds(words, limit))
        rows.append((*texts, limit.zone, state.id, state.name, *numbers, state.keeps))
    names = ("zone", "id", "name", "min", "max", "exactly", "keeps")
    columns = [LABEL, Column("number", "", "number"), NOTE, *map(Column, names)]
    marks = ["" if state.keeps else "!" for state in stats.limits]
    return Table("limits", columns, rows, common={"deck": deck}, marks=marks)
