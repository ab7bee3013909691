"""Painted content: operators, with the glyphs and objects that they name.

A piece of content does not depend on the file that it ends in: fonts are named by their ids, glyphs
by theirs, and all other objects by what they contain.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Mapping
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.colors import rgb
from deckwright.base.units import format_decimal
from deckwright.images.store import PreparedImage, read_frame
from deckwright.paint.pdf.objects import PdfFile, encode_name, make_stream

if TYPE_CHECKING:
    from PIL.Image import Image


class Picture(NamedTuple):
    """An image as an object.

    Attributes:
        space: the color space if the channels are inks; empty for the image's own colors.
        ink: the separation that is its color space, if it is the plate of an ink.
        encoded: the image as it is written, None while only its file is known.
    """

    image: PreparedImage
    space: bytes = b""
    ink: Resource | None = None
    encoded: EncodedPicture | None = None

    def load(self) -> Picture:
        """Return it with the image as it is written."""
        encoded = self.encoded or encode_picture(self.image, is_plate=self.ink is not None)
        return self._replace(encoded=encoded)


class Resource(NamedTuple):
    """An object that operators name.

    Attributes:
        kind: the key of the resource dictionary, such as "Shading".
        name: equal for equal objects of a file alone.
    """

    kind: str
    name: str
    body: bytes | Picture | Piece


class Piece(NamedTuple):
    """Content that is complete.

    Attributes:
        operators: not compressed; empty if `stream` is not.
        glyphs: the ids of the used glyphs, by the id of the font.
        resources: all but fonts.
        box: the corners of its visible part, if it is a form.
        stream: the compressed operators.
    """

    operators: bytes
    glyphs: Mapping[str, frozenset[int]]
    resources: tuple[Resource, ...]
    box: bytes = b""
    stream: bytes = b""

    def compress(self) -> Piece:
        """Return it with compressed operators alone."""
        return self._replace(operators=b"", stream=self.stream or zlib.compress(self.operators))

    def load_pictures(self) -> Piece:
        """Return it with its images, which no longer need their files."""
        resources = tuple(
            each._replace(body=each.body.load()) if isinstance(each.body, Picture) else each
            for each in self.resources
        )
        return self._replace(resources=resources)

    @property
    def size(self) -> int:
        """The number of bytes that it takes."""
        pictures = (each.body for each in self.resources if isinstance(each.body, Picture))
        images = sum(picture.encoded.size for picture in pictures if picture.encoded)
        return len(self.operators) + len(self.stream) + images


class Content:
    """Content that is being painted."""

    def __init__(self) -> None:
        """Start empty."""
        self.operators: list[str] = []
        self._glyphs: dict[str, set[int]] = {}
        self._resources: dict[str, Resource] = {}

    def add(self, operators: str) -> None:
        """Append operators."""
        self.operators.append(operators)

    def use_glyphs(self, font_id: str, glyphs: Iterable[int]) -> None:
        """Note that operators show glyphs."""
        self._glyphs.setdefault(font_id, set()).update(glyphs)

    def use(self, kind: str, name: str, body: bytes | Picture | Piece) -> None:
        """Note that operators name an object."""
        if name not in self._resources:
            self._resources[name] = Resource(kind, name, body)

    def place(self, piece: Piece) -> None:
        """Append a piece."""
        self.operators.append(piece.operators.decode("latin-1"))
        for font_id, glyphs in piece.glyphs.items():
            self.use_glyphs(font_id, glyphs)
        for resource in piece.resources:
            self._resources.setdefault(resource.name, resource)

    def finish(self, box: bytes = b"") -> Piece:
        """Return the complete content; `box` has the corners of a form's visible part."""
        glyphs = {font_id: frozenset(used) for font_id, used in sorted(self._glyphs.items())}
        resources = tuple(resource for _, resource in sorted(self._resources.items()))
        return Piece("\n".join(self.operators).encode("latin-1"), glyphs, resources, box)


_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
_SPACES = {1: b"/DeviceGray", 3: b"/DeviceRGB", 4: b"/DeviceCMYK"}
"""The color spaces by the number of channels."""
_CMYK_CHANNELS = 4
_PNG_CHANNELS = {0: 1, 2: 3}
"""The channels of a PNG by its color type, without those of palettes and transparency."""


class EncodedPicture(NamedTuple):
    """An image as it is written.

    Attributes:
        entries: of its dictionary, apart from the color space and the mask.
        space: the color space of its own colors.
        mask: its transparency.
    """

    entries: bytes
    space: bytes
    data: bytes
    mask: EncodedPicture | None = None

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.data) + (self.mask.size if self.mask else 0)


def encode_picture(image: PreparedImage, *, is_plate: bool) -> EncodedPicture:
    """Return an image with its transparency.

    Args:
        is_plate: whether the image is the plate of an ink, which has none.
    """
    data, mask = image.path.read_bytes(), None
    if image.alpha is not None:
        mask = _encode(image.alpha.read_bytes())
    elif not is_plate and data.startswith(_PNG) and data[25] not in _PNG_CHANNELS:
        from PIL import Image  # only for pixels

        with Image.open(io.BytesIO(data)) as opened:
            if "A" in opened.getbands():
                mask = _encode_pixels(opened.getchannel("A"))
    return _encode(data)._replace(mask=mask)


def add_picture(file: PdfFile, picture: EncodedPicture, space: bytes) -> int:
    """Write an image; return its number.

    Args:
        space: the color space if the channels are inks; empty for the image's own colors.
    """
    entries = picture.entries + b"/ColorSpace%s" % (space or picture.space)
    if picture.mask is not None:
        entries += b"/SMask %d 0 R" % add_picture(file, picture.mask, b"")
    return file.add(make_stream(b"/Type/XObject/Subtype/Image%s" % entries, picture.data))


def _encode(data: bytes) -> EncodedPicture:
    """Return an image without its transparency; JPEGs and plain PNGs are used as they are."""
    if data.startswith(_JPEG):
        frame = read_frame(data)
        assert frame is not None
        filters = b"/Filter/DCTDecode"  # ISO 32000-1, 7.4.8
        if frame[2] == _CMYK_CHANNELS:
            filters += b"/Decode[1 0 1 0 1 0 1 0]"  # Pillow inverts it, as Adobe's programs do
        return _make_picture(*frame, filters, data)
    plain = _read_plain_png(data)
    if plain is not None:
        width, height, channels, data = plain
        # ISO 32000-1, 7.4.4.4
        filters = b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors %d/Columns %d>>"
        return _make_picture(width, height, channels, filters % (channels, width), data)
    from PIL import Image  # only for pixels

    with Image.open(io.BytesIO(data)) as opened:
        return _encode_pixels(opened.convert("RGB") if opened.mode == "RGBA" else opened)


def _encode_pixels(image: Image) -> EncodedPicture:
    """Return an image of compressed pixels."""
    data = zlib.compress(image.tobytes())
    return _make_picture(*image.size, len(image.getbands()), b"/Filter/FlateDecode", data)


def _make_picture(
    width: int, height: int, channels: int, filters: bytes, data: bytes
) -> EncodedPicture:
    entries = b"/Width %d/Height %d/BitsPerComponent 8%s" % (width, height, filters)
    return EncodedPicture(entries, _SPACES[channels], data)


def _read_plain_png(data: bytes) -> tuple[int, int, int, bytes] | None:
    """Return the width, height, channels and compressed rows of a PNG.

    None if it is no PNG, or has a palette, transparency, other depths or interlacing.
    """
    if not data.startswith(_PNG) or data[24] != 8 or data[28]:  # bits
        return None
    channels = _PNG_CHANNELS.get(data[25])
    if channels is None:
        return None
    rows, at = [], len(_PNG)
    while at < len(data):
        length, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        if kind == b"tRNS":
            return None
        if kind == b"IDAT":
            rows.append(data[at + 8 : at + 8 + length])
        at += 12 + length
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24]), channels, b"".join(rows)


class Spot(NamedTuple):
    """A spot ink.

    Attributes:
        name: the name of the separation.
        alternate: its alternate color in CMYK, each channel from 0 to 1.
    """

    name: str
    alternate: tuple[float, float, float, float]

    def color_space(self) -> bytes:
        """Return the separation (ISO 32000-1, 8.6.6.4)."""
        shown = " ".join(f"{share:.3g}" for share in self.alternate)
        way = f"<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[{shown}]>>"
        return b"[/Separation %s/DeviceCMYK %s]" % (encode_name(self.name), way.encode())


_MIN_STOP_DISTANCE = 1e-4
"""The minimum distance of two stops: a function needs a domain of some width."""
_LAST_STOP_DISTANCE = 1 / 240
"""How far from the end the last color starts at the latest: PDFium samples at most at 255/256."""


def shading(radial: bool, stops: tuple[tuple[float, str], ...]) -> bytes:  # noqa: FBT001
    """Return a shading from x = 0 to x = 1, or from the origin to the unit circle.

    Args:
        stops: offsets from 0 to 1 with colors, as `#rrggbb` or four shares of inks.
    """
    space = "DeviceRGB" if stops[0][1][0] == "#" else "DeviceCMYK"
    kind = "3/Coords[0 0 0 0 0 1]" if radial else "2/Coords[0 0 1 0]"
    separated = _separate_stops(stops)
    colors = [color_operands(color) for _, color in separated]
    steps = [
        f"<</FunctionType 2/Domain[0 1]/N 1/C0[{start}]/C1[{end}]>>"
        for start, end in pairwise(colors)
    ]
    function = steps[0]
    if len(steps) > 1:
        bounds = " ".join(format_decimal(at, 4) for at, _ in separated[1:-1])
        encode = " ".join(["0 1"] * len(steps))
        function = (
            f"<</FunctionType 3/Domain[0 1]/Bounds[{bounds}]/Encode[{encode}]"
            f"/Functions[{''.join(steps)}]>>"
        )
    entries = f"/ShadingType {kind}/ColorSpace/{space}/Extend[true true]/Function{function}"
    return f"<<{entries}>>".encode()


def _separate_stops(stops: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Return stops from 0 to 1, no two of them at the same offset."""
    separated: list[tuple[float, str]] = []
    for _, together in groupby(sorted(stops, key=itemgetter(0)), itemgetter(0)):
        first, *others = together
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


def color_operands(color: str) -> str:
    """Return a color's operands: shares of red, green and blue, or those of inks as they are."""
    if color[0] != "#":
        return color
    return " ".join(format_decimal(channel / 255) for channel in rgb(color))
