"""Normalize drawings: inline style sheets and resolve `use`, `symbol`, `switch` and `a`.

`use` becomes a group with a copy, `symbol` an `svg`, `switch` the child that it selects, and `a` a
group. The rest is what `read.py` draws; each element keeps its location in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.images.drawings import model
from deckwright.images.drawings.css import parse_declarations
from deckwright.images.drawings.model import (
    XLINK,
    DrawingError,
    RefusedError,
    link_of,
    locate_error,
    locating,
    parse_length,
    refusal,
)
from deckwright.xmlio.node import Node

SVG = f"{{{model.SVG}}}"

_COMPOUND = re.compile(r"(\*|[A-Za-z][\w-]*)?((?:[.#][A-Za-z_][\w-]*)*)")
_PART = re.compile(r"([.#])([\w-]+)")
_MAX_RULES = 2_000
_MAX_RULE_TESTS = 10_000_000
_MAX_STYLE_LENGTH = 10_000_000
"""The most characters of style that are inlined in all."""
_HINT = "write rules such as `.cloth { fill: red }`, or give the elements a `style`"


class _Rule(NamedTuple):
    """A rule with a single selector: a tag, classes and an id."""

    weight: tuple[int, int, int]
    tag: str
    classes: frozenset[str]
    id: str
    body: str
    sheet: Node


def inline_style_sheets(root: Node) -> Node:
    """Return a drawing with the rules of its style sheets moved into `style` attributes."""
    sheets = [node for node in root.walk() if node.tag == f"{SVG}style"]
    if not sheets:
        return root
    rules: list[_Rule] = []
    for sheet in sheets:
        with locating(sheet):
            rules += _rules(sheet)
    if len(rules) > _MAX_RULES:
        message = f"the drawing has more than {_MAX_RULES:,} style rules"
        raise locate_error(sheets[-1], RefusedError(message))
    # The sort is stable: of two rules with equal specificity, the later one wins.
    rules.sort(key=lambda rule: rule.weight)
    tests, room = _MAX_RULE_TESTS, _MAX_STYLE_LENGTH

    def refused(node: Node) -> DrawingError:
        return locate_error(node, RefusedError("the drawing has too many style rules"))

    def inline(node: Node) -> Node:
        """Return an element with its styles inlined, and its children; style sheets are dropped."""
        nonlocal tests, room
        attributes, tag, matching = node.attributes, node.tag.removeprefix(SVG), list[_Rule]()
        if "{" not in tag:
            tests -= len(rules)
            if tests < 0:
                raise refused(node)
            classes, own_id = frozenset((node.get("class") or "").split()), node.get("id")
            matching = [
                rule
                for rule in rules
                if rule.tag in {"*", tag} and rule.classes <= classes and rule.id in {"", own_id}
            ]
        for rule in matching:
            with locating(rule.sheet):
                parse_declarations(rule.body)
        if matching:
            own = [attributes["style"]] if "style" in attributes else []
            style = ";".join([*(rule.body for rule in matching), *own])
            room -= len(style)
            if room < 0:
                raise refused(node)
            attributes = {**attributes, "style": style}
        copy = Node(node.tag, attributes, node.source, node.text, node.tail)
        copy.children = [inline(each) for each in node.children if each.tag != f"{SVG}style"]
        return copy

    return inline(root)


def _rules(sheet: Node) -> Iterator[_Rule]:
    """Yield the rules of a style sheet; unsupported ones are a RefusedError."""
    if (sheet.get("type") or "text/css").strip() not in {"", "text/css"}:
        raise RefusedError(f"a `style` of the type `{sheet.get('type')}` cannot be drawn", "type")
    if (sheet.get("media") or "all").strip() not in {"", "all", "print"}:
        raise RefusedError(f"a `style` for `{sheet.get('media')}` cannot be drawn", "media")
    from tinycss2 import parse_stylesheet, serialize  # slow, rarely needed

    try:
        for rule in parse_stylesheet(sheet.text, skip_comments=True, skip_whitespace=True):
            if rule.type == "at-rule" and rule.lower_at_keyword in {"charset", "font-face"}:
                continue
            if rule.type != "qualified-rule":
                what = f"`@{rule.at_keyword}`" if rule.type == "at-rule" else "an error"
                raise RefusedError(f"`style` has {what}, which cannot be drawn", None, _HINT)
            body = serialize(rule.content).strip().rstrip(";")
            for selector in map(str.strip, serialize(rule.prelude).split(",")):
                match = _COMPOUND.fullmatch(selector)
                if not selector or match is None:
                    message = f"`style` has the selector `{selector}`, which cannot be drawn"
                    raise RefusedError(message, None, _HINT)
                parts = _PART.findall(match[2])
                classes = [name for sign, name in parts if sign == "."]
                ids = [name for sign, name in parts if sign == "#"]
                tag = match[1] or "*"
                weight = len(ids), len(classes), int(tag != "*")
                # A selector with two ids never matches, and neither does their joined text.
                yield _Rule(weight, tag, frozenset(classes), " ".join(ids), body, sheet)
    except RecursionError:
        raise RefusedError("`style` has brackets nested too deeply") from None


_MAX_USE_DEPTH = 20
_MAX_COPIES = 20_000
_CONDITIONS = {"requiredFeatures", "requiredExtensions", "systemLanguage"}
_PLACE = {"x", "y", "width", "height", "href", "id"}
_GROUPS = {"g", "switch", "a", "symbol", "svg", "use"}
_REWRITTEN_TAGS = {"style", "use", "switch", "a", "symbol"}


def normalize_drawing(root: Node) -> Node:
    """Return a drawing in normal form.

    Raises:
        DrawingError: for the first unsupported feature.
    """
    # Clips contain only shapes, directly or by `use`; SVG 2, 14 ignores the rest.
    clips = [node for node in root.walk() if node.tag == f"{SVG}clipPath"]
    known = {node.get("id"): node.tag for node in reversed([*root.walk()])} if clips else {}
    for child in (child for clip in clips for child in clip.children):
        tag = child.tag.removeprefix(SVG)
        named = (link_of(child) or "").strip().removeprefix("#")
        copied = known.get(named, "").removeprefix(SVG) if tag == "use" else tag
        if copied in _GROUPS:
            message = f"`{copied}` in a `clipPath` would hide everything"
            raise locate_error(child, RefusedError(message))
    if not any(node.tag.removeprefix(SVG) in _REWRITTEN_TAGS for node in root.walk()):
        return root
    return _Normalizer(inline_style_sheets(root)).root


class _Normalizer:
    """Normalizes one drawing."""

    def __init__(self, root: Node) -> None:
        self._by_id: dict[str, Node] = {}
        for node in root.walk():
            self._by_id.setdefault(node.get("id") or "", node)
        self._copied = 0
        self.root = self._node(root, ())

    def _node(self, node: Node, within: tuple[Node, ...]) -> Node:
        """Return an element in normal form, within copies of the targets of `use` elements."""
        tag = node.tag.removeprefix(SVG)
        self._copied += bool(within)
        with locating(node):
            if self._copied > _MAX_COPIES:
                raise RefusedError(f"`use` makes copies of more than {_MAX_COPIES:,} elements")
            if tag == "use":
                return self._use(node, within)
        if tag == "switch":
            # The first child without special requirements is shown.
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
                bare = Node(child.tag, _without(child, _CONDITIONS), child.source, child.text)
                bare.children = child.children
                group.children = [self._node(bare, within)]
            return group
        attributes = node.attributes
        if tag == "a":
            tag = "g"
            attributes = _without(node, {"href", "target", "rel", "download", "type"})
        if within and "id" in attributes:
            attributes = {name: text for name, text in attributes.items() if name != "id"}
        copy = Node(node.tag if tag != "g" else f"{SVG}g", attributes, node.source, node.text)
        copy.children = [self._node(child, within) for child in node.children]
        return copy

    def _use(self, node: Node, within: tuple[Node, ...]) -> Node:
        href = link_of(node) or ""
        target = self._by_id.get(href.strip().removeprefix("#"))
        if not href.strip().startswith("#") or target is None:
            raise refusal("href", href, "which `use` cannot find in this drawing")
        if target in within or len(within) > _MAX_USE_DEPTH or node in target.walk():
            raise refusal("href", href, "which makes `use` copy itself")
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


def _without(node: Node, names: set[str]) -> dict[str, str]:
    """Return an element's attributes without some, whatever their namespace."""
    own = node.attributes.items()
    return {name: text for name, text in own if name.removeprefix(XLINK) not in names}
