"""The elements of face templates: one file each.

An element is a function from its attributes' values to ops, entered with `@element`. Every module
of this package is found by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from deckwright.game.setup import BUILTIN_INKS, SpotInk
from deckwright.ops.model import Op
from deckwright.templates.attributes import AttributeType, AttributeValues, string, transform

if TYPE_CHECKING:
    from deckwright.text.break_opportunities import Hyphenator
    from deckwright.text.shaping import Metrics
    from deckwright.text.symbols import SymbolArt


class DrawingContext(NamedTuple):
    """What elements need besides their attributes.

    Attributes:
        metrics: the fonts' measures.
        families: the ids of the fonts that the game has.
        images: the folder that `href` is in.
        hyphens: divides words.
        symbols: the game's symbols by id.
        fonts: the files of the game's fonts.
        inks: those beside the print's own by id.
        plates: whether faces are for a press, which has these inks.
        drawings: what elements draw from is entered here.
        lenient: whether texts with faults are drawn so that these are seen.
    """

    metrics: Metrics
    families: frozenset[str]
    images: Path
    hyphens: Hyphenator
    symbols: Mapping[str, SymbolArt] = MappingProxyType({})
    fonts: tuple[Path, ...] = ()
    inks: Mapping[str, SpotInk] = MappingProxyType(BUILTIN_INKS)
    plates: bool = False
    drawings: set[Path] = set()  # noqa: RUF012 - each composer has its own
    lenient: bool = False


_INK = string("")._replace(says="the id of an ink such as `foil`, for print services")
Draw = Callable[[AttributeValues, DrawingContext], Iterable[Op]]
Wrap = Callable[[AttributeValues, tuple[Op, ...], DrawingContext], Iterable[Op]]


Inside = Literal["all", "first", "apart"]


class ElementType(NamedTuple):
    """A kind of template element.

    Attributes:
        draw: yields its ops; None for elements that only hold others or text.
        wrap: for an element that holds others: yields its ops, given theirs.
        holds_text: whether it holds text with inline markup, passed to it as `"text"`.
        inside: what of the elements in it counts: all of their ops, only those of the first that
            can be drawn, or the ops of each apart from the others, as a group.
    """

    tag: str
    attributes: dict[str, AttributeType]
    draw: Draw | None = None
    wrap: Wrap | None = None
    holds_text: bool = False
    meaning: str = ""
    inside: Inside = "all"


ELEMENTS: dict[str, ElementType] = {}
"""All elements by tag."""


def register(element: ElementType) -> None:
    """Enter an element.

    Raises:
        ValueError: if there is one of that tag already.
    """
    if element.tag in ELEMENTS:
        raise ValueError(f"element `{element.tag}` is registered twice")
    ELEMENTS[element.tag] = element


def element(tag: str, **attributes: AttributeType) -> Callable[[Draw], Draw]:
    """Enter a drawing function as the element `tag`; `_` in attribute names means `-`.

    An attribute `text` is the text inside the element, with inline markup. All have `transform`
    and `ink`.
    """

    def decorate(draw: Draw) -> Draw:
        named = {name.replace("_", "-"): attr for name, attr in attributes.items()}
        named |= {"transform": transform(), "ink": _INK}
        holds_text = named.pop("text", None) is not None
        register(ElementType(tag, named, draw, holds_text=holds_text, meaning=draw.__doc__ or ""))
        return draw

    return decorate


def container(
    tag: str, inside: Inside = "all", /, **attributes: AttributeType
) -> Callable[[Wrap], Wrap]:
    """Enter a function as the element `tag` that holds other elements."""

    def decorate(wrap: Wrap) -> Wrap:
        named = {name.replace("_", "-"): attr for name, attr in attributes.items()}
        named["ink"] = _INK
        register(ElementType(tag, named, wrap=wrap, meaning=wrap.__doc__ or "", inside=inside))
        return wrap

    return decorate
