"""Find slips in a game's templates that print too much or nothing: braces, and unpainted shapes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.game.braces import lone_braces
from deckwright.game.folder import GameFolder
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node

T022 = Code("T022", Severity.WARNING, "a shape that prints nothing")

_SHAPES = frozenset({"rect", "circle", "ellipse", "polygon", "path"})
_PAINTS = ("fill", "stroke")


def template_slips(folder: GameFolder, symbols: Collection[str]) -> Iterator[Diagnostic]:
    """Yield findings about the game's own templates.

    Args:
        symbols: the ids of the game's symbols.
    """
    within = folder.path / "templates"
    files = (load_document(path, []) for path in folder.own_files() if path.is_relative_to(within))
    roots = [root for root in files if root]
    painting = {
        node.get("name")
        for root in roots
        for node in root.named("style")
        if root.tag == "styles" and _paints(node)
    }
    for root in roots:
        for node in root.walk():
            yield from _braces(node, symbols)
            if node.tag in _SHAPES and not _paints(node) and node.get("class") not in painting:
                message = f"`{node.tag}` has neither `fill` nor `stroke`, so it prints nothing"
                hint = 'add `fill="black"`, which SVG would take, or leave it out'
                yield T022.at(node.source.at(), message, hint)


def _paints(node: Node) -> bool:
    """Return whether an element, or a style, has a fill or a stroke."""
    return any(node.get(name, "none") != "none" for name in _PAINTS)


def _braces(node: Node, symbols: Collection[str]) -> Iterator[Diagnostic]:
    """Yield the first finding about the text of an element, if there is one."""
    text = node.text + "".join(child.tail for child in node.children)
    if "{" in text:
        called = f"the text of `{node.tag}`"
        finding = lone_braces(text, symbols, node.source.at(), called, template=True)
        if finding is not None:
            yield finding
