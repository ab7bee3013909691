"""Cells of XLSX workbooks, whatever program wrote them."""

from __future__ import annotations

import io
import zipfile

import pytest

from deckwright.grids.workbooks import WorkbookReader

RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def book(rows: str, encoding: str = "utf-8") -> bytes:
    """Return a workbook with one tab."""

    def related(kind: str, target: str) -> str:
        return (
            f'<Relationships><Relationship Id="a" Type="{RELATED}/{kind}" Target="{target}"/>'
            "</Relationships>"
        )

    head = f'<?xml version="1.0" encoding="{encoding}"?>'
    parts = {
        "_rels/.rels": related("officeDocument", "xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": related("worksheet", "s.xml"),
        "xl/workbook.xml": f'<workbook xmlns:r="{RELATED}"><sheet name="T" r:id="a"/></workbook>',
        "xl/s.xml": f"{head}<x:worksheet xmlns:x='x'>{rows}</x:worksheet>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text.encode(encoding))
    return packed.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_texts_come_in_runs_and_pieces(encoding: str) -> None:
    rows = """<x:row><x:c t="inlineStr">
        <x:is>
          <x:r><x:t>Ol</x:t></x:r><x:r><x:rPr/><x:t>m_x00e9_</x:t></x:r>
          <x:rPh sb="0"><x:t>hint</x:t></x:rPh>
        </x:is></x:c><x:c><x:v>1.50</x:v></x:c></x:row>
        <x:row r="4"><x:c r="C4" t="str"><x:f>A1</x:f><x:v>ö</x:v></x:c><x:c><x:f>B</x:f></x:c>
        </x:row>"""
    cells = WorkbookReader(book(rows, encoding)).read("T").cells
    assert {at: (cell.text, cell.lock) for at, cell in cells.items()} == {
        (1, 1): ("Olmé", ""),
        (1, 2): ("1.5", ""),
        (4, 3): ("ö", "formula"),
        (4, 4): ("", "formula"),
    }
    assert cells[4, 4].problem == "its formula was never computed"
