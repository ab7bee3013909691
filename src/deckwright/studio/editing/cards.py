"""The outlines of cards and tokens, made from their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckwright.game.kinds import Children as ChildSpec
from deckwright.game.kinds import Field
from deckwright.game.model import Card, Game
from deckwright.game.shapes import MOST_CHILDREN, kind_shape, known_of
from deckwright.game.values import as_written
from deckwright.studio.editing.outline import Children, Entry, Outline, id_of, shown
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Shape


def outline_of_card(card: Card, node: Node, game: Game, *, new: bool = False) -> Outline:
    """Return what a card says.

    Args:
        card: as the game has it; its fields count where they are worked out.
        node: its element.
        new: whether its id can be chosen.
    """
    kind = card.kind
    shape = kind_shape(game.setup, kind, known_of(game))
    entries = [_name(shape, node)]
    if not new or not kind.token:
        entries.insert(0, id_of(shape, node, card.id, new=new))
    for field in kind.fields:
        if field.value is not None:
            value = as_written(field, card.fields.get(field.name))
            entries.append(shown(field.name, field.text, value, field))
    entries += _entries(shape, kind.fields, node)
    order = {field.name: place for place, field in enumerate(kind.fields)}
    entries.sort(key=lambda entry: order.get(entry.name, -1))
    return Outline(
        title=card.name,
        called=kind.name,
        node=node,
        entries=tuple(entries),
        children=tuple(_children(card, shape, node, game)),
        order=tuple(attribute.name for attribute in shape.attributes),
        nodes=(node,),
    )


def _name(shape: Shape, node: Node) -> Entry:
    attribute = shape.attribute("name")
    assert attribute is not None
    return Entry("name", "", "name", attribute, node)


def _entries(shape: Shape, fields: Iterable[Field], node: Node | None) -> Iterator[Entry]:
    for field in fields:
        attribute = shape.attribute(field.name)
        if field.value is None and not field.ignored and attribute is not None:
            rich = field.type == "text" and not field.picture
            kind = field.type
            yield Entry(field.name, field.text, kind, attribute, node, field, rich=rich)


def _label(spec: ChildSpec, game: Game) -> str:
    """Return what children are called: as their first field, or as the vocabulary of it."""
    first = spec.fields[0]
    named = game.setup.vocabularies.get(first.one.vocabulary or "") if spec.single else None
    return first.text or (named.name if named else "")


def _children(card: Card, shape: Shape, node: Node, game: Game) -> Iterator[Children]:
    earlier: list[str] = []
    for spec in card.kind.children:
        occurs = shape.child(spec.tag)
        assert occurs is not None
        yield Children(
            tag=spec.tag,
            plural=spec.plural,
            label=_label(spec, game),
            single=spec.single,
            minimum=spec.minimum,
            maximum=MOST_CHILDREN if spec.maximum is None else spec.maximum,
            entries=tuple(_entries(occurs.shape, spec.fields, None)),
            nodes=tuple(node.named(spec.tag)),
            order=tuple(attribute.name for attribute in occurs.shape.attributes),
            earlier=tuple(earlier),
        )
        earlier.append(spec.tag)
