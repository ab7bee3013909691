"""Find single braces in the texts of templates, where double ones were meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from deckwright.base.findings import Diagnostic
from deckwright.game.braces import lone_braces
from deckwright.game.folder import GameFolder
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node


def template_braces(folder: GameFolder, symbols: Collection[str]) -> Iterator[Diagnostic]:
    """Yield findings about the game's own templates, for each text the first one."""
    for path in folder.own_files():
        if path.is_relative_to(folder.path / "templates"):
            root = load_document(path, [])
            yield from _in(root, symbols) if root else ()


def _in(root: Node, symbols: Collection[str]) -> Iterator[Diagnostic]:
    for node in root.walk():
        text = node.text + "".join(child.tail for child in node.children)
        if "{" in text:
            called = f"the text of `{node.tag}`"
            finding = lone_braces(text, symbols, node.source.at(), called, template=True)
            if finding is not None:
                yield finding
