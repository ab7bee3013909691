"""What a rulebook says in one style alone, or in all but one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckwright.base.findings import Code, Diagnostic, Location, Report, Severity, known_hint
from deckwright.xmlio.node import Node

R030 = Code("R030", Severity.ERROR, "a style that does not exist")


def unknown_style(name: str, known: Sequence[str], place: Location) -> Diagnostic | None:
    """Return the finding that there is no style of a name, None if there is one."""
    if name in known:
        return None
    return R030.at(place, f"there is no style `{name}`", known_hint(name, known))


def of_style(root: Node, style: str | None, known: Sequence[str], report: Report) -> Node:
    """Return an element without what is left out in a style.

    Args:
        style: None for the usual one.
        known: the names of all styles; others are reported.
    """
    children = [
        of_style(child, style, known, report)
        for child in root.children
        if _belongs(child, style, known, report)
    ]
    return replace(root, children=children)


def _belongs(node: Node, style: str | None, known: Sequence[str], report: Report) -> bool:
    """Return whether an element is shown in a style, as its `only` and `except` have it."""
    for attribute in ("only", "except"):
        name = node.get(attribute)
        if name is not None:
            report += filter(None, [unknown_style(name, known, node.source.at(attribute))])
    only = node.get("only")
    return (only is None or only == style) and (style is None or node.get("except") != style)
