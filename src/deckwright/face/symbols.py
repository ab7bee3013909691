"""Symbols: the signs of a game, which stand in its texts and on its cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from deckwright.diagnostics import Code, Diagnostic, Report, Severity, capped, known_hint
from deckwright.face.drawing import (
    MAX_SEGMENTS,
    DrawingError,
    Shape,
    load_drawing,
    transformed,
)
from deckwright.face.ops import FillPath, Op, StrokePath
from deckwright.files import belongs, is_file
from deckwright.game.setup import Symbol
from deckwright.names import found
from deckwright.units import Mm

G003 = Code(
    "G003",
    Severity.ERROR,
    "a symbol that cannot be drawn",
    "A symbol is an icon of a known name or a drawing in `img`. This one is neither, so `{…}` "
    "with its name could not be printed in any text. Correct the name, or add the drawing.",
)

TEXT_COLOR = "currentColor"
"""The fill of a symbol without a color of its own: that of the text around it."""


@dataclass(frozen=True, eq=False, slots=True)
class SymbolArt:
    """What a symbol looks like: shapes in a box of `aspect` × 1.

    Attributes:
        aspect: width by height.
    """

    id: str
    aspect: float
    shapes: tuple[Shape, ...]

    def ops(self, x: Mm, y: Mm, height: Mm, color: str) -> Iterator[Op]:
        """Yield the ops of the symbol with its top left corner at `x`, `y`.

        Args:
            color: of the text around it.
        """
        for shape in self.shapes:
            outline = transformed(shape.outline, (height, 0, 0, height, x, y))
            if shape.fill is not None:
                fill = color if shape.fill == TEXT_COLOR else shape.fill
                yield FillPath(outline, fill, shape.even_odd)
            if shape.stroke is not None and shape.stroke_width > 0:
                width = shape.stroke_width * height
                yield StrokePath(outline, shape.stroke, width, shape.cap, shape.join)


def load_symbols(
    symbols: Mapping[str, Symbol], images: Path, report: Report
) -> dict[str, SymbolArt]:
    """Return what symbols look like, by id; those that cannot be drawn are reported.

    Args:
        images: the folder of the game's drawings.
    """
    loaded: dict[str, SymbolArt] = {}
    report.extend(capped(_load(symbols.values(), images, loaded), of_one_file=True))
    return loaded


def _load(
    symbols: Iterable[Symbol], images: Path, loaded: dict[str, SymbolArt]
) -> Iterator[Diagnostic]:
    """Enter what symbols look like into `loaded`; yield why some cannot be drawn."""
    drawn: dict[str, SymbolArt] = {}
    for symbol in symbols:
        try:
            loaded[symbol.id] = _icon(symbol) if symbol.icon else _shared(symbol, images, drawn)
        except _UnusableError as error:
            place = symbol.source.at("icon" if symbol.icon else "image")
            message = f"symbol `{symbol.id}`: {error.message}"
            yield G003.at(place, message, error.hint)


class _UnusableError(Exception):
    """A symbol cannot be drawn."""

    def __init__(self, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def _icon(symbol: Symbol) -> SymbolArt:
    from deckwright.face.shaping import icon_names, icon_outline  # noqa: PLC0415 - opens HarfBuzz

    try:
        outline = icon_outline(symbol.icon)
    except KeyError:
        hint = known_hint(symbol.icon, icon_names(), at_most=0)
        message = f"there is no icon `{symbol.icon}`"
        raise _UnusableError(message, hint) from None
    shape = Shape(outline, symbol.color or TEXT_COLOR, None, 0, even_odd=False)
    return SymbolArt(symbol.id, 1, (shape,))


def _shared(symbol: Symbol, images: Path, drawn: dict[str, SymbolArt]) -> SymbolArt:
    """Return a symbol that is a drawing, which others may show as well.

    Args:
        drawn: the drawings that were read, by their names.
    """
    if symbol.image not in drawn:
        art = _drawing(symbol, images)
        arts = (*drawn.values(), art)
        if sum(len(shape.outline) for known in arts for shape in known.shapes) > MAX_SEGMENTS:
            message = f"the drawings of all symbols have more than {MAX_SEGMENTS:,} lines"
            raise _UnusableError(message, "make them simpler")
        drawn[symbol.image] = art
    return replace(drawn[symbol.image], id=symbol.id)


def _drawing(symbol: Symbol, images: Path) -> SymbolArt:
    path = found(images / symbol.image)
    hint = "name an SVG drawing in the folder `img`"
    if not belongs(path, images) or not is_file(path):
        message = f"there is no drawing `{symbol.image}` in the folder `img`"
        raise _UnusableError(message, hint)
    try:
        drawing = load_drawing(path, path.stat().st_mtime_ns)
    except (OSError, DrawingError) as error:
        message = f"the drawing `{symbol.image}`: {error}"
        raise _UnusableError(message, hint) from None
    scale = 1 / drawing.height
    shapes = tuple(
        shape._replace(
            outline=transformed(shape.outline, (scale, 0, 0, scale, 0, 0)),
            stroke_width=shape.stroke_width * scale,
        )
        for shape in drawing.shapes
    )
    return SymbolArt(symbol.id, drawing.width / drawing.height, shapes)
