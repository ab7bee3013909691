"""Images as objects of a PDF."""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING, NamedTuple

from deckwright.images.store import PreparedImage, read_frame
from deckwright.paint.pdf.objects import PdfFile, make_stream

if TYPE_CHECKING:
    from PIL.Image import Image

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
        mask: its transparency, None if it has none.
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
    """Return an image without its transparency.

    JPEGs and plain PNGs are used as they are (ISO 32000-1, 7.4.4.4 and 7.4.8).
    """
    if data.startswith(_JPEG):
        frame = read_frame(data)
        assert frame is not None
        filters = b"/Filter/DCTDecode"
        if frame[2] == _CMYK_CHANNELS:
            filters += b"/Decode[1 0 1 0 1 0 1 0]"  # Pillow inverts it, as Adobe's programs do
        return _make_picture(*frame, filters, data)
    plain = _read_plain_png(data)
    if plain is not None:
        width, height, channels, data = plain
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
