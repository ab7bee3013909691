"""The elements that texts in templates may hold, and the codes that stand for them."""

from __future__ import annotations

import re

from deckwright.templates.attributes import Attr, Palette, choice, spacing, string
from deckwright.templates.paints import color
from deckwright.text.richtext import MARK, NEXT

INLINE: dict[str, dict[str, Attr]] = {
    "b": {},
    "i": {},
    "u": {},
    "s": {},
    "sc": {},
    "br": {},
    "p": {},
    "icon": {"name": string()},
    "tspan": {
        "fill": color(""),
        "font-size": spacing("", "a share of the text's size, such as 0.8em or 80%, or a length"),
        "letter-spacing": spacing(""),
    },
    "list": {"style": choice("bullet", "number", "letter")},
    "item": {},
}
"""The attributes of each, but for those that all elements have."""
EMPTY = frozenset({"br", "icon"})
"""Those that hold nothing."""
_TSPAN = re.compile(f"{MARK}tspan ([^{MARK}]*){MARK}")


def opening(tag: str, attributes: dict[str, str]) -> str:
    """Return the code that begins an element, or stands for it if it is empty."""
    if tag == "tspan":
        known = {name: attributes[name] for name in INLINE[tag] if name in attributes}
        said = NEXT.join(f"{name}={value}" for name, value in known.items())
    else:
        said = "".join(attributes.get(name, "") for name in INLINE[tag])
    return f"{MARK}{tag} {said}".rstrip() + MARK


def closing(tag: str) -> str:
    """Return the code that ends an element."""
    return "" if tag in EMPTY else f"{MARK}/{tag}{MARK}"


def resolved(text: str, palette: Palette) -> str:
    """Return a text with the values of its runs as they are laid out.

    Raises:
        InlineError: if one is no value of its attribute.
    """
    if f"{MARK}tspan" not in text:
        return text
    return _TSPAN.sub(lambda found: f"{MARK}tspan {_parsed(found[1], palette)}{MARK}", text)


class InlineError(Exception):
    """A value of a run is wrong.

    Attributes:
        attribute: its attribute.
        message: what is wrong.
    """

    def __init__(self, attribute: str, message: str) -> None:
        """Keep what is wrong."""
        super().__init__(message)
        self.attribute = attribute
        self.message = message


def _parsed(said: str, palette: Palette) -> str:
    parts = []
    for attribute in filter(None, said.split(NEXT)):
        name, _, text = attribute.partition("=")
        try:
            value = INLINE["tspan"][name].parse(text.strip(), palette)
        except (ValueError, KeyError) as error:
            raise InlineError(name, str(error)) from None
        if isinstance(value, tuple):
            parts.append(f"{name}={value[0]} {value[1]}")
        elif value is not None:
            parts.append(f"{name}={value}")
    return NEXT.join(parts)
