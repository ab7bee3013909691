"""Cards of a deck as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from deckwright.base.numbers import measured
from deckwright.checks.zoning import Line
from deckwright.decks.stats import Chart
from deckwright.game.model import Card


def card_lines(
    lines: Sequence[Line],
    charts: Iterable[Chart],
    language: str,
    note: Callable[[Card], str] = lambda _: "",
) -> list[str]:
    """Return lines of a deck list with the numbers of their cards: "2x Smith (HK3)  Costs 4".

    Args:
        charts: of the fields to show.
        note: what else to say of a card.
    """
    names = [f"{line.card.name} ({line.card.id})" for line in lines]
    fields = [chart for chart in charts if chart.numeric]
    values = [
        "  ".join(
            f"{chart.name} {measured(value, chart.unit, language)}"
            for chart in fields
            if isinstance(value := line.card.fields.get(chart.id), (int, float))
        )
        for line in lines
    ]
    notes = [note(line.card) for line in lines]
    wide = max(map(len, names), default=0)
    long = max(map(len, values), default=0) if any(notes) else 0
    return [
        f"  {line.entry.copies}x {name:<{wide}}  {value:<{long}}  {noted}".rstrip()
        for line, name, value, noted in zip(lines, names, values, notes, strict=True)
    ]
