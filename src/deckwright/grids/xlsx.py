"""Write XLSX workbooks."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from deckwright.base.files import make_unique, to_letters
from deckwright.grids.table import Column, Table
from deckwright.grids.workbooks import PLAIN_NUMBER, escape_ooxml
from deckwright.xmlio.shape import Terms

_CREATED = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""The date in every workbook, naive as openpyxl wants it."""
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_LAST_ROW = 1_048_576
_MIN_WIDTH, _MAX_WIDTH = 6, 60
"""Bounds of column widths, in characters."""
_FILTER_ARROW_WIDTH = 2
"""The width of a filter's arrow, in characters."""
_HEAD_FILL = "E7E3DA"
_TEXT_FORMAT = "@"


def write_xlsx(tables: Sequence[Table], lists: str, title: str, author: str) -> bytes:
    """Return tables as a workbook.

    Args:
        lists: the title of the tab that lists allowed values.
        title, author: the workbook's properties.
    """
    book = Workbook()
    book.remove(book.active)
    book.properties.title, book.properties.creator = title, author or "Deckwright"
    book.properties.created = book.properties.modified = _CREATED
    values: dict[Terms, Column] = {}
    """The first column with each list of values."""
    for column in (column for table in tables for column in table.columns if column.terms):
        values.setdefault(column.terms, column)
    for table in tables:
        sheet = book.create_sheet(table.title)
        _fill(sheet, table)
        _validate(sheet, table, lists, [*values])
    if values:  # ids and names side by side
        sheet = book.create_sheet(lists)
        taken: set[str] = set()
        titles = [make_unique(column.title, taken, " ") for column in values.values()]
        _head(sheet, [title for each in titles for title in (each, "name")])
        for pair, (column, head) in enumerate(zip(values.values(), titles, strict=True)):
            for offset, texts in enumerate(zip(*column.terms, strict=True)):
                index, number = 2 * pair + 1 + offset, column.is_numeric and offset == 0
                _widen(sheet, index, max(map(len, (*texts, head))))
                for row, text in enumerate(texts, 2):
                    _write_cell(sheet, row, index, text, number=number)
        sheet.freeze_panes = "A2"
    # `Workbook.save` would set the modification time.
    timed, fixed = io.BytesIO(), io.BytesIO()
    ExcelWriter(book, zipfile.ZipFile(timed, "w")).save()
    with zipfile.ZipFile(timed) as source, zipfile.ZipFile(fixed, "w") as target:
        for info in source.infolist():
            entry = zipfile.ZipInfo(info.filename, _ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            target.writestr(entry, source.read(info))
    return fixed.getvalue()


def _fill(sheet: Worksheet, table: Table) -> None:
    """Write the cells of a table with their formats."""
    _head(sheet, table.titles)
    for index, column in enumerate(table.columns, 1):
        widths = (len(row[index - 1]) for row in table.rows)
        _widen(sheet, index, max([len(column.title) + _FILTER_ARROW_WIDTH, *widths]))
        number_format = "General" if column.is_numeric else _TEXT_FORMAT
        sheet.column_dimensions[to_letters(index)].number_format = number_format
        if column.note:
            comment = Comment(escape_ooxml(column.note), "Deckwright", height=110, width=320)
            sheet.cell(1, index).comment = comment
    for number, row in enumerate(table.rows, 2):
        for index, (column, text) in enumerate(zip(table.columns, row, strict=True), 1):
            _write_cell(sheet, number, index, text, number=column.is_numeric)
    names = [column.title for column in table.columns]
    fixed = names.index("name") + 1 if "name" in names else 1
    sheet.freeze_panes = f"{to_letters(fixed + 1)}2"
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToHeight = 0
    sheet.print_title_rows = "1:1"
    sheet.auto_filter.ref = f"A1:{to_letters(len(table.columns))}{len(table.rows) + 1}"


def _widen(sheet: Worksheet, index: int, width: int) -> None:
    """Fit a column's width to this many characters, within bounds."""
    look = sheet.column_dimensions[to_letters(index)]
    look.width = min(max(width + 2, _MIN_WIDTH), _MAX_WIDTH)


def _head(sheet: Worksheet, titles: Sequence[str]) -> None:
    for index, title in enumerate(titles, 1):
        _write_cell(sheet, 1, index, title, number=False)
        cell = sheet.cell(1, index)
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor=_HEAD_FILL)


def _write_cell(sheet: Worksheet, row: int, column: int, text: str, *, number: bool) -> None:
    """Write a cell; an empty one only gets its format."""
    cell = sheet.cell(row, column)
    if number and (PLAIN_NUMBER.fullmatch(text) or not text):
        cell.value = (float(text) if "." in text else int(text)) if text else None
        return
    cell.number_format = _TEXT_FORMAT
    if text:
        cell.value = escape_ooxml(text)
        # openpyxl would take `=…` for a formula, and `#N/A` for an error.
        cell.data_type = "s"
        cell.quotePrefix = text[0] in "=+-@"


def _validate(sheet: Worksheet, table: Table, lists: str, values: Sequence[Terms]) -> None:
    """Add drop-down lists and bounds to the columns of a table."""
    for index, column in enumerate(table.columns, 1):
        value = column.attribute.value if column.attribute else None
        if column.terms:
            at = to_letters(2 * values.index(column.terms) + 1)
            # Cells with lists may hold several values; their drop-down is only a help.
            strict = column.items is None
            rule = DataValidation(
                type="list",
                formula1=f"'{lists}'!${at}$2:${at}${len(column.terms) + 1}",
                showErrorMessage=strict,
                error=f"This is not in the list; see the tab {lists}." if strict else None,
            )
        elif value is not None and value.kind in {"integer", "decimal"}:
            rule = DataValidation(
                type="whole" if value.kind == "integer" else "decimal",
                operator="between",
                formula1=str(value.minimum),
                formula2=str(value.maximum),
                showErrorMessage=True,
                error=f"This must be {value.description}.",
            )
        else:
            continue
        rule.allow_blank, rule.errorTitle = True, column.title
        rule.add(f"{to_letters(index)}2:{to_letters(index)}{_LAST_ROW}")
        sheet.add_data_validation(rule)
