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
    Diagnostic,
    Location,
    Report,
    Severity,
    known_hint,
    nearest_hint,
)
from deckwright.face.attributes import Palette, Values
from deckwright.face.elements import ELEMENTS, ElementType
from deckwright.face.ops import Op
from deckwright.face.richtext import MARK
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from jinja2 import Template as Program

    from deckwright.face.expressions import Expressions

T001 = Code("T001", Severity.ERROR, "an unknown element in a template")
T002 = Code("T002", Severity.ERROR, "an unknown attribute in a template")
T003 = Code("T003", Severity.ERROR, "a missing attribute in a template")
T004 = Code("T004", Severity.ERROR, "a wrong value in a template")
T005 = Code("T005", Severity.ERROR, "an expression in a template that cannot be read")
T006 = Code("T006", Severity.ERROR, "an expression in a template that fails")

_RECORD = "\x1e"
_VALUE = "\x1f"
_END = "\x1c"
_INLINE = ("b", "i", "br", "p", "icon")
_CONTROLS = ("each", "when")


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
        return tuple(self._read(iter(text.split(_RECORD)[1:])))

    def _read(self, records: Iterator[str]) -> Iterator[Record]:
        for record in records:
            if record[0] == _END:
                return
            head, *texts = record.split(_VALUE)
            part = self._parts[int(head)]
            inner = tuple(self._read(records)) if part.type.wrap else ()
            yield Record(part, tuple(texts), inner)

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


def compile_template(
    root: Node, palette: Palette, expressions: Expressions, report: Report
) -> Template | None:
    """Return the template with this root element, or None after reporting what is wrong with it."""
    from jinja2 import TemplateSyntaxError  # noqa: PLC0415 - keeps checks without faces quick

    writer = _Writer(palette, report)
    before = len(report)
    for node in root.children:
        writer.element(node)
    if len(report) > before:
        return None
    source = "".join(writer.chunks)
    try:
        program = expressions.compile(source)
    except TemplateSyntaxError as error:
        position = max(0, bisect_right(writer.lines, error.lineno) - 1)
        node = writer.nodes[position]
        reason = (error.message or "it is not an expression").rstrip(".").replace("'", "`")
        report.append(T005.at(node.source.at(), f"an expression of `{node.tag}`: {reason}"))
        return None
    return Template(
        root,
        palette,
        expressions,
        writer.parts,
        program,
        writer.lines,
        writer.nodes,
    )


class _Writer:
    """Writes the Jinja program of a template and collects its parts."""

    def __init__(self, palette: Palette, report: Report) -> None:
        self.palette = palette
        self.report = report
        self.parts: list[Part] = []
        self.chunks: list[str] = []
        self.lines: list[int] = []
        self.nodes: list[Node] = []
        self._line = 1

    def _write(self, node: Node, text: str) -> None:
        """Write a chunk; a line break inside of a comment keeps one element a line."""
        self.lines.append(self._line)
        self.nodes.append(node)
        self.chunks.append(text + "{#\n#}")
        self._line += text.count("\n") + 1

    def element(self, node: Node) -> None:
        """Write the program of an element and of what it holds."""
        kind = ELEMENTS.get(node.tag)
        if kind is None:
            self.report.append(_unknown_element(node, [*ELEMENTS]))
            return
        part = self._part(node, kind)
        self.parts.append(part)
        opened = self._open(node)
        values = "".join(
            _VALUE
            + (self._text(node) if name == "text" and kind.holds_text else node.attributes[name])
            for name in part.dynamic
        )
        self._write(node, f"{opened}{_RECORD}{len(self.parts) - 1}{values}")
        if kind.wrap:
            for child in node.children:
                self.element(child)
            self._write(node, _RECORD + _END)
        self._write(node, _close(node))

    def _open(self, node: Node) -> str:
        """Return the program that begins an element's loop and condition."""
        each, when = node.get("each"), node.get("when")
        opened = ""
        if each is not None:
            name, found, items = each.partition(" in ")
            if not found or not name.replace(",", "").replace(" ", "").isidentifier():
                self.report.append(
                    T005.at(
                        node.source.at("each"),
                        f"`each` is `{each}`",
                        'write it as `each="row in card.rows"`',
                    )
                )
                return ""
            opened += f"{{% for {name} in {items} %}}"
        if when is not None:
            opened += f"{{% if {when} %}}"
        return opened

    def _part(self, node: Node, kind: ElementType) -> Part:
        constants: Values = {}
        dynamic = []
        for name, attribute in kind.attributes.items():
            text = node.get(name, attribute.default)
            if text is None:
                self.report.append(
                    T003.at(
                        node.source.at(),
                        f"`{node.tag}` has no attribute `{name}`",
                        f'add `{name}="…"`: {attribute.says}',
                    )
                )
            elif "{{" in text or "{%" in text:
                dynamic.append(name)
            else:
                try:
                    constants[name] = attribute.parse(text, self.palette)
                except ValueError as error:
                    message = f"`{name}` of `{node.tag}`: {error}"
                    hint = f"write {attribute.says}"
                    self.report.append(T004.at(node.source.at(name), message, hint))
        for name in node.attributes:
            if name not in kind.attributes and name not in _CONTROLS:
                known = [*kind.attributes, *_CONTROLS]
                message = f"`{node.tag}` has an unknown attribute `{name}`"
                self.report.append(T002.at(node.source.at(name), message, known_hint(name, known)))
        if kind.holds_text:
            dynamic.append("text")
        elif not kind.wrap:
            self.report.extend(_unknown_element(child, []) for child in node.children)
        return Part(node, kind, constants, tuple(dynamic))

    def _text(self, node: Node) -> str:
        """Return the program of the text inside an element, with its inline markup."""
        pieces = [node.text]
        for child in node.children:
            pieces += [self._inline(child), child.tail]
        return "".join(pieces)

    def _inline(self, node: Node) -> str:
        if node.tag not in _INLINE:
            self.report.append(_unknown_element(node, [*_INLINE]))
            return ""
        opened, closed = self._open(node), _close(node)
        allowed = {*_CONTROLS, *(("name",) if node.tag == "icon" else ())}
        for name in node.attributes:
            if name not in allowed:
                message = f"`{node.tag}` has an unknown attribute `{name}`"
                hint = nearest_hint(name, allowed)
                self.report.append(T002.at(node.source.at(name), message, hint))
        if node.tag == "icon":
            if node.get("name") is None:
                message = "`icon` has no attribute `name`"
                self.report.append(T003.at(node.source.at(), message, 'add `name="…"`'))
            inner = f"{MARK}icon {node.get('name')}{MARK}"
        elif node.tag == "br":
            inner = f"{MARK}br{MARK}"
        else:
            inner = f"{MARK}{node.tag}{MARK}{self._text(node)}{MARK}/{node.tag}{MARK}"
        return f"{opened}{inner}{closed}"


def _close(node: Node) -> str:
    closed = "{% endif %}" if node.get("when") is not None else ""
    return closed + ("{% endfor %}" if node.get("each") is not None else "")


def _unknown_element(node: Node, known: list[str]) -> Diagnostic:
    message = f"there is no template element `{node.tag}` here"
    return T001.at(node.source.at(), message, known_hint(node.tag, known))
