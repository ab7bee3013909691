"""Separations for inks beside cyan, magenta, yellow and black, and images that are inks.

ISO 32000-1, 8.6.6.4: a separation has a name, and a way to show it by other colors.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import NamedTuple

from PIL import Image
from reportlab.pdfbase.pdfdoc import (
    PDFDictionary,
    PDFDocument,
    PDFName,
    PDFObject,
    PDFObjectReference,
    PDFStream,
)
from reportlab.pdfgen.canvas import Canvas

from deckwright.images.store import Prepared
from deckwright.paint.pdf.objects import Written


class Spot(NamedTuple):
    """An ink with a plate of its own.

    Attributes:
        name: of the separation.
        shown: the cyan, magenta, yellow and black by which it is shown, from 0 to 1.
    """

    name: str
    shown: tuple[float, float, float, float]


class Separations:
    """The separations of a document; those that a page or form uses are entered there."""

    def __init__(self, canvas: Canvas, spots: Mapping[str, Spot]) -> None:
        """Take the inks by id."""
        self._canvas = canvas
        self._spots = spots

    def name_of(self, ink_id: str) -> str:
        """Return how the page or form that is being painted calls the separation of an ink."""
        name = f"Ink{[*self._spots].index(ink_id)}"
        document = self._canvas._doc  # noqa: SLF001 - no other way
        if name not in document.idToObject:
            document.Reference(Written(_separation(self._spots[ink_id]).encode("ascii")), name)
        self._canvas._colorsUsed[name] = name  # noqa: SLF001
        return name

    def place(self, image: Prepared, ink_id: str) -> str:
        """Return the operator that draws an image from 0 to 1, in an ink or in CMYK with its mask.

        Args:
            ink_id: the ink; "" for CMYK.
        """
        canvas, name = self._canvas, f"{image.path.name}.{ink_id}"
        document = canvas._doc  # noqa: SLF001
        entered = document.getXObjectName(name)
        if entered not in document.idToObject:
            space: object = PDFName("DeviceCMYK")
            if ink_id:
                space = PDFObjectReference(self.name_of(ink_id))
            with Image.open(image.path) as opened:
                made = _ImageInInk(opened, space)
            if image.alpha is not None:
                with Image.open(image.alpha) as opened:
                    mask = _ImageInInk(opened, PDFName("DeviceGray"))
                made.mask = document.Reference(mask, f"{entered}.alpha")
            document.Reference(made, entered)
            document.addForm(name, made)
        canvas._formsinuse.append(name)  # noqa: SLF001
        return f"/{entered} Do"


def _separation(spot: Spot) -> str:
    shown = " ".join(f"{share:.3g}" for share in spot.shown)
    way = f"<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[{shown}]>>"
    return f"[/Separation /{_name(spot.name)} /DeviceCMYK {way}]"


def _name(text: str) -> str:
    """Return a text as a PDF name: all but letters and digits by their numbers."""
    return "".join(
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"#{byte:02X}"  # noqa: PLR2004 - ASCII
        for byte in text.encode()
    )


class _ImageInInk(PDFObject):  # type: ignore[misc]
    """An image, each channel of which is an ink."""

    mask: object = None

    def __init__(self, image: Image.Image, space: object) -> None:
        self.width, self.height = image.size
        self._data = zlib.compress(image.tobytes())
        self._space = space

    def format(self, document: PDFDocument) -> bytes:
        entries = {
            "Type": PDFName("XObject"),
            "Subtype": PDFName("Image"),
            "Width": self.width,
            "Height": self.height,
            "BitsPerComponent": 8,
            "ColorSpace": self._space,
            "Filter": PDFName("FlateDecode"),
        }
        if self.mask is not None:
            entries["SMask"] = self.mask
        written: bytes = PDFStream(PDFDictionary(entries), self._data).format(document)
        return written
