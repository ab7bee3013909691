"""Fonts as PDFs can have them, made once and kept in the user's cache: TrueType, of one weight.

A variable font would be printed in its usual weight, and outlines of OpenType (CFF) not at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from deckwright.base.files import cache_folder, write_bytes
from deckwright.base.progress import steps
from deckwright.base.work import doing
from deckwright.text.font_files import TABLES, FontFile

_VERSION = 3
"""Changes with how instances are made, so that old ones are not used."""
_FULL_NAMES = (4, 6)
"""The numbers of the names by which programs tell fonts apart (OpenType, `name`)."""
_PRECISION = 1 / 1000
"""How far curves of TrueType may be from those of OpenType, in ems."""
_AT_ONCE = 500
"""After how many glyphs it is said how many there are; some fonts have 60,000."""
_OF_OPENTYPE = ("CFF ", "CFF2", "VORG", "vhea", "vmtx", "VVAR", "HVAR", "MVAR", "STAT", "avar")
_UNSET = {
    "maxZones": 1,
    "maxTwilightPoints": 0,
    "maxStorage": 0,
    "maxFunctionDefs": 0,
    "maxInstructionDefs": 0,
    "maxStackElements": 0,
    "maxSizeOfInstructions": 0,
    "maxComponentElements": 0,
}
"""What a font without instructions needs of the machine that would run them."""


def printable(file: FontFile, place: Mapping[str, float]) -> Path:
    """Return a file with the font of `file` as PDFs can have it: its own, if that is so.

    Args:
        place: where it stands on its axes, by tag; the others have their usual place.

    Raises:
        Exception: what fontTools raises if the font is damaged.
    """
    if file.is_plain:
        return file.path
    status = file.path.stat()
    state = status.st_size, status.st_mtime_ns
    return instance(file.path, file.member, tuple(place.items()), state)


@lru_cache(maxsize=64)
def instance(
    path: Path,
    member: int,
    place: tuple[tuple[str, float], ...],
    state: tuple[int, int] = (0, 0),  # noqa: ARG001 - of what is kept here, it tells files apart
) -> Path:
    """Return the file of a font that stands so on its axes, with outlines of TrueType.

    Args:
        member: its number in a collection, from 0.
        state: the size and time of the file, which may change while a game is open.
    """
    import hashlib  # noqa: PLC0415 - only for such fonts

    def digest(data: bytes) -> str:
        return hashlib.blake2b(data, digest_size=8).hexdigest()

    at = "-".join(f"{round(number):g}" for _, number in place)
    name = "-".join(filter(None, (path.stem.partition("[")[0], at, str(member or ""))))
    start = f"{name}-{digest(path.read_bytes())}-{_VERSION}-"
    folder = cache_folder() / "fonts"
    for known in folder.glob(f"{start}*.ttf"):
        if known.stem.rpartition("-")[2] == digest(known.read_bytes()):
            return known
    with doing(f"the font `{path.name}`", path):
        data = _made(path, member, dict(place), name)
    name = f"{start}{digest(data)}.ttf"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write_bytes(folder / name, data)
    except OSError:
        return write_bytes(_own_folder() / name, data)


def _made(path: Path, member: int, place: Mapping[str, float], name: str) -> bytes:
    import io  # noqa: PLC0415 - rarely needed
    import logging  # noqa: PLC0415

    from fontTools.ttLib import TTFont  # noqa: PLC0415 - heavy

    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    stream = io.BytesIO()
    # Boxes are not computed anew: outlines of CFF may call each other without an end.
    settled = {"recalcTimestamp": False, "recalcBBoxes": False}
    with TTFont(path, fontNumber=member, **settled) as font:
        for tag in TABLES:
            _ = font[tag]
        varies, is_truetype = "fvar" in font, "glyf" in font
        if not varies:
            font.save(stream)
    if varies:
        with TTFont(io.BytesIO(_pinned(path, member, place)), **settled) as font:
            for record in font["name"].names:
                if record.nameID in _FULL_NAMES:
                    record.string = name
            font.save(stream)
    return stream.getvalue() if is_truetype else _with_truetype_outlines(stream.getvalue())


def _pinned(path: Path, member: int, place: Mapping[str, float]) -> bytes:
    """Return a variable font that varies no more: HarfBuzz makes it in a few milliseconds."""
    import uharfbuzz as hb  # noqa: PLC0415

    face = hb.Face(hb.Blob.from_file_path(path), member)
    whole = hb.SubsetInput()
    whole.keep_everything()
    whole.pin_all_axes_to_default(face)
    for tag, value in place.items():
        whole.pin_axis_location(face, tag, value)
    data: bytes = hb.subset(face, whole).blob.data
    return data


def _with_truetype_outlines(data: bytes) -> bytes:
    """Return an OpenType font with outlines of TrueType: of the glyphs that print has.

    These are those of its character map, for print knows no ligatures.
    """
    import io  # noqa: PLC0415 - rarely needed

    import uharfbuzz as hb  # noqa: PLC0415
    from fontTools.pens.cu2quPen import Cu2QuPen  # noqa: PLC0415
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # noqa: PLC0415
    from fontTools.ttLib import TTFont, newTable  # noqa: PLC0415

    whole = hb.Face(data)
    if not whole.unicodes:
        raise ValueError("it has no characters")
    wanted = hb.SubsetInput()
    wanted.unicode_set.set(whole.unicodes)
    wanted.flags = hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.NOTDEF_OUTLINE
    wanted.no_subset_table_tag_set.add(int.from_bytes(b"name", "big"))
    face = hb.subset(whole, wanted)
    drawn, most = hb.Font(face), face.upem * _PRECISION
    font: Any = TTFont(io.BytesIO(face.blob.data), recalcTimestamp=False)
    order = [".notdef", *(f"glyph{number:05}" for number in range(1, face.glyph_count))]
    font.setGlyphOrder(order)
    glyphs = {}
    for start in steps(range(0, len(order), _AT_ONCE), "making a font ready, once for all"):
        for number, name in enumerate(order[start : start + _AT_ONCE], start):
            pen = TTGlyphPen(None)
            drawn.draw_glyph_with_pen(number, Cu2QuPen(pen, most, reverse_direction=True))
            glyphs[name] = pen.glyph()
    for tag in _OF_OPENTYPE:
        if tag in font:
            del font[tag]
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = order, glyphs
    metrics = font["hmtx"].metrics
    for name, glyph in glyphs.items():
        glyph.recalcBounds(font["glyf"])
        metrics[name] = metrics[name][0], getattr(glyph, "xMin", 0)
    font["maxp"].tableVersion = 0x00010000
    vars(font["maxp"]).update(_UNSET)
    font["post"].formatType = 3.0
    font.sfntVersion = "\x00\x01\x00\x00"
    stream = io.BytesIO()
    font.save(stream)
    return stream.getvalue()


@lru_cache(maxsize=1)
def _own_folder() -> Path:
    """Return a folder for this run alone."""
    import atexit  # noqa: PLC0415 - only where the usual place is not to be had
    import shutil  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    folder = Path(tempfile.mkdtemp(prefix="deckwright-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
