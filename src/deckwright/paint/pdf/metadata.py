"""The metadata of a PDF: title, author, language and dates, as Info dictionary and XMP."""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime
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

from deckwright import __version__
from deckwright.base.strings import escape_text
from deckwright.base.units import resolve_date
from deckwright.game.folder import GameFolder
from deckwright.game.setup import Setup
from deckwright.paint.pdf.colors import Spot
from deckwright.paint.pdf.objects import DocumentPart


class Info(NamedTuple):
    """The metadata of a PDF.

    Attributes:
        author: "" if there is none.
        language: a code such as "de".
        date: the creation date, in UTC.
    """

    title: str
    author: str
    subject: str
    language: str
    date: datetime


def info_of(title: str, setup: Setup, folder: GameFolder) -> Info:
    """Return the metadata of a PDF that belongs to a game."""
    return Info(title, setup.author, setup.name, setup.language, resolve_date(folder.inputs()))


CREATOR, PRODUCER = f"Deckwright {__version__}", "ReportLab"

_NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
}
_PRESS_NAMESPACES = {
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
    "pdfvtid": "http://www.npes.org/pdfvt/ns/id/",
}
_STANDARD_NAMESPACES = {
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "pdfuaid": "http://www.aiim.org/pdfua/ns/id/",
    "pdfaExtension": "http://www.aiim.org/pdfa/ns/extension/",
    "pdfaSchema": "http://www.aiim.org/pdfa/ns/schema#",
    "pdfaProperty": "http://www.aiim.org/pdfa/ns/property#",
}
_PACKET_ID = "W5M0MpCehiHzreSzNTczkc9d"
"""The packet id by which programs find XMP inside other files."""


def set_metadata(canvas: Canvas, info: Info, *, tagged: bool) -> None:
    """Set the metadata of a canvas; viewers show the title instead of the file name.

    Args:
        tagged: whether it is PDF/A-2a and PDF/UA-1.
    """
    canvas.setTitle(info.title)
    canvas.setAuthor(info.author)
    canvas.setSubject(info.subject)
    canvas.setCreator(CREATOR)
    canvas.setProducer(PRODUCER)
    canvas.setViewerPreference("DisplayDocTitle", "true")
    document = canvas._doc  # noqa: SLF001 - no other way
    document._timeStamp = _TimeStamp(info.date)  # noqa: SLF001
    document.signature.update(info.date.isoformat().encode())
    dictionary = PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")})
    document.Catalog.Metadata = PDFStream(dictionary, format_xmp(info, tagged=tagged).encode())


class _TimeStamp:
    """A UTC time with the attributes that ReportLab reads."""

    dhh = dmm = 0

    def __init__(self, date: datetime) -> None:
        self.t = date.timestamp()
        self.YMDhms = tuple(date.timetuple())[:6]


def format_xmp(info: Info, *more: str, tagged: bool = False) -> str:
    """Return the XMP packet without empty properties.

    Args:
        more: additional properties.
    """
    date = format_xmp_date(info)
    lines = [
        "<dc:format>application/pdf</dc:format>",
        *_list_property("dc:title", "Alt", info.title, ' xml:lang="x-default"'),
        *_list_property("dc:creator", "Seq", info.author),
        *_list_property("dc:description", "Alt", info.subject, ' xml:lang="x-default"'),
        *_list_property("dc:language", "Bag", info.language),
        f"<xmp:CreateDate>{date}</xmp:CreateDate>",
        f"<xmp:ModifyDate>{date}</xmp:ModifyDate>",
        f"<xmp:MetadataDate>{date}</xmp:MetadataDate>",
        f"<xmp:CreatorTool>{escape_text(CREATOR)}</xmp:CreatorTool>",
        f"<pdf:Producer>{escape_text(PRODUCER)}</pdf:Producer>",
        *(_conformance_lines() if tagged else ()),
        *more,
    ]
    known = (
        {**_NAMESPACES, **_STANDARD_NAMESPACES}
        if tagged
        else {**_NAMESPACES, **(_PRESS_NAMESPACES if more else {})}
    )
    spaces = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in known.items())
    return "\n".join(
        [
            f'<?xpacket begin="\ufeff" id="{_PACKET_ID}"?>',
            '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
            f"<rdf:RDF{spaces}>",
            '<rdf:Description rdf:about="">',
            *lines,
            "</rdf:Description>",
            "</rdf:RDF>",
            "</x:xmpmeta>",
            '<?xpacket end="r"?>',
        ]
    )


def format_xmp_date(info: Info) -> str:
    """Return the creation date in the format of XMP."""
    return info.date.strftime("%Y-%m-%dT%H:%M:%SZ")


def _list_property(name: str, kind: str, text: str, attributes: str = "") -> list[str]:
    """Return a list property with one item; nothing if the item is empty."""
    item = f"<rdf:li{attributes}>{escape_text(text)}</rdf:li>"
    return [f"<{name}><rdf:{kind}>{item}</rdf:{kind}></{name}>"] if text else []


def _conformance_lines() -> list[str]:
    """Return the conformance properties; PDF/A requires a schema for that of PDF/UA."""
    fields = {"name": "part", "valueType": "Integer", "category": "internal",
            "description": "The part of ISO 14289 that the file keeps"}  # fmt: skip
    schema = {
        "schema": "PDF/UA",
        "namespaceURI": _STANDARD_NAMESPACES["pdfuaid"],
        "prefix": "pdfuaid",
    }
    return [
        "<pdfaid:part>2</pdfaid:part>",
        "<pdfaid:conformance>A</pdfaid:conformance>",
        "<pdfuaid:part>1</pdfuaid:part>",
        '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">',
        *(f"<pdfaSchema:{name}>{text}</pdfaSchema:{name}>" for name, text in schema.items()),
        '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">',
        *(f"<pdfaProperty:{name}>{text}</pdfaProperty:{name}>" for name, text in fields.items()),
        "</rdf:li></rdf:Seq></pdfaSchema:property>",
        "</rdf:li></rdf:Bag></pdfaExtension:schemas>",
    ]


X1A, X4 = "PDF/X-1a:2003", "PDF/X-4"
"""The parts of PDF/X by their identifiers."""
CUSTOM, REGISTRY = "Custom", "http://www.color.org"
"""The identifier of an unregistered printing condition, and the registry of the others."""
_VERSIONS = {X4: (1, 6)}
"""The PDF version of each part of PDF/X; 1.4 for X-1a:2003 and for plain PDF."""


class OutputIntent(NamedTuple):
    """The printing condition of a PDF.

    Attributes:
        name: the description of the ICC profile.
        icc: the ICC profile.
        pdfx: the part of PDF/X that the file follows, `X1A` or `X4`, or None.
        stated: whether the file claims that conformance.
        spots: the spot inks by id.
        condition: the name of the printing condition; None if unknown.
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
        """The version of PDF to write."""
        return _VERSIONS.get(self.pdfx or "", (1, 4))


def set_intent(canvas: Canvas, intent: OutputIntent, info: Info) -> None:
    """Set the output intent of a document, and its PDF/X metadata."""
    document = canvas._doc  # noqa: SLF001 - no other way
    catalog = document.Catalog
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.OutputIntents = PDFArray([output_intent(document, intent)])
    if intent.pdfx == X4:
        packet = format_xmp(info, *pdfx_properties(intent, info)).encode()
        dictionary = PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")})
        catalog.Metadata = PDFStream(dictionary, packet)
    elif intent.pdfx is not None and intent.stated:
        named = _PdfxInfo()
        named.__dict__.update(document.info.__dict__)
        named.part = intent.pdfx
        document.info = named


def output_intent(document: PDFDocument, intent: OutputIntent) -> PDFDictionary:
    """Return the output intent dictionary, and enter the ICC profile in the document."""
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


def set_page_group(canvas: Canvas, intent: OutputIntent) -> None:
    """Blend translucent content of the latest page in CMYK instead of RGB."""
    if intent.pdfx == X4:
        page = canvas._doc.Pages.pages[-1]  # noqa: SLF001 - no other way
        page.__NoDefault__ = [*page.__NoDefault__, "Group"]
        entries = {"S": "Transparency", "CS": "DeviceCMYK"}
        group = {"Type": PDFName("Group")} | {key: PDFName(name) for key, name in entries.items()}
        page.Group = PDFDictionary({**group, "I": "true"})


def pdfx_properties(
    intent: OutputIntent, info: Info, parts: Sequence[DocumentPart] = ()
) -> list[str]:
    """Return the XMP properties of PDF/X-4, with a reproducible document id.

    A file that claims PDF/X-4 and has document parts is PDF/VT-1 as well (ISO 16612-2, 6.3).
    """
    content = f"{info.title} {info.author} {info.subject} {info.date} {intent.name}"
    content += "".join(f" {name}={fact}" for part in parts for name, fact in part.facts.items())
    number = uuid.uuid5(uuid.NAMESPACE_URL, content)
    lines = [
        "<pdf:Trapped>False</pdf:Trapped>",
        f"<xmpMM:DocumentID>uuid:{number}</xmpMM:DocumentID>",
        "<xmpMM:VersionID>1</xmpMM:VersionID>",
        "<xmpMM:RenditionClass>default</xmpMM:RenditionClass>",
    ]
    if intent.stated:
        lines.append(f"<pdfxid:GTS_PDFXVersion>{intent.pdfx}</pdfxid:GTS_PDFXVersion>")
    if intent.stated and parts:
        lines.append("<pdfvtid:GTS_PDFVTVersion>PDF/VT-1</pdfvtid:GTS_PDFVTVersion>")
        lines.append(
            f"<pdfvtid:GTS_PDFVTModDate>{format_xmp_date(info)}</pdfvtid:GTS_PDFVTModDate>"
        )
    return lines


class _PdfxInfo(PDFInfo):  # type: ignore[misc]
    """An Info dictionary that claims a part of PDF/X."""

    part = ""

    def format(self, document: object) -> bytes:
        """Return the dictionary with the entry `GTS_PDFXVersion`."""
        written: bytes = super().format(document)
        entry = b"/GTS_PDFXVersion (%s)\n>>" % self.part.encode("ascii")
        return entry.join(written.rsplit(b">>", 1))
