"""Find font files: bundled families, the icon font and a game's own files."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity, known_hint
from deckwright.game.folder import GameFolder
from deckwright.game.setup import FontFamily, Setup

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
}
"""Families with their package, the start of their files' path, and the files' names by style."""

_VARIABLE: dict[str, tuple[str, str, tuple[int, int]]] = {
    "Cinzel": ("fontpkg_cinzel", "files/Cinzel[wght].ttf", (400, 700)),
    "Cinzel Black": ("fontpkg_cinzel", "files/Cinzel[wght].ttf", (900, 900)),
}
"""Variable families with their package, file, and the weights of regular and bold.

They have no italics.

They have no italic.
"""

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
        paths = _files(family, folder, report)
        if paths:
            for style, instead in _STYLE_FALLBACKS.items():
                has = next(own for own in instead if own in paths)
                name, stands_for = f"{family.id}-{style}", style if has != style else ""
                fonts[family.id, style] = Font(name, paths[has], stands_for, family.fallback)
    return fonts if setup.fonts else default_fonts()


def default_fonts() -> dict[tuple[str, str], Font]:
    """Return the fonts of a game that names none, by family id and style."""
    files = _bundled_files("Source Sans Pro")
    return {("text", style): Font(f"text-{style}", path) for style, path in files.items()}


def code_fonts() -> dict[str, Font]:
    """Return the default fonts of program code by id."""
    files = _bundled_files("IBM Plex Mono")
    return {
        f"{CODE_FAMILY}-{style}": Font(f"{CODE_FAMILY}-{style}", path)
        for style, path in files.items()
    }


def _files(family: FontFamily, folder: GameFolder, report: Report) -> dict[str, Path]:
    """Return a family's files by style; none after reporting what is wrong with it."""
    if family.family is not None:
        return _package_files(family, family.family, report)
    if "regular" not in family.files:
        message = f"the font `{family.id}` has neither a family nor a file"
        report.append(
            T007.at(family.source.at(), message, 'add `regular="file.ttf"` or `family="…"`')
        )
        return {}
    from deckwright.text.own_fonts import StyleError, load_own_fonts  # noqa: PLC0415 - rarely needed

    try:
        return load_own_fonts(family, folder.path / "templates")
    except StyleError as error:
        report.append(T007.at(family.source.at(error.attribute), error.message, error.hint))
        return {}


def _package_files(family: FontFamily, name: str, report: Report) -> dict[str, Path]:
    """Return a bundled family's files by style; none after reporting that it is unknown."""
    if name not in _BUNDLED and name not in _VARIABLE:
        message = f"there is no bundled font family `{name}`"
        hint = known_hint(name, [*_BUNDLED, *_VARIABLE])
        report.append(T007.at(family.source.at("family"), message, hint))
        return {}
    if family.weight is not None:
        message = f"the weights of the bundled family `{name}` are fixed"
        hint = "leave out `weight`, or use a variable font of your own"
        report.append(T007.at(family.source.at("weight"), message, hint))
        return {}
    return _bundled_files(name) if name in _BUNDLED else _weights(name)


def _bundled_files(family: str) -> dict[str, Path]:
    package, stem, names = _BUNDLED[family]
    folder = _package_folder(package)
    return {style: folder / f"{stem}-{name}.ttf" for style, name in zip(STYLES, names, strict=True)}


def _weights(family: str) -> dict[str, Path]:
    from deckwright.text.own_fonts import make_instance  # noqa: PLC0415 - only for these families

    package, name, weights = _VARIABLE[family]
    path = _package_folder(package) / name
    return {
        s: make_instance(path, 0, (("wght", w),)) for s, w in zip(STYLES, weights, strict=False)
    }


def _package_folder(package: str) -> Path:
    """Return the folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"the package {package} is not installed")
    return Path(spec.origin).parent
