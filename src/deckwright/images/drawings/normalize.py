"""Drawings in plainer words: without style sheets, copies, choices and links.

`use` becomes a group with a copy, `symbol` an `svg`, `switch` the child that it shows, and `a` a
group. What is left is what `read.py` draws; each element keeps its place in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.images.drawings.css import parse_declarations
from deckwright.images.drawings.model import RefusedError, locate_error, parse_length, refusal
from deckwright.xmlio.node import Node

SVG = "{http://www.w3.org/2000/svg}"

_COMPOUND = re.compile(r"(\*|[A-Za-z][\w-]*)?((?:[.#][A-Za-z_][\w-]*)*)")
_PART = re.compile(r"([.#])([\w-]+)")
_MAX_RULES = 2_000
_MAX_RULE_TESTS = 10_000_000
"""How many elements are tried for how many rules, multiplied."""
_MAX_STYLE_LENGTH = 10_000_000
"""How many characters of style the elements have together."""
_HINT = "write rules such as `.cloth { fill: red }`, or give the elements a `style`"


class _Rule(NamedTuple):
    """What one selector says: an element of a tag, with classes and an id."""

    weight: tuple[int, int, int]
    tag: str
    classes: frozenset[str]
    id: str
    says: str
    sheet: Node


def inline_style_sheets(root: Node) -> Node:
    """Return a drawing in which elements say themselves what its style sheets say of them.

    Raises:
        DrawingError: if a sheet has what cannot be read.
    """
    sheets = [node for node in root.walk() if node.tag == f"{SVG}style"]
    if not sheets:
        return root
    rules: list[_Rule] = []
    for sheet in sheets:
        try:
            rules += _rules(sheet)
        except RefusedError as error:
            raise locate_error(sheet, error) from None
    if len(rules) > _MAX_RULES:
        message = f"the drawing has more than {_MAX_RULES:,} rules of style"
        raise locate_error(sheets[-1], RefusedError(message))
    # Of two that weigh the same, the later one counts.
    rules.sort(key=lambda rule: rule.weight)
    return _StyleInliner(rules).of(root)


class _StyleInliner:
    """Writes what rules say into the elements that they are for."""

    def __init__(self, rules: list[_Rule]) -> None:
        self._rules = rules
        self._left = _MAX_RULE_TESTS
        self._room = _MAX_STYLE_LENGTH

    def of(self, node: Node) -> Node:
        """Return an element in its style, with those in it; style sheets are left out."""
        says = self._matching_rules(node)
        attributes = node.attributes
        if says:
            own = [attributes["style"]] if "style" in attributes else []
            style = ";".join([*(rule.says for rule in says), *own])
            self._room -= len(style)
            self._check(node)
            attributes = {**attributes, "style": style}
        copy = Node(node.tag, attributes, node.source, node.text, node.tail)
        copy.children = [self.of(child) for child in node.children if not _is_sheet(child)]
        return copy

    def _matching_rules(self, node: Node) -> list[_Rule]:
        tag = node.tag.removeprefix(SVG)
        if "{" in tag:
            return []
        self._left -= len(self._rules)
        self._check(node)
        classes = frozenset((node.get("class") or "").split())
        says = [
            rule
            for rule in self._rules
            if rule.tag in {"*", tag}
            and rule.classes <= classes
            and rule.id in {"", node.get("id")}
        ]
        for rule in says:
            try:
                parse_declarations(rule.says)
            except RefusedError as error:
                raise locate_error(rule.sheet, error) from None
        return says

    def _check(self, node: Node) -> None:
        if min(self._left, self._room) < 0:
            raise locate_error(node, RefusedError("the drawing has too many rules of style"))


def _is_sheet(node: Node) -> bool:
    return node.tag == f"{SVG}style"


def _rules(sheet: Node) -> Iterator[_Rule]:
    """Yield the rules of a sheet.

    Raises:
        RefusedError: if it has others than those.
    """
    if (sheet.get("type") or "text/css").strip() not in {"", "text/css"}:
        raise RefusedError(f"a `style` of the type `{sheet.get('type')}` cannot be drawn", "type")
    if (sheet.get("media") or "all").strip() not in {"", "all", "print"}:
        raise RefusedError(f"a `style` for `{sheet.get('media')}` cannot be drawn", "media")
    from tinycss2 import parse_stylesheet, serialize  # noqa: PLC0415 - slow, rarely needed

    try:
        parsed = parse_stylesheet(sheet.text, skip_comments=True, skip_whitespace=True)
        for rule in parsed:
            if rule.type == "at-rule" and rule.lower_at_keyword in {"charset", "font-face"}:
                continue
            if rule.type != "qualified-rule":
                what = f"`@{rule.at_keyword}`" if rule.type == "at-rule" else "an error"
                raise RefusedError(f"`style` has {what}, which cannot be drawn", None, _HINT)
            says = serialize(rule.content).strip().rstrip(";")
            for selector in serialize(rule.prelude).split(","):
                yield _rule(selector.strip(), says, sheet)
    except RecursionError:
        raise RefusedError("`style` has brackets nested too deeply") from None


def _rule(selector: str, says: str, sheet: Node) -> _Rule:
    found = _COMPOUND.fullmatch(selector)
    if not selector or found is None:
        message = f"`style` has the selector `{selector}`, which cannot be drawn"
        raise RefusedError(message, None, _HINT)
    parts = _PART.findall(found[2])
    classes = [name for sign, name in parts if sign == "."]
    ids = [name for sign, name in parts if sign == "#"]
    tag = found[1] or "*"
    weight = len(ids), len(classes), int(tag != "*")
    # An element has one id, so it never has two.
    return _Rule(weight, tag, frozenset(classes), " ".join(ids), says, sheet)


HREF = "{http://www.w3.org/1999/xlink}href"
_XLINK = "{http://www.w3.org/1999/xlink}"

_MAX_USE_DEPTH = 20
_MAX_COPIES = 20_000
_CONDITIONS = ("requiredFeatures", "requiredExtensions", "systemLanguage")
_PLACE = {"x", "y", "width", "height", "href", "id"}


def normalize_drawing(root: Node) -> Node:
    """Return a drawing in plainer words.

    Raises:
        DrawingError: with the first thing that cannot be said in them.
    """
    _check_clips(root)
    if not any(node.tag.removeprefix(SVG) in _REWRITTEN_TAGS for node in root.walk()):
        return root
    return _Normalizer(inline_style_sheets(root)).root


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
            raise locate_error(child, RefusedError(f"`{copied}` in a `clipPath` clips to nothing"))


_GROUPS = {"g", "switch", "a", "symbol", "svg", "use"}


class _Normalizer:
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
            raise locate_error(node, error) from None
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
        if self._copied > _MAX_COPIES:
            raise RefusedError(f"`use` makes copies of more than {_MAX_COPIES:,} elements")

    def _use(self, node: Node, within: tuple[Node, ...]) -> Node:
        href = node.get("href", node.get(HREF)) or ""
        target = self._known.get(href.strip().removeprefix("#"))
        if not href.strip().startswith("#") or target is None:
            raise refusal("href", href, "which `use` cannot find in this drawing")
        if target in within or len(within) > _MAX_USE_DEPTH or node in target.walk():
            raise refusal("href", href, "which leads `use` round in a circle")
        x, y = (parse_length(node.get(name) or "0", name, 0) for name in ("x", "y"))
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


_REWRITTEN_TAGS = {"style", "use", "switch", "a", "symbol"}


def _without(node: Node, names: set[str]) -> dict[str, str]:
    """Return the attributes of an element without some, whatever their namespace."""
    return {
        name: text
        for name, text in node.attributes.items()
        if name.removeprefix(_XLINK) not in names
    }
