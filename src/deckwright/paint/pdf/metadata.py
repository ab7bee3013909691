"""What a PDF says of itself: title, author, language and dates, for people and as XMP.

XMP is ISO 16684-1; the names that a PDF's own entries have in it are those of ISO 32000-2, 14.3.
What a file says of the standards that it keeps is ISO 19005-2, 6.6, and ISO 14289-1, 5.
"""

from __future__ import annotations

from datetime import datetime

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName, PDFStream
from reportlab.pdfgen.canvas import Canvas

from deckwright import __version__
from deckwright.base.markup import escaped
from deckwright.paint.pdf.info import Info

CREATOR, PRODUCER = f"Deckwright {__version__}", "ReportLab"

_SPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
}
_PRESS = {
    "xmpMM": "http://ns.adobe.com/xap/1.0/mm/",
    "pdfxid": "http://www.npes.org/pdfx/ns/id/",
    "pdfvtid": "http://www.npes.org/pdfvt/ns/id/",
}
_STANDARDS = {
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "pdfuaid": "http://www.aiim.org/pdfua/ns/id/",
    "pdfaExtension": "http://www.aiim.org/pdfa/ns/extension/",
    "pdfaSchema": "http://www.aiim.org/pdfa/ns/schema#",
    "pdfaProperty": "http://www.aiim.org/pdfa/ns/property#",
}
_PACKET = "W5M0MpCehiHzreSzNTczkc9d"
"""By this, programs find XMP inside files of other kinds."""


def set_metadata(canvas: Canvas, info: Info, *, tagged: bool) -> None:
    """Make the document of a canvas say what it is; viewers show its title rather than its name.

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
    document._timeStamp = _Stamp(info.date)  # noqa: SLF001
    document.signature.update(info.date.isoformat().encode())
    dictionary = PDFDictionary({"Type": PDFName("Metadata"), "Subtype": PDFName("XML")})
    document.Catalog.Metadata = PDFStream(dictionary, xmp(info, tagged=tagged).encode())


class _Stamp:
    """A time in UTC, as ReportLab wants it."""

    dhh = dmm = 0

    def __init__(self, date: datetime) -> None:
        self.t = date.timestamp()
        self.YMDhms = tuple(date.timetuple())[:6]


def xmp(info: Info, *more: str, tagged: bool = False) -> str:
    """Return the XMP packet; what a file does not know of itself is left out.

    Args:
        more: properties of some files alone.
    """
    date = moment(info)
    lines = [
        "<dc:format>application/pdf</dc:format>",
        *_list("dc:title", "Alt", info.title, ' xml:lang="x-default"'),
        *_list("dc:creator", "Seq", info.author),
        *_list("dc:description", "Alt", info.subject, ' xml:lang="x-default"'),
        *_list("dc:language", "Bag", info.language),
        f"<xmp:CreateDate>{date}</xmp:CreateDate>",
        f"<xmp:ModifyDate>{date}</xmp:ModifyDate>",
        f"<xmp:MetadataDate>{date}</xmp:MetadataDate>",
        f"<xmp:CreatorTool>{escaped(CREATOR)}</xmp:CreatorTool>",
        f"<pdf:Producer>{escaped(PRODUCER)}</pdf:Producer>",
        *(_standards() if tagged else ()),
        *more,
    ]
    known = {**_SPACES, **_STANDARDS} if tagged else {**_SPACES, **(_PRESS if more else {})}
    spaces = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in known.items())
    return "\n".join(
        [
            f'<?xpacket begin="\ufeff" id="{_PACKET}"?>',
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


def moment(info: Info) -> str:
    """Return when a file was made, as XMP writes it."""
    return info.date.strftime("%Y-%m-%dT%H:%M:%SZ")


def _list(name: str, kind: str, text: str, attributes: str = "") -> list[str]:
    """Return a property that is a list, with its only item; nothing if that is empty."""
    item = f"<rdf:li{attributes}>{escaped(text)}</rdf:li>"
    return [f"<{name}><rdf:{kind}>{item}</rdf:{kind}></{name}>"] if text else []


def _standards() -> list[str]:
    """Return the standards; PDF/A wants to be told what the property of PDF/UA is."""
    told = {"name": "part", "valueType": "Integer", "category": "internal",
            "description": "The part of ISO 14289 that the file keeps"}  # fmt: skip
    schema = {"schema": "PDF/UA", "namespaceURI": _STANDARDS["pdfuaid"], "prefix": "pdfuaid"}
    return [
        "<pdfaid:part>2</pdfaid:part>",
        "<pdfaid:conformance>A</pdfaid:conformance>",
        "<pdfuaid:part>1</pdfuaid:part>",
        '<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">',
        *(f"<pdfaSchema:{name}>{text}</pdfaSchema:{name}>" for name, text in schema.items()),
        '<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">',
        *(f"<pdfaProperty:{name}>{text}</pdfaProperty:{name}>" for name, text in told.items()),
        "</rdf:li></rdf:Seq></pdfaSchema:property>",
        "</rdf:li></rdf:Bag></pdfaExtension:schemas>",
    ]
