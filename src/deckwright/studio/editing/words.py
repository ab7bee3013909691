"""The outlines of rules, factions, and the names and words of `game.xml`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deckwright.base.choices import ChoiceError
from deckwright.game.model import GENERAL, Faction, Game, Rule
from deckwright.game.setup_shape import game_shape
from deckwright.game.shapes import MOST_LABELS, factions_shape, rules_shape
from deckwright.studio.editing.outline import Children, Entry, Outline, id_of
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import NAME, TEXT, Attribute, Shape, one_of

_TYPES = {"integer": "integer", "decimal": "decimal", "term": "term", "color": "color"}
"""The types of values, by the kinds of values of shapes; all others are texts."""
_RICH = ("effect", "effekt", "brief")


def outline_of_rule(
    rule_id: str, rule: Rule | None, node: Node, game: Game, *, new: bool = False
) -> Outline:
    """Return what a rule says.

    Args:
        rule: as the game has it, None if it is new or could not be read.
        new: whether its id can be chosen.
    """
    shape = _part(rules_shape(game.setup), "rule")
    other = "effekt" if node.get("effekt") or any(node.named("effekt")) else "effect"
    left_out = {"id", "effect" if other == "effekt" else "effekt"}
    entries = [id_of(shape, node, rule_id, new=new), *_entries(shape, node, left_out)]
    races = dict.fromkeys([GENERAL, *(faction.race for faction in game.factions.values())])
    labels = tuple(node.named("label"))
    for given in labels:
        races |= dict.fromkeys(given.attributes)
    names = tuple(Entry(race, race, "name", Attribute(race, NAME)) for race in races)
    title = " / ".join(dict.fromkeys(rule.labels.values())) if rule else "" if new else rule_id
    label = Children(
        tag="label",
        plural="labels",
        label="",
        single=False,
        minimum=1,
        maximum=MOST_LABELS,
        entries=names,
        nodes=labels,
        order=tuple(races),
    )
    order = tuple(attribute.name for attribute in shape.attributes)
    return Outline(title, "", node, tuple(entries), (label,), order, (node,))


def outline_of_faction(
    faction: Faction | None, node: Node, game: Game, *, new: bool = False
) -> Outline:
    """Return what a faction says.

    Args:
        faction: as the game has it, None if it is new or could not be read.
        new: whether its id can be chosen.
    """
    shape = _part(factions_shape(game.setup), "faction")
    faction_id = node.get("id") or ""
    others = tuple(
        (each.id, each.name)
        for each in game.factions.values()
        if each.id != faction_id and not each.cards_of
    )
    entries = [id_of(shape, node, faction_id, new=new)]
    for entry in _entries(shape, node, {"id"}):
        if entry.name == "cards":
            named = entry.attribute._replace(value=one_of(*others))
            entries.append(entry._replace(attribute=named, type="term"))
        else:
            entries.append(entry)
    said = Attribute("description", TEXT)
    entries.append(Entry("description", "", "text", said, node, inside=True))
    title = faction.name if faction else "" if new else faction_id
    order = tuple(attribute.name for attribute in shape.attributes)
    return Outline(title, "", node, tuple(entries), (), order, (node,))


def _part(shape: Shape, tag: str) -> Shape:
    occurs = shape.child(tag)
    assert occurs is not None
    return occurs.shape


def _entries(shape: Shape, node: Node, left_out: set[str]) -> Iterator[Entry]:
    for attribute in shape.attributes:
        if attribute.name in left_out:
            continue
        kind = _TYPES.get(attribute.value.kind, "text")
        name, meaning, rich = attribute.name, attribute.meaning, attribute.name in _RICH
        yield Entry(name, meaning, kind, attribute, node, rich=rich)


_GAME = "game"
_WORDS = "words"
_NAMES = "names"
_VOCABULARY = "vocabulary:"
_NAMED = ("kind", "zone", "limit", "format", "symbol", "marker", "group")
"""The tags of elements of `game.xml` that have a name in print."""
_PROSE = re.compile(r"[^\W\d_]{3,}\s|\s[^\W\d_]{3,}")
"""Several words; what terms have besides are numbers, colors and names of icons."""


def sections(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the parts of `game.xml` that can be edited, with their titles."""
    yield _GAME, game.setup.name
    yield _WORDS, ""
    yield _NAMES, ""
    for vocabulary in game.setup.vocabularies.values():
        yield f"{_VOCABULARY}{vocabulary.id}", vocabulary.name or vocabulary.id


def outline_of_texts(section: str, root: Node, game: Game) -> Outline:
    """Return the names and words of a part of `game.xml`.

    Raises:
        ChoiceError: if there is no such part.
    """
    titles = dict(sections(game))
    if section not in titles:
        raise ChoiceError(f"there is no part `{section}` of game.xml")
    entries = tuple(_texts(section, root))
    nodes = {id(entry.node): entry.node for entry in entries if entry.node is not None}
    return Outline(titles[section], "", root, entries, nodes=tuple(nodes.values()))


def _texts(section: str, root: Node) -> Iterator[Entry]:
    shape = game_shape()
    if section == _GAME:
        for name in ("name", "author", "version", "date", "watermark"):
            attribute = shape.attribute(name)
            assert attribute is not None
            yield Entry(name, attribute.meaning, _kind(attribute), attribute, root)
    elif section == _WORDS:
        for word in (word for words in root.named("words") for word in words.named("word")):
            said = word.get("id") or ""
            yield Entry(said, said, "name", Attribute("text", NAME, required=True), word)
    elif section == _NAMES:
        yield from _names(root)
    else:
        for vocabulary in root.named("vocabulary"):
            if vocabulary.get("id") == section.removeprefix(_VOCABULARY):
                yield from _terms(vocabulary)


def _kind(attribute: Attribute) -> str:
    return "name" if attribute.value == NAME else "text"


def _names(root: Node) -> Iterator[Entry]:
    for node in root.walk():
        if node.tag in _NAMED and node.get("name") is not None:
            own = node.get("id") or node.get("tag") or ""
            said = Attribute("name", NAME, required=True)
            yield Entry(f"{node.tag}:{own}", f"{node.tag} {own}", "name", said, node)
        for field in node.named("field") if node.tag == "kind" else ():
            own = f"{node.get('tag')}.{field.get('name')}"
            yield Entry(f"field:{own}", f"field {own}", "text", Attribute("text", TEXT), field)


def _terms(vocabulary: Node) -> Iterator[Entry]:
    yield Entry("name", "", "text", Attribute("name", TEXT), vocabulary)
    terms = [*vocabulary.named("term")]
    worded = {n for term in terms for n, text in term.attributes.items() if _PROSE.search(text)}
    for term in terms:
        own = term.get("id") or ""
        for name in (n for n in term.attributes if n == "name" or n in worded - {"id"}):
            needed, label = name == "name", own if name == "name" else f"{own} {name}"
            said = Attribute(name, NAME if needed else TEXT, required=needed)
            yield Entry(f"{own}:{name}", label, "name" if needed else "text", said, term)
