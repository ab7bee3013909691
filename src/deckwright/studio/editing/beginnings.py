"""New things: the ids that they are offered, and how they stand in their files at first."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from deckwright.base.files import is_there
from deckwright.base.names import unused
from deckwright.game.folder import GameFolder, faction_of
from deckwright.game.idless import referred_ids
from deckwright.game.ids import Named, new_ids, slug
from deckwright.game.model import Faction, Game
from deckwright.studio.editing.things import Thing, missing
from deckwright.xmlio.node import Node
from deckwright.xmlio.rewriting import add, add_copy
from deckwright.xmlio.xml_text import XmlFile, new_element, new_file, xml_file

_LONGEST_SHORT = 8
"""How long ids of factions are that are made of one word, at most."""


def proposed_id(thing: Thing, game: Game, folder: GameFolder, name: str = "") -> str:
    """Return an id for a new thing, as the others of its sort have them.

    Args:
        name: what it is called, "" if it has no name yet.
    """
    if thing.of == "faction":
        return _id_of_faction(name, game.factions)
    if thing.of == "rule":
        rules = [Named(rule.id, [*rule.labels.values(), ""][0]) for rule in game.rules.values()]
        rules += [Named(known, "") for known in game.gaps.rules.ids]
        return new_ids({"rule": [*rules, Named("", name or "new")]}, {})["rule"][0]
    cards: dict[str, list[Named]] = {faction: [] for faction in game.factions}
    for card in (*game.cards.values(), *game.stubs.values()):
        cards.setdefault(card.faction_id, []).append(Named(card.id, card.name))
    cards.setdefault(thing.faction, []).append(Named("", name or "new"))
    return new_ids(cards, referred_ids(folder))[thing.faction][0]


def _id_of_faction(name: str, known: Collection[str]) -> str:
    """Return an id made of a name: in capitals and of one word, if the others are."""
    taken = {each.casefold() for each in known}
    if known and all(re.fullmatch(r"[A-Z0-9]+", each) for each in known):
        length = min(max(map(len, known)), _LONGEST_SHORT)
        word = max(slug(name, " ").split(), key=len, default="new").upper()
        starts = (word[:end] for end in range(length, len(word) + 1))
        return next((each for each in starts if each.casefold() not in taken), "") or unused(
            word, taken, ""
        )
    return unused(slug(name, "-") or "new", taken, "-")


def begin(thing: Thing, root: Node, file: XmlFile) -> str:
    """Put a new thing into its file: a copy of another one, or with nothing but its name.

    Args:
        root: the file's root element.

    Returns:
        The id by which it is found there.
    """
    if thing.rule:
        return _begin_token(thing, root, file)
    tag = thing.kind or thing.of
    if thing.like:
        node = _named(root, tag, thing.like)
        add_copy(file, file.root, file.elements[node.source.ordinal]).set("id", thing.id, ("id",))
    elif thing.of == "rule":
        attributes = {"id": thing.id, "type": "passive", "effect": ""}
        add(file, file.root, tag, attributes, [new_element("label", {})])
    elif thing.of == "faction":
        attributes = {"id": thing.id, "race_name": "", "faction_name": "", "color": "gray"}
        add(file, file.root, tag, attributes)
    else:
        attributes = {"id": thing.id, "name": "", "faction_id": thing.faction}
        add(file, file.root, tag, attributes)
    return thing.id


def _begin_token(thing: Thing, root: Node, file: XmlFile) -> str:
    """Put a token behind all others of its rule, whose ids are their numbers."""
    rule = _named(root, "rule", thing.rule)
    holder = file.elements[rule.source.ordinal]
    tokens = [*rule.named(thing.kind)]
    if thing.like:
        number = thing.like.rpartition("/")[2]
        numbers = [str(place) for place, _ in enumerate(tokens, 1)]
        if thing.like != f"{thing.rule}/{number}" or number not in numbers:
            raise missing(f"card `{thing.like}`")
        original = file.elements[tokens[int(number) - 1].source.ordinal]
        add_copy(file, holder, original, after=holder.last(thing.kind))
    else:
        add(file, holder, thing.kind, {"name": ""})
    return f"{thing.rule}/{len(tokens) + 1}"


def _named(root: Node, tag: str, wanted: str) -> Node:
    node = next((each for each in root.named(tag) if each.get("id") == wanted), None)
    if node is None:
        raise missing(f"{tag} `{wanted}`")
    return node


def first_file(path: Path, thing: Thing, game: Game, folder: GameFolder) -> XmlFile:
    """Return the file that the first thing of its sort is put into, in the form of one like it."""
    files = [*(folder.card_files() if thing.of == "card" else ()), folder.factions_file]
    like = next((xml_file(each, each.read_bytes()) for each in files if is_there(each)), None)
    if like is None:
        return new_file(path)
    old, new = game.factions.get(faction_of(like.path)), game.factions.get(thing.faction)
    return new_file(path, like, _heading(like, old, new) if old and new else "")


def _heading(file: XmlFile, old: Faction, new: Faction) -> str:
    """Return the comment on top of a file, if it names just a faction, for another one."""
    first = next((p for p in file.document.parts if str(p).startswith("<!--")), "")
    for said in ("{0.name} ({0.race})", "{0.name}"):
        if str(first).removeprefix("<!--").removesuffix("-->").strip() == said.format(old):
            text = said.format(new)
            return f"<!-- {text} -->" if "--" not in text else ""
    return ""
