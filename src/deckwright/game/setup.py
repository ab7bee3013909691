"""The contents of `game.xml`: names, fonts, words, symbols and everything else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

from deckwright.base.findings import Severity
from deckwright.base.units import Mm
from deckwright.game.deck_rules import Format, Limit, Measure, Opening, Zone
from deckwright.game.generator import Generator
from deckwright.game.kinds import Audience, Kind, Vocabulary
from deckwright.xmlio.node import Source


class MarkerSide(NamedTuple):
    """A side of a marker. `color` is `#rrggbb`; `label` and `icon` may be empty."""

    name: str
    label: str
    icon: str
    color: str


class Marker(NamedTuple):
    """A marker, or one of its denominations.

    Attributes:
        id: its id; that of a denomination ends in its value, "damage/10".
        value: the value of a denomination, None for others.
        copies: the number of copies to print.
        size: its width; for a hexagon, from corner to corner.
        other: its other side, None for a blank one.
    """

    id: str
    value: int | None
    copies: int
    shape: Literal["square", "circle", "hexagon"]
    size: Mm
    face: MarkerSide
    other: MarkerSide | None
    source: Source

    @property
    def height(self) -> Mm:
        """Its height; hexagons stand on a flat side."""
        return self.size * math.sqrt(3) / 2 if self.shape == "hexagon" else self.size


class MarkerSheet(NamedTuple):
    """The print settings of markers: template, paper and margin."""

    template: str
    paper: str
    margin: Mm
    source: Source


class SpotInk(NamedTuple):
    """An ink with a plate of its own, or a tool that works like one, such as a die.

    Attributes:
        id: its id in templates.
        name: the name of the separation in PDFs, as the printer requires it.
        color: the color that viewers show, as `#rrggbb`.
        is_visible: whether elements printed with it appear in their own colors where the ink is not
            available, such as on home printers and screens; otherwise they are omitted there.
        overprints: whether it overprints everything; otherwise it is printed in drawing order and
            knocks out the other inks.
    """

    id: str
    name: str
    color: str
    is_visible: bool
    overprints: bool


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


class Group(NamedTuple):
    """A group of factions, defined by their races.

    Attributes:
        back: the template of the back that all their cards share, None for those of the kinds.
    """

    id: str
    name: str
    races: tuple[str, ...]
    source: Source
    back: str | None = None


class Symbol(NamedTuple):
    """A symbol of the game; texts contain its id in braces.

    Attributes:
        icon: the name of an icon in the icon font, or "".
        image: a drawing in `img/`, or "".
        color: the color of the icon, None for that of the text.
        text: what tables have in place of it, such as `[credit]`, or "".
    """

    id: str
    name: str
    icon: str
    image: str
    color: str | None
    source: Source
    text: str = ""


class TokenPolicy(NamedTuple):
    """The number of tokens printed for a rule that creates them.

    As many as the copies in the deck can create with the field `budget`, paying the rule's cost for
    each token, but at least `minimum`. With `turns`, they are counted over so many turns, including
    what rules refill and add; without, each copy spends its budget once.
    """

    minimum: int
    budget: str | None
    turns: int | None = None


class FontFamily(NamedTuple):
    """A font family: the name of a bundled one, or files in `templates/` by style.

    Attributes:
        weight: the weight of the regular style of a variable font; None for the default.
        fallback: the ids of the families used for characters that it lacks.
    """

    id: str
    family: str | None
    files: Mapping[str, str]
    source: Source
    weight: int | None = None
    fallback: tuple[str, ...] = ()


class Setup(NamedTuple):
    """The contents of `game.xml`.

    Attributes:
        version, date: the version of the game and its date in the designer's words, or "".
        watermark: the text across all printed faces, "" for none.
        public_key: the key that verifies the codes of decks, "" for none.
        left_out: the elements omitted because of errors, by tag and id.
        severities: changed severities of findings, by code; None for ignored ones.
        words: the printed words by id; missing ones are English.
        hyphenation: exceptions: words with hyphens where they may be divided.
        worth: the measure that the best decks maximize, None if not given.
        cost: the cost of a card; by default the sum that a limit bounds, or None.
        opening: the opening hand, None if not given.
        generator: the rules for generated decks, None if not given.
        inks: the spot inks by id, including the built-in ones.
        set: the scope of card numbers: faction, kind, game, or the values of this field.
        sheet: the name of the sheet format for cards.
        backs: whether decks are printed with backs.
        reference, deck_sheet: the templates of the rule reference and of a deck's first page.
        overview_cover, overview_page: the templates of the overview's cover and of its pages.
        banner: the template of faction headings in books, which are `banner_height` high.
        reference_styles: the styles in which decks are printed with the rule reference; None for
            all styles.
    """

    name: str
    author: str
    version: str
    date: str
    watermark: str
    public_key: str
    language: str
    words: Mapping[str, str]
    colors: Mapping[str, str]
    fonts: Mapping[str, FontFamily]
    hyphenation: tuple[str, ...]
    groups: tuple[Group, ...]
    vocabularies: Mapping[str, Vocabulary]
    kinds: Mapping[str, Kind]
    tokens: TokenPolicy
    zones: tuple[Zone, ...]
    limits: tuple[Limit, ...]
    formats: Mapping[str, Format]
    default_format: str | None
    worth: Measure | None
    cost: Measure | None
    opening: Opening | None
    generator: Generator | None
    symbols: Mapping[str, Symbol]
    inks: Mapping[str, SpotInk]
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

    @property
    def card_kinds(self) -> tuple[Kind, ...]:
        """The kinds of cards in card files."""
        return tuple(kind for kind in self.kinds.values() if not kind.token)

    @property
    def token_kind(self) -> Kind | None:
        """The kind of tokens, None if the game has none."""
        return next((kind for kind in self.kinds.values() if kind.token), None)
