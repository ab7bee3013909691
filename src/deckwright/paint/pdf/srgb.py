"""The color space of what is not printed in inks: sRGB, IEC 61966-2-1.

`srgb.icc` is LittleCMS' own, from `ImageCms.createProfile("sRGB")` of Pillow, with a fixed date and
the version 4.2 of ICC profiles, which is the last that PDF 1.7 knows.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFName,
    PDFObject,
    PDFStream,
    PDFString,
)
from reportlab.pdfgen.canvas import Canvas

_PROFILE = Path(__file__).with_name("srgb.icc")
_NAME = "sRGB IEC61966-2.1"


def set_srgb(canvas: Canvas) -> None:
    """Make the document of a canvas say that its colors are sRGB, as ISO 19005-2, 6.2.3 has it."""
    document = canvas._doc  # noqa: SLF001 - no other way
    intent = output_intent(document.Reference(srgb_profile()))
    catalog = document.Catalog
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.OutputIntents = PDFArray([intent])


def srgb_profile() -> PDFStream:
    """Return the profile of sRGB."""
    flate = PDFDictionary({"N": 3, "Filter": PDFName("FlateDecode")})
    return PDFStream(flate, zlib.compress(_PROFILE.read_bytes()))


def output_intent(profile: PDFObject) -> PDFDictionary:
    """Return what a file says of its colors, with a reference to the profile of sRGB."""
    return PDFDictionary(
        {
            "Type": PDFName("OutputIntent"),
            "S": PDFName("GTS_PDFA1"),
            "OutputConditionIdentifier": PDFString(_NAME),
            "Info": PDFString(_NAME),
            "DestOutputProfile": profile,
        }
    )
