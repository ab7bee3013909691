"""Objects are packed into streams where the version of PDF has these."""

from __future__ import annotations

import io

import pikepdf
import pytest
from pypdf import PdfReader

from deckwright.paint.pdf.objects import ObjectWriter

PAGES = 450


def write(version: tuple[int, int]) -> bytes:
    """Return a file with many pages, and a stream in the middle of the numbers."""
    file = io.BytesIO(b"%%PDF-%d.%d\n" % version)
    file.seek(0, io.SEEK_END)

    def append(data: bytes) -> int:
        place = file.tell()
        file.write(data)
        return place

    writer = ObjectWriter(append, version)
    kids = b" ".join(b"%d 0 R" % number for number in range(4, 4 + PAGES))
    writer.add(1, b"<</Type/Catalog/Pages 2 0 R>>")
    writer.add(2, b"<</Type/Pages/Count %d/Kids[%s]>>" % (PAGES, kids))
    writer.add(3, b"<</Length 5>>stream\r\n0 0 m\r\nendstream")
    for number in range(4, 4 + PAGES):
        page = (
            b"<</Type/Page/Parent 2 0 R/Contents 3 0 R/MediaBox[0 0 9 %d]/Resources<<>>>>" % number
        )
        writer.add(number, page)
    writer.finish(b"/Root 1 0 R")
    return file.getvalue()


@pytest.mark.parametrize("version", [(1, 4), (1, 5), (1, 7)])
def test_readers_find_all_objects(version: tuple[int, int]) -> None:
    data = write(version)
    heights = [page.mediabox.height for page in PdfReader(io.BytesIO(data), strict=True).pages]
    assert heights == [*range(4, 4 + PAGES)]
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert pdf.get_warnings() == []
        assert pdf.check_pdf_syntax() == []
        assert pdf.pages[-1].Contents.read_bytes() == b"0 0 m"


def test_packed_objects_take_less_room() -> None:
    plain, packed = write((1, 4)), write((1, 5))
    assert b"\nxref\n" in plain
    assert b"\nxref\n" not in packed
    assert packed.count(b"/Type/ObjStm") == 3
    assert b"/Type/Catalog" not in packed
    assert len(packed) < len(plain) / 5
