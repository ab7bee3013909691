"""Open images of all usual kinds, with bounded memory, and shrink them to what print needs.

An image is whatever is in the file, not what its name says. What cannot be opened is a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from deckwright.base.crops import Crop
from deckwright.base.findings import Code, Diagnostic, Location, Severity

if TYPE_CHECKING:
    from PIL.Image import Image, Transpose

I001 = Code("I001", Severity.ERROR, "an image that is truncated or damaged")
I002 = Code("I002", Severity.ERROR, "a file that is not an image")
I003 = Code("I003", Severity.ERROR, "an image with far too many pixels or bytes")
I005 = Code("I005", Severity.WARNING, "an image in CMYK colors")

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "BMP")
"""What an image may be, by what is in the file; its name does not matter."""

_ENDINGS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif", "TIFF": "tif", "BMP": "bmp"}

MOST_PIXELS = 100_000_000
MOST_BYTES = 300_000_000
"""Ten times what a large page at 300 dpi has; more is a mistake or a decompression bomb."""

_DECODED = 20_000_000
"""The most pixels that are taken out of a small file: an A3 page has some less.

That takes up to 200 MB. Of real pictures with more pixels the files are larger, too.
"""
_DECODED_OF = {"WEBP": 10_000_000}
"""The same of formats whose pixels take more memory."""
_PIXELS_A_BYTE = 10
_LARGE = 4_000_000
"""From how many pixels on an image is opened while no other one is."""
_BLOCK = 64 << 20
"""How much memory is asked for at once, in bytes."""
_one_by_one = Lock()

_ORIENTATION, _FIRST_SIDEWAYS = 0x0112, 5
"""EXIF's tag for how an image lies, and from which value on it lies on its side."""


def decode(
    path: Path, wanted: tuple[int, int], crop: Crop | None, *, findings: list[Diagnostic]
) -> tuple[Image, bool] | None:
    """Return an image upright in 8 bits, as large as needed, and whether its format is lossless.

    None after noting why it cannot be opened.

    Args:
        wanted: the box that it is for, in pixels.
        crop: the part with which it covers that, cut to its shape; None if it is shown whole.
    """
    width, height = wanted
    with ExitStack() as stack:
        zoom = crop.zoom if crop else 1
        needed = round(width * zoom), round(height * zoom)
        opened = _open(path, needed, stack, findings)
        if opened is None:
            return None
        kind = opened.format
        turn, sideways = _turn(opened)
        plain = _plain_mode(opened)
        del opened
        if sideways:
            width, height = height, width
        part = (0.0, 0.0, float(plain.width), float(plain.height))
        if crop is not None:
            lying = crop if turn is None else _lying(crop, turn)
            part = lying.window((plain.width, plain.height), (width, height))
        image = _shrunk(plain, width, height, part, cover=crop is not None)
        del plain
    if turn is not None:
        image = image.transpose(turn)
    return image, "A" in image.getbands() or kind in {"PNG", "GIF", "BMP"}


def upright_size(path: Path) -> tuple[int, int] | None:
    """Return how many pixels wide and high an image is, None if it is none; it is not decoded."""
    from PIL import Image  # noqa: PLC0415 - only if asked for

    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(path, formats=FORMATS) as image:
            width, height = image.size
            _, sideways = _turn(image)
    except (OSError, SyntaxError, ValueError, EOFError):
        return None
    return (height, width) if sideways else (width, height)


def ending_of(path: Path) -> str | None:
    """Return the ending of files of an image's format, without a dot; None if it is no image."""
    from PIL import Image  # noqa: PLC0415 - only if asked for

    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(path, formats=FORMATS) as image:
            return _ENDINGS.get(image.format or "", "jpg")  # cameras put several JPEGs into an MPO
    except (OSError, SyntaxError, ValueError, EOFError):
        return None


def cmyk_warning(path: Path) -> Diagnostic:
    """Return the finding that an image is in CMYK colors."""
    return I005.at(
        Location(path),
        "the image is in CMYK colors, which are printed as RGB and may shift",
        "convert it to RGB to see the colors that will be printed",
    )


def _open(
    path: Path, wanted: tuple[int, int], stack: ExitStack, findings: list[Diagnostic]
) -> Image | None:
    """Return the image as it is in the file, or None after noting why not.

    Args:
        stack: keeps others from opening a large image as long as it is open.
    """
    import warnings  # noqa: PLC0415 - only if not cached

    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415

    warnings.filterwarnings("ignore", "Corrupt EXIF data", UserWarning)
    # Pillow warns by turns of a size that is its own; ours is checked before anything is decoded.
    Image.MAX_IMAGE_PIXELS = None
    # The memory of smaller blocks goes back to a thread, and not to the others.
    Image.core.set_block_size(_BLOCK)  # type: ignore[attr-defined]
    place = Location(path)
    try:
        with path.open("rb") as stream:
            image: Image.Image = Image.open(stream, formats=FORMATS)
            width, height = image.size
            most = _most_pixels(image, path.stat().st_size)
            _draft(image, wanted, most)
            # A progressive JPEG is held whole, however much of it is taken out.
            whole = image.info.get("progressive")
            held = width * height if whole else image.width * image.height
            if held > most or width * height > MOST_PIXELS:
                message = f"the image has {width} × {height} pixels"
                hint = f"make it smaller, {most // 1_000_000} million pixels at most"
                hint += " for a file of its size" if most < MOST_PIXELS else ""
                findings.append(I003.at(place, message, hint))
                return None
            if held > _LARGE:
                stack.enter_context(_one_by_one)
            image.load()
    except UnidentifiedImageError:
        message = f"the file is not an image in one of the formats {', '.join(FORMATS)}"
        findings.append(I002.at(place, message, "convert it to PNG"))
        return None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        reason = str(error) or type(error).__name__
        findings.append(I001.at(place, f"the image is damaged: {reason}", "save or copy it again"))
        return None
    if image.mode == "CMYK":
        findings.append(cmyk_warning(path))
    return image


def _most_pixels(image: Image, size: int) -> int:
    """Return how many pixels may be taken out of a file of `size` bytes."""
    usual = _DECODED_OF.get(image.format or "", _DECODED)
    return min(MOST_PIXELS, max(usual, size * _PIXELS_A_BYTE))


def _draft(image: Image, wanted: tuple[int, int], most: int) -> None:
    """Have a JPEG decoded smaller, where that is enough or all that is possible."""
    mode = "RGB" if image.mode == "YCbCr" else image.mode
    width, height = image.size
    least = next((s for s in (1, 2, 4) if (width // s + 1) * (height // s + 1) <= most), 8)
    # Decoding at half size is enough where that leaves half again what is needed; the side is the
    # longer one, as the image may yet have to be turned upright.
    side = max(wanted) * 3 // 2
    image.draft(mode, (min(side, width // least), min(side, height // least)))


def _turn(image: Image) -> tuple[Transpose | None, bool]:
    """Return how an image must be turned to be upright, and whether it lies on its side."""
    from PIL.Image import Transpose  # noqa: PLC0415

    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    orientation: object = None
    with suppress(OSError, ValueError, SyntaxError, UserWarning):  # damaged EXIF data says nothing
        orientation = image.getexif().get(_ORIENTATION)
    if not isinstance(orientation, int) or orientation not in turns:
        return None, False
    return turns[orientation], orientation >= _FIRST_SIDEWAYS


def _plain_mode(image: Image) -> Image:
    """Return the image in 8 bits, as L, RGB or RGBA."""
    if image.mode.startswith("I"):
        return _converted(
            image, "L", lambda band: band.convert("I").point(lambda value: value * (1 / 256))
        )
    if image.mode in {"L", "RGB", "RGBA"} and "transparency" not in image.info:
        return image
    if image.mode in {"LA", "PA", "RGBA", "La", "RGBa"} or "transparency" in image.info:
        return image.convert("RGBA")
    return image.convert("L" if image.mode in {"1", "F"} else "RGB")


def _converted(image: Image, mode: str, convert: Callable[[Image], Image]) -> Image:
    """Return an image converted strip by strip, for what is between the modes is large."""
    from PIL.Image import new  # noqa: PLC0415

    result = new(mode, image.size)
    step = max(1, _LARGE // image.width)
    for top in range(0, image.height, step):
        strip = image.crop((0, top, image.width, min(image.height, top + step)))
        result.paste(convert(strip).convert(mode), (0, top))
    return result


def _lying(crop: Crop, turn: Transpose) -> Crop:
    """Return a crop of an image as it lies in its file, before it is turned upright."""
    x, y = crop.x, crop.y
    place = {
        "FLIP_LEFT_RIGHT": (1 - x, y),
        "ROTATE_180": (1 - x, 1 - y),
        "FLIP_TOP_BOTTOM": (x, 1 - y),
        "TRANSPOSE": (y, x),
        "ROTATE_270": (y, 1 - x),
        "TRANSVERSE": (1 - y, 1 - x),
        "ROTATE_90": (1 - y, x),
    }
    return Crop(*place[turn.name], crop.zoom)


def _shrunk(
    image: Image, width: int, height: int, part: tuple[float, float, float, float], *, cover: bool
) -> Image:
    """Return a part of an image, no larger than needed for the box.

    Args:
        part: its left, top, width and height.
    """
    left, top, across, down = part
    best = min if cover else max
    scale = max(best(across / width, down / height), 1.0)
    size = max(1, round(across / scale)), max(1, round(down / scale))
    from PIL.Image import Resampling  # noqa: PLC0415

    box = (left, top, min(left + across, image.width), min(top + down, image.height))
    return image.resize(size, Resampling.LANCZOS, box, reducing_gap=2.0)
