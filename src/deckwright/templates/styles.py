"""Read `templates/styles.xml`: names for colors and for sets of attributes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.colors import NAMED_COLORS
from deckwright.base.files import is_there
from deckwright.base.findings import Report
from deckwright.game.reading import load_valid
from deckwright.xmlio.shape import COLOR, ID, TEXT, Occurs, element, key, required

SHAPE = element(
    "styles",
    "names for colors and for sets of attributes, for all templates",
    Occurs(
        element(
            "color",
            "a named color",
            key("name", ID, "how templates call it"),
            required("value", COLOR, "the color that is printed"),
        )
    ),
    Occurs(
        element(
            "style",
            "attributes for the elements that name it with `class`",
            key("name", ID, "what `class` names it by"),
            free=TEXT,
        )
    ),
)


class StyleSheet(NamedTuple):
    """Colors by name, and attributes by style name."""

    colors: Mapping[str, str]
    texts: Mapping[str, Mapping[str, str]]


def load_styles(path: Path, report: Report) -> StyleSheet:
    """Return the style sheet at `path`; an empty one if there is none, or after reporting."""
    if not is_there(path):
        return StyleSheet({}, {})
    root = load_valid(path, SHAPE, report)
    if root is None:
        return StyleSheet({}, {})
    colors = {node.attributes["name"]: node.attributes["value"] for node in root.named("color")}
    texts = {
        node.attributes["name"]: {k: v for k, v in node.attributes.items() if k != "name"}
        for node in root.named("style")
    }
    return StyleSheet({name: NAMED_COLORS.get(c, c).lower() for name, c in colors.items()}, texts)
