"""The elements of face templates: one file each.

An element is a function from its attributes' values to ops, entered with `@element`. Every module
of this package is found by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from deckwright.ops.model import Op
from deckwright.templates.attributes import Attr, Values, transform

if TYPE_CHECKING:
    from deckwright.text.hyphens import Hyphens
    from deckwright.text.shaping import Metrics
    from deckwright.text.symbols import SymbolArt


class Studio(NamedTuple):
    """What elements need besides their attributes.

    Attributes:
        metrics: the fonts' measures.
        families: the ids of the fonts that the game has.
        images: the folder that `href` is in.
        hyphens: divides words.
        symbols: the game's symbols by id.
        fonts: the files of the game's fonts.
    """

    metrics: Metrics
    families: frozenset[str]
    images: Path
    hyphens: Hyphens
    symbols: Mapping[str, SymbolArt] = MappingProxyType({})
    fonts: tuple[Path, ...] = ()


Draw = Callable[[Values, Studio], Iterable[Op]]
Wrap = Callable[[Values, tuple[Op, ...]], Iterable[Op]]


class ElementType(NamedTuple):
    """A kind of template element.

    Attributes:
        draw: yields its ops; None for elements that only hold others or text.
        wrap: for an element that holds others: yields its ops, given theirs.
        holds_text: whether it holds text with inline markup, passed to it as `"text"`.
        alternatives: whether only the first of the elements in it that can be drawn counts.
    """

    tag: str
    attributes: dict[str, Attr]
    draw: Draw | None = None
    wrap: Wrap | None = None
    holds_text: bool = False
    meaning: str = ""
    alternatives: bool = False


ELEMENTS: dict[str, ElementType] = {}
"""All elements by tag."""


def enter(element: ElementType) -> None:
    """Enter an element.

    Raises:
        ValueError: if there is one of that tag already.
    """
    if element.tag in ELEMENTS:
        raise ValueError(f"element `{element.tag}` is registered twice")
    ELEMENTS[element.tag] = element


def element(tag: str, **attributes: Attr) -> Callable[[Draw], Draw]:
    """Enter a drawing function as the element `tag`; `_` in attribute names means `-`.

    An attribute `text` is the text inside the element, with inline markup. All have `transform`.
    """

    def decorate(draw: Draw) -> Draw:
        named = {name.replace("_", "-"): attr for name, attr in attributes.items()}
        named["transform"] = transform()
        holds_text = named.pop("text", None) is not None
        enter(ElementType(tag, named, draw, holds_text=holds_text, meaning=draw.__doc__ or ""))
        return draw

    return decorate


def container(
    tag: str, *, alternatives: bool = False, **attributes: Attr
) -> Callable[[Wrap], Wrap]:
    """Enter a function as the element `tag` that holds other elements."""

    def decorate(wrap: Wrap) -> Wrap:
        named = {name.replace("_", "-"): attr for name, attr in attributes.items()}
        meaning = wrap.__doc__ or ""
        enter(ElementType(tag, named, wrap=wrap, meaning=meaning, alternatives=alternatives))
        return wrap

    return decorate
