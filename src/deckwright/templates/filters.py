"""The filters and methods of expressions for texts, numbers, colors and images.

There are no others than those listed here and in `lists`. Each pays for what it makes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Undefined
from jinja2.filters import do_title

from deckwright.base import colors
from deckwright.base.files import belongs, is_file
from deckwright.base.names import found
from deckwright.templates.budget import Budget, described
from deckwright.templates.guards import LISTS, Guards, Value, bounded, check_defined, number

Function = Callable[..., Any]

_LOOK = 50
"""The steps that it takes to look for a file."""
_LONGEST_NAME = 500
_LONGEST_NUMBER = 60
_MOST_DIGITS = 15
_MOST_CHARS = 100


class Texts:
    """Filters and methods of texts; each method is one."""

    def __init__(self, budget: Budget, guards: Guards) -> None:
        """Take the budget that pays."""
        self._budget = budget
        self._guards = guards

    def filters(self) -> dict[str, Function]:
        """Return the filters by name."""
        plain = {name: partial(self._plain, name) for name in ("upper", "lower", "capitalize")}
        return {
            **plain,
            "title": self._title,
            "trim": self.trim,
            "replace": self.replace,
            "truncate": self.truncate,
            "string": self._guards.printed,
            "format": self._guards.formatted,
        }

    def methods(self) -> dict[str, Function]:
        """Return the methods by name; they take the text, and their arguments."""
        named: dict[str, Function] = {
            **{name: partial(self._plain, name) for name in _PLAIN},
            **{name: partial(self._sought, name) for name in _SOUGHT},
            **{name: partial(self._stripped, name) for name in ("strip", "lstrip", "rstrip")},
            "replace": self.replace,
            "split": self._split,
            "join": self._join,
        }
        return {name: partial(_of_text, name, method) for name, method in named.items()}

    def _plain(self, name: str, value: Value) -> Value:
        """Call a method that takes no more than the text, and makes one of about its length."""
        text = self._guards.printed(value)
        self._budget.spend(1 + (len(text) >> 3))
        return getattr(text, name)()

    def _sought(self, name: str, text: str, sought: Value) -> Value:
        """Call a method that looks for a text in a text."""
        self._guards.seek(text, _text(sought))
        return getattr(text, name)(sought)

    def _stripped(self, name: str, text: str, chars: Value = None) -> str:
        if chars is not None and len(_text(chars)) > _MOST_CHARS:
            message = f"`{name}` is for at most {_MOST_CHARS} characters"
            raise ValueError(message)
        self._budget.spend(1 + (len(text) >> 3))
        return str(getattr(text, name)(chars))

    def trim(self, value: Value, chars: Value = None) -> str:
        """Return a text without the space, or these characters, around it."""
        return self._stripped("strip", self._guards.printed(value), chars)

    def _title(self, value: Value) -> str:
        text = self._guards.printed(value)
        self._budget.spend(1 + 2 * len(text))
        return str(do_title(text))

    def replace(self, s: Value, old: Value, new: Value, count: Value = None) -> str:
        """Return a text with another in the place of one."""
        text, old, new = (self._guards.printed(value) for value in (s, old, new))
        self._guards.seek(text, old)
        most = -1 if count is None else int(number(count))
        found = text.count(old)
        found = found if most < 0 else min(found, most)
        length = len(text) + found * (len(new) - len(old))
        if length > len(text):
            self._budget.make_text(length)
        self._budget.spend(1 + (length >> 4))
        return text.replace(old, new, most)

    def truncate(
        self,
        s: Value,
        length: Value = 255,
        killwords: Value = False,  # noqa: FBT002 - as in Jinja
        end: Value = "...",
        leeway: Value = 5,
    ) -> str:
        """Return a text shortened to a length, with an end that says so."""
        text, end = self._guards.printed(s), self._guards.printed(end)
        size = int(number(length))
        if size < len(end):
            message = f"a text cannot be truncated to {size} characters with the end `{end[:20]}`"
            raise ValueError(message)
        if len(text) <= size + int(number(leeway)):
            return text
        head = text[: size - len(end)]
        return self._guards.joined(head if killwords else head.rsplit(" ", 1)[0], end)

    def _split(self, text: str, sep: Value = None, maxsplit: Value = -1) -> list[str]:
        if sep is not None:
            self._guards.seek(text, _text(sep))
        most = int(number(maxsplit))
        found = len(text) // 2 if sep is None else text.count(sep)
        self._budget.make_list(1 + (found if most < 0 else min(found, most)))
        self._budget.spend(len(text) >> 3)
        return text.split(sep, most)

    def _join(self, text: str, values: Value) -> str:
        return join(self._budget, self._guards, values, text)


def join(budget: Budget, guards: Guards, values: Value, between: Value) -> str:
    """Return the texts of values with a text between them."""
    if type(values) not in LISTS and type(values) is not str:
        check_defined(values)
        message = f"a list is needed, not {described(values)}"
        raise ValueError(message)
    budget.make_list(len(values))
    comma = guards.printed(between)
    texts = [guards.printed(value) for value in values]
    budget.make_text(sum(map(len, texts)) + len(comma) * max(0, len(texts) - 1))
    return comma.join(texts)


_PLAIN = ("upper", "lower", "capitalize", "title", "swapcase", "casefold", "isdigit", "isalpha",
          "isalnum", "isupper", "islower", "isspace")  # fmt: skip
_SOUGHT = ("startswith", "endswith", "removeprefix", "removesuffix", "count", "find")


def _of_text(name: str, method: Function, value: Value, *arguments: Value, **named: Value) -> Value:
    """Call a method if its value is a text."""
    if type(value) is not str:
        check_defined(value)
        message = f"`{name}` is for texts, not for {described(value)}"
        raise ValueError(message)
    return method(value, *arguments, **named)


def _text(value: Value) -> str:
    if type(value) is not str:
        check_defined(value)
        message = f"a text is needed, not {described(value)}"
        raise ValueError(message)
    return str(value)


def default(value: Value, default_value: Value = "", boolean: Value = False) -> Value:  # noqa: FBT002 - as in Jinja
    """Return a value, or another if there is none."""
    if isinstance(value, Undefined) or (boolean and not value):
        return default_value
    return value


def whole(value: Value, default: Value = 0) -> Value:
    """Return a whole number."""
    check_defined(value)
    if type(value) is str and len(value) > _LONGEST_NUMBER:
        return default
    try:
        return bounded(int(value))
    except (ValueError, TypeError, OverflowError):
        try:
            return bounded(int(float(value)))
        except (ValueError, TypeError, OverflowError):
            return default


def decimal(value: Value, default: Value = 0.0) -> Value:
    """Return a number with a point."""
    check_defined(value)
    if type(value) is str and len(value) > _LONGEST_NUMBER:
        return default
    try:
        return float(value)
    except (ValueError, TypeError, OverflowError):
        return default


def rounded(value: Value, precision: Value = 0, method: Value = "common") -> Value:
    """Return a number rounded to so many digits after its point; up, down or to the nearest."""
    digits = int(number(precision))
    if abs(digits) > _MOST_DIGITS:
        message = f"a number is rounded to at most {_MOST_DIGITS} digits"
        raise ValueError(message)
    ways: dict[object, Function] = {"common": round, "ceil": math.ceil, "floor": math.floor}
    if type(method) is not str or method not in ways:
        message = "a number is rounded by `common`, `ceil` or `floor`"
        raise ValueError(message)
    if method == "common":
        return round(number(value), digits)
    return ways[method](number(value) * 10.0**digits) / 10.0**digits


def _color(value: Value) -> str:
    if type(value) is not str:
        check_defined(value)
        message = f"a color is needed, not {described(value)}"
        raise ValueError(message)
    return str(value)


def mix(color: Value, other: Value, share: Value) -> str:
    """Return a color with a share of another in it."""
    return colors.mix(_color(color), _color(other), number(share))


def lighten(color: Value, share: Value) -> str:
    """Return a color with a share of white in it."""
    return colors.lighten(_color(color), number(share))


def darken(color: Value, share: Value) -> str:
    """Return a color with a share of black in it."""
    return colors.darken(_color(color), number(share))


def contrast(color: Value, other: Value) -> float:
    """Return the contrast of two colors."""
    return colors.contrast(_color(color), _color(other))


def on(color: Value, light: Value = "#ffffff", dark: Value = "#000000") -> str:
    """Return that color which reads better on another."""
    return colors.on(_color(color), _color(light), _color(dark))


def image_filter(images: Path, budget: Budget) -> Function:
    """Return the filter that says whether there is an image in this folder, and nowhere else."""

    @lru_cache(maxsize=4096)
    def is_there(name: str) -> bool:
        path = found(images / name)
        return is_file(path) and belongs(path, images)

    def is_image(name: Value) -> bool:
        check_defined(name)
        budget.spend(_LOOK)
        return type(name) is str and len(name) <= _LONGEST_NAME and is_there(name)

    return is_image


PLAIN: Mapping[str, Function] = {
    "default": default,
    "d": default,
    "int": whole,
    "float": decimal,
    "round": rounded,
    "abs": lambda value: abs(number(value)),
    "mix": mix,
    "lighten": lighten,
    "darken": darken,
    "contrast": contrast,
    "on": on,
}
"""Filters that make nothing large."""
