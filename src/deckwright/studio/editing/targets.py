"""Where things stand: their files as they are now, read afresh for each request."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from deckwright.api import GameError
from deckwright.base.files import path_exists
from deckwright.base.findings import ChoiceError, Report
from deckwright.base.names import is_file_name, make_unique
from deckwright.game.folder import CARD_FILE_SUFFIX, GameFolder, faction_id_of
from deckwright.game.ids import CardIdentity, assign_ids, find_referenced_ids, slugify
from deckwright.game.model import Card, Faction, Game
from deckwright.game.setup import Setup
from deckwright.studio.editing.outlines import (
    EntityOutline,
    EntityRef,
    find_printed,
    list_sections,
    missing_error,
    outline_card,
    outline_faction,
    outline_rule,
    outline_texts,
    printing_faction,
)
from deckwright.xmlio.load import load_document, override_files
from deckwright.xmlio.node import Node
from deckwright.xmlio.xml_text import (
    XmlFile,
    add_copy,
    add_element,
    new_element,
    new_xml_file,
    parse_xml_file,
)


class SourceFile(NamedTuple):
    """The file that a thing stands in.

    Attributes:
        why: why it cannot be changed there, "" if it can.
        hint: what to do then.
    """

    path: Path
    why: str = ""
    hint: str | None = None

    def require_path(self) -> Path:
        """Return the path.

        Raises:
            ChoiceError: if things cannot be changed there.
        """
        if self.why:
            raise ChoiceError(self.why, self.hint)
        return self.path


def find_source_file(thing: EntityRef, game: Game, folder: GameFolder) -> SourceFile:
    """Return the file that a thing stands in, or belongs in.

    Raises:
        ChoiceError: if there is no such thing.
    """
    if thing.new:
        return _find_new_file(thing, game, folder)
    if thing.of == "card":
        return _check_editable(find_printed(game, thing.faction, thing.id).card.source.path)
    if thing.of == "rule":
        return SourceFile(folder.rules_file)
    if thing.of == "faction":
        return _check_editable(folder.factions_file)
    if thing.id not in dict(list_sections(game)):
        raise missing_error(f"part `{thing.id}` of game.xml")
    return SourceFile(folder.game_file, "" if folder.has_own_setup else "the game has no game.xml")


def find_former_file(thing: EntityRef, game: Game, folder: GameFolder) -> Path:
    """Return the file that a thing stood in which was taken out of it."""
    if thing.of == "faction":
        return folder.factions_file
    if thing.of == "rule" or _is_token(thing, game):
        return folder.rules_file
    faction = game.factions.get(thing.faction)
    if thing.of != "card" or faction is None:
        raise missing_error(f"{thing.of} `{thing.id}`")
    return find_cards_file(faction.cards_of or faction.id, folder).require_path()


def find_cards_file(faction: str, folder: GameFolder) -> SourceFile:
    """Return the file that new cards of a faction belong in; it may not be there yet."""
    path, name = folder.cards_file(faction), f"{faction}{CARD_FILE_SUFFIX}.xml"
    if not is_file_name(name):
        why = f"no file can be called `{name}` on every system"
        return SourceFile(path, why, "give the faction an id without such characters")
    if path_exists(path):
        return SourceFile(path)
    for table, those in folder.tables().items():
        if any(each.faction in {None, faction} for each in those):
            why = f"the cards of `{faction}` stand in the table {table.name}"
            return SourceFile(path, why, "add new ones there")
    return SourceFile(path)


def _is_token(thing: EntityRef, game: Game) -> bool:
    rule, slash, _ = thing.id.rpartition("/")
    return bool(slash) and thing.of == "card" and rule in game.rules


def _check_editable(path: Path) -> SourceFile:
    table = path.suffix.lower() != ".xml"
    return SourceFile(path, f"it stands in the table {path.name}: edit it there" if table else "")


def _find_new_file(thing: EntityRef, game: Game, folder: GameFolder) -> SourceFile:
    if thing.of == "texts":
        raise ChoiceError("names and words are not begun here", "begin them in an editor")
    if thing.of == "rule":
        return SourceFile(folder.rules_file)
    if thing.of == "faction":
        there = path_exists(folder.factions_file)
        why = "" if there else "the factions of this game are named in its tables"
        return SourceFile(folder.factions_file, why)
    token = game.setup.token_kind
    if thing.rule and token is not None and thing.kind == token.tag:
        if thing.rule not in game.rules:
            raise missing_error(f"rule `{thing.rule}`")
        return SourceFile(folder.rules_file)
    if thing.kind not in {kind.tag for kind in game.setup.card_kinds}:
        raise missing_error(f"kind `{thing.kind}`")
    faction = game.factions.get(thing.faction)
    if faction is None:
        raise missing_error(f"faction `{thing.faction}`")
    if faction.cards_of:
        why = f"`{faction.id}` has the cards of `{faction.cards_of}`"
        return SourceFile(
            folder.cards_file(faction.id), why, f"begin them for `{faction.cards_of}`"
        )
    return find_cards_file(faction.id, folder)


_MAX_SHORT_ID = 8
"""How long ids of factions are that are made of one word, at most."""


def propose_id(thing: EntityRef, game: Game, folder: GameFolder, name: str = "") -> str:
    """Return an id for a new thing, as the others of its sort have them.

    Args:
        name: what it is called, "" if it has no name yet.
    """
    if thing.of == "faction":
        return _propose_faction_id(name, game.factions)
    if thing.of == "rule":
        rules = [
            CardIdentity(rule.id, [*rule.labels.values(), ""][0]) for rule in game.rules.values()
        ]
        rules += [CardIdentity(known, "") for known in game.omissions.rules.ids]
        return assign_ids({"rule": [*rules, CardIdentity("", name or "new")]}, {})["rule"][0]
    cards: dict[str, list[CardIdentity]] = {faction: [] for faction in game.factions}
    for card in (*game.cards.values(), *game.stubs.values()):
        cards.setdefault(card.faction_id, []).append(CardIdentity(card.id, card.name))
    cards.setdefault(thing.faction, []).append(CardIdentity("", name or "new"))
    return assign_ids(cards, find_referenced_ids(folder))[thing.faction][0]


def _propose_faction_id(name: str, known: Collection[str]) -> str:
    """Return an id made of a name: in capitals and of one word, if the others are."""
    taken = {each.casefold() for each in known}
    if known and all(re.fullmatch(r"[A-Z0-9]+", each) for each in known):
        length = min(max(map(len, known)), _MAX_SHORT_ID)
        word = max(slugify(name, " ").split(), key=len, default="new").upper()
        starts = (word[:end] for end in range(length, len(word) + 1))
        return next((each for each in starts if each.casefold() not in taken), "") or make_unique(
            word, taken, ""
        )
    return make_unique(slugify(name, "-") or "new", taken, "-")


def insert_entity(thing: EntityRef, root: Node, file: XmlFile) -> str:
    """Put a new thing into its file: a copy of another one, or with nothing but its name.

    Args:
        root: the file's root element.

    Returns:
        The id by which it is found there.
    """
    if thing.rule:
        return _insert_token(thing, root, file)
    tag = thing.kind or thing.of
    if thing.like:
        node = _require_element(root, tag, thing.like)
        add_copy(file, file.root, file.elements[node.source.ordinal]).set("id", thing.id, ("id",))
    elif thing.of == "rule":
        attributes = {"id": thing.id, "type": "passive", "effect": ""}
        add_element(file, file.root, tag, attributes, [new_element("label", {})])
    elif thing.of == "faction":
        attributes = {"id": thing.id, "race_name": "", "faction_name": "", "color": "gray"}
        add_element(file, file.root, tag, attributes)
    else:
        attributes = {"id": thing.id, "name": "", "faction_id": thing.faction}
        add_element(file, file.root, tag, attributes)
    return thing.id


def _insert_token(thing: EntityRef, root: Node, file: XmlFile) -> str:
    """Put a token behind all others of its rule, whose ids are their numbers."""
    rule = _require_element(root, "rule", thing.rule)
    holder = file.elements[rule.source.ordinal]
    tokens = [*rule.named(thing.kind)]
    if thing.like:
        number = thing.like.rpartition("/")[2]
        numbers = [str(place) for place, _ in enumerate(tokens, 1)]
        if thing.like != f"{thing.rule}/{number}" or number not in numbers:
            raise missing_error(f"card `{thing.like}`")
        original = file.elements[tokens[int(number) - 1].source.ordinal]
        add_copy(file, holder, original, after=holder.last(thing.kind))
    else:
        add_element(file, holder, thing.kind, {"name": ""})
    return f"{thing.rule}/{len(tokens) + 1}"


def _require_element(root: Node, tag: str, wanted: str) -> Node:
    node = next((each for each in root.named(tag) if each.get("id") == wanted), None)
    if node is None:
        raise missing_error(f"{tag} `{wanted}`")
    return node


def new_source_file(path: Path, thing: EntityRef, game: Game, folder: GameFolder) -> XmlFile:
    """Return the file that the first thing of its sort is put into, in the form of one like it."""
    files = [*(folder.card_files() if thing.of == "card" else ()), folder.factions_file]
    like = next(
        (parse_xml_file(each, each.read_bytes()) for each in files if path_exists(each)), None
    )
    if like is None:
        return new_xml_file(path)
    old, new = game.factions.get(faction_id_of(like.path)), game.factions.get(thing.faction)
    return new_xml_file(path, like, _heading(like, old, new) if old and new else "")


def _heading(file: XmlFile, old: Faction, new: Faction) -> str:
    """Return the comment on top of a file, if it names just a faction, for another one."""
    first = next((p for p in file.document.parts if str(p).startswith("<!--")), "")
    for said in ("{0.name} ({0.race})", "{0.name}"):
        if str(first).removeprefix("<!--").removesuffix("-->").strip() == said.format(old):
            text = said.format(new)
            return f"<!-- {text} -->" if "--" not in text else ""
    return ""


Finder = Callable[[Node], Node | None]
"""Finds the element of a thing in the root element of its file."""


class EditTarget(NamedTuple):
    """A thing in its file.

    Attributes:
        before: what the file holds, None if it is not there yet.
        file: the same as it is written; with a new thing, which stands in it for a start.
    """

    thing: EntityRef
    before: bytes | None
    file: XmlFile
    outline: EntityOutline

    @property
    def state(self) -> str:
        """What tells the thing as it is from any other state of it."""
        return hash_texts(str(self.file.elements[n.source.ordinal]) for n in self.outline.nodes)


def hash_texts(texts: Iterator[str]) -> str:
    """Return a short sum of the texts of elements."""
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def find_target(
    thing: EntityRef, game: Game, folder: GameFolder, wanted: str | None = None
) -> EditTarget:
    """Return where a thing stands in its file, as that is now.

    Args:
        wanted: the id of a new thing, None for a proposed one.

    Raises:
        ChoiceError: if there is no such thing, or it stands in a table.
        GameError: if its file cannot be read.
        OSError: likewise.
    """
    path = find_source_file(thing, game, folder).require_path()
    data = read_content(path, folder)
    if not thing.new:
        if data is None:
            raise missing_error(f"file {path.name}")
        return target_in(thing, game, path, data, data)
    thing = thing._replace(id=wanted or propose_id(thing, game, folder))
    if data is None:
        file = new_source_file(path, thing, game, folder)
        root = parse_root(path, file.bytes())
    else:
        root = parse_root(path, data)
        file = parse_xml_file(path, data)
    if thing.rule:
        thing = thing._replace(faction=printing_faction(game, thing.rule))
    thing = thing._replace(id=insert_entity(thing, root, file))
    return target_in(thing, game, path, data, file.bytes())


def read_content(path: Path, folder: GameFolder) -> bytes | None:
    """Return what a file of a game holds, None if it is not there.

    Raises:
        ChoiceError: if it is a link out of the game's folder.
        OSError: if it cannot be read.
    """
    # Links may have come since the game was opened, which remembers where they lead.
    if not path.resolve().is_relative_to(folder.path.resolve()):
        raise ChoiceError(f"{path.name} is a link out of the game's folder")
    return path.read_bytes() if path_exists(path) else None


def parse_root(path: Path, data: bytes) -> Node:
    """Return the root element of a file that holds this.

    Raises:
        GameError: if it cannot be read.
    """
    found: Report = []
    with override_files({path: data}):
        root = load_document(path, found)
    if root is None:
        raise GameError(found)
    return root


def target_in(
    thing: EntityRef, game: Game, path: Path, before: bytes | None, data: bytes
) -> EditTarget:
    """Return where a thing stands in a file that holds `data`, and held `before`.

    Raises:
        ChoiceError: if it is not there.
        GameError: if that cannot be read.
    """
    outline = build_outline(thing, parse_root(path, data), game)
    return EditTarget(thing, before, parse_xml_file(path, data), outline)


def build_outline(thing: EntityRef, root: Node, game: Game) -> EntityOutline:
    """Return what a thing says in the file with this root element.

    Raises:
        ChoiceError: if it is not there.
    """
    if thing.of == "texts":
        return outline_texts(thing.id, root, game)
    node = find_element(thing, root, game.setup)
    if node is None:
        raise missing_error(f"{thing.of} `{thing.id}` in its file")
    if thing.of == "rule":
        rule = None if thing.new else game.rules.get(thing.id)
        return outline_rule(thing.id, rule, node, game, new=thing.new)
    if thing.of == "faction":
        faction = None if thing.new else game.factions.get(thing.id)
        return outline_faction(faction, node, game, new=thing.new)
    card = _draft_card(thing, node, game.setup) if thing.new else None
    card = card or find_printed(game, thing.faction, thing.id).card
    if card.kind.tag != node.tag and node.tag in game.setup.kinds:
        card = card._replace(kind=game.setup.kinds[node.tag])
    return outline_card(card, node, game, new=thing.new)


def _draft_card(thing: EntityRef, node: Node, setup: Setup) -> Card:
    """Return a card that the game does not have yet, of which just the kind is known."""
    kind = setup.kinds[thing.kind]
    fields: Mapping[str, None] = {field.name: None for field in kind.fields}
    children: Mapping[str, tuple[()]] = {spec.tag: () for spec in kind.children}
    name = node.get("name") or ""
    return Card(kind, thing.id, name, thing.faction, fields, children, node.source)


def find_element(thing: EntityRef, root: Node, setup: Setup) -> Node | None:
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
