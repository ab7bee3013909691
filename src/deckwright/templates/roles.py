"""What elements are to those who do not see a page: the attribute `role`."""

from __future__ import annotations

from deckwright.ops.tags import Tag
from deckwright.templates.attributes import Attr, Values, choice

_TAGS = {
    "p": "P",
    "h1": "H1",
    "h2": "H2",
    "h3": "H3",
    "h4": "H4",
    "table": "Table",
    "tr": "TR",
    "th": "TH",
    "td": "TD",
    "figure": "Figure",
}
"""The names of HTML, and the elements of PDF that they are."""


def role() -> Attr:
    """What it is in the structure of a page; nothing of its own if it is not given."""
    return choice("", *_TAGS)


def tag_of(values: Values) -> Tag | None:
    """Return what an element with these values is."""
    name = values["role"]
    if not name:
        return None
    return Tag(_TAGS[name], values.get("alt", ""))
