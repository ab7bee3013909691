"""Answers as text for terminals."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial

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
    Table,
    TextCell,
    make_axis,
)

_GAP = "  "
_NUMBERS = (int, float, Decimal, Fraction)
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
    """Return an answer as text that fits the terminal and the encoding of the output."""
    width = shutil.get_terminal_size((80, 24)).columns - 1
    show = partial(to_encodable, encoding=encoding)
    sections = (_section_lines(each, answer.language, width, show) for each in answer.sections)
    return "\n\n".join("\n".join(map(sanitize_line, lines)) for lines in sections if lines)


def _section_lines(
    section: Section, language: str, width: int, show: Callable[[str], str]
) -> list[str]:
    """Return the lines of a section, with empty ones before plots and tables with headings."""
    tables = {
        id(block): [
            _Texts(column, [row[n] for row in block.rows], language, show)
            for n, column in enumerate(block.columns)
            if column.title is not None
        ]
        for block in section.blocks
        if isinstance(block, Table)
    }
    visible = [texts for texts in tables.values() if texts]
    for group in [visible] if section.aligned else [[texts] for texts in visible]:
        fit_columns(group, width)
    lines = [show(section.title)] if section.title else []
    for block in section.blocks:
        if isinstance(block, Plot):
            lines += ["", *map(show, plot_lines(block, language))]
        elif isinstance(block, Note):
            text, room = show(block.text), min(width, _MAX_NOTE)
            note = textwrap.wrap(text, room, initial_indent="  - ", subsequent_indent="    ")
            lines += note if block.bullet else [f"  {text}"]
        elif columns := tables[id(block)]:
            follows = len(lines) > bool(section.title)
            lines += [""] * bool(follows and (block.title or any(each.head for each in columns)))
            lines += [f"  {show(block.title)}"] * bool(block.title)
            heads = [textwrap.wrap(each.head, max(1, each.width)) for each in columns]
            height = max(map(len, heads))
            head_lines = [[""] * (height - len(head)) + head for head in heads]
            bodies = [each.with_bars() for each in columns]
            rows = [*zip(*head_lines, strict=True), *zip(*bodies, strict=True)]
            marks = [""] * height + [*(block.marks or [""] * len(block.rows))]
            for mark, row in zip(marks, rows, strict=True):
                cells = (each.pad(text) for each, text in zip(columns, row, strict=True))
                lines.append(f"{mark:1} {_GAP.join(cells)}".rstrip())
    return lines


def truncate(text: str, width: int) -> str:
    """Truncate a text to a width, with an ellipsis; an id in parentheses at its end stays."""
    if len(text) <= width:
        return text
    end = text[text.rfind(" (") :] if text.endswith(")") else ""
    end = end if len(end) < width - 1 else ""
    return f"{text.removesuffix(end)[: width - 1 - len(end)].rstrip()}…{end}"


def _format_cell(column: Column, cell: Cell, language: str) -> str:
    """Return the text of a cell; of a bar, only the number."""
    if isinstance(cell, CardCell):
        return f"{cell.name} ({cell.id})" if cell.id else cell.name
    if isinstance(cell, (TextCell, str)):
        return cell if isinstance(cell, str) else cell.text
    if cell is None or isinstance(cell, Gauge) or (column.kind == "bar" and not cell):
        return ""
    if column.kind == "percent":
        return format_percent(Fraction(cell), language)
    if column.kind == "average":
        return format_fixed(float(cell), 2, language)
    return format_measure(round_number(float(cell)), column.unit, language)


class _Texts:
    """The texts of a column, and its width in characters."""

    def __init__(
        self, column: Column, cells: Sequence[Cell], language: str, show: Callable[[str], str]
    ) -> None:
        self.column, self.width, self._cells, self._show = column, 0, cells, show
        self.head = show(column.title or "")
        self._texts = [show(_format_cell(column, cell, language)) for cell in cells]

    def measure(self, *, wrap: bool) -> int:
        """Return the width of the longest text without bars, and with a wrapped heading."""
        texts = self.head.split() if wrap else [self.head]
        texts += self._texts if self.column.kind != "note" else []
        return max(map(len, texts), default=0)

    def pad(self, text: str) -> str:
        """Return a text as wide as the column."""
        short = text if self.column.kind == "note" else truncate(text, self.width)
        return short.ljust(self.width) if self.column.is_text else short.rjust(self.width)

    def with_bars(self) -> list[str]:
        """Return the texts, with bars if the column is wide enough."""
        numbers_width = max((len(text) + 1 for text in self._texts if text), default=0)
        room = min(_MAX_BAR, self.width - numbers_width)
        if self.column.kind != "bar" or room < _MIN_BAR:
            return self._texts
        numbers = [float(n) if isinstance(n, _NUMBERS) else 0 for n in self._cells]
        scale = min(1.0, room / (max(numbers, default=0) or 1))
        bars = []
        for cell, number, text in zip(self._cells, numbers, self._texts, strict=True):
            whole = dark = max(round(number * scale), int(number > 0))
            if isinstance(cell, Gauge):
                whole, dark = (max(round(n * room), int(n > 0)) for n in (cell.length, cell.dark))
            bar = self._show("█") * min(dark, whole) + self._show("░") * (whole - dark)
            bars.append(f"{bar} {text}".strip())
        return bars


def fit_columns(tables: Sequence[list[_Texts]], width: int) -> None:
    """Choose the widths of columns, shared by several tables, so that lines fit the terminal.

    Headings are wrapped, optional columns are left out, and columns of text shrink.
    """
    for wrap in (False, *[True] * max(map(len, tables), default=0)):
        columns = [*zip(*tables, strict=True)]
        widths = [max(each.measure(wrap=wrap) for each in column) for column in columns]
        bars = [n for n, of in enumerate(columns) if any(e.column.kind == "bar" for e in of)]
        spare = width - sum(widths) - len(_GAP) * len(widths)
        optional = [n for n, column in enumerate(columns) if column[0].column.optional]
        if spare >= _MIN_BAR * bool(bars):
            break
        if wrap and optional:
            for table in tables:
                del table[optional[-1]]
    texts = [n for n, column in enumerate(columns) if column[0].column.is_text]
    while spare < 0 and texts and (longest := max(widths[n] for n in texts)) > _MIN_COLUMN:
        widths[next(n for n in texts if widths[n] == longest)] -= 1
        spare += 1
    for number, column in enumerate(columns):
        bar = min(_MAX_BAR + 1, max(0, spare) // len(bars)) if number in bars else 0
        for each in column:
            each.width = widths[number] + bar


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
    for (at, column), point in zip(places, plot.points, strict=True):
        line, name = rows[at], point.name
        # An outlier has its name on the first side with enough space.
        sides = (column + 2, column - 1 - len(name)) if point.outlier else ()
        for start in sides if counts[at, column] == 1 else ():
            cells = range(max(0, start - 1), start + len(name) + 1)
            free = all(line[n] in {" ", "·"} for n in cells if n < len(line) and n != column)
            if free and 0 <= start <= len(line) - len(name):
                line[start : start + len(name)] = name
                break
    ticks = {round(up.at(tick)): _format_tick(tick, language) for tick in up.ticks}
    margin = max(map(len, ticks.values()))
    for at, characters in enumerate(rows):
        yield f"  {ticks.get(at, ''):>{margin}} {''.join(characters)}".rstrip()
    foot = [" "] * (_PLOT_WIDTH + margin + 8)
    for tick in across.ticks:
        text = _format_tick(tick, language)
        at = margin + 1 + round(across.at(tick)) - len(text) // 2
        foot[at : at + len(text)] = text
    yield f"  {''.join(foot)}".rstrip()
    yield f"  {plot.note}"


def _format_tick(tick: float, language: str) -> str:
    return format_number(tick, language).replace("-", "\N{MINUS SIGN}")
