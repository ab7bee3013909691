"""Edit the cells of a workbook: everything else in it, charts and formats too, stays as it is."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from deckwright.base.files import to_letters
from deckwright.base.strings import escape_text
from deckwright.grids.xlsx import (
    PLAIN_NUMBER,
    WorkbookReader,
    escape_ooxml,
    parse_reference,
)
from deckwright.xmlio.xml_text import RawElement, XmlFile, parse_xml_file, replace_content

_FORMULA = re.compile(r"<(?:\w+:)?f[\s/>]")
_BEFORE_CALCULATION = ("sheets", "functionGroups", "externalReferences", "definedNames")
"""The elements of a workbook that precede its settings of calculation."""


def edit_xlsx(
    data: bytes,
    tab: str,
    at: int,
    texts: Mapping[int, str],
    numbers: Collection[int],
    like: int | None,
) -> bytes:
    """Return a workbook with other texts in some cells of a row.

    Where there are formulas, spreadsheet programs compute them all when they open it.

    Args:
        tab: the title of the tab.
        at: the index of the row; a missing one is added.
        texts: the texts by the index of their column.
        numbers: the columns of numbers.
        like: the index of a row whose formats a new row adopts.
    """
    book = WorkbookReader(data)
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        sheet = _open(source, book.tabs[tab])
        _edit_row(sheet, at, texts, numbers, like)
        files = [sheet]
        if any(_FORMULA.search(str(_open(source, part).document)) for part in book.tabs.values()):
            files.append(_open(source, book.main))
            _recalculate(files[-1].root)
        contents = {str(file.path): file.to_bytes() for file in files}
        result = io.BytesIO()
        with zipfile.ZipFile(result, "w") as target:
            target.comment = source.comment
            for info in source.infolist():
                content = source.read(info)
                target.writestr(info, contents.get(info.filename, content))
    return result.getvalue()


def _open(archive: zipfile.ZipFile, part: str) -> XmlFile:
    return parse_xml_file(Path(part), archive.read(part))


def _edit_row(
    sheet: XmlFile,
    at: int,
    texts: Mapping[int, str],
    numbers: Collection[int],
    like: int | None,
) -> None:
    prefix = sheet.root.tag.removesuffix("worksheet")
    holder = sheet.root.children(f"{prefix}sheetData")[0]
    rows = dict(_number(holder))
    model = dict(_number(rows[like + 1])) if like is not None and like + 1 in rows else {}
    if at + 1 not in rows:
        row = RawElement(f'<{prefix}row r="{at + 1}">', [], f"</{prefix}row>")
        holder.insert(row, "", "", after=_last_before(rows, at + 1))
        rows[at + 1] = row
        for size in sheet.root.children(f"{prefix}dimension"):
            size.head = re.sub(r"(?<=[A-Z])[0-9]+(?=[\"'])", str(max(rows)), size.head)
    row = rows[at + 1]
    row.set("spans", None, ())
    for column, text in sorted(texts.items()):
        cells = dict(_number(row))
        twin = cells.get(column + 1, model.get(column + 1))
        if column + 1 not in cells:
            cell = RawElement(f'<{prefix}c r="{to_letters(column + 1)}{at + 1}"/>')
            style = _get(twin, "s") if twin else ""
            cell.set("s", style or None, ("r", "s"))
            row.insert(cell, "", "", after=_last_before(cells, column + 1))
            cells[column + 1] = cell
        filled = twin is not None and bool(twin.parts)
        number = _get(twin, "t") in {"", "n"} if twin and filled else column in numbers
        _fill(cells[column + 1], text, prefix, number=number and bool(PLAIN_NUMBER.fullmatch(text)))


def _fill(cell: RawElement, text: str, prefix: str, *, number: bool) -> None:
    """Replace the content of a cell; its format stays."""
    cell.set("t", "inlineStr" if text and not number else None, ("r", "s", "t"))
    if number:
        replace_content(cell, f"<{prefix}v>{text}</{prefix}v>")
    elif text:
        inner = f'<{prefix}t xml:space="preserve">{escape_text(escape_ooxml(text))}</{prefix}t>'
        replace_content(cell, f"<{prefix}is>{inner}</{prefix}is>")
    else:
        cell.parts = []
        cell.close()


def _number(holder: RawElement) -> Iterator[tuple[int, RawElement]]:
    """Yield the rows of a sheet or the cells of a row with their numbers, which may be implied."""
    last = 0
    for child in holder.children():
        last = parse_reference(_get(child, "r")) or last + 1
        yield last, child


def _get(element: RawElement, name: str) -> str:
    return dict(element.attributes).get(name, "")


def _last_before(elements: Mapping[int, RawElement], number: int) -> RawElement | None:
    before = [each for each in elements if each < number]
    return elements[max(before)] if before else None


def _recalculate(book: RawElement) -> None:
    """Let spreadsheet programs compute all formulas when they open a workbook."""
    prefix = book.tag.removesuffix("workbook")
    settings = next(iter(book.children(f"{prefix}calcPr")), None)
    if settings is None:
        settings = RawElement(f"<{prefix}calcPr/>")
        earlier = book.children(*(f"{prefix}{name}" for name in _BEFORE_CALCULATION))
        book.insert(settings, "", "", after=earlier[-1])
    settings.set("fullCalcOnLoad", "1", ())
