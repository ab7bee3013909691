"""Templates: XML files that become programs, and programs that become ops.

A template is read as XML first. Its expressions are then gathered into one Jinja program, which
writes, for one card, the values of all its elements in one go; each repeated or left-out element is
a loop or a condition of that program. Records are divided by control characters, which XML cannot
contain.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from deckwright.diagnostics import (
    Code,
    Location,
    Severity,
)
from deckwright.face.attributes import Palette, Values
from deckwright.face.elements import ElementType
from deckwright.face.ops import Op
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from jinja2 import Template as Program

    from deckwright.face.expressions import Expressions

T006 = Code("T006", Severity.ERROR, "an expression in a template that fails")

RECORD = "\x01"
VALUE = "\x02"
END = "\x03"
"""Begin a record, begin a value, end what an element holds. XML cannot contain them."""


@dataclass(eq=False, slots=True)
class Part:
    """One element of a template, ready to run.

    Attributes:
        constants: the values that are the same for every card, parsed.
        dynamic: the names of the other attributes, in the order of their values.
        drawn: what was drawn before. Equal records give the very same ops, so that painters can
            tell by identity what they have painted before.
    """

    node: Node
    type: ElementType
    constants: Values
    dynamic: tuple[str, ...]
    drawn: dict[Record, tuple[Op, ...]] = field(default_factory=dict)

    def values(self, texts: tuple[str, ...], palette: Palette) -> Values:
        """Return the values for one card.

        Raises:
            BadValueError: if a text is not a value of its attribute.
        """
        values = dict(self.constants)
        for name, text in zip(self.dynamic, texts, strict=True):
            if name == "text":
                values["text"] = text
                continue
            try:
                values[name] = self.type.attributes[name].parse(text.strip(), palette)
            except ValueError as error:
                raise BadValueError(name, str(error)) from None
        return values


class BadValueError(Exception):
    """A value that an expression gave does not fit its attribute."""

    def __init__(self, attribute: str, message: str) -> None:
        """Keep the attribute and what is wrong."""
        super().__init__(message)
        self.attribute = attribute
        self.message = message


class Record(NamedTuple):
    """An element as one card has it: its part, the texts of its dynamic values, what it holds."""

    part: Part
    texts: tuple[str, ...]
    children: tuple[Record, ...] = ()


@dataclass(slots=True)
class Template:
    """A template, compiled.

    Attributes:
        root: its root element.
    """

    root: Node
    palette: Palette
    _expressions: Expressions
    _parts: list[Part]
    _program: Program
    _lines: list[int]
    _nodes: list[Node]

    def records(self, context: Mapping[str, object]) -> tuple[Record, ...]:
        """Return the elements as the data of `context` make them.

        Raises:
            ExpressionError: if an expression fails.
        """
        from deckwright.face.expressions import TooManyItemsError  # noqa: PLC0415 - imports Jinja

        try:
            text = self._expressions.run(self._program, context)
        except TooManyItemsError:
            message = "the template repeats elements without end"
            raise ExpressionError(self.root.source.at(), message) from None
        except Exception as error:  # noqa: BLE001 - whatever an expression can raise
            node = self._node_at(_failing_line(error))
            reason = " ".join(str(error).split()) or type(error).__name__
            raise ExpressionError(node.source.at(), _plain_reason(reason)) from None
        try:
            return tuple(self._read(iter(text.split(RECORD)[1:])))
        except (ValueError, IndexError, RuntimeError):
            message = "the template writes characters that no text can have"
            raise ExpressionError(self.root.source.at(), message) from None

    def _read(self, records: Iterator[str]) -> Iterator[Record]:
        for record in records:
            if record[0] == END:
                return
            head, *texts = record.split(VALUE)
            part = self._parts[int(head)]
            if len(texts) != len(part.dynamic):
                raise ValueError
            inner = tuple(self._read(records)) if part.type.wrap else ()
            yield Record(part, tuple(texts), inner)

    def origin(self, op: Op) -> Node | None:
        """Return the element that has drawn `op` itself, None if none of this template has."""
        for part in self._parts:
            if part.type.draw and any(op is drawn for ops in part.drawn.values() for drawn in ops):
                return part.node
        return None

    def _node_at(self, line: int) -> Node:
        """Return the element that made a line of the program."""
        return self._nodes[max(0, bisect_right(self._lines, line) - 1)]


class ExpressionError(Exception):
    """An expression of a template failed for a card."""

    def __init__(self, location: Location, message: str) -> None:
        """Keep where and why."""
        super().__init__(message)
        self.location = location
        self.message = message


def _failing_line(error: Exception) -> int:
    traceback = error.__traceback__
    line = 1
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == "<template>":
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def _plain_reason(reason: str) -> str:
    reason = reason.replace("'dict object' has no attribute", "there is no")
    return reason.replace("'", "`").rstrip(".")
