"""Outlines of entities: the editable values and children of cards, rules, factions and texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, NamedTuple

from deckwright.base.findings import ChoiceError
from deckwright.base.parsing import Bounds, parse_fields
from deckwright.game.kinds import Field, format_value
from deckwright.game.model import (
    GENERAL_LABEL,
    MAX_LABELS,
    Card,
    Faction,
    Game,
    PrintableCard,
    Rule,
)
from deckwright.game.setup import game_shape
from deckwright.game.shapes import (
    MAX_CHILDREN,
    collect_known_ids,
    factions_shape,
    kind_shape,
    rules_shape,
)
from deckwright.game.words import WORDS
from deckwright.studio.answers import Json, LocalizedError
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import NAME, TEXT, Attribute, Shape, get_text, one_of


class Entry(NamedTuple):
    """A value of an entity.

    Attributes:
        name: its key in the page: the attribute's name, if the entity is a single element.
        type: its type in the page.
        attribute: the XML attribute, with its allowed values.
        node: the element with the attribute; None for children, which have elements of their own.
        field: its definition in `game.xml`, for cards.
        fixed_value: the value to show if it is read-only, else None.
        in_child: whether the value is the text of a child element named like the attribute.
        rich: whether it may contain markup such as bold and icons.
        lock: why it is read-only in a table: "column" if it has none, or the lock of its `Cell`.
    """

    name: str
    label: str
    type: str
    attribute: Attribute
    node: Node | None = None
    field: Field | None = None
    fixed_value: str | None = None
    in_child: bool = False
    rich: bool = False
    lock: str = ""

    def value(self, node: Node | None = None) -> str | None:
        """Return the value as written in the file, None if it is not given.

        Args:
            node: for an entry of children, the child.
        """
        node = node or self.node
        if self.fixed_value is not None or node is None:
            return self.fixed_value
        name = self.attribute.name
        if self.in_child:
            texts = (" ".join(inside.text.split()) for inside in node.children_named(name))
            return next(texts, None)
        return get_text(node, name) if self.attribute.element else node.get(name)

    def clean(self, text: str | None, before: str | None) -> str | None:
        """Return the value to write, None for no value; keep `before` if only spaces differ."""
        if text is None:
            return None
        plain = self.normalize(text)
        if before is not None and plain == self.normalize(before):
            return before
        may_be_empty = self.type in _TEXT_TYPES and self.attribute.required
        return plain if plain or may_be_empty else None

    def normalize(self, text: str) -> str:
        """Return a value with runs of spaces collapsed."""
        lines = (" ".join(line.split()) for line in text.splitlines())
        return ("\n" if self.rich else " ").join(filter(None, lines))


_TEXT_TYPES = ("text", "name")


class ChildOutline(NamedTuple):
    """An entity's children of one tag.

    Attributes:
        minimum, maximum: the bounds of their number.
        order: the order of their attributes.
        earlier: the tags of the children that precede them.
    """

    tag: str
    plural: str
    label: str
    single: bool
    minimum: int
    maximum: int
    entries: tuple[Entry, ...]
    nodes: tuple[Node, ...]
    order: tuple[str, ...]
    earlier: tuple[str, ...] = ()


class EntityOutline(NamedTuple):
    """An entity as written in its file.

    Attributes:
        title: its name.
        kind_name: the name of its kind in the game's words, if it has one.
        node: its element.
        nodes: the elements whose text makes up its fingerprint.
        order: the order of its attributes.
    """

    title: str
    kind_name: str
    node: Node
    entries: tuple[Entry, ...]
    children: tuple[ChildOutline, ...] = ()
    order: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()


def read_only_entry(name: str, label: str, value: str, field: Field | None = None) -> Entry:
    """Return the entry of a read-only value."""
    kind = field.type if field else "text"
    return Entry(name, label, kind, Attribute(name, TEXT), field=field, fixed_value=value)


def id_entry(shape: Shape, node: Node, known: str, *, new: bool) -> Entry:
    """Return the entry of an entity's id, which can only be chosen for new entities."""
    if not new:
        return read_only_entry("id", "", known)
    return Entry("id", "", "id", shape.attribute("id") or Attribute("id", required=True), node)


ENTITY_TYPES = ("card", "rule", "faction", "texts")
MAX_ID_LENGTH = 200
_Name = Annotated[str, Bounds(0, MAX_ID_LENGTH)]


class EntityRef(NamedTuple):
    """A reference to an entity to edit, as requests give it.

    Attributes:
        of: one of `ENTITY_TYPES`; tokens are cards.
        id: its id, which may be "" for a new entity.
        faction: for a card, the faction that prints it; "" for tokens that no card needs.
        new: whether it is not in any file yet.
        kind: for a new card, the tag of its kind.
        like: for a copy, the id of the original, else "".
        rule: for a new token, the id of the rule that creates it.
    """

    of: _Name
    id: _Name = ""
    faction: _Name = ""
    new: bool = False
    kind: _Name = ""
    like: _Name = ""
    rule: _Name = ""

    def serialize(self) -> Json:
        """Return it as plain data."""
        return {name: value for name, value in self._asdict().items() if value}

    def as_saved(self) -> EntityRef:
        """Return the reference to it once it is saved."""
        return EntityRef(self.of, self.id, self.faction)


def parse_entity(body: Mapping[str, object]) -> EntityRef:
    """Parse the reference to an entity in a request.

    Raises:
        ChoiceError: if it is malformed.
    """
    entity = parse_fields(EntityRef, {**body})
    if entity.of not in ENTITY_TYPES:
        hint = f"name one of {', '.join(ENTITY_TYPES)}"
        raise ChoiceError(f"there is no form of `{entity.of}`", hint)
    return entity


def missing_error(what: str) -> ChoiceError:
    """Return the error for an entity that does not exist."""
    message, hint = f"there is no {what}", "it may have been removed: look at the wall again"
    return LocalizedError("failed-missing", message=message, hint=hint)


def find_printed(game: Game, faction: str, card_id: str) -> PrintableCard:
    """Return a card or token as printed by a faction.

    Raises:
        ChoiceError: if there is none.
    """
    card = game.cards.get((faction, card_id)) or game.stubs.get((faction, card_id))
    if card is not None:
        return PrintableCard(card, faction)
    for each in game.printable_cards():
        if each.faction_id == faction and each.card.id == card_id:
            return each
    raise missing_error(f"card `{card_id}` of `{faction}`")


def find_users(game: Game, rule_id: str) -> list[PrintableCard]:
    """Return the cards and tokens that have a rule."""
    return [
        each
        for each in game.printable_cards()
        if each.faction_id and rule_id in each.card.rule_ids()
    ]


def cards_of_faction(game: Game, faction: str) -> list[PrintableCard]:
    """Return the cards that a faction prints."""
    return [each for each in game.printable_cards() if each.faction_id == faction]


def is_id_taken(game: Game, entity: EntityRef, wanted_id: str) -> bool:
    """Return whether the id wanted for a new entity is in use, as far as files can be read."""
    if entity.of == "rule":
        return wanted_id in game.rules or wanted_id in game.omissions.rules.ids
    if entity.of == "faction":
        return wanted_id in game.factions or wanted_id in game.omissions.factions.ids
    key, gap = (entity.faction, wanted_id), game.omissions.cards.get(entity.faction)
    left_out = gap is not None and wanted_id in gap.ids
    return key in game.cards or key in game.stubs or left_out


_ENTRY_TYPES = ("integer", "decimal", "term", "color")
"""The kinds of values in the schema that are types of entries; all others are texts."""
_RICH_ATTRIBUTES = ("effect", "effekt", "brief")


def outline_rule(
    rule_id: str, rule: Rule | None, node: Node, game: Game, *, new: bool = False
) -> EntityOutline:
    """Return the outline of a rule.

    Args:
        rule: the rule of the game, None if it is new or could not be read.
        new: whether its id can be chosen.
    """
    shape = _child_shape(rules_shape(game.setup), "rule")
    other = "effekt" if node.get("effekt") or any(node.children_named("effekt")) else "effect"
    left_out = {"id", "effect" if other == "effekt" else "effekt"}
    entries = [id_entry(shape, node, rule_id, new=new), *_shape_entries(shape, node, left_out)]
    races = dict.fromkeys([GENERAL_LABEL, *(faction.race for faction in game.factions.values())])
    labels = tuple(node.children_named("label"))
    for given in labels:
        races |= dict.fromkeys(given.attributes)
    names = tuple(Entry(race, race, "name", Attribute(race, NAME)) for race in races)
    title = " / ".join(dict.fromkeys(rule.labels.values())) if rule else "" if new else rule_id
    label = ChildOutline(
        tag="label",
        plural="labels",
        label="",
        single=False,
        minimum=1,
        maximum=MAX_LABELS,
        entries=names,
        nodes=labels,
        order=tuple(races),
    )
    order = tuple(attribute.name for attribute in shape.attributes)
    return EntityOutline(title, "", node, tuple(entries), (label,), order, (node,))


def outline_faction(
    faction: Faction | None, node: Node, game: Game, *, new: bool = False
) -> EntityOutline:
    """Return the outline of a faction.

    Args:
        faction: the faction of the game, None if it is new or could not be read.
        new: whether its id can be chosen.
    """
    shape = _child_shape(factions_shape(game.setup), "faction")
    faction_id = node.get("id") or ""
    others = tuple(
        (each.id, each.name)
        for each in game.factions.values()
        if each.id != faction_id and not each.cards_of
    )
    entries = [id_entry(shape, node, faction_id, new=new)]
    for entry in _shape_entries(shape, node, {"id"}):
        if entry.name == "cards":
            named = entry.attribute._replace(value=one_of(*others))
            entries.append(entry._replace(attribute=named, type="term"))
        else:
            entries.append(entry)
    description = Attribute("description", TEXT)
    entries.append(Entry("description", "", "text", description, node, in_child=True))
    title = faction.name if faction else "" if new else faction_id
    order = tuple(attribute.name for attribute in shape.attributes)
    return EntityOutline(title, "", node, tuple(entries), (), order, (node,))


def _child_shape(shape: Shape, tag: str) -> Shape:
    occurs = shape.child(tag)
    assert occurs is not None
    return occurs.shape


def _shape_entries(shape: Shape, node: Node, left_out: set[str]) -> Iterator[Entry]:
    for attribute in shape.attributes:
        if attribute.name in left_out:
            continue
        name, kind = attribute.name, attribute.value.kind
        type_, rich = kind if kind in _ENTRY_TYPES else "text", name in _RICH_ATTRIBUTES
        yield Entry(name, attribute.meaning, type_, attribute, node, rich=rich)


_GAME_SECTION = "game"
_WORDS_SECTION = "words"
_NAMES_SECTION = "names"
_VOCABULARY_PREFIX = "vocabulary:"
_NAMED_TAGS = ("kind", "zone", "limit", "format", "symbol", "marker", "group")
"""The tags of elements in `game.xml` that have a printed name."""
_PROSE = re.compile(r"[^\W\d_]{3,}\s|\s[^\W\d_]{3,}")
"""A text of several words, unlike the numbers, colors and icon names that terms also have."""


def list_sections(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the editable sections of `game.xml` with their titles."""
    yield _GAME_SECTION, game.setup.name
    if game.setup.words != WORDS:  # without words of its own, the form would be empty
        yield _WORDS_SECTION, ""
    yield _NAMES_SECTION, ""
    for vocabulary in game.setup.vocabularies.values():
        yield f"{_VOCABULARY_PREFIX}{vocabulary.id}", vocabulary.name or vocabulary.id


def outline_texts(section: str, root: Node, game: Game) -> EntityOutline:
    """Return the outline of a section of `game.xml`: its names and words.

    Raises:
        ChoiceError: if there is no such section.
    """
    titles = dict(list_sections(game))
    if section not in titles:
        raise ChoiceError(f"there is no part `{section}` of game.xml")
    entries = tuple(_section_entries(section, root))
    nodes = {id(entry.node): entry.node for entry in entries if entry.node is not None}
    return EntityOutline(titles[section], "", root, entries, nodes=tuple(nodes.values()))


def _section_entries(section: str, root: Node) -> Iterator[Entry]:
    if section == _GAME_SECTION:
        shape = game_shape()
        for name in ("name", "author", "version", "date", "watermark"):
            attribute = _require_attribute(shape, name)
            kind = "name" if attribute.value == NAME else "text"
            yield Entry(name, attribute.meaning, kind, attribute, root)
    elif section == _WORDS_SECTION:
        for words in root.children_named("words"):
            for word in words.children_named("word"):
                word_id = word.get("id") or ""
                yield Entry(word_id, word_id, "name", Attribute("text", NAME, required=True), word)
    elif section == _NAMES_SECTION:
        for node in root.walk():
            if node.tag in _NAMED_TAGS and node.get("name") is not None:
                own = node.get("id") or node.get("tag") or ""
                attribute = Attribute("name", NAME, required=True)
                yield Entry(f"{node.tag}:{own}", f"{node.tag} {own}", "name", attribute, node)
            for field in node.children_named("field") if node.tag == "kind" else ():
                own = f"{node.get('tag')}.{field.get('name')}"
                yield Entry(f"field:{own}", f"field {own}", "text", Attribute("text", TEXT), field)
    else:
        wanted = section.removeprefix(_VOCABULARY_PREFIX)
        for vocabulary in root.children_named("vocabulary"):
            if vocabulary.get("id") != wanted:
                continue
            yield Entry("name", "", "text", Attribute("name", TEXT), vocabulary)
            terms = [*vocabulary.children_named("term")]
            shown = {
                n for term in terms for n, text in term.attributes.items() if _PROSE.search(text)
            }
            shown = shown - {"id"} | {"name"}
            for term in terms:
                own = term.get("id") or ""
                for name in (n for n in term.attributes if n in shown):
                    needed = name == "name"
                    label, kind = (own, "name") if needed else (f"{own} {name}", "text")
                    attribute = Attribute(name, NAME if needed else TEXT, required=needed)
                    yield Entry(f"{own}:{name}", label, kind, attribute, term)


def _require_attribute(shape: Shape, name: str) -> Attribute:
    attribute = shape.attribute(name)
    assert attribute is not None
    return attribute


def outline_card(card: Card, node: Node, game: Game, *, new: bool = False) -> EntityOutline:
    """Return the outline of a card.

    Args:
        card: the card of the game, for the values of computed fields.
        node: its element.
        new: whether its id can be chosen.
    """
    kind = card.kind
    shape = kind_shape(game.setup, kind, collect_known_ids(game))
    entries = [Entry("name", "", "name", _require_attribute(shape, "name"), node)]
    if not new or not kind.token:
        entries.insert(0, id_entry(shape, node, card.id, new=new))
    for field in kind.fields:
        if field.value is not None:
            value = format_value(field, card.fields.get(field.name))
            entries.append(read_only_entry(field.name, field.text, value, field))
    entries += _field_entries(shape, kind.fields, node)
    order = {field.name: place for place, field in enumerate(kind.fields)}
    entries.sort(key=lambda entry: order.get(entry.name, -1))
    earlier: list[str] = []
    children: list[ChildOutline] = []
    for spec in kind.children:
        child_shape, first = _child_shape(shape, spec.tag), spec.fields[0]
        # The label is that of the first field, or of its vocabulary.
        vocabulary = (
            game.setup.vocabularies.get(first.item_field.vocabulary or "") if spec.single else None
        )
        children.append(
            ChildOutline(
                tag=spec.tag,
                plural=spec.plural,
                label=first.text or (vocabulary.name if vocabulary else ""),
                single=spec.single,
                minimum=spec.minimum,
                maximum=MAX_CHILDREN if spec.maximum is None else spec.maximum,
                entries=tuple(_field_entries(child_shape, spec.fields, None)),
                nodes=tuple(node.children_named(spec.tag)),
                order=tuple(attribute.name for attribute in child_shape.attributes),
                earlier=tuple(earlier),
            )
        )
        earlier.append(spec.tag)
    return EntityOutline(
        title=card.name,
        kind_name=kind.name,
        node=node,
        entries=tuple(entries),
        children=tuple(children),
        order=tuple(attribute.name for attribute in shape.attributes),
        nodes=(node,),
    )


def _field_entries(shape: Shape, fields: Iterable[Field], node: Node | None) -> Iterator[Entry]:
    for field in fields:
        attribute = shape.attribute(field.name)
        if field.value is None and not field.ignored and attribute is not None:
            rich = field.type == "text" and not field.picture
            yield Entry(field.name, field.text, field.type, attribute, node, field, rich=rich)
