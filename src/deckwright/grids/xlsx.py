"""Write XLSX workbooks, and edit cells of existing ones: charts, formats and all else stay.

Edits need no openpyxl, which takes long to import.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.base.files import make_unique, to_letters
from deckwright.base.strings import escape_text
from deckwright.grids.table import Column, Table
from deckwright.grids.workbooks import PLAIN_NUMBER, WorkbookReader, escape_ooxml, parse_ordinal
from deckwright.xmlio.shape import Terms
from deckwright.xmlio.xml_text import RawElement, parse_xml_file, replace_content

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

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
    """Return tables as a workbook; the tab `lists` has the allowed values."""
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

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
    from openpyxl.comments import Comment
    from openpyxl.worksheet.properties import PageSetupProperties

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
    from openpyxl.styles import Font, PatternFill

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
    from openpyxl.worksheet.datavalidation import DataValidation

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
            kind = "whole" if value.kind == "integer" else "decimal"
            bounds = {"formula1": str(value.minimum), "formula2": str(value.maximum)}
            rule = DataValidation(kind, operator="between", showErrorMessage=True, **bounds,
                                  error=f"This must be {value.description}.")  # fmt: skip
        else:
            continue
        rule.allow_blank, rule.errorTitle = True, column.title
        rule.add(f"{to_letters(index)}2:{to_letters(index)}{_LAST_ROW}")
        sheet.add_data_validation(rule)


_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_BEFORE_CALCULATION = ("sheets", "functionGroups", "externalReferences", "definedNames")
"""The elements of a workbook that precede its settings of calculation."""


def edit_xlsx(
    data: bytes,
    tab: str,
    texts: Mapping[int, Mapping[int, str]],
    numbers: Collection[int],
    like: int | None,
) -> bytes:
    """Return a workbook with other texts in some cells of rows, which may be new.

    If it has formulas, spreadsheet programs compute them all when they open it.

    Args:
        tab: the title of the tab.
        texts: the texts by the index of their column, by the index of their row.
        numbers: the columns of numbers.
        like: the index of a row whose formats a new row adopts.
    """
    book = WorkbookReader(data)
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        computed = any(_FORMULA.search(source.read(part)) for part in book.tabs.values())
        files = {
            part: parse_xml_file(Path(part), source.read(part))
            for part in (book.tabs[tab], *([book.main] if computed else ()))
        }
        sheet = files[book.tabs[tab]].root
        prefix = sheet.tag.removesuffix("worksheet")
        holder = sheet.children(f"{prefix}sheetData")[0]
        rows = _number(holder)
        model = _number(rows[like + 1]) if like is not None and like + 1 in rows else {}
        changes = [(at, *each) for at, row in texts.items() for each in row.items()]
        for at, column, text in changes:
            row = rows.get(at + 1)
            if row is None:
                row = rows[at + 1] = _insert(holder, rows, at + 1, f'{prefix}row r="{at + 1}"')
            row.set("spans", None, ())  # a hint for programs, which may be too narrow now
            cells = _number(row)
            twin = cells.get(column + 1) or model.get(column + 1) or RawElement("")
            head = f'{prefix}c r="{to_letters(column + 1)}{at + 1}"'
            cell = cells.get(column + 1) or _insert(row, cells, column + 1, head)
            cell.set("s", dict(twin.attributes).get("s"), ("r", "s"))
            # What had a text stays a text, even if it looks like a number.
            kind = dict(twin.attributes).get("t", "n")
            number = kind == "n" if twin.parts else column in numbers
            number = number and PLAIN_NUMBER.fullmatch(text) is not None
            cell.set("t", "inlineStr" if text and not number else None, ("r", "s", "t"))
            inner = f"<{prefix}v>{text}</{prefix}v>"
            if not number:
                written = escape_text(escape_ooxml(text))
                inner = f'<{prefix}t xml:space="preserve">{written}</{prefix}t>'
                inner = f"<{prefix}is>{inner}</{prefix}is>" if text else ""
            replace_content(cell, inner)
            cell.close()
        if computed:
            root = files[book.main].root
            prefix = root.tag.removesuffix("workbook")
            settings = next(iter(root.children(f"{prefix}calcPr")), None)
            if settings is None:
                settings = RawElement(f"<{prefix}calcPr/>")
                earlier = root.children(*(f"{prefix}{name}" for name in _BEFORE_CALCULATION))
                root.insert(settings, "", "", after=earlier[-1])
            settings.set("fullCalcOnLoad", "1", ())
        result = io.BytesIO()
        with zipfile.ZipFile(result, "w") as target:
            target.comment = source.comment
            for info in source.infolist():
                file = files.get(info.filename)
                content = file.to_bytes() if file else source.read(info)
                target.writestr(info, content)
    return result.getvalue()


def _number(holder: RawElement) -> dict[int, RawElement]:
    """Return the rows of a sheet or the cells of a row by their numbers, which may be implied."""
    numbered: dict[int, RawElement] = {}
    last = 0
    for child in holder.children():
        last = parse_ordinal(dict(child.attributes).get("r", "")) or last + 1
        numbered[last] = child
    return numbered


def _insert(
    holder: RawElement, others: Mapping[int, RawElement], number: int, head: str
) -> RawElement:
    """Insert an empty row or cell in the order of the numbers."""
    element = RawElement(f"<{head}/>")
    before = [each for each in others if each < number]
    holder.insert(element, "", "", after=others[max(before)] if before else None)
    return element
