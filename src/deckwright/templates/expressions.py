"""The expression language of templates: a part of Jinja2's, over plain data, that cannot run wild.

Each expression is parsed alone, so that none can break out of its place. What it may say is the
business of `grammar`, what it may use up that of `budget`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn, TypeVar

from jinja2 import StrictUndefined, TemplateSyntaxError, Undefined, nodes
from jinja2 import Template as Program
from jinja2.compiler import CodeGenerator, Frame
from jinja2.lexer import describe_token
from jinja2.parser import Parser
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from deckwright.base.findings import nearest
from deckwright.templates.budget import MAX_ITEMS as MAX_ITEMS  # noqa: PLC0414 - also known as ours
from deckwright.templates.budget import Budget, TooMuchError, described
from deckwright.templates.filters import PLAIN, Texts, image_filter
from deckwright.templates.grammar import Grammar
from deckwright.templates.guards import SCALARS, Guards, check_defined
from deckwright.templates.lists import Lists, Lookup, counted, cycled, hashable
from deckwright.templates.predicates import predicates
from deckwright.templates.reasons import NEAREST, SyntaxMistakeError
from deckwright.templates.rewriting import Names, guard

T = TypeVar("T")

MAX_ALL_SIZE = 300_000
"""Most names, numbers and signs in the expressions of all templates of a game, in one style."""
MAX_SOURCE = 50_000
"""The longest text with expressions in it, in characters."""
_LONGEST_REASON = 200

_LOOP = frozenset(
    ("index", "index0", "revindex", "revindex0", "first", "last", "length", "previtem", "nextitem")
)


class _Generator(CodeGenerator):
    """Leaves all to be worked out when a program runs, where it is paid for."""

    def _output_child_to_const(
        self,
        node: nodes.Expr,
        frame: Frame,
        finalize: Any,  # noqa: ANN401
    ) -> str:
        if isinstance(node, (nodes.TemplateData, nodes.Const)):
            return super()._output_child_to_const(node, frame, finalize)
        raise nodes.Impossible


class _Environment(ImmutableSandboxedEnvironment):
    """Looks names up in plain data, so that `card.items` means the card's items, and nowhere else.

    The sandbox is the second line of defence: nothing can be called, and no object has attributes.
    """

    code_generator_class = _Generator

    def getattr(self, obj: Any, attribute: str) -> Any:  # noqa: ANN401 - Jinja's signature
        """Return what is known under a name: a key of a dictionary, or of the loop."""
        kind = type(obj)
        if kind is dict:
            try:
                return obj[attribute]
            except KeyError:
                return self.undefined(obj=obj, name=attribute)
        if kind is LoopContext and attribute in _LOOP:
            return getattr(obj, attribute)
        if isinstance(obj, Undefined):
            return obj[attribute]
        return self.undefined(obj=obj, name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:  # noqa: ANN401 - Jinja's signature
        """Return an item of a list, dictionary or text."""
        kind = type(obj)
        if kind is dict:
            if type(argument) in SCALARS and argument in obj:
                return obj[argument]
        elif kind in {list, tuple, str, range} and type(argument) in {int, bool}:
            try:
                return obj[argument]
            except IndexError:
                pass
        elif isinstance(obj, Undefined):
            return obj[argument]
        check_defined(argument)
        if type(argument) in SCALARS:
            return self.undefined(obj=obj, name=argument)
        return self.undefined(f"{described(obj)} has nothing under {described(argument)}")

    def call(self, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401 - Jinja's signature
        """Refuse: whatever may be called is a filter."""
        message = "only functions and methods can be called"
        raise TypeError(message)


class _Missing(StrictUndefined):
    """What an expression asks for and does not get; what fails on it names the nearest there is."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        message: str = super()._undefined_message
        known = self._undefined_obj if type(self._undefined_obj) is dict else ()
        names = [name for name in known if type(name) is str]
        near = nearest(str(self._undefined_name), names) if names else []
        return f"{message}{NEAREST}{near[0]}" if near else message


class Expressions:
    """Reads and runs the expressions of templates; all of a run share one."""

    def __init__(self, images: Path) -> None:
        """Make the sandbox; `images` is the folder that the filter `is_image` looks in."""
        self._budget = budget = Budget()
        guards = Guards(budget)
        self._environment = env = _Environment(
            undefined=_Missing,
            autoescape=False,
            finalize=guards.printed,
            keep_trailing_newline=True,
            optimized=False,
        )
        texts = Texts(budget, guards)
        lists = Lists(budget, guards, Lookup(env.getitem, env.getattr, env.undefined))
        tests = predicates(guards)
        found = {**PLAIN, **texts.filters(), "is_image": image_filter(images, budget)}
        filters = lists.filters(found, tests)
        methods = texts.methods()
        guarding: dict[str, Callable[..., Any]] = {
            "each": budget.repeated,
            "range()": lambda *ends: counted(budget, *ends),
            ".cycle()": cycled,
            "[:]": guards.sliced,
            "==": guards.weighed,
            "in": guards.contains,
            "key": hashable,
            "~": guards.joined,
            "+": guards.plus,
            "*": guards.times,
            "**": guards.power,
            "%": guards.modulo,
            **{f".{name}()": method for name, method in methods.items()},
        }
        env.globals.clear()
        env.tests = dict(tests)
        env.filters = {**filters, **{guard(name): guarding[name] for name in guarding}}
        # After `is` stand words; signs such as `==` are for `select` alone.
        words = sorted(filter(str.isidentifier, tests))
        self._names = Names(sorted(filters), words, sorted(methods))
        self._grammars: list[Grammar] = []
        self._known = 0

    def grammar(self) -> Grammar:
        """Return the grammar of another template."""
        self._grammars.append(Grammar(self._names))
        return self._grammars[-1]

    @property
    def room(self) -> int:
        """How many more parts the expressions of all templates may have."""
        read = sum(grammar.size for grammar in self._grammars)
        return max(0, MAX_ALL_SIZE - self._known - read)

    def value(self, source: str, grammar: Grammar) -> list[nodes.Node]:
        """Return a value or text with expressions in it, as statements.

        Raises:
            SyntaxMistakeError: if it cannot be read.
        """
        return self._read(source, None, lambda parser: grammar.body(parser.parse().body))

    def condition(self, source: str, grammar: Grammar) -> nodes.Expr:
        """Return an expression.

        Raises:
            SyntaxMistakeError: if it cannot be read.
        """

        def read(parser: Parser) -> nodes.Expr:
            found = parser.parse_expression()
            _check_end(parser)
            return grammar.expression(found)

        return self._read(source, "variable", read)

    def loop(self, source: str, grammar: Grammar) -> nodes.For:
        """Return the head of a loop: `row in card.rows`.

        Raises:
            SyntaxMistakeError: if it cannot be read.
        """

        def read(parser: Parser) -> nodes.For:
            target = parser.parse_assign_target(extra_end_rules=("name:in",))
            parser.stream.expect("name:in")
            items = parser.parse_tuple(with_condexpr=False)
            test = parser.parse_expression() if parser.stream.skip_if("name:if") else None
            _check_end(parser)
            loop = nodes.For(target, items, [], [], test, False)  # noqa: FBT003 - Jinja's signature
            grammar.head(loop)
            return loop

        return self._read(source, "variable", read)

    def names(self, source: str, grammar: Grammar) -> nodes.With:
        """Return names with their values: `x=4, color=card.color`.

        Raises:
            SyntaxMistakeError: if it cannot be read.
        """

        def read(parser: Parser) -> nodes.With:
            targets: list[nodes.Expr] = []
            values: list[nodes.Expr] = []
            while not parser.stream.eos:
                if targets:
                    parser.stream.expect("comma")
                target = parser.parse_assign_target(name_only=True)
                target.set_ctx("param")
                grammar.target(target)
                parser.stream.expect("assign")
                targets.append(target)
                values.append(grammar.expression(parser.parse_expression()))
            return nodes.With(targets, values, [])

        return self._read(source, "variable", read)

    def _read(self, source: str, state: str | None, read: Callable[[Parser], T]) -> T:
        if len(source) > MAX_SOURCE:
            message = f"it has more than {MAX_SOURCE:,} characters"
            raise SyntaxMistakeError(message, "split it")
        try:
            return read(Parser(self._environment, source, state=state))
        except TemplateSyntaxError as error:
            reason = (error.message or "it is not an expression").rstrip(".").replace("'", "`")
            raise SyntaxMistakeError(reason[:_LONGEST_REASON]) from None
        except ValueError:
            message = "a number has too many digits"
            raise SyntaxMistakeError(message, "write a smaller one") from None
        except (SyntaxError, RecursionError, MemoryError, OverflowError):
            message = "it is nested too deeply, or too long"
            raise SyntaxMistakeError(message) from None

    def compile(self, body: list[nodes.Node]) -> CodeType:
        """Return the code of the program of a template.

        Raises:
            SyntaxMistakeError: if it is too large for Python.
        """
        tree = nodes.Template(body, lineno=1)
        try:
            return self._environment.compile(tree)
        except (SyntaxError, RecursionError, MemoryError, OverflowError, TemplateSyntaxError):
            message = "the elements are nested too deeply, or an expression is too long"
            raise SyntaxMistakeError(message) from None

    def program(self, code: CodeType) -> Program:
        """Return the program of a template that has this code."""
        return Program.from_code(self._environment, code, {})

    def know(self, size: int) -> None:
        """Count the expressions of a template that were read in another run."""
        self._known += size

    def run(self, program: Program, context: Mapping[str, object], most: int) -> str:
        """Return what a program writes for `context`, at most so many characters.

        Raises:
            TooMuchError: if it uses up more than it may.
            Exception: whatever else an expression of a template raises.
        """
        budget = self._budget
        budget.begin()
        written = 0
        try:
            parts = list(program.root_render_func(program.new_context(dict(context))))
            written = sum(map(len, parts))
        finally:
            budget.end(written)
        if written > most:
            message = f"the template writes more than {most:,} characters at once"
            raise TooMuchError(message)
        return "".join(parts)

    def draw(self, size: int) -> None:
        """Pay for what is drawn and was not drawn before.

        Args:
            size: in characters of text.

        Raises:
            TooMuchError: if all templates together draw too much.
        """
        self._budget.draw(size)


def _check_end(parser: Parser) -> None:
    """Fail if there is more than an expression."""
    if not parser.stream.eos:
        parser.fail(f"unexpected {describe_token(parser.stream.current)!r}")
