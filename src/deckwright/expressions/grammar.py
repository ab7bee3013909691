"""What expressions and statements of templates may say: a part of Jinja's language.

Calls, `~` and the ends of `[:]` become filters, under names that no template can say, so that no
function is ever a value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple, NoReturn

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from deckwright.base.findings import known_hint

NEAREST = "\x1f"
"""Stands in a reason before the known name that is nearest to one that does not exist."""
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
_MISSING_ATTRIBUTE = re.compile(r"'(\w+)(?: object)?' has no (?:attribute|element) '?(.*?)'?")
_LACKS = {"dict": "there is no", "None": "there is nothing that could have"}
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
        (
            r".*unhashable type: '(?P<a>\w+)'.*",
            "things are distinguished by a text or number, not by {a}",
        ),
        (
            r".*\bargument.*",
            "a filter or method has arguments that it does not take, or lacks one",
        ),
    )
]
"""What Python says of types, and how it is said here."""


def describe_type(kind: str) -> str:
    """Return what values of a type of Python's are, in a designer's words."""
    return _KINDS.get(kind, f"`{kind}`")


def explain_error(error: Exception) -> str:
    """Return why an expression has failed, without a full stop and Python's own words."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it takes too much memory"
    reason = str(error).partition(NEAREST)[0]
    reason = " ".join(reason[:_MAX_REASON_LENGTH].split()) or type(error).__name__
    if isinstance(error, TypeError):
        return _explain_type_error(reason)
    if match := _NO_SUCH_FILTER.fullmatch(reason):
        return f"there is no {match[1]} `{match[2]}`"
    if match := _MISSING_ATTRIBUTE.fullmatch(reason):
        lacks = _LACKS.get(match[1], f"{describe_type(match[1])} has no")
        return f"{lacks} `{match[2]}`"
    return reason.replace("'", "`").rstrip(".")


def name_hint(error: Exception, names: Iterable[str]) -> str | None:
    """Return a hint with the name that was meant, or all, where an expression asks for no such one.

    Args:
        names: those that the template sees.
    """
    message, _, near = str(error).partition(NEAREST)
    if near:
        return f"did you mean `{near}`?"
    lacking = _MISSING_ATTRIBUTE.fullmatch(message)
    if lacking and lacking[1] == "None":
        return 'leave out what cards may lack, as in `when="card.image"`'
    unknown = _UNDEFINED_NAME.fullmatch(message)
    return known_hint(unknown[1], sorted(names)) if unknown else None


def _explain_type_error(reason: str) -> str:
    """Return what a TypeError says."""
    for pattern, said in _TYPE_ERRORS:
        if match := pattern.fullmatch(reason):
            found = match.groupdict()
            return said.format(
                sign=found.pop("sign", ""), **{k: describe_type(found[k]) for k in found}
            )
    return reason.replace("'", "`").rstrip(".")


class ExpressionSyntaxError(Exception):
    """An expression cannot be read."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Keep why, and what to do."""
        super().__init__(message)
        self.message = message
        self.hint = hint


MAX_DEPTH = 50
"""How deep the parts of an expression may lie in one another."""
MAX_NUMBER = 10**18
"""No whole number that an expression says, or multiplies, is as large."""

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
"""What parts that are not allowed are called, where their types have other names."""
_RESERVED = {"pi", "loop", "self", "super", "caller", "varargs", "kwargs"}


_FUNCTIONS = {
    "range": ("one to three numbers", "range(3)"),
    "sin": ("an angle in degrees", "sin(30)"),
    "cos": ("an angle in degrees", "cos(30)"),
    "random": ("something to make a number of", "random(card.id, 1)"),
}
"""Functions: what they need, and an example."""


class KnownNames(NamedTuple):
    """The names of what expressions may use."""

    filters: Collection[str]
    tests: Collection[str]
    methods: Collection[str]


class Grammar(NodeTransformer):
    """Checks parsed expressions and statements of one template.

    Attributes:
        line: the line that what is checked gets.
        size: how many parts were checked in all.
        known: the names of values in them.
        loaded: those of values that they ask for; who wants to know begins with an empty set.
        loops: how often they ask for `loop`.
        markup: whether the texts that are printed may have markup.
    """

    def __init__(self, names: KnownNames) -> None:
        """Take the names of what may be used."""
        self._names = names
        self.line = 1
        self.size = 0
        self.known: set[str] = set()
        self.used_names: set[str] = set()
        self.loops = 0
        self.markup = False

    def visit(self, node: nodes.Node, depth: int = 0) -> Any:  # noqa: ANN401 - as in Jinja
        """Return a part, as it is to be compiled.

        Raises:
            SyntaxMistakeError: if templates cannot say so.
        """
        if type(node) not in _ALLOWED:
            _refuse(type(node))
        if depth > MAX_DEPTH:
            message = "it is nested too deeply, or too long"
            raise ExpressionSyntaxError(message, "split it, using names that `with` or `each` give")
        node.lineno = self.line
        self.size += 1
        return super().visit(node, depth + 1)

    def visit_Const(self, node: nodes.Const, _: int) -> nodes.Node:  # noqa: N802 - Jinja's name
        """Refuse numbers that are too large to be written down."""
        value = node.value
        if (type(value) is int and abs(value) >= MAX_NUMBER) or value == math.inf:
            raise ExpressionSyntaxError("a number is too large", "write a smaller one")
        return node

    def visit_Name(self, node: nodes.Name, _: int) -> nodes.Node:  # noqa: N802
        """Refuse names that have a meaning of their own."""
        name, is_new = node.name, node.ctx != "load"
        if name.startswith("_") or (is_new and name in _RESERVED):
            message = f"there is no `{shorten_name(name)}`"
            if is_new:
                message = f"`{shorten_name(name)}` cannot be the name of a value"
            raise ExpressionSyntaxError(message, "take another name" if is_new else None)
        if name == "pi":
            return nodes.Const(math.pi, lineno=self.line)
        self.known.add(name)
        if not is_new:
            self.used_names.add(name)
        self.loops += name == "loop"
        return node

    def visit_Output(self, node: nodes.Output, depth: int) -> nodes.Node:  # noqa: N802
        """Let markup in what is printed take effect."""
        self.generic_visit(node, depth)
        if self.markup:
            node.nodes = [
                part if isinstance(part, nodes.TemplateData) else self._filter("*", part, [])
                for part in node.nodes
            ]
        return node

    def visit_For(self, node: nodes.For, depth: int) -> nodes.Node:  # noqa: N802
        """Refuse loops that call themselves."""
        if node.recursive:
            raise ExpressionSyntaxError("a loop cannot be `recursive`", "leave the word out")
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
        """Make a filter of `~`."""
        first, *rest = (self.visit(child, depth) for child in node.nodes)
        return self._filter("~", first, rest)

    def visit_Slice(self, node: nodes.Slice, depth: int) -> nodes.Node:  # noqa: N802
        """Make whole numbers of where a part begins and ends."""
        for name in node.fields:
            end = getattr(node, name)
            if end is not None:
                end = self.visit(end, depth)
                is_whole = isinstance(end, nodes.Const)
                setattr(node, name, end if is_whole else self._filter("[:]", end, []))
        return node

    def visit_Call(self, node: nodes.Call, depth: int) -> nodes.Node:  # noqa: N802
        """Make a filter of the call of a method or a function."""
        called = node.node
        if isinstance(called, nodes.Name):
            _check_known(called.name, _FUNCTIONS, "function")
            if not node.args or node.kwargs:
                needs, example = _FUNCTIONS[called.name]
                message = f"`{called.name}` needs {needs}"
                raise ExpressionSyntaxError(message, f"write it as `{example}`")
            name, value = f"{called.name}()", node.args.pop(0)
        elif isinstance(called, nodes.Getattr):
            value = called.node
            of_loop = isinstance(value, nodes.Name) and value.name == "loop"
            known = ("cycle",) if of_loop else self._names.methods
            _check_known(called.attr, known, "method")
            name = f".{called.attr}()"
        else:
            message = "only functions and methods can be called"
            raise ExpressionSyntaxError(message, "leave out the `(…)`")
        self._check_arguments(node, depth, called=False)
        made = self._filter(name, self.visit(value, depth), node.args)
        made.kwargs = as_any(node.kwargs)
        return made

    def _check_arguments(
        self, node: nodes.Filter | nodes.Test | nodes.Call, depth: int, *, called: bool = True
    ) -> nodes.Node:
        if node.dyn_args is not None or node.dyn_kwargs is not None:
            message = "`*` and `**` cannot come before arguments"
            raise ExpressionSyntaxError(message, "write the arguments one by one")
        named: list[nodes.Keyword] = as_any(node.kwargs)
        if len({keyword.key for keyword in named}) < len(named):
            raise ExpressionSyntaxError("an argument is given twice", "leave out one of them")
        if called:
            return self.generic_visit(node, depth)
        node.args = [self.visit(child, depth) for child in node.args]
        node.kwargs = [self.visit(child, depth) for child in named]
        return node

    def _filter(self, name: str, value: nodes.Expr, more: list[nodes.Expr]) -> nodes.Filter:
        return nodes.Filter(value, name, more, [], None, None, lineno=self.line)


def as_any(node: object) -> Any:  # noqa: ANN401 - that is its use
    """Return what Jinja's types say less of than what must be there."""
    return node


def _refuse(kind: type[nodes.Node]) -> NoReturn:
    message = f"`{_REFUSED.get(kind, kind.__name__.lower())}` cannot be used in a template"
    hint = "write values as `{{ … }}`, and use `each`, `when` and `include` of elements"
    raise ExpressionSyntaxError(message, hint)


def _check_known(name: str, known: Collection[str], what: str) -> None:
    if name not in known:
        message = f"there is no {what} `{shorten_name(name)}`"
        raise ExpressionSyntaxError(message, known_hint(shorten_name(name), known))


def shorten_name(name: str) -> str:
    """Return a name as a message repeats it."""
    return name if len(name) <= 40 else f"{name[:39]}…"  # noqa: PLR2004
