"""What a thing says, value by value, with the elements of its file that say it."""

from __future__ import annotations

from typing import NamedTuple

from deckwright.game.kinds import Field
from deckwright.xmlio.inline import said
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import TEXT, Attribute, Shape


class Entry(NamedTuple):
    """A value of a thing.

    Attributes:
        name: what the page calls it: the attribute's name, where the thing is one element.
        type: what it holds, as the page knows types.
        attribute: what says it, and what it may be.
        node: the element that has the attribute; None for children, whose elements differ.
        field: what `game.xml` says of it, for cards.
        fixed: what is shown where it cannot be changed, None where it can.
        inside: whether the text of an element inside says it, which is called as the attribute is.
        rich: whether bold, icons and the like are understood in it.
    """

    name: str
    label: str
    type: str
    attribute: Attribute
    node: Node | None = None
    field: Field | None = None
    fixed: str | None = None
    inside: bool = False
    rich: bool = False

    def value(self, node: Node | None = None) -> str | None:
        """Return the value as the file has it, None if it is not given.

        Args:
            node: of an entry of children, the child.
        """
        node = node or self.node
        if self.fixed is not None or node is None:
            return self.fixed
        name = self.attribute.name
        if self.inside:
            return next((" ".join(inside.text.split()) for inside in node.named(name)), None)
        return said(node, name) if self.attribute.element else node.get(name)

    def cleaned(self, text: str | None, before: str | None) -> str | None:
        """Return a value as it is written, None for none; as before if only its spaces differ."""
        if text is None:
            return None
        plain = self.plain(text)
        if before is not None and plain == self.plain(before):
            return before
        may_be_empty = self.type in _TEXTS and self.attribute.required
        return plain if plain or may_be_empty else None

    def plain(self, text: str) -> str:
        """Return a value with single spaces."""
        lines = (" ".join(line.split()) for line in text.splitlines())
        return ("\n" if self.rich else " ").join(filter(None, lines))


_TEXTS = ("text", "name")


class Children(NamedTuple):
    """The children of one tag that a thing has.

    Attributes:
        earlier: the tags of those that stand before them.
        order: the names of their attributes as they are written.
        minimum, maximum: how many there may be.
    """

    tag: str
    plural: str
    label: str
    single: bool
    minimum: int
    maximum: int
    entries: tuple[Entry, ...]
    nodes: tuple[Node, ...]
    order: tuple[str, ...]
    earlier: tuple[str, ...] = ()


class Outline(NamedTuple):
    """A thing as it stands in its file.

    Attributes:
        title: what it is called.
        called: what kind of thing it is, in the game's words where it has some.
        node: its element.
        nodes: the elements whose text tells whether anybody has changed it.
        order: the names of its attributes as they are written.
    """

    title: str
    called: str
    node: Node
    entries: tuple[Entry, ...]
    children: tuple[Children, ...] = ()
    order: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()


def shown(name: str, label: str, value: str, field: Field | None = None) -> Entry:
    """Return a value that cannot be changed."""
    kind = field.type if field else "text"
    return Entry(name, label, kind, Attribute(name, TEXT), field=field, fixed=value)


def id_of(shape: Shape, node: Node, known: str, *, new: bool) -> Entry:
    """Return the id of a thing, which can be chosen as long as that is new."""
    if not new:
        return shown("id", "", known)
    return Entry("id", "", "id", shape.attribute("id") or Attribute("id", required=True), node)
