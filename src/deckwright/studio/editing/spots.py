"""Where things stand: their files as they are now, read afresh for each request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from deckwright.api import GameError
from deckwright.base.choices import ChoiceError
from deckwright.base.files import is_there
from deckwright.base.findings import Report
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Game
from deckwright.game.setup import Setup
from deckwright.studio.editing.beginnings import begin, first_file, proposed_id
from deckwright.studio.editing.cards import outline_of_card
from deckwright.studio.editing.homes import home_of
from deckwright.studio.editing.outline import Outline
from deckwright.studio.editing.things import Thing, missing, printed, printer_of
from deckwright.studio.editing.words import (
    outline_of_faction,
    outline_of_rule,
    outline_of_texts,
)
from deckwright.xmlio.load import instead, load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.xml_text import XmlFile, xml_file

Finder = Callable[[Node], Node | None]
"""Finds the element of a thing in the root element of its file."""


class Spot(NamedTuple):
    """A thing in its file.

    Attributes:
        before: what the file holds, None if it is not there yet.
        file: the same as it is written; with a new thing, which stands in it for a start.
    """

    thing: Thing
    before: bytes | None
    file: XmlFile
    outline: Outline

    @property
    def state(self) -> str:
        """What tells the thing as it is from any other state of it."""
        return state_of(str(self.file.elements[n.source.ordinal]) for n in self.outline.nodes)


def state_of(texts: Iterator[str]) -> str:
    """Return a short sum of the texts of elements."""
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def spot_of(thing: Thing, game: Game, folder: GameFolder, wanted: str | None = None) -> Spot:
    """Return where a thing stands in its file, as that is now.

    Args:
        wanted: the id of a new thing, None for a proposed one.

    Raises:
        ChoiceError: if there is no such thing, or it stands in a table.
        GameError: if its file cannot be read.
        OSError: likewise.
    """
    path = home_of(thing, game, folder).demand()
    data = content_of(path, folder)
    if not thing.new:
        if data is None:
            raise missing(f"file {path.name}")
        return spot_in(thing, game, path, data, data)
    thing = thing._replace(id=wanted or proposed_id(thing, game, folder))
    if data is None:
        file = first_file(path, thing, game, folder)
        root = root_of(path, file.bytes())
    else:
        root = root_of(path, data)
        file = xml_file(path, data)
    if thing.rule:
        thing = thing._replace(faction=printer_of(game, thing.rule))
    thing = thing._replace(id=begin(thing, root, file))
    return spot_in(thing, game, path, data, file.bytes())


def content_of(path: Path, folder: GameFolder) -> bytes | None:
    """Return what a file of a game holds, None if it is not there.

    Raises:
        ChoiceError: if it is a link out of the game's folder.
        OSError: if it cannot be read.
    """
    # Links may have come since the game was opened, which remembers where they lead.
    if not path.resolve().is_relative_to(folder.path.resolve()):
        raise ChoiceError(f"{path.name} is a link out of the game's folder")
    return path.read_bytes() if is_there(path) else None


def root_of(path: Path, data: bytes) -> Node:
    """Return the root element of a file that holds this.

    Raises:
        GameError: if it cannot be read.
    """
    found: Report = []
    with instead({path: data}):
        root = load_document(path, found)
    if root is None:
        raise GameError(found)
    return root


def spot_in(thing: Thing, game: Game, path: Path, before: bytes | None, data: bytes) -> Spot:
    """Return where a thing stands in a file that holds `data`, and held `before`.

    Raises:
        ChoiceError: if it is not there.
        GameError: if that cannot be read.
    """
    outline = outlined(thing, root_of(path, data), game)
    return Spot(thing, before, xml_file(path, data), outline)


def outlined(thing: Thing, root: Node, game: Game) -> Outline:
    """Return what a thing says in the file with this root element.

    Raises:
        ChoiceError: if it is not there.
    """
    if thing.of == "texts":
        return outline_of_texts(thing.id, root, game)
    node = element_of(thing, root, game.setup)
    if node is None:
        raise missing(f"{thing.of} `{thing.id}` in its file")
    if thing.of == "rule":
        rule = None if thing.new else game.rules.get(thing.id)
        return outline_of_rule(thing.id, rule, node, game, new=thing.new)
    if thing.of == "faction":
        faction = None if thing.new else game.factions.get(thing.id)
        return outline_of_faction(faction, node, game, new=thing.new)
    card = _card(thing, node, game.setup) if thing.new else None
    card = card or printed(game, thing.faction, thing.id).card
    if card.kind.tag != node.tag and node.tag in game.setup.kinds:
        card = card._replace(kind=game.setup.kinds[node.tag])
    return outline_of_card(card, node, game, new=thing.new)


def _card(thing: Thing, node: Node, setup: Setup) -> Card:
    """Return a card that the game does not have yet, of which just the kind is known."""
    kind = setup.kinds[thing.kind]
    fields: Mapping[str, None] = {field.name: None for field in kind.fields}
    children: Mapping[str, tuple[()]] = {spec.tag: () for spec in kind.children}
    name = node.get("name") or ""
    return Card(kind, thing.id, name, thing.faction, fields, children, node.source)


def element_of(thing: Thing, root: Node, setup: Setup) -> Node | None:
    """Return the element of a thing, None if it is not there."""
    if thing.of in {"rule", "faction"}:
        return next((n for n in root.named(thing.of) if n.get("id") == thing.id), None)
    token = setup.token_kind
    rule_id, slash, number = thing.id.rpartition("/")
    if token is not None and slash and root.source.path.name == "rules.xml":
        rule = next((n for n in root.named("rule") if n.get("id") == rule_id), None)
        tokens = [*rule.named(token.tag)] if rule else []
        at = int(number) if number.isdecimal() else 0
        return tokens[at - 1] if 0 < at <= len(tokens) else None
    tags = {kind.tag for kind in setup.card_kinds}
    return next((n for n in root.children if n.tag in tags and n.get("id") == thing.id), None)
