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
_MOST_CHARACTERS = 1_000_000
"""How many characters the tables of a map may have in all; fonts of Chinese have 200,000."""


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
    if start in _WEB:
        message = f"`{path.name}` is packed for the web"
        raise UnusableFontError(message, "use the font's TTF or OTF file")
    if start not in {*_TRUETYPE, _OPENTYPE, _COLLECTION}:
        raise UnusableFontError(f"`{path.name}` is not a TrueType or OpenType font")
    number = _member(path, member) if start not in _TRUETYPE else 0
    if _count_characters(_face(path, number).reference_table("cmap").data) > _MOST_CHARACTERS:
        message = f"`{path.name}` has more than {_MOST_CHARACTERS:,} characters"
        raise UnusableFontError(message, "use a font with fewer")
    if start in _TRUETYPE:
        axes = _axes(path) if _has_axes(path) else {}
        return FontFile(path, 0, axes, is_plain=not axes)
    return FontFile(path, number, _axes(path, number), is_plain=False)


def _count_characters(cmap: bytes) -> int:
    """Return how many characters the tables of a map have, as they say (OpenType, `cmap`).

    Those of other formats have no more than they have bytes.
    """

    def number(at: int, size: int) -> int:
        return int.from_bytes(cmap[at : at + size], "big")

    count = 0
    for start in {number(8 + 8 * at, 4) for at in range(number(2, 2))}:
        match number(start, 2):
            case 4:
                segments = number(start + 6, 2) // 2
                ends, starts = start + 14, start + 16 + 2 * segments
                for at in range(0, 2 * segments, 2):
                    count += max(0, number(ends + at, 2) - number(starts + at, 2) + 1)
            case 8 | 12 | 13 as form:
                groups = start + (8204 if form == 8 else 12)  # noqa: PLR2004 - behind its bits
                most = min(number(groups, 4), len(cmap) // 12)
                for at in range(groups + 4, groups + 4 + 12 * most, 12):
                    count += max(0, number(at + 4, 4) - number(at, 4) + 1)
            case 14:
                for at in range(
                    start + 10, start + 10 + 11 * min(number(start + 6, 4), len(cmap)), 11
                ):
                    default = number(at + 3, 4)
                    ranges = start + default + 4
                    most = min(number(ranges - 4, 4), len(cmap) // 4) if default else 0
                    count += sum(cmap[ranges + 3 : ranges + 4 * most : 4]) + most
        if count > _MOST_CHARACTERS:
            break
    return count


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
