"""Edit targets: entities and their places in files, which are read again for each request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from deckwright.api import GameError
from deckwright.base.files import is_file_name, make_unique, path_exists
from deckwright.base.findings import ChoiceError, Location, Report
from deckwright.game.folder import CARD_FILE_SUFFIX, GameFolder, faction_id_of, is_table
from deckwright.game.ids import CardIdentity, assign_ids, find_referenced_ids, slugify
from deckwright.game.load import read_table_file
from deckwright.game.model import Card, Game
from deckwright.game.setup import Setup
from deckwright.game.tables import TableContents
from deckwright.studio.answers import fingerprint_of
from deckwright.studio.editing.cells import (
    TableFile,
    is_editable,
    limit_outline,
    open_row,
    write_rows,
)
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


def find_source_file(entity: EntityRef, game: Game, folder: GameFolder) -> Path:
    """Return the file that an entity is in, or for a new entity, belongs in.

    Raises:
        ChoiceError: if there is no such entity, or it cannot be edited there.
    """
    if entity.of == "texts":
        if entity.new:
            raise ChoiceError("names and words cannot be added here", "add them in an editor")
        if entity.id not in dict(list_sections(game)):
            raise missing_error(f"part `{entity.id}` of game.xml")
        if not folder.has_own_setup:
            raise ChoiceError("the game has no game.xml")
        return folder.game_file
    if entity.of == "rule":
        return folder.rules_file
    if entity.of == "faction":
        if entity.new and not path_exists(folder.factions_file):
            raise ChoiceError("the factions of this game are in its tables")
        return folder.factions_file
    if not entity.new:
        return find_printed(game, entity.faction, entity.id).card.source.path
    token = game.setup.token_kind
    if entity.rule and token is not None and entity.kind == token.tag:
        if entity.rule not in game.rules:
            raise missing_error(f"rule `{entity.rule}`")
        return folder.rules_file
    if entity.kind not in {kind.tag for kind in game.setup.card_kinds}:
        raise missing_error(f"kind `{entity.kind}`")
    faction = game.factions.get(entity.faction)
    if faction is None:
        raise missing_error(f"faction `{entity.faction}`")
    if faction.cards_of:
        message = f"`{faction.id}` has the cards of `{faction.cards_of}`"
        raise ChoiceError(message, f"add new ones to `{faction.cards_of}`")
    return find_cards_file(faction.id, folder, entity.kind)


def find_former_file(entity: EntityRef, game: Game, folder: GameFolder) -> Path:
    """Return the file that a deleted entity was in."""
    if entity.of == "faction":
        return folder.factions_file
    owner, slash, _ = entity.id.rpartition("/")
    is_token = slash and entity.of == "card" and owner in game.rules
    if entity.of == "rule" or is_token:
        return folder.rules_file
    faction = game.factions.get(entity.faction)
    if entity.of != "card" or faction is None:
        raise missing_error(f"{entity.of} `{entity.id}`")
    return find_cards_file(faction.cards_of or faction.id, folder)


def find_cards_file(faction: str, folder: GameFolder, kind: str = "") -> Path:
    """Return the file for new cards of a faction, or of a kind; it need not exist yet.

    Raises:
        ChoiceError: if cards cannot be added there.
    """
    path, name = folder.cards_file(faction), f"{faction}{CARD_FILE_SUFFIX}.xml"
    if not is_file_name(name):
        message = f"some systems do not allow the file name `{name}`"
        raise ChoiceError(message, "give the faction another id")
    if path_exists(path):
        return path
    for table in chain.from_iterable(folder.tables().values()):
        if table.faction in {None, faction} and table.kind in {None, kind or table.kind}:
            if not is_editable(table):
                message = f"the cards of `{faction}` are in the table {table.path.name}"
                raise ChoiceError(message, "add new ones there")
            return table.path
    return path


_MAX_SHORT_ID = 8
"""The maximum length of a short faction id made of one word."""


def propose_id(entity: EntityRef, game: Game, folder: GameFolder, name: str = "") -> str:
    """Return an id for a new entity in the style of existing ones.

    Args:
        name: its name, "" if it has none yet.
    """
    if entity.of == "faction":
        taken = {each.casefold() for each in game.factions}
        if taken and all(re.fullmatch(r"[A-Z0-9]+", each) for each in game.factions):
            # One word in capitals, as the existing ids are.
            length = min(max(map(len, game.factions)), _MAX_SHORT_ID)
            word = max(slugify(name, " ").split(), key=len, default="new").upper()
            starts = (word[:end] for end in range(length, len(word) + 1))
            free = next((each for each in starts if each.casefold() not in taken), "")
            return free or make_unique(word, taken, "")
        return make_unique(slugify(name, "-") or "new", taken, "-")
    if entity.of == "rule":
        rules = [
            CardIdentity(rule.id, [*rule.labels.values(), ""][0]) for rule in game.rules.values()
        ]
        rules += [CardIdentity(known, "") for known in game.omissions.rules.ids]
        return assign_ids({"rule": [*rules, CardIdentity("", name or "new")]}, {})["rule"][0]
    cards: dict[str, list[CardIdentity]] = {faction: [] for faction in game.factions}
    for card in (*game.cards.values(), *game.stubs.values()):
        cards.setdefault(card.faction_id, []).append(CardIdentity(card.id, card.name))
    cards.setdefault(entity.faction, []).append(CardIdentity("", name or "new"))
    return assign_ids(cards, find_referenced_ids(folder))[entity.faction][0]


def insert_entity(entity: EntityRef, root: Node, file: XmlFile) -> str:
    """Insert a new entity into its file: a copy of another one, or an empty one.

    Args:
        root: the file's root element.

    Returns:
        The id of the inserted entity.
    """
    if entity.rule:  # a token goes after the others of its rule; they are numbered in order
        rule = _require_child(root, "rule", entity.rule)
        holder = file.elements[rule.source.ordinal]
        tokens = [*rule.children_named(entity.kind)]
        if entity.like:
            number = entity.like.rpartition("/")[2]
            numbers = [str(place) for place, _ in enumerate(tokens, 1)]
            if entity.like != f"{entity.rule}/{number}" or number not in numbers:
                raise missing_error(f"card `{entity.like}`")
            original = file.elements[tokens[int(number) - 1].source.ordinal]
            add_copy(file, holder, original, after=holder.last(entity.kind))
        else:
            add_element(file, holder, entity.kind, {"name": ""})
        return f"{entity.rule}/{len(tokens) + 1}"
    tag = entity.kind or entity.of
    if entity.like:
        node = _require_child(root, tag, entity.like)
        add_copy(file, file.root, file.elements[node.source.ordinal]).set("id", entity.id, ("id",))
    else:
        attributes = {
            "rule": {"type": "passive", "effect": ""},
            "faction": {"race_name": "", "faction_name": "", "color": "gray"},
            "card": {"name": "", "faction_id": entity.faction},
        }[entity.of]
        children = [new_element("label", {})] if entity.of == "rule" else []
        add_element(file, file.root, tag, {"id": entity.id, **attributes}, children)
    return entity.id


def _require_child(root: Node, tag: str, wanted_id: str) -> Node:
    node = _find_child(root, wanted_id, tag)
    if node is None:
        raise missing_error(f"{tag} `{wanted_id}`")
    return node


def _find_child(root: Node, wanted_id: str, *tags: str) -> Node | None:
    return next((n for n in root.children_named(*tags) if n.get("id") == wanted_id), None)


def new_source_file(path: Path, entity: EntityRef, game: Game, folder: GameFolder) -> XmlFile:
    """Return a new file for the first entity of its type, formatted like an existing file."""
    files = [*(folder.card_files() if entity.of == "card" else ()), folder.factions_file]
    like = next(
        (parse_xml_file(each, each.read_bytes()) for each in files if path_exists(each)), None
    )
    if like is None:
        return new_xml_file(path)
    old, new = game.factions.get(faction_id_of(like.path)), game.factions.get(entity.faction)
    heading = ""
    if old and new:
        # The comment at the head of the other file is repeated if it only names the faction.
        first = next((p for p in like.document.parts if str(p).startswith("<!--")), "")
        comment = str(first).removeprefix("<!--").removesuffix("-->").strip()
        for pattern in ("{0.name} ({0.race})", "{0.name}"):
            if comment == pattern.format(old):
                text = pattern.format(new)
                heading = f"<!-- {text} -->" if "--" not in text else ""
                break
    return new_xml_file(path, like, heading)


class EditTarget(NamedTuple):
    """An entity in its file, ready to be edited.

    Attributes:
        original: the file's content, None if it does not exist yet.
        file: the editable text of the file, in which new entities are already inserted.
        place: the place of its row in a table, None for XML.
    """

    entity: EntityRef
    original: bytes | None
    file: XmlFile
    outline: EntityOutline
    place: Location | None = None

    @property
    def fingerprint(self) -> str:
        """The hash of the entity's text, which changes with any edit to it."""
        texts = (str(self.file.elements[n.source.ordinal]) for n in self.outline.nodes)
        return fingerprint_of("\0".join(texts).encode("utf-8", "surrogatepass"))


def find_target(
    entity: EntityRef, game: Game, folder: GameFolder, new_id: str | None = None
) -> EditTarget:
    """Find an entity in its current file; insert it if it is new.

    Args:
        new_id: the id of a new entity, None for a proposed one.

    Raises:
        ChoiceError: if there is no such entity, or it cannot be added.
        GameError: if its file cannot be read.
        OSError: likewise.
    """
    if not entity.new:
        return find_targets([entity], game, folder)[0]
    path = find_source_file(entity, game, folder)
    data = read_content(path, folder)
    entity = entity._replace(id=new_id or propose_id(entity, game, folder))
    if data is not None and is_table(path):
        return _find_row(entity, data, read_table(path, data, game, folder), game)
    if data is None:
        file = new_source_file(path, entity, game, folder)
        root = parse_root(path, file.to_bytes())
    else:
        root = parse_root(path, data)
        file = parse_xml_file(path, data)
    if entity.rule:
        # The faction that prints the tokens of the rule, "" if none does.
        cards = (*game.cards.values(), *game.stubs.values())
        printing = (card.faction_id for card in cards if entity.rule in card.rule_ids())
        entity = entity._replace(faction=next(printing, ""))
    entity = entity._replace(id=insert_entity(entity, root, file))
    return target_in(entity, game, path, data, file.to_bytes())


def find_targets(entities: Sequence[EntityRef], game: Game, folder: GameFolder) -> list[EditTarget]:
    """Find entities in their files; those of the same XML file share its editable text.

    Raises:
        ChoiceError: if there is no such entity.
        GameError: if a file cannot be read.
        OSError: likewise.
    """
    tables: dict[Path, tuple[bytes, TableContents]] = {}
    files: dict[Path, tuple[Node, XmlFile]] = {}
    targets = []
    for entity in entities:
        path = find_source_file(entity, game, folder)
        if path not in tables and path not in files:
            data = read_content(path, folder)
            if data is None:
                raise missing_error(f"file {path.name}")
            if is_table(path):
                tables[path] = data, read_table(path, data, game, folder)
            else:
                files[path] = parse_root(path, data), parse_xml_file(path, data)
        if path in tables:
            targets.append(_find_row(entity, *tables[path], game))
        else:
            root, file = files[path]
            outline = build_outline(entity, root, game)
            targets.append(EditTarget(entity, file.data, file, outline))
    return targets


def write_targets(targets: Sequence[EditTarget]) -> dict[Path, bytes]:
    """Return the new contents of the files of edited entities, by path."""
    files: dict[Path, list[XmlFile]] = {}
    for target in targets:
        files.setdefault(target.file.path, []).append(target.file)
    return {
        path: write_rows(rows)
        if (rows := [file for file in group if isinstance(file, TableFile)])
        else group[0].to_bytes()
        for path, group in files.items()
    }


def _find_row(entity: EntityRef, data: bytes, contents: TableContents, game: Game) -> EditTarget:
    """Find a card in a table; insert a row for it if it is new."""
    node = None
    if entity.like or not entity.new:
        wanted = entity._replace(id=entity.like or entity.id)
        node = find_element(wanted, contents.cards, game.setup)
        if node is None:
            raise missing_error(f"card `{wanted.id}` in its file")
    file = open_row(entity, node, contents, data)
    outline = build_outline(entity, parse_root(file.path, file.data), game)
    place = file.row.cells[0].place
    return EditTarget(entity, data, file, limit_outline(outline, file.row), place)


def read_table(path: Path, data: bytes, game: Game, folder: GameFolder) -> TableContents:
    """Return the contents of the tables in a file with the content `data`.

    Raises:
        ChoiceError: if the game has no such table.
        GameError: if it cannot be read.
    """
    if path not in folder.tables():
        raise missing_error(f"table {path.name}")
    report: Report = []
    with override_files({path: data}):
        contents = read_table_file(path, folder, game.setup, report)
    if contents is None:
        raise GameError(report)
    return contents


def read_content(path: Path, folder: GameFolder) -> bytes | None:
    """Return the content of a file of the game, None if it does not exist.

    Raises:
        ChoiceError: if it is a link out of the game's folder.
        OSError: if it cannot be read.
    """
    # Links may have been added since the folder cached where paths lead.
    if not path.resolve().is_relative_to(folder.path.resolve()):
        raise ChoiceError(f"{path.name} is a link out of the game's folder")
    return path.read_bytes() if path_exists(path) else None


def find_root(path: Path, data: bytes, game: Game, folder: GameFolder) -> Node:
    """Return the root element of a file's content; for a table, one with its cards as children.

    Raises:
        ChoiceError: if the game has no such table.
        GameError: if it cannot be parsed.
    """
    return read_table(path, data, game, folder).cards if is_table(path) else parse_root(path, data)


def parse_root(path: Path, data: bytes) -> Node:
    """Parse XML and return its root element.

    Raises:
        GameError: if it cannot be parsed.
    """
    report: Report = []
    with override_files({path: data}):
        root = load_document(path, report)
    if root is None:
        raise GameError(report)
    return root


def target_in(
    entity: EntityRef, game: Game, path: Path, before: bytes | None, data: bytes
) -> EditTarget:
    """Find an entity in a file with the content `data`, and the original content `before`.

    Raises:
        ChoiceError: if it is not there.
        GameError: if the content cannot be parsed.
    """
    outline = build_outline(entity, parse_root(path, data), game)
    return EditTarget(entity, before, parse_xml_file(path, data), outline)


def build_outline(entity: EntityRef, root: Node, game: Game) -> EntityOutline:
    """Return the outline of an entity below the root element of its file.

    Raises:
        ChoiceError: if it is not there.
    """
    if entity.of == "texts":
        return outline_texts(entity.id, root, game)
    node = find_element(entity, root, game.setup)
    if node is None:
        raise missing_error(f"{entity.of} `{entity.id}` in its file")
    if entity.of == "rule":
        rule = None if entity.new else game.rules.get(entity.id)
        return outline_rule(entity.id, rule, node, game, new=entity.new)
    if entity.of == "faction":
        faction = None if entity.new else game.factions.get(entity.id)
        return outline_faction(faction, node, game, new=entity.new)
    if entity.new:  # only its kind is known
        kind, name = game.setup.kinds[entity.kind], node.get("name") or ""
        fields = dict.fromkeys(field.name for field in kind.fields)
        children: Mapping[str, tuple[()]] = {spec.tag: () for spec in kind.children}
        card = Card(kind, entity.id, name, entity.faction, fields, children, node.source)
    else:
        card = find_printed(game, entity.faction, entity.id).card
    if card.kind.tag != node.tag and node.tag in game.setup.kinds:
        card = card._replace(kind=game.setup.kinds[node.tag])
    return outline_card(card, node, game, new=entity.new)


def find_element(entity: EntityRef, root: Node, setup: Setup) -> Node | None:
    """Return the element of an entity, None if there is none."""
    if entity.of in {"rule", "faction"}:
        return _find_child(root, entity.id, entity.of)
    token = setup.token_kind
    rule_id, slash, number = entity.id.rpartition("/")
    if token is not None and slash and root.source.path.name == "rules.xml":
        rule = _find_child(root, rule_id, "rule")
        tokens = [*rule.children_named(token.tag)] if rule else []
        at = int(number) if number.isdecimal() else 0
        return tokens[at - 1] if 0 < at <= len(tokens) else None
    return _find_child(root, entity.id, *(kind.tag for kind in setup.card_kinds))
