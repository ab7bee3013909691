"""Kinds of cards with their fields and vocabularies, as defined in `game.xml`."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, Self, cast

from deckwright.base.colors import resolve_color
from deckwright.base.findings import Code, Severity
from deckwright.base.strings import with_forms
from deckwright.base.units import CARD_SIZES, Mm, format_plain, parse_size, round_number
from deckwright.xmlio.binding import SOURCE, attr, bound, elements, rest, same_element
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import (
    COLOR,
    ID,
    MAX_NUMBER,
    NAME,
    TEXT,
    YES_NO,
    Shape,
    Terms,
    Value,
    one_of,
)

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


MAX_FEW, MAX_MANY, MAX_VERY_MANY = 50, 200, 1000
"""The largest numbers of elements of a kind: several times what any game needs.

They bound the time of loops over these elements for each card or style.
"""
_MAX_FIELDS = 100
XML_NAME = Value(
    pattern="[A-Za-z_][A-Za-z0-9_.-]*",
    words="a name of letters, digits, `_`, `-` and `.`, beginning with a letter",
)
OWN_ID: Any = attr("its id", ID, unique=True)
PRINTED_NAME: Any = attr("its name in print", NAME)
FORM_FOR_ONE: Any = attr("the word for one, if it is printed with numbers", NAME, default="")
FORM_FOR_FEW: Any = attr("the word for a few, in languages such as Polish", NAME, default="")


@bound
class Audience(NamedTuple):
    """The factions that something is for: one group, or all but one."""

    only: str | None = attr("the only group of factions that may use it, by id", ID)
    excluded: str | None = attr("the group of factions that may not use it, by id", ID, "except")

    def admits(self, groups: frozenset[str]) -> bool:
        """Return whether a faction in these groups belongs to the audience."""
        return (self.only is None or self.only in groups) and self.excluded not in groups


@bound
class Term(NamedTuple):
    """A term; any other attributes are for the templates.

    Attributes:
        data: these attributes; whole numbers become integers.
    """

    id: str = OWN_ID
    name: str = PRINTED_NAME
    one: str = FORM_FOR_ONE
    few: str = FORM_FOR_FEW
    data: Mapping[str, str | int] = rest(
        convert=lambda text: int(text) if re.fullmatch("[0-9]{1,9}", text) else text
    )
    audience: Audience = same_element()

    def complete(self) -> Self:
        """Return the term with a name that has its forms."""
        return self._replace(name=with_forms(self.name, self.one, self.few))


@bound
class Vocabulary(NamedTuple):
    """A list of terms, such as the rows of the battlefield."""

    id: str = OWN_ID
    name: str = attr("its name in print, such as Rows", NAME, default="")
    texts: tuple[str, ...] = attr(
        "the attributes of its terms that are printed texts besides their names, for translators, "
        "separated by commas",
        NAME,
        default=(),
    )
    forms: tuple[str, ...] = attr(
        "the attributes of its terms that are further forms of their names, such as `dative`, "
        "separated by commas; a term without one has its name there",
        NAME,
        default=(),
    )
    terms: Mapping[str, Term] = elements("term", 1, MAX_VERY_MANY)

    def complete(self) -> Self:
        """Return the vocabulary with a name, and its terms with all their forms."""
        terms = {
            key: term._replace(data={**dict.fromkeys(self.forms, str(term.name)), **term.data})
            for key, term in self.terms.items()
        }
        texts = (*self.texts, *self.forms)
        return self._replace(name=self.name or self.id, texts=texts, terms=terms)


class Expression(NamedTuple):
    """A text of `game.xml` with expressions, and its element."""

    text: str
    source: Source


def _parse_number(text: str) -> float:
    return round_number(float(text))


_TYPE_ALIASES = tuple(
    (word, name)
    for name, words in (
        ("flag", "boolean bool yesno checkbox"),
        ("integer", "int number whole"),
        ("decimal", "float double real"),
        ("text", "string str markup richtext"),
        ("term", "enum choice select option"),
        ("image", "picture img art file"),
        ("color", "colour"),
        ("card", "reference ref link"),
        ("list", "array tags"),
    )
    for word in words.split()
)
"""Words that users try for the types of fields."""
_TYPES = one_of(
    ("integer", "a whole number"),
    ("decimal", "a number such as 2.5"),
    ("text", "any text"),
    ("term", "a term of the vocabulary that `of` names"),
    ("flag", "`true` or `false`; false if left out"),
    ("rule", "the id of a special rule"),
    ("image", "the name of a file in img/"),
    ("color", "a color"),
    ("card", "the id of another card"),
    ("list", "several values, of the type or vocabulary that `of` names"),
)._replace(aliases=_TYPE_ALIASES)
_BOUND = Value(kind="decimal", minimum=-MAX_NUMBER, maximum=MAX_NUMBER, words="a number")
_SEPARATOR = Value(pattern=r"[\s\S]+", words="a separator such as `,`")


@bound
class Field(NamedTuple):
    """An attribute of the card.

    Attributes:
        optional: whether it may be missing: always, never, or only in the group with this id.
        audience: the factions whose cards may give it a value other than its default.
        value: the expression that computes it, None if cards give it.
        picture: whether it contributes to the card's picture.
        item: the field of each item, for a list.
        searched: whether `find` or the default is a search pattern.
    """

    name: str = attr("the attribute's name in the card files", XML_NAME, unique=True)
    type: FieldType = attr("what it holds", _TYPES)
    vocabulary: str | None = attr(
        "for the type `term`, the id of the vocabulary; for `list`, the id of a vocabulary, or "
        "`text` (the default), `integer`, `decimal`, `card` or `color`",
        ID,
        "of",
    )
    separator: str = attr(
        "for the type `list`, the separator of its values (default: `,`)", _SEPARATOR, default=","
    )
    minimum: float = attr(
        "the smallest number allowed (default: 0)", _BOUND, "min", convert=_parse_number, default=0
    )
    maximum: float = attr(
        "the largest number allowed", _BOUND, "max", convert=_parse_number, default=MAX_NUMBER
    )
    optional: bool | str = attr(
        "`true`, or the id of the group that may leave it out",
        ID,
        convert=lambda text: {"false": False, "true": True}.get(text, text),
        default=False,
    )
    default: FieldValue = attr(
        "its value if it is left out; makes it optional", convert=str, default=None
    )
    find: str = attr(
        "for the type `image`, where to find the picture of a card that names none, for "
        "example `{{ card.id }}.*`",
        NAME,
        default="",
    )
    text: str = attr("its name in print", default="")
    icon: str = attr("its icon", ID, default="")
    unit: str = attr("its unit, such as `mm`, printed after the number", NAME, default="")
    ignored: bool = attr("`true`: it is allowed, but ignored", default=False)
    translate: bool = attr(
        "`false`: its texts are no words to translate, such as names of icons", default=True
    )
    picture: bool = attr("`true`: the picture depends on it", default=False)
    audience: Audience = same_element(Audience())
    value: Expression | None = attr(
        "computes it, so that cards leave it out: `{{ strength + costs }}`",
        NAME,
        read=lambda node: node.get("value") and Expression(node.attributes["value"], node.source),
    )
    item: "Field | None" = None
    searched: bool = False
    source: Source | None = SOURCE

    @property
    def is_printed_text(self) -> bool:
        """Whether its values are words for players, which catalogs translate."""
        is_text = self.item_field.type == "text" and not self.picture
        return is_text and self.translate and not self.ignored

    @property
    def item_field(self) -> "Field":
        """The field itself, or the field of the items of a list."""
        return self.item or self

    @property
    def numeric(self) -> bool:
        """True if it holds a number."""
        return self.type in NUMERIC

    def complete(self) -> "Field":
        """Return the field with what follows from its type, and its default as a value."""
        field, default = self._replace(default=None), self.default
        if field.type == "flag":
            # A missing flag is not set.
            field, default = field._replace(optional=True), default or "false"
        elif not field.optional and (default is not None or field.value is not None):
            field = field._replace(optional=True)
        text = None if default is None else str(default)
        if field.type == "image":
            searched = bool(field.find) or is_search_pattern(text)
            field = field._replace(picture=True, searched=searched)
        if field.type == "list":
            of = field.vocabulary or "text"
            item = cast("FieldType", of if of in _ITEM_TYPES else "term")
            one = field._replace(type=item, optional=False)
            field = field._replace(item=one, default=())
        if text is None:
            return field
        accepted = field.item_field.type == "term" or shape_of(field).accepts(text)
        return field._replace(default=parse_value(field, text) if accepted else text)


_ITEM_TYPES = frozenset(("integer", "decimal", "text", "color", "card"))
"""The types of list items, besides terms of a vocabulary."""


def list_item_types(vocabularies: Iterable[str]) -> list[str]:
    """Return the allowed values of `of` for a list."""
    return sorted({*_ITEM_TYPES, *vocabularies})


def is_search_pattern(text: str | None) -> bool:
    """Return whether the default of an image is a search pattern, not just a file name."""
    return text is not None and any(sign in text for sign in ("{{", "|", "*"))


def _without_value(shape: Shape) -> Shape:
    """Return the shape of a field of children: it is not computed."""
    given = (a for a in shape.attributes if a.name != "value")
    return shape._replace(attributes=tuple(a._replace(unique=False) for a in given))


@bound
class ChildSpec(NamedTuple):
    """Child elements that repeat, such as a card's rows.

    Attributes:
        fields: in templates a child with a single field is its value, one with several fields is a
            dictionary.
        ignored: the names of attributes that are accepted but not used.
    """

    tag: str = attr("the child element's name", XML_NAME, unique=True)
    plural: str = attr("the list's name in templates", ID)
    minimum: int = attr("the fewest allowed", name="min", default=0)
    maximum: int | None = attr("the most allowed", name="max")
    fields: tuple[Field, ...] = elements("field", 1, _MAX_FIELDS, "", adapt=_without_value)
    ignored: tuple[str, ...] = ()

    @property
    def single(self) -> bool:
        """True if a child is a single value."""
        return len(self.fields) == 1

    @property
    def holds_rules(self) -> bool:
        """True if the children are a card's rules."""
        return self.fields[0].type == "rule"

    def complete(self) -> Self:
        """Return the children without their ignored fields."""
        return self._replace(
            fields=tuple(field for field in self.fields if not field.ignored),
            ignored=tuple(field.name for field in self.fields if field.ignored),
        )


FULL, HALF = "full", "half"
"""The declared size of a kind, and half of it: two lie on a card, side by side and turned."""


def _add_crops(given: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields of a kind with two more for the crop of each image."""
    names = {field.name for field in given}
    fields: list[Field] = []
    for field in given:
        fields.append(field)
        if field.type == "image" and not field.ignored:
            fields += [
                Field(name, crop, optional=True, picture=True, source=field.source)
                for crop in CROP_TYPES
                if (name := f"{field.name}-{crop}") not in names
            ]
    return tuple(fields)


@bound
class Kind(NamedTuple):
    """A kind of card.

    Attributes:
        fields: its fields, and two for the crop of each image.
        parts: None for one face.
        safe: cuts are never exact; careful hands cut within 1 mm.
        full: the kind at the size that it declares, None if this is it.
    """

    source: Source = SOURCE
    tag: str = attr("the element's name in the card files", XML_NAME, unique=True)
    name: str = PRINTED_NAME
    token: bool = attr("`true` for the kind that rules create", default=False)
    shuffled: bool = attr(
        "`false` if its cards are never shuffled, so that their backs may show which way up they "
        "are (default: `true`)",
        default=True,
    )
    width: Mm = attr("width of the trim box in mm")
    height: Mm = attr("height of the trim box in mm")
    face: str = attr("its template, a file in templates/", NAME)
    back: str | None = attr("the template of its back", NAME)
    safe: Mm = attr("the distance of texts from the edge (default: 2 mm)", default=2.0)
    bleed: Mm = attr("how far faces extend beyond the trim box (default: 0)", default=0.0)
    radius: Mm = attr(
        "the radius of its corners, if a machine cuts it out (default: 3 mm)", default=3.0
    )
    stock: str = attr(
        "the stock that it is printed on, such as `310 g/m², black core`",
        default="",
        convert=str.strip,
    )
    parts: str | None = attr("the field with the number of faces of a copy", ID)
    unique: tuple[str, ...] = attr(
        "the attributes in which, taken together, no two of its cards may be alike",
        Value(
            pattern=r"\s*(?:name|faction|race)(?:\s+(?:name|faction|race))*\s*",
            words="some of `name`, `faction` and `race`, such as `name faction`",
        ),
        default=(),
        convert=lambda text: tuple(text.split()),
    )
    fields: tuple[Field, ...] = elements("field", 0, _MAX_FIELDS, convert=_add_crops)
    children: tuple[ChildSpec, ...] = elements("children", 0, MAX_FEW)
    full: "Kind | None" = None

    def resize(
        self, size: str, face: str | None, back: str | None, source: Source | None
    ) -> "Kind":
        """Return the kind at another size.

        Args:
            size: `full`, `half`, a name in `CARD_SIZES`, or a width and a height.
            face, back: templates for that size; None to scale those of the full size.
            source: the element that names them.

        Raises:
            ValueError: if the text is no size.
        """
        full = self.full or self
        if size == FULL:
            return full
        if size == HALF:
            sides = [max(full.width, full.height) / 2, min(full.width, full.height)]
        else:
            sides = [*parse_size(size)]
        if size == HALF or size in CARD_SIZES:
            sides.sort(reverse=full.width > full.height)
        width, height = sides
        if (width, height) == (full.width, full.height):
            return full
        at = source if source is not None and (face or back) else full.source
        face, back = face or full.face, back or full.back
        return full._replace(width=width, height=height, face=face, back=back, source=at, full=full)

    def drawn_by(self, template: str) -> "Kind":
        """Return the kind for whose size a template draws: this one, or the full size."""
        full = self.full
        own = full is None or template in {self.face, self.back} - {full.face, full.back}
        return self if full is None or own else full

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
    """Return the shape of a field's values in files, with its terms and the known rules."""
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
