"""Answers as text for terminals."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from deckwright.base.strings import sanitize_line
from deckwright.base.units import (
    format_fixed,
    format_measure,
    format_number,
    format_percent,
    round_number,
)
from deckwright.cli.terminal import to_encodable
from deckwright.decks.answers import (
    Answer,
    CardCell,
    Cell,
    Column,
    Gauge,
    Note,
    Plot,
    Section,
    Shown,
    Table,
    make_axis,
)

_GAP = "  "
_MAX_NOTE = 100
"""The width of wrapped notes in wider terminals."""
_MIN_BAR, _MAX_BAR = 6, 40
"""The minimum and maximum length of the longest bar. Without room for the minimum there is none."""
_MIN_COLUMN = 6
"""Columns of text shrink to this width in characters."""
_PLOT_WIDTH, _PLOT_HEIGHT = 64, 17
_MAX_DIGIT = 9
"""Larger numbers of points at one place of a plot are shown as `+`."""


def format_text(answer: Answer, encoding: str = "utf-8") -> str:
    """Return an answer as text that fits the terminal.

    Args:
        encoding: that of the output; characters that it lacks are replaced.
    """
    width = shutil.get_terminal_size((80, 24)).columns - 1
    show = partial(to_encodable, encoding=encoding)
    sections = ([*_section_lines(each, answer.language, width, show)] for each in answer.sections)
    return "\n\n".join("\n".join(map(sanitize_line, lines)) for lines in sections if lines)


def _section_lines(
    section: Section, language: str, width: int, show: Callable[[str], str]
) -> Iterator[str]:
    """Yield the lines of a section, with empty ones before plots and tables with headings."""
    grids = {
        id(block): Grid(block, language, show)
        for block in section.blocks
        if isinstance(block, Table) and any(column.title is not None for column in block.columns)
    }
    for group in [[*grids.values()]] if section.aligned else [[grid] for grid in grids.values()]:
        fit_columns(group, width)
    lines = [show(section.title)] if section.title else []
    for block in section.blocks:
        if isinstance(block, Note):
            text = show(block.text)
            note = textwrap.wrap(text, min(width, _MAX_NOTE), initial_indent="  - ",
                                 subsequent_indent="    ")  # fmt: skip
            lines += note if block.bullet else [f"  {text}"]
        elif isinstance(block, Plot):
            lines += ["", *(show(line) for line in plot_lines(block, language))]
        elif grid := grids.get(id(block)):
            follows = len(lines) > bool(section.title)
            lines += [""] * bool(follows and (block.title or any(grid.heads)))
            lines += grid.lines()
    yield from lines


def truncate(text: str, width: int, end: str = "") -> str:
    """Truncate a text to a width, with an ellipsis before its `end`."""
    if len(text) <= width:
        return text
    end = end if len(end) < width - 1 else ""
    return f"{text.removesuffix(end)[: width - 1 - len(end)].rstrip()}…{end}"


def shorten_titles(titles: Sequence[str], width: int) -> list[str]:
    """Shorten titles of columns to a width so that they stay distinct."""
    beginnings = [truncate(title, width) for title in titles]
    middle = width // 2
    both_ends = [
        title if len(title) <= width else f"{title[: width - middle - 1]}…{title[-middle:]}"
        for title in titles
    ]
    for shown in (beginnings, both_ends):
        if len({*shown}) == len(shown):
            return shown
    return [f"{n} {truncate(title, width - 2)}" for n, title in enumerate(titles, 1)]


class _Text(NamedTuple):
    """The text of a cell, and its end, which stays when it is truncated."""

    text: str
    end: str = ""


def _format_cell(column: Column, cell: Cell, language: str) -> _Text:
    """Return the text of a cell; of a bar, only the number."""
    if isinstance(cell, CardCell):
        end = f" ({cell.id})" if cell.id else ""
        return _Text(cell.name + end, end)
    if isinstance(cell, (Shown, str)):
        return _Text(cell if isinstance(cell, str) else cell.text)
    if cell is None or isinstance(cell, Gauge) or (column.kind == "bar" and not cell):
        return _Text("")
    if column.kind == "percent":
        return _Text(format_percent(Fraction(cell), language))
    if column.kind == "average":
        return _Text(format_fixed(float(cell), 2, language))
    return _Text(format_measure(round_number(float(cell)), column.unit, language))


class Grid:
    """A table whose columns get widths.

    Attributes:
        columns, heads: the columns that text has, and their headings.
        widths: the widths of these columns in characters.
    """

    def __init__(self, table: Table, language: str, show: Callable[[str], str]) -> None:
        """Format the cells."""
        shown = [n for n, column in enumerate(table.columns) if column.title is not None]
        self._table, self._show, self.widths = table, show, list[int]()
        self.columns = [table.columns[n] for n in shown]
        self.heads = [show(column.title or "") for column in self.columns]
        self._cells = [[row[n] for row in table.rows] for n in shown]
        self._texts = [
            [_Text(*map(show, _format_cell(column, cell, language))) for cell in cells]
            for column, cells in zip(self.columns, self._cells, strict=True)
        ]

    def measure(self, *, wrap: bool = False) -> list[int]:
        """Return the widths of the longest texts, without bars and notes.

        Args:
            wrap: whether headings of numbers may be wrapped.
        """
        widths = []
        for column, head, texts in zip(self.columns, self.heads, self._texts, strict=True):
            words = head.split() if wrap and not column.is_text else [head]
            cells = [] if column.kind == "note" else [each.text for each in texts]
            widths.append(max(map(len, (*words, *cells)), default=0))
        return widths

    def drop(self, column: int) -> None:
        """Leave out a column."""
        for columns in (self.columns, self.heads, self._cells, self._texts):
            del columns[column]

    def lines(self) -> Iterator[str]:
        """Yield the title, the headings and the rows."""
        if self._table.title:
            yield f"  {self._show(self._table.title)}"
        if any(self.heads):
            yield from map(self._line, zip(*self._head_lines(), strict=True))
        marks = self._table.marks or [""] * len(self._table.rows)
        columns = [self._column(n) for n in range(len(self.columns))]
        for mark, *texts in zip(marks, *columns, strict=True):
            yield self._line(texts, mark)

    def _head_lines(self) -> list[list[_Text]]:
        """Return the lines of each heading; those of equal columns of text stay distinct."""
        lines: list[list[str]] = []
        equal = itemgetter(0, 1)
        columns = zip((c.is_text for c in self.columns), self.widths, self.heads, strict=True)
        for (is_text, width), group in groupby(columns, equal):
            heads = [head for _, _, head in group]
            if is_text and max(map(len, heads)) > width:
                heads = shorten_titles(heads, width)
            lines += [[head] if is_text else textwrap.wrap(head, width) for head in heads]
        most = max(map(len, lines))
        return [[_Text("")] * (most - len(each)) + [*map(_Text, each)] for each in lines]

    def _line(self, texts: Iterable[_Text], mark: str = "") -> str:
        parts = []
        for column, width, text in zip(self.columns, self.widths, texts, strict=True):
            short = text.text if column.kind == "note" else truncate(text.text, width, text.end)
            parts.append(short.ljust(width) if column.is_text else short.rjust(width))
        return f"{mark:1} {_GAP.join(parts)}".rstrip()

    def _column(self, number: int) -> list[_Text]:
        """Return the texts of a column, with bars if it is wide enough."""
        texts, cells = self._texts[number], self._cells[number]
        room = self.widths[number] - max(
            (len(each.text) + 1 for each in texts if each.text), default=0
        )
        if self.columns[number].kind != "bar" or room < _MIN_BAR:
            return texts
        numbers = [each for each in cells if isinstance(each, (int, float, Decimal, Fraction))]
        scale = min(1.0, room / float(max(numbers, default=0) or 1))
        block, shade = self._show("█"), self._show("░")
        bars = []
        for cell in cells:
            whole = dark = 0
            if isinstance(cell, Gauge):
                whole, dark = (max(round(n * room), int(n > 0)) for n in (cell.length, cell.dark))
            elif isinstance(cell, (int, float, Decimal, Fraction)):
                whole = dark = max(round(float(cell) * scale), int(cell > 0))
            bars.append(block * min(dark, whole) + shade * (whole - dark))
        return [_Text(f"{bar} {each.text}".strip()) for bar, each in zip(bars, texts, strict=True)]


def fit_columns(grids: Sequence[Grid], width: int) -> None:
    """Choose the widths of columns, shared by several grids, so that lines fit the terminal.

    Headings are wrapped, optional columns are left out, and columns of text shrink.
    """
    if not grids:
        return
    for wrap in (False, *[True] * len(grids[0].columns)):
        columns = grids[0].columns
        measures = (grid.measure(wrap=wrap) for grid in grids)
        widths = [max(column) for column in zip(*measures, strict=True)]
        bars = [n for n in range(len(widths)) if any(g.columns[n].kind == "bar" for g in grids)]
        spare = width - sum(widths) - len(_GAP) * len(widths)
        optional = [n for n, column in enumerate(columns) if column.optional]
        if spare >= _MIN_BAR * bool(bars):
            break
        if wrap and optional:
            for grid in grids:
                grid.drop(optional[-1])
    texts = [n for n, column in enumerate(grids[0].columns) if column.is_text]
    while spare < 0 and texts and (longest := max(widths[n] for n in texts)) > _MIN_COLUMN:
        widths[next(n for n in texts if widths[n] == longest)] -= 1
        spare += 1
    for n in bars:
        widths[n] += min(_MAX_BAR + 1, max(0, spare) // len(bars))
    for grid in grids:
        grid.widths = widths


def plot_lines(plot: Plot, language: str) -> Iterator[str]:
    """Yield the lines of a scatter plot.

    A place with several points shows their number. Outliers are labeled with their names.
    """
    yield f"  {plot.title}"
    across = make_axis(plot.xs, 0, _PLOT_WIDTH - 1, 8)
    up = make_axis(plot.ys, _PLOT_HEIGHT - 1, 0, 8)
    rows = [[" "] * _PLOT_WIDTH for _ in range(_PLOT_HEIGHT)]
    for column in range(_PLOT_WIDTH):
        y = plot.base + plot.slope * (
            across.low + (across.high - across.low) * column / (_PLOT_WIDTH - 1)
        )
        if up.low <= y <= up.high:
            rows[round(up.at(y))][column] = "·"
    places = [(round(up.at(each.y)), round(across.at(each.x))) for each in plot.points]
    counts = Counter(places)
    for (row, column), count in counts.items():
        rows[row][column] = "●" if count == 1 else str(count) if count <= _MAX_DIGIT else "+"
    for (row, column), point in zip(places, plot.points, strict=True):
        if point.outlier and counts[row, column] == 1:
            _write_name(rows[row], column, point.name)
    ticks = {round(up.at(tick)): _format_tick(tick, language) for tick in up.ticks}
    margin = max(map(len, ticks.values()))
    for row, characters in enumerate(rows):
        yield f"  {ticks.get(row, ''):>{margin}} {''.join(characters)}".rstrip()
    foot = [" "] * (_PLOT_WIDTH + margin + 8)
    for tick in across.ticks:
        text = _format_tick(tick, language)
        at = margin + 1 + round(across.at(tick)) - len(text) // 2
        foot[at : at + len(text)] = text
    yield f"  {''.join(foot)}".rstrip()
    yield f"  {plot.note}"


def _format_tick(tick: float, language: str) -> str:
    return format_number(tick, language).replace("-", "\N{MINUS SIGN}")


def _write_name(row: list[str], column: int, name: str) -> None:
    """Write a name beside a point, on the first side with enough space."""
    for start in (column + 2, column - 1 - len(name)):
        cells = range(max(0, start - 1), start + len(name) + 1)
        free = all(row[at] in {" ", "·"} for at in cells if at < len(row) and at != column)
        if free and 0 <= start <= len(row) - len(name):
            row[start : start + len(name)] = name
            return
