"""Cost against worth as a chart: what its template draws."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deckwright.base.geometry import Box
from deckwright.base.numbers import written
from deckwright.base.units import Mm
from deckwright.decks.balance.axes import Axis, axis
from deckwright.decks.balance.fit import Line
from deckwright.decks.balance.model import Priced
from deckwright.game.context import Context
from deckwright.outputs.balance.labels import Label, Wanted, labels
from deckwright.text.shaping import Metrics

_LEFT: Mm = 8
_TOP: Mm = 9
_BELOW: Mm = 11
_DOT: Mm = 1.15
_TYPE: Mm = 2.35
_NAMES = 3
"""Of more cards at one place the others are counted."""


class Scatter:
    """Draws cards by cost and worth, with the line, on axes that hold all cards of the game."""

    def __init__(
        self,
        everything: Sequence[Priced],
        line: Line,
        size: tuple[Mm, Mm],
        metrics: Metrics,
        font: str,
        language: str,
    ) -> None:
        """Take all cards of the game, and the width and height of charts."""
        width, height = size
        self._line, self._metrics, self._font, self._language = line, metrics, font, language
        self._area = Box(_LEFT, _TOP, width - _LEFT - 2, height - _TOP - _BELOW)
        area = self._area
        self._x = axis([float(each.cost) for each in everything], area.x, area.right, 14)
        self._y = axis([float(each.worth) for each in everything], area.bottom, area.y, 10)
        self._everything, self._height = everything, height

    def context(self, shown: Sequence[Priced], *, named: bool = True) -> Context:
        """Return what the template sees of a chart.

        Args:
            shown: the cards that are drawn; all others of the game are drawn pale.
            named: whether all cards are named that there is room for, or only those far away.
        """
        dots = self._dots(shown)
        ids = {id(each.card) for each in shown}
        others = self._dots([each for each in self._everything if id(each.card) not in ids])
        ends = self._ends()
        return {
            "height": self._height,
            "area": self._area._asdict() | {"right": self._area.right, "bottom": self._area.bottom},
            "across": self._ticks(self._x),
            "up": self._ticks(self._y),
            "line": dict(zip(("x1", "y1", "x2", "y2"), (*ends[0], *ends[1]), strict=True)),
            "others": others,
            "dots": dots,
            "labels": [_label(each) for each in self._labels(dots, named=named)],
        }

    def _ticks(self, of: Axis) -> list[Context]:
        return [{"at": of.at(tick), "text": written(tick, self._language)} for tick in of.ticks]

    def _dots(self, cards: Sequence[Priced]) -> list[Context]:
        """Return a dot for each place that has cards, as large as there are many."""
        places: dict[tuple[float, float], list[Priced]] = {}
        for each in cards:
            places.setdefault((float(each.cost), float(each.worth)), []).append(each)
        return [
            {
                "x": self._x.at(cost),
                "y": self._y.at(worth),
                "r": round(_DOT * math.sqrt(len(there)), 3),
                "rules": any(each.card.rule_ids() for each in there),
                "far": there[0].far,
                "above": there[0].above,
                "names": [each.card.name for each in there],
            }
            for (cost, worth), there in places.items()
        ]

    def _labels(self, dots: Sequence[Context], *, named: bool) -> list[Label]:
        wanted = [
            Wanted(
                text := _joined(dot["names"]),
                dot["x"],
                dot["y"],
                dot["r"],
                self._width(text, bold=dot["far"]),
                _TYPE * 1.2,
                needed=dot["far"],
            )
            for dot in sorted(dots, key=lambda dot: -abs(dot["above"]))
            if named or dot["far"]
        ]
        wanted.sort(key=lambda each: not each.needed)
        taken = [Box(d["x"] - d["r"], d["y"] - d["r"], 2 * d["r"], 2 * d["r"]) for d in dots]
        return [*labels(wanted, self._area, [*taken, *self._along()])]

    def _width(self, text: str, *, bold: bool) -> Mm:
        style = "bold" if bold else "regular"
        return self._metrics.shape(f"{self._font}-{style}", text).width * _TYPE + 0.3

    def _ends(self) -> tuple[tuple[Mm, Mm], tuple[Mm, Mm]]:
        """Return where the line enters and leaves the area."""
        base, slope = float(self._line.base), float(self._line.slope)
        low, high = self._x.low, self._x.high
        if slope:
            cuts = sorted((end - base) / slope for end in (self._y.low, self._y.high))
            low, high = max(low, cuts[0]), min(high, cuts[1])
        points = [(self._x.at(x), self._y.at(base + slope * x)) for x in (low, high)]
        return points[0], points[1]

    def _along(self) -> list[Box]:
        """Return small boxes along the line, which names keep off."""
        (x1, y1), (x2, y2) = self._ends()
        steps = max(1, int(x2 - x1))
        spots = ((x1 + (x2 - x1) * n / steps, y1 + (y2 - y1) * n / steps) for n in range(steps + 1))
        return [Box(x - 0.5, y - 0.3, 1, 0.6) for x, y in spots]


def _joined(names: Sequence[str]) -> str:
    more = len(names) - _NAMES
    return ", ".join(names[:_NAMES]) + (f" +{more}" if more > 0 else "")


def _label(label: Label) -> Context:
    wanted, box = label.wanted, label.box
    return {
        "text": wanted.text,
        "far": wanted.needed,
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
        "size": _TYPE,
        "from": {"x": wanted.x, "y": wanted.y} if label.led else None,
        "to": {"x": label.led[0], "y": label.led[1]} if label.led else None,
    }
