"""What font files hold: their members, axes and outlines, as HarfBuzz reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import known_hint

if TYPE_CHECKING:
    import uharfbuzz as hb

_COLLECTIONS = (".ttc", ".otc")
_TRUETYPE = (b"\x00\x01\x00\x00", b"true")
_OPENTYPE = b"OTTO"
_COLLECTION = b"ttcf"
TABLES = ("head", "hhea", "maxp", "hmtx", "cmap", "name", "post", "OS/2")
"""What any font must have."""
_WEB = (b"wOFF", b"wOF2")


class UnusableFontError(Exception):
    """A file is no font that can be printed with."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Keep what is wrong and what to do."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class Axis(NamedTuple):
    """What can be varied in a font, from one number to another."""

    minimum: float
    usual: float
    maximum: float


class FontFile(NamedTuple):
    """A font in a file.

    Attributes:
        member: its number in a collection, from 0.
        axes: what can be varied in it, by tag, such as `wght`.
        is_plain: whether PDFs can have it as it is: TrueType outlines, of one weight.
    """

    path: Path
    member: int
    axes: Mapping[str, Axis]
    is_plain: bool

    @property
    def weight(self) -> Axis | None:
        """Which weights it has, None if it has one."""
        return self.axes.get("wght")

    @property
    def italic(self) -> tuple[str, float] | None:
        """What makes it italic: an axis and its number; None if nothing does."""
        if "ital" in self.axes and self.axes["ital"].maximum > 0:
            return "ital", self.axes["ital"].maximum
        if "slnt" in self.axes and self.axes["slnt"].minimum < 0:
            return "slnt", self.axes["slnt"].minimum
        return None


def split(name: str) -> tuple[str, str]:
    """Return the file and the member that a designer names, as in `Sans.ttc#Sans Bold`."""
    file, mark, member = name.rpartition("#")
    return (file, member) if mark and file.lower().endswith(_COLLECTIONS) else (name, "")


def look(path: Path, member: str = "") -> FontFile:
    """Return what is known of a font in a file.

    Args:
        member: which one of a collection: its name, or its number from 1; "" for the first.

    Raises:
        UnusableFontError: if it is none that can be printed with.
    """
    with path.open("rb") as stream:
        start = stream.read(4)
    if start in _TRUETYPE:
        axes = _axes(path) if _has_axes(path) else {}
        return FontFile(path, 0, axes, is_plain=not axes)
    if start in _WEB:
        message = f"`{path.name}` is packed for the web"
        raise UnusableFontError(message, "use the font's TTF or OTF file")
    if start not in {_OPENTYPE, _COLLECTION}:
        raise UnusableFontError(f"`{path.name}` is not a TrueType or OpenType font")
    number = _member(path, member)
    return FontFile(path, number, _axes(path, number), is_plain=False)


def _has_axes(path: Path) -> bool:
    """Return whether a TrueType font may vary, by the list of tables at its start."""
    with path.open("rb") as stream:
        start = stream.read(12)
        return b"fvar" in stream.read(16 * int.from_bytes(start[4:6], "big"))


def _face(path: Path, member: int = 0) -> hb.Face:
    import uharfbuzz as hb  # noqa: PLC0415 - only for fonts that are not plain

    return hb.Face(hb.Blob.from_file_path(str(path)), member)


def _axes(path: Path, member: int = 0) -> dict[str, Axis]:
    infos = _face(path, member).axis_infos
    return {a.tag: Axis(a.min_value, a.default_value, a.max_value) for a in infos}


def _member(path: Path, wanted: str) -> int:
    """Return the number of a member of a collection, from 0.

    Raises:
        UnusableFontError: if there is none of that name or number.
    """
    count = _face(path).count
    if not wanted:
        return 0
    if wanted.isascii() and wanted.isdigit() and 0 < int(wanted) <= count:
        return int(wanted) - 1
    names = [_name(_face(path, number)) for number in range(count)]
    if wanted in names:
        return names.index(wanted)
    known = ", ".join(f"`{name}`" for name in names)
    message = f"`{path.name}` has no font `{wanted}`, but {known}"
    raise UnusableFontError(message, known_hint(wanted, names))


def _name(face: hb.Face) -> str:
    """Return the full name of a font."""
    import uharfbuzz as hb  # noqa: PLC0415 - as above

    return face.get_name(hb.OTNameIdPredefined.FULL_NAME) or ""
