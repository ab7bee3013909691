"""The metadata of a PDF: title, author, language and dates, as Info dictionary and XMP."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright import __version__
from deckwright.base.strings import escape_text
from deckwright.base.units import resolve_date
from deckwright.game.folder import GameFolder
from deckwright.game.setup import Setup
from deckwright.paint.pdf.content import Spot
from deckwright.paint.pdf.objects import DocumentPart, PdfFile, compress_stream, encode_text


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


CREATOR = PRODUCER = f"Deckwright {__version__}"

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


def add_info(file: PdfFile, info: Info, intent: OutputIntent | None) -> int:
    """Write the Info dictionary, with the same values as the XMP; return its number."""
    date = info.date.strftime("(D:%Y%m%d%H%M%S+00'00')").encode()
    texts = {
        "Title": info.title,
        "Author": info.author,
        "Subject": info.subject,
        "Creator": CREATOR,
        "Producer": PRODUCER,
    }
    if intent is not None and intent.stated and intent.pdfx == X1A:
        texts["GTS_PDFXVersion"] = X1A
    entries = b"".join(
        b"/%s%s" % (name.encode(), encode_text(text)) for name, text in texts.items()
    )
    return file.add(b"<<%s/CreationDate%s/ModDate%s/Trapped/False>>" % (entries, date, date))


def format_xmp(info: Info, *more: str, tagged: bool = False) -> str:
    """Return the XMP packet with `more` properties and without empty ones."""
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
        *(_CONFORMANCE if tagged else ()),
        *more,
    ]
    known = _NAMESPACES | (_STANDARD_NAMESPACES if tagged else _PRESS_NAMESPACES if more else {})
    spaces = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in known.items())
    begin = f'<?xpacket begin="\ufeff" id="{_PACKET_ID}"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">'
    about = f'<rdf:RDF{spaces}>\n<rdf:Description rdf:about="">'
    end = '</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end="r"?>'
    return "\n".join([begin, about, *lines, end])


def format_xmp_date(info: Info) -> str:
    """Return the creation date in the format of XMP."""
    return info.date.strftime("%Y-%m-%dT%H:%M:%SZ")


def _list_property(name: str, kind: str, text: str, attributes: str = "") -> list[str]:
    """Return a list property with one item; nothing if the item is empty."""
    item = f"<rdf:li{attributes}>{escape_text(text)}</rdf:li>"
    return [f"<{name}><rdf:{kind}>{item}</rdf:{kind}></{name}>"] if text else []


_UA_PART = "The part of ISO 14289 that the file keeps"
_CONFORMANCE = (
    "<pdfaid:part>2</pdfaid:part>",
    "<pdfaid:conformance>A</pdfaid:conformance>",
    "<pdfuaid:part>1</pdfuaid:part>",
    '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">',
    "<pdfaSchema:schema>PDF/UA</pdfaSchema:schema>",
    f"<pdfaSchema:namespaceURI>{_STANDARD_NAMESPACES['pdfuaid']}</pdfaSchema:namespaceURI>",
    "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>",
    '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">',
    "<pdfaProperty:name>part</pdfaProperty:name>",
    "<pdfaProperty:valueType>Integer</pdfaProperty:valueType>",
    "<pdfaProperty:category>internal</pdfaProperty:category>",
    f"<pdfaProperty:description>{_UA_PART}</pdfaProperty:description>",
    "</rdf:li></rdf:Seq></pdfaSchema:property>",
    "</rdf:li></rdf:Bag></pdfaExtension:schemas>",
)
"""The conformance properties; PDF/A requires a schema for that of PDF/UA."""


X1A, X4 = "PDF/X-1a:2003", "PDF/X-4"
"""The parts of PDF/X by their identifiers."""
CUSTOM, REGISTRY = "Custom", "http://www.color.org"
"""The identifier of an unregistered printing condition, and the registry of the others."""


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
        return (1, 6) if self.pdfx == X4 else (1, 4)


_SRGB, _SRGB_NAME = Path(__file__).with_name("srgb.icc"), "sRGB IEC61966-2.1"


def add_output_intent(file: PdfFile, intent: OutputIntent | None) -> int:
    """Write the printing condition of a file with its ICC profile; return its number.

    Without a press, the colors are declared to be sRGB (ISO 19005-2, 6.2.3).
    """
    if intent is None:
        kind, channels, icc, registry = b"GTS_PDFA1", 3, _SRGB.read_bytes(), b""
        condition = name = _SRGB_NAME
    else:
        kind, channels, icc, name = b"GTS_PDFX", 4, intent.icc, intent.name
        condition = intent.condition or CUSTOM
        registry = b"/RegistryName%s" % encode_text(REGISTRY) if intent.registered else b""
    profile = file.add(compress_stream(b"/N %d" % channels, icc))
    return file.add(
        b"<</Type/OutputIntent/S/%s/OutputConditionIdentifier%s/Info%s/DestOutputProfile %d 0 R%s>>"
        % (kind, encode_text(condition), encode_text(name), profile, registry)
    )


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
        date = format_xmp_date(info)
        lines.append("<pdfvtid:GTS_PDFVTVersion>PDF/VT-1</pdfvtid:GTS_PDFVTVersion>")
        lines.append(f"<pdfvtid:GTS_PDFVTModDate>{date}</pdfvtid:GTS_PDFVTModDate>")
    return lines
