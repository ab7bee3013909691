"""The entities of a game: immutable tuples that know their place in the source files."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, Self

from deckwright.base.findings import known_hint
from deckwright.game.kinds import (
    FORM_FOR_FEW,
    FORM_FOR_ONE,
    OWN_ID,
    Field,
    FieldType,
    FieldValue,
    Kind,
    normalize_paragraphs,
)
from deckwright.game.setup import Setup
from deckwright.xmlio.binding import (
    SOURCE,
    TEXT_CONTENT,
    Holder,
    attr,
    bound,
    elements,
    rest,
    source_of,
)
from deckwright.xmlio.node import Document, Source
from deckwright.xmlio.shape import COLOR, DAY, ID, NAME, one_of

CardKey = tuple[str, str]
"""The key of a card: faction id and card id. Tokens may have "" for the faction."""

FaceKey = tuple[str, str, int]
"""The key of a face: that of the card, and the number of the face, from 1."""


@bound
class _Description(NamedTuple):
    """A description of it."""

    text: str = TEXT_CONTENT


@bound
class Faction(NamedTuple):
    """A faction.

    Attributes:
        color: as `#rrggbb`.
        groups: the ids of its groups in `game.xml`.
        format: None for the format of the game.
    """

    id: str = OWN_ID
    race: str = attr("the race that it belongs to", NAME, "race_name")
    name: str = attr("its name in print", NAME, "faction_name")
    color: str = attr("the color of its cards", COLOR)
    source: Source = SOURCE
    cards_of: str | None = attr("the faction whose cards it uses, in its own color", ID, "cards")
    format: str | None = attr("the format of its decks, unless they name one", ID)
    description: str = elements(
        "description",
        0,
        1,
        of=_Description,
        convert=lambda found: found[0].text if found else "",
        default="",
    )
    groups: frozenset[str] = frozenset()
    one: str = FORM_FOR_ONE
    few: str = FORM_FOR_FEW


class Child(NamedTuple):
    """A child element of a card, for example a row: its values by field name."""

    values: Mapping[str, FieldValue]
    source: Source

    @property
    def value(self) -> FieldValue:
        """Its first value, which is often the only one."""
        return next(iter(self.values.values()))


class Card(NamedTuple):
    """A card or token as designed, independent of decks.

    Attributes:
        id: its id; that of a token is made of its rule's id and its number there, "ca001/1".
        fields: the values by field name.
        children: the child elements by tag.
        fallbacks: the pictures used if it has none of its own, by field name, where they depend on
            the card.
        faulty_values: the values of a stub that are not allowed, as they stand; `fields` has None.
    """

    kind: Kind
    id: str
    name: str
    faction_id: str
    fields: Mapping[str, FieldValue]
    children: Mapping[str, tuple[Child, ...]]
    source: Source
    fallbacks: Mapping[str, FieldValue] = MappingProxyType({})
    faulty_values: Mapping[str, str] = MappingProxyType({})

    @property
    def parts(self) -> int:
        """The number of faces of a copy, at least 1."""
        number = self.fields.get(self.kind.parts) if self.kind.parts else 1
        return max(1, number) if isinstance(number, int) else 1

    @property
    def subject(self) -> str:
        """Its name in findings: "card `HK4`"."""
        return f"token `{self.name}`" if self.kind.token else f"card `{self.id}`"

    def relocate(self, document: Document, shift: int) -> Self:
        """Return it at its place in a later version of its file, `shift` elements further on."""
        children = {
            tag: tuple(
                Child(values, Source(document, source.ordinal + shift)) for values, source in listed
            )
            for tag, listed in self.children.items()
        }
        source = Source(document, self.source.ordinal + shift)
        return self._replace(children=children, source=source)

    def is_called(self, name: str) -> bool:
        """Return whether `name` is its id or name, optionally prefixed by its faction, "HK:HK4"."""
        own = name.removeprefix(f"{self.faction_id}:")
        return bool({name, own} & {self.id, self.name})

    def fallback(self, field: Field) -> FieldValue:
        """Return the value of a field for cards that do not give it."""
        return self.fallbacks.get(field.name, field.default)

    def iter_values(self, of: FieldType) -> Iterator[tuple[Field, FieldValue, Source]]:
        """Yield its values of a type and lists of these, also of its children, with the element."""
        for field in self.kind.fields:
            if (field.item or field).type == of and not field.ignored:
                yield field, self.fields[field.name], self.source
        for spec in self.kind.children:
            fields = [field for field in spec.fields if (field.item or field).type == of]
            for child in self.children[spec.tag] if fields else ():
                for field in fields:
                    yield field, child.values[field.name], child.source

    def iter_rules(self) -> Iterator[tuple[str, Source, str]]:
        """Yield the ids of its rules in order, each with its element and attribute."""
        for spec in self.kind.children:
            if spec.holds_rules:
                name = spec.fields[0].name
                for child in self.children.get(spec.tag, ()):
                    yield str(child.value), child.source, name

    def rule_ids(self) -> tuple[str, ...]:
        """Return the ids of its rules, in order."""
        return tuple(rule_id for rule_id, _, _ in self.iter_rules())


MAX_LABELS = 50
"""The `label` elements of a rule, each of which may name it for many races."""


@bound
class _Label(NamedTuple):
    """The rule's name for each race; GEN is for all other races."""

    texts: Mapping[str, str] = rest(NAME)
    source: Source = SOURCE


@bound
class Rule(NamedTuple):
    """A special rule.

    Attributes:
        cost: the action cost of an active rule, None for a passive one.
        brief: a shorter version of its text, None for none.
        refills: the amount by which it refills its card's budget each turn.
        adds: the amount that each use adds to another card's budget.
        label_elements: its names, each for many races.
        labels: its name for each race, with `GEN` for all other races.
        tokens: the tokens that it creates.
    """

    id: str = OWN_ID
    type: Literal["active", "passive"] = attr(
        "whether players use it or it always applies",
        one_of(("active", "players pay for it"), "passive"),
    )
    cost: int | None = attr("what it costs to use; only for active rules")
    effect: str = attr(
        "the rule's text",
        NAME,
        default="",
        required=True,
        convert=normalize_paragraphs,
        alias="effekt",
        element=True,
    )
    brief: str | None = attr(
        "a shorter text that says the same, for cards where `effect` has no room",
        NAME,
        convert=normalize_paragraphs,
        element=True,
    )
    refills: int = attr(
        "how much of its card's budget it refills each turn, for counting tokens", default=0
    )
    adds: int = attr(
        "how much each use adds to another card's budget, for counting tokens", default=0
    )
    label_elements: tuple[_Label, ...] = elements("label", 1, MAX_LABELS)
    source: Source = SOURCE
    tokens: tuple[Card, ...] = ()
    labels: Mapping[str, str] = MappingProxyType({})
    label_sources: Mapping[str, Source] = MappingProxyType({})

    def complete(self) -> Self:
        """Return the rule with the names and places of its labels."""
        pairs = [(race, label) for label in self.label_elements for race in label.texts]
        return self._replace(
            labels={race: label.texts[race] for race, label in pairs},
            label_sources={race: label.source for race, label in pairs},
        )

    @property
    def active(self) -> bool:
        """True if players pay to use it."""
        return self.type == "active"

    def label(self, race: str) -> str | None:
        """Return its name for a race, None if cards of that race may not have it."""
        return self.labels.get(race, self.labels.get(GENERAL_LABEL))

    def any_label(self, race: str) -> str:
        """Return its name for a race, or any name if it has none.

        A check rejects cards and tokens of races without a name; drafts still show them.
        """
        return self.label(race) or next(iter(self.labels.values()), self.id)


GENERAL_LABEL = "GEN"
"""The label for all races without a name of their own."""


PrintedValues = tuple[tuple[str, str], ...]
"""Values printed on a single deck or card, by name."""


@bound
class DeckEntry(NamedTuple):
    """Copies of one card.

    Attributes:
        printed: values printed on its copies only.
    """

    faction_id: str = attr("the card's faction", ID, "faction_id")
    card_id: str = attr("the card's id", ID, "id")
    copies: int = attr("how many copies", name="amount")
    source: Source = SOURCE
    zone: str | None = attr(
        "the zone that they are put in (default: the first that takes the card)", ID
    )
    note: str = attr("a note that is not printed", default="")
    printed: PrintedValues = ()


class Deck(NamedTuple):
    """A deck list.

    Attributes:
        stem: the stem of its file's name.
        name: its name in print.
        format: the id of its format, None for the default.
        printed: values printed on its pages and cards only.
    """

    stem: str
    name: str
    faction_id: str
    format: str | None
    entries: tuple[DeckEntry, ...]
    source: Source
    is_complete: bool = True
    """False if faulty lines were omitted."""
    printed: PrintedValues = ()


@bound
class RestrictionEntry(NamedTuple):
    """A card that is restricted."""

    faction_id: str = attr("the card's faction", ID, "faction_id")
    card_id: str = attr("the card's id", ID, "id")
    word: str = attr("the word that limits use for it, such as `banned`", ID, "is")
    source: Source = SOURCE


_META = Holder("meta", "the list's name, and when and where it applies", required=True)


@bound
class RestrictionList(NamedTuple):
    """A list of cards that are banned or restricted from a date on, until the next list.

    Attributes:
        formats: all if empty.
    """

    name: str = attr("its name in messages and print", NAME, holder=_META)
    since: str = attr(
        "the first day on which it applies, until the next list", DAY, "from", holder=_META
    )
    formats: tuple[str, ...] = attr(
        "the ids of the formats that it applies to, separated by commas",
        NAME,
        default=(),
        holder=_META,
    )
    entries: tuple[RestrictionEntry, ...] = elements("card", prunable=True)
    source: Source = source_of(_META)


class Omissions(NamedTuple):
    """Entities omitted because of errors: their ids, and whether there are more, without any."""

    ids: frozenset[str] = frozenset()
    unknown: bool = False

    def __bool__(self) -> bool:
        """Return whether anything was omitted."""
        return self.unknown or bool(self.ids)

    def may_contain(self, name: str) -> bool:
        """Return whether an entity with this id may have been omitted."""
        return self.unknown or name in self.ids


class GameOmissions(NamedTuple):
    """Everything omitted from a game because of errors; cards by faction."""

    factions: Omissions = Omissions()
    rules: Omissions = Omissions()
    cards: Mapping[str, Omissions] = MappingProxyType({})


class PrintableCard(NamedTuple):
    """A card or token with the faction that prints it.

    Attributes:
        faction_id: the faction of a card; for a token, the first faction with a card that has its
            rule, "" if there is none.
        rule_id: the rule that creates it, "" for cards.
    """

    card: Card
    faction_id: str
    rule_id: str = ""


class Game(NamedTuple):
    """A game, as far as it was read.

    `cards` also has the cards that factions share (`cards_of`), once for each of these factions.
    """

    folder: Path
    setup: Setup
    factions: Mapping[str, Faction]
    rules: Mapping[str, Rule]
    cards: Mapping[CardKey, Card]
    omissions: GameOmissions = GameOmissions()
    """Entities omitted because of errors, so that they are not reported as missing."""
    stubs: Mapping[CardKey, Card] = MappingProxyType({})
    """The omitted cards, as far as they can be read."""
    restrictions: tuple[RestrictionList, ...] = ()
    """The restriction lists, oldest first."""

    def restrictions_for(self, format_id: str | None, date: str | None) -> RestrictionList | None:
        """Return the restriction list in force for a format, None if there is none.

        Args:
            date: the date, as "2026-03-01"; None for the newest list, even a future one.
        """
        for listed in reversed(self.restrictions):
            late = date is not None and listed.since > date
            if not late and (not listed.formats or format_id in listed.formats):
                return listed
        return None

    def card_of(self, entry: DeckEntry) -> Card | None:
        """Return the card of an entry of a deck list, None if it does not exist."""
        return self.cards.get((entry.faction_id, entry.card_id))

    def may_have_faction(self, faction_id: str) -> bool:
        """Return whether a faction exists, or may have been omitted because of errors."""
        return faction_id in self.factions or self.omissions.factions.may_contain(faction_id)

    def may_have(self, faction_id: str, card_id: str) -> bool:
        """Return whether a card may have been omitted because of errors."""
        gap = self.omissions.cards.get(faction_id)
        return gap is not None and gap.may_contain(card_id)

    def is_stub(self, card: Card) -> bool:
        """Return whether a card was omitted because of errors."""
        return self.stubs.get((card.faction_id, card.id)) is card

    def can_show(self, card: Card, faction_id: str) -> bool:
        """Return whether a card has values and the faction exists."""
        return faction_id in self.factions and (
            not self.is_stub(card)
            or bool(card.faulty_values)
            or any(value is not None for value in card.fields.values())
        )

    def tokens(self) -> list[Card]:
        """Return the tokens of all rules."""
        return [token for rule in self.rules.values() for token in rule.tokens]

    def with_token_size(self, size: str | None) -> "Game":
        """Return the game with tokens printed at a size; see `Setup.with_token_size`."""
        setup = self.setup.with_token_size(size)
        kind = setup.token_kind
        if kind is None or kind == self.setup.token_kind:
            return self
        rules = {
            rule.id: rule._replace(tokens=tuple(t._replace(kind=kind) for t in rule.tokens))
            for rule in self.rules.values()
        }
        return self._replace(setup=setup, rules=rules)

    def printable_cards(self, without: Collection[str] = ()) -> Iterator[PrintableCard]:
        """Yield all cards, stubs and tokens with the factions that print them, except `without`."""
        printers: dict[str, str] = {}
        for card in (*self.cards.values(), *self.stubs.values()):
            if card.faction_id not in without:
                yield PrintableCard(card, card.faction_id)
                for rule_id in card.rule_ids():
                    printers.setdefault(rule_id, card.faction_id)
        for rule in self.rules.values():
            for token in rule.tokens:
                yield PrintableCard(token, printers.get(rule.id, ""), rule.id)


def suggest_card(wanted: str, cards: Iterable[Card], others: Iterable[str] = ()) -> str | None:
    """Return the hint about an unknown id, which may be a card's name; `others` are ids, too."""
    names = {card.id: card.name for card in cards}
    folded = wanted.casefold()
    for card_id, name in names.items():
        if name.casefold() == folded:
            return f'`{name}` is the name of `{card_id}`: write `id="{card_id}"`'
    return known_hint(wanted, dict.fromkeys((*names, *others)))
