"""Which font files there are: the bundled families, the icon font and a game's own files."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import belongs, is_file
from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.game.folder import GameFolder
from deckwright.game.setup import FontFamily, Setup

T007 = Code("T007", Severity.ERROR, "a font that cannot be used")

STYLES = ("regular", "bold", "italic", "bold-italic")

_ADOBE = ("Regular", "Bold", "It", "BoldIt")
_BUNDLED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "Source Sans Pro": ("font_source_sans_pro", "files/SourceSansPro", _ADOBE),
    "Source Serif Pro": ("font_source_serif_pro", "files/SourceSerifPro", _ADOBE),
    "IBM Plex Mono": (
        "fontpkg_ibm_plex_mono",
        "files/IBMPlexMono",
        ("Regular", "Bold", "Italic", "BoldItalic"),
    ),
}
"""The packages of families, where their files are, and what they are called by style."""

_VARIABLE: dict[str, tuple[str, str, tuple[int, int]]] = {
    "Cinzel": ("fontpkg_cinzel", "files/Cinzel[wght].ttf", (400, 700)),
    "Cinzel Black": ("fontpkg_cinzel", "files/Cinzel[wght].ttf", (900, 900)),
}
"""The packages of families of which one file has all weights, and the weights of regular and bold.

They have no italic."""

CODE = "code"
"""The family of program text."""


class Font(NamedTuple):
    """One font: a family's style. `id` is unique in a game, for example "text-bold"."""

    id: str
    path: Path


def icon_font() -> Font:
    """Return the bundled icon font, Material Design Icons."""
    path = _package_folder("fonticon_mdi7") / "fonts" / "materialdesignicons-webfont.ttf"
    return Font("icons", path)


def load_fonts(setup: Setup, folder: GameFolder, report: Report) -> Mapping[tuple[str, str], Font]:
    """Return a game's fonts by family id and style.

    A family without a style's file uses its regular one. A game that names no fonts has `text`.
    """
    fonts: dict[tuple[str, str], Font] = {}
    for family in setup.fonts.values():
        paths = _files(family, folder, report)
        if paths:
            for style in STYLES:
                path = paths.get(style, paths["regular"])
                fonts[family.id, style] = Font(f"{family.id}-{style}", path)
    return fonts if setup.fonts else usual_fonts()


def usual_fonts() -> dict[tuple[str, str], Font]:
    """Return the fonts of a game that names none, by family id and style."""
    files = _bundled("Source Sans Pro")
    return {("text", style): Font(f"text-{style}", path) for style, path in files.items()}


def code_fonts() -> dict[str, Font]:
    """Return the fonts of program text, by id, for games without a family of their own for it."""
    files = _bundled("IBM Plex Mono")
    return {f"{CODE}-{style}": Font(f"{CODE}-{style}", path) for style, path in files.items()}


def _files(family: FontFamily, folder: GameFolder, report: Report) -> dict[str, Path]:
    """Return the files of a family by style; nothing after reporting what is wrong with it."""
    if family.family is not None:
        if family.family in _BUNDLED:
            return _bundled(family.family)
        if family.family in _VARIABLE:
            return _weights(family.family)
        hint = known_hint(family.family, [*_BUNDLED, *_VARIABLE])
        report.append(
            T007.at(
                family.source.at("family"),
                f"there is no bundled font family `{family.family}`",
                hint,
            )
        )
        return {}
    if "regular" not in family.files:
        message = f"the font `{family.id}` has neither a family nor a file"
        report.append(
            T007.at(family.source.at(), message, 'add `regular="file.ttf"` or `family="…"`')
        )
        return {}
    templates = folder.path / "templates"
    paths = {style: templates / name for style, name in family.files.items()}
    for style, path in paths.items():
        if not belongs(path, templates) or not is_file(path) or not _is_truetype(path):
            message = f"`{family.files[style]}` is not a TrueType font in the folder `templates`"
            report.append(T007.at(family.source.at(style), message))
            return {}
    return paths


def _bundled(family: str) -> dict[str, Path]:
    package, stem, names = _BUNDLED[family]
    folder = _package_folder(package)
    return {style: folder / f"{stem}-{name}.ttf" for style, name in zip(STYLES, names, strict=True)}


def _weights(family: str) -> dict[str, Path]:
    from deckwright.text.instances import instance  # noqa: PLC0415 - only for these families

    package, name, weights = _VARIABLE[family]
    path = _package_folder(package) / name
    return {style: instance(path, weight) for style, weight in zip(STYLES, weights, strict=False)}


def _package_folder(package: str) -> Path:
    """Return where a package is installed, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"the package {package} is not installed")
    return Path(spec.origin).parent


def _is_truetype(path: Path) -> bool:
    """Return whether a file is a whole TrueType font: all that is printed with can be read."""
    import logging  # noqa: PLC0415 - as below

    from fontTools.ttLib import TTFont  # noqa: PLC0415 - heavy, for a game's own fonts alone

    # What it says of doubtful fonts is not for designers.
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)

    try:
        with path.open("rb") as stream:
            if stream.read(4) not in {b"\x00\x01\x00\x00", b"true"}:
                return False
            stream.seek(0)
            font = TTFont(stream, lazy=True)
            for tag in ("head", "hhea", "maxp", "hmtx", "cmap", "name", "post", "OS/2", "loca"):
                _ = font[tag]
            return bool(font["loca"][-1] <= len(font.reader["glyf"]))
    except Exception:  # noqa: BLE001 - fontTools raises what it meets
        return False
