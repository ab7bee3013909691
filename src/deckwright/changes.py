"""What git says has changed in a game, and what depends on it."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from deckwright.files import is_file
from deckwright.game.folder import GameFolder
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

_SECONDS = 60
"""How long git may take."""


class GitError(Exception):
    """Git cannot say what has changed; the message says why."""


def affected_files(folder: GameFolder, revision: str) -> set[Path] | None:
    """Return the files to check after what has changed since a revision.

    These are the changed files, decks that use a changed card, card files with a card that uses a
    changed rule, and the decks of these. None means all: the game's set-up, factions, templates or
    pictures have changed, on which everything depends.

    Raises:
        GitError: if the game is not in a git repository, or there is no such revision.
    """
    if revision.startswith("-") or not revision:
        message = f"`{revision}` is not a revision"
        raise GitError(message)
    root = Path(_git(folder.path, "rev-parse", "--show-toplevel").strip())
    _git(folder.path, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    names = _git(folder.path, "diff", "--name-only", "-z", revision, "--", ".").split("\0")
    names += _git(
        folder.path, "ls-files", "--others", "--exclude-standard", "--full-name", "-z"
    ).split("\0")
    changed = {(root / name).resolve() for name in names if name}
    if any(_concerns_all(path, folder) for path in changed):
        return None
    rules = _changed_ids(folder.rules_file, changed, root, revision)
    cards: set[str] = set()
    affected = {path for path in changed if is_file(path) and path.suffix == ".xml"}
    affected = {path for path in affected if path.is_relative_to(folder.xml.resolve())}
    for file in folder.card_files():
        cards |= _changed_ids(file, changed, root, revision)
        users = _cards_with(file, rules)
        cards |= users
        if users:
            affected.add(file.resolve())
    for file in changed:
        if file.parent == folder.cards_folder.resolve() and not is_file(file):
            cards |= set(_elements(_old(file, root, revision)))
    for file in folder.deck_files():
        if _mentions(file, cards):
            affected.add(file.resolve())
    return {path for path in affected if "schema" not in path.parts}


def _concerns_all(path: Path, folder: GameFolder) -> bool:
    """Return whether the whole game depends on a file."""
    files = {folder.game_file, folder.factions_file, folder.factions_file.with_name(
        "factions_definition.xml")}  # fmt: skip
    folders = (folder.path / "templates", folder.images, folder.xml / "sheets")
    return path in {file.resolve() for file in files} or any(
        path.is_relative_to(place.resolve()) for place in folders
    )


def _git(folder: Path, *arguments: str) -> str:
    """Return what a git command says.

    Raises:
        GitError: if there is no git, or it fails.
    """
    try:
        done = subprocess.run(  # noqa: S603 - the arguments are ours, and a revision
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - found as the user's shell does
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"git cannot be run: {error}"
        raise GitError(message) from error
    if done.returncode:
        said = done.stderr.strip().splitlines()
        message = said[0] if said else f"git knows no revision `{arguments[-1].partition('^')[0]}`"
        raise GitError(message)
    return done.stdout


def _old(path: Path, root: Path, revision: str) -> Node | None:
    """Return the root element of a file as it was, None if it was not there or not XML."""
    name = path.relative_to(root.resolve()).as_posix()
    try:
        text = _git(root, "show", f"{revision}:{name}")
    except GitError:
        return None
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary) / "old.xml"
        file.write_text(text, encoding="utf-8")
        loaded = load_document(file, [])
    return loaded[0] if loaded else None


def _elements(node: Node | None) -> dict[str, object]:
    """Return the cards or rules of a file by id, as something to compare."""
    children = node.children if node else []
    return {child.get("id") or "": _likeness(child) for child in children}


def _likeness(node: Node) -> object:
    return (
        node.tag,
        sorted(node.attributes.items()),
        " ".join(node.text.split()),
        [_likeness(child) for child in node.children],
    )


def _changed_ids(path: Path, changed: Iterable[Path], root: Path, revision: str) -> set[str]:
    """Return the ids of the cards or rules of a file that are new, changed or gone."""
    if path.resolve() not in changed:
        return set()
    loaded = load_document(path, [])
    new = _elements(loaded[0] if loaded else None)
    old = _elements(_old(path.resolve(), root, revision))
    return {name for name in {*new, *old} if new.get(name) != old.get(name)}


def _cards_with(path: Path, rules: Iterable[str]) -> set[str]:
    """Return the ids of the cards of a file that use one of these rules."""
    wanted = set(rules)
    loaded = load_document(path, []) if wanted else None
    cards = loaded[0].children if loaded else []
    return {
        card.get("id") or ""
        for card in cards
        if any(child.get("id") in wanted for child in card.named("rule"))
    }


def _mentions(path: Path, cards: Iterable[str]) -> bool:
    """Return whether a deck list names one of these cards."""
    wanted = set(cards)
    loaded = load_document(path, []) if wanted else None
    return loaded is not None and any(
        entry.get("id") in wanted for entry in loaded[0].named("card")
    )
