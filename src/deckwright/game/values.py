"""What the fields of cards may hold, and what is made of it."""

from __future__ import annotations

from deckwright.base.colors import tint
from deckwright.base.findings import Code, Severity
from deckwright.base.numbers import exact, plain
from deckwright.game.kinds import Field, FieldValue, Scalar
from deckwright.xmlio.shape import COLOR, ID, NAME, TEXT, YES_NO, Terms, Value

R004 = Code("R004", Severity.ERROR, "a term, such as a row, that the game does not have")


def shape_of(field: Field, terms: Terms = (), rules: Terms = ()) -> Value:
    """Return what a field may hold, as files write it.

    Args:
        terms: those of its vocabulary.
        rules: the known rules; any id is one if there are none.
    """
    if field.item is not None:
        item = shape_of(field.item, terms, rules)
        return Value(kind="list", item=NAME if item == TEXT else item, separator=field.separator)
    if field.numeric:
        return Value(kind=field.type, minimum=field.minimum, maximum=field.maximum)
    if field.type == "term":
        return Value(kind="term", terms=terms, code=R004)
    if field.type == "rule" and rules:
        return Value(kind="term", terms=rules)
    shapes = {"color": COLOR, "rule": ID, "card": ID, "image": NAME, "flag": YES_NO}
    return shapes.get(field.type, TEXT)


def typed(field: Field, text: str) -> FieldValue:
    """Return the value that a text stands for which the shape of a field accepts."""
    if field.item is None:
        return _typed(field, text)
    parts = shape_of(field).parts(text)
    return tuple(_typed(field.item, part) for part in parts)


def _typed(field: Field, text: str) -> Scalar:
    if field.numeric:
        return exact(float(text))
    if field.type == "color":
        return tint(text)
    if field.type == "flag":
        return text == "true"
    return paragraphs(text) if field.type == "text" else text


def as_written(field: Field, value: FieldValue) -> str:
    """Return a value as files write it, "" for none."""
    return shape_of(field).between.join(map(_as_written, parts_of(value)))


def _as_written(value: Scalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return plain(value)
    return value or ""


def parts_of(value: FieldValue) -> tuple[Scalar, ...]:
    """Return the parts of a list; any other value is its only part."""
    return value if isinstance(value, tuple) else (value,)


def paragraphs(text: str) -> str:
    """Return a text with single spaces, a line for each of its paragraphs."""
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
