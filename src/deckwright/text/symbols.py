"""Symbols: the signs of a game, which stand in its texts and on its cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from deckwright.base.files import belongs, is_file
from deckwright.base.findings import (
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    capped,
)
from deckwright.base.names import found
from deckwright.base.units import Mm
from deckwright.game.setup import Symbol
from deckwright.images.drawings.kept import load_drawing
from deckwright.images.drawings.model import MAX_SEGMENTS, DrawingError, size_of
from deckwright.ops.model import FillPath, Group, Op
from deckwright.ops.moving import moved, recolored

G003 = Code("G003", Severity.ERROR, "a symbol that cannot be drawn")

TEXT_COLOR = "currentColor"
"""The fill of a symbol without a color of its own: that of the text around it."""


@dataclass(frozen=True, eq=False, slots=True)
class SymbolArt:
    """What a symbol looks like: ops in a box of `aspect` × 1.

    Attributes:
        aspect: width by height.
        name: what it says; "" for what is no symbol of the game.
    """

    id: str
    aspect: float
    art: tuple[Op, ...]
    name: str = ""

    def ops(self, x: Mm, y: Mm, height: Mm, color: str) -> Iterator[Op]:
        """Yield the ops of the symbol with its top left corner at `x`, `y`.

        Args:
            color: of the text around it.
        """
        ops = recolored(moved(self.art, height, x, y), {TEXT_COLOR: color})
        yield from [Group(tuple(ops), alt=self.name)] if self.name else ops


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
    drawings = _Drawings(images)
    for symbol in symbols:
        try:
            loaded[symbol.id] = _icon(symbol) if symbol.icon else drawings.of(symbol)
        except _UnusableError as error:
            place = error.place or symbol.source.at("icon" if symbol.icon else "image")
            message = f"symbol `{symbol.id}`: {error.message}"
            yield G003.at(place, message, error.hint)


class _UnusableError(Exception):
    """A symbol cannot be drawn."""

    def __init__(self, message: str, hint: str | None, place: Location | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.place = place


def _icon(symbol: Symbol) -> SymbolArt:
    from deckwright.text.shaping import icon_outline  # noqa: PLC0415 - opens HarfBuzz

    try:
        outline = icon_outline(symbol.icon)
    except KeyError:
        from deckwright.text.icon_search import icon_hint  # noqa: PLC0415 - only if there is none

        message = f"there is no icon `{symbol.icon}`"
        raise _UnusableError(message, icon_hint(symbol.icon)) from None
    art = (FillPath(outline, symbol.color or TEXT_COLOR),)
    return SymbolArt(symbol.id, 1, art, symbol.name)


class _Drawings:
    """Symbols that are drawings; each drawing is read once, however many symbols show it."""

    def __init__(self, images: Path) -> None:
        self._images = images
        self._known: dict[str, SymbolArt] = {}
        self._left = 2 * MAX_SEGMENTS

    def of(self, symbol: Symbol) -> SymbolArt:
        """Return what a symbol looks like."""
        if symbol.image not in self._known:
            art = _drawing(symbol, self._images)
            size = size_of(art.art)
            if size > self._left:
                message = f"the drawings of all symbols have more than {MAX_SEGMENTS:,} lines"
                raise _UnusableError(message, "make them simpler")
            self._left -= size
            self._known[symbol.image] = art
        return replace(self._known[symbol.image], id=symbol.id, name=symbol.name)


def _drawing(symbol: Symbol, images: Path) -> SymbolArt:
    path = found(images / symbol.image)
    hint = "name an SVG drawing in the folder `img`"
    if not belongs(path, images) or not is_file(path):
        raise _UnusableError(f"there is no drawing `{symbol.image}` in the folder `img`", hint)
    try:
        drawing = load_drawing(path, path.stat().st_mtime_ns)
    except OSError as error:
        message = f"cannot read the drawing `{symbol.image}`: {error.strerror}"
        raise _UnusableError(message, hint) from None
    except DrawingError as error:
        raise _UnusableError(str(error), error.hint, error.place) from None
    art = tuple(moved(drawing.shown, 1 / drawing.height, 0, 0))
    return SymbolArt(symbol.id, drawing.width / drawing.height, art)
