"""The outlines of cards and tokens, made from their kinds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from deckwright.base.findings import ChoiceError
from deckwright.game.kinds import ChildSpec, Field, format_value
from deckwright.game.model import GENERAL_LABEL, Card, Faction, Game, PrintableCard, Rule
from deckwright.game.setup_shape import game_shape
from deckwright.game.shapes import (
    MAX_CHILDREN,
    MAX_LABELS,
    collect_known_ids,
    factions_shape,
    kind_shape,
    rules_shape,
)
from deckwright.studio.answers import LocalizedError
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import NAME, TEXT, Attribute, Shape, get_text, one_of


class Entry(NamedTuple):
    """A value of a thing.

    Attributes:
        name: what the page calls it: the attribute's name, where the thing is one element.
        type: what it holds, as the page knows types.
        attribute: what says it, and what it may be.
        node: the element that has the attribute; None for children, whose elements differ.
        field: what `game.xml` says of it, for cards.
        fixed: what is shown where it cannot be changed, None where it can.
        inside: whether the text of an element inside says it, which is called as the attribute is.
        rich: whether bold, icons and the like are understood in it.
    """

    name: str
    label: str
    type: str
    attribute: Attribute
    node: Node | None = None
    field: Field | None = None
    fixed: str | None = None
    inside: bool = False
    rich: bool = False

    def value(self, node: Node | None = None) -> str | None:
        """Return the value as the file has it, None if it is not given.

        Args:
            node: of an entry of children, the child.
        """
        node = node or self.node
        if self.fixed is not None or node is None:
            return self.fixed
        name = self.attribute.name
        if self.inside:
            return next((" ".join(inside.text.split()) for inside in node.named(name)), None)
        return get_text(node, name) if self.attribute.element else node.get(name)

    def cleaned(self, text: str | None, before: str | None) -> str | None:
        """Return a value as it is written, None for none; as before if only its spaces differ."""
        if text is None:
            return None
        plain = self.plain(text)
        if before is not None and plain == self.plain(before):
            return before
        may_be_empty = self.type in _TEXT_TYPES and self.attribute.required
        return plain if plain or may_be_empty else None

    def plain(self, text: str) -> str:
        """Return a value with single spaces."""
        lines = (" ".join(line.split()) for line in text.splitlines())
        return ("\n" if self.rich else " ").join(filter(None, lines))


_TEXT_TYPES = ("text", "name")


class ChildOutline(NamedTuple):
    """The children of one tag that a thing has.

    Attributes:
        earlier: the tags of those that stand before them.
        order: the names of their attributes as they are written.
        minimum, maximum: how many there may be.
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
    """A thing as it stands in its file.

    Attributes:
        title: what it is called.
        called: what kind of thing it is, in the game's words where it has some.
        node: its element.
        nodes: the elements whose text tells whether anybody has changed it.
        order: the names of its attributes as they are written.
    """

    title: str
    called: str
    node: Node
    entries: tuple[Entry, ...]
    children: tuple[ChildOutline, ...] = ()
    order: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()


def read_only_entry(name: str, label: str, value: str, field: Field | None = None) -> Entry:
    """Return a value that cannot be changed."""
    kind = field.type if field else "text"
    return Entry(name, label, kind, Attribute(name, TEXT), field=field, fixed=value)


def id_entry(shape: Shape, node: Node, known: str, *, new: bool) -> Entry:
    """Return the id of a thing, which can be chosen as long as that is new."""
    if not new:
        return read_only_entry("id", "", known)
    return Entry("id", "", "id", shape.attribute("id") or Attribute("id", required=True), node)


ENTITY_TYPES = ("card", "rule", "faction", "texts")
MAX_ID_LENGTH = 200


class EntityRef(NamedTuple):
    """What is edited, as the page names it.

    Attributes:
        of: one of `ENTITY_TYPES`; tokens are cards.
        id: its id; that of a new thing may be "".
        faction: of a card, the one that prints it; "" for tokens that no card needs.
        new: whether it is only begun, and stands in no file yet.
        kind: of a new card, the tag of its kind.
        like: of a new thing, the id of the one that it is a copy of, or "".
        rule: of a new token, the id of the rule that creates it.
    """

    of: str
    id: str = ""
    faction: str = ""
    new: bool = False
    kind: str = ""
    like: str = ""
    rule: str = ""

    def told(self) -> dict[str, object]:
        """Return it as the page names it."""
        return {name: value for name, value in self._asdict().items() if value}

    def saved(self) -> EntityRef:
        """Return what it is as soon as it stands in its file."""
        return EntityRef(self.of, self.id, self.faction)


def parse_entity(said: Mapping[str, object]) -> EntityRef:
    """Return the thing that a request is about.

    Raises:
        ChoiceError: if it is about none.
    """
    new = said.get("new") in (True, "true")
    given = {name: said.get(name) or "" for name in EntityRef._fields if name != "new"}
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    if len(texts) < len(given) or any(len(text) > MAX_ID_LENGTH for text in texts.values()):
        raise ChoiceError("this names nothing that can be edited")
    thing = EntityRef(**texts, new=new)
    if thing.of not in ENTITY_TYPES:
        raise ChoiceError(
            f"there is no form of `{thing.of}`", f"name one of {', '.join(ENTITY_TYPES)}"
        )
    return thing


def missing_error(what: str) -> ChoiceError:
    """Return what is raised where there is no such thing."""
    message, hint = f"there is no {what}", "look at the wall again, it may be gone"
    return LocalizedError("failed-missing", message=message, hint=hint)


def find_printed(game: Game, faction: str, card_id: str) -> PrintableCard:
    """Return a card or token as a faction prints it.

    Raises:
        ChoiceError: if there is none.
    """
    for each in game.printed():
        if each.faction_id == faction and each.card.id == card_id:
            return each
    raise missing_error(f"card `{card_id}` of `{faction}`")


def find_users(game: Game, rule_id: str) -> list[PrintableCard]:
    """Return the cards and tokens that show a rule."""
    return [each for each in game.printed() if each.faction_id and rule_id in each.card.rule_ids()]


def printing_faction(game: Game, rule_id: str) -> str:
    """Return the faction that prints the tokens of a rule, "" if none does."""
    cards = (*game.cards.values(), *game.stubs.values())
    return next((card.faction_id for card in cards if rule_id in card.rule_ids()), "")


def cards_of_faction(game: Game, faction: str) -> list[PrintableCard]:
    """Return the cards that a faction prints."""
    return [each for each in game.printed() if each.faction_id == faction]


def is_id_taken(game: Game, thing: EntityRef, wanted: str) -> bool:
    """Return whether an id that a new thing is to have is another one's, if that can be told."""
    if thing.of == "rule":
        return wanted in game.rules or wanted in game.omissions.rules.ids
    if thing.of == "faction":
        return wanted in game.factions or wanted in game.omissions.factions.ids
    key, gap = (thing.faction, wanted), game.omissions.cards.get(thing.faction)
    left_out = gap is not None and wanted in gap.ids
    return key in game.cards or key in game.stubs or left_out


_ENTRY_TYPES = {"integer": "integer", "decimal": "decimal", "term": "term", "color": "color"}
"""The types of values, by the kinds of values of shapes; all others are texts."""
_RICH_ATTRIBUTES = ("effect", "effekt", "brief")


def outline_rule(
    rule_id: str, rule: Rule | None, node: Node, game: Game, *, new: bool = False
) -> EntityOutline:
    """Return what a rule says.

    Args:
        rule: as the game has it, None if it is new or could not be read.
        new: whether its id can be chosen.
    """
    shape = _child_shape(rules_shape(game.setup), "rule")
    other = "effekt" if node.get("effekt") or any(node.named("effekt")) else "effect"
    left_out = {"id", "effect" if other == "effekt" else "effekt"}
    entries = [id_entry(shape, node, rule_id, new=new), *_shape_entries(shape, node, left_out)]
    races = dict.fromkeys([GENERAL_LABEL, *(faction.race for faction in game.factions.values())])
    labels = tuple(node.named("label"))
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
    """Return what a faction says.

    Args:
        faction: as the game has it, None if it is new or could not be read.
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
    said = Attribute("description", TEXT)
    entries.append(Entry("description", "", "text", said, node, inside=True))
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
        kind = _ENTRY_TYPES.get(attribute.value.kind, "text")
        name, meaning, rich = attribute.name, attribute.meaning, attribute.name in _RICH_ATTRIBUTES
        yield Entry(name, meaning, kind, attribute, node, rich=rich)


_GAME_SECTION = "game"
_WORDS_SECTION = "words"
_NAMES_SECTION = "names"
_VOCABULARY_PREFIX = "vocabulary:"
_NAMED_TAGS = ("kind", "zone", "limit", "format", "symbol", "marker", "group")
"""The tags of elements of `game.xml` that have a name in print."""
_PROSE = re.compile(r"[^\W\d_]{3,}\s|\s[^\W\d_]{3,}")
"""Several words; what terms have besides are numbers, colors and names of icons."""


def list_sections(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the parts of `game.xml` that can be edited, with their titles."""
    yield _GAME_SECTION, game.setup.name
    yield _WORDS_SECTION, ""
    yield _NAMES_SECTION, ""
    for vocabulary in game.setup.vocabularies.values():
        yield f"{_VOCABULARY_PREFIX}{vocabulary.id}", vocabulary.name or vocabulary.id


def outline_texts(section: str, root: Node, game: Game) -> EntityOutline:
    """Return the names and words of a part of `game.xml`.

    Raises:
        ChoiceError: if there is no such part.
    """
    titles = dict(list_sections(game))
    if section not in titles:
        raise ChoiceError(f"there is no part `{section}` of game.xml")
    entries = tuple(_section_entries(section, root))
    nodes = {id(entry.node): entry.node for entry in entries if entry.node is not None}
    return EntityOutline(titles[section], "", root, entries, nodes=tuple(nodes.values()))


def _section_entries(section: str, root: Node) -> Iterator[Entry]:
    shape = game_shape()
    if section == _GAME_SECTION:
        for name in ("name", "author", "version", "date", "watermark"):
            attribute = shape.attribute(name)
            assert attribute is not None
            yield Entry(name, attribute.meaning, _text_type(attribute), attribute, root)
    elif section == _WORDS_SECTION:
        for word in (word for words in root.named("words") for word in words.named("word")):
            said = word.get("id") or ""
            yield Entry(said, said, "name", Attribute("text", NAME, required=True), word)
    elif section == _NAMES_SECTION:
        yield from _name_entries(root)
    else:
        for vocabulary in root.named("vocabulary"):
            if vocabulary.get("id") == section.removeprefix(_VOCABULARY_PREFIX):
                yield from _term_entries(vocabulary)


def _text_type(attribute: Attribute) -> str:
    return "name" if attribute.value == NAME else "text"


def _name_entries(root: Node) -> Iterator[Entry]:
    for node in root.walk():
        if node.tag in _NAMED_TAGS and node.get("name") is not None:
            own = node.get("id") or node.get("tag") or ""
            said = Attribute("name", NAME, required=True)
            yield Entry(f"{node.tag}:{own}", f"{node.tag} {own}", "name", said, node)
        for field in node.named("field") if node.tag == "kind" else ():
            own = f"{node.get('tag')}.{field.get('name')}"
            yield Entry(f"field:{own}", f"field {own}", "text", Attribute("text", TEXT), field)


def _term_entries(vocabulary: Node) -> Iterator[Entry]:
    yield Entry("name", "", "text", Attribute("name", TEXT), vocabulary)
    terms = [*vocabulary.named("term")]
    worded = {n for term in terms for n, text in term.attributes.items() if _PROSE.search(text)}
    for term in terms:
        own = term.get("id") or ""
        for name in (n for n in term.attributes if n == "name" or n in worded - {"id"}):
            needed, label = name == "name", own if name == "name" else f"{own} {name}"
            said = Attribute(name, NAME if needed else TEXT, required=needed)
            yield Entry(f"{own}:{name}", label, "name" if needed else "text", said, term)


def outline_card(card: Card, node: Node, game: Game, *, new: bool = False) -> EntityOutline:
    """Return what a card says.

    Args:
        card: as the game has it; its fields count where they are worked out.
        node: its element.
        new: whether its id can be chosen.
    """
    kind = card.kind
    shape = kind_shape(game.setup, kind, collect_known_ids(game))
    entries = [_name_entry(shape, node)]
    if not new or not kind.token:
        entries.insert(0, id_entry(shape, node, card.id, new=new))
    for field in kind.fields:
        if field.value is not None:
            value = format_value(field, card.fields.get(field.name))
            entries.append(read_only_entry(field.name, field.text, value, field))
    entries += _field_entries(shape, kind.fields, node)
    order = {field.name: place for place, field in enumerate(kind.fields)}
    entries.sort(key=lambda entry: order.get(entry.name, -1))
    return EntityOutline(
        title=card.name,
        called=kind.name,
        node=node,
        entries=tuple(entries),
        children=tuple(_child_outlines(card, shape, node, game)),
        order=tuple(attribute.name for attribute in shape.attributes),
        nodes=(node,),
    )


def _name_entry(shape: Shape, node: Node) -> Entry:
    attribute = shape.attribute("name")
    assert attribute is not None
    return Entry("name", "", "name", attribute, node)


def _field_entries(shape: Shape, fields: Iterable[Field], node: Node | None) -> Iterator[Entry]:
    for field in fields:
        attribute = shape.attribute(field.name)
        if field.value is None and not field.ignored and attribute is not None:
            rich = field.type == "text" and not field.picture
            kind = field.type
            yield Entry(field.name, field.text, kind, attribute, node, field, rich=rich)


def _children_label(spec: ChildSpec, game: Game) -> str:
    """Return what children are called: as their first field, or as the vocabulary of it."""
    first = spec.fields[0]
    named = game.setup.vocabularies.get(first.one.vocabulary or "") if spec.single else None
    return first.text or (named.name if named else "")


def _child_outlines(card: Card, shape: Shape, node: Node, game: Game) -> Iterator[ChildOutline]:
    earlier: list[str] = []
    for spec in card.kind.children:
        occurs = shape.child(spec.tag)
        assert occurs is not None
        yield ChildOutline(
            tag=spec.tag,
            plural=spec.plural,
            label=_children_label(spec, game),
            single=spec.single,
            minimum=spec.minimum,
            maximum=MAX_CHILDREN if spec.maximum is None else spec.maximum,
            entries=tuple(_field_entries(occurs.shape, spec.fields, None)),
            nodes=tuple(node.named(spec.tag)),
            order=tuple(attribute.name for attribute in occurs.shape.attributes),
            earlier=tuple(earlier),
        )
        earlier.append(spec.tag)
