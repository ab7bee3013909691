"""What git says has changed in a game, and what depends on it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from deckwright.base.files import belongs, is_file
from deckwright.base.git import changed_files, find_revision, take_out
from deckwright.game.folder import GameFolder
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

_NAMES = re.compile(r"[^\s,;/|]+")
"""What may be an id in a field, of which a list has several."""


def affected_files(folder: GameFolder, revision: str) -> set[Path] | None:
    """Return the files to check after what has changed since a revision.

    These are the changed files, decks that use a changed card, card files with a card that uses a
    changed rule, and the decks of these. None means all: the game's set-up, factions, templates or
    pictures have changed, on which everything depends.

    Raises:
        GitError: if the game is not in a git repository, or there is no such revision.
    """
    state = find_revision(folder.path, revision)
    names = changed_files(state)
    changed = {(folder.path / name).resolve() for name in names}
    if any(_concerns_all(path, folder) for path in changed):
        return None
    with tempfile.TemporaryDirectory(prefix="deckwright-") as temporary:
        old = Path(temporary)
        take_out(state, old, lambda path: path in names and path.suffix == ".xml")
        return _affected(folder, changed, old)


def _affected(folder: GameFolder, changed: set[Path], old: Path) -> set[Path]:
    """Return the changed files and those that depend on them.

    Args:
        changed: the changed files of the game.
        old: a folder with the game's changed XML files as they were.
    """

    def ids(path: Path) -> set[str]:
        """Return the ids of the cards or rules of a file that are new, changed or gone."""
        path = path.resolve()
        if path not in changed or not belongs(path, folder.path):
            return set()
        before = _elements(old / path.relative_to(folder.path.resolve()))
        now = _elements(path)
        return {name for name in before.keys() | now if before.get(name) != now.get(name)}

    affected = {path for path in changed if is_file(path) and path.suffix == ".xml"}
    affected = {path for path in affected if path.is_relative_to(folder.xml.resolve())}
    rules = ids(folder.rules_file)
    gone = [path for path in changed if path.parent == folder.cards_folder.resolve()]
    cards: set[str] = set().union(*map(ids, {*folder.card_files(), *gone}))
    for file in folder.card_files():
        users = _cards_with(file, rules) | _cards_naming(file, cards)
        cards |= users
        if users:
            affected.add(file.resolve())
    restricted = any(path.parent == folder.restrictions_folder.resolve() for path in changed)
    for file in folder.deck_lists():
        if restricted or _mentions(file, cards):
            affected.add(file.resolve())
    return {path for path in affected if "schema" not in path.parts}


def _concerns_all(path: Path, folder: GameFolder) -> bool:
    """Return whether the whole game depends on a file."""
    files = {folder.game_file, folder.factions_file, folder.factions_file.with_name(
        "factions_definition.xml")}  # fmt: skip
    folders = (folder.path / "templates", folder.images, folder.xml / "sheets")
    return path in {file.resolve() for file in (*files, *folder.tables())} or any(
        path.is_relative_to(place.resolve()) for place in folders
    )


def _elements(path: Path) -> dict[str, object]:
    """Return the cards or rules of a file by id, as something to compare; none if it is no XML."""
    root = load_document(path, [])
    return {child.get("id") or "": _likeness(child) for child in (root.children if root else [])}


def _likeness(node: Node) -> object:
    return (
        node.tag,
        sorted(node.attributes.items()),
        " ".join(node.text.split()),
        [_likeness(child) for child in node.children],
    )


def _cards_with(path: Path, rules: Iterable[str]) -> set[str]:
    """Return the ids of the cards of a file that use one of these rules."""
    wanted = set(rules)
    root = load_document(path, []) if wanted else None
    cards = root.children if root else []
    return {
        card.get("id") or ""
        for card in cards
        if any(child.get("id") in wanted for child in card.named("rule"))
    }


def _cards_naming(path: Path, cards: Iterable[str]) -> set[str]:
    """Return the ids of the cards of a file in whose fields stands the id of one of these cards."""
    wanted = set(cards)
    root = load_document(path, []) if wanted else None
    return {
        card.get("id") or ""
        for card in (root.children if root else [])
        for node in card.walk()
        for name, value in node.attributes.items()
        if name != "id" and not wanted.isdisjoint(_NAMES.findall(value))
    }


def _mentions(path: Path, cards: Iterable[str]) -> bool:
    """Return whether a deck list names one of these cards."""
    wanted = set(cards)
    root = load_document(path, []) if wanted else None
    return root is not None and any(entry.get("id") in wanted for entry in root.named("card"))
