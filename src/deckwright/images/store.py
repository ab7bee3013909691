"""Prepare images for print: decode within bounded memory, shrink, and cache by content."""

from __future__ import annotations

import hashlib
import io
import shutil
import time
import warnings
import weakref
from collections.abc import Collection, Iterable
from contextlib import ExitStack, suppress
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from deckwright.base.cache import Cache, read_checked, write_checked
from deckwright.base.files import cache_folder, is_file, write_atomically
from deckwright.base.findings import MAX_FINDINGS, Code, Diagnostic, Location, Report, Severity
from deckwright.base.geometry import CENTER_CROP, Crop
from deckwright.base.processes import track_work
from deckwright.base.units import to_pixels
from deckwright.ops.model import DrawImage

if TYPE_CHECKING:
    from PIL.Image import Image, Transpose
    from PIL.ImageFile import ImageFile

I001 = Code("I001", Severity.ERROR, "an image that is truncated or damaged")
I002 = Code("I002", Severity.ERROR, "a file that is not an image")
I003 = Code("I003", Severity.ERROR, "an image with too many pixels or bytes")
I005 = Code("I005", Severity.WARNING, "an image in CMYK colors")

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "BMP")
"""Accepted formats, detected by content; the file's name does not matter."""

_ENDINGS = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif", "TIFF": "tif", "BMP": "bmp"}

MAX_IMAGE_PIXELS = 100_000_000
MAX_IMAGE_BYTES = 300_000_000
"""Ten times the size of a large page at 300 dpi; more is a mistake or a decompression bomb."""

_MAX_DECODED_PIXELS = 20_000_000
"""The most pixels decoded from a small file: slightly more than an A3 page.

That takes up to 200 MB. Real pictures with more pixels come in larger files.
"""
_MAX_DECODED_BY_FORMAT = {"WEBP": 10_000_000}
"""The same for formats whose pixels take more memory."""
_PIXELS_PER_BYTE = 10
_LARGE_PIXELS = 4_000_000
"""Images with more pixels are opened one at a time."""
_BLOCK_BYTES = 64 << 20
"""The size of Pillow's memory blocks."""
_large_image_lock = Lock()

_ORIENTATION, _FIRST_SIDEWAYS = 0x0112, 5
"""EXIF's orientation tag, and its first value for images lying on their side."""
_DAMAGE = (OSError, SyntaxError, ValueError, EOFError)
"""What Pillow raises for files that are damaged, or no images."""


def decode(
    path: Path, box_px: tuple[int, int], crop: Crop | None, *, findings: list[Diagnostic]
) -> tuple[Image, bool] | None:
    """Return an upright 8-bit image of the needed size, and whether its format is lossless.

    None after noting why it cannot be opened.

    Args:
        box_px: the size of its box, in pixels.
        crop: the visible part if it covers the box; None if it is shown whole.
    """
    width, height = box_px
    with ExitStack() as stack:
        zoom = crop.zoom if crop else 1
        opened = _load(path, (round(width * zoom), round(height * zoom)), stack, findings)
        if opened is None:
            return None
        from PIL.Image import Resampling  # only with images

        kind = opened.format
        turn, sideways = _read_orientation(opened)
        plain = _plain_mode(opened)
        del opened
        if sideways:
            width, height = height, width
        left, top, across, down = 0.0, 0.0, float(plain.width), float(plain.height)
        if crop is not None:
            lying = crop if turn is None else _rotate_crop(crop, turn)
            left, top, across, down = lying.window((across, down), (width, height))
        best = max if crop is None else min
        scale = max(best(across / width, down / height), 1.0)
        size = max(1, round(across / scale)), max(1, round(down / scale))
        box = (left, top, min(left + across, plain.width), min(top + down, plain.height))
        image = plain.resize(size, Resampling.LANCZOS, box, reducing_gap=2.0)
        del plain
    if turn is not None:
        image = image.transpose(turn)
    return image, "A" in image.getbands() or kind in {"PNG", "GIF", "BMP"}


def upright_size(path: Path) -> tuple[int, int] | None:
    """Return an image's upright width and height in pixels without decoding; None if it is none."""
    with suppress(*_DAMAGE), _open(path) as image:
        width, height = image.size
        return (height, width) if _read_orientation(image)[1] else (width, height)
    return None


_SAMPLE_PX = 64
"""The size in which the edges of a picture are examined."""
_MAX_DIFFERENCE, _MIN_ALIKE = 12, 0.97
"""The most that channels of a plain edge differ, and the least share of pixels that are alike."""


@lru_cache(maxsize=4096)
def find_ground(path: Path, modified_ns: int) -> str | None:
    """Return the color of a picture's edges, or "none" if they are transparent.

    Returns:
        None for a picture whose edges have several colors, or that cannot be opened.
    """
    cache, key = Cache("grounds"), hashlib.sha256(f"{path}\0{modified_ns}".encode()).hexdigest()
    if (known := cache.read(key)) is not None:
        return known.decode() or None
    decoded = decode(path, (_SAMPLE_PX, _SAMPLE_PX), None, findings=[])
    if decoded is None:
        return None
    image = decoded[0].convert("RGBA")
    width, height = image.size
    edges = [(0, 0, width, 1), (0, height - 1, width, height)]
    edges += [(0, 0, 1, height), (width - 1, 0, width, height)]
    data = b"".join(image.crop(edge).tobytes() for edge in edges)
    pixels = sorted(tuple(data[at : at + 4]) for at in range(0, len(data), 4))
    *usual, alpha = pixels[len(pixels) // 2]
    ground = "none" if alpha < _MAX_DIFFERENCE else "#{:02x}{:02x}{:02x}".format(*usual)
    # Transparent pixels may have any color.
    compared = slice(3, None) if ground == "none" else slice(None)
    most = (*usual, alpha)[compared]
    like = [
        all(abs(a - b) <= _MAX_DIFFERENCE for a, b in zip(pixel[compared], most, strict=True))
        for pixel in pixels
    ]
    result = ground if sum(like) >= _MIN_ALIKE * len(like) else ""
    cache.write(key, result.encode())
    return result or None


def ending_of(path: Path) -> str | None:
    """Return the usual extension for an image's format, without a dot; None if it is none."""
    with suppress(*_DAMAGE), _open(path) as image:
        return _ENDINGS.get(image.format or "", "jpg")  # cameras put several JPEGs into an MPO
    return None


def cmyk_warning(path: Path) -> Diagnostic:
    """Return the finding that an image is in CMYK colors."""
    message = "the image is in CMYK colors, which are printed as RGB and may shift"
    hint = "convert it to RGB to see the colors that will be printed"
    return I005.at(Location(path), message, hint)


def _open(source: Path | BinaryIO) -> ImageFile:
    """Open an image without decoding it."""
    from PIL import Image  # only if asked for

    # Pillow would warn at a limit of its own; ours is checked before anything is decoded.
    Image.MAX_IMAGE_PIXELS = None
    return Image.open(source, formats=FORMATS)


def _load(
    path: Path, box_px: tuple[int, int], stack: ExitStack, findings: list[Diagnostic]
) -> Image | None:
    """Return the decoded image, or None after noting why not.

    Args:
        stack: holds the lock for large images while the image is open.
    """
    from PIL import Image, UnidentifiedImageError

    warnings.filterwarnings("ignore", "Corrupt EXIF data", UserWarning)
    # Smaller blocks would stay in their thread's arena, out of reach of the other threads.
    Image.core.set_block_size(_BLOCK_BYTES)  # type: ignore[attr-defined]
    place = Location(path)
    try:
        with path.open("rb") as stream:
            image: Image.Image = _open(stream)
            width, height = image.size
            usual = _MAX_DECODED_BY_FORMAT.get(image.format or "", _MAX_DECODED_PIXELS)
            in_proportion = path.stat().st_size * _PIXELS_PER_BYTE
            most = min(MAX_IMAGE_PIXELS, max(usual, in_proportion))
            # A JPEG is decoded at a smaller scale, if that suffices or is the only way. Half size
            # suffices if that leaves 1.5 times the needed size. The longer side counts, since the
            # image may still have to be turned upright.
            mode = "RGB" if image.mode == "YCbCr" else image.mode
            least = next((s for s in (1, 2, 4) if (width // s + 1) * (height // s + 1) <= most), 8)
            side = max(box_px) * 3 // 2
            image.draft(mode, (min(side, width // least), min(side, height // least)))
            # A progressive JPEG is decoded whole, even for a smaller draft.
            is_progressive = image.info.get("progressive")
            decoded = width * height if is_progressive else image.width * image.height
            if decoded > most or width * height > MAX_IMAGE_PIXELS:
                message = f"the image has {width} × {height} pixels"
                hint = f"reduce it to at most {most // 1_000_000} million pixels"
                hint += " for a file of its size" if most < MAX_IMAGE_PIXELS else ""
                findings.append(I003.at(place, message, hint))
                return None
            if decoded > _LARGE_PIXELS:
                stack.enter_context(_large_image_lock)
            image.load()
    except UnidentifiedImageError:
        message = f"the file is not an image in one of the formats {', '.join(FORMATS)}"
        hint = "convert it to PNG"
        if b"<svg" in path.read_bytes()[:_SVG_HEAD]:
            hint = f"it is an SVG drawing: name it `{path.stem}.svg`"
        findings.append(I002.at(place, message, hint))
        return None
    except _DAMAGE as error:
        reason = str(error) or type(error).__name__
        findings.append(I001.at(place, f"the image is damaged: {reason}", "save or copy it again"))
        return None
    if image.mode == "CMYK":
        findings.append(cmyk_warning(path))
    return image


def _read_orientation(image: Image) -> tuple[Transpose | None, bool]:
    """Return the transposition that turns an image upright, and whether it lies on its side."""
    from PIL.Image import Transpose

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
    with suppress(OSError, ValueError, SyntaxError, UserWarning):  # damaged EXIF data is ignored
        orientation = image.getexif().get(_ORIENTATION)
    if not isinstance(orientation, int) or orientation not in turns:
        return None, False
    return turns[orientation], orientation >= _FIRST_SIDEWAYS


def _plain_mode(image: Image) -> Image:
    """Return the image in 8 bits, as L, RGB or RGBA."""
    if image.mode.startswith("I"):
        from PIL.Image import new

        # Converted strip by strip, to bound the memory of intermediate modes.
        result = new("L", image.size)
        step = max(1, _LARGE_PIXELS // image.width)
        for top in range(0, image.height, step):
            strip = image.crop((0, top, image.width, min(image.height, top + step)))
            bright = strip.convert("I").point(lambda value: value * (1 / 256))
            result.paste(bright.convert("L"), (0, top))
        return result
    if image.mode in {"L", "RGB", "RGBA"} and "transparency" not in image.info:
        return image
    if image.mode in {"LA", "PA", "RGBA", "La", "RGBa"} or "transparency" in image.info:
        return image.convert("RGBA")
    return image.convert("L" if image.mode in {"1", "F"} else "RGB")


def _rotate_crop(crop: Crop, turn: Transpose) -> Crop:
    """Return a crop in the coordinates of an image before it is turned upright."""
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


_SVG_HEAD = 2000
"""How many bytes of a drawing may precede its root element."""
I004 = Code("I004", Severity.ERROR, "an image that cannot be read")
I007 = Code("I007", Severity.WARNING, "an image with too few pixels for its size in print")

PRINT_DPI = 300

_BATCH = 100
_MAX_AGE_SECONDS = 90 * 24 * 3600
_CMYK = "-cmyk"
"""Marks cached images of CMYK originals, so that the warning is repeated each time."""

_VERSION = "3"
"""Increased when images are prepared differently, to invalidate the cache."""

_Key = tuple[Path, int, int, bool, Crop]
"""A file, the box's width and height in pixels, whether it is covered, and the crop."""


class PreparedImage(NamedTuple):
    """An image ready for print: a file and its size in pixels.

    Attributes:
        alpha: the file of its transparency, if the image itself has none.
    """

    path: Path
    width_px: int
    height_px: int
    alpha: Path | None = None


class ImageStore:
    """Prepares images and caches them on disk.

    Painters get a store in which all images to be painted are already prepared.
    """

    def __init__(self, cache: Path | None = None, min_dpi: int = PRINT_DPI) -> None:
        """Use the folder `cache`, or the user's cache folder.

        Args:
            min_dpi: the resolution below which a warning is given, which depends on the viewing
                distance.
        """
        self._cache_folder, self._min_dpi = cache, min_dpi
        self._known: dict[_Key, tuple[PreparedImage | None, list[Diagnostic]]] = {}

    @cached_property
    def _cache(self) -> Path:
        """The cache folder, or a temporary one if that cannot be written."""
        folder = self._cache_folder or cache_folder() / "images"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with write_atomically(folder / ".written", sync=False):
                pass
        except OSError:
            folder = self._own_folder
        return folder

    def prepare(self, drawings: Iterable[DrawImage], report: Report) -> None:
        """Prepare all images that `drawings` need; report those that cannot be prepared.

        After very many failures the rest is skipped.
        """
        keys = list(dict.fromkeys(map(_key, drawings)))
        errors = 0
        for batch in (keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)):
            new = [key for key in batch if key not in self._known]
            if len(new) < 2:
                self._known |= zip(new, map(self._entry, new), strict=True)
            else:
                from concurrent.futures import ThreadPoolExecutor  # only with images

                with ThreadPoolExecutor(2) as pool:
                    self._known |= zip(new, pool.map(self._entry, new), strict=True)
            for key in batch:
                prepared, findings = self._known[key]
                report.extend(findings)
                if prepared is None:
                    errors += 1
                    continue
                path, width, height, cover, crop = key
                shares = prepared.width_px / width, prepared.height_px / height
                dpi = round(PRINT_DPI * (min(shares) if cover else max(shares)))
                least = self._min_dpi
                if dpi < least - 1:
                    zoom = crop.zoom * least / PRINT_DPI
                    message = f"the image is printed at {dpi} dpi, but needs {least} to look sharp"
                    hint = f"use one of at least {width * zoom:.0f} × {height * zoom:.0f} pixels"
                    report.append(I007.at(Location(path), message, hint))
            if errors > MAX_FINDINGS:
                break

    def without(self, paths: Collection[Path]) -> ImageStore:
        """Return a store with the same images except these files."""
        store = ImageStore(self._cache_folder, self._min_dpi)
        store._known = {key: entry for key, entry in self._known.items() if key[0] not in paths}
        return store

    def get(self, drawing: DrawImage) -> PreparedImage:
        """Return the prepared image of a drawing.

        Raises:
            KeyError: if `prepare` has not seen it, or could not prepare it.
        """
        prepared, _ = self._known[_key(drawing)]
        if prepared is None:
            raise KeyError(drawing.path)
        return prepared

    def _entry(self, key: _Key) -> tuple[PreparedImage | None, list[Diagnostic]]:
        """Return an image, from the cache if possible, and its findings."""
        path, width, height, cover, crop = key
        place = Location(path)
        if path.exists() and not is_file(path):
            return None, [I004.at(place, "cannot read the image: it is not a regular file")]
        try:
            if path.stat().st_size > MAX_IMAGE_BYTES:
                message = f"the image has more than {MAX_IMAGE_BYTES // 1_000_000} MB"
                return None, [I003.at(place, message, "save it as JPEG, or reduce its size")]
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "blake2b").hexdigest()[:40]
        except OSError as error:
            return None, [I004.at(place, f"cannot read the image: {error.strerror}")]
        fit = "contain"
        if cover:
            fit = "cover" if crop == CENTER_CROP else "cover_" + "_".join(f"{n:g}" for n in crop)
        stem = f"{digest}-{width}x{height}-{fit}-{_VERSION}"
        for start in (stem, f"{stem}{_CMYK}"):
            known = self._entries.get(start)
            content = known and read_checked(known)
            if known and content and (size := _read_size(content)):
                warning = [cmyk_warning(path)] if start.endswith(_CMYK) else []
                return PreparedImage(known, *size), warning
        findings: list[Diagnostic] = []
        with track_work(f"the picture `{path.name}`", path):
            decoded = decode(path, (width, height), crop if cover else None, findings=findings)
        if decoded is None:
            return None, findings
        (image, lossless), buffer = decoded, io.BytesIO()
        if lossless:
            image.save(buffer, "PNG", compress_level=6)
        else:
            image.save(buffer, "JPEG", quality=85, subsampling="4:2:0")
        stem += _CMYK if findings and not lossless else ""
        ending = ".png" if lossless else ".jpg"
        target = write_checked(self._cache, stem, ending, buffer.getvalue())
        limit = time.time() - _MAX_AGE_SECONDS
        for entry in self._cache.iterdir():
            with suppress(OSError):
                if entry.stat().st_mtime < limit:
                    entry.unlink()
        return PreparedImage(target, *image.size), findings

    @cached_property
    def _entries(self) -> dict[str, Path]:
        """The cached files by their names without checksum."""
        try:
            return {path.name.rpartition("-")[0]: path for path in self._cache.iterdir()}
        except OSError:
            return {}

    @cached_property
    def _own_folder(self) -> Path:
        """A temporary folder, removed with the store: a sandboxed child runs no exit handlers."""
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="deckwright-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder


def _key(drawing: DrawImage) -> _Key:
    """Return the file, the box in pixels at print resolution, and how it is filled."""
    box = drawing.box
    width, height = (max(1, round(to_pixels(side, PRINT_DPI))) for side in (box.width, box.height))
    return drawing.path, width, height, drawing.cover, drawing.crop


def _read_size(data: bytes) -> tuple[int, int] | None:
    """Return a cached image's size from its header, None if it has none."""
    if data.startswith(b"\x89PNG"):
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    frame = read_frame(data)
    return frame and frame[:2]


def read_frame(data: bytes) -> tuple[int, int, int] | None:
    """Return the width, the height and the channels of a JPEG (ISO 10918-1, B.2.2), or None."""
    at = 2
    while data[at : at + 1] == b"\xff":
        if data[at + 1] in {0xC0, 0xC1, 0xC2}:
            height, width = (int.from_bytes(data[at + n : at + n + 2]) for n in (5, 7))
            return width, height, data[at + 9]
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
