"""The expression language: a subset of Jinja's, over plain data, in Jinja's sandbox.

Each expression is parsed on its own, so that none can break out of its place. `grammar` decides
what it may contain, `filters` what it may call. Steps are not counted: the layout of a stranger's
game runs with limits of time and memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any, NoReturn

from jinja2 import StrictUndefined, TemplateSyntaxError, Undefined, nodes, pass_context
from jinja2 import Template as Program
from jinja2.compiler import CodeGenerator, Frame
from jinja2.lexer import describe_token
from jinja2.parser import Parser
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from deckwright.base.findings import find_nearest
from deckwright.expressions import ExpressionSyntaxError, LenientDict, filters
from deckwright.expressions.filters import (
    NUMBERS,
    TEXTS,
    Function,
    check_defined,
    describe_value,
    format_text,
    to_text,
)
from deckwright.expressions.grammar import MAX_NUMBER, NEAREST, Grammar, KnownNames

MAX_SOURCE = 50_000
"""The longest text with expressions, in characters."""
_MAX_PARTS = 32
"""How many parts of a program's output, such as values, are counted together."""
_MAX_REASON_LENGTH = 200
_MAX_HINT_LENGTH = 80
_MAX_POWER = 16

_SIGNS = {
    "unexpected `=`": "compare with `==`",
    "unexpected char `&`": "write `and` for `&&`",
    "got `|`": "write `or` for `||`",
    "unexpected char `!`": "write `not` for `!`",
}
"""Hints about the signs of other languages, by what Jinja says about them."""

INCLUDE = "<include>"
"""The filter that runs another program; no template can name it."""
_RUN = "<run>"
"""The key in a context of the function that runs an included program."""

_LOOP = frozenset(
    ("index", "index0", "revindex", "revindex0", "first", "last", "length", "previtem", "nextitem")
)


class _Generator(CodeGenerator):
    """Generates code without constant folding, since results such as `is_image` may change."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        if isinstance(node, (nodes.TemplateData, nodes.Const)):
            return super()._output_child_to_const(node, frame, finalize)
        raise nodes.Impossible


class _Environment(ImmutableSandboxedEnvironment):
    """Looks up names in plain data only, so that `card.items` means the card's items.

    Nothing can be called, and objects have no attributes.
    """

    code_generator_class = _Generator
    intercepted_binops = frozenset({"*", "**", "%"})

    def getattr(self, obj: Any, attribute: str) -> Any:  # Jinja's signature
        """Return the value of a dictionary's key, or an attribute of `loop`."""
        if type(obj) is LenientDict:
            return obj.get(attribute, "")
        if isinstance(obj, dict):
            try:
                return obj[attribute]
            except KeyError:
                return self.undefined(obj=obj, name=attribute)
        if type(obj) is LoopContext and attribute in _LOOP:
            return getattr(obj, attribute)
        if isinstance(obj, Undefined):
            return obj[attribute]
        return self.undefined(obj=obj, name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:  # Jinja's signature
        """Return an item of a list, dictionary or text."""
        if type(obj) is LenientDict and isinstance(argument, str):
            return obj.get(argument, "")
        if isinstance(obj, (dict, list, tuple, str, range)):
            if isinstance(obj, dict) or type(argument) in {int, bool}:
                with suppress(LookupError):
                    return obj[argument]
        elif isinstance(obj, Undefined):
            return obj[argument]
        check_defined(argument)
        if argument is None or type(argument) in {*TEXTS, *NUMBERS}:
            return self.undefined(obj=obj, name=argument)
        return self.undefined(f"{describe_value(obj)} has no item {describe_value(argument)}")

    def call_binop(
        self, context: Context, operator: str, left: Any, right: Any
    ) -> Any:  # Jinja's signature
        """Return the result of an operator that could make huge values from small ones."""
        if operator == "%" and type(left) in TEXTS:
            return format_text(left, *(right if type(right) is tuple else (right,)))
        if type(left) not in NUMBERS or type(right) not in NUMBERS:
            check_defined(left)
            check_defined(right)
            message = (
                f"`{operator}` is for numbers, not for {describe_value(left)} and "
                f"{describe_value(right)}"
            )
            raise ValueError(message)
        if operator == "**" and abs(right) > _MAX_POWER:
            raise ValueError(f"`**` is for powers of at most {_MAX_POWER}")
        value = super().call_binop(context, operator, left, right)
        if type(value) is int and abs(value) >= MAX_NUMBER:
            raise ValueError("the template computes a number with more than 18 digits")
        if type(value) is complex:
            raise ValueError("a negative number has no such power")
        return value

    def call(self, *_: Any, **__: Any) -> NoReturn:  # Jinja's signature
        """Refuse all calls; the grammar turns the allowed ones into filters."""
        raise TypeError("only functions and methods can be called")


class _Missing(StrictUndefined):
    """An undefined value; using it raises an error that suggests the nearest known name."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        message: str = super()._undefined_message
        known = self._undefined_obj if isinstance(self._undefined_obj, dict) else ()
        names = [name for name in known if type(name) is str]
        near = find_nearest(str(self._undefined_name), names) if names else []
        return f"{message}{NEAREST}{near[0]}" if near else message


class OutputTooLongError(Exception):
    """A program's output exceeds its limit."""


class Expressions:
    """Parses and runs the expressions of templates; the templates of a run share one."""

    def __init__(
        self, images: Sequence[Path], in_text: Function = to_text, language: str = ""
    ) -> None:
        """Set up the sandbox.

        Args:
            images: the folders in which the filter `is_image` looks.
            in_text: converts values printed within text with markup.
            language: the texts' language, for letter case.
        """
        self._environment = env = _Environment(
            undefined=_Missing,
            autoescape=False,
            finalize=to_text,
            keep_trailing_newline=True,
            optimized=False,
        )
        known = filters.build_filters(env, images, language)
        env.globals.clear()
        env.tests.clear()
        env.tests.update(filters.build_tests())
        env.filters.clear()
        env.filters.update(
            {**known, **filters.build_calls(language), "*": in_text, INCLUDE: _include}
        )
        # Tests named by signs, such as `==`, are only for `select`.
        words = sorted(filter(str.isidentifier, env.tests))
        self._names = KnownNames(sorted(known), words, filters.METHODS)

    def new_grammar(self) -> Grammar:
        """Return a grammar for another template."""
        return Grammar(self._names)

    def parse_value(self, source: str, grammar: Grammar) -> list[nodes.Node]:
        """Return a text with expressions as statements, or raise an ExpressionSyntaxError."""
        with self._open_parser(source, None) as parser:
            return [*map(grammar.visit, parser.parse().body)]

    def parse_condition(self, source: str, grammar: Grammar) -> nodes.Expr:
        """Return an expression, or raise an ExpressionSyntaxError."""
        with self._open_parser(source) as parser:
            condition = parser.parse_expression()
            _check_end(parser)
            return grammar.visit(condition)  # type: ignore[no-any-return]

    def parse_loop(self, source: str, grammar: Grammar) -> nodes.For:
        """Return the head of a loop, `row in card.rows`, or raise an ExpressionSyntaxError."""
        with self._open_parser(source) as parser:
            target = parser.parse_assign_target(extra_end_rules=("name:in",))
            parser.stream.expect("name:in")
            items = parser.parse_tuple(with_condexpr=False)
            test = parser.parse_expression() if parser.stream.skip_if("name:if") else None
            if test and parser.stream.current.test("name:else"):
                name, _, inside = source.strip().partition(" in ")
                short = inside if len(inside) <= _MAX_HINT_LENGTH else "…"
                raise ExpressionSyntaxError(
                    "the `if` of a loop filters items, and cannot have an `else`",
                    f"put everything after `in` in brackets: `{name} in ({short})`",
                )
            _check_end(parser)
            loop = nodes.For(target, items, [], [], test, False)  # noqa: FBT003 - Jinja's signature
            return grammar.visit(loop)  # type: ignore[no-any-return]

    def parse_names(self, source: str, grammar: Grammar) -> nodes.With:
        """Return names with values, `x=4, color=card.color`, or raise an ExpressionSyntaxError."""
        targets: list[nodes.Expr] = []
        values: list[nodes.Expr] = []
        with self._open_parser(source) as parser:
            while not parser.stream.eos:
                if targets:
                    parser.stream.expect("comma")
                target = parser.parse_assign_target(name_only=True)
                target.set_ctx("param")
                parser.stream.expect("assign")
                targets.append(grammar.visit(target))
                values.append(grammar.visit(parser.parse_expression()))
        return nodes.With(targets, values, [])

    @contextmanager
    def _open_parser(self, source: str, state: str | None = "variable") -> Iterator[Parser]:
        """Parse a text within the context; what the parser raises becomes our own error."""
        if len(source) > MAX_SOURCE:
            raise ExpressionSyntaxError(f"it has more than {MAX_SOURCE:,} characters", "split it")
        try:
            yield Parser(self._environment, source, state=state)
        except TemplateSyntaxError as error:
            reason = (error.message or "it is not an expression").rstrip(".").replace("'", "`")
            hint = next((hint for sign, hint in _SIGNS.items() if sign in reason), None)
            raise ExpressionSyntaxError(reason[:_MAX_REASON_LENGTH], hint) from None
        except ValueError:
            message = "a number has too many digits"
            raise ExpressionSyntaxError(message, "write a smaller one") from None
        except (SyntaxError, RecursionError, MemoryError, OverflowError):
            raise ExpressionSyntaxError("it is nested too deeply, or too long") from None

    def compile(self, body: list[nodes.Node]) -> CodeType:
        """Return a program's code; raise an ExpressionSyntaxError if it is too large for Python."""
        tree = nodes.Template(body, lineno=1)
        try:
            return self._environment.compile(tree)
        except (SyntaxError, RecursionError, MemoryError, OverflowError, TemplateSyntaxError):
            message = "the elements are nested too deeply, or an expression is too long"
            raise ExpressionSyntaxError(message) from None

    def load_program(self, code: CodeType) -> Program:
        """Return the program of a template from its code."""
        return Program.from_code(self._environment, code, {})

    def run(
        self,
        program: Program,
        context: Mapping[str, object],
        max_length: int,
        includes: Mapping[str, Program] = MappingProxyType({}),
    ) -> str:
        """Return a program's output for `context`, of at most `max_length` characters.

        Args:
            includes: the programs that it may include, directly or indirectly, by name.

        Raises:
            OutputTooLongError: if the output is longer.
            Exception: whatever else an expression raises.
        """
        left = max_length

        def render(program: Program, values: Mapping[str, object]) -> str:
            nonlocal left
            parts: list[str] = []
            output = program.root_render_func(program.new_context({**values, _RUN: include}))
            while some := [*islice(output, _MAX_PARTS)]:
                parts += some
                left -= sum(map(len, some))
                if left < 0:
                    much = f"the template outputs more than {max_length:,} characters at once"
                    raise OutputTooLongError(much)
            return "".join(parts)

        def include(name: str, values: Mapping[str, object]) -> str:
            nonlocal left
            text = render(includes[name], values)
            left += len(text)  # counted again as output of the including program
            return text

        return render(program, context)


@pass_context
def _include(context: Context, name: str, values: Mapping[str, object]) -> str:
    """Return the output of the program of this name for these values."""
    include: Callable[[str, Mapping[str, object]], str] = context.parent[_RUN]
    return include(name, values)


def _check_end(parser: Parser) -> None:
    """Check that nothing follows an expression."""
    if not parser.stream.eos:
        parser.fail(f"unexpected {describe_token(parser.stream.current)!r}")
