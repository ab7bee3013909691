"""What attributes, styles and the elements around say of an element: the cascade of CSS.

After SVG 2, "Styling" (https://www.w3.org/TR/SVG2/styling.html). A `style` attribute comes before
other attributes; a style sheet would come between the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from deckwright.base.findings import nearest_hint
from deckwright.images.drawings.accepted import (
    ELEMENTS,
    GEOMETRY,
    GRADIENTS,
    MEANING_NAMESPACES,
    MEANINGLESS,
    MEANINGLESS_STARTS,
    PROPERTIES,
    UNSEEN,
    UNSEEN_STARTS,
    Property,
)
from deckwright.images.drawings.model import Palette, RefusedError
from deckwright.images.drawings.values import refusal
from deckwright.images.drawings.variables import declared, resolved

_INITIAL = {name: known.initial for name, known in PROPERTIES.items() if known.inherited}
_OWN = {**ELEMENTS, **GRADIENTS}
_ATTRIBUTES = frozenset(name for name, known in PROPERTIES.items() if known.attribute)


class Style(NamedTuple):
    """The properties of an element.

    Attributes:
        inherited: all that the elements in it inherit, also the variables, such as `--cloth`.
        own: the others, as far as they are given.
        css: the names of `own` that a style gives, and no attribute.
    """

    inherited: Mapping[str, str]
    own: Mapping[str, str]
    css: frozenset[str] = frozenset()

    def get(self, name: str) -> str:
        """Return the value of a property."""
        known = PROPERTIES.get(name) or GEOMETRY[name]
        return self.inherited[name] if known.inherited else self.own.get(name, known.initial)


INITIAL = Style(_INITIAL, {})
"""What is around the root element."""


def styled(tag: str, attributes: Mapping[str, str], around: Style, palette: Palette = ()) -> Style:
    """Return the style of an element.

    Args:
        palette: the variables that the root element is given.

    Raises:
        RefusedError: for an attribute, a property or a value of one that cannot be drawn.
    """
    given = {name: value for name, value in attributes.items() if _is_property(name, tag)}
    css = declarations(attributes["style"]) if "style" in attributes else {}
    variables: dict[str, str] = {}
    for name, value in css.items():
        if name.startswith("--"):
            variables[name] = value
            continue
        if name in GEOMETRY and name not in ELEMENTS.get(tag, ()):
            raise RefusedError(f"the property `{name}` of `{tag}` cannot be drawn", "style")
        given[name] = value
    if not (given or variables or palette):
        return Style(around.inherited, {})
    inherited = dict(around.inherited)
    if variables or palette:
        inherited.update(declared(variables, inherited, palette))
    own: dict[str, str] = {}
    for name, text in given.items():
        known = PROPERTIES.get(name) or GEOMETRY[name]
        if "var(" in text:
            text = resolved(text, name, inherited)  # noqa: PLW2901
        value = _wide(text, name, known, around)
        if known.only and value.lower() not in known.only:
            raise refusal(name, value, "which cannot be drawn")
        (inherited if known.inherited else own)[name] = value
    return Style(inherited, own, frozenset(css.keys() & own.keys()))


def _wide(text: str, name: str, known: Property, around: Style) -> str:
    """Return a value of which words that any property takes are made what they mean."""
    word = text.strip().lower()
    own_color = name == "color" and word == "currentcolor"
    if word == "inherit" or own_color or (word == "unset" and known.inherited):
        return around.get(name)
    if word in {"initial", "unset"}:
        return known.initial
    return text.strip()


def _is_property(name: str, tag: str) -> bool:
    """Return whether an attribute gives a property, and not anything else that is known.

    Raises:
        RefusedError: if it is not known.
    """
    if name in _ATTRIBUTES:
        return True
    if name in _OWN[tag]:
        return name in GEOMETRY and tag in ELEMENTS
    if name in MEANINGLESS or name in UNSEEN or name.startswith(MEANINGLESS_STARTS):
        return False
    foreign = name.startswith(("{", "xsi:")) and not name.startswith(MEANING_NAMESPACES)
    if foreign:
        return False
    message = f"the attribute `{_plain(name)}` of `{tag}` cannot be drawn"
    hint = nearest_hint(name, sorted(_OWN[tag] | _ATTRIBUTES))
    raise RefusedError(message, _plain(name), hint)


def _plain(name: str) -> str:
    return name.rpartition("}")[2]


@lru_cache(maxsize=1024)
def declarations(text: str) -> Mapping[str, str]:
    """Return the properties that are drawn of the declarations of a style, by name.

    Raises:
        RefusedError: for a property that is on no list, and for what is no declaration.
    """
    usual: dict[str, str] = {}
    important: dict[str, str] = {}
    for given, value, is_important in (
        _plain_parts(text) if re.fullmatch(_PLAIN, text) else _parts(text)
    ):
        name = given if given.startswith("--") else given.lower()
        if name in UNSEEN or name.startswith(UNSEEN_STARTS):
            continue
        if name not in PROPERTIES and name not in GEOMETRY and not name.startswith("--"):
            message = f"the property `{name}` cannot be drawn"
            raise RefusedError(message, "style", nearest_hint(name, sorted(PROPERTIES)))
        (important if is_important else usual)[name] = value
    return {**usual, **important}


_PLAIN = r"(?:[\w\s#%.,;:+-]++|\((?:[\w\s#%.,+-]++|\([\w\s#%.,+-]*+\))*+\))*+"
_NAME = r"-{0,2}[a-zA-Z_][\w-]*"
_COMMENT = r"(?s)/\*.*?\*/"


def _plain_parts(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield name and value of declarations without comments, quotes and the like."""
    for part in filter(None, map(str.strip, text.split(";"))):
        name, colon, value = part.partition(":")
        if not colon or not re.fullmatch(_NAME, name.strip()):
            raise _no_declaration()
        yield name.strip(), value.strip(), False


def _parts(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the name and value of declarations, and whether each is important."""
    from tinycss2 import parse_blocks_contents, serialize  # noqa: PLC0415 - slow, rarely needed

    try:
        for part in parse_blocks_contents(text, skip_comments=True, skip_whitespace=True):
            if part.type != "declaration":
                raise _no_declaration()
            value = re.sub(_COMMENT, " ", serialize(part.value)).strip()
            yield part.name, value, part.important
    except RecursionError:
        raise RefusedError("the `style` has brackets nested too deeply", "style") from None


def _no_declaration() -> RefusedError:
    message = "the `style` has something that is not a declaration"
    return RefusedError(message, "style", "write declarations as `fill: red`")
