"""The font files of a game: a file for each style, or one that varies in weight and slant."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deckwright.base.files import belongs, is_file
from deckwright.game.setup import FontFamily
from deckwright.text.font_files import TABLES, FontFile, UnusableFontError, look, split
from deckwright.text.instances import printable

_REGULAR, _BOLD, _HEAVY = 400, 700, 900
"""Weights as CSS has them: usual ones, and what is bold beside a weight of 600 and more."""
_SEMIBOLD = 600

_SOURCES = {
    "regular": ("regular",),
    "bold": ("bold", "regular"),
    "italic": ("italic", "regular"),
    "bold-italic": ("bold-italic", "italic", "bold", "regular"),
}
"""By style, in whose files it may be found."""


class StyleError(UnusableFontError):
    """A family's style cannot be used: `attribute` is where that is said."""

    def __init__(self, attribute: str, message: str, hint: str | None = None) -> None:
        """Keep where it is wrong as well."""
        super().__init__(message, hint)
        self.attribute = attribute


def own_fonts(family: FontFamily, templates: Path) -> dict[str, Path]:
    """Return files that can be printed with by style, of those styles that the family has.

    Raises:
        StyleError: if one of its files cannot be used.
    """
    files = {style: _looked_at(family, style, templates) for style in family.files}
    if family.weight is not None:
        _check_weight(family, files["regular"])
    paths: dict[str, Path] = {}
    for style, sources in _SOURCES.items():
        for source in sources:
            place = _place(style, source, files[source], family.weight) if source in files else None
            if place is not None:
                try:
                    paths[style] = printable(files[source], place)
                except MemoryError:
                    raise
                except Exception as error:  # fontTools raises what it meets
                    message = f"the font `{family.files[source]}` is damaged: {error}"
                    hint = "save or copy it again, or use another one"
                    raise StyleError(source, message, hint) from error
                break
    return paths


def _looked_at(family: FontFamily, style: str, templates: Path) -> FontFile:
    """Return the file of a style."""
    name, member = split(family.files[style])
    path = templates / name
    if not belongs(path, templates) or not is_file(path):
        raise StyleError(style, f"`{name}` is no file in the folder `templates`")
    try:
        file = look(path, member)
    except UnusableFontError as error:
        raise StyleError(style, error.message, error.hint) from error
    if file.is_plain and not _is_whole(path):
        message = f"`{name}` is damaged: it is not a whole TrueType or OpenType font"
        raise StyleError(style, message, "save or copy it again, or use another one")
    return file


def _check_weight(family: FontFamily, file: FontFile) -> None:
    """See to it that the font has the weight that is asked for."""
    weight, known = family.weight or 0, file.weight
    if known is None:
        message = f"`{family.files['regular']}` has one weight, and `weight` chooses one of several"
        raise StyleError("weight", message, "leave it out, or use a variable font")
    if not known.minimum <= weight <= known.maximum:
        message = (
            f"`{family.files['regular']}` has weights from {known.minimum:g} to "
            f"{known.maximum:g}, not {weight}"
        )
        raise StyleError("weight", message)


def _place(
    style: str, source: str, file: FontFile, weight: int | None
) -> Mapping[str, float] | None:
    """Return where a style is on a file's axes, None if the file does not have it.

    Args:
        source: the style that the designer names the file for.
    """
    place: dict[str, float] = {}
    regular = weight or _REGULAR
    bold = _HEAVY if regular >= _SEMIBOLD else _BOLD
    if file.weight is not None:
        least, most = file.weight.minimum, file.weight.maximum
        wanted = min(max(bold if "bold" in style else regular, least), most)
        if "bold" in style and "bold" not in source and wanted <= max(regular, least):
            return None
        place["wght"] = wanted
    elif "bold" in style and "bold" not in source:
        return None
    if "italic" in style and file.italic is not None:
        place[file.italic[0]] = file.italic[1]
    elif "italic" in style and "italic" not in source:
        return None
    return place


def _is_whole(path: Path) -> bool:
    """Return whether all that is printed with can be read from a font."""
    import logging  # noqa: PLC0415 - as below

    from fontTools.ttLib import TTFont  # noqa: PLC0415 - heavy, for a game's own fonts alone

    # What it says of doubtful fonts is not for designers.
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)

    try:
        with path.open("rb") as stream:
            font = TTFont(stream, lazy=True)
            for tag in (*TABLES, "loca"):
                _ = font[tag]
            return bool(font["loca"][-1] <= len(font.reader["glyf"]))
    except Exception:  # noqa: BLE001 - fontTools raises what it meets
        return False
