"""Assemble the program of a template from the values, loops and conditions of its elements."""

from __future__ import annotations

from collections.abc import Callable, Collection
from types import CodeType
from typing import TypeVar

from jinja2 import nodes

from deckwright.expressions.expressions import INCLUDE, Expressions

T = TypeVar("T")


_OpenBlock = tuple[nodes.For | nodes.If | nodes.With, list[nodes.Node], int, frozenset[str]]
"""An open loop, condition or block with assigned names: its node, the statements and the number of
uses of `loop` before it, and the names that it binds."""


class ProgramWriter:
    """Writes a program, statement by statement; its methods raise `ExpressionSyntaxError`."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._grammar = expressions.new_grammar()
        self._body: list[nodes.Node] = []
        self._root = self._body
        self._open: list[_OpenBlock] = []
        self.free_names: set[str] = set()
        """The names that it does not bind itself, which the context must provide."""

    @property
    def size(self) -> int:
        """The number of nodes in its expressions."""
        return self._grammar.size

    @property
    def names(self) -> int:
        """The number of different names in its expressions."""
        return len(self._grammar.known_names)

    def at(self, line: int) -> None:
        """Set the line of what follows, for error messages."""
        self._grammar.line = line

    def data(self, text: str) -> None:
        """Write a literal text."""
        node = nodes.TemplateData(text, lineno=self._grammar.line)
        self._add([nodes.Output([node], lineno=self._grammar.line)])

    def value(self, source: str, *, markup: bool = False) -> None:
        """Write a text with expressions; with `markup`, their output may contain it."""
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
        self._open.append((node, self._body, self._grammar.loops, frozenset(bound)))
        self._body = []

    def _read(self, read: Callable[[], T]) -> T:
        """Return a parsed expression, and note the names that it uses."""
        self._grammar.used_names.clear()
        node = read()
        self._require(self._grammar.used_names)
        return node

    def _require(self, names: Collection[str]) -> None:
        self.free_names.update(set(names).difference(*(bound for *_, bound in self._open)))

    def end(self) -> None:
        """End the innermost block."""
        node, before, loops, _ = self._open.pop()
        if isinstance(node, nodes.For) and loops == self._grammar.loops and node.test is None:
            # Templates assign names by loops over a list of one, `x in [card.number + 1]`. They
            # become `with`: Jinja analyses the body of a loop again for each enclosing loop.
            name, values = node.target, node.iter.items if isinstance(node.iter, nodes.List) else []
            if len(values) == 1 and isinstance(name, nodes.Name):
                node = nodes.With([name], values, [], lineno=node.lineno)
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
