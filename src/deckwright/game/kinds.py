"""Kinds of cards with their fields and vocabularies, as defined in `game.xml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from deckwright.base.colors import resolve_color
from deckwright.base.findings import Code, Severity
from deckwright.base.units import Mm, format_plain, round_number
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import COLOR, ID, MAX_NUMBER, NAME, TEXT, YES_NO, Terms, Value

FieldType = Literal[
    "integer",
    "decimal",
    "text",
    "term",
    "flag",
    "rule",
    "image",
    "color",
    "card",
    "list",
    "focus",
    "zoom",
]
CROP_TYPES: tuple[FieldType, ...] = ("focus", "zoom")
"""The crop of a card's picture: a field for each type and image, such as `image-focus`."""
Scalar = int | float | str | None
FieldValue = Scalar | tuple[Scalar, ...]
"""The value of a field; lists are tuples."""
NUMERIC: frozenset[FieldType] = frozenset(("integer", "decimal"))
"""The types of fields that hold numbers."""


class Audience(NamedTuple):
    """The factions that something is for: one group, or all but one.

    Attributes:
        only: the id of the only group, or None.
        excluded: the id of the excluded group (`except` in XML), or None.
    """

    only: str | None = None
    excluded: str | None = None

    def admits(self, groups: frozenset[str]) -> bool:
        """Return whether a faction in these groups belongs to the audience."""
        return (self.only is None or self.only in groups) and self.excluded not in groups


class Term(NamedTuple):
    """A word of a vocabulary, such as a row or a level.

    Attributes:
        id: its id in card files.
        data: its other attributes, for templates; whole numbers become integers.
        audience: the factions whose cards may use it.
    """

    id: str
    name: str
    data: Mapping[str, str | int]
    audience: Audience


class Vocabulary(NamedTuple):
    """A list of terms by id; `name` is its name in print."""

    id: str
    name: str
    terms: Mapping[str, Term]


class Expression(NamedTuple):
    """A text of `game.xml` with expressions, and its element."""

    text: str
    source: Source


class Field(NamedTuple):
    """An attribute of a kind of card.

    Attributes:
        name: the attribute's name.
        type: the type of its value.
        vocabulary: the id of the vocabulary, for a term.
        item: the field of each item, for a list.
        separator: the separator of these items.
        minimum, maximum: the bounds of a number.
        optional: whether it may be missing: always, never, or only in the group with this id.
        audience: the factions whose cards may give it a value other than its default.
        default: its value if it is missing.
        value: the expression that computes it, None if cards give it.
        text: its name in print, for example "Stärke".
        icon: the name of its icon.
        unit: the unit of its number, for example "mm".
        ignored: whether it is accepted but not used.
        picture: whether it contributes to the card's picture.
        find: where to search for the picture of a card that names none.
        searched: whether `find` or the default is a search pattern.
        source: the element in game.xml.
    """

    name: str
    type: FieldType
    vocabulary: str | None = None
    item: Field | None = None
    separator: str = ","
    minimum: float = 0
    maximum: float = MAX_NUMBER
    optional: bool | str = False
    audience: Audience = Audience()
    default: FieldValue = None
    value: Expression | None = None
    text: str = ""
    icon: str = ""
    unit: str = ""
    ignored: bool = False
    picture: bool = False
    find: str = ""
    searched: bool = False
    source: Source | None = None

    @property
    def item_field(self) -> Field:
        """The field itself, or the field of the items of a list."""
        return self.item or self

    @property
    def numeric(self) -> bool:
        """True if it holds a number."""
        return self.type in NUMERIC


class ChildSpec(NamedTuple):
    """Repeated child elements of a kind of card, for example its rows.

    Attributes:
        tag: the tag of the element.
        plural: the name of the list in templates.
        fields: the fields of a child. In templates a child with a single field is its value, one
            with several fields is a dictionary.
        ignored: the names of attributes that are accepted but not used.
        minimum, maximum: the allowed number of children.
    """

    tag: str
    plural: str
    fields: tuple[Field, ...]
    ignored: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int | None = None

    @property
    def single(self) -> bool:
        """True if a child is a single value."""
        return len(self.fields) == 1

    @property
    def holds_rules(self) -> bool:
        """True if the children are a card's rules."""
        return self.fields[0].type == "rule"


class Kind(NamedTuple):
    """A kind of card: its fields, its size and its face.

    Attributes:
        tag: the tag of its elements.
        token: whether it is the kind of tokens, which only rules create.
        width, height: the size of the trim box.
        face, back: the templates of its two sides, files in `templates/`.
        safe: the distance that texts keep from the trim box, as cuts are never exact.
        parts: the field with the number of faces of a copy, None for one face.
        bleed: the distance that its templates draw beyond the trim box.
        radius: the radius of its corners if a machine cuts it out.
        stock: the card stock in the designer's words, "" if unknown.
        unique: those of "name", "faction" and "race" whose combination must be unique; no cards are
            compared if it is empty.
    """

    tag: str
    name: str
    token: bool
    width: Mm
    height: Mm
    face: str
    back: str | None
    safe: Mm
    fields: tuple[Field, ...]
    children: tuple[ChildSpec, ...]
    source: Source
    parts: str | None = None
    bleed: Mm = 0
    radius: Mm = 3
    stock: str = ""
    unique: tuple[str, ...] = ()

    @property
    def can_name_cards(self) -> bool:
        """True if its cards can refer to others."""
        inner = (field for spec in self.children for field in spec.fields)
        return any(field.item_field.type == "card" for field in (*self.fields, *inner))

    def child(self, tag: str) -> ChildSpec | None:
        """Return the specification of the children with this tag, None if there is none."""
        return next((children for children in self.children if children.tag == tag), None)


R004 = Code("R004", Severity.ERROR, "a term, such as a row, that the game does not have")


def shape_of(field: Field, terms: Terms = (), rules: Terms = ()) -> Value:
    """Return the shape of a field's values in files.

    Args:
        terms: the terms of its vocabulary.
        rules: the known rules; any id is accepted if there are none.
    """
    if field.item is not None:
        item = shape_of(field.item, terms, rules)
        return Value(kind="list", item=NAME if item == TEXT else item, separator=field.separator)
    if field.numeric:
        return Value(kind=field.type, minimum=field.minimum, maximum=field.maximum)
    if field.type == "term":
        return Value(kind="term", terms=terms, code=R004)
    if field.type == "rule" and rules:
        return Value(kind="term", terms=rules)
    shapes = {"color": COLOR, "rule": ID, "card": ID, "image": NAME, "flag": YES_NO}
    return shapes.get(field.type, TEXT)


def parse_value(field: Field, text: str) -> FieldValue:
    """Return the value of a text that the shape of a field accepts."""
    if field.item is None:
        return _parse_scalar(field, text)
    parts = shape_of(field).split(text)
    return tuple(_parse_scalar(field.item, part) for part in parts)


def _parse_scalar(field: Field, text: str) -> Scalar:
    if field.numeric:
        return round_number(float(text))
    if field.type == "color":
        return resolve_color(text)
    if field.type == "flag":
        return text == "true"
    return normalize_paragraphs(text) if field.type == "text" else text


def format_value(field: Field, value: FieldValue) -> str:
    """Return a value in the form that files use, "" for None."""
    return shape_of(field).joiner.join(map(_format_scalar, parts_of(value)))


def _format_scalar(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return format_plain(value)
    return value or ""


def parts_of(value: FieldValue) -> tuple[Scalar, ...]:
    """Return the items of a list; any other value is the only item."""
    return value if isinstance(value, tuple) else (value,)


def normalize_paragraphs(text: str) -> str:
    """Return a text with whitespace collapsed, one line for each paragraph."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
