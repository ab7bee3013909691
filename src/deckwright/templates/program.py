"""Put the program of a template together, from its elements' values, loops and conditions."""

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


class SourceRecorder:
    """What the program of a template is written from; taken down instead of being read.

    It has the methods of a `ProgramWriter`.
    """

    size = names = 0
    """Nothing is known of its expressions."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._taken: list[str] = []

    def at(self, line: int) -> None:
        """Take down the line that what follows is on."""
        self._taken.append(f"at {line}")

    def data(self, text: str) -> None:
        """Take down a text as it is."""
        self._taken.append(f"data {text}")

    def value(self, source: str, *, markup: bool = False) -> None:
        """Take down a text with expressions in it."""
        self._taken.append(f"{'text' if markup else 'value'} {source}")

    def each(self, source: str) -> None:
        """Take down the beginning of a loop."""
        self._taken.append(f"each {source}")

    def when(self, source: str) -> None:
        """Take down the beginning of a condition."""
        self._taken.append(f"when {source}")

    def give(self, source: str) -> None:
        """Take down names that are given."""
        self._taken.append(f"give {source}")

    def include(self, name: str, free: Collection[str]) -> None:
        """Take down that another template is included, which needs these names."""
        self._taken.append(f"include {name}: {' '.join(sorted(free))}")

    def end(self) -> None:
        """Take down the end of what was begun last."""
        self._taken.append("end")

    @property
    def key(self) -> str:
        """The key of the program; XML cannot contain what divides its parts."""
        said = "\0".join((_compiler_version(), *self._taken))
        return blake2b(said.encode(), digest_size=20).hexdigest()


def load_program(sources: SourceRecorder) -> tuple[CodeType, Collection[str]] | None:
    """Return the program that was written from the same sources by the same compiler.

    With it come the names that whoever runs it has to give.
    """
    return Cache("programs").read_decoded(sources.key, _decode_program)


def _decode_program(content: bytes) -> tuple[CodeType, Collection[str]] | None:
    code, free = marshal.loads(content)  # noqa: S302 - ours, and whole
    return (code, set(free)) if isinstance(code, CodeType) else None


def store_program(sources: SourceRecorder, code: CodeType, free: Collection[str]) -> None:
    """Keep a program, and the names that whoever runs it has to give, for the next run."""
    Cache("programs").write(sources.key, marshal.dumps((code, sorted(free))))


@cache
def _compiler_version() -> str:
    """Return what makes the programs: Python, Jinja, and this package as its files are."""
    code = fingerprint_code(Path(__file__).parent)
    return f"{MAGIC_NUMBER.hex()} {jinja2.__version__} {__version__} {code}"


if TYPE_CHECKING:
    from types import CodeType

    from deckwright.expressions.expressions import Expressions

T = TypeVar("T")


class _OpenBlock(NamedTuple):
    """A loop, a condition or names that are not yet ended.

    Attributes:
        before: what stands before them.
        loops: how often `loop` was asked for until then.
        bound: the names that they give.
    """

    node: nodes.For | nodes.If | nodes.With
    before: list[nodes.Node]
    loops: int
    bound: frozenset[str]


class ProgramWriter:
    """Collects statements. What it raises is a `SyntaxMistakeError` of `expressions`."""

    def __init__(self, expressions: Expressions) -> None:
        """Begin an empty program."""
        self._expressions = expressions
        self._grammar = expressions.new_grammar()
        self._body: list[nodes.Node] = []
        self._root = self._body
        self._open: list[_OpenBlock] = []
        self._free: set[str] = set()

    @property
    def size(self) -> int:
        """How many parts its expressions have."""
        return self._grammar.size

    @property
    def names(self) -> int:
        """How many different names of values they have."""
        return len(self._grammar.known)

    @property
    def free(self) -> Collection[str]:
        """The names that its loops and `with` do not give, and whoever runs it has to."""
        return self._free

    def at(self, line: int) -> None:
        """Set the line that what follows is on; a failing program reports it."""
        self._grammar.line = line

    def data(self, text: str) -> None:
        """Write a text as it is."""
        node = nodes.TemplateData(text, lineno=self._grammar.line)
        self._add([nodes.Output([node], lineno=self._grammar.line)])

    def value(self, source: str, *, markup: bool = False) -> None:
        """Write a text with expressions in it.

        Args:
            markup: whether the texts that they print may have markup.
        """
        if any(sign in source for sign in ("{{", "{%", "{#")):
            self._grammar.markup = markup
            self._add(self._read(lambda: self._expressions.value(source, self._grammar)))
            self._grammar.markup = False
        else:
            self.data(source)

    def each(self, source: str) -> None:
        """Begin a loop."""
        self._begin(lambda: self._expressions.loop(source, self._grammar))

    def when(self, source: str) -> None:
        """Begin a condition."""
        self._begin(
            lambda: nodes.If(self._expressions.condition(source, self._grammar), [], [], [])
        )

    def give(self, source: str) -> None:
        """Begin to give names."""
        self._begin(lambda: self._expressions.names(source, self._grammar))

    def include(self, name: str, free: Collection[str]) -> None:
        """Write what the program of another template writes, which needs these names."""
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
        """Return what is read of an expression, and take down the names that it needs."""
        self._grammar.used_names.clear()
        node = read()
        self._require(self._grammar.used_names)
        return node

    def _require(self, names: Collection[str]) -> None:
        self._free.update(set(names).difference(*(each.bound for each in self._open)))

    def end(self) -> None:
        """End what was begun last."""
        node, before, loops, _ = self._open.pop()
        if isinstance(node, nodes.For) and loops == self._grammar.loops:
            node = _with_statement(node) or node
        node.body = self._body
        self._body = before
        self._add([node])

    def _add(self, found: list[nodes.Node]) -> None:
        """Add statements; outputs that follow each other become one, which is quicker."""
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
    """Return what gives the name of a loop over a list of one; None for any other loop.

    That is how templates name a value, `x in [card.number + 1]`. Jinja looks at all that is in a
    loop again for each loop around it.
    """
    name, values = loop.target, loop.iter.items if isinstance(loop.iter, nodes.List) else []
    if len(values) != 1 or not isinstance(name, nodes.Name) or loop.test is not None:
        return None
    return nodes.With([name], values, [], lineno=loop.lineno)


T013 = Code("T013", Severity.ERROR, "a template that is too large")

MAX_ELEMENTS = 20_000
"""Most elements of a template, with those of the templates that it includes."""
MAX_DEPTH = 50
"""How deep elements and included templates may lie in one another."""
MAX_CHARACTERS = 4_000_000
"""Most characters in the values and texts of all these elements: those of two of the largest files.
"""
MAX_SIZE = 40_000
"""Most names, numbers and signs in a template's expressions: some twenty times those of a rich one.
"""
MAX_NAMES = 500
"""Most different names of values in a template; Jinja takes as many steps as their square."""

_FEWER_INCLUDES = "include fewer templates, or include them less often"


class Extent(NamedTuple):
    """How large a template is, with the templates that it includes.

    Attributes:
        elements: how many it has.
        characters: how many are in their values and texts.
        depth: how deep elements lie in one another.
    """

    elements: int
    characters: int
    depth: int


class StopReadingError(Exception):
    """There is no need to read on: what keeps a template from being read has been reported."""


class TemplateLimits:
    """Watches over the reading of a template.

    Attributes:
        depth: how deep the element that is being read lies in others.
    """

    def __init__(
        self, root: Node, program: ProgramWriter | SourceRecorder, report: Report, depth: int
    ) -> None:
        """Begin with the template of this root element.

        Args:
            program: what is written of its expressions.
            depth: how deep it lies in those that include it.
        """
        self._root = root
        self._program = program
        self._report = report
        self._most = len(report) + MAX_FINDINGS
        self._elements = 0
        self._characters = 0
        self.depth = self._deepest = self._start = depth

    @property
    def extent(self) -> Extent:
        """How large the template is so far."""
        return Extent(self._elements, self._characters, self._deepest - self._start)

    def find(self, *findings: Diagnostic) -> None:
        """Report findings, up to as many as anyone reads.

        Raises:
            EnoughError: if there are more.
        """
        self._report += findings
        if len(self._report) > self._most:
            hint = "is this the right kind of file?"
            self._report[self._most :] = [
                truncation_notice("the template has", self._root.source.at(), hint)
            ]
            raise StopReadingError

    def enter(self, node: Node) -> None:
        """Begin with an element.

        Raises:
            EnoughError: if the template is too large with it.
        """
        self.depth += 1
        self.add_extent(node, Extent(1, 0, 0))
        self.count(node, node.text, node.tail, *node.attributes.values())

    def add_extent(self, node: Node, extent: Extent) -> None:
        """Count what an element brings in.

        Raises:
            EnoughError: if the template is too large with it.
        """
        self._elements += extent.elements
        self._characters += extent.characters
        self._deepest = max(self._deepest, self.depth + extent.depth)
        if self._elements > MAX_ELEMENTS:
            much = f"more than {MAX_ELEMENTS:,} elements, with those of included templates"
            self._refuse(node, much, _FEWER_INCLUDES)
        if self._deepest > MAX_DEPTH:
            much = f"elements nested more than {MAX_DEPTH} deep"
            self._refuse(node, much, "put them side by side")
        if self._characters > MAX_CHARACTERS:
            much = f"more than {MAX_CHARACTERS:,} characters, with those of included templates"
            self._refuse(node, much, _FEWER_INCLUDES)

    def count(self, node: Node, *texts: str) -> None:
        """Count the characters of an element.

        Raises:
            EnoughError: if the template is too large with them.
        """
        self.add_extent(node, Extent(0, sum(map(len, texts)), 0))

    def check_size(self, node: Node) -> None:
        """Check the expressions, after those of an element.

        Raises:
            EnoughError: if the template is too large with them.
        """
        if self._program.size > MAX_SIZE:
            much = f"expressions of more than {MAX_SIZE:,} names, numbers and signs"
            self._refuse(node, much, "shorten them, or include fewer templates")
        if self._program.names > MAX_NAMES:
            much = f"more than {MAX_NAMES} different names of values"
            self._refuse(node, much, "use lists or dictionaries, or reuse names")

    def _refuse(self, node: Node, much: str, hint: str) -> NoReturn:
        self.find(T013.at(node.source.at(), f"the template has {much}", hint))
        raise StopReadingError

    def leave(self) -> None:
        """End with an element."""
        self.depth -= 1
