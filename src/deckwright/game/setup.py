"""The contents of `game.xml`: names, fonts, words, symbols and everything else."""

import math
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Literal, NamedTuple, Self

from deckwright.base.colors import resolve_color
from deckwright.base.findings import ChoiceError, Severity, format_names, require_known
from deckwright.base.strings import with_forms
from deckwright.base.units import CARD_SIZES, PAPER_SIZES, Mm
from deckwright.game.deck_rules import (
    Format,
    Limit,
    Measure,
    MeasureError,
    MeasureTerm,
    Opening,
    Zone,
    parse_measure,
)
from deckwright.game.folder import CardTable
from deckwright.game.generator import Generator
from deckwright.game.kinds import (
    FORM_FOR_FEW,
    FORM_FOR_ONE,
    FULL,
    HALF,
    MAX_FEW,
    MAX_MANY,
    MAX_VERY_MANY,
    OWN_ID,
    Audience,
    Field,
    Kind,
    Vocabulary,
)
from deckwright.game.tabletop import Tabletop
from deckwright.xmlio.binding import (
    SOURCE,
    Holder,
    attr,
    bound,
    elements,
    model_shape,
    same_element,
    source_of,
)
from deckwright.xmlio.node import Source
from deckwright.xmlio.shape import COLOR, ID, NAME, POSITIVE_LENGTH, Shape, Terms, Value, one_of

DEFAULT_SET = "faction"
_LANGUAGE = Value(pattern=r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?", words="a language code such as de")
VERSION = Value(pattern=r"[0-9]{1,4}(?:\.[0-9]{1,4}){0,2}", words="a version such as 1.1")
_SYMBOL = Value(
    pattern="[A-Za-z][A-Za-z0-9_-]*",
    words="an id of letters, digits, `_` and `-`, beginning with a letter",
)


@bound
class MarkerSide(NamedTuple):
    """A side of a marker. `color` is `#rrggbb`; `label` and `icon` may be empty."""

    name: str = attr("its name", NAME)
    label: str = attr("the text that it shows", NAME, default="")
    icon: str = attr("its icon", ID, default="")
    color: str = attr("its color", COLOR)

    def adapt(self, colors: Mapping[str, str], value: int | None) -> Self:
        """Return the side with a value of the game's colors, for a denomination."""
        label = self.label or ("" if value is None else str(value))
        return self._replace(label=label, color=resolve_color(self.color, colors))


@bound
class _Denomination(NamedTuple):
    """A denomination."""

    number: int = attr("its value, and its label", unique=True)
    copies: int = attr("how many are printed", name="count")


@bound
class Marker(NamedTuple):
    """A kind of counter.

    Attributes:
        id: its id; that of a denomination ends in its value, "damage/10".
        size: for a hexagon, from corner to corner.
        other: its other side, None for a blank one.
        value: the value of a denomination, None for others.
    """

    id: str = OWN_ID
    face: MarkerSide = same_element()
    copies: int = attr("how many are printed, if it has no values", name="count", default=1)
    shape: Literal["square", "circle", "hexagon"] = attr(
        "its shape (default: square)",
        one_of(("square", "with rounded corners"), "circle", "hexagon"),
        default="square",
    )
    size: Mm = attr("its width in mm", POSITIVE_LENGTH)
    denominations: tuple[_Denomination, ...] = elements("value", 0, 50)
    other: MarkerSide | None = elements("other", 0, 1, "its other side (default: blank)")
    source: Source = SOURCE
    value: int | None = None

    @property
    def height(self) -> Mm:
        """Its height; hexagons stand on a flat side."""
        return self.size * math.sqrt(3) / 2 if self.shape == "hexagon" else self.size

    def split(self, colors: Mapping[str, str]) -> Iterator[Self]:
        """Yield a marker for each denomination, or the only one, with the game's colors."""
        for value, count in self.denominations or ((None, self.copies),):
            yield self._replace(
                id=self.id if value is None else f"{self.id}/{value}",
                face=self.face.adapt(colors, value),
                copies=count,
                other=self.other and self.other.adapt(colors, value),
                value=value,
            )


@bound
class MarkerSheet(NamedTuple):
    """The counters of the game."""

    template: str = attr("their template, a file in templates/", NAME, "face")
    paper: str = attr(
        "the paper they are printed on (default: a4)", one_of(*PAPER_SIZES), default="a4"
    )
    margin: Mm = attr("the white margin at the edge, in mm (default: 5)", default=5.0)
    source: Source = SOURCE
    markers: tuple[Marker, ...] = elements("marker", 1, 1000, prunable=True, default=())


def apply_counts(markers: Iterable[Marker], counts: Mapping[str, int]) -> list[Marker]:
    """Return markers with other counts; one for "id" is for all its values without their own."""
    return [
        marker._replace(
            copies=counts.get(marker.id, counts.get(marker.id.partition("/")[0], marker.copies))
        )
        for marker in markers
    ]


def resolve_counts(
    markers: Iterable[Marker], only: Iterable[str], changes: Mapping[str, int]
) -> dict[str, int]:
    """Return the counts that differ from the game's, to print only some markers, or all.

    Raises:
        ChoiceError: if a marker does not exist, or none is left.
    """
    markers, only = [*markers], [*only]
    known = [name for marker in markers for name in (marker.id.partition("/")[0], marker.id)]
    if not known:
        raise ChoiceError("the game has no markers", "list them under `markers` in game.xml")
    for name in (*only, *changes):
        require_known(name, dict.fromkeys(known), "marker", " in game.xml")
    parents = {name.partition("/")[0] for name in only if "/" in name}
    left_out = {
        marker.id: 0
        for marker in markers
        if only
        and marker.id not in only
        and (marker.id.partition("/")[0] not in only or marker.id in parents)
    }
    counts = {**left_out, **changes}
    if not any(marker.copies for marker in apply_counts(markers, counts)):
        raise ChoiceError("every marker has the count 0, so there is nothing to print")
    return counts


@bound
class SpotInk(NamedTuple):
    """An ink besides the process colors, with a plate of its own, or a tool such as a die.

    Attributes:
        color: the color that viewers show, as `#rrggbb`.
        is_visible: whether elements printed with it appear in their own colors where the ink is not
            available, such as on home printers and screens; otherwise they are omitted there.
        overprints: whether it overprints everything; otherwise it is printed in drawing order and
            knocks out the other inks.
    """

    id: str = attr("its id in the attribute `ink` of template elements", _SYMBOL, unique=True)
    name: str = attr("the print shop's name for it, such as `PANTONE 871 C`", NAME, default="")
    color: str = attr("its color in PDF viewers", COLOR, default="")
    is_visible: bool = attr(
        "whether elements printed with it show their own colors wherever the ink is not "
        "available (default: `true`; not for `white`, `varnish`, `cut`)",
        name="seen",
        default=None,
    )
    overprints: bool = attr(
        "`true`: it overprints other inks (default: only predefined inks do); otherwise "
        "nothing else is printed below it",
        name="overprint",
        default=None,
    )

    def complete(self) -> "SpotInk":
        """Return the ink with the values of the predefined one, or defaults, where it has none."""
        plain = SpotInk(self.id, self.id, _DEFAULT_INK_COLOR, is_visible=True, overprints=False)
        given = {name: value for name, value in self._asdict().items() if value not in {"", None}}
        return BUILTIN_INKS.get(self.id, plain)._replace(**given)


_DEFAULT_INK_COLOR = "#808080"
"""The color that viewers show for an ink without one."""
BUILTIN_INKS = {
    ink.id: ink
    for ink in (
        SpotInk("foil", "Foil", "#c9a227", is_visible=True, overprints=True),
        SpotInk("white", "White", "#a9d6ea", is_visible=False, overprints=True),
        SpotInk("varnish", "Varnish", "#f2d64b", is_visible=False, overprints=True),
        SpotInk("cut", "CutContour", "#e5007d", is_visible=False, overprints=True),
        SpotInk("crease", "Crease", "#009fe3", is_visible=False, overprints=True),
    )
}
"""The inks that every game has, by id; `game.xml` may rename them."""


@bound
class Group(NamedTuple):
    """A group of factions, defined by their races."""

    id: str = OWN_ID
    name: str = attr("its name in messages", NAME)
    races: tuple[str, ...] = attr("race names, separated by commas", NAME)
    source: Source = SOURCE
    back: str | None = attr("the template of the back that all their cards share", NAME)


@bound
class Symbol(NamedTuple):
    """A symbol of the game; texts print it where they have its id in braces.

    Attributes:
        icon, image: one of the two, the other is "".
        text: "" for its name.
    """

    id: str = attr("its id, which texts have in braces", _SYMBOL, unique=True)
    name: str = attr("its name", NAME)
    icon: str = attr("an icon of the icon font", ID, default="")
    image: str = attr("an SVG drawing in img/, in its own colors", NAME, default="")
    color: str | None = attr("the icon's color (default: that of the text)", COLOR)
    source: Source = SOURCE
    text: str = attr("what tables have in place of it, such as `[credit]`", NAME, default="")


_SIDE = r"[1-9][0-9]{0,2}(?:\.[0-9]{1,3})?"
_TOKEN_SIZE = Value(
    pattern="|".join([FULL, HALF, *CARD_SIZES, f"{_SIDE}x{_SIDE}"]),
    words=f"{FULL}, {HALF}, {format_names(CARD_SIZES)}, or a width and a height such as 44x63",
)


@bound
class TokenPolicy(NamedTuple):
    """How many tokens are printed for a rule that creates them.

    As many as the copies in the deck can create with the field `budget`, paying the rule's cost for
    each token, but at least `minimum`. With `turns`, they are counted over so many turns, including
    what rules refill and add; without, each copy spends its budget once.

    Attributes:
        size: None for the size of their kind.
    """

    minimum: int = attr("the fewest that are printed for a rule")
    budget: str | None = attr("the field that pays the rule's cost", ID)
    turns: int | None = attr(
        "how many turns are counted, with one card played in each; if left out, each copy "
        "spends its budget once",
        Value(kind="integer", minimum=1, maximum=20),
    )
    source: Source | None = SOURCE
    size: str | None = attr(
        "the size that they are printed at: `half` of their kind's, `full`, a name such as `mini`, "
        "or a width and a height in mm, such as `44x63` (default: `full`)",
        _TOKEN_SIZE,
    )
    face: str | None = attr(
        "the template of their faces at that size (default: those of the full size, scaled)", NAME
    )
    back: str | None = attr("the template of their backs at that size (default: as faces)", NAME)


_FONT_FILE = "a TrueType or OpenType file in templates/"


@bound
class FontFamily(NamedTuple):
    """A font for the templates: a bundled family, or files of its own."""

    id: str = OWN_ID
    family: str | None = attr(
        "a bundled family: Source Sans Pro, Source Serif Pro, IBM Plex Mono, or for names and "
        "covers Cinzel and Cinzel Black, whose small letters are small capitals",
        NAME,
    )
    regular: str | None = attr(
        f"{_FONT_FILE}; for a font in a collection, add `#` and its name or number", NAME
    )
    bold: str | None = attr(
        f"{_FONT_FILE}, or for a bundled family without bold letters another one, such as "
        "Noto Sans JP Bold",
        NAME,
    )
    italic: str | None = attr(_FONT_FILE, NAME)
    bold_italic: str | None = attr(_FONT_FILE, NAME)
    weight: int | None = attr(
        "for a variable font, the weight of the regular style (default: 400); bold is 700, or "
        "900 if this is 600 or more",
        Value(kind="integer", minimum=1, maximum=1000),
    )
    fallback: tuple[str, ...] = attr(
        "the ids of fonts for the characters that this one lacks, in order of preference, "
        "separated by commas",
        NAME,
        default=(),
    )
    source: Source = SOURCE

    @property
    def files(self) -> Mapping[str, str]:
        """Its files by style."""
        styles = {
            "regular": self.regular,
            "bold": self.bold,
            "italic": self.italic,
            "bold-italic": self.bold_italic,
        }
        return {style: file for style, file in styles.items() if file}


@bound
class _Exception(NamedTuple):
    word: str = attr(
        "the word, with hyphens where it may be divided; without hyphens, it is never divided",
        Value(
            pattern="[^\\s0-9-]+(-[^\\s0-9-]+)*",
            words="a word with hyphens where it may be divided, such as Provi-ant",
        ),
        unique=True,
    )


def _list_words(found: Iterable[_Exception]) -> tuple[str, ...]:
    return tuple(each.word for each in found)


@bound
class LanguageSetup(NamedTuple):
    """What a translation of the game needs; its texts are in xml/lang."""

    id: str = attr("its code, such as ja", _LANGUAGE, unique=True)
    fonts: Mapping[str, FontFamily] = elements(
        "font", 0, MAX_FEW, "a font in place of the game's with the same id"
    )
    hyphenation: tuple[str, ...] = elements(
        "exception",
        0,
        MAX_VERY_MANY,
        "a word that the hyphenation patterns of the language divide wrongly",
        of=_Exception,
        convert=_list_words,
        holder=Holder("hyphenation"),
    )


@bound
class _Word(NamedTuple):
    """A printed word.

    Templates print `{{ words.cards|plural(3) }}` for the form that goes with a number.
    """

    id: str = OWN_ID
    text: str = attr("", NAME)
    one: str = FORM_FOR_ONE
    few: str = FORM_FOR_FEW


def _index_words(found: Iterable[_Word]) -> dict[str, str]:
    """Return words by id; those for numbers with their forms, of which `text` is the last."""
    return {each.id: with_forms(each.text, each.one, each.few) for each in found}


@bound
class _Color(NamedTuple):
    """How a color name is printed."""

    name: str = attr("a color name in the factions file", ID, unique=True)
    value: str = attr("the color that is printed", COLOR, convert=resolve_color)


_SEVERITIES = {**{each.value: each for each in Severity}, "off": None}


@bound
class _Severity(NamedTuple):
    """The severity of a code in this game."""

    code: str = attr("the code of a warning or info, such as R020", ID, unique=True)
    severity: Severity | None = attr(
        "how it is reported", one_of(*_SEVERITIES), "is", required=True, convert=_SEVERITIES.get
    )


def _parse_measure(text: str) -> Measure | None:
    """Return a measure, None if it is invalid; a check reports that."""
    try:
        return parse_measure(text)
    except MeasureError:
        return None


def _template_or_none(text: str) -> str | None:
    """Return the name of a template, None for `no`."""
    return None if text == "no" else text


_MEASURE = Value(
    pattern=r"[\w\s.*+-]+", words="a sum of fields with numbers, such as `strength + 2*actions`"
)
_WORDS = Holder("words", prunable=True)
_DECK = Holder("deck", "how decks are built")
_SHEET = Holder("sheet", "how cards are laid out on paper")
_SEVERITY_CHANGES = Holder(
    "severities", "changes to the usual severities of `deckwright check`", prunable=True
)


@bound
class Setup(NamedTuple):
    """Everything that Deckwright needs to know about the game.

    Attributes:
        words: the printed words by id; missing ones are English.
        worth: the measure that the best decks maximize.
        inks: the spot inks by id, including the built-in ones.
        reference, deck_sheet: None for no such pages.
        reference_styles: None for all styles.
        severities: changed severities of findings, by code; None for ignored ones.
        left_out: the elements omitted because of errors, by tag and id.
    """

    name: str = attr("the game's name", NAME)
    author: str = attr("the author, for the metadata of PDFs", default="")
    needs: str = attr(
        "the oldest version of Deckwright that can read the game, such as 1.1", VERSION, default=""
    )
    version: str = attr("the version of the game, for templates", default="")
    date: str = attr("the date of this version, for templates", default="")
    watermark: str = attr(
        "a text across all printed faces, such as PLAYTEST", default="", convert=str.strip
    )
    public_key: str = attr(
        "the key that verifies the codes of decks, from `deckwright codes key`",
        Value(pattern="[A-Z2-7]{52}", words="52 capital letters and digits"),
        default="",
        former="public_key",
    )
    set: str = attr(
        "the sets in which cards are numbered: `faction` (the default), `kind`, `game`, or a "
        "field whose values form the sets",
        ID,
        default=DEFAULT_SET,
    )
    language: str = attr("the language of its texts, for hyphenation", _LANGUAGE)
    languages: Mapping[str, LanguageSetup] = elements("language", 0, MAX_MANY)
    words: Mapping[str, str] = elements(
        "word", 0, MAX_VERY_MANY, of=_Word, convert=_index_words, prunable=True, holder=_WORDS
    )
    colors: Mapping[str, str] = elements(
        "color", 0, MAX_VERY_MANY, of=_Color, convert=dict, holder=Holder("colors")
    )
    fonts: Mapping[str, FontFamily] = elements(
        "font", 0, MAX_FEW, "a font for the templates", holder=Holder("fonts")
    )
    hyphenation: tuple[str, ...] = elements(
        "exception",
        0,
        MAX_VERY_MANY,
        "a word that the hyphenation patterns of the language divide wrongly; also applies to "
        "longer words that begin or end with it",
        of=_Exception,
        convert=_list_words,
        holder=Holder("hyphenation"),
    )
    symbols: Mapping[str, Symbol] = elements("symbol", 0, MAX_VERY_MANY, holder=Holder("symbols"))
    inks: Mapping[str, SpotInk] = elements(
        "ink",
        0,
        MAX_FEW,
        "an ink besides the process colors, or a tool such as a die, for print services; "
        "`foil`, `white`, `varnish` and `cut` are predefined",
        holder=Holder("inks"),
    )
    groups: tuple[Group, ...] = elements("group", 0, MAX_MANY)
    vocabularies: Mapping[str, Vocabulary] = elements("vocabulary", 0, MAX_MANY)
    kinds: Mapping[str, Kind] = elements("kind", 1, MAX_FEW)
    tables: tuple[CardTable, ...] = elements("table", 0, MAX_MANY)
    tokens: TokenPolicy = elements("tokens", 0, 1, default=TokenPolicy(1))
    worth: Measure | None = attr(
        "how strong a card is; the best decks have the highest total",
        _MEASURE,
        convert=_parse_measure,
        holder=_DECK,
    )
    cost: Measure | None = attr(
        "what a card costs (default: the field that the first limit on a sum over all cards of "
        "its zone keeps low)",
        _MEASURE,
        convert=_parse_measure,
        holder=_DECK,
    )
    opening: Opening | None = elements("opening", 0, 1, prunable=True, holder=_DECK)
    zones: tuple[Zone, ...] = elements("zone", 1, MAX_FEW, holder=_DECK)
    limits: tuple[Limit, ...] = elements("limit", 0, MAX_MANY, prunable=True, holder=_DECK)
    formats: Mapping[str, Format] = elements("format", 0, 15, holder=_DECK)
    generator: Generator | None = elements("generator", 0, 1)
    marker_sheet: MarkerSheet | None = elements("markers", 0, 1, prunable=True)
    tabletop: Tabletop = elements("tabletop", 0, 1, default=Tabletop(source=None), prunable=True)
    sheet: str = attr(
        "the sheet format for cards", ID, "format", "a4-65x90", required=True, holder=_SHEET
    )
    backs: bool = attr("`true`: decks are printed with their backs", default=False, holder=_SHEET)
    reference: str | None = attr(
        "the template of the rule reference; `no`: decks have none",
        NAME,
        convert=_template_or_none,
        holder=_SHEET,
    )
    reference_styles: tuple[str, ...] | None = attr(
        "the styles in which decks are printed with the rule reference, separated by commas; "
        "empty for none (default: all styles)",
        holder=_SHEET,
    )
    deck_sheet: str | None = attr(
        "the template of a deck's first page (default: `deck.xml`, or a bundled one if there is "
        "none); `no`: decks have none",
        NAME,
        "deck",
        default="deck.xml",
        convert=_template_or_none,
        holder=_SHEET,
    )
    overview_cover: str | None = attr("the template of the overview's cover", NAME, holder=_SHEET)
    overview_page: str | None = attr(
        "the template of the background of its pages", NAME, holder=_SHEET
    )
    banner: str | None = attr(
        "the template of the headings of factions, in the overview and in the rulebook",
        NAME,
        holder=_SHEET,
    )
    banner_height: Mm = attr("the height of these headings in mm", default=30.0, holder=_SHEET)
    severities: Mapping[str, Severity | None] = elements(
        "severity",
        0,
        MAX_VERY_MANY,
        of=_Severity,
        convert=dict,
        prunable=True,
        holder=_SEVERITY_CHANGES,
    )
    source: Source = SOURCE
    sheet_source: Source = source_of(_SHEET)
    left_out: frozenset[tuple[str, str]] = frozenset()

    def complete(self) -> Self:
        """Return the setup with the game's colors, predefined inks and what decks have at least."""
        sheet, colors = self.marker_sheet, self.colors
        if sheet is not None:
            markers = (each for marker in sheet.markers for each in marker.split(colors))
            sheet = sheet._replace(markers=tuple(markers))
        # By default, cards cost what the first suitable limit bounds in all cards of its zone.
        bounded = (
            (limit.sum, limit.zone)
            for limit in self.limits
            if limit.max is not None and not (limit.where or limit.exemptions or limit.decks)
        )
        costs = (Measure(f, (MeasureTerm(Decimal(1), f, zone),)) for f, zone in bounded if f)
        complete = self.with_token_size(self.tokens.size)
        return complete._replace(
            symbols={
                each.id: each._replace(color=each.color and resolve_color(each.color, colors))
                for each in self.symbols.values()
            },
            inks=BUILTIN_INKS
            | {
                each.id: each._replace(color=resolve_color(each.color, colors))
                for each in self.inks.values()
            },
            zones=self.zones or (Zone("main", "main deck", self.source),),
            cost=self.cost or next(costs, None),
            marker_sheet=sheet,
        )

    def with_token_size(self, size: str | None) -> Self:
        """Return the setup with tokens printed at a size, as in `Kind.resize`.

        Args:
            size: None changes nothing.

        Raises:
            ValueError: if the text is no size.
        """
        if size is None or self.token_kind is None:
            return self
        policy = self.tokens
        kind = self.token_kind.resize(size, policy.face, policy.back, policy.source)
        return self._replace(kinds={**self.kinds, kind.tag: kind})

    @property
    def default_format(self) -> str | None:
        """The format of decks that name none."""
        return next((each.id for each in self.formats.values() if each.is_default), None)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers; each denomination is a marker of its own."""
        return self.marker_sheet.markers if self.marker_sheet else ()

    def may_lack(self, tag: str, name: str) -> bool:
        """Return whether an element with this id may have been omitted because of errors."""
        return not self.left_out.isdisjoint({(tag, name), (tag, ""), (f"{tag}s", "")})

    def groups_of(self, race: str) -> frozenset[str]:
        """Return the ids of the groups of a race."""
        return frozenset(group.id for group in self.groups if race in group.races)

    def group_name(self, group_id: str) -> str:
        """Return the name of a group, or its id if it is unknown."""
        return next((group.name for group in self.groups if group.id == group_id), group_id)

    def zone_name(self, zone_id: str) -> str:
        """Return the name of an existing zone."""
        return next(zone.name for zone in self.zones if zone.id == zone_id)

    @property
    def main_zone(self) -> Zone:
        """The main deck: the zone marked as such, or the first with the fewest conditions."""

        def narrow(zone: Zone) -> tuple[bool, ...]:
            return (
                not zone.main,
                bool(zone.where),
                zone.audience != Audience(),
                zone.audience.only is not None,
            )

        return min(self.zones, key=narrow)

    def terms_of(self, field: Field) -> Terms:
        """Return the terms that a field may have, with their names."""
        vocabulary = self.vocabularies.get(field.vocabulary or "")
        return tuple((t.id, t.name) for t in vocabulary.terms.values()) if vocabulary else ()

    @property
    def card_kinds(self) -> tuple[Kind, ...]:
        """The kinds of cards in card files."""
        return tuple(kind for kind in self.kinds.values() if not kind.token)

    @property
    def token_kind(self) -> Kind | None:
        """The kind of tokens, None if the game has none."""
        return next((kind for kind in self.kinds.values() if kind.token), None)


@cache
def game_shape() -> Shape:
    """Return the shape of `game.xml`."""
    return model_shape(Setup, "game")
