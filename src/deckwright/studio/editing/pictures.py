"""Pictures in the editor: their list, thumbnails, uploads, and boxes on faces for cropping."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from deckwright.api import Face
from deckwright.base.files import (
    RESERVED_NAMES,
    files_below,
    is_file,
    list_folder,
    make_unique,
    stays_inside,
    to_nfc,
)
from deckwright.base.findings import ChoiceError, Diagnostic, Location
from deckwright.base.geometry import Box, Crop, parse_focus, parse_zoom
from deckwright.base.parsing import parse
from deckwright.base.units import to_pixels
from deckwright.game.folder import GameFolder
from deckwright.game.ids import slugify
from deckwright.game.language import find_picture
from deckwright.game.model import Card
from deckwright.game.pictures import PICTURE_SUFFIXES
from deckwright.images.drawings.model import DrawingError
from deckwright.images.drawings.read import read_drawing
from deckwright.images.store import FORMATS, PRINT_DPI, decode, ending_of, upright_size
from deckwright.studio.answers import FileWrite, FolderWriter, LocalizedError, fingerprint_of

MAX_PICTURES = 2000
"""The maximum number of pictures listed."""
_MAX_THUMBNAIL_PX = 1000
"""The maximum width and height of a thumbnail, in pixels."""
_MAX_DRAWING_BYTES = 2_000_000


class PictureData(NamedTuple):
    """A picture: its name in `img`, its hash for requests, and its size in pixels if it has one."""

    name: str
    hash: str
    width: int | None
    height: int | None
    drawing: bool


def list_pictures(folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield the names, hashes and files of the pictures in a folder."""
    paths = (p for p in sorted(files_below(folder)) if p.suffix.lower()[1:] in PICTURE_SUFFIXES)
    shown = (
        path
        for path in paths
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and stays_inside(path, folder)
    )
    for path in islice(shown, MAX_PICTURES):
        inner, status = path.relative_to(folder), path.stat()
        name = to_nfc(inner.as_posix())
        identity = f"{name}\0{status.st_size}\0{status.st_mtime_ns}"
        yield name, fingerprint_of(identity.encode(errors="surrogatepass")), path


def serialize_picture(name: str, digest: str, path: Path) -> PictureData:
    """Return a picture's name, hash and size as plain data."""
    drawing = path.suffix.lower() == ".svg"
    width, height = (None if drawing else upright_size(path)) or (None, None)
    return PictureData(name, digest, width, height, drawing)


def read_thumbnail(folder: Path, digest: str) -> tuple[bytes, str] | None:
    """Return the picture with a hash, scaled down for an `<img>`, and its media type.

    Return None if it is missing or unreadable.
    """
    path = next((path for _, known, path in list_pictures(folder) if known == digest), None)
    if path is None or not is_file(path):
        return None
    if path.suffix.lower() == ".svg":
        small = path.stat().st_size <= _MAX_DRAWING_BYTES
        return (path.read_bytes(), "image/svg+xml") if small else None
    decoded = decode(path, (_MAX_THUMBNAIL_PX, _MAX_THUMBNAIL_PX), None, findings=[])
    if decoded is None:
        return None
    image, lossless = decoded
    buffer = io.BytesIO()
    if lossless:
        image.save(buffer, "PNG", compress_level=3)
        return buffer.getvalue(), "image/png"
    image.save(buffer, "JPEG", quality=85)
    return buffer.getvalue(), "image/jpeg"


MAX_UPLOAD_BYTES = 20_000_000
"""The maximum size of an uploaded file in bytes: about an A4 page as PNG at 300 dpi."""
_VERIFY_PX = 1000
"""The size, in pixels, at which an upload is decoded to verify that it is intact."""
_MAX_STEM_LENGTH = 60
_SVG_START = re.compile(rb"\s*(?:<\?xml\b|<!--|<!DOCTYPE\b|<svg\b)")


class UploadedImage(NamedTuple):
    """An uploaded picture that was verified to be printable.

    Attributes:
        name: its original file name.
        ending: the file ending of its format.
        findings: warnings, located in a temporary file.
    """

    name: str
    ending: str
    content: bytes
    findings: tuple[Diagnostic, ...]


def read_upload(body: Mapping[str, object]) -> UploadedImage:
    """Read and verify an uploaded picture. This is slow, and safe to call from any thread.

    Args:
        body: its `name`, and its `content` in base64.

    Raises:
        ChoiceError: if it is no printable picture.
    """
    name, data = decode_upload(body)
    findings: list[Diagnostic] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture"
        path.write_bytes(data)
        if _SVG_START.match(data.removeprefix(b"\xef\xbb\xbf")):
            ending: str | None = "svg"
            try:
                read_drawing(path)
            except DrawingError as error:
                message = f"line {error.place.line} of the drawing {name}: {error}"
                raise ChoiceError(message, error.hint) from None
        else:
            if decode(path, (_VERIFY_PX, _VERIFY_PX), None, findings=findings) is None:
                raise ChoiceError(findings[0].message, findings[0].hint)
            ending = ending_of(path)
    if ending is None:
        known = ", ".join(FORMATS)
        message = f"the file is not an image in one of the formats {known}"
        raise LocalizedError("edit-no-image", known, message=message)
    return UploadedImage(name, ending, data, tuple(findings))


def decode_upload(body: Mapping[str, object]) -> tuple[str, bytes]:
    """Return the name and the content of an uploaded file.

    Args:
        body: its `name`, and its `content` in base64.

    Raises:
        ChoiceError: if one of these is missing, or the file is too large.
    """
    name, data = parse("name", str, body.get("name")), parse("content", bytes, body.get("content"))
    if len(data) > MAX_UPLOAD_BYTES:
        message = f"the file has {len(data):,} bytes, {MAX_UPLOAD_BYTES:,} are allowed"
        raise ChoiceError(message, "reduce its size; save pictures as JPEG")
    return name, data


def store_picture(
    upload: UploadedImage, folder: GameFolder, writer: FolderWriter
) -> tuple[str, list[Diagnostic]]:
    """Store a picture in `img` under a free name, unless an identical file is there already.

    Returns:
        Its name in `img`, and the warnings about it.

    Raises:
        ChoiceError: if there are too many pictures, or the studio is read-only.
        OSError: if it cannot be written.
    """
    writer.require_writable()
    known = {name: path for name, _, path in list_pictures(folder.images)}
    size = len(upload.content)
    same = (
        name
        for name, path in known.items()
        if path.stat().st_size == size and path.read_bytes() == upload.content
    )
    name = next(same, "")
    if not name:
        if len(known) >= MAX_PICTURES:
            message = f"there are {len(known):,} pictures in img, and no more are allowed"
            raise LocalizedError("edit-no-room", message=message)
        last = re.split(r"[/\\]", upload.name)[-1]
        words = slugify(last.rpartition(".")[0] or last, "-")
        stem = words[:_MAX_STEM_LENGTH].strip("-") or "picture"
        taken = {to_nfc(path.stem).casefold() for path in list_folder(folder.images)}
        name = f"{make_unique(stem, taken | RESERVED_NAMES, '-')}.{upload.ending}"
        known[name] = folder.images / name
        writer.write({known[name]: FileWrite(upload.content, None)})
    return name, [each._replace(location=Location(known[name])) for each in upload.findings]


class BoxData(NamedTuple):
    """The box of a picture on a face, in mm from the top left corner of the trim box.

    Attributes:
        side: "face" or "back".
        cover: whether the picture fills the box, so that it can be cropped.
        dpi: its resolution in print, None for a drawing.
    """

    field: str
    side: str
    part: int
    x: float
    y: float
    width: float
    height: float
    cover: bool
    dpi: float | None


def picture_boxes(face: Face, card: Card, folder: Path, side: str, part: int) -> Iterator[BoxData]:
    """Yield the boxes of a card's pictures on a face."""
    for field in card.kind.fields:
        name = card.fields.get(field.name)
        if field.type != "image" or not isinstance(name, str):
            continue
        for box, cover in face.boxes_of(name):
            crop = None
            if cover:
                focus = card.fields.get(f"{field.name}-focus")
                zoom = card.fields.get(f"{field.name}-zoom")
                x, y = parse_focus(str(focus)) if focus else (0.5, 0.5)
                crop = Crop(x, y, parse_zoom(str(zoom)) if zoom else 1)
            dpi = _dpi(find_picture(folder, name), box, crop)
            place = box.x, box.y, box.width, box.height
            yield BoxData(field.name, side, part, *place, cover, dpi)


def _dpi(path: Path, box: Box, crop: Crop | None) -> float | None:
    """Return the resolution of a picture in a box, None for a drawing."""
    size = None if path.suffix.lower() == ".svg" else upright_size(path)
    width, height = (round(to_pixels(side, PRINT_DPI)) for side in (box.width, box.height))
    if size is None or not width or not height:
        return None
    if crop is None:
        return max(size[0] / width, size[1] / height) * PRINT_DPI
    _, _, across, down = crop.window(size, (width, height))
    return min(round(across) / width, round(down) / height) * PRINT_DPI  # as the printed image
