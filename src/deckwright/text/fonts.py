"""Find font files: bundled families, the icon font, and a game's own, one per style or variable."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.cache import checksum, find_checked, write_checked
from deckwright.base.extras import install_command
from deckwright.base.files import cache_folder, is_file, list_folder, stays_inside
from deckwright.base.findings import Code, Report, Severity, find_nearest, format_names, known_hint
from deckwright.base.processes import track_work
from deckwright.game.folder import GameFolder
from deckwright.game.setup import FontFamily, Setup

if TYPE_CHECKING:
    import uharfbuzz as hb


T007 = Code("T007", Severity.ERROR, "a font that cannot be used")

STYLES = ("regular", "bold", "italic", "bold-italic")
_STYLE_FALLBACKS = {
    "regular": ("regular",),
    "bold": ("bold", "regular"),
    "italic": ("italic", "regular"),
    "bold-italic": ("bold-italic", "bold", "italic", "regular"),
}
"""For each style, the styles to try in order."""

_ADOBE = ("Regular", "Bold", "It", "BoldIt")
_BUNDLED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "Source Sans Pro": ("font_source_sans_pro", "files/SourceSansPro", _ADOBE),
    "Source Serif Pro": ("font_source_serif_pro", "files/SourceSerifPro", _ADOBE),
    "IBM Plex Mono": (
        "fontpkg_ibm_plex_mono",
        "files/IBMPlexMono",
        ("Regular", "Bold", "Italic", "BoldItalic"),
    ),
    "IBM Plex Sans Arabic": (
        "fontpkg_ibm_plex_sans_arabic",
        "files/IBMPlexSansArabic",
        ("Regular", "Bold"),
    ),
    "Amiri": ("fontpkg_amiri", "files/Amiri", ("Regular", "Bold", "Italic", "BoldItalic")),
}
"""Families with their package, the start of their files' path, and the files' names by style.

The Arabic families have a glyph for each letter, so that text can be copied; in Noto's, dots are
glyphs of their own.
"""

FONT_SCRIPTS = (
    *("Thai", "Georgian", "Armenian", "Arabic", "Hebrew", "Devanagari", "Bengali", "Gujarati"),
    *("Gurmukhi", "Kannada", "Malayalam", "Oriya", "Sinhala", "Tamil", "Telugu", "Ethiopic"),
    *("Khmer", "Lao", "Myanmar"),
)
"""Scripts with a family of their own among the bundled fonts."""
_VARIABLE: dict[str, tuple[str, tuple[str, ...], tuple[int, ...]]] = {
    "Cinzel": ("fontpkg_cinzel", ("files/Cinzel[wght].ttf",), (400, 700)),
    "Cinzel Black": ("fontpkg_cinzel", ("files/Cinzel[wght].ttf",), (900, 900)),
    "Noto Sans": (
        "fontpkg_noto_sans",
        ("files/NotoSans[wdth,wght].ttf", "files/NotoSans-Italic[wdth,wght].ttf"),
        (400, 700),
    ),
    "Noto Emoji": ("manimgx_fonts", ("NotoEmoji[wght].ttf",), (400, 700)),
    "Noto Sans Symbols": ("manimgx_fonts", ("NotoSansSymbols[wght].ttf",), (400, 700)),
    **{
        f"Noto Sans {script}": ("manimgx_fonts", (f"NotoSans{script}[wght].ttf",), (400, 700))
        for script in FONT_SCRIPTS
    },
    **{
        f"Noto Sans {region}{style}": (
            "manimgx_fonts_cjk",
            (f"NotoSansCJK-VF.otf.ttc#{number}",),
            (weight,),
        )
        for number, region in enumerate(("JP", "KR", "SC", "TC"), 1)
        for style, weight in (("", 400), (" Bold", 700))
    },
}
"""Variable families with their package, files, and the weights of regular and bold.

The files are the upright one and that of the italics, if the family has any; a number after `#` is
that of a collection's member. Chinese, Japanese and Korean fonts have their bold as a family of its
own, since each takes seconds to prepare, and ten megabytes of the cache.
"""
_FALLBACKS_BY_LANGUAGE = {"ko": "Noto Sans KR", "zh": "Noto Sans SC"}
"""Characters that several languages share are drawn as the game's language draws them."""

_FALLBACKS = ["IBM Plex Sans Arabic"]
_FALLBACKS += (n for n in _VARIABLE if n.startswith("Noto") and not n.endswith(" Bold"))
"""The families for characters that others lack, in the order in which they are tried."""

CODE_FAMILY = "code"
"""The family of program code."""


class Font(NamedTuple):
    """A font: one style of a family. `id` is unique in a game, for example "text-bold".

    Attributes:
        stands_for: the missing style that this font replaces; "" if none.
        chain: the ids of the fallback families for characters that this font lacks.
    """

    id: str
    path: Path
    stands_for: str = ""
    chain: tuple[str, ...] = ()


def icon_font() -> Font:
    """Return the bundled icon font, Material Design Icons."""
    path = _package_folder("fonticon_mdi7") / "fonts" / "materialdesignicons-webfont.ttf"
    return Font("icons", path)


def load_fonts(setup: Setup, folder: GameFolder, report: Report) -> Mapping[tuple[str, str], Font]:
    """Return a game's fonts by family id and style.

    A style that a family lacks is replaced by another one. A game without fonts gets the family
    `text`.
    """
    fonts: dict[tuple[str, str], Font] = {}
    for family in setup.fonts.values():
        try:
            paths = _files(family, folder)
        except StyleError as error:
            report.append(T007.at(family.source.at(error.attribute), error.message, error.hint))
            continue
        for style, instead in _STYLE_FALLBACKS.items():
            has = next(own for own in instead if own in paths)
            name, stands_for = f"{family.id}-{style}", style if has != style else ""
            fonts[family.id, style] = Font(name, paths[has], stands_for, family.fallback)
    return fonts if setup.fonts else default_fonts()


def default_fonts() -> dict[tuple[str, str], Font]:
    """Return the fonts of a game that names none, by family id and style."""
    files = bundled_files("Source Sans Pro")
    return {("text", style): Font(f"text-{style}", path) for style, path in files.items()}


def code_fonts() -> dict[str, Font]:
    """Return the default fonts of program code by id."""
    files = bundled_files("IBM Plex Mono")
    fonts = (Font(f"{CODE_FAMILY}-{style}", path) for style, path in files.items())
    return {font.id: font for font in fonts}


def _files(family: FontFamily, folder: GameFolder) -> dict[str, Path]:
    """Return a family's files by style.

    Raises:
        StyleError: if it cannot be used.
    """
    name = family.family
    if name is None and "regular" not in family.files:
        message = f"the font `{family.id}` has neither a family nor a file"
        raise StyleError(None, message, 'add `regular="file.ttf"` or `family="…"`')
    if name is None:
        return load_own_fonts(family, folder.path / "templates")
    if name not in _BUNDLED and name not in _VARIABLE:
        families = [*_BUNDLED, *_VARIABLE]
        meant = format_names(find_nearest(name, families)) or f"one of {format_names(families)}"
        hint = (
            f"use {meant}, or copy a font of your own to `templates` "
            'and write `regular="file.ttf"` in place of `family`'
        )
        raise StyleError("family", f"there is no bundled font family `{name}`", hint)
    if family.weight is not None:
        message = f"the weights of the bundled family `{name}` are fixed"
        hint = "leave out `weight`, or use a variable font of your own"
        raise StyleError("weight", message, hint)
    if family.bold is not None and family.bold not in _VARIABLE:
        message = f"there is no bundled font family `{family.bold}`"
        raise StyleError("bold", message, known_hint(family.bold, filter(None, [bold_of(name)])))
    try:
        bold = {"bold": bundled_files(family.bold)["regular"]} if family.bold else {}
        return {**bundled_files(name), **bold}
    except ModuleNotFoundError:
        hint = f"install it with `{install_command('fonts')}`"
        raise StyleError("family", f"the font family `{name}` is not installed", hint) from None


def bold_of(family: str | None) -> str | None:
    """Return the bundled family that has the bold of another one, None if there is none."""
    bold = f"{family} Bold"
    return bold if bold in _VARIABLE else None


def bundled_files(family: str) -> dict[str, Path]:
    """Return a bundled family's files by style.

    Raises:
        ModuleNotFoundError: if its package is not installed.
    """
    if family in _BUNDLED:
        package, stem, own = _BUNDLED[family]
        start = _package_folder(package)
        return {s: start / f"{stem}-{name}.ttf" for s, name in zip(STYLES, own, strict=False)}
    package, names, weights = _VARIABLE[family]
    styles: dict[str, Path] = {}
    for slant, name in enumerate(names):
        file, member = split_font_name(name)
        path = _package_folder(package) / file
        for style, weight in zip(STYLES[2 * slant :], weights, strict=False):
            width = (("wdth", 100),) if "wdth" in name else ()
            place = (*width, ("wght", weight))
            styles[style] = make_instance(path, int(member or 1) - 1, place)
    return styles


def uninstalled_families() -> list[str]:
    """Return the bundled families whose packages are not installed."""
    packages = {name: package for name, (package, *_) in (*_BUNDLED.items(), *_VARIABLE.items())}
    lacking = {one for one in {*packages.values()} if importlib.util.find_spec(one) is None}
    return [name for name, package in packages.items() if package in lacking]


def find_fallbacks(
    text: str, families: Iterable[str], language: str | None = None
) -> tuple[list[str], str]:
    """Return bundled families that have the characters which others lack, and what none has.

    Families whose package is not installed are left out.

    Args:
        families: the bundled families that print the text.
        language: that of the text, as in `game.xml`.
    """

    def characters(path: Path, member: str = "") -> set[str]:
        return {chr(code) for code in _face(path, int(member or 1) - 1).unicodes}

    lacking = {letter for letter in text if letter.isprintable() and not letter.isspace()}
    lacking -= {"\ufe0e", "\ufe0f"}  # these choose the style of an emoji
    # Italics have fewer scripts than upright letters.
    has = [characters(path) for f in families for path in bundled_files(f).values()]
    lacking -= set[str].intersection(*has)
    found = []
    preferred = _FALLBACKS_BY_LANGUAGE.get((language or "").partition("-")[0])
    for family in sorted(_FALLBACKS, key=lambda name: name != preferred) if lacking else ():
        if family in _BUNDLED:
            package, stem, styles = _BUNDLED[family]
            name = f"{stem}-{styles[0]}.ttf"
        else:
            package, (name, *_), _ = _VARIABLE[family]
        if importlib.util.find_spec(package) is None:
            continue
        file, member = split_font_name(name)
        own = characters(_package_folder(package) / file, member)
        if lacking & own:
            found.append(family)
            lacking -= own
    return found, "".join(sorted(lacking))


def _package_folder(package: str) -> Path:
    """Return the folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"the package {package} is not installed")
    return Path(spec.origin).parent


_COLLECTIONS = (".ttc", ".otc")
_TRUETYPE = (b"\x00\x01\x00\x00", b"true")
_OPENTYPE = b"OTTO"
_COLLECTION = b"ttcf"
TABLES = ("head", "hhea", "maxp", "hmtx", "cmap", "name", "post", "OS/2")
"""Tables that every font must have."""
_WEB_SIGNATURES = (b"wOFF", b"wOF2")
_MAX_CHARACTERS = 1_000_000
"""The most characters in all tables of `cmap`; Chinese fonts have 200,000."""


class StyleError(Exception):
    """A family or its style cannot be used; `attribute` is the attribute at fault, if any."""

    def __init__(self, attribute: str | None, message: str, hint: str | None = None) -> None:
        """Keep the attribute, the message and the hint."""
        super().__init__(message)
        self.attribute = attribute
        self.message = message
        self.hint = hint


class FontFile(NamedTuple):
    """A font in a file.

    Attributes:
        member: its index in a collection.
        axes: the ranges of its variation axes by tag, such as `wght`.
        is_plain: whether PDFs can embed it as it is: static, with TrueType outlines.
    """

    path: Path
    member: int
    axes: Mapping[str, tuple[float, float]]
    is_plain: bool

    @property
    def weight(self) -> tuple[float, float] | None:
        """Its range of weights, None if it is fixed."""
        return self.axes.get("wght")

    @property
    def italic(self) -> tuple[str, float] | None:
        """The axis and the value that make it italic, or None."""
        _, italic = self.axes.get("ital", (0, 0))
        slant, _ = self.axes.get("slnt", (0, 0))
        return ("ital", italic) if italic > 0 else ("slnt", slant) if slant < 0 else None


def split_font_name(name: str) -> tuple[str, str]:
    """Return the file and the member of a font's name, as in `Sans.ttc#Sans Bold`."""
    file, mark, member = name.rpartition("#")
    return (file, member) if mark and file.lower().endswith(_COLLECTIONS) else (name, "")


def inspect_font(path: Path, member: str, style: str) -> FontFile:
    """Return a font's properties.

    Args:
        member: the name of a collection's member, or its number from 1; "" for the first.
        style: the attribute that names it.

    Raises:
        StyleError: if it cannot be printed.
    """
    with path.open("rb") as stream:
        head = stream.read(12)
        directory = stream.read(16 * int.from_bytes(head[4:6], "big"))
    start = head[:4]
    if start in _WEB_SIGNATURES:
        raise StyleError(style, f"`{path.name}` is a web font", "use the font's TTF or OTF file")
    if start not in {*_TRUETYPE, _OPENTYPE, _COLLECTION}:
        raise StyleError(style, f"`{path.name}` is not a TrueType or OpenType font")
    is_truetype = start in _TRUETYPE
    number = 0 if is_truetype else _member(path, member, style)
    face = _face(path, number)
    if _count_characters(face.reference_table("cmap").data) > _MAX_CHARACTERS:
        message = f"`{path.name}` has more than {_MAX_CHARACTERS:,} characters"
        raise StyleError(style, message, "use a font with fewer")
    infos = () if is_truetype and b"fvar" not in directory else face.axis_infos
    axes = {axis.tag: (axis.min_value, axis.max_value) for axis in infos}
    return FontFile(path, number, axes, is_plain=is_truetype and not axes)


def _count_characters(cmap: bytes) -> int:
    """Return how many characters a `cmap` table claims to have (OpenType, `cmap`).

    Tables of other formats have no more characters than bytes, and are not counted.
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
                groups = start + (8204 if form == 8 else 12)  # after is32
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
        if count > _MAX_CHARACTERS:
            break
    return count


def _face(path: Path, member: int = 0) -> hb.Face:
    import uharfbuzz as hb  # rarely needed

    return hb.Face(hb.Blob.from_file_path(str(path)), member)


def _member(path: Path, wanted: str, style: str) -> int:
    """Return the index of a collection's member.

    Raises:
        StyleError: if there is none of that name or number.
    """
    count = _face(path).count
    if not wanted:
        return 0
    if wanted.isascii() and wanted.isdigit() and 0 < int(wanted) <= count:
        return int(wanted) - 1
    import uharfbuzz as hb

    full = hb.OTNameIdPredefined.FULL_NAME
    names = [_face(path, number).get_name(full) or "" for number in range(count)]
    if wanted in names:
        return names.index(wanted)
    known = ", ".join(f"`{name}`" for name in names)
    message = f"`{path.name}` has no font `{wanted}`, only {known}"
    raise StyleError(style, message, known_hint(wanted, names))


_VERSION = 4
"""To be increased when instances are made differently, which invalidates the cache."""
_FULL_NAMES = (4, 6)
"""The ids of the names by which programs tell fonts apart (OpenType, `name`)."""


@lru_cache(maxsize=64)
def make_instance(
    path: Path,
    member: int,
    place: tuple[tuple[str, float], ...],
    state: tuple[int, int] = (0, 0),  # noqa: ARG001 - a part of the cache key
) -> Path:
    """Return a static instance of a font as a cached file.

    Args:
        member: its index in a collection.
        state: the file's size and time, which may change while a game is open.
    """
    at = "-".join(f"{round(number):g}" for _, number in place)
    name = "-".join(filter(None, (path.stem.partition("[")[0], at, str(member or ""))))
    stem, folder = f"{name}-{checksum(path.read_bytes())}-{_VERSION}", cache_folder() / "fonts"
    known = find_checked(folder, stem, ".otf")
    if known is not None:
        return known
    with track_work(f"the font `{path.name}`", path):
        data = _build_font(path, member, dict(place), name)
    return write_checked(folder, stem, ".otf", data)


def _build_font(path: Path, member: int, place: Mapping[str, float], name: str) -> bytes:
    import logging

    from fontTools.ttLib import TTFont  # heavy

    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    stream = io.BytesIO()
    # Do not recompute boxes: CFF outlines may call each other endlessly.
    options = {"recalcTimestamp": False, "recalcBBoxes": False}
    with TTFont(path, fontNumber=member, **options) as font:
        for tag in TABLES:
            _ = font[tag]
        varies, is_truetype = "fvar" in font, "glyf" in font
        if not varies:
            font.save(stream)
    if varies:
        import uharfbuzz as hb  # takes a few milliseconds where fontTools takes seconds

        face = _face(path, member)
        whole = hb.SubsetInput()
        whole.keep_everything()
        whole.pin_all_axes_to_default(face)
        for tag, value in place.items():
            whole.pin_axis_location(face, tag, value)
        with TTFont(io.BytesIO(hb.subset(face, whole).blob.data), **options) as font:
            for record in font["name"].names:
                if record.nameID in _FULL_NAMES:
                    record.string = name
            font.save(stream)
    return stream.getvalue() if is_truetype else _keep_characters(stream.getvalue())


def _keep_characters(data: bytes) -> bytes:
    """Return a font with PostScript outlines, and only the glyphs of its character map.

    Print uses no ligatures; it converts the outlines of the glyphs that it embeds.
    """
    import uharfbuzz as hb

    whole = hb.Face(data)
    if not whole.unicodes:
        raise ValueError("it has no characters")
    subset = hb.SubsetInput()
    subset.unicode_set.set(whole.unicodes)
    subset.flags = hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.NOTDEF_OUTLINE
    subset.no_subset_table_tag_set.add(int.from_bytes(b"name", "big"))
    kept: bytes = hb.subset(whole, subset).blob.data
    return kept


_REGULAR, _BOLD, _HEAVY = 400, 700, 900
"""CSS weights: regular, bold, and the bold of fonts that are semibold already."""
_SEMIBOLD = 600

_SOURCES = {
    "regular": ("regular",),
    "bold": ("bold", "regular"),
    "italic": ("italic", "regular"),
    "bold-italic": ("bold-italic", "italic", "bold", "regular"),
}
"""For each style, the styles whose files may contain it."""


def load_own_fonts(family: FontFamily, templates: Path) -> dict[str, Path]:
    """Return printable font files by style, for the styles that the family has.

    Raises:
        StyleError: if a file cannot be used.
    """
    files = {style: _inspect_style(family, style, templates) for style in family.files}
    if family.weight is not None:
        known, name = files["regular"].weight, family.files["regular"]
        if known is None:
            message = f"`{name}` has only one weight, so `weight` cannot choose one"
            raise StyleError("weight", message, "leave it out, or use a variable font")
        least, most = known
        if not least <= family.weight <= most:
            message = f"`{name}` has weights from {least:g} to {most:g}, not {family.weight}"
            raise StyleError("weight", message)
    paths: dict[str, Path] = {}
    for style, sources in _SOURCES.items():
        for source in filter(files.__contains__, sources):
            file = files[source]
            place = _place(style, source, file, family.weight)
            if place is None:
                continue
            try:
                paths[style] = file.path  # PDFs can embed it as it is
                if not file.is_plain:
                    status, member = file.path.stat(), file.member
                    state = status.st_size, status.st_mtime_ns
                    paths[style] = make_instance(file.path, member, (*place.items(),), state)
            except MemoryError:
                raise
            except Exception as error:  # fontTools raises errors of any kind
                message = f"the font `{family.files[source]}` is damaged: {error}"
                hint = "save or copy it again, or use another one"
                raise StyleError(source, message, hint) from error
            break
    return paths


def _inspect_style(family: FontFamily, style: str, templates: Path) -> FontFile:
    """Return the font file of a style."""
    name, member = split_font_name(family.files[style])
    path = templates / name
    if not stays_inside(path, templates) or not is_file(path):
        fonts = (p.name for p in list_folder(templates) if p.suffix != ".xml")
        message = f"there is no font file `{name}` in the folder `templates`"
        raise StyleError(style, message, known_hint(name, fonts))
    file = inspect_font(path, member, style)
    if file.is_plain and not _is_intact(path):
        message = f"`{name}` is damaged: it is not a complete TrueType or OpenType font"
        raise StyleError(style, message, "save or copy it again, or use another one")
    return file


def _place(
    style: str, source: str, file: FontFile, weight: int | None
) -> Mapping[str, float] | None:
    """Return a style's position on a file's axes, None if the file lacks the style.

    Args:
        source: the style for which the designer named the file.
    """
    place: dict[str, float] = {}
    regular = weight or _REGULAR
    bold = _HEAVY if regular >= _SEMIBOLD else _BOLD
    if file.weight is not None:
        least, most = file.weight
        target = min(max(bold if "bold" in style else regular, least), most)
        if "bold" in style and "bold" not in source and target <= max(regular, least):
            return None
        place["wght"] = target
    elif "bold" in style and "bold" not in source:
        return None
    if "italic" in style and file.italic is not None:
        place[file.italic[0]] = file.italic[1]
    elif "italic" in style and "italic" not in source:
        return None
    return place


def _is_intact(path: Path) -> bool:
    """Return whether a font's essential tables can be read."""
    import logging

    from fontTools.ttLib import TTFont  # heavy, for a game's own fonts alone

    # fontTools' warnings about dubious fonts would confuse designers.
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)

    try:
        with path.open("rb") as stream:
            font = TTFont(stream, lazy=True)
            for tag in (*TABLES, "loca"):
                _ = font[tag]
            return bool(font["loca"][-1] <= len(font.reader["glyf"]))
    except Exception:  # noqa: BLE001 - fontTools raises errors of any kind
        return False
