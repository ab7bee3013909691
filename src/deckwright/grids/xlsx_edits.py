"""Edit the cells of a workbook: everything else in it, charts and formats too, stays as it is."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path

from deckwright.base.files import to_letters
from deckwright.base.strings import escape_text
from deckwright.grids.workbooks import PLAIN_NUMBER, WorkbookReader, escape_ooxml, parse_ordinal
from deckwright.xmlio.xml_text import RawElement, parse_xml_file, replace_content

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
