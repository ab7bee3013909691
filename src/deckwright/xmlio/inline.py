"""Texts that elements may hold instead of attributes, with bold, italic and icons as elements.

What is read of both is the same: `<text>Draw <b>two</b> cards.</text>` says what
`text="Draw **two** cards."` does.
"""

from __future__ import annotations

import re

from deckwright.base.markup import escaped, quoted
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import ID, NAME, Occurs, element, one_of, optional, required

_SIGNS = {"b": "**", "i": "__", "u": "++", "s": "~~"}
_MEANINGS = {"b": "bold", "i": "italic", "u": "underlined", "s": "struck through"}
_LEAVES = (
    Occurs(element("icon", "an icon", required("name", ID, "its name"))),
    Occurs(element("br", "a new line, which begins a paragraph")),
)
_FILL = required("fill", NAME, "the color, such as `red` or `#a33`")
_SPACE = re.compile(r"[ \t\r\n]+")
_SIGNED = re.compile(
    r"""\*\*(?P<b>[^*\n]+)\*\*|__(?P<i>[^_\n]+)__|\+\+(?P<u>[^+\n]+)\+\+|~~(?P<s>[^~\n]+)~~"""
    r"|\{icon:(?P<icon>[^\s{}]+)\}"
)


def _inlines() -> tuple[Occurs, ...]:
    """Return what texts may hold besides words: each may hold the others, two deep."""
    level: tuple[Occurs, ...] = _LEAVES
    for _ in range(2):
        level = (
            *(Occurs(element(tag, said, *level, text=True)) for tag, said in _MEANINGS.items()),
            Occurs(element("tspan", "a run of another color", _FILL, *level, text=True)),
            *_LEAVES,
        )
    return level


_RICH = _inlines()


def text_shape(name: str, meaning: str) -> Occurs:
    """Return the shape of an element that may say what the attribute `name` does."""
    paragraph = Occurs(element("p", "a paragraph", *_RICH, text=True))
    marked = optional("style", one_of("bullet", "number"), "how items are marked: with a bullet")
    item = element("item", "an item", *_RICH, text=True)
    items = Occurs(element("list", "a list", marked, Occurs(item, 1)))
    return Occurs(element(name, meaning, *_RICH, paragraph, items, text=True), 0, 1)


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
        elif child.tag == "list":
            parts.append(_list(child))
        elif child.tag == "tspan":
            parts.append(_between(f"{{fill:{child.get('fill')}}}", _rich(child), "{/fill}"))
        else:
            sign = _SIGNS.get(child.tag, "")
            parts.append(_between(sign, _rich(child), sign))
        parts.append(_SPACE.sub(" ", child.tail))
    return "".join(parts)


def _list(node: Node) -> str:
    """Return a list as lines that begin as its items do."""
    numbered = node.get("style") == "number"
    lines = ["\n"]
    for number, item in enumerate(node.named("item"), 1):
        said = _rich(item).replace("\n", " ").strip()
        lines.append(f"{number}. {said}\n" if numbered else f"• {said}\n")
    return "".join(lines)


def _between(before: str, text: str, behind: str) -> str:
    """Return a text between signs, which stand at its first and last letter on each line."""
    lines = text.split("\n")
    bare = [line.strip(" ") for line in lines]
    signed = (
        line.replace(said, f"{before}{said}{behind}", 1) if said else line
        for line, said in zip(lines, bare, strict=True)
    )
    return "\n".join(signed)


def as_inside(text: str) -> str:
    """Return a text as it stands in an element: bold, italic and icons as elements, if plain."""
    return "<br/>".join(map(_line, filter(None, map(str.strip, text.splitlines()))))


def _line(text: str) -> str:
    parts, at = [], 0
    for found in _SIGNED.finditer(text):
        parts.append(escaped(text[at : found.start()]))
        tag, inner = str(found.lastgroup), str(found[found.lastgroup or 0])
        at = found.end()
        if tag == "icon":
            parts.append(f"<icon name={quoted(inner)}/>")
        elif inner != inner.strip() or _SIGNED.search(inner):
            parts.append(escaped(found[0]))
        else:
            parts.append(f"<{tag}>{escaped(inner)}</{tag}>")
    return "".join([*parts, escaped(text[at:])])
