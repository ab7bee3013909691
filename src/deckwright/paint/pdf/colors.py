"""Color spaces of a PDF: sRGB, separations and shadings."""

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
    """Declare the colors of a document to be sRGB (ISO 19005-2, 6.2.3)."""
    document = canvas._doc  # noqa: SLF001 - no other way
    intent = output_intent(document.Reference(srgb_profile()))
    catalog = document.Catalog
    catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
    catalog.OutputIntents = PDFArray([intent])


def srgb_profile() -> PDFStream:
    """Return the sRGB profile as a stream."""
    flate = PDFDictionary({"N": 3, "Filter": PDFName("FlateDecode")})
    return PDFStream(flate, zlib.compress(_PROFILE.read_bytes()))


def output_intent(profile: PDFObject) -> PDFDictionary:
    """Return the output intent for sRGB, which refers to `profile`."""
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
    """A spot ink.

    Attributes:
        name: the name of the separation.
        alternate: its alternate color in CMYK, each channel from 0 to 1.
    """

    name: str
    alternate: tuple[float, float, float, float]


class Separations:
    """The separations of a document; each page or form lists those that it uses."""

    def __init__(self, canvas: Canvas, spots: Mapping[str, Spot]) -> None:
        """Take the inks by id."""
        self._canvas = canvas
        self._spots = spots

    def name_of(self, ink_id: str) -> str:
        """Enter the separation of an ink for the current page or form; return its resource name."""
        name = f"Ink{[*self._spots].index(ink_id)}"
        document = self._canvas._doc  # noqa: SLF001 - no other way
        if name not in document.idToObject:
            document.Reference(RawObject(_separation(self._spots[ink_id]).encode("ascii")), name)
        self._canvas._colorsUsed[name] = name  # noqa: SLF001
        return name

    def image_operator(self, image: PreparedImage, ink_id: str) -> str:
        """Return the operator that draws an image in the unit square, in an ink or in CMYK.

        Args:
            ink_id: the ink; "" for CMYK, with the mask of the image.
        """
        canvas, name = self._canvas, f"{image.path.name}.{ink_id}"
        document = canvas._doc  # noqa: SLF001
        entered = document.getXObjectName(name)
        if entered not in document.idToObject:
            space: object = PDFName("DeviceCMYK")
            if ink_id:
                space = PDFObjectReference(self.name_of(ink_id))
            with Image.open(image.path) as opened:
                drawn = _InkImage(opened, space)
            if image.alpha is not None:
                with Image.open(image.alpha) as opened:
                    mask = _InkImage(opened, PDFName("DeviceGray"))
                drawn.mask = document.Reference(mask, f"{entered}.alpha")
            document.Reference(drawn, entered)
            document.addForm(name, drawn)
        canvas._formsinuse.append(name)  # noqa: SLF001
        return f"/{entered} Do"


def _separation(spot: Spot) -> str:
    shown = " ".join(f"{share:.3g}" for share in spot.alternate)
    way = f"<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[{shown}]>>"
    return f"[/Separation /{_name(spot.name)} /DeviceCMYK {way}]"


def _name(text: str) -> str:
    """Return a text as a PDF name, with all but ASCII letters and digits escaped."""
    return "".join(
        chr(byte) if chr(byte).isalnum() and byte < 128 else f"#{byte:02X}"  # noqa: PLR2004 - ASCII
        for byte in text.encode()
    )


class _InkImage(PDFObject):  # type: ignore[misc]
    """An image whose channels are inks."""

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
"""The minimum distance of two stops: a function needs a domain of some width.
"""
_LAST_STOP_DISTANCE = 1 / 240
"""The distance from the end at which a final color starts that begins at the very end: PDFium
samples 256 colors, the last one at 255/256.
"""


def shading(radial: bool, stops: tuple[tuple[float, str], ...]) -> PDFObject:  # noqa: FBT001
    """Return a shading from x = 0 to x = 1, or from the origin to the unit circle.

    Args:
        stops: offsets from 0 to 1 with colors, as `#rrggbb` or four shares of inks.
    """
    space = "DeviceRGB" if stops[0][1][0] == "#" else "DeviceCMYK"
    kind = "3/Coords[0 0 0 0 0 1]" if radial else "2/Coords[0 0 1 0]"
    function = _function(_separate_stops(stops))
    return RawObject(
        f"<</ShadingType {kind}/ColorSpace/{space}/Extend[true true]/Function{function}>>".encode()
    )


def _separate_stops(stops: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Return stops from 0 to 1, no two of them at the same offset."""
    separated: list[tuple[float, str]] = []
    for _, there in groupby(sorted(stops, key=itemgetter(0)), itemgetter(0)):
        first, *others = there
        separated += [first, *others[-1:]]
    if len(separated) > 1 and separated[-2][0] > 1 - _LAST_STOP_DISTANCE:
        separated = [(min(at, 1 - _LAST_STOP_DISTANCE), color) for at, color in separated]
    if separated[0][0] > 0:
        separated.insert(0, (0.0, separated[0][1]))
    if separated[-1][0] < 1:
        separated.append((1.0, separated[-1][1]))
    at = -_MIN_STOP_DISTANCE
    for index, (place, color) in enumerate(separated):
        most = 1 - (len(separated) - 1 - index) * _MIN_STOP_DISTANCE
        at = min(max(place, at + _MIN_STOP_DISTANCE), most)
        separated[index] = at, color
    return separated


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
