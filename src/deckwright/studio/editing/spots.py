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
from deckwright.game.idless import referred_ids
from deckwright.game.ids import Named, new_ids
from deckwright.game.model import Card, Game
from deckwright.game.setup import Setup
from deckwright.studio.editing.cards import outline_of_card
from deckwright.studio.editing.outline import Outline
from deckwright.studio.editing.things import Thing, missing, printed
from deckwright.studio.editing.words import (
    outline_of_faction,
    outline_of_rule,
    outline_of_texts,
    sections,
)
from deckwright.xmlio.load import instead, load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.rewriting import add, add_copy
from deckwright.xmlio.xml_text import XmlFile, xml_file

Finder = Callable[[Node], Node | None]
"""Finds the element of a thing in the root element of its file."""


class Home(NamedTuple):
    """The file that a thing stands in.

    Attributes:
        why: why it cannot be changed there, "" if it can.
    """

    path: Path
    why: str = ""


class Spot(NamedTuple):
    """A thing in its file.

    Attributes:
        before: what the file holds.
        file: the same as it is written; with a new thing, which stands in it for a start.
    """

    thing: Thing
    before: bytes
    file: XmlFile
    outline: Outline

    @property
    def state(self) -> str:
        """What tells the thing as it is from any other state of it."""
        return state_of(str(self.file.elements[n.source.ordinal]) for n in self.outline.nodes)


def state_of(texts: Iterator[str]) -> str:
    """Return a short sum of the texts of elements."""
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def home_of(thing: Thing, game: Game, folder: GameFolder) -> Home:
    """Return the file that a thing stands in, or belongs in.

    Raises:
        ChoiceError: if there is no such thing.
    """
    if thing.of == "card":
        return _editable(printed(game, thing.faction, thing.id).card.source.path)
    if thing.of == "new":
        return _new_home(thing, game, folder)
    if thing.of == "rule":
        return Home(folder.rules_file)
    if thing.of == "faction":
        return _editable(folder.factions_file)
    if thing.id not in dict(sections(game)):
        raise missing(f"part `{thing.id}` of game.xml")
    return Home(folder.game_file, "" if folder.has_own_setup else "the game has no game.xml")


def _editable(path: Path) -> Home:
    table = path.suffix.lower() != ".xml"
    return Home(path, f"it stands in the table {path.name}: edit it there" if table else "")


def _new_home(thing: Thing, game: Game, folder: GameFolder) -> Home:
    if thing.kind not in {kind.tag for kind in game.setup.card_kinds}:
        raise missing(f"kind `{thing.kind}`")
    faction = game.factions.get(thing.faction)
    if faction is None:
        raise missing(f"faction `{thing.faction}`")
    path = folder.cards_file(faction.id)
    if faction.cards_of or path not in folder.card_files():
        raise ChoiceError(
            f"`{faction.id}` has no file of cards of its own",
            f"begin {path.name} in an editor; cards of tables are edited there",
        )
    return Home(path)


def spot_of(thing: Thing, game: Game, folder: GameFolder, card_id: str | None = None) -> Spot:
    """Return where a thing stands in its file, as that is now.

    Args:
        card_id: the id of a new card, None for a proposed one.

    Raises:
        ChoiceError: if there is no such thing, or it stands in a table.
        GameError: if its file cannot be read.
        OSError: likewise.
    """
    home = home_of(thing, game, folder)
    if home.why:
        raise ChoiceError(home.why)
    if not is_there(home.path):
        raise missing(f"file {home.path.name}")
    # Links may have come since the game was opened, which remembers where they lead.
    if not home.path.resolve().is_relative_to(folder.path.resolve()):
        raise ChoiceError(f"{home.path.name} is a link out of the game's folder")
    data = home.path.read_bytes()
    if thing.of != "new":
        return spot_in(thing, game, home.path, data, data)
    root = root_of(home.path, data)
    thing = thing._replace(id=card_id or proposed_id(thing, game, folder))
    file = xml_file(home.path, data)
    _begin(thing, root, file)
    return spot_in(thing, game, home.path, data, file.bytes())


def _begin(thing: Thing, root: Node, file: XmlFile) -> None:
    """Put a new card into its file: a copy of another one, or with nothing but its name."""
    if not thing.like:
        named = {"id": thing.id, "name": "", "faction_id": thing.faction}
        add(file, file.root, thing.kind, named)
        return
    node = next((n for n in root.named(thing.kind) if n.get("id") == thing.like), None)
    if node is None:
        raise missing(f"card `{thing.like}`")
    copy = add_copy(file, file.root, file.elements[node.source.ordinal])
    copy.set("id", thing.id, ("id",))


def proposed_id(thing: Thing, game: Game, folder: GameFolder, name: str = "") -> str:
    """Return an id for a new card, as the others of its faction have them."""
    cards: dict[str, list[Named]] = {faction: [] for faction in game.factions}
    for card in (*game.cards.values(), *game.stubs.values()):
        cards.setdefault(card.faction_id, []).append(Named(card.id, card.name))
    cards.setdefault(thing.faction, []).append(Named("", name or "new"))
    return new_ids(cards, referred_ids(folder))[thing.faction][0]


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


def spot_in(thing: Thing, game: Game, path: Path, before: bytes, data: bytes) -> Spot:
    """Return where a thing stands in a file that holds `data`, and held `before`.

    Raises:
        ChoiceError: if it is not there.
        GameError: if that cannot be read.
    """
    root = root_of(path, data)
    outline = outlined(thing, root, game)
    return Spot(thing, before, xml_file(path, data), outline)


def outlined(thing: Thing, root: Node, game: Game) -> Outline:
    """Return what a thing says in the file with this root element.

    Raises:
        ChoiceError: if it is not there.
    """
    if thing.of == "texts":
        return outline_of_texts(thing.id, root, game)
    node = _element(thing, root, game.setup)
    if node is None:
        raise missing(f"{'card' if thing.of == 'new' else thing.of} `{thing.id}` in its file")
    if thing.of == "rule":
        return outline_of_rule(thing.id, game.rules.get(thing.id), node, game)
    if thing.of == "faction":
        return outline_of_faction(game.factions.get(thing.id), node, game)
    new = thing.of == "new"
    card = _card(thing, node, game.setup) if new else None
    card = card or printed(game, thing.faction, thing.id).card
    if card.kind.tag != node.tag and node.tag in game.setup.kinds:
        card = card._replace(kind=game.setup.kinds[node.tag])
    return outline_of_card(card, node, game, new=new)


def _card(thing: Thing, node: Node, setup: Setup) -> Card:
    """Return a card that the game does not have yet, of which just the kind is known."""
    kind = setup.kinds[thing.kind]
    fields: Mapping[str, None] = {field.name: None for field in kind.fields}
    children: Mapping[str, tuple[()]] = {spec.tag: () for spec in kind.children}
    name = node.get("name") or ""
    return Card(kind, thing.id, name, thing.faction, fields, children, node.source)


def _element(thing: Thing, root: Node, setup: Setup) -> Node | None:
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
