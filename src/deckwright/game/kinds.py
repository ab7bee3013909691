"""Kinds of cards: their fields, and the vocabularies that these use; as `game.xml` says."""

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
"""How a card's picture is cropped: fields beside that of each image, `image-focus`."""
Scalar = int | float | str | None
FieldValue = Scalar | tuple[Scalar, ...]
"""What a field of a card holds; lists are tuples."""
NUMERIC: frozenset[FieldType] = frozenset(("integer", "decimal"))
"""The types of fields that hold numbers."""


class Audience(NamedTuple):
    """Whom something is for: one group of factions alone, or all but one.

    Attributes:
        only: the id of the only group, or None.
        excluded: the id of the group that is left out (`except` in XML), or None.
    """

    only: str | None = None
    excluded: str | None = None

    def admits(self, groups: frozenset[str]) -> bool:
        """Return whether a faction that is in `groups` belongs to the audience."""
        return (self.only is None or self.only in groups) and self.excluded not in groups


class Term(NamedTuple):
    """A word of a vocabulary, such as a row or a level.

    Attributes:
        id: how the files name it.
        data: its other attributes, for templates; whole numbers are numbers.
        audience: whose cards may use it.
    """

    id: str
    name: str
    data: Mapping[str, str | int]
    audience: Audience


class Vocabulary(NamedTuple):
    """A list of terms, by id. `name` is what print calls what they have in common."""

    id: str
    name: str
    terms: Mapping[str, Term]


class Expression(NamedTuple):
    """A text of `game.xml` with expressions, and the element that has it."""

    text: str
    source: Source


class Field(NamedTuple):
    """An attribute of a kind of card.

    Attributes:
        name: the attribute's name.
        type: what it holds.
        vocabulary: the id of the vocabulary, for a term.
        item: what each part of it is, for a list.
        separator: what stands between these parts.
        minimum, maximum: bounds, for a number.
        optional: whether it may be missing: always, never, or for the group of this id.
        audience: whose cards may have it (with another value than its default).
        default: its value where it is missing.
        value: what works it out, None if cards say it.
        text: its name in print, for example "Stärke".
        icon: the name of its icon.
        unit: what its number is of, for example "mm".
        ignored: accepted, but without meaning.
        picture: whether it is part of what makes the card's picture.
        find: where the picture of a card that names none is looked for.
        sought: whether `find` or the default say where to look.
        source: where game.xml has it.
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
    sought: bool = False
    source: Source | None = None

    @property
    def one(self) -> Field:
        """The field, or for a list what each part of it is."""
        return self.item or self

    @property
    def numeric(self) -> bool:
        """Whether it holds a number."""
        return self.type in NUMERIC


class ChildSpec(NamedTuple):
    """Repeated child elements of a kind of card, for example its rows.

    Attributes:
        tag: the element's name.
        plural: the name of the list in templates.
        fields: what such a child holds. With a single field the child is its value, with several
            it is a dictionary in templates.
        ignored: names of attributes that are accepted without meaning.
        minimum, maximum: how many there may be.
    """

    tag: str
    plural: str
    fields: tuple[Field, ...]
    ignored: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int | None = None

    @property
    def single(self) -> bool:
        """Whether a child is just a value."""
        return len(self.fields) == 1

    @property
    def holds_rules(self) -> bool:
        """Whether such children are a card's rules."""
        return self.fields[0].type == "rule"


class Kind(NamedTuple):
    """A kind of card: its fields, its size and its face.

    Attributes:
        tag: the element's name in XML.
        token: whether it is a token, which only rules create.
        width, height: the trim box.
        face, back: the templates of its two sides, files in `templates/`.
        safe: how far from the trim box text should stay, for the cut is never exact.
        parts: the field that says how many faces a copy has, None for one.
        bleed: how far its templates draw beyond the trim box.
        radius: that of its corners, where a machine cuts it out.
        stock: what it is printed on, in the designer's words; "" if nobody has said.
        unique: of "name", "faction" and "race" those that no two of its cards have in common; no
            cards are compared if it is empty.
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
        """Whether its cards can name others."""
        inner = (field for spec in self.children for field in spec.fields)
        return any(field.one.type == "card" for field in (*self.fields, *inner))

    def child(self, tag: str) -> ChildSpec | None:
        """Return the children of this tag, None if the kind has none."""
        return next((children for children in self.children if children.tag == tag), None)


R004 = Code("R004", Severity.ERROR, "a term, such as a row, that the game does not have")


def shape_of(field: Field, terms: Terms = (), rules: Terms = ()) -> Value:
    """Return what a field may hold, as files write it.

    Args:
        terms: those of its vocabulary.
        rules: the known rules; any id is one if there are none.
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
    """Return the value that a text stands for which the shape of a field accepts."""
    if field.item is None:
        return _parse_scalar(field, text)
    parts = shape_of(field).parts(text)
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
    """Return a value as files write it, "" for none."""
    return shape_of(field).between.join(map(_format_scalar, parts_of(value)))


def _format_scalar(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return format_plain(value)
    return value or ""


def parts_of(value: FieldValue) -> tuple[Scalar, ...]:
    """Return the parts of a list; any other value is its only part."""
    return value if isinstance(value, tuple) else (value,)


def normalize_paragraphs(text: str) -> str:
    """Return a text with single spaces, a line for each of its paragraphs."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
