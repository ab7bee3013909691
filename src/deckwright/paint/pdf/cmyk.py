"""What a PDF for the press says of its inks: the printing condition, and a part of PDF/X."""

from __future__ import annotations

import zlib
from typing import NamedTuple

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFInfo, PDFName, PDFStream, PDFString
from reportlab.pdfgen.canvas import Canvas

VERSION = 1, 4
"""The version of PDF that the parts of PDF/X of 2003 are made of."""


class Intent(NamedTuple):
    """The printing condition that a PDF is made for.

    Attributes:
        name: what the ICC profile says it is.
        icc: the ICC profile.
        pdfx: the part of PDF/X that the file says it is, such as "PDF/X-1a:2003".
    """

    name: str
    icc: bytes
    pdfx: str | None = None


def set_intent(canvas: Canvas, intent: Intent) -> None:
    """Make the document of a canvas say what it is printed for, as ISO 15930-4 has it."""
    document = canvas._doc  # noqa: SLF001 - no other way
    flate = PDFDictionary({"N": 4, "Filter": PDFName("FlateDecode")})
    stream = PDFStream(flate, zlib.compress(intent.icc))
    output = PDFDictionary(
        {
            "Type": PDFName("OutputIntent"),
            "S": PDFName("GTS_PDFX"),
            # A name in the ICC's registry would make the profile needless; this one is not there.
            "OutputConditionIdentifier": PDFString("Custom"),
            "Info": PDFString(intent.name),
            "DestOutputProfile": document.Reference(stream),
        }
    )
    catalog = document.Catalog
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.OutputIntents = PDFArray([output])
    if intent.pdfx is not None:
        info = _PdfxInfo()
        info.__dict__.update(document.info.__dict__)
        info.part = intent.pdfx
        document.info = info


class _PdfxInfo(PDFInfo):  # type: ignore[misc]
    """The metadata of a PDF that says it is a part of PDF/X."""

    part = ""

    def format(self, document: object) -> bytes:
        """Return the dictionary, with the entry that says so."""
        written: bytes = super().format(document)
        entry = b"/GTS_PDFXVersion (%s)\n>>" % self.part.encode("ascii")
        return entry.join(written.rsplit(b">>", 1))
