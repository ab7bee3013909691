"""The expression language of templates: Jinja2 in a sandbox, over plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, nodes
from jinja2 import Template as Program
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from deckwright import colors
from deckwright.files import belongs, is_file

MAX_ITEMS = 20_000
"""Most elements that the loops of one face may repeat, so that a slip does not run for ever."""


class TooManyItemsError(Exception):
    """The loops of a template repeat more than `MAX_ITEMS` elements."""


_MAX_POWER = 16


class _Environment(ImmutableSandboxedEnvironment):
    """Looks names up in plain dictionaries first, so that `card.items` means the card's items."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ANN401
        """Multiply numbers, but build no huge ones and no huge texts or lists."""
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        if not numbers or (operator == "**" and abs(right) > _MAX_POWER):
            message = f"`{operator}` is for numbers of reasonable size"
            raise ValueError(message)
        return super().call_binop(context, operator, left, right)

    def getattr(self, obj: Any, attribute: str) -> Any:  # noqa: ANN401 - Jinja's signature
        """Return an attribute, which for a dictionary is the value of that key."""
        if type(obj) is dict:
            try:
                return obj[attribute]
            except KeyError:
                return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)


def _blank(value: Any) -> Any:  # noqa: ANN401 - any value of a template
    """Print nothing for None."""
    return "" if value is None else value


def _is_image(images: Path, name: object) -> bool:
    """Return whether there is a file of this name in the folder of images, and nowhere else."""
    path = images / str(name)
    return is_file(path) and belongs(path, images)


class Expressions:
    """Compiles and runs the programs of templates; all of a run share one."""

    def __init__(self, images: Path) -> None:
        """Make the sandbox; `images` is the folder that the filter `is_image` looks in."""
        self._left = 0
        self._environment = env = _Environment(
            undefined=StrictUndefined, autoescape=False, finalize=_blank, keep_trailing_newline=True
        )
        for function in (colors.mix, colors.on, colors.lighten, colors.darken, colors.contrast):
            env.filters[function.__name__] = function
        env.filters["is_image"] = cache(partial(_is_image, images))
        env.filters[_BOUNDED] = self._bounded

    def compile(self, source: str) -> Program:
        """Return the program of a template.

        Raises:
            jinja2.TemplateSyntaxError: if it cannot be read.
        """
        tree = self._environment.parse(source)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, _BOUNDED, [], [], None, None, lineno=loop.lineno)
        return self._environment.from_string(tree)

    def run(self, program: Program, context: Mapping[str, object]) -> str:
        """Return what a program writes for `context`.

        Raises:
            TooManyItemsError: if its loops repeat more than `MAX_ITEMS` elements.
            Exception: whatever else an expression of a template raises.
        """
        self._left = MAX_ITEMS
        return program.render(context)

    def _bounded(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self._left -= 1
            if self._left < 0:
                raise TooManyItemsError
            yield item


_BOUNDED = "bounded"
