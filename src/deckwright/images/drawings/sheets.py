"""Style sheets in drawings: `<style>.cls-1 { fill: red }</style>`, as drawing programs write them.

A declaration of a sheet comes after the attributes of an element and before its own `style`. It is
written into that `style`, in front of what stands there, so that there is one cascade only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.images.drawings.model import RefusedError, placed_error
from deckwright.images.drawings.style import declarations
from deckwright.xmlio.node import Node

SVG = "{http://www.w3.org/2000/svg}"

_COMPOUND = re.compile(r"(\*|[A-Za-z][\w-]*)?((?:[.#][A-Za-z_][\w-]*)*)")
_PART = re.compile(r"([.#])([\w-]+)")
_MOST_RULES = 2_000
_MOST_TRIED = 10_000_000
"""How many elements are tried for how many rules, multiplied."""
_MOST_WRITTEN = 10_000_000
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


def without_sheets(root: Node) -> Node:
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
            raise placed_error(sheet, error) from None
    if len(rules) > _MOST_RULES:
        message = f"the drawing has more than {_MOST_RULES:,} rules of style"
        raise placed_error(sheets[-1], RefusedError(message))
    # Of two that weigh the same, the later one counts.
    rules.sort(key=lambda rule: rule.weight)
    return _Styling(rules).of(root)


class _Styling:
    """Writes what rules say into the elements that they are for."""

    def __init__(self, rules: list[_Rule]) -> None:
        self._rules = rules
        self._left = _MOST_TRIED
        self._room = _MOST_WRITTEN

    def of(self, node: Node) -> Node:
        """Return an element in its style, with those in it; style sheets are left out."""
        says = self._for(node)
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

    def _for(self, node: Node) -> list[_Rule]:
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
                declarations(rule.says)
            except RefusedError as error:
                raise placed_error(rule.sheet, error) from None
        return says

    def _check(self, node: Node) -> None:
        if min(self._left, self._room) < 0:
            raise placed_error(node, RefusedError("the drawing has too many rules of style"))


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
