"""What a PDF for the press says of itself: the printing condition, and what it is of PDF/X.

PDF/X-1a:2003 is ISO 15930-4, PDF/X-4 is ISO 15930-7.
"""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFDocument,
    PDFInfo,
    PDFName,
    PDFStream,
    PDFString,
)
from reportlab.pdfgen.canvas import Canvas

from deckwright.paint.pdf.document_parts import DocumentPart
from deckwright.paint.pdf.info import Info
from deckwright.paint.pdf.metadata import moment, xmp
from deckwright.paint.pdf.spots import Spot

X1A, X4 = "PDF/X-1a:2003", "PDF/X-4"
"""The parts of PDF/X, as files name them."""
CUSTOM, REGISTRY = "Custom", "http://www.color.org"
"""What files call a printing condition without a known name, and the registry of the others."""
_VERSIONS = {X4: (1, 6)}
"""The version of PDF that a part of PDF/X is made of: 1.4 for that of 2003, and for none."""


class Intent(NamedTuple):
    """The printing condition that a PDF is made for.

    Attributes:
        name: what the ICC profile says it is.
        icc: the ICC profile.
        pdfx: the part of PDF/X that it is made to, `X1A` or `X4`; None for none.
        stated: whether the file says so.
        spots: the inks beside the four by id.
        condition: the name of the printing condition; None if it is not known.
        registered: whether the registry of the ICC has it.
    """

    name: str
    icc: bytes
    pdfx: str | None = None
    stated: bool = False
    spots: Mapping[str, Spot] = MappingProxyType({})
    condition: str | None = None
    registered: bool = False

    @property
    def version(self) -> tuple[int, int]:
        """The version of PDF that it is made of."""
        return _VERSIONS.get(self.pdfx or "", (1, 4))


def set_intent(canvas: Canvas, intent: Intent, info: Info) -> None:
    """Make the document of a canvas say what it is printed for."""
    document = canvas._doc  # noqa: SLF001 - no other way
    catalog = document.Catalog
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.OutputIntents = PDFArray([output_intent(document, intent)])
    if intent.pdfx == X4:
        said = xmp(info, *properties(intent, info)).encode()
        dictionary = PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")})
        catalog.Metadata = PDFStream(dictionary, said)
    elif intent.pdfx is not None and intent.stated:
        named = _PdfxInfo()
        named.__dict__.update(document.info.__dict__)
        named.part = intent.pdfx
        document.info = named


def output_intent(document: PDFDocument, intent: Intent) -> PDFDictionary:
    """Return what a file says that it is printed for; the ICC profile is entered in a document."""
    flate = PDFDictionary({"N": 4, "Filter": PDFName("FlateDecode")})
    stream = PDFStream(flate, zlib.compress(intent.icc))
    return PDFDictionary(
        {
            "Type": PDFName("OutputIntent"),
            "S": PDFName("GTS_PDFX"),
            "OutputConditionIdentifier": PDFString(intent.condition or CUSTOM),
            "Info": PDFString(intent.name),
            "DestOutputProfile": document.Reference(stream),
            **({"RegistryName": PDFString(REGISTRY)} if intent.registered else {}),
        }
    )


def set_blending(canvas: Canvas, intent: Intent) -> None:
    """Make what is translucent on the page that was just ended mix as inks do, not as light."""
    if intent.pdfx == X4:
        page = canvas._doc.Pages.pages[-1]  # noqa: SLF001 - no other way
        page.__NoDefault__ = [*page.__NoDefault__, "Group"]
        entries = {"S": "Transparency", "CS": "DeviceCMYK"}
        group = {"Type": PDFName("Group")} | {key: PDFName(name) for key, name in entries.items()}
        page.Group = PDFDictionary({**group, "I": "true"})


def properties(intent: Intent, info: Info, parts: Sequence[DocumentPart] = ()) -> list[str]:
    """Return what XMP says in PDF/X-4: an id of the document that is the same for the same.

    A file with document parts that says that it is PDF/X-4 is PDF/VT-1 as well (ISO 16612-2, 6.3).
    """
    content = f"{info.title} {info.author} {info.subject} {info.date} {intent.name}"
    content += "".join(f" {name}={fact}" for part in parts for name, fact in part.facts.items())
    number = uuid.uuid5(uuid.NAMESPACE_URL, content)
    said = [
        "<pdf:Trapped>False</pdf:Trapped>",
        f"<xmpMM:DocumentID>uuid:{number}</xmpMM:DocumentID>",
        "<xmpMM:VersionID>1</xmpMM:VersionID>",
        "<xmpMM:RenditionClass>default</xmpMM:RenditionClass>",
    ]
    if intent.stated:
        said.append(f"<pdfxid:GTS_PDFXVersion>{intent.pdfx}</pdfxid:GTS_PDFXVersion>")
    if intent.stated and parts:
        said.append("<pdfvtid:GTS_PDFVTVersion>PDF/VT-1</pdfvtid:GTS_PDFVTVersion>")
        said.append(f"<pdfvtid:GTS_PDFVTModDate>{moment(info)}</pdfvtid:GTS_PDFVTModDate>")
    return said


class _PdfxInfo(PDFInfo):  # type: ignore[misc]
    """The metadata of a PDF that says it is a part of PDF/X."""

    part = ""

    def format(self, document: object) -> bytes:
        """Return the dictionary, with the entry that says so."""
        written: bytes = super().format(document)
        entry = b"/GTS_PDFXVersion (%s)\n>>" % self.part.encode("ascii")
        return entry.join(written.rsplit(b">>", 1))
