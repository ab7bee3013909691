"""Read the attributes of `game.xml` and the fields of kinds."""

from __future__ import annotations

import re
from typing import cast

from deckwright.game.setup import CROPS, Audience, Field, FieldType
from deckwright.xmlio.node import Node


def text(node: Node, name: str) -> str:
    """Return an attribute, "" if it is not given."""
    return node.get(name) or ""


def number(node: Node, name: str, default: int | None = None) -> int | None:
    """Return an attribute as a whole number."""
    value = node.get(name)
    return default if value is None else int(value)


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
                Field(name, crop, optional=True, picture=True)
                for crop in CROPS
                if (name := f"{field.name}-{crop}") not in names
            ]
    return tuple(fields)


def read_field(node: Node) -> Field:
    """Return a field of a kind."""
    optional = node.get("optional") or ""
    default = node.get("default")
    kind = cast("FieldType", text(node, "type"))
    if kind == "flag":
        # A flag that is not given is not set.
        optional, default = "true", default or "false"
    whole = kind == "integer" and default and re.fullmatch("[+-]?[0-9]{1,9}", default)
    return Field(
        name=text(node, "name"),
        type=kind,
        vocabulary=node.get("of"),
        minimum=number(node, "min", 0) or 0,
        maximum=number(node, "max", 9999) or 0,
        optional={"": False, "false": False, "true": True}.get(optional, optional),
        audience=audience(node),
        default=default == "true"
        if kind == "flag"
        else int(default)
        if whole and default
        else default,
        text=text(node, "text"),
        icon=text(node, "icon"),
        ignored=is_true(node, "ignored"),
        picture=is_true(node, "picture") or kind == "image",
    )
