"""Templates: XML files that become programs, and programs that become ops.

A template is read as XML first. Its expressions are then gathered into one Jinja program, which
writes, for one card, the values of all its elements in one go; each repeated or left-out element is
a loop or a condition of that program. Records are divided by control characters, which XML cannot
contain.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Code, Location, Severity
from deckwright.base.geometry import IDENTITY, Box, Matrix, split_crop
from deckwright.expressions.grammar import explain_error, name_hint
from deckwright.ops.model import Group, Op, walk
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

INLINE: dict[str, dict[str, AttributeType]] = {
    "b": {},
    "i": {},
    "u": {},
    "s": {},
    "sc": {},
    "br": {},
    "p": {},
    "icon": {"name": string()},
    "tspan": {
        "fill": color(""),
        "font-size": spacing("", "a share of the text's size, such as 0.8em or 80%, or a length"),
        "letter-spacing": spacing(""),
    },
    "list": {"style": choice("bullet", "number", "letter")},
    "item": {},
}
"""The attributes of each, but for those that all elements have."""
EMPTY_TAGS = frozenset({"br", "icon"})
"""Those that hold nothing."""
_TSPAN = re.compile(f"{CODE_MARK}tspan ([^{CODE_MARK}]*){CODE_MARK}")


def encode_start(tag: str, attributes: dict[str, str]) -> str:
    """Return the code that begins an element, or stands for it if it is empty."""
    if tag == "tspan":
        known = {name: attributes[name] for name in INLINE[tag] if name in attributes}
        said = ATTRIBUTE_SEPARATOR.join(f"{name}={value}" for name, value in known.items())
    else:
        said = "".join(attributes.get(name, "") for name in INLINE[tag])
    return f"{CODE_MARK}{tag} {said}".rstrip() + CODE_MARK


def encode_end(tag: str) -> str:
    """Return the code that ends an element."""
    return "" if tag in EMPTY_TAGS else f"{CODE_MARK}/{tag}{CODE_MARK}"


def resolve_runs(text: str, palette: Palette) -> str:
    """Return a text with the values of its runs as they are laid out.

    Raises:
        InlineError: if one is no value of its attribute.
    """
    if f"{CODE_MARK}tspan" not in text:
        return text
    return _TSPAN.sub(
        lambda found: f"{CODE_MARK}tspan {_parse_run(found[1], palette)}{CODE_MARK}", text
    )


class InlineError(Exception):
    """A value of a run is wrong.

    Attributes:
        attribute: its attribute.
        message: what is wrong.
    """

    def __init__(self, attribute: str, message: str) -> None:
        """Keep what is wrong."""
        super().__init__(message)
        self.attribute = attribute
        self.message = message


def _parse_run(said: str, palette: Palette) -> str:
    parts = []
    for attribute in filter(None, said.split(ATTRIBUTE_SEPARATOR)):
        name, _, text = attribute.partition("=")
        try:
            value = INLINE["tspan"][name].parse(text.strip(), palette)
        except (ValueError, KeyError) as error:
            raise InlineError(name, str(error)) from None
        if isinstance(value, tuple):
            parts.append(f"{name}={value[0]} {value[1]}")
        elif value is not None:
            parts.append(f"{name}={value}")
    return ATTRIBUTE_SEPARATOR.join(parts)


if TYPE_CHECKING:
    from jinja2 import Template as Program

    from deckwright.expressions.expressions import Expressions

T006 = Code("T006", Severity.ERROR, "an expression in a template that fails")

RECORD = "\x01"
VALUE = "\x02"
END = "\x03"
INCLUDED = "\x04"
"""Begin a record, begin a value, end what an element or an included template holds, begin the
latter. XML cannot contain them."""


MAX_RECORDS = 60_000
"""Most elements that a template may draw on one face; one that holds others counts twice."""
MAX_RECORD_LENGTH = 50_000
"""The most characters that the values of one element may have: no text on a face is as long."""
MAX_OUTPUT = 400_000
"""Most characters that the program of a face may write."""
MAX_PAGES_OUTPUT = 4_000_000
"""Most characters that the program of a template may write whose text flows over pages."""


class Substitution(NamedTuple):
    """The words of a text that had no room, and those of the alternative that `first` drew."""

    wanted: str
    drawn: str


class DrawResult(NamedTuple):
    """What an element has drawn, and what it has drawn from or instead of.

    Attributes:
        drawings: the files of drawings.
    """

    ops: tuple[Op, ...]
    drawings: frozenset[Path]
    substitutions: frozenset[Substitution]


@dataclass(eq=False, slots=True)
class TemplatePart:
    """One element of a template, ready to run.

    Attributes:
        constants: the values that are the same for every card, parsed.
        dynamic: the names of the other attributes, in the order of their values.
        drawn: what was drawn before. Equal records give the very same ops, so that painters can
            tell by identity what they have painted before.
    """

    node: Node
    type: ElementType
    constants: AttributeValues
    dynamic: tuple[str, ...]
    drawn: dict[Record, DrawResult] = field(default_factory=dict)

    def values(self, texts: tuple[str, ...], palette: Palette) -> AttributeValues:
        """Return the values for one card.

        Raises:
            BadValueError: if a text is not a value of its attribute.
        """
        values = dict(self.constants)
        for name, text in zip(self.dynamic, texts, strict=True):
            try:
                if name == "text":
                    values["text"] = resolve_runs(text, palette)
                    continue
                values[name] = self.type.attributes[name].parse(text.strip(), palette)
            except InlineError as error:
                raise BadValueError(error.attribute, error.message) from None
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

    part: TemplatePart
    texts: tuple[str, ...]
    children: tuple[Record, ...] = ()


@dataclass(slots=True)
class Template:
    """A template, compiled.

    Attributes:
        root: its root element.
        palette: the names of colors.
        names: the names of values that its expressions need.
        extent: how large it is.
        included: the templates that it includes, and that these include, by what they are called.
        parts: its elements, as its program numbers them.
        program: writes their values.
        nodes: what stands on each line of the program.
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
    _refused: tuple[Location, str] | None = None

    def records(self, context: Mapping[str, object]) -> tuple[Record, ...]:
        """Return the elements as the data of `context` make them.

        Raises:
            ExpressionError: if an expression fails. If the template did too much, it is not tried
                again.
        """
        from deckwright.expressions.expressions import OutputTooLongError  # noqa: PLC0415 - imports Jinja

        if self._refused is not None:
            raise ExpressionError(*self._refused)
        try:
            return self._records(context)
        except ExpressionError:
            raise
        except (OutputTooLongError, MemoryError) as error:
            self._refused = self._place(error), explain_error(error)
            raise ExpressionError(*self._refused) from None
        except Exception as error:  # noqa: BLE001 - whatever an expression can raise
            hint = name_hint(error, context)
            raise ExpressionError(self._place(error), explain_error(error), hint) from None

    def _records(self, context: Mapping[str, object]) -> tuple[Record, ...]:
        most = MAX_PAGES_OUTPUT if self.root.tag == "pages" else MAX_OUTPUT
        included = {name: template.program for name, template in self.included.items()}
        text = self._expressions.run(self.program, context, most, included)
        found = text.split(RECORD)
        if len(found) > MAX_RECORDS:
            message = f"the template draws more than {MAX_RECORDS:,} elements at once"
            self._refused = self.root.source.at(), message
            raise ExpressionError(*self._refused)
        try:
            return tuple(self._read(iter(found[1:]), self.parts))
        except (ValueError, IndexError, RuntimeError):
            message = "the template writes characters that no text can have"
            raise ExpressionError(self.root.source.at(), message) from None

    def _read(self, records: Iterator[str], parts: Sequence[TemplatePart]) -> Iterator[Record]:
        for record in records:
            if record[0] == END:
                return
            if record[0] == INCLUDED:
                yield from self._read(records, self.included[record[1:]].parts)
                continue
            head, *values = record.split(VALUE)
            part, texts = parts[int(head)], tuple(values)
            if len(texts) != len(part.dynamic):
                raise ValueError
            if len(record) > MAX_RECORD_LENGTH:
                message = f"`{part.node.tag}` has more than {MAX_RECORD_LENGTH:,} characters"
                raise ExpressionError(part.node.source.at(), message)
            yield Record(part, texts, tuple(self._read(records, parts)) if part.type.wrap else ())

    def origin(self, op: Op) -> Node | None:
        """Return the element that has drawn `op` itself, None if none of this template has."""
        for template in (self, *self.included.values()):
            for part in template.parts:
                drawn = (inner for made in part.drawn.values() for inner in walk(made.ops))
                if part.type.draw and any(op is inner for inner in drawn):
                    return part.node
        return None

    def forget_drawn(self, paths: Collection[Path]) -> None:
        """Forget what was drawn from some drawings."""
        for template in (self, *self.included.values()):
            for part in template.parts:
                gone = [r for r, made in part.drawn.items() if not made.drawings.isdisjoint(paths)]
                for record in gone:
                    del part.drawn[record]

    def _place(self, error: Exception) -> Location:
        """Return the place of the element whose expression has failed."""
        node, traceback = self.root, error.__traceback__
        programs = {id(t.program.root_render_func.__globals__): t for t in self.included.values()}
        programs[id(self.program.root_render_func.__globals__)] = self
        while traceback is not None:
            ran = programs.get(id(traceback.tb_frame.f_globals))
            if ran is not None:
                line = ran.program.get_corresponding_lineno(traceback.tb_lineno)
                node = ran.nodes[line - 1] if 0 < line <= len(ran.nodes) else node
            traceback = traceback.tb_next
        return node.source.at()


class ExpressionError(Exception):
    """An expression of a template failed for a card."""

    def __init__(self, location: Location, message: str, hint: str | None = None) -> None:
        """Keep where and why, and what to do."""
        super().__init__(message)
        self.location = location
        self.message = message
        self.hint = hint


_IMAGE_TAG = "image"


class PictureFrame(NamedTuple):
    """A box with a picture, and whether the picture covers it and so can be cropped."""

    box: Box
    cover: bool


def find_picture_frames(
    name: str, ops: Iterable[Op], templates: Iterable[Template]
) -> Iterator[PictureFrame]:
    """Yield the boxes of a picture on the face that consists of `ops`, moved as they are there.

    Args:
        name: the picture's, in `img`.
    """
    drawn = {id(first): framed for each in templates for first, framed in _drawn_frames(name, each)}
    yield from _locate_frames(ops, drawn, IDENTITY) if drawn else ()


def _drawn_frames(name: str, template: Template) -> Iterator[tuple[Op, PictureFrame]]:
    """Yield the boxes that elements have drawn a picture in, with the first op of each."""
    for each in (template, *template.included.values()):
        for part in (part for part in each.parts if part.node.tag == _IMAGE_TAG):
            for record, (ops, *_) in part.drawn.items():
                values = part.values(record.texts, each.palette)
                if ops and split_crop(values["href"])[0] == name:
                    box = Box(values["x"], values["y"], values["width"], values["height"])
                    yield ops[0], PictureFrame(box, values["fit"] == "cover")


def _locate_frames(
    ops: Iterable[Op], drawn: dict[int, PictureFrame], matrix: Matrix
) -> Iterator[PictureFrame]:
    for op in ops:
        if framed := drawn.get(id(op)):
            yield framed._replace(box=framed.box.moved(matrix))
        elif isinstance(op, Group):
            yield from _locate_frames(op.ops, drawn, op.within(matrix))
