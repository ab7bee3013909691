"""The elements of face templates.

An element is a function from the values of its attributes to ops, registered with `@element`. All
modules of this package are discovered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from deckwright.base.geometry import Matrix, multiply
from deckwright.game.setup import BUILTIN_INKS, SpotInk
from deckwright.ops.model import Op
from deckwright.templates.attributes import AttributeType, AttributeValues, string, transform
from deckwright.text.bidi import language_direction

if TYPE_CHECKING:
    from deckwright.text.break_opportunities import Hyphenator
    from deckwright.text.shaping import Metrics
    from deckwright.text.symbols import SymbolArt


class DrawingContext(NamedTuple):
    """The environment of elements: everything besides their attributes.

    Attributes:
        families: the ids of the game's font families.
        images: the folder of `href`.
        fonts: the files of the game's fonts.
        plates: whether faces are for a press with these inks.
        drawings: collects the files of the drawings used.
        lenient: whether faulty texts are drawn with the faults shown.
        trying: whether only success matters, so that errors need no words.
        rooms: collects by texts how many characters fit in their boxes; None to measure nothing.
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
    trying: bool = False
    rooms: dict[str, int] | None = None


def is_rtl(values: AttributeValues, context: DrawingContext) -> bool:
    """Return whether the start of an element's lines is at the right."""
    given = values.get("direction", "auto")
    return (language_direction(context.hyphens.language) if given == "auto" else given) == "rtl"


MIRROR: Matrix = (-1, 0, 0, 1, 0, 0)
"""Changes left and right, about x = 0."""


def mirror_values(values: AttributeValues) -> AttributeValues:
    """Return the values of an element that changes sides, about x = 0.

    Shapes, clips and paths mirror their outlines if there is a value `mirrored`; all else keeps its
    looks, and its box moves.
    """
    changed = {**values, "mirrored": True}
    if "x" in values and "fill-rule" not in values:
        changed["x"] = -values["x"] - (values.get("width") or 0)
    if "rotate" in values:
        changed["rotate"], changed["cx"] = -values["rotate"], -values["cx"]
    if values.get("transform"):
        changed["transform"] = multiply(multiply(MIRROR, values["transform"]), MIRROR)
    return changed


_INK = string("")._replace(description="the id of an ink such as `foil`, for print services")
Draw = Callable[[AttributeValues, DrawingContext], Iterable[Op]]
Wrap = Callable[[AttributeValues, tuple[Op, ...], DrawingContext], Iterable[Op]]


Inside = Literal["all", "first", "apart"]


class ElementType(NamedTuple):
    """A kind of template element.

    Attributes:
        draw: yields its ops; None for elements that only hold others or text.
        wrap: for a container, yields its ops, given those of its children.
        holds_text: whether it contains text with inline markup, passed as `"text"`.
        inside: how its children are drawn: all of them, only the first one that can be drawn, or
            each as a separate group.
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


def _register(tag: str, attributes: Mapping[str, AttributeType], **kind: Any) -> None:
    """Register an element with the other fields of its type; `_` in attribute names means `-`."""
    if tag in ELEMENTS:
        raise ValueError(f"element `{tag}` is registered twice")
    named = {name.replace("_", "-"): attribute for name, attribute in attributes.items()}
    ELEMENTS[tag] = ElementType(tag, {**named, "ink": _INK}, **kind)


def element(tag: str, **attributes: AttributeType) -> Callable[[Draw], Draw]:
    """Register a drawing function as the element `tag`; `_` in attribute names means `-`.

    An attribute `text` is the text inside the element, with inline markup. All have `transform`
    and `ink`.
    """

    def decorate(draw: Draw) -> Draw:
        holds_text = attributes.pop("text", None) is not None
        known = {**attributes, "transform": transform()}
        _register(tag, known, draw=draw, holds_text=holds_text, meaning=draw.__doc__ or "")
        return draw

    return decorate


def container(
    tag: str, inside: Inside = "all", /, **attributes: AttributeType
) -> Callable[[Wrap], Wrap]:
    """Register a function as the container element `tag`."""

    def decorate(wrap: Wrap) -> Wrap:
        _register(tag, attributes, wrap=wrap, inside=inside, meaning=wrap.__doc__ or "")
        return wrap

    return decorate
