"""Compiled templates: programs that give the records of elements for a card.

A template is parsed as XML. Its expressions are compiled into one Jinja program, which writes the
values of all elements for a card in one go; `each` and `when` become loops and conditions of the
program. Records are separated by control characters, which XML cannot contain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Code, Location, Severity
from deckwright.ops.model import Op
from deckwright.templates.attributes import (
    AttributeType,
    AttributeValues,
    Palette,
    choice,
    color,
    spacing,
    string,
)
from deckwright.templates.elements import ElementType
from deckwright.templates.program import Extent
from deckwright.text.richtext import ATTRIBUTE_SEPARATOR, CODE_MARK
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from jinja2 import Template as Program

    from deckwright.expressions.expressions import Expressions


INLINE: dict[str, dict[str, AttributeType]] = {
    **{tag: {} for tag in ("b", "i", "u", "s", "sc", "br", "p")},
    "icon": {"name": string()},
    "tspan": {
        "fill": color(""),
        "font-size": spacing(
            "", "a length, or a share of the text's font size such as 0.8em or 80%"
        ),
        "letter-spacing": spacing(""),
    },
    "list": {"style": choice("bullet", "number", "letter")},
    "item": {},
}
"""The inline elements with their attributes, except those common to all elements."""
EMPTY_TAGS = frozenset({"br", "icon"})
"""The inline elements without content."""
_TSPAN = re.compile(f"{CODE_MARK}tspan ([^{CODE_MARK}]*){CODE_MARK}")


def encode_start(tag: str, attributes: dict[str, str]) -> str:
    """Return the code for the start of an inline element, or for an empty one."""
    if tag == "tspan":
        known = {name: attributes[name] for name in INLINE[tag] if name in attributes}
        arguments = ATTRIBUTE_SEPARATOR.join(f"{name}={value}" for name, value in known.items())
    else:
        arguments = "".join(attributes.get(name, "") for name in INLINE[tag])
    return f"{CODE_MARK}{tag} {arguments}".rstrip() + CODE_MARK


def resolve_runs(text: str, palette: Palette) -> str:
    """Return a text with the attributes of its runs parsed, or raise a BadValueError."""
    if f"{CODE_MARK}tspan" not in text:
        return text

    def resolve(run: re.Match[str]) -> str:
        parts = []
        for attribute in filter(None, run[1].split(ATTRIBUTE_SEPARATOR)):
            name, _, given = attribute.partition("=")
            try:
                value = INLINE["tspan"][name].parse(given.strip(), palette)
            except (ValueError, KeyError) as error:
                raise BadValueError(name, str(error)) from None
            if isinstance(value, tuple):
                parts.append(f"{name}={value[0]} {value[1]}")
            elif value is not None:
                parts.append(f"{name}={value}")
        return f"{CODE_MARK}tspan {ATTRIBUTE_SEPARATOR.join(parts)}{CODE_MARK}"

    return _TSPAN.sub(resolve, text)


class BadValueError(Exception):
    """An expression gave an invalid value of an attribute; `message` says why."""

    def __init__(self, attribute: str, message: str) -> None:
        super().__init__(message)
        self.attribute = attribute
        self.message = message


T006 = Code("T006", Severity.ERROR, "an expression in a template that fails")

RECORD = "\x01"
VALUE = "\x02"
END = "\x03"
INCLUDED = "\x04"
"""Start of a record, start of a value, end of the contents of an element or an included template,
start of an included template. XML cannot contain these characters."""


EDGES = ("header", "footer")
"""The elements of a flowing template that are drawn on each page."""

MAX_RECORDS = 60_000
"""The largest number of elements on one face; those with children count twice."""
MAX_RECORD_LENGTH = 50_000
"""The longest record of an element, in characters: no text on a face is as long."""
MAX_OUTPUT = 400_000
"""The longest output of the program of a face, in characters."""
MAX_PAGES_RECORDS, MAX_PAGES_OUTPUT = 1_000_000, 50_000_000
"""The same for flowing templates: a deck of 10,000 cards has as many lines."""


Substitution = tuple[str, str]
"""The words of a text that had no room, and those of the alternative drawn by `first`."""


class DrawResult(NamedTuple):
    """The ops of an element, with the files of the drawings used and the texts replaced."""

    ops: tuple[Op, ...]
    drawings: frozenset[Path]
    substitutions: frozenset[Substitution]


@dataclass(eq=False, slots=True)
class TemplatePart:
    """A compiled element of a template.

    Attributes:
        constants: the values that are the same for all cards, parsed.
        dynamic: the names of all other attributes, in the order of their values.
        draw_cache: cached results. Equal records share the same ops object, so that painters can
            cache by identity.
        faulty: what was drawn despite faults, in the same way.
    """

    node: Node
    type: ElementType
    constants: AttributeValues
    dynamic: tuple[str, ...]
    draw_cache: dict[Record, DrawResult] = field(default_factory=dict)
    faulty: dict[Record, tuple[Op, ...]] = field(default_factory=dict)

    def values(self, texts: tuple[str, ...], palette: Palette) -> AttributeValues:
        """Return the parsed values for one card, or raise a BadValueError."""
        values = dict(self.constants)
        for name, text in zip(self.dynamic, texts, strict=True):
            if name == "text":
                values["text"] = resolve_runs(text, palette)
                continue
            try:
                values[name] = self.type.attributes[name].parse(text.strip(), palette)
            except ValueError as error:
                raise BadValueError(name, str(error)) from None
        return values


class Record(NamedTuple):
    """An element for one card: the compiled element, its dynamic values as texts, its children.

    It may be mirrored: drawn where left and right have changed sides.
    """

    part: TemplatePart
    texts: tuple[str, ...]
    children: tuple[Record, ...] = ()
    mirrored: bool = False


@dataclass(slots=True)
class Template:
    """A compiled template.

    Attributes:
        names: the free names of its expressions.
        included: the templates that it includes, directly or indirectly, by name.
        parts: its elements, numbered as in its program.
        program: the program that writes their values.
        nodes: the element for each line of the program.
        compile_edges: for a flowing template, returns one of its header and footer alone.
    """

    root: Node
    palette: Palette
    names: Collection[str]
    extent: Extent
    included: Mapping[str, Template]
    parts: list[TemplatePart]
    program: Program
    nodes: list[Node]
    _expressions: Expressions
    compile_edges: Callable[[], Template | None] = lambda: None
    _failure: tuple[Location, str] | None = None

    def records(self, context: Mapping[str, object]) -> tuple[Record, ...]:
        """Return the records of the elements for a context.

        Raises:
            ExpressionError: if an expression fails. A template that exceeded its resources is not
                run again.
        """
        # Both import Jinja, which pages of an earlier print do not need.
        from deckwright.expressions.expressions import OutputTooLongError
        from deckwright.expressions.grammar import explain_error, name_hint

        if self._failure is not None:
            raise ExpressionError(*self._failure)
        try:
            return self._records(context)
        except ExpressionError:
            raise
        except (OutputTooLongError, MemoryError) as error:
            reason = explain_error(error)
            self._failure = self._place(error, reason), reason
            raise ExpressionError(*self._failure) from None
        except Exception as error:  # noqa: BLE001 - whatever an expression can raise
            hint, reason = name_hint(error, context), explain_error(error)
            raise ExpressionError(self._place(error, reason), reason, hint) from None

    def _records(self, context: Mapping[str, object]) -> tuple[Record, ...]:
        most, most_records = MAX_OUTPUT, MAX_RECORDS
        if self.root.tag == "pages":
            most, most_records = MAX_PAGES_OUTPUT, MAX_PAGES_RECORDS
        included = {name: template.program for name, template in self.included.items()}
        text = self._expressions.run(self.program, context, most, included)
        records = text.split(RECORD)
        if len(records) > most_records:
            message = f"the template draws more than {most_records:,} elements"
            self._failure = self.root.source.at(), message
            raise ExpressionError(*self._failure)
        try:
            return tuple(self._read_records(iter(records[1:]), self.parts))
        except (ValueError, IndexError, RuntimeError):
            message = "the template prints control characters"
            raise ExpressionError(self.root.source.at(), message) from None

    def _read_records(
        self, records: Iterator[str], parts: Sequence[TemplatePart]
    ) -> Iterator[Record]:
        for record in records:
            sign = record[0]
            if sign == END:
                return
            if sign == INCLUDED:
                yield from self._read_records(records, self.included[record[1:]].parts)
                continue
            head, *values = record.split(VALUE)
            part = parts[int(head)]
            if len(values) != len(part.dynamic):
                raise ValueError
            if len(record) > MAX_RECORD_LENGTH:
                message = f"`{part.node.tag}` has more than {MAX_RECORD_LENGTH:,} characters"
                raise ExpressionError(part.node.source.at(), message)
            children = tuple(self._read_records(records, parts)) if part.type.wrap else ()
            yield Record(part, tuple(values), children)

    @property
    def is_mirrored(self) -> bool:
        """Whether its elements change sides in a language from right to left."""
        return any("mirror" in node.attributes for node in self.root.children)

    def forget_drawn(self, paths: Collection[Path]) -> None:
        """Drop cached ops that depend on these drawings."""
        for template in (self, *self.included.values()):
            for part in template.parts:
                for record, result in [*part.draw_cache.items()]:
                    if not result.drawings.isdisjoint(paths):
                        del part.draw_cache[record]

    def _place(self, error: Exception, reason: str) -> Location:
        """Return the place where an expression failed for a reason.

        That is its element, or in one of several lines, the line of the name that the reason is
        about.
        """
        node, traceback = self.root, error.__traceback__
        programs = {id(t.program.root_render_func.__globals__): t for t in self.included.values()}
        programs[id(self.program.root_render_func.__globals__)] = self
        while traceback is not None:
            ran = programs.get(id(traceback.tb_frame.f_globals))
            if ran is not None:
                line = ran.program.get_corresponding_lineno(traceback.tb_lineno)
                node = ran.nodes[line - 1] if 0 < line <= len(ran.nodes) else node
            traceback = traceback.tb_next
        place, document = node.source.at(), node.source.document
        name = re.search("`([^`]+)`", reason)
        following = node.source.ordinal + sum(1 for _ in node.walk())
        offsets = [offset for _, _, offset in document.starts()] + [len(document.text)]
        text = document.text[offsets[node.source.ordinal] : offsets[following]]
        match = re.search(rf"(?<!\w){re.escape(name[1])}(?!\w)", text) if name else None
        before = text[: match.start()] if match else ""
        if "\n" not in before:
            return place
        column = len(before) - before.rindex("\n")
        return Location(place.path, place.line + before.count("\n"), column)


class ExpressionError(Exception):
    """An expression of a template failed for a card."""

    def __init__(self, location: Location, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.location = location
        self.message = message
        self.hint = hint
