"""What `game.xml` says: the vocabulary of a game, its kinds of cards, limits, fonts and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from deckwright.base.findings import Severity
from deckwright.base.units import Mm
from deckwright.game.conditions import Where, references_in
from deckwright.game.counters import Marker, MarkerSheet
from deckwright.game.formulas import CARDS, Formula, Number, Reference
from deckwright.game.measures import Measure
from deckwright.xmlio.node import Source

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
CROPS: tuple[FieldType, ...] = ("focus", "zoom")
"""How a card's picture is cropped: fields beside that of each image, `image-focus`."""
Scalar = int | float | str | None
FieldValue = Scalar | tuple[Scalar, ...]
"""What a field of a card holds; lists are tuples."""
NUMERIC: frozenset[FieldType] = frozenset(("integer", "decimal"))
"""The types of fields that hold numbers."""


class Group(NamedTuple):
    """A set of factions that the rest of `game.xml` refers to, given by their races.

    Attributes:
        back: the template of the one back of all their cards, None for those of the kinds.
    """

    id: str
    name: str
    races: tuple[str, ...]
    source: Source
    back: str | None = None


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
    maximum: float = 9999
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


class Children(NamedTuple):
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
    children: tuple[Children, ...]
    source: Source
    parts: str | None = None
    bleed: Mm = 0

    @property
    def names_cards(self) -> bool:
        """Whether its cards can name others."""
        inner = (field for spec in self.children for field in spec.fields)
        return any(field.one.type == "card" for field in (*self.fields, *inner))

    def child(self, tag: str) -> Children | None:
        """Return the children of this tag, None if the kind has none."""
        return next((children for children in self.children if children.tag == tag), None)


class Zone(NamedTuple):
    """A part of a deck, for example the main deck. A card goes to the first zone that admits it.

    Attributes:
        where: admits only cards for which this holds.
        back: the template of the one back of all its cards, None for those of groups and kinds.
        main: whether it is the main deck, for programs that have one and a sideboard.
    """

    id: str
    name: str
    audience: Audience
    source: Source
    where: Where = ()
    back: str | None = None
    main: bool = False


Bound = Literal["min", "max", "exactly"]


RESTRICTION = "restriction"
"""What conditions of limits call the words by which the list in force restricts a card."""


class Exemption(NamedTuple):
    """Cards that a limit does not count while a deck has enough other cards.

    For solvers it is a binary variable for each value of `same`.

    Attributes:
        where: for which cards it is.
        others: which other cards it takes; others have another name.
        same: a field in which they must be like the card, None if they need not.
        min: how many copies of them it takes.
    """

    where: Where
    others: Where
    same: str | None
    min: int


class Limit(NamedTuple):
    """A limit that a deck must keep.

    What it counts is linear in the copies of each card, and so are its numbers where they are fixed
    or refer to the deck without `//` and comparisons (see `formulas`). Conditions that refer to the
    cards of a zone are settled once these are chosen. `distinct` takes a binary variable for each
    of the values, and each exemption one as well.

    Attributes:
        zone: the id of the zone that it counts in.
        where: counts only copies of cards for which this holds.
        sum: adds up this field instead of counting copies.
        distinct: counts the different values of this field instead of copies.
        exemptions: cards that it does not count while there are enough others.
        per: holds for each group of cards with the same value of this field on its own.
        own_faction: cards must be of the deck's main faction.
        decks: holds only for decks of the factions with these ids; for all if empty.
        min, max, exactly: the bounds, None where there is none.
        warning: whether breaking it is a warning only.
        source: where game.xml says so.
    """

    id: str
    name: str
    zone: str
    source: Source
    where: Where = ()
    sum: str | None = None
    distinct: str | None = None
    per: str | None = None
    own_faction: bool = False
    decks: tuple[str, ...] = ()
    min: Number | None = None
    max: Number | None = None
    exactly: Number | None = None
    warning: bool = False
    exemptions: tuple[Exemption, ...] = ()

    @property
    def counts_copies(self) -> bool:
        """Whether it counts all copies of its zone, and nothing else."""
        return not (self.where or self.sum or self.distinct or self.per or self.exemptions)

    @property
    def conditions(self) -> Where:
        """All conditions that it has, those of its exemptions too."""
        inner = (group for each in self.exemptions for group in (*each.where, *each.others))
        return (*self.where, *inner)

    def references(self) -> Iterator[Reference]:
        """Yield what it takes from the deck, in its conditions and in its numbers."""
        yield from references_in(self.conditions)
        for number in (self.min, self.max, self.exactly):
            if isinstance(number, Formula):
                yield from number.references()

    @property
    def zones_needed(self) -> frozenset[str]:
        """The zones whose cards must be known before it means anything."""
        return frozenset(zone for zone, field in self.references() if field != CARDS)

    @property
    def fixed(self) -> bool:
        """Whether it means the same for every deck and at every date."""
        return not self.restricts and next(self.references(), None) is None

    @property
    def restricts(self) -> bool:
        """Whether it asks by what words the list in force restricts cards."""
        return any(each.field == RESTRICTION for group in self.conditions for each in group)

    @property
    def bound(self) -> Bound | None:
        """The bound that a single new value goes to; None if the limit has no number."""
        bounds: tuple[Bound, ...] = ("exactly", "max", "min")
        for name in bounds:
            if getattr(self, name) is not None:
                return name
        return None

    def with_value(self, value: Number) -> Limit:
        """Return the limit with `value` for its number.

        Raises:
            ValueError: if it has no number.
        """
        if self.bound is None:
            raise ValueError(f"the limit `{self.id}` has no number, so it can only be switched off")
        changes: dict[str, Any] = {self.bound: value}
        return self._replace(**changes)


class Format(NamedTuple):
    """A named way to build decks: changes to the limits. None switches a limit off."""

    id: str
    name: str
    changes: Mapping[str, Number | None]


class Opening(NamedTuple):
    """With how many cards a player begins, and how they are drawn.

    Attributes:
        zone: the id of the zone that they are drawn from, None for the main deck.
        hand: how many are drawn.
        redraws: how many of these a player may lay aside, once, for as many others; these are then
            shuffled back.
        mulligans: how often a player may instead shuffle all of them back and draw as many again.
        draws: how many more are drawn each turn.
    """

    zone: str | None
    hand: int
    redraws: int = 0
    mulligans: int = 0
    draws: int = 0


class Symbol(NamedTuple):
    """A sign of the game, which texts write as its id in braces.

    Attributes:
        icon: the name of an icon of the icon font, or "".
        image: a drawing in `img/`, or "".
        color: of the icon, None for that of the text around it.
    """

    id: str
    name: str
    icon: str
    image: str
    color: str | None
    source: Source


class TokenRule(NamedTuple):
    """How many tokens are printed for a rule that creates them.

    As many as the copies of the deck can create with the field `budget`, each token costing the
    rule's cost, but at least `minimum`. With `turns`, that is in so many turns, with what rules
    refill and add; without, each copy spends once what it prints.
    """

    minimum: int
    budget: str | None
    turns: int | None = None


class FontFamily(NamedTuple):
    """A font family: either the name of a bundled one, or files in `templates/` by style.

    Attributes:
        weight: that of its regular style, of a font that has several; None for the usual one.
        fallback: the ids of the families that have the characters that it lacks.
    """

    id: str
    family: str | None
    files: Mapping[str, str]
    source: Source
    weight: int | None = None
    fallback: tuple[str, ...] = ()


class Setup(NamedTuple):
    """All that `game.xml` says.

    Attributes:
        version, date: of the game, as its designer writes them; "" if that is not said.
        watermark: the text across all faces that are printed, "" for none.
        left_out: what was left out for its mistakes, such as a marker, by tags and ids.
        severities: other severities for findings, by code; None for those that do not count.
        words: the printed words by id, those that it does not give in English.
        hyphenation: words with hyphens where they alone may be divided.
        worth: what a copy of a card is worth to a deck, None if that is not said.
        cost: what it costs; if that is not said, what the first limit on a sum adds up, or None.
        opening: the hand that players begin with, None if that is not said.
        set: in what cards are numbered: faction, kind, game, or the values of this field.
        sheet: the name of the sheet format for cards.
        backs: whether decks are printed with their backs.
        reference, deck_sheet: the templates of the rule reference and of a deck's first page.
        overview_cover, overview_page: the templates of the overview's cover and of its pages.
        banner: the template of the headings of factions in books, which are `banner_height` high.
        reference_styles: the styles in which decks are printed with the rule reference; None for
            every style.
    """

    name: str
    author: str
    version: str
    date: str
    watermark: str
    language: str
    words: Mapping[str, str]
    colors: Mapping[str, str]
    fonts: Mapping[str, FontFamily]
    hyphenation: tuple[str, ...]
    groups: tuple[Group, ...]
    vocabularies: Mapping[str, Vocabulary]
    kinds: Mapping[str, Kind]
    tokens: TokenRule
    zones: tuple[Zone, ...]
    limits: tuple[Limit, ...]
    formats: Mapping[str, Format]
    default_format: str | None
    worth: Measure | None
    cost: Measure | None
    opening: Opening | None
    symbols: Mapping[str, Symbol]
    markers: tuple[Marker, ...]
    marker_sheet: MarkerSheet | None
    set: str
    sheet: str
    backs: bool
    reference: str | None
    reference_styles: tuple[str, ...] | None
    deck_sheet: str | None
    overview_cover: str | None
    overview_page: str | None
    banner: str | None
    banner_height: Mm
    severities: Mapping[str, Severity | None]
    source: Source
    sheet_source: Source
    left_out: frozenset[tuple[str, str]] = frozenset()

    def lacks(self, tag: str, name: str) -> bool:
        """Return whether something of this id may have been left out, alone or with all others."""
        return not self.left_out.isdisjoint({(tag, name), (tag, ""), (f"{tag}s", "")})

    def groups_of(self, race: str) -> frozenset[str]:
        """Return the ids of the groups that a race belongs to."""
        return frozenset(group.id for group in self.groups if race in group.races)

    def group_name(self, group_id: str) -> str:
        """Return how to speak of a group."""
        return next((group.name for group in self.groups if group.id == group_id), group_id)

    def zone_name(self, zone_id: str) -> str:
        """Return the name of a zone that there is."""
        return next(zone.name for zone in self.zones if zone.id == zone_id)

    @property
    def main_zone(self) -> Zone:
        """The main deck: the zone that says so, or else the first with the fewest conditions."""

        def narrow(zone: Zone) -> tuple[bool, ...]:
            return (
                not zone.main,
                bool(zone.where),
                zone.audience != Audience(),
                zone.audience.only is not None,
            )

        return min(self.zones, key=narrow)

    @property
    def card_kinds(self) -> tuple[Kind, ...]:
        """The kinds that stand in card files."""
        return tuple(kind for kind in self.kinds.values() if not kind.token)

    @property
    def token_kind(self) -> Kind | None:
        """The kind that rules create, None if the game has no tokens."""
        return next((kind for kind in self.kinds.values() if kind.token), None)
