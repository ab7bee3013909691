"""The shape of an XML file: which elements and attributes it may have, with which values.

One description serves twice: `schema` makes an XSD of it, and `validate` says in plain words what
does not fit.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from deckwright.base.colors import NAMED_COLORS
from deckwright.base.findings import Code

UNBOUNDED = 1 << 30
"""The `maximum` of an element that may stand any number of times."""


Terms = tuple[tuple[str, str], ...]
"""Words that are allowed, and what each means."""

_NUMBERS = {"integer": r"[+-]?[0-9]{1,9}", "decimal": r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,6})?"}


class Value(NamedTuple):
    """What an attribute may hold.

    Attributes:
        kind: "text", "integer", "decimal", "term" (one of `terms`), "color" or "list".
        minimum, maximum: bounds of a number.
        pattern: a regular expression (of XSD and Python alike) that a text must match.
        terms: the allowed words and what each means; for a color, more names of colors.
        item, separator: of a list, what each of its parts is, and what stands between them.
        meant: other words that people try for terms, with the terms, for hints.
        says: what it is, in words, for messages: "a whole number from 1 to 5".
        code: the code of a finding about it, where it is not S004.
    """

    kind: str = "text"
    minimum: float = 0
    maximum: float = 9999
    pattern: str | None = None
    terms: Terms = ()
    words: str = ""
    code: Code | None = None
    meant: Terms = ()
    item: Value | None = None
    separator: str = ","

    def accepts(self, text: str) -> bool:
        """Return whether `text` is such a value."""
        if self.kind in _NUMBERS:
            text = text.strip(" \t\r\n")
            if not re.fullmatch(_NUMBERS[self.kind], text):
                return False
            return self.minimum <= float(text) <= self.maximum
        if self.kind == "term":
            return any(text == term for term, _ in self.terms)
        if self.kind == "color":
            own = any(text == term for term, _ in self.terms)
            return own or text in NAMED_COLORS or bool(re.fullmatch("#[0-9a-fA-F]{6}", text))
        if self.item is not None:
            return all(map(self.item.accepts, self.parts(text)))
        return self.pattern is None or re.fullmatch(self.pattern, text) is not None

    @property
    def between(self) -> str:
        """What is written between two parts of a list."""
        return f"{self.separator} " if self.separator in {",", ";"} else self.separator

    def parts(self, text: str) -> list[str]:
        """Return the parts of a list; nothing between two separators is none."""
        return [part for item in text.split(self.separator) if (part := item.strip())]

    @property
    def says(self) -> str:
        """What the value must be, in words."""
        if self.words:
            return self.words
        if self.item is not None:
            return f"a list with `{self.separator}` between its parts, each {self.item.says}"
        if self.kind in _NUMBERS:
            if self.maximum >= INTEGER_CAP:
                return f"{self._number}, at least {self.minimum}"
            return f"{self._number} from {self.minimum} to {self.maximum}"
        if self.kind == "term":
            return "one of " + ", ".join(f"`{term}`" for term, _ in self.terms)
        return (
            "a color, as `#rrggbb` or as a CSS or LaTeX name" if self.kind == "color" else "a text"
        )

    def says_of(self, text: str) -> str:
        """Return what the value must be, in words that show what is wrong with `text`."""
        number = re.fullmatch(r"\s*\+?[0-9]+(?:\.[0-9]+)?\s*", text)
        if self.kind in _NUMBERS and number and float(text) > self.maximum:
            return f"{self._number} from {self.minimum} to {self.maximum}"
        return self.says

    @property
    def _number(self) -> str:
        return "a whole number" if self.kind == "integer" else "a number"


INTEGER_CAP = 9999
"""The largest number of what is counted, such as faces, columns and turns."""
LARGEST = 999_999_999
"""The largest number that is read at all."""

TEXT = Value()
NAME = Value(pattern=r"[\s\S]*\S[\s\S]*", words="a text that is not empty")
ID = Value(pattern=r"[^\s]+", words="an id without spaces")
COLOR = Value(kind="color")
YES_NO = Value(
    kind="term",
    terms=(("true", ""), ("false", "")),
    words="`true` or `false`",
    meant=(("yes", "true"), ("1", "true"), ("no", "false"), ("0", "false")),
)
WHOLE = Value(kind="integer")
DAY = Value(
    pattern="[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])",
    words="a day, such as 2026-03-01",
)
LENGTH = Value(pattern=r"[0-9]{1,4}(?:\.[0-9]{1,6})?", words="a length in mm, such as 65 or 63.5")
POSITIVE = Value(
    pattern=r"0*[1-9][0-9]{0,3}(?:\.[0-9]{1,6})?|0+\.[0-9]{0,5}[1-9][0-9]{0,5}",
    words="a length in mm above 0, such as 65 or 63.5",
)


class Attribute(NamedTuple):
    """An attribute: its name, its value, whether it must be there, and what it is for."""

    name: str
    value: Value = TEXT
    required: bool = False
    meaning: str = ""
    unless: str | None = None
    """The other name under which a file may give this attribute."""
    remedy: str = ""
    """What gives it to all elements that lack it, for hints."""
    element: bool = False
    """Whether a child element of the same name may say it instead."""
    unique: bool = False
    """Whether elements side by side must differ in it."""


class Shape(NamedTuple):
    """An element.

    Attributes:
        tag: its name.
        attributes: its attributes, in any order.
        children: what may stand inside it, in any order and mix.
        free: if given, attributes of other names may stand too, with such values.
        text: whether it holds text.
        unique: the children's attributes in which these must differ, behind their tags.
        parts: the children that stand for themselves: of these, one with a mistake can be left
            out, and the rest be used.
        meaning: what it is, for editors.
    """

    tag: str
    attributes: tuple[Attribute, ...] = ()
    children: tuple[Occurs, ...] = ()
    free: Value | None = None
    text: bool = False
    unique: tuple[tuple[str, str], ...] = ()
    meaning: str = ""
    parts: tuple[str, ...] = ()

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute `name`, None if the element has none of that name."""
        return next((a for a in self.attributes if a.name == name), None)

    def child(self, tag: str) -> Occurs | None:
        """Return how often a child `tag` may stand here, None if it may not."""
        return next((child for child in self.children if child.shape.tag == tag), None)


class Occurs(NamedTuple):
    """How often an element may stand inside another."""

    shape: Shape
    minimum: int = 0
    maximum: int = UNBOUNDED


def one_of(*terms: str | tuple[str, str]) -> Value:
    """Return the value that is one of these words; one with a meaning is a pair of the two."""
    return Value("term", terms=tuple((t, "") if isinstance(t, str) else t for t in terms))


def required(name: str, value: Value, meaning: str = "", *, unless: str | None = None) -> Attribute:
    """Return an attribute that must be there, unless it has another name."""
    return Attribute(name, value, required=True, meaning=meaning, unless=unless)


def key(name: str, value: Value, meaning: str) -> Attribute:
    """Return an attribute that must be there, and in which elements side by side must differ."""
    return Attribute(name, value, required=True, meaning=meaning, unique=True)


def optional(name: str, value: Value, meaning: str) -> Attribute:
    """Return an attribute that can be left out."""
    return Attribute(name, value, meaning=meaning)


def element(
    tag: str,
    meaning: str,
    *content: Attribute | Occurs,
    free: Value | None = None,
    text: bool = False,
    parts: tuple[str, ...] = (),
) -> Shape:
    """Return an element of these attributes and children."""
    attributes = tuple(item for item in content if isinstance(item, Attribute))
    children = tuple(item for item in content if isinstance(item, Occurs))
    shapes = (child.shape for child in children)
    unique = tuple((shape.tag, a.name) for shape in shapes for a in shape.attributes if a.unique)
    return Shape(tag, attributes, children, free, text, unique, meaning, parts)
