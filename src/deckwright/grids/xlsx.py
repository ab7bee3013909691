"""Write tables as an XLSX workbook: a tab for each, and one of the values that cells may have.

Texts are texts, whatever they begin with, and numbers are numbers. The same tables give the same
bytes: openpyxl is kept from writing the time.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from deckwright.base.names import letters, unused
from deckwright.grids.table import Column, Table, is_number
from deckwright.xmlio.shape import Terms

_MADE = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""The date of every workbook, in the naive form that openpyxl takes."""
_ZIPPED = (1980, 1, 1, 0, 0, 0)
_LAST_ROW = 1_048_576
_NARROW, _WIDE = 6, 60
"""The widths that columns have at least and at most, in characters."""
_ARROW = 2
"""How wide the arrow of a filter is, in characters."""
_HEAD_FILL = "E7E3DA"
_TEXT = "@"
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,8})\.[0-9]{1,6}")
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


class _Values(NamedTuple):
    """The values of a column that stand in the tab of lists.

    Attributes:
        title: of their column there.
        numbers: whether they are numbers in the cells.
    """

    title: str
    terms: Terms
    numbers: bool


def write_xlsx(tables: Sequence[Table], lists: str, title: str, author: str) -> bytes:
    """Return tables as a workbook.

    Args:
        lists: what to call the tab of the values that cells may have.
        title, author: what its properties say.
    """
    book = Workbook()
    book.remove(book.active)
    book.properties.title, book.properties.creator = title, author or "Deckwright"
    book.properties.created = book.properties.modified = _MADE
    values = _values_of(tables)
    for table in tables:
        sheet = book.create_sheet(table.title)
        _fill(sheet, table)
        _validate(sheet, table, lists, values)
    if values:
        _fill_lists(book.create_sheet(lists), values)
    return _zipped(book)


def _fill(sheet: Worksheet, table: Table) -> None:
    """Write the cells of a table, and how they look."""
    _head(sheet, table.titles)
    for index, column in enumerate(table.columns, 1):
        widths = [len(column.title) + _ARROW, *(len(row[index - 1]) for row in table.rows)]
        _widen(sheet, index, max(widths))
        sheet.column_dimensions[letters(index)].number_format = (
            "General" if column.number else _TEXT
        )
        if column.note:
            comment = Comment(_escaped(column.note), "Deckwright", height=110, width=320)
            sheet.cell(1, index).comment = comment
    for number, row in enumerate(table.rows, 2):
        for index, (column, text) in enumerate(zip(table.columns, row, strict=True), 1):
            _put(sheet, number, index, text, number=column.number)
    names = [column.title for column in table.columns]
    fixed = names.index("name") + 1 if "name" in names else 1
    sheet.freeze_panes = f"{letters(fixed + 1)}2"
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToHeight = 0
    sheet.print_title_rows = "1:1"
    sheet.auto_filter.ref = f"A1:{letters(len(table.columns))}{len(table.rows) + 1}"


def _widen(sheet: Worksheet, index: int, width: int) -> None:
    """Make a column wide enough for so many characters, within reason."""
    look = sheet.column_dimensions[letters(index)]
    look.width = min(max(width + 2, _NARROW), _WIDE)


def _head(sheet: Worksheet, titles: Sequence[str]) -> None:
    for index, title in enumerate(titles, 1):
        _put(sheet, 1, index, title, number=False)
        cell = sheet.cell(1, index)
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor=_HEAD_FILL)


def _put(sheet: Worksheet, row: int, column: int, text: str, *, number: bool) -> None:
    """Write a cell; an empty one is left out, but for its format."""
    cell = sheet.cell(row, column)
    if number and (is_number(text) or _DECIMAL.fullmatch(text) or not text):
        cell.value = (float(text) if "." in text else int(text)) if text else None
        return
    cell.number_format = _TEXT
    if text:
        cell.value = _escaped(text)
        # openpyxl takes what begins with `=` for a formula, and `#N/A` for an error.
        cell.data_type = "s"
        cell.quotePrefix = text[0] in "=+-@"


def _escaped(text: str) -> str:
    """Return a text as OOXML stores it, where `_x0041_` is the letter A."""
    return _ESCAPE.sub("_x005F_", text)


def _values_of(tables: Sequence[Table]) -> dict[Terms, _Values]:
    """Return the values of the columns of tables, each list once, by the terms themselves."""
    values: dict[Terms, _Values] = {}
    taken: set[str] = set()
    for column in (column for table in tables for column in table.columns):
        if column.terms and column.terms not in values:
            title = unused(column.title, taken, " ")
            values[column.terms] = _Values(title, column.terms, column.number)
    return values


def _fill_lists(sheet: Worksheet, values: dict[Terms, _Values]) -> None:
    """Write the tab of lists: ids and names side by side."""
    _head(sheet, [title for item in values.values() for title in (item.title, "name")])
    for pair, item in enumerate(values.values()):
        index = 2 * pair + 1
        for offset, texts in enumerate(zip(*item.terms, strict=True)):
            _widen(sheet, index + offset, max(map(len, (*texts, item.title))))
            for row, text in enumerate(texts, 2):
                _put(sheet, row, index + offset, text, number=item.numbers and offset == 0)
    sheet.freeze_panes = "A2"


def _validate(sheet: Worksheet, table: Table, lists: str, values: dict[Terms, _Values]) -> None:
    """Give the columns of a table their drop-down lists and their bounds."""
    for index, column in enumerate(table.columns, 1):
        for rule in _rules(column, lists, values):
            validation = DataValidation(allow_blank=True, **rule)
            validation.add(f"{letters(index)}2:{letters(index)}{_LAST_ROW}")
            sheet.add_data_validation(validation)


def _rules(column: Column, lists: str, values: dict[Terms, _Values]) -> Iterator[dict[str, object]]:
    """Yield what a spreadsheet program checks in a column, as openpyxl takes it."""
    if column.terms:
        at = letters(2 * list(values).index(column.terms) + 1)
        formula = f"'{lists}'!${at}$2:${at}${len(column.terms) + 1}"
        strict = column.items is None
        yield {
            "type": "list",
            "formula1": formula,
            # A list in a cell may have several values; the drop-down serves for a single one.
            "showErrorMessage": strict,
            "errorTitle": column.title,
            "error": f"This is not in the list; see the tab {lists}." if strict else None,
        }
    elif column.attribute is not None and column.attribute.value.kind in {"integer", "decimal"}:
        value = column.attribute.value
        yield {
            "type": "whole" if value.kind == "integer" else "decimal",
            "operator": "between",
            "formula1": str(value.minimum),
            "formula2": str(value.maximum),
            "showErrorMessage": True,
            "errorTitle": column.title,
            "error": f"This must be {value.says}.",
        }


def _zipped(book: Workbook) -> bytes:
    """Return a workbook as a file in which no time of its making stands."""
    # `Workbook.save` would set the time at which it was modified.
    timed, fixed = io.BytesIO(), io.BytesIO()
    ExcelWriter(book, zipfile.ZipFile(timed, "w")).save()
    with zipfile.ZipFile(timed) as source, zipfile.ZipFile(fixed, "w") as target:
        for info in source.infolist():
            entry = zipfile.ZipInfo(info.filename, _ZIPPED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            target.writestr(entry, source.read(info))
    return fixed.getvalue()
