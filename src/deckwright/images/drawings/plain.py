"""Drawings in plainer words: without style sheets, copies, choices and links.

`use` becomes a group with a copy, `symbol` an `svg`, `switch` the child that it shows, and `a` a
group. What is left is what `read.py` draws; each element keeps its place in the file.
"""

from __future__ import annotations

from deckwright.images.drawings.model import RefusedError, placed_error
from deckwright.images.drawings.sheets import SVG, without_sheets
from deckwright.images.drawings.values import length, refusal
from deckwright.xmlio.node import Node

HREF = "{http://www.w3.org/1999/xlink}href"
_XLINK = "{http://www.w3.org/1999/xlink}"

_DEEPEST = 20
_MOST_COPIED = 20_000
_CONDITIONS = ("requiredFeatures", "requiredExtensions", "systemLanguage")
_PLACE = {"x", "y", "width", "height", "href", "id"}


def plain(root: Node) -> Node:
    """Return a drawing in plainer words.

    Raises:
        DrawingError: with the first thing that cannot be said in them.
    """
    _check_clips(root)
    if not any(node.tag.removeprefix(SVG) in _CHANGED for node in root.walk()):
        return root
    return _Plain(without_sheets(root)).root


def _check_clips(root: Node) -> None:
    """See to it that clips are of shapes, alone or by `use`; all else draws nothing (SVG 2, 14).

    Raises:
        DrawingError: with the first that is not.
    """
    clips = [node for node in root.walk() if node.tag == f"{SVG}clipPath"]
    known = {node.get("id"): node.tag for node in reversed([*root.walk()])} if clips else {}
    for child in (child for clip in clips for child in clip.children):
        tag = child.tag.removeprefix(SVG)
        named = (child.get("href", child.get(HREF)) or "").strip().removeprefix("#")
        copied = known.get(named, "").removeprefix(SVG) if tag == "use" else tag
        if copied in _GROUPS:
            raise placed_error(child, RefusedError(f"`{copied}` in a `clipPath` clips to nothing"))


_GROUPS = {"g", "switch", "a", "symbol", "svg", "use"}


class _Plain:
    """Rewrites one drawing."""

    def __init__(self, root: Node) -> None:
        self._known: dict[str, Node] = {}
        for node in root.walk():
            self._known.setdefault(node.get("id") or "", node)
        self._copied = 0
        self.root = self._node(root, ())

    def _node(self, node: Node, within: tuple[Node, ...]) -> Node:
        """Return an element in plainer words.

        Args:
            within: what it is a copy in, outermost first; nothing if it is no copy.
        """
        tag = node.tag.removeprefix(SVG)
        try:
            if within:
                self._count()
            if tag == "use":
                return self._use(node, within)
            if tag == "switch":
                return self._switch(node, within)
        except RefusedError as error:
            raise placed_error(node, error) from None
        attributes = node.attributes
        if tag == "a":
            tag = "g"
            attributes = _without(node, {"href", "target", "rel", "download", "type"})
        if within and "id" in attributes:
            attributes = {name: text for name, text in attributes.items() if name != "id"}
        copy = Node(node.tag if tag != "g" else f"{SVG}g", attributes, node.source, node.text)
        copy.children = [self._node(child, within) for child in node.children]
        return copy

    def _count(self) -> None:
        self._copied += 1
        if self._copied > _MOST_COPIED:
            raise RefusedError(f"`use` makes copies of more than {_MOST_COPIED:,} elements")

    def _use(self, node: Node, within: tuple[Node, ...]) -> Node:
        href = node.get("href", node.get(HREF)) or ""
        target = self._known.get(href.strip().removeprefix("#"))
        if not href.strip().startswith("#") or target is None:
            raise refusal("href", href, "which `use` cannot find in this drawing")
        if target in within or len(within) > _DEEPEST or node in target.walk():
            raise refusal("href", href, "which leads `use` round in a circle")
        x, y = (length(node.get(name) or "0", name, 0) for name in ("x", "y"))
        moved = Node(f"{SVG}g", {"transform": f"translate({x} {y})"}, node.source)
        inside = (*within, target)
        if target.tag.removeprefix(SVG) in {"symbol", "svg"}:
            sides = {n: text for n in ("width", "height") if (text := node.get(n)) is not None}
            copy = Node(f"{SVG}svg", {**_without(target, {"id"}), **sides}, target.source)
            copy.children = [self._node(child, inside) for child in target.children]
        else:
            copy = self._node(target, inside)
        moved.children = [copy]
        group = Node(f"{SVG}g", _without(node, _PLACE), node.source)
        group.children = [moved]
        return group

    def _switch(self, node: Node, within: tuple[Node, ...]) -> Node:
        """Return a group with the child that is shown: the first that asks for nothing special."""
        shown = [
            child
            for child in node.children
            if child.tag.startswith(SVG)
            and not child.get("requiredExtensions")
            and child.tag != f"{SVG}foreignObject"
        ]
        anyone = [child for child in shown if not child.get("systemLanguage")]
        group = Node(f"{SVG}g", node.attributes, node.source)
        for child in (anyone or shown)[:1]:
            bare = Node(child.tag, _without(child, {*_CONDITIONS}), child.source, child.text)
            bare.children = child.children
            group.children = [self._node(bare, within)]
        return group


_CHANGED = {"style", "use", "switch", "a", "symbol"}


def _without(node: Node, names: set[str]) -> dict[str, str]:
    """Return the attributes of an element without some, whatever their namespace."""
    return {
        name: text
        for name, text in node.attributes.items()
        if name.removeprefix(_XLINK) not in names
    }
