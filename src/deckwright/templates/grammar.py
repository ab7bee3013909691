"""What templates may say besides values: conditions, loops and names, and what these cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from jinja2 import nodes

from deckwright.templates.reasons import SyntaxMistakeError
from deckwright.templates.rewriting import ExpressionGrammar, refuse, short, untyped

_LONG_DATA = 64
"""How many characters of text that is always the same are written in one step."""
_RESERVED = {"loop", "self", "super", "caller", "varargs", "kwargs"}


class Grammar(ExpressionGrammar):
    """Rewrites parsed statements in place, and weighs them."""

    def body(self, found: Sequence[nodes.Node], depth: int = 0) -> list[nodes.Node]:
        """Return statements, rewritten.

        Raises:
            SyntaxMistakeError: if templates cannot say so.
        """
        for node in found:
            rewrite = self._STATEMENTS.get(type(node))
            if rewrite is None:
                refuse(node)
            self._enter(node, depth)
            rewrite(self, node, depth + 1)
        return list(found)

    def head(self, node: nodes.For, depth: int = 0) -> None:
        """Rewrite what a loop runs over, and for which items.

        Raises:
            SyntaxMistakeError: if templates cannot say so.
        """
        if node.recursive:
            message = "a loop cannot be `recursive`"
            raise SyntaxMistakeError(message, "leave the word out")
        self.target(node.target)
        node.iter = self.expression(untyped(node.iter), depth)
        if node.test is not None:
            node.test = self.expression(untyped(node.test), depth)

    def pay(self, node: nodes.For, steps: int) -> None:
        """Have a loop pay for its items, so many steps for each."""
        node.iter = self._guarded("each", untyped(node.iter), [nodes.Const(steps + 2)])

    def target(self, node: nodes.Node) -> None:
        """Check what a loop or an assignment gives a value to.

        Raises:
            SyntaxMistakeError: if it is no name, or one that has a meaning.
        """
        self._enter(node, 0)
        if isinstance(node, nodes.Tuple):
            for item in node.items:
                self.target(item)
        elif not isinstance(node, nodes.Name):
            refuse(node)
        elif node.name in _RESERVED or node.name.startswith("_"):
            message = f"`{short(node.name)}` cannot be the name of a value"
            raise SyntaxMistakeError(message, "take another name")
        else:
            self.known.add(node.name)

    def _output(self, node: nodes.Output, depth: int) -> None:
        for index, child in enumerate(node.nodes):
            if isinstance(child, nodes.TemplateData):
                self._enter(child, depth)
                self.weight += len(child.data) // _LONG_DATA
            else:
                node.nodes[index] = self.expression(child, depth)

    def _if(self, node: nodes.If, depth: int) -> None:
        node.test = self.expression(untyped(node.test), depth)
        for inner in (node.body, node.elif_, node.else_):
            self.body(inner, depth)

    def _for(self, node: nodes.For, depth: int) -> None:
        self.head(node, depth)
        before, self.weight = self.weight, 0
        self.body(node.body, depth)
        steps, self.weight = self.weight, before
        self.body(node.else_, depth)
        self.pay(node, steps)

    def _with(self, node: nodes.With, depth: int) -> None:
        for target in node.targets:
            self.target(target)
        node.values = self._children(node.values, depth)
        self.body(node.body, depth)

    def _assign(self, node: nodes.Assign, depth: int) -> None:
        self.target(node.target)
        node.node = self.expression(untyped(node.node), depth)

    _STATEMENTS: ClassVar[Mapping[type, Callable[[Grammar, Any, int], None]]] = {
        nodes.Output: _output,
        nodes.If: _if,
        nodes.For: _for,
        nodes.With: _with,
        nodes.Assign: _assign,
    }
