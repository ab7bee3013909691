"""The expressions of templates: a part of Jinja2's, rewritten so that all that they do is paid.

Only the parts of the language that are named here can be used. Operators and calls become calls of
the functions in `guards`, `filters` and `lists`, under names that no template can say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, NoReturn

from jinja2 import nodes

from deckwright.base.findings import known_hint
from deckwright.templates.budget import MAX_NUMBER
from deckwright.templates.numeric import is_harmless, is_short
from deckwright.templates.reasons import SyntaxMistakeError

MAX_DEPTH = 50
"""How deep the parts of an expression may lie in one another."""

_REFUSED = {
    nodes.Macro: "macro",
    nodes.CallBlock: "call",
    nodes.FilterBlock: "filter",
    nodes.Block: "block",
    nodes.Include: "include",
    nodes.Import: "import",
    nodes.FromImport: "from",
    nodes.Extends: "extends",
    nodes.Scope: "autoescape",
    nodes.AssignBlock: "set",
    nodes.NSRef: "namespace",
}
_IN = {"in", "notin"}


class Names(NamedTuple):
    """The names of what expressions may use."""

    filters: Collection[str]
    tests: Collection[str]
    methods: Collection[str]


def guard(name: str) -> str:
    """Return the name under which a guarding function is entered among the filters."""
    return f"guard {name}"


class ExpressionGrammar:
    """Rewrites parsed expressions in place, and weighs them.

    Attributes:
        line: the line that what is rewritten gets.
        weight: the steps that what was rewritten takes, without the bodies of its loops: they are
            paid for each item.
        size: how many parts were rewritten in all.
        known: the names of values in them.
    """

    def __init__(self, names: Names) -> None:
        """Take the names of what may be used."""
        self._names = names
        self.line = 1
        self.weight = 0
        self.size = 0
        self.known: set[str] = set()

    def expression(self, node: nodes.Expr, depth: int = 0) -> nodes.Expr:
        """Return an expression, rewritten.

        Raises:
            SyntaxMistakeError: if templates cannot say so.
        """
        rewrite = self._EXPRESSIONS.get(type(node))
        if rewrite is None:
            refuse(node)
        self._enter(node, depth)
        return rewrite(self, node, depth + 1)

    def _enter(self, node: nodes.Node, depth: int) -> None:
        if depth > MAX_DEPTH:
            message = "it is nested too deeply, or too long"
            raise SyntaxMistakeError(message, "split it, using names that `with` or `each` give")
        node.lineno = self.line
        self.weight += 1
        self.size += 1

    def _guarded(self, name: str, value: nodes.Expr, more: Sequence[nodes.Expr]) -> nodes.Filter:
        """Return the call of a guarding function."""
        return nodes.Filter(value, guard(name), list(more), [], None, None, lineno=self.line)

    def _children(self, found: Sequence[nodes.Expr], depth: int) -> list[nodes.Expr]:
        return [self.expression(child, depth) for child in found]

    def _const(self, node: nodes.Const, _: int) -> nodes.Expr:
        value = node.value
        if (type(value) is int and abs(value) >= MAX_NUMBER) or value == math.inf:
            message = "a number is too large"
            raise SyntaxMistakeError(message, "write a smaller one")
        return node

    def _name(self, node: nodes.Name, _: int) -> nodes.Expr:
        if node.name.startswith("_"):
            message = f"there is no `{short(node.name)}`"
            raise SyntaxMistakeError(message)
        self.known.add(node.name)
        return node

    def _inner(self, node: Any, depth: int) -> nodes.Expr:  # noqa: ANN401 - of several types
        node.node = self.expression(node.node, depth)
        return node  # type: ignore[no-any-return]

    def _item(self, node: nodes.Getitem, depth: int) -> nodes.Expr:
        node.node = self.expression(node.node, depth)
        if isinstance(node.arg, nodes.Slice):
            part = node.arg
            ends = [end or nodes.Const(None) for end in (part.start, part.stop, part.step)]
            return self._guarded("[:]", node.node, self._children(ends, depth))
        node.arg = self.expression(node.arg, depth)
        return node

    def _binary(self, node: nodes.BinExpr, depth: int) -> nodes.Expr:
        node.left = self.expression(node.left, depth)
        node.right = self.expression(node.right, depth)
        if is_harmless(node):
            return node
        return self._guarded(node.operator, node.left, [node.right])

    def _concat(self, node: nodes.Concat, depth: int) -> nodes.Expr:
        first, *rest = self._children(node.nodes, depth)
        return self._guarded("~", first, rest)

    def _list(self, node: Any, depth: int) -> nodes.Expr:  # noqa: ANN401 - a list or tuple
        node.items = self._children(node.items, depth)
        return node  # type: ignore[no-any-return]

    def _dict(self, node: nodes.Dict, depth: int) -> nodes.Expr:
        for pair in node.items:
            self._enter(pair, depth)
            key = self.expression(pair.key, depth)
            pair.key = key if isinstance(key, nodes.Const) else self._guarded("key", key, [])
            pair.value = self.expression(pair.value, depth)
        return node

    def _choice(self, node: nodes.CondExpr, depth: int) -> nodes.Expr:
        node.test = self.expression(node.test, depth)
        node.expr1 = self.expression(node.expr1, depth)
        if node.expr2 is not None:
            node.expr2 = self.expression(node.expr2, depth)
        return node

    def _compare(self, node: nodes.Compare, depth: int) -> nodes.Expr:
        values = self._children([node.expr, *(operand.expr for operand in node.ops)], depth)
        for operand in node.ops:
            self._enter(operand, depth)
        if any(operand.op in _IN for operand in node.ops):
            return self._contains(node, values)
        # To compare with a number or a short text takes no longer if the other is long.
        short_ones = [is_short(value) for value in values]
        if short_ones.count(False) > 1 or len(node.ops) > 1:
            values = [
                value if is_one else self._guarded("==", value, [])
                for value, is_one in zip(values, short_ones, strict=True)
            ]
        node.expr = values[0]
        for operand, value in zip(node.ops, values[1:], strict=True):
            operand.expr = value
        return node

    def _contains(self, node: nodes.Compare, values: list[nodes.Expr]) -> nodes.Expr:
        if len(node.ops) > 1:
            message = "`in` is combined with another comparison"
            raise SyntaxMistakeError(message, "join them with `and`")
        operand = node.ops[0]
        node.expr, operand.expr = value, holder = values
        if isinstance(holder, (nodes.List, nodes.Tuple)) and all(map(is_short, holder.items)):
            return node
        found = self._guarded("in", value, [holder])
        return found if operand.op == "in" else nodes.Not(found, lineno=self.line)

    def _filter(self, node: nodes.Filter, depth: int) -> nodes.Expr:
        if node.node is None:
            refuse(node)
        _check_known(node.name, self._names.filters, "filter")
        node.node = self.expression(node.node, depth)
        self._arguments(node, depth)
        return node

    def _test(self, node: nodes.Test, depth: int) -> nodes.Expr:
        _check_known(node.name, self._names.tests, "test")
        node.node = self.expression(node.node, depth)
        self._arguments(node, depth)
        return node

    def _arguments(self, node: nodes.Filter | nodes.Test | nodes.Call, depth: int) -> None:
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            message = "`*` and `**` cannot come before arguments"
            raise SyntaxMistakeError(message, "write the arguments one by one")
        node.args = self._children(node.args, depth)
        if len({keyword.key for keyword in untyped(node.kwargs)}) < len(node.kwargs):
            message = "an argument is given twice"
            raise SyntaxMistakeError(message, "leave out one of them")
        for keyword in untyped(node.kwargs):
            self._enter(keyword, depth)
            keyword.value = self.expression(keyword.value, depth)

    def _call(self, node: nodes.Call, depth: int) -> nodes.Expr:
        called = node.node
        self._arguments(node, depth)
        if isinstance(called, nodes.Name):
            _check_known(called.name, ("range",), "function")
            if not node.args or node.kwargs:
                message = "`range` needs one to three numbers"
                raise SyntaxMistakeError(message, "write it as `range(3)`")
            return self._guarded("range()", node.args[0], node.args[1:])
        if not isinstance(called, nodes.Getattr):
            message = "only functions and methods can be called"
            raise SyntaxMistakeError(message, "leave out the `(…)`")
        value = self.expression(called.node, depth)
        of_loop = isinstance(value, nodes.Name) and value.name == "loop"
        _check_known(called.attr, ("cycle",) if of_loop else self._names.methods, "method")
        method = self._guarded(f".{called.attr}()", value, node.args)
        method.kwargs = untyped(node.kwargs)
        return method

    _EXPRESSIONS: ClassVar[Mapping[type, Callable[[ExpressionGrammar, Any, int], nodes.Expr]]] = {
        nodes.Const: _const,
        nodes.Name: _name,
        nodes.Getattr: _inner,
        nodes.Getitem: _item,
        **dict.fromkeys(
            (
                nodes.Add,
                nodes.Sub,
                nodes.Mul,
                nodes.Div,
                nodes.FloorDiv,
                nodes.Mod,
                nodes.Pow,
                nodes.And,
                nodes.Or,
            ),
            _binary,
        ),
        **dict.fromkeys((nodes.Neg, nodes.Pos, nodes.Not), _inner),
        nodes.Concat: _concat,
        nodes.List: _list,
        nodes.Tuple: _list,
        nodes.Dict: _dict,
        nodes.CondExpr: _choice,
        nodes.Compare: _compare,
        nodes.Filter: _filter,
        nodes.Test: _test,
        nodes.Call: _call,
    }


def untyped(node: object) -> Any:  # noqa: ANN401 - that is its use
    """Return what Jinja's types say less of than what must be there."""
    return node


def refuse(node: nodes.Node) -> NoReturn:
    """Say that templates cannot say so."""
    kind = nodes.FilterBlock if isinstance(node, nodes.Filter) else type(node)
    message = f"`{_REFUSED.get(kind, kind.__name__.lower())}` cannot be used in a template"
    hint = "write values as `{{ … }}`, and use `each`, `when` and `include` of elements"
    raise SyntaxMistakeError(message, hint)


def _check_known(name: str, known: Collection[str], what: str) -> None:
    if name not in known:
        message = f"there is no {what} `{short(name)}`"
        raise SyntaxMistakeError(message, known_hint(short(name), known))


def short(name: str) -> str:
    """Return a name as a message repeats it."""
    return name if len(name) <= 40 else f"{name[:39]}…"  # noqa: PLR2004
