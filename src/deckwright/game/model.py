"""The things that a game consists of. Frozen; each knows the place that it was read from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from deckwright.game.kinds import Field, FieldValue, Kind
from deckwright.game.setup import Setup
from deckwright.xmlio.node import Document, Source

CardKey = tuple[str, str]
"""A card: the ids of its faction and of itself. Tokens may have "" for the faction."""

FaceKey = tuple[str, str, int]
"""A face of a card: the same, and which of its faces it is, from 1."""


class Faction(NamedTuple):
    """A faction of a race.

    Attributes:
        color: `#rrggbb`, the game's tint of the named color.
        groups: the ids of the groups of `game.xml` that it is in.
        cards_of: the id of the faction whose cards it has, None if it has cards of its own.
        format: the id of the format of its decks that name none, None for the game's usual one.
    """

    id: str
    race: str
    name: str
    color: str
    description: str
    groups: frozenset[str]
    cards_of: str | None
    format: str | None
    source: Source


class Child(NamedTuple):
    """One repeated child element, for example one row of a card: its values by field name."""

    values: Mapping[str, FieldValue]
    source: Source

    @property
    def value(self) -> FieldValue:
        """Its first value, which for most is the only one."""
        return next(iter(self.values.values()))


class Card(NamedTuple):
    """A card or token as designed; how often it is printed is the deck's matter.

    Attributes:
        id: its id; a token has its rule's id and its number there, "ca001/1".
        fields: the values by field name.
        children: the values of repeated children by tag.
        fallbacks: the pictures that it has where it has none of its own, by field name, where the
            field says more than one for all.
    """

    kind: Kind
    id: str
    name: str
    faction_id: str
    fields: Mapping[str, FieldValue]
    children: Mapping[str, tuple[Child, ...]]
    source: Source
    fallbacks: Mapping[str, FieldValue] = MappingProxyType({})

    @property
    def parts(self) -> int:
        """How many faces a copy of it has, at least 1."""
        number = self.fields.get(self.kind.parts) if self.kind.parts else 1
        return max(1, number) if isinstance(number, int) else 1

    @property
    def subject(self) -> str:
        """What findings call it: "card `HK4`"."""
        return f"token `{self.name}`" if self.kind.token else f"card `{self.id}`"

    def moved(self, document: Document, further: int) -> Card:
        """Return the same card where it stands in a later state of its file.

        Args:
            further: so many elements further on.
        """
        children = {
            tag: tuple(
                Child(values, Source(document, source.ordinal + further))
                for values, source in listed
            )
            for tag, listed in self.children.items()
        }
        source = Source(document, self.source.ordinal + further)
        return self._replace(children=children, source=source)

    def is_called(self, name: str) -> bool:
        """Return whether it has this id or name, or, before a colon, its faction's as well."""
        own = name.removeprefix(f"{self.faction_id}:")
        return bool({name, own} & {self.id, self.name})

    def fallback(self, field: Field) -> FieldValue:
        """Return what a field holds for cards that do not say it."""
        return self.fallbacks.get(field.name, field.default)

    def rule_ids(self) -> tuple[str, ...]:
        """Return the ids of its rules, in order."""
        return tuple(
            str(child.value)
            for children in self.kind.children
            if children.holds_rules
            for child in self.children.get(children.tag, ())
        )


class Rule(NamedTuple):
    """A special rule.

    Attributes:
        cost: action cost of an active rule, None for a passive one.
        brief: a shorter text that says the same, None if it has only one text.
        labels: its name for each race, and under `GEN` the name for all other races.
        tokens: the tokens that it creates.
        refills: how much of its card's budget it brings back from one turn to the next.
        adds: how much budget each use of it gives to another card.
    """

    id: str
    type: Literal["active", "passive"]
    cost: int | None
    effect: str
    labels: Mapping[str, str]
    tokens: tuple[Card, ...]
    source: Source
    label_sources: Mapping[str, Source]
    refills: int = 0
    adds: int = 0
    brief: str | None = None

    @property
    def active(self) -> bool:
        """Whether players pay for it and use it."""
        return self.type == "active"

    def label(self, race: str) -> str | None:
        """Return its name for cards of `race`, None if such cards may not have it."""
        return self.labels.get(race, self.labels.get(GENERAL_LABEL))

    def any_label(self, race: str) -> str:
        """Return its name for `race`, or the first name that it has for anyone.

        A check refuses cards and tokens whose race has no name; drafts show them all the same.
        """
        return self.label(race) or next(iter(self.labels.values()), self.id)


GENERAL_LABEL = "GEN"
"""The label for every race without a name of its own."""


PrintedValues = tuple[tuple[str, str], ...]
"""What is printed on one deck, or on one of its cards, and on no other: values by their names."""


class DeckEntry(NamedTuple):
    """One line of a deck list: how many copies of which card.

    Attributes:
        zone: the id of the zone that they are put in, None for the first that admits the card.
        note: what its makers want to remember of it, "" for nothing.
        printed: what is printed on its copies besides.
    """

    faction_id: str
    card_id: str
    copies: int
    source: Source
    zone: str | None = None
    note: str = ""
    printed: PrintedValues = ()


class Deck(NamedTuple):
    """A deck list.

    Attributes:
        stem: the name of its file without the ending.
        name: the name that it gives itself.
        format: the id of the format that it asks for, None for the game's usual one.
        printed: what is printed on its pages and cards besides.
    """

    stem: str
    name: str
    faction_id: str
    format: str | None
    entries: tuple[DeckEntry, ...]
    source: Source
    whole: bool = True
    """Whether all its lines are here; those with mistakes are left out."""
    printed: PrintedValues = ()


class RestrictionEntry(NamedTuple):
    """A line of a list of restrictions: a card, and the word by which it is restricted."""

    faction_id: str
    card_id: str
    word: str
    source: Source


class RestrictionList(NamedTuple):
    """A list of cards that are banned or restricted from a day on, until the next such list.

    Attributes:
        since: the day, as "2026-03-01".
        formats: the ids of the formats that it is for; all if empty.
    """

    name: str
    since: str
    formats: tuple[str, ...]
    entries: tuple[RestrictionEntry, ...]
    source: Source


class Omissions(NamedTuple):
    """What is written down, but has mistakes, so that it was left out.

    Attributes:
        ids: the ids of what was left out.
        unknown: whether there is more, whose ids cannot be told.
    """

    ids: frozenset[str] = frozenset()
    unknown: bool = False

    def __bool__(self) -> bool:
        """Whether anything was left out."""
        return self.unknown or bool(self.ids)

    def may_contain(self, name: str) -> bool:
        """Return whether something of this id may have been left out."""
        return self.unknown or name in self.ids


class GameOmissions(NamedTuple):
    """What was left out of a game for its mistakes; cards by faction."""

    factions: Omissions = Omissions()
    rules: Omissions = Omissions()
    cards: Mapping[str, Omissions] = MappingProxyType({})


class PrintableCard(NamedTuple):
    """A card or token, and who prints it.

    Attributes:
        faction_id: the faction that prints it: that of a card, or the first one that has a card
            with the rule of a token; "" if none has.
        rule_id: the rule that creates it, "" for cards.
    """

    card: Card
    faction_id: str
    rule_id: str = ""


class Game(NamedTuple):
    """A game, or as much of it as was read."""

    folder: Path
    setup: Setup
    factions: Mapping[str, Faction]
    rules: Mapping[str, Rule]
    cards: Mapping[CardKey, Card]
    omissions: GameOmissions = GameOmissions()
    """What is not here because of mistakes, so that nobody is told that it does not exist."""
    stubs: Mapping[CardKey, Card] = MappingProxyType({})
    """The cards that were left out, as far as they can be told: without fields and children."""
    restrictions: tuple[RestrictionList, ...] = ()
    """The lists of restricted cards, the oldest first."""

    def restrictions_for(self, format_id: str | None, date: str | None) -> RestrictionList | None:
        """Return the list of restrictions that is in force in a format, None if none is.

        Args:
            date: the day, as "2026-03-01"; None for the newest list, whenever that begins.
        """
        for listed in reversed(self.restrictions):
            late = date is not None and listed.since > date
            if not late and (not listed.formats or format_id in listed.formats):
                return listed
        return None

    def card_of(self, entry: DeckEntry) -> Card | None:
        """Return the card of a line of a deck list, None if there is none."""
        return self.cards.get((entry.faction_id, entry.card_id))

    def may_have_faction(self, faction_id: str) -> bool:
        """Return whether a faction is here, or was, or may have been, left out for its mistakes."""
        return faction_id in self.factions or self.omissions.factions.may_contain(faction_id)

    def may_have(self, faction_id: str, card_id: str) -> bool:
        """Return whether a card was, or may have been, left out for its mistakes."""
        gap = self.omissions.cards.get(faction_id)
        return gap is not None and gap.may_contain(card_id)

    def can_show(self, card: Card, faction_id: str) -> bool:
        """Return whether a card was read, and the faction that shows it."""
        return (
            faction_id in self.factions and self.stubs.get((card.faction_id, card.id)) is not card
        )

    def tokens(self) -> list[Card]:
        """Return the tokens of all rules."""
        return [token for rule in self.rules.values() for token in rule.tokens]

    def printed(self, without: Collection[str] = ()) -> Iterator[PrintableCard]:
        """Yield all cards, stubs of cards and tokens, with who prints them.

        Args:
            without: the factions whose cards are left out.
        """
        printers: dict[str, str] = {}
        for card in (*self.cards.values(), *self.stubs.values()):
            if card.faction_id not in without:
                yield PrintableCard(card, card.faction_id)
                for rule_id in card.rule_ids():
                    printers.setdefault(rule_id, card.faction_id)
        for rule in self.rules.values():
            for token in rule.tokens:
                yield PrintableCard(token, printers.get(rule.id, ""), rule.id)
