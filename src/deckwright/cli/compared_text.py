"""Decks side by side as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.numbers import decimals, exact, measured, percent
from deckwright.cli.columns import columns, cut, short_titles
from deckwright.cli.speech import label, words_in
from deckwright.cli.terminal import can_show
from deckwright.decks.comparison import DeckComparison, ZoneColumns
from deckwright.decks.stats import Chart, LimitState
from deckwright.game.model import Card


def compared_text(comparison: DeckComparison) -> Iterator[str]:
    """Yield decks side by side as lines."""
    yield from _Text(comparison).lines()


class _Text:
    """Writes a comparison for a terminal."""

    def __init__(self, comparison: DeckComparison) -> None:
        self._all = comparison
        first = comparison.decks[0]
        self._language = first.language
        self._words = words_in(first.language, first.words)
        self._titles = comparison.titles
        self._columns = columns(self._labels(), self._titles)

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        yield from self._heads()
        for zone in self._all.zones:
            yield ""
            yield from self._zone(zone)
        yield from self._odds()
        yield from self._limits()
        if len(self._titles) == 2:  # noqa: PLR2004 - from one to the other
            yield from self._changes()

    def _labels(self) -> Iterator[str]:
        """Yield the longest labels."""
        for zone in self._all.zones:
            yield zone.name
            yield from (_named(line.card) for line in zone.lines)
        for states in self._all.limits:
            yield from (_limit_name(state) for state in states if state)
        yield from (worth.measure.text for worth in self._all.measures)

    def _heads(self) -> Iterator[str]:
        table, decks = self._columns, self._all.decks
        yield table.row("", short_titles(self._titles, table.width))
        yield table.row(label(self._words, "faction"), self._all.factions)
        yield table.row(label(self._words, "cards"), (str(deck.cards) for deck in decks))
        for worth in self._all.measures:
            yield table.row(worth.measure.text, map(self._number, map(float, worth.values)))

    def _zone(self, zone: ZoneColumns) -> Iterator[str]:
        table, nothing = self._columns, "–" if can_show("–") else "-"
        yield table.row(self._name(zone), map(str, zone.cards))
        for line in zone.lines:
            differ = len({*line.copies}) > 1
            mark = "*" if differ and 0 in line.copies else "~" if differ else ""
            named = _named(line.card, table.labels)
            yield table.row(named, (str(n or nothing) for n in line.copies), mark)
        for charts in zone.charts:
            yield ""
            yield from self._chart(zone, charts)

    def _chart(self, zone: ZoneColumns, charts: tuple[Chart, ...]) -> Iterator[str]:
        table, first = self._columns, charts[0]
        yield f"  {self._name(zone)}, {first.name}"
        if first.numeric:
            total, mean = label(self._words, "total"), label(self._words, "average")
            yield table.row(total, (self._number(chart.total, chart.unit) for chart in charts))
            means = (round(chart.average, 2) for chart in charts)
            yield table.row(mean, (self._number(each, first.unit) for each in means))
        most = max(chart.most for chart in charts)
        for bars in zip(*(chart.bars for chart in charts), strict=True):
            yield table.row(f"  {bars[0].name}", table.bars([bar.copies for bar in bars], most))

    def _odds(self) -> Iterator[str]:
        if self._all.odds:
            yield ""
            some = "≥ 1, ⌀" if can_show("≥⌀") else ">= 1"
            yield f"  {label(self._words, 'hand')}: {some}"
        for odds in self._all.odds:
            cells = (
                f"{percent(each.some, self._language)}, "
                f"{decimals(float(each.average), 2, self._language)}"
                for each in odds.chances
            )
            yield self._columns.row(odds.term, cells)

    def _limits(self) -> Iterator[str]:
        if self._all.limits:
            yield ""
            yield f"  {label(self._words, 'limits')}"
        for states in self._all.limits:
            name = next(_limit_name(state) for state in states if state)
            mark = "" if all(state is None or state.keeps for state in states) else "!"
            yield self._columns.row(name, map(self._state, states), mark)

    def _state(self, state: LimitState | None) -> str:
        """Return a limit for one deck: what it counts, and what may be."""
        if state is None:
            return ""
        least, most, same = ("≥", "≤", "=") if can_show("≤≥") else (">=", "<=", "=")
        limit = state.limit
        bounds = ((least, limit.min), (most, limit.max), (same, limit.exactly))
        parts = [f"{sign} {bound}" for sign, bound in bounds if bound is not None]
        broken = "" if state.keeps else " !"
        allowed = f" ({', '.join(parts)})" if parts else ""
        return f"{self._number(state.number)}{allowed}{broken}"

    def _changes(self) -> Iterator[str]:
        changes = self._all.changes()
        less = "−" if can_show("−") else "-"
        out, into = (sum(max(0, sign * change.copies) for change in changes) for sign in (-1, 1))
        yield ""
        yield f"  {label(self._words, 'changes')}: {less}{out} +{into}"
        names = {zone.id: self._name(zone) for zone in self._all.zones}
        for zone in dict.fromkeys(change.zone for change in changes):
            if len(names) > 1:
                yield f"  {names[zone]}"
            for change in changes:
                if change.zone == zone:
                    sign = "+" if change.copies > 0 else less
                    yield f"    {sign}{abs(change.copies)} {_named(change.card)}"

    def _name(self, zone: ZoneColumns) -> str:
        return zone.name or label(self._words, "none")

    def _number(self, number: float, unit: str = "") -> str:
        return measured(exact(number), unit, self._language)


def _named(card: Card, width: int = 999) -> str:
    """Return a card's name and id, the name cut off where they would be wider."""
    return f"{cut(card.name, max(width - len(card.id) - 3, 1))} ({card.id})"


def _limit_name(state: LimitState) -> str:
    return f"{state.zone}: {state.name}"
