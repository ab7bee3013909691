"""Assemble the program of a template from the values, loops and conditions of its elements."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection
from functools import cache
from hashlib import blake2b
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

import jinja2
from jinja2 import nodes

from deckwright import __version__
from deckwright.base.cache import Cache, fingerprint_code
from deckwright.base.findings import (
    MAX_FINDINGS,
    Code,
    Diagnostic,
    Report,
    Severity,
    truncation_notice,
)
from deckwright.expressions.expressions import INCLUDE
from deckwright.xmlio.node import Node

if TYPE_CHECKING:
    from types import CodeType

    from deckwright.expressions.expressions import Expressions


class SourceRecorder:
    """Records the source of a template's program, as the key of the cache of compiled programs.

    It has the same methods as `ProgramWriter`.
    """

    size = names = 0
    """Expressions are not parsed, so their size is unknown."""

    def __init__(self) -> None:
        """Begin with no entries."""
        self._entries: list[str] = []

    def at(self, line: int) -> None:
        """Record the line of what follows."""
        self._entries.append(f"at {line}")

    def data(self, text: str) -> None:
        """Record a literal text."""
        self._entries.append(f"data {text}")

    def value(self, source: str, *, markup: bool = False) -> None:
        """Record a text with expressions."""
        self._entries.append(f"{'text' if markup else 'value'} {source}")

    def begin_loop(self, source: str) -> None:
        """Record the start of a loop."""
        self._entries.append(f"each {source}")

    def when(self, source: str) -> None:
        """Record the start of a condition."""
        self._entries.append(f"when {source}")

    def assign(self, source: str) -> None:
        """Record the start of a block with assigned names."""
        self._entries.append(f"give {source}")

    def include(self, name: str, free: Collection[str]) -> None:
        """Record the inclusion of a template with these free names."""
        self._entries.append(f"include {name}: {' '.join(sorted(free))}")

    def end(self) -> None:
        """Record the end of the innermost block."""
        self._entries.append("end")

    @property
    def key(self) -> str:
        """The cache key of the program; entries are joined by NUL, which XML cannot contain."""
        source = "\0".join((_compiler_version(), *self._entries))
        return blake2b(source.encode(), digest_size=20).hexdigest()


def load_program(sources: SourceRecorder) -> tuple[CodeType, Collection[str]] | None:
    """Return the cached program for the same source and compiler, None if there is none.

    With it come its free names, which the context must provide.
    """
    return Cache("programs").read_decoded(sources.key, _decode_program)


def _decode_program(content: bytes) -> tuple[CodeType, Collection[str]] | None:
    code, free = marshal.loads(content)  # noqa: S302 - ours, and whole
    return (code, set(free)) if isinstance(code, CodeType) else None


def store_program(sources: SourceRecorder, code: CodeType, free: Collection[str]) -> None:
    """Store a program and its free names in the cache."""
    Cache("programs").write(sources.key, marshal.dumps((code, sorted(free))))


@cache
def _compiler_version() -> str:
    """Return the version of the compiler: Python, Jinja, and the code behind templates."""
    home = Path(__file__).parent
    code = fingerprint_code(home, home.parent / "expressions")
    return f"{MAGIC_NUMBER.hex()} {jinja2.__version__} {__version__} {code}"


T = TypeVar("T")


class _OpenBlock(NamedTuple):
    """An open loop, condition or block with assigned names.

    Attributes:
        before: the statements before it.
        loops: the number of uses of `loop` before it.
        bound: the names that it binds.
    """

    node: nodes.For | nodes.If | nodes.With
    before: list[nodes.Node]
    loops: int
    bound: frozenset[str]


class ProgramWriter:
    """Writes a program, statement by statement; its methods raise `SyntaxMistakeError`."""

    def __init__(self, expressions: Expressions) -> None:
        """Begin an empty program."""
        self._expressions = expressions
        self._grammar = expressions.new_grammar()
        self._body: list[nodes.Node] = []
        self._root = self._body
        self._open: list[_OpenBlock] = []
        self._free_names: set[str] = set()

    @property
    def size(self) -> int:
        """The number of nodes in its expressions."""
        return self._grammar.size

    @property
    def names(self) -> int:
        """The number of different names in its expressions."""
        return len(self._grammar.known_names)

    @property
    def free_names(self) -> Collection[str]:
        """The names that it does not bind itself, which the context must provide."""
        return self._free_names

    def at(self, line: int) -> None:
        """Set the line of what follows, for error messages."""
        self._grammar.line = line

    def data(self, text: str) -> None:
        """Write a literal text."""
        node = nodes.TemplateData(text, lineno=self._grammar.line)
        self._add([nodes.Output([node], lineno=self._grammar.line)])

    def value(self, source: str, *, markup: bool = False) -> None:
        """Write a text with expressions.

        Args:
            markup: whether their output may contain markup.
        """
        if any(sign in source for sign in ("{{", "{%", "{#")):
            self._grammar.markup = markup
            self._add(self._read(lambda: self._expressions.parse_value(source, self._grammar)))
            self._grammar.markup = False
        else:
            self.data(source)

    def begin_loop(self, source: str) -> None:
        """Begin a loop."""
        self._begin(lambda: self._expressions.parse_loop(source, self._grammar))

    def when(self, source: str) -> None:
        """Begin a condition."""
        self._begin(
            lambda: nodes.If(self._expressions.parse_condition(source, self._grammar), [], [], [])
        )

    def assign(self, source: str) -> None:
        """Begin a block with assigned names."""
        self._begin(lambda: self._expressions.parse_names(source, self._grammar))

    def include(self, name: str, free: Collection[str]) -> None:
        """Write the inclusion of a template with these free names."""
        self._require(free)
        self._grammar.loops += "loop" in free
        line = self._grammar.line
        pairs = [
            nodes.Pair(nodes.Const(given), nodes.Name(given, "load")) for given in sorted(free)
        ]
        call = nodes.Filter(nodes.Const(name), INCLUDE, [nodes.Dict(pairs)], [], None, None)
        call.set_lineno(line)
        self._add([nodes.Output([call], lineno=line)])

    def _begin(self, read: Callable[[], nodes.For | nodes.If | nodes.With]) -> None:
        node = self._read(read)
        node.lineno = self._grammar.line
        bound = {name.name for name in node.find_all(nodes.Name) if name.ctx != "load"}
        if isinstance(node, nodes.For):
            bound.add("loop")
        self._open.append(_OpenBlock(node, self._body, self._grammar.loops, frozenset(bound)))
        self._body = []

    def _read(self, read: Callable[[], T]) -> T:
        """Return a parsed expression, and note the names that it uses."""
        self._grammar.used_names.clear()
        node = read()
        self._require(self._grammar.used_names)
        return node

    def _require(self, names: Collection[str]) -> None:
        self._free_names.update(set(names).difference(*(each.bound for each in self._open)))

    def end(self) -> None:
        """End the innermost block."""
        node, before, loops, _ = self._open.pop()
        if isinstance(node, nodes.For) and loops == self._grammar.loops:
            node = _with_statement(node) or node
        node.body = self._body
        self._body = before
        self._add([node])

    def _add(self, found: list[nodes.Node]) -> None:
        """Add statements; consecutive outputs are merged, which runs faster."""
        for node in found:
            last = self._body[-1] if self._body else None
            if isinstance(node, nodes.Output) and isinstance(last, nodes.Output):
                last.nodes.extend(node.nodes)
            else:
                self._body.append(node)

    def compile(self) -> CodeType:
        """Return the code of the program."""
        return self._expressions.compile(self._root)


def _with_statement(loop: nodes.For) -> nodes.With | None:
    """Return a `with` statement for a loop over a list of one; None for any other loop.

    Templates assign names that way, `x in [card.number + 1]`. Jinja analyses the body of a loop
    again for each enclosing loop.
    """
    name, values = loop.target, loop.iter.items if isinstance(loop.iter, nodes.List) else []
    if len(values) != 1 or not isinstance(name, nodes.Name) or loop.test is not None:
        return None
    return nodes.With([name], values, [], lineno=loop.lineno)


T013 = Code("T013", Severity.ERROR, "a template that is too large")

MAX_ELEMENTS = 20_000
"""The largest number of elements in a template, with included ones."""
MAX_DEPTH = 50
"""The largest depth of nested elements and included templates."""
MAX_CHARACTERS = 4_000_000
"""The largest number of characters in their values and texts: two files of maximum size."""
MAX_SIZE = 40_000
"""The largest number of nodes in a template's expressions: twenty times those of a rich one."""
MAX_NAMES = 500
"""The largest number of different names in a template; Jinja needs quadratic time."""

_FEWER_INCLUDES = "include fewer templates, or include them less often"


class Extent(NamedTuple):
    """The size of a template, with included ones.

    Attributes:
        elements: the number of elements.
        characters: the number of characters in their values and texts.
        depth: the depth of nested elements.
    """

    elements: int
    characters: int
    depth: int


class StopReadingError(Exception):
    """Reading a template is pointless: enough findings, or a fatal one, have been reported."""


class TemplateLimits:
    """Enforces limits while a template is read.

    Attributes:
        depth: the depth of the current element.
    """

    def __init__(
        self, root: Node, program: ProgramWriter | SourceRecorder, report: Report, depth: int
    ) -> None:
        """Begin with the template of this root element.

        Args:
            program: the writer of its program.
            depth: its depth in the templates that include it.
        """
        self._root = root
        self._program = program
        self._report = report
        self._max_findings = len(report) + MAX_FINDINGS
        self._elements = 0
        self._characters = 0
        self.depth = self._deepest = self._start = depth

    @property
    def extent(self) -> Extent:
        """The size of the template so far."""
        return Extent(self._elements, self._characters, self._deepest - self._start)

    def report(self, *findings: Diagnostic) -> None:
        """Report findings, up to a limit.

        Raises:
            StopReadingError: if there are more.
        """
        self._report += findings
        if len(self._report) > self._max_findings:
            hint = "is this the right kind of file?"
            self._report[self._max_findings :] = [
                truncation_notice("the template has", self._root.source.at(), hint)
            ]
            raise StopReadingError

    def enter(self, node: Node) -> None:
        """Enter an element.

        Raises:
            StopReadingError: if the template becomes too large.
        """
        self.depth += 1
        self.add_extent(node, Extent(1, 0, 0))
        self.count_characters(node, node.text, node.tail, *node.attributes.values())

    def add_extent(self, node: Node, extent: Extent) -> None:
        """Add the size of an element or included template.

        Raises:
            StopReadingError: if the template becomes too large.
        """
        self._elements += extent.elements
        self._characters += extent.characters
        self._deepest = max(self._deepest, self.depth + extent.depth)
        if self._elements > MAX_ELEMENTS:
            much = f"more than {MAX_ELEMENTS:,} elements, with those of included templates"
            self._refuse(node, much, _FEWER_INCLUDES)
        if self._deepest > MAX_DEPTH:
            much = f"elements nested more than {MAX_DEPTH} deep"
            self._refuse(node, much, "nest fewer elements in each other")
        if self._characters > MAX_CHARACTERS:
            much = f"more than {MAX_CHARACTERS:,} characters, with those of included templates"
            self._refuse(node, much, _FEWER_INCLUDES)

    def count_characters(self, node: Node, *texts: str) -> None:
        """Count the characters of an element.

        Raises:
            StopReadingError: if the template becomes too large.
        """
        self.add_extent(node, Extent(0, sum(map(len, texts)), 0))

    def check_size(self, node: Node) -> None:
        """Check the size of the expressions after an element.

        Raises:
            StopReadingError: if the template becomes too large.
        """
        if self._program.size > MAX_SIZE:
            much = f"expressions of more than {MAX_SIZE:,} names, numbers and signs"
            self._refuse(node, much, "shorten them, or include fewer templates")
        if self._program.names > MAX_NAMES:
            much = f"more than {MAX_NAMES} different names in its expressions"
            self._refuse(node, much, "use lists or dictionaries, or reuse names")

    def _refuse(self, node: Node, much: str, hint: str) -> NoReturn:
        self.report(T013.at(node.source.at(), f"the template has {much}", hint))
        raise StopReadingError

    def leave(self) -> None:
        """Leave an element."""
        self.depth -= 1
