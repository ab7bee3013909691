"""Texts that elements may hold instead of attributes, with bold, italic and icons as elements.

What is read of both is the same: `<text>Draw <b>two</b> cards.</text>` says what
`text="Draw **two** cards."` does.
"""

from __future__ import annotations

import re

from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import ID, Occurs, element, required

_ICON = element("icon", "an icon", required("name", ID, "its name"))
_BREAK = element("br", "a new line, which begins a paragraph")
_LEAVES = (Occurs(_ICON), Occurs(_BREAK))
_BOLD = element("b", "bold", *_LEAVES, Occurs(element("i", "italic", text=True)), text=True)
_ITALIC = element("i", "italic", *_LEAVES, Occurs(element("b", "bold", text=True)), text=True)
_RICH = (Occurs(_BOLD), Occurs(_ITALIC), *_LEAVES)
_SIGNS = {"b": "**", "i": "__"}
_SPACE = re.compile(r"[ \t\r\n]+")


def text_shape(name: str, meaning: str) -> Occurs:
    """Return the shape of an element that may say what the attribute `name` does."""
    paragraph = Occurs(element("p", "a paragraph", *_RICH, text=True))
    return Occurs(element(name, meaning, *_RICH, paragraph, text=True), 0, 1)


def said(node: Node, name: str) -> str | None:
    """Return the text that an attribute, or an element of its name, gives; None if there is none.

    White space in an element means nothing; `<br/>` and `<p>` make new lines.
    """
    given = node.get(name)
    inside = next(node.named(name), None) if given is None else None
    if inside is None:
        return given
    lines = (line.strip(" ") for line in _rich(inside).split("\n"))
    return "\n".join(filter(None, lines))


def _rich(node: Node) -> str:
    parts = [_SPACE.sub(" ", node.text)]
    for child in node.children:
        if child.tag == "icon":
            parts.append(f"{{icon:{child.get('name')}}}")
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag == "p":
            parts += ["\n", _rich(child), "\n"]
        else:
            parts.append(_between(_SIGNS.get(child.tag, ""), _rich(child)))
        parts.append(_SPACE.sub(" ", child.tail))
    return "".join(parts)


def _between(sign: str, text: str) -> str:
    """Return a text between signs, which stand at its first and last letter on each line."""
    return "\n".join(
        re.sub(r"^( *)(.*?)( *)$", rf"\1{sign}\2{sign}\3", line) if line.strip() else line
        for line in text.split("\n")
    )
