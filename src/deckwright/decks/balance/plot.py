"""Cost against worth in characters, for terminals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from deckwright.decks.balance.axes import axis
from deckwright.decks.balance.fit import Line
from deckwright.decks.balance.model import Priced

_WIDTH, _HEIGHT = 64, 17
_MOST = 9
"""More cards at one place are shown as `+`."""


def plot(
    cards: Sequence[Priced],
    line: Line,
    number: Callable[[float], str],
    signs: tuple[str, str] = ("o", "."),
    everything: Sequence[Priced] = (),
) -> Iterator[str]:
    """Yield the lines of a chart: cost to the right, worth upwards.

    A place with several cards has their number. Cards far from the line have their names.

    Args:
        number: writes the numbers of the axes.
        signs: what stands for a single card, and for the line.
        everything: the cards that the axes have room for; those shown if empty.
    """
    points = [each.point for each in everything or cards]
    across = axis([float(x) for x, _ in points], 0, _WIDTH - 1, 8)
    up = axis([float(y) for _, y in points], _HEIGHT - 1, 0, 8)
    rows = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    for column in range(_WIDTH):
        cost = across.low + (across.high - across.low) * column / (_WIDTH - 1)
        worth = float(line.base) + float(line.slope) * cost
        if up.low <= worth <= up.high:
            rows[round(up.at(worth))][column] = signs[1]
    places = {
        id(each): (round(up.at(float(each.worth))), round(across.at(float(each.cost))))
        for each in cards
    }
    counts = Counter(places.values())
    for (row, column), count in counts.items():
        rows[row][column] = signs[0] if count == 1 else str(count) if count <= _MOST else "+"
    for each in sorted(cards, key=lambda each: -abs(each.above)):
        row, column = places[id(each)]
        if each.far and counts[row, column] == 1:
            _name(rows[row], column, each.card.name, signs[1])
    ticks = {round(up.at(tick)): number(tick) for tick in up.ticks}
    margin = max(map(len, ticks.values()))
    for row, characters in enumerate(rows):
        yield f"{ticks.get(row, ''):>{margin}} {''.join(characters)}".rstrip()
    foot = [" "] * (_WIDTH + margin + 8)
    for tick in across.ticks:
        text = number(tick)
        at = margin + 1 + round(across.at(tick)) - len(text) // 2
        foot[at : at + len(text)] = text
    yield "".join(foot).rstrip()


def _name(row: list[str], column: int, name: str, line: str) -> None:
    """Write a name beside a point, on the first side that has room for it."""
    for start in (column + 2, column - 1 - len(name)):
        cells = range(max(0, start - 1), start + len(name) + 1)
        free = all(row[at] in {" ", line} for at in cells if at < len(row) and at != column)
        if free and 0 <= start <= len(row) - len(name):
            row[start : start + len(name)] = name
            return
