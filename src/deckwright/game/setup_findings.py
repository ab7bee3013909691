"""What checks of `game.xml` have in common."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, known_hint
from deckwright.game.read_field import bound, is_true
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import described

G001 = Code("G001", Severity.ERROR, "game.xml refers to something that it does not define")
G002 = Code("G002", Severity.ERROR, "game.xml contradicts itself")

EVERY_CARD = ("id", "name", "faction_id", "kind")
"""What conditions and limits may name besides a kind's own fields."""


def unknown(node: Node, attribute: str, what: str, known: Collection[str]) -> Iterator[Diagnostic]:
    """Yield a finding if the value of an attribute is not known."""
    value = node.get(attribute)
    if value is not None and value not in known:
        yield G001.at(
            node.source.at(attribute),
            f"{described(node)} names the {what} `{value}`, which game.xml does not define",
            known_hint(value, sorted(known)),
        )


def mixed_bounds(node: Node) -> Iterator[Diagnostic]:
    """The least is not above the most."""
    least, most = bound(node, "min", 0), bound(node, "max", math.inf)
    for name in ("min", "max"):
        if node.get("type") == "integer" and not isinstance(bound(node, name, 0), int):
            message = f"{described(node)} is a whole number, but `{name}` is {node.get(name)}"
            yield G002.at(node.source.at(name), message, "write a whole number, or `decimal`")
    if least > most:
        message = f"`min` is {least}, more than `max`, which is {most}"
        yield G002.at(node.source.at("min"), message, "swap the two")


def several(nodes: Iterable[Node], name: str, message: str) -> Iterator[Diagnostic]:
    """At most one element has a flag."""
    for node in [node for node in nodes if is_true(node, name)][1:]:
        yield G002.at(node.source.at(name), message)
