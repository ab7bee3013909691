"""Color spaces of a PDF: sRGB, separations, shadings."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFDocument,
    PDFName,
    PDFObject,
    PDFObjectReference,
    PDFStream,
    PDFString,
)
from reportlab.pdfgen.canvas import Canvas

from deckwright.base.colors import rgb
from deckwright.base.units import format_decimal
from deckwright.images.store import PreparedImage
from deckwright.paint.pdf.objects import RawObject

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
            document.Reference(RawObject(_separation(self._spots[ink_id]).encode("ascii")), name)
        self._canvas._colorsUsed[name] = name  # noqa: SLF001
        return name

    def place(self, image: PreparedImage, ink_id: str) -> str:
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
                made = _InkImage(opened, space)
            if image.alpha is not None:
                with Image.open(image.alpha) as opened:
                    mask = _InkImage(opened, PDFName("DeviceGray"))
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


class _InkImage(PDFObject):  # type: ignore[misc]
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


_MIN_STOP_DISTANCE = 1e-4
"""How far two colors lie apart at least: those at one place would leave a function without width.
"""
_LAST_STOP_DISTANCE = 1 / 240
"""How far before the end the last color begins, if it does so at once: PDFium computes 256 colors,
the last at 255/256.
"""


def shading(radial: bool, stops: tuple[tuple[float, str], ...]) -> PDFObject:  # noqa: FBT001
    """Return the shading of stops: from x = 0 to x = 1, or from the origin to a circle of radius 1.

    Args:
        stops: places from 0 to 1, and colors as `#rrggbb` or as four shares of inks.
    """
    space = "DeviceRGB" if stops[0][1][0] == "#" else "DeviceCMYK"
    kind = "3/Coords[0 0 0 0 0 1]" if radial else "2/Coords[0 0 1 0]"
    function = _function(_separate_stops(stops))
    return RawObject(
        f"<</ShadingType {kind}/ColorSpace/{space}/Extend[true true]/Function{function}>>".encode()
    )


def _separate_stops(stops: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Return stops that begin at 0 and end at 1, no two at one place."""
    made: list[tuple[float, str]] = []
    for _, there in groupby(sorted(stops, key=itemgetter(0)), itemgetter(0)):
        first, *others = there
        made += [first, *others[-1:]]
    if len(made) > 1 and made[-2][0] > 1 - _LAST_STOP_DISTANCE:
        made = [(min(at, 1 - _LAST_STOP_DISTANCE), color) for at, color in made]
    if made[0][0] > 0:
        made.insert(0, (0.0, made[0][1]))
    if made[-1][0] < 1:
        made.append((1.0, made[-1][1]))
    at = -_MIN_STOP_DISTANCE
    for index, (place, color) in enumerate(made):
        most = 1 - (len(made) - 1 - index) * _MIN_STOP_DISTANCE
        at = min(max(place, at + _MIN_STOP_DISTANCE), most)
        made[index] = at, color
    return made


def _function(stops: list[tuple[float, str]]) -> str:
    steps = [_step(one, other) for (_, one), (_, other) in pairwise(stops)]
    if len(steps) == 1:
        return steps[0]
    bounds = " ".join(format_decimal(at, 4) for at, _ in stops[1:-1])
    encode = " ".join(["0 1"] * len(steps))
    return (
        f"<</FunctionType 3/Domain[0 1]/Bounds[{bounds}]/Encode[{encode}]"
        f"/Functions[{''.join(steps)}]>>"
    )


def _step(start: str, end: str) -> str:
    return f"<</FunctionType 2/Domain[0 1]/N 1/C0[{_color(start)}]/C1[{_color(end)}]>>"


def _color(color: str) -> str:
    if color[0] != "#":
        return color
    return " ".join(format_decimal(channel / 255) for channel in rgb(color))
