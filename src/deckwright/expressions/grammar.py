"""The grammar of templates' expressions and statements: a subset of Jinja's.

Calls, `~` and the bounds of `[:]` become filters, under names that no template can use, so that a
function is never a value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from deckwright.base.findings import known_hint, shorten
from deckwright.expressions import ExpressionSyntaxError

NEAREST = "\x1f"
"""Separates an error message from the nearest known name."""
_MAX_REASON_LENGTH = 300

_KINDS = {
    "str": "a text",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "NoneType": "nothing",
    "list": "a list",
    "tuple": "a list",
    "range": "a list",
    "dict": "a dictionary",
    "LoopContext": "`loop`",
}
_UNDEFINED_NAME = re.compile(r"'(\S+)' is undefined")
_MISSING_ATTRIBUTE = re.compile(
    r"'(?:[\w.]+\.)?(\w+)(?: object)?' has no (?:attribute|element) '?(.*?)'?"
)
_LACKS = {
    "dict": "there is no",
    "CardContexts": "there is no card",
    "None": "there is nothing that could have",
}
_NO_SUCH_FILTER = re.compile(r"No (filter|test) named '(.*)'\.?")
_ADD_MESSAGE = "`+` cannot add {a} and {b}; `~` joins texts"
_TYPE_ERRORS = [
    (re.compile(pattern), said)
    for pattern, said in (
        (r'can only concatenate \w+ \(not "(?P<b>\w+)"\) to (?P<a>\w+)', _ADD_MESSAGE),
        (r"unsupported operand type\(s\) for \+: '(?P<a>\w+)' and '(?P<b>\w+)'", _ADD_MESSAGE),
        (
            r"unsupported operand type\(s\) for (?P<sign>\S+): '(?P<a>\w+)' and '(?P<b>\w+)'.*",
            "`{sign}` is for numbers, not for {a} and {b}",
        ),
        (
            r"bad operand type for (?:unary )?(?P<sign>[^\s(]+)(?:\(\))?: '(?P<a>\w+)'",
            "`{sign}` is for numbers, not for {a}",
        ),
        (
            r"'(?P<sign>\S+)' not supported between instances of '(?P<a>\w+)' and '(?P<b>\w+)'",
            "`{sign}` cannot compare {a} and {b}",
        ),
        (r"'(?P<a>\w+)' object is not (?:iterable|reversible)", "a list is needed, not {a}"),
        (r"object of type '(?P<a>\w+)' has no len\(\)", "{a} has no length"),
        (r"argument of type '(?P<a>\w+)' is not .*", "{a} cannot contain anything"),
        (r"'in <string>' requires string .* not (?P<a>\w+)", "a text holds texts only, not {a}"),
        (r".*unhashable type: '(?P<a>\w+)'.*", "a key must be a text or a number, not {a}"),
        (r".*\bargument.*", "a filter or method has too many, too few or unknown arguments"),
    )
]
"""Python's messages about types, with our own."""


def describe_type(kind: str) -> str:
    """Return a Python type's name in a designer's words."""
    return _KINDS.get(kind, f"`{kind}`")


def explain_error(error: Exception) -> str:
    """Return why an expression failed, without Python's jargon and without a full stop."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it takes too much memory"
    reason = str(error).partition(NEAREST)[0]
    reason = " ".join(reason[:_MAX_REASON_LENGTH].split()) or type(error).__name__
    for pattern, message in _TYPE_ERRORS if isinstance(error, TypeError) else ():
        if match := pattern.fullmatch(reason):
            kinds = {name: describe_type(kind) for name, kind in match.groupdict().items()}
            return message.format(**{**kinds, "sign": match.groupdict().get("sign", "")})
    if match := _NO_SUCH_FILTER.fullmatch(reason):
        return f"there is no {match[1]} `{match[2]}`"
    if match := _MISSING_ATTRIBUTE.fullmatch(reason):
        lacks = _LACKS.get(match[1], f"{describe_type(match[1])} has no")
        return f"{lacks} `{match[2]}`"
    return reason.replace("'", "`").rstrip(".")


def name_hint(error: Exception, names: Iterable[str]) -> str | None:
    """Return a hint for an undefined name: the nearest one that the template knows, or all."""
    message, _, nearest = str(error).partition(NEAREST)
    if nearest:
        return f"did you mean `{nearest}`?"
    missing = _MISSING_ATTRIBUTE.fullmatch(message)
    if missing and missing[1] == "None":
        return 'first check that the card has it, as in `when="card.image"`'
    unknown = _UNDEFINED_NAME.fullmatch(message)
    card = names.get("card") if unknown and isinstance(names, Mapping) else None
    if unknown and isinstance(card, Mapping) and unknown[1] in card:
        return f"write `card.{unknown[1]}`"
    return known_hint(unknown[1], sorted(names)) if unknown else None


MAX_DEPTH = 50
"""The maximum nesting of an expression."""
MAX_NUMBER = 10**18
"""Whole numbers of an expression, and products, must be smaller."""

_ALLOWED = frozenset((
    nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.With, nodes.Assign, nodes.Const,
    nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Add, nodes.Sub, nodes.Mul,
    nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.And, nodes.Or, nodes.Not, nodes.Neg,
    nodes.Pos, nodes.Concat, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.CondExpr,
    nodes.Compare, nodes.Operand, nodes.Filter, nodes.Test, nodes.Call, nodes.Keyword,
))  # fmt: skip
_REFUSED = {
    nodes.CallBlock: "call",
    nodes.FilterBlock: "filter",
    nodes.FromImport: "from",
    nodes.Scope: "autoescape",
    nodes.AssignBlock: "set",
    nodes.NSRef: "namespace",
}
"""The words for refused statements whose types have other names."""
_RESERVED = {"pi", "loop", "self", "super", "caller", "varargs", "kwargs"}


_FUNCTIONS = {
    "range": ("one to three numbers", "range(3)"),
    "sin": ("an angle in degrees", "sin(30)"),
    "cos": ("an angle in degrees", "cos(30)"),
    "random": ("values to derive a number from", "random(card.id, 1)"),
}
"""Functions with their arguments and an example."""


class KnownNames(NamedTuple):
    """The names of filters, tests and methods."""

    filters: Collection[str]
    tests: Collection[str]
    methods: Collection[str]


class Grammar(NodeTransformer):
    """Checks the parsed expressions and statements of a template.

    Attributes:
        line: the line number to give to nodes.
        size: the number of nodes checked.
        known_names: all names of values.
        used_names: the names that are read; callers may reset it to collect those of one part.
        loops: how often `loop` is used.
        markup: whether texts may contain markup.
    """

    def __init__(self, names: KnownNames) -> None:
        self._names = names
        self.line = 1
        self.size = 0
        self.known_names: set[str] = set()
        self.used_names: set[str] = set()
        self.loops = 0
        self.markup = False

    def visit(self, node: nodes.Node, depth: int = 0) -> Any:  # as in Jinja
        """Return a node to compile; raise an ExpressionSyntaxError if templates cannot use it."""
        if type(node) not in _ALLOWED:
            _refuse(type(node))
        if depth > MAX_DEPTH:
            message = "it is nested too deeply, or too long"
            raise ExpressionSyntaxError(message, "split it, using names from `with` or `each`")
        node.lineno = self.line
        self.size += 1
        return super().visit(node, depth + 1)

    def visit_Const(self, node: nodes.Const, _: int) -> nodes.Node:  # noqa: N802 - Jinja's name
        """Refuse numbers that are too large."""
        value = node.value
        if (type(value) is int and abs(value) >= MAX_NUMBER) or value == math.inf:
            raise ExpressionSyntaxError("a number is too large", "write a smaller one")
        return node

    def visit_Name(self, node: nodes.Name, _: int) -> nodes.Node:  # noqa: N802
        """Refuse reserved names."""
        name, is_new = node.name, node.ctx != "load"
        if name.startswith("_") or (is_new and name in _RESERVED):
            message = f"there is no `{shorten(name)}`"
            if is_new:
                message = f"`{shorten(name)}` cannot be the name of a value"
            raise ExpressionSyntaxError(message, "use another name" if is_new else None)
        if name == "pi":
            return nodes.Const(math.pi, lineno=self.line)
        self.known_names.add(name)
        if not is_new:
            self.used_names.add(name)
        self.loops += name == "loop"
        return node

    def visit_Output(self, node: nodes.Output, depth: int) -> nodes.Node:  # noqa: N802
        """Pass printed values through the markup filter."""
        self.generic_visit(node, depth)
        if self.markup:
            node.nodes = [
                part if isinstance(part, nodes.TemplateData) else self._filter("*", part, [])
                for part in node.nodes
            ]
        return node

    def visit_For(self, node: nodes.For, depth: int) -> nodes.Node:  # noqa: N802
        """Refuse recursive loops."""
        if node.recursive:
            raise ExpressionSyntaxError("a loop cannot be `recursive`", "remove the word")
        return self.generic_visit(node, depth)

    def visit_Filter(self, node: nodes.Filter, depth: int) -> nodes.Node:  # noqa: N802
        """Refuse unknown filters."""
        if node.node is None:
            _refuse(nodes.FilterBlock)
        _check_known(node.name, self._names.filters, "filter")
        return self._check_arguments(node, depth)

    def visit_Test(self, node: nodes.Test, depth: int) -> nodes.Node:  # noqa: N802
        """Refuse unknown tests."""
        _check_known(node.name, self._names.tests, "test")
        return self._check_arguments(node, depth)

    def visit_Concat(self, node: nodes.Concat, depth: int) -> nodes.Node:  # noqa: N802
        """Turn `~` into a filter."""
        first, *rest = (self.visit(child, depth) for child in node.nodes)
        return self._filter("~", first, rest)

    def visit_Slice(self, node: nodes.Slice, depth: int) -> nodes.Node:  # noqa: N802
        """Turn the bounds of a slice into whole numbers."""
        for name in node.fields:
            end = getattr(node, name)
            if end is not None:
                end = self.visit(end, depth)
                is_whole = isinstance(end, nodes.Const)
                setattr(node, name, end if is_whole else self._filter("[:]", end, []))
        return node

    def visit_Compare(self, node: nodes.Compare, depth: int) -> nodes.Node:  # noqa: N802
        """Check at run time that nothing with parts is compared with a text: it is never equal."""
        self.generic_visit(node, depth)
        operand = node.ops[0]
        for owner, other in ((node, operand), (operand, node)):
            text = other.expr.value if isinstance(other.expr, nodes.Const) else None
            name = _format_path(owner.expr)
            if operand.op in {"eq", "ne"} and isinstance(text, str) and name:
                arguments: list[nodes.Expr] = [nodes.Const(name), nodes.Const(text)]
                owner.expr = self._filter("==", owner.expr, arguments)
        return node

    def visit_Call(self, node: nodes.Call, depth: int) -> nodes.Node:  # noqa: N802
        """Turn the call of a method or function into a filter."""
        callee = node.node
        if isinstance(callee, nodes.Name):
            _check_known(callee.name, _FUNCTIONS, "function")
            if not node.args or node.kwargs:
                needs, example = _FUNCTIONS[callee.name]
                message = f"`{callee.name}` needs {needs}"
                raise ExpressionSyntaxError(message, f"write it as `{example}`")
            name, value = f"{callee.name}()", node.args.pop(0)
        elif isinstance(callee, nodes.Getattr):
            value = callee.node
            of_loop = isinstance(value, nodes.Name) and value.name == "loop"
            known = ("cycle",) if of_loop else self._names.methods
            _check_known(callee.attr, known, "method")
            name = f".{callee.attr}()"
        else:
            message = "only functions and methods can be called"
            raise ExpressionSyntaxError(message, "remove the `(…)`")
        self._check_arguments(node, depth, is_call=False)
        call = self._filter(name, self.visit(value, depth), node.args)
        call.kwargs = as_any(node.kwargs)
        return call

    def _check_arguments(
        self, node: nodes.Filter | nodes.Test | nodes.Call, depth: int, *, is_call: bool = True
    ) -> nodes.Node:
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            message = "`*` and `**` cannot come before arguments"
            raise ExpressionSyntaxError(message, "write the arguments one by one")
        named: list[nodes.Keyword] = as_any(node.kwargs)
        if len({keyword.key for keyword in named}) < len(named):
            raise ExpressionSyntaxError("an argument is given twice", "remove one of them")
        if is_call:
            return self.generic_visit(node, depth)
        node.args = [self.visit(child, depth) for child in node.args]
        node.kwargs = [self.visit(child, depth) for child in named]
        return node

    def _filter(self, name: str, value: nodes.Expr, more: list[nodes.Expr]) -> nodes.Filter:
        return nodes.Filter(value, name, more, [], None, None, lineno=self.line)


def _format_path(node: nodes.Expr) -> str:
    """Return a name with its parts as it is written, `card.faction`; "" for anything else."""
    if isinstance(node, nodes.Getattr):
        path = _format_path(node.node)
        return f"{path}.{node.attr}" if path else ""
    return node.name if isinstance(node, nodes.Name) else ""


def as_any(node: object) -> Any:  # that is its use
    """Return a node without its type, where Jinja's annotations are too loose."""
    return node


def _refuse(kind: type[nodes.Node]) -> NoReturn:
    message = f"`{_REFUSED.get(kind, kind.__name__.lower())}` cannot be used in a template"
    hint = "write values as `{{ … }}`, and use `each`, `when` and `include` of elements"
    raise ExpressionSyntaxError(message, hint)


def _check_known(name: str, known: Collection[str], what: str) -> None:
    if name not in known:
        message = f"there is no {what} `{shorten(name)}`"
        raise ExpressionSyntaxError(message, known_hint(shorten(name), known))
