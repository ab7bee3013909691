"""Images, shrunk to what print needs and cached on disk by their content.

An image is opened once with Pillow, whatever its name says it is; what cannot be printed becomes a
finding of family I. Prints need 300 dpi, photos come with ten times the pixels.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from deckwright.base.crops import WHOLE, Crop
from deckwright.base.files import cache_folder, is_file, write_atomically, write_bytes
from deckwright.base.findings import MAX_FINDINGS, Code, Diagnostic, Location, Report, Severity
from deckwright.base.units import pixels
from deckwright.base.work import doing
from deckwright.images.decode import I003, MOST_BYTES, cmyk_warning, decode
from deckwright.ops.model import DrawImage

I004 = Code("I004", Severity.ERROR, "an image that cannot be read")
I007 = Code("I007", Severity.WARNING, "an image with too few pixels for its size in print")

PRINT_DPI = 300

_BATCH = 100
"""How many images are prepared before the next ones are."""
_MAX_AGE_SECONDS = 90 * 24 * 3600
_CMYK = "-cmyk"
"""Marks cached images of CMYK originals, so that the warning is given every time."""

_VERSION = "3"
"""Changes with how images are prepared, so that old entries are not used."""


_Key = tuple[Path, int, int, bool, Crop]
"""A file, the box in pixels, whether it is covered, and with which part of the image."""


class Prepared(NamedTuple):
    """An image ready for print: a file and its size in pixels.

    Attributes:
        alpha: the file of what can be seen through it, if the image itself cannot say that.
    """

    path: Path
    width_px: int
    height_px: int
    alpha: Path | None = None


class ImageStore:
    """Prepares images and remembers them, on disk between runs.

    What paints is given one that has prepared all images that are to be painted.
    """

    def __init__(self, cache: Path | None = None, least_dpi: int = PRINT_DPI) -> None:
        """Use the folder `cache`, or the user's cache folder.

        Args:
            least_dpi: of fewer pixels to the inch it is warned, since they are seen from so near.
        """
        self._given = cache
        self._least_dpi = least_dpi
        self._prepared: dict[_Key, Prepared] = {}
        self._known: dict[_Key, tuple[Prepared | None, list[Diagnostic]]] = {}

    @cached_property
    def _cache(self) -> Path:
        """The folder of the cache; one for this run alone where the user's cannot be written."""
        folder = self._given or cache_folder() / "images"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with write_atomically(folder / ".written", sync=False):
                pass
        except OSError:
            folder = self._own
        return folder

    def prepare(self, drawings: Iterable[DrawImage], report: Report) -> None:
        """Prepare all images that `drawings` need; report those that cannot be.

        After very many that cannot be, no more are tried.
        """
        keys = list(dict.fromkeys(map(_key, drawings)))
        errors = 0
        for batch in (keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)):
            self._remember([key for key in batch if key not in self._known])
            for key in batch:
                prepared, findings = self._known[key]
                report.extend(findings)
                if prepared is not None:
                    self._prepared[key] = prepared
                    report.extend(_coarse(key, prepared, self._least_dpi))
                errors += prepared is None
            if errors > MAX_FINDINGS:
                break

    def without(self, paths: Collection[Path]) -> ImageStore:
        """Return a store that knows the same images but for these files."""
        store = ImageStore(self._given, self._least_dpi)
        store._prepared = {key: made for key, made in self._prepared.items() if key[0] not in paths}
        store._known = {key: entry for key, entry in self._known.items() if key[0] not in paths}
        return store

    def of(self, drawing: DrawImage) -> Prepared:
        """Return the prepared image of a drawing that `prepare` has seen."""
        return self._prepared[_key(drawing)]

    def _remember(self, keys: Sequence[_Key]) -> None:
        """Prepare images that are not known yet, two at a time."""
        if len(keys) < 2:  # noqa: PLR2004
            self._known |= zip(keys, map(self._entry, keys), strict=True)
            return
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - only with images

        with ThreadPoolExecutor(2) as pool:
            self._known |= zip(keys, pool.map(self._entry, keys), strict=True)

    def _entry(self, key: _Key) -> tuple[Prepared | None, list[Diagnostic]]:
        import hashlib  # noqa: PLC0415 - only with images

        path, width, height, cover, crop = key
        if path.exists() and not is_file(path):
            return None, [
                I004.at(Location(path), "cannot read the image: it is not a regular file")
            ]
        try:
            if path.stat().st_size > MOST_BYTES:
                message = f"the image has more than {MOST_BYTES // 1_000_000} MB"
                return None, [I003.at(Location(path), message, "save it as JPEG, or smaller")]
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "blake2b").hexdigest()[:40]
        except OSError as error:
            return None, [I004.at(Location(path), f"cannot read the image: {error.strerror}")]
        fit = "contain"
        if cover:
            fit = "cover" if crop == WHOLE else "cover_" + "_".join(f"{n:g}" for n in crop)
        stem = f"{digest}-{width}x{height}-{fit}-{_VERSION}"
        for start in (stem, f"{stem}{_CMYK}"):
            known = self._entries.get(start)
            if known is not None and _is_whole(known) and (size := _pixels(known)) is not None:
                findings = [cmyk_warning(path)] if start.endswith(_CMYK) else []
                return Prepared(known, *size), findings
        return self._make(key, stem)

    @cached_property
    def _entries(self) -> dict[str, Path]:
        """The files of the cache by the beginnings of their names, which end in sums."""
        try:
            return {path.name.rpartition("-")[0]: path for path in self._cache.iterdir()}
        except OSError:
            return {}

    @cached_property
    def _own(self) -> Path:
        """A folder for this run alone."""
        import shutil  # noqa: PLC0415 - only where the usual place is not to be had
        import tempfile  # noqa: PLC0415
        import weakref  # noqa: PLC0415

        folder = Path(tempfile.mkdtemp(prefix="deckwright-"))
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    def _make(self, key: _Key, stem: str) -> tuple[Prepared | None, list[Diagnostic]]:
        path, width, height, cover, crop = key
        findings: list[Diagnostic] = []
        with doing(f"the picture `{path.name}`", path):
            decoded = decode(path, (width, height), crop if cover else None, findings=findings)
        if decoded is None:
            return None, findings
        image, lossless = decoded
        buffer = io.BytesIO()
        if lossless:
            image.save(buffer, "PNG", compress_level=6)
        else:
            image.save(buffer, "JPEG", quality=85, subsampling="4:2:0")
        data = buffer.getvalue()
        mark = _CMYK if findings and not lossless else ""
        name = f"{stem}{mark}-{_sum(data)}.{'png' if lossless else 'jpg'}"
        # What is damaged is noticed, so nothing waits for the disk.
        try:
            target = write_bytes(self._cache / name, data, sync=False)
        except OSError:
            target = write_bytes(self._own / name, data, sync=False)
        self._prune()
        return Prepared(target, *image.size), findings

    def _prune(self) -> None:
        """Remove entries that were not made for a long time."""
        import time  # noqa: PLC0415 - only when an image is new

        limit = time.time() - _MAX_AGE_SECONDS
        for entry in self._cache.iterdir():
            with suppress(OSError):
                if entry.stat().st_mtime < limit:
                    entry.unlink()


def _sum(data: bytes) -> str:
    """Return a short sum of bytes, by which damage is seen."""
    import hashlib  # noqa: PLC0415 - only with images

    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _is_whole(path: Path) -> bool:
    """Return whether a file of the cache holds what was written to it."""
    try:
        return path.stem.rpartition("-")[2] == _sum(path.read_bytes())
    except OSError:
        return False


def _coarse(key: _Key, prepared: Prepared, least_dpi: int) -> Iterator[Diagnostic]:
    """Yield a warning for an image that has too few pixels for its size in print."""
    path, width, height, cover, crop = key
    shares = prepared.width_px / width, prepared.height_px / height
    dpi = round(PRINT_DPI * (min(shares) if cover else max(shares)))
    if dpi < least_dpi - 1:
        zoom = crop.zoom * least_dpi / PRINT_DPI
        yield I007.at(
            Location(path),
            f"the image is printed at {dpi} dpi, {least_dpi} are needed to look sharp",
            f"use one of at least {width * zoom:.0f} × {height * zoom:.0f} pixels",
        )


def _key(drawing: DrawImage) -> _Key:
    """Return the file, the box in pixels at print resolution, and how it is filled."""
    box = drawing.box
    width, height = (max(1, round(pixels(side, PRINT_DPI))) for side in (box.width, box.height))
    return drawing.path, width, height, drawing.cover, drawing.crop


def _pixels(path: Path) -> tuple[int, int] | None:
    """Return the size of a cached image from its header, None if there is none."""
    try:
        with path.open("rb") as stream:
            head = stream.read(26)
            if head.startswith(b"\x89PNG"):
                return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
            stream.seek(2)
            while True:
                marker = stream.read(4)
                if len(marker) < 4 or marker[0] != 0xFF:  # noqa: PLR2004 - a JPEG segment's head
                    return None
                length = int.from_bytes(marker[2:4])
                if marker[1] in {0xC0, 0xC1, 0xC2}:
                    frame = stream.read(5)
                    return int.from_bytes(frame[3:5]), int.from_bytes(frame[1:3])
                stream.seek(length - 2, 1)
    except OSError:
        return None
