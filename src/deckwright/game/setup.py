"""What `game.xml` says: how a game is called, its fonts, words, symbols, and all else."""

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
    """What one side of a marker shows. `color` is `#rrggbb`; `label` and `icon` may be empty."""

    name: str
    label: str
    icon: str
    color: str


class Marker(NamedTuple):
    """A kind of counter, or one of its denominations.

    Attributes:
        id: its id; that of a denomination has its value behind it, "damage/10".
        value: of a denomination.
        copies: how many are printed.
        size: its width; that of a hexagon goes from corner to corner.
        other: its other side, None if that is blank.
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
        """Its height. Hexagons lie on a flat side."""
        return self.size * math.sqrt(3) / 2 if self.shape == "hexagon" else self.size


class MarkerSheet(NamedTuple):
    """How markers are printed: by which template, on what paper, and what edge stays white."""

    template: str
    paper: str
    margin: Mm
    source: Source


class SpotInk(NamedTuple):
    """An ink that a press prints from a plate of its own, or a tool that works like one.

    Attributes:
        id: what templates call it.
        name: what the separation is called in a PDF, as the printer wants it.
        color: what viewers show for it, as `#rrggbb`.
        seen: whether what is printed with it is seen in its own colors where the ink is not to be
            had, such as on paper at home and on screens; else it is left out there.
        over: whether it goes on top of everything; else it takes its turn, and nothing of the
            other inks is below it.
    """

    id: str
    name: str
    color: str
    seen: bool
    over: bool


BUILTIN_INKS = {
    ink.id: ink
    for ink in (
        SpotInk("foil", "Foil", "#c9a227", seen=True, over=True),
        SpotInk("white", "White", "#a9d6ea", seen=False, over=True),
        SpotInk("varnish", "Varnish", "#f2d64b", seen=False, over=True),
        SpotInk("cut", "CutContour", "#e5007d", seen=False, over=True),
        SpotInk("crease", "Crease", "#009fe3", seen=False, over=True),
    )
}
"""Those that every game has, by id; `game.xml` may give them other names."""


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


class TokenPolicy(NamedTuple):
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
        public_key: with which codes of decks are proven, "" for none.
        left_out: what was left out for its mistakes, such as a marker, by tags and ids.
        severities: other severities for findings, by code; None for those that do not count.
        words: the printed words by id, those that it does not give in English.
        hyphenation: words with hyphens where they alone may be divided.
        worth: what a copy of a card is worth to a deck, None if that is not said.
        cost: what it costs; if that is not said, the sum that a limit keeps low, or None.
        opening: the hand that players begin with, None if that is not said.
        generator: how decks that are all different are made, None if that is not said.
        inks: those beside the print's own by id, also those that every game has.
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
