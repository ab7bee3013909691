"""Objects of a PDF that are written as they are, where ReportLab's would be slow or lack a part."""

from __future__ import annotations

from reportlab.pdfbase.pdfdoc import PDFDocument, PDFObject


class Written(PDFObject):  # type: ignore[misc]
    """An object that is its own text."""

    def __init__(self, text: bytes) -> None:
        """Take what is between `obj` and `endobj`."""
        self.text = text

    def format(self, _: PDFDocument) -> bytes:
        """Return the text."""
        return self.text


def number_of(document: PDFDocument, written: PDFObject) -> int:
    """Enter an object in a document, if it is not yet there; return its number."""
    reference = document.Reference(written)
    return int(document.idToObjectNumberAndVersion[reference.name][0])


def text_string(text: str) -> bytes:
    """Return a text as a string: in ASCII if it is that, else in UTF-16 (ISO 32000-1, 7.9.2.2)."""
    data = text.encode("ascii") if text.isascii() else b"\xfe\xff" + text.encode("utf-16-be")
    for special in (b"\\", b"(", b")", b"\r"):
        data = data.replace(special, b"\\r" if special == b"\r" else b"\\" + special)
    return b"(" + data + b")"
