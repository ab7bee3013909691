"""Read the attributes of `game.xml` and the fields of kinds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from deckwright.base.numbers import exact
from deckwright.game.kinds import CROPS, Audience, Expression, Field, FieldType
from deckwright.game.pictures import is_sought
from deckwright.game.values import shape_of, typed
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import LARGEST


def text(node: Node, name: str) -> str:
    """Return an attribute, "" if it is not given."""
    return node.get(name) or ""


def number(node: Node, name: str, default: int | None = None) -> int | None:
    """Return an attribute as a whole number."""
    value = node.get(name)
    return default if value is None else int(value)


def bound(node: Node, name: str, default: float) -> float:
    """Return an attribute as a number."""
    value = node.get(name)
    return default if value is None else exact(float(value))


def is_true(node: Node, name: str) -> bool:
    """Return whether an attribute is "true"."""
    return node.get(name) == "true"


def listed(node: Node, name: str) -> tuple[str, ...]:
    """Return the values of an attribute that has commas between them."""
    return tuple(value.strip() for value in (node.get(name) or "").split(",") if value.strip())


def audience(node: Node) -> Audience:
    """Return whom an element is for."""
    return Audience(node.get("only"), node.get("except"))


def read_fields(node: Node) -> tuple[Field, ...]:
    """Return the fields of a kind; each image has two more beside it, for its crop."""
    given = [read_field(child) for child in node.named("field")]
    names = {field.name for field in given}
    fields: list[Field] = []
    for field in given:
        fields.append(field)
        if field.type == "image" and not field.ignored:
            fields += [
                Field(name, crop, optional=True, picture=True, source=field.source)
                for crop in CROPS
                if (name := f"{field.name}-{crop}") not in names
            ]
    return tuple(fields)


_ITEMS = frozenset(("integer", "decimal", "text", "color", "card"))
"""What a list can be of, besides the terms of a vocabulary."""


def list_items(vocabularies: Iterable[str]) -> list[str]:
    """Return what `of` of a list can name."""
    return sorted({*_ITEMS, *vocabularies})


def read_field(node: Node) -> Field:
    """Return a field of a kind."""
    kind, of = cast("FieldType", text(node, "type")), node.get("of")
    default, optional, value = node.get("default"), node.get("optional"), node.get("value")
    if kind == "flag":
        # A flag that is not given is not set.
        optional, default = "true", default or "false"
    elif default is not None or value is not None:
        optional = optional or "true"
    field = Field(
        name=text(node, "name"),
        type=kind,
        vocabulary=of,
        minimum=bound(node, "min", 0),
        maximum=bound(node, "max", LARGEST),
        optional={"": False, "false": False, "true": True}.get(optional or "", optional or ""),
        audience=audience(node),
        value=Expression(value, node.source) if value is not None else None,
        text=text(node, "text"),
        icon=text(node, "icon"),
        unit=text(node, "unit"),
        ignored=is_true(node, "ignored"),
        picture=is_true(node, "picture") or kind == "image",
        find=text(node, "find"),
        sought=kind == "image" and (bool(text(node, "find")) or is_sought(default)),
        source=node.source,
    )
    if kind == "list":
        of = of or "text"
        item = cast("FieldType", of if of in _ITEMS else "term")
        one = field._replace(type=item, optional=False)
        field = field._replace(item=one, separator=node.get("separator") or ",", default=())
    if default is None:
        return field
    accepted = field.one.type == "term" or shape_of(field).accepts(default)
    return field._replace(default=typed(field, default) if accepted else default)
