"""Parse values of JSON as the types that their receivers declare, within bounds."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from deckwright.base.files import to_nfc
from deckwright.base.findings import ChoiceError

T = TypeVar("T")
INVALID_XML_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML does not allow."""


class Bounds(NamedTuple):
    """The least and greatest value of a number, or length of a text, list or content.

    Attributes:
        xml: whether a text must be one that an XML file can hold.
    """

    least: int = 0
    most: int = 1_000_000
    xml: bool = False


Text = Annotated[str, Bounds(1)]
"""A text that is not empty."""


def parse(name: str, hint: Any, value: object) -> Any:  # a type, and its instance
    """Return a value of a request as an instance of a type.

    The type is `object`, `bool`, `int`, `float`, `str` or `bytes` (in base64), a list, mapping or
    NamedTuple of such, `X | None`, or any of them with bounds.

    Args:
        name: the name of the value in messages.

    Raises:
        ChoiceError: if it is of another type, or out of bounds.
    """
    hint, bounds = get_args(hint) if get_origin(hint) is Annotated else (hint, Bounds())
    if get_origin(hint) in {Union, UnionType}:
        first, second = get_args(hint)
        return None if value is None and second is NoneType else parse(name, first, value)
    origin, inner = get_origin(hint) or hint, get_args(hint)
    if origin in {int, float, str, bytes}:
        return _parse_plain(name, origin, value, bounds)
    if origin is list:
        if not isinstance(value, list):
            raise ChoiceError(f"`{name}` is not a list")
        if not bounds.least <= len(value) <= bounds.most:
            raise ChoiceError(f"`{name}` must have {bounds.least} to {bounds.most} entries")
        return [parse(name, inner[0], each) for each in value]
    if origin is Mapping:
        if not isinstance(value, dict):
            raise ChoiceError(f"`{name}` is not a JSON object")
        return {key: parse(name, inner[1], each) for key, each in value.items()}
    if hasattr(origin, "_fields"):
        return parse_fields(origin, value, name)
    return value is True or value == "true" if origin is bool else value


def _parse_plain(name: str, kind: type, value: object, bounds: Bounds) -> float | str | bytes:
    if kind in {int, float}:
        if (
            not isinstance(value, (int, kind))
            or isinstance(value, bool)
            or not bounds.least <= value <= bounds.most
        ):
            raise ChoiceError(f"`{name}` is not a number from {bounds.least} to {bounds.most}")
        return value
    if not isinstance(value, str) or len(value) < bounds.least:
        raise ChoiceError(f"`{name}` is not a text")
    if kind is bytes:
        try:
            return base64.b64decode(value, validate=True)
        except ValueError:
            raise ChoiceError(f"`{name}` is not in base64") from None
    if len(value) > bounds.most:
        raise ChoiceError(f"`{name}` has more than {bounds.most} characters")
    if bounds.xml and INVALID_XML_CHARACTER.search(value):
        raise ChoiceError(f"`{name}` has characters that no XML file can hold", "leave them out")
    return to_nfc(value) if bounds.xml else value


@cache
def _fields_of(kind: Any) -> dict[str, Any]:  # a type
    return get_type_hints(kind, include_extras=True)


def parse_fields(kind: type[T], body: object, name: str = "request") -> T:
    """Return a JSON object as an instance of a NamedTuple, whose fields may have defaults.

    A field called like a keyword of Python ends in `_`.

    Raises:
        ChoiceError: if it is not an object, or a field is missing or wrong.
    """
    if not isinstance(body, dict):
        raise ChoiceError(f"`{name}` is not a JSON object")
    defaults: dict[str, object] = vars(kind)["_field_defaults"]
    hints = _fields_of(kind)  # type: ignore[arg-type] # classes are hashable
    given = {
        field: parse(name, hint, body.get(name))
        for field, hint in hints.items()
        if body.get(name := field.rstrip("_")) is not None or field not in defaults
    }
    return kind(**given)
