"""Put the program of a template together, from its elements' values, loops and conditions."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from jinja2 import nodes

from deckwright.expressions.expressions import INCLUDE

if TYPE_CHECKING:
    from types import CodeType

    from deckwright.expressions.expressions import Expressions

T = TypeVar("T")


class _Open(NamedTuple):
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
        self._grammar = expressions.grammar()
        self._body: list[nodes.Node] = []
        self._root = self._body
        self._open: list[_Open] = []
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
        self._need(free)
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
        self._open.append(_Open(node, self._body, self._grammar.loops, frozenset(bound)))
        self._body = []

    def _read(self, read: Callable[[], T]) -> T:
        """Return what is read of an expression, and take down the names that it needs."""
        self._grammar.loaded.clear()
        node = read()
        self._need(self._grammar.loaded)
        return node

    def _need(self, names: Collection[str]) -> None:
        self._free.update(set(names).difference(*(each.bound for each in self._open)))

    def end(self) -> None:
        """End what was begun last."""
        node, before, loops, _ = self._open.pop()
        if isinstance(node, nodes.For) and loops == self._grammar.loops:
            node = _single(node) or node
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


def _single(loop: nodes.For) -> nodes.With | None:
    """Return what gives the name of a loop over a list of one; None for any other loop.

    That is how templates name a value, `x in [card.number + 1]`. Jinja looks at all that is in a
    loop again for each loop around it.
    """
    name, values = loop.target, loop.iter.items if isinstance(loop.iter, nodes.List) else []
    if len(values) != 1 or not isinstance(name, nodes.Name) or loop.test is not None:
        return None
    return nodes.With([name], values, [], lineno=loop.lineno)
