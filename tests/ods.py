"""Make OpenDocument spreadsheets."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

SPACES = 'xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:calcext="c"'
CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
NUMBER = '<table:table-cell office:value-type="float" office:value="{}"/>'


def write(path: Path, rows: str, tabs: int = 1) -> Path:
    """Write a spreadsheet whose tabs have these rows."""
    tables = "".join(
        f'<table:table table:name="T{n}">{rows}</table:table>' for n in range(1, tabs + 1)
    )
    text = (
        f"<office:document-content {SPACES}><office:body><office:spreadsheet>{tables}"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", text)
    path.write_bytes(packed.getvalue())
    return path


def row(*cells: str, times: int = 1) -> str:
    """Return the XML of a row, which may be repeated."""
    more = f' table:number-rows-repeated="{times}"' if times > 1 else ""
    return f"<table:table-row{more}>{''.join(cells)}</table:table-row>"
