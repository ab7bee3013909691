"""Objects are packed into streams where the version of PDF has these."""

from __future__ import annotations

import io

import pikepdf
import pytest
from pypdf import PdfReader

from deckwright.paint.pdf.objects import PdfFile

PAGES = 450


def write(version: tuple[int, int]) -> bytes:
    """Return a file with many pages, and a stream in the middle of the numbers."""
    chunks: list[bytes] = []
    file = PdfFile(chunks.append, version)
    tree = file.reserve()
    content = file.add(b"<</Length 5>>stream\r\n0 0 m\r\nendstream")
    head = b"/Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<<>>" % (tree, content)
    pages = [file.add(b"<<%s/MediaBox[0 0 9 %d]>>" % (head, at)) for at in range(4, 4 + PAGES)]
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    file.add(b"<</Type/Pages/Count %d/Kids[%s]>>" % (PAGES, kids), tree)
    file.finish(file.add(b"<</Type/Catalog/Pages %d 0 R>>" % tree), file.add(b"<<>>"))
    return b"".join(chunks)


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
