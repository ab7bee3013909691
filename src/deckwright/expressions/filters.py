"""The filters, tests and methods of expressions: Jinja's for plain data, and our own.

This list is complete. None prints as an empty text, and filters return lists rather than
generators.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial, wraps
from hashlib import blake2b
from pathlib import Path
from typing import Any

from jinja2 import Environment, Undefined, pass_environment
from jinja2 import filters as jinja_filters
from jinja2 import tests as jinja_tests
from jinja2.filters import do_batch, do_truncate, make_attrgetter, sync_do_slice

from deckwright.base import colors, strings
from deckwright.base.files import find_existing, is_file, stays_inside
from deckwright.base.geometry import split_crop
from deckwright.base.locales import choose_form
from deckwright.base.strings import Translated
from deckwright.expressions import grammar

Value = Any
"""Any value of an expression."""
Function = Callable[..., Any]

_JINJA_FILTERS: Mapping[str, Any] = jinja_filters.FILTERS
_JINJA_TESTS: Mapping[str, Any] = jinja_tests.TESTS

TEXTS = (str, Translated)
"""The types of texts."""
NUMBERS = frozenset({int, float, bool})
MAX_ITEMS = 20_000
"""The maximum length of a `range`."""

_CONTAINERS = (list, tuple, dict, range)
_MAX_NAME_LENGTH = 500
_SINE_DIGITS = 12
"""The decimals of sines, far below what print can show."""
_MAX_FORMATS = 50
_FORMAT = re.compile(r"%(?:%|[-+ 0#]{0,4}\d{0,2}(?:\.\d{1,2})?[sdifgeExXo])")

_PLAIN_FILTERS = ("abs", "count", "default", "d", "dictsort", "first", "float", "int", "last",
                "length", "list", "max", "min", "round", "sort", "sum")  # fmt: skip
_LIST_FILTERS = ("groupby", "map", "reject", "rejectattr", "select", "selectattr",
           "unique")  # fmt: skip
_TESTS = ("boolean", "eq", "equalto", "==", "ne", "!=", "gt", "greaterthan", ">", "ge", ">=", "lt",
          "lessthan", "<", "le", "<=", "false", "float", "in", "integer", "iterable", "lower",
          "mapping", "none", "number", "sequence", "string", "true", "upper")  # fmt: skip
METHODS = ("capitalize", "casefold", "count", "endswith", "find", "isalnum", "isalpha", "isdigit",
           "islower", "isspace", "isupper", "join", "lower", "lstrip", "removeprefix",
           "removesuffix", "replace", "rstrip", "split", "startswith", "strip", "swapcase", "title",
           "upper")  # fmt: skip
"""Methods of texts."""


def describe_value(value: object) -> str:
    """Return the kind of a value in a designer's words."""
    return grammar.describe_type(type(value).__name__)


def check_defined(value: object) -> None:
    """Raise an UndefinedError that names what is missing if a value is undefined."""
    if isinstance(value, Undefined):
        str(value)


def require_number(value: Value) -> Value:
    """Return a value, or raise a ValueError if it is not a number."""
    if type(value) not in NUMBERS:
        check_defined(value)
        raise ValueError(f"a number is needed, not {describe_value(value)}")
    return value


def to_text(value: Value) -> str:
    """Return a value as it is printed; None is empty. Raise a TypeError if it is not plain data."""
    if type(value) in TEXTS:
        return str(value)
    if value is None:
        return ""
    if type(value) in NUMBERS or isinstance(value, _CONTAINERS):
        return str(value)
    check_defined(value)
    raise TypeError(f"{describe_value(value)} cannot be printed")


def format_text(pattern: Value, *values: Value) -> str:
    """Return a text with values filled in, as `%` does.

    Raises:
        ValueError: if it has unknown placeholders, or too many.
    """
    pattern = to_text(pattern)
    places = _FORMAT.findall(pattern)
    if "%" in _FORMAT.sub("", pattern):
        message = "the text has an unknown placeholder; known ones look like `%5.1f` or `%s`"
        raise ValueError(message)
    if len(places) > _MAX_FORMATS:
        raise ValueError(f"the text has more than {_MAX_FORMATS} placeholders")
    return str(pattern % tuple(v if type(v) in NUMBERS else to_text(v) for v in values))


def bounded_range(*ends: Value) -> range:
    """Return what the function `range` gives, or raise a ValueError if that is too long."""
    numbers = range(*(int(require_number(end)) for end in ends))
    if numbers[MAX_ITEMS:]:
        raise ValueError(f"`range` gives at most {MAX_ITEMS:,} numbers")
    return numbers


def _of_angle(function: Callable[[float], float], degrees: Value) -> float:
    """Return the sine or cosine of an angle, clockwise as `rotate` turns with y downwards.

    It is without rounding noise: 0.5, not 0.49999999999999994.
    """
    return round(function(math.radians(require_number(degrees) % 360)), _SINE_DIGITS) + 0.0


def seeded_random(*seeds: Value) -> float:
    """Return a number in [0, 1) that depends on nothing but the seeds.

    Equal numbers are the same seed, whether `int` or `float`.
    """
    texts = (f"{float(seed)!r}" if type(seed) in NUMBERS else f"'{to_text(seed)}" for seed in seeds)
    digest = blake2b("\0".join(texts).encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) // 2**14 / 2**50


def cycle(loop: Value, *values: Value) -> Value:
    """Return the value for the loop's current turn, as `loop.cycle` does."""
    if not values:
        raise ValueError("`loop.cycle` needs values")
    return values[loop.index0 % len(values)]


def concatenate(*values: Value) -> str:
    """Return the joined texts of values."""
    return "".join(map(to_text, values))


def _as_list_filter(function: Function) -> Function:
    """Return one of Jinja's filters changed to return a list instead of a generator."""

    @wraps(function)  # keeps Jinja's `pass_…` marks
    def listed(*arguments: Value, **named: Value) -> list[Value]:
        return list(function(*arguments, **named))

    return listed


def _call_with_text(function: Function, value: Value, *arguments: Value, **named: Value) -> Value:
    """Call a function with a value as text."""
    return function(to_text(value), *arguments, **named)


def _call_text_method(
    name: str, own: Function | None, value: Value, *arguments: Value, **named: Value
) -> Value:
    """Call a method of a text: our own version, or else Python's."""
    if type(value) not in TEXTS:
        check_defined(value)
        raise ValueError(f"`{name}` is for texts, not for {describe_value(value)}")
    return own(value, *arguments, **named) if own else getattr(value, name)(*arguments, **named)


def check_comparable(value: Value, name: str, text: str) -> Value:
    """Return a value that is compared with a text.

    Raises:
        ValueError: if it has parts, and so is never equal.
    """
    if type(value) is not dict:
        return value
    raise ValueError(
        f"`{name}` is not a text, so it is never equal to `{text}`{grammar.NEAREST}"
        f"{name}.{'id' if 'id' in value else 'name'}"
    )


def slice_bound(value: Value) -> int | None:
    """Return a bound of a slice as an `int` or None."""
    return None if value is None else int(require_number(value))


def _call_if_defined(function: Function, value: Value, *arguments: Value) -> Value:
    """Call a test if the value is defined."""
    check_defined(value)
    return function(value, *arguments)


@pass_environment
def _join(environment: Environment, value: Value, d: Value = "", attribute: Value = None) -> str:
    items: Iterable[Value] = value
    if attribute is not None:
        items = map(make_attrgetter(environment, attribute), items)
    return to_text(d).join(map(to_text, items))


def _replace(text: str, old: Value, new: Value, count: Value = None) -> str:
    return text.replace(
        to_text(old), to_text(new), -1 if count is None else int(require_number(count))
    )


def _cases(language: str) -> dict[str, Function]:
    """Return the functions that change letter case, by name."""
    known = (strings.upper, strings.lower, strings.capitalize, strings.title)
    return {function.__name__: partial(function, language=language) for function in known}


@pass_environment
def _attr(environment: Environment, value: Value, name: Value) -> Value:
    if type(name) not in TEXTS:
        raise ValueError("`attr` needs a name")
    return environment.getattr(value, name)


def _color(value: Value) -> tuple[str, float]:
    """Return a color as `#rrggbb` and its opacity, or raise a ValueError."""
    if type(value) not in TEXTS:
        check_defined(value)
        raise ValueError(f"a color is needed, not {describe_value(value)}")
    known = colors.parse_css_color(value.strip())
    if known is None:
        raise ValueError(f"`{value}` is not a color")
    return known


def _format_color(color: str, opacity: float) -> str:
    """Return a color as attributes take it, `#rrggbb` or `#rrggbbaa`."""
    return color if opacity >= 1 else f"{color}{round(max(opacity, 0) * 255):02x}"


def mix(color: Value, other: Value, share: Value) -> str:
    """Return a color mixed with a share of another, including the opacities."""
    (mine, opacity), (theirs, others) = _color(color), _color(other)
    mixed = colors.mix(mine, theirs, require_number(share))
    return _format_color(mixed, opacity + (others - opacity) * share)


def _shade(function: Callable[[str, float], str], color: Value, share: Value) -> str:
    """Return a color lightened or darkened by a share."""
    plain, opacity = _color(color)
    return _format_color(function(plain, require_number(share)), opacity)


def contrast(color: Value, other: Value) -> float:
    """Return the contrast of two colors, ignoring opacity."""
    return colors.contrast(_color(color)[0], _color(other)[0])


def contrasting_color(color: Value, light: Value = "#ffffff", dark: Value = "#000000") -> str:
    """Return the color that is easier to read on another, ignoring opacity."""
    return colors.contrasting_color(_color(color)[0], _color(light)[0], _color(dark)[0])


def _plural(word: Value, number: Value) -> Value:
    """Return the form of a word that goes with a number."""
    check_defined(word)
    return choose_form(word, require_number(number))


def _image_filter(folders: Sequence[Path]) -> Function:
    """Return the filter `is_image`, which looks in these folders only."""

    @lru_cache(maxsize=4096)
    def is_there(name: str) -> bool:
        paths = ((find_existing(folder / name), folder) for folder in folders)
        return any(is_file(path) and stays_inside(path, folder) for path, folder in paths)

    def is_image(name: Value) -> bool:
        check_defined(name)
        is_name = type(name) in TEXTS and len(name) <= _MAX_NAME_LENGTH
        return is_name and is_there(split_crop(name)[0])

    return is_image


def build_filters(
    environment: Environment, images: Sequence[Path], language: str
) -> dict[str, Function]:
    """Return the filters by name; `is_image` looks in the folders of `images`."""
    of_printed: Mapping[str, Function] = {
        **_cases(language),
        "trim": lambda text, chars=None: text.strip(chars),
        "replace": _replace,
        "truncate": partial(do_truncate, environment),
        "string": str,
    }
    return {
        **{name: _JINJA_FILTERS[name] for name in _PLAIN_FILTERS},
        **{name: _as_list_filter(_JINJA_FILTERS[name]) for name in _LIST_FILTERS},
        **{name: partial(_call_with_text, function) for name, function in of_printed.items()},
        "items": lambda value: list(value.items()),
        "join": _join,
        "batch": lambda value, linecount, fill_with=None: list(
            do_batch(value, int(require_number(linecount)), fill_with)
        ),
        "slice": lambda value, slices, fill_with=None: list(
            sync_do_slice(value, int(require_number(slices)), fill_with)
        ),
        "reverse": lambda value: value[::-1] if type(value) in TEXTS else list(value)[::-1],
        "attr": _attr,
        "format": format_text,
        "mix": mix,
        "lighten": partial(_shade, colors.lighten),
        "darken": partial(_shade, colors.darken),
        "contrast": contrast,
        "on": contrasting_color,
        "is_image": _image_filter(images),
        "plural": _plural,
    }


def build_calls(language: str) -> dict[str, Function]:
    """Return the functions behind operators and calls, under names that no template can use."""
    own: dict[str, Callable[..., Any]] = {
        "join": lambda text, values: text.join(map(to_text, values)),
        "replace": _replace,
        **_cases(language),
        "swapcase": partial(strings.swap_case, language=language),
    }
    return {
        "~": concatenate,
        "[:]": slice_bound,
        "==": check_comparable,
        "range()": bounded_range,
        "sin()": partial(_of_angle, math.sin),
        "cos()": partial(_of_angle, math.cos),
        "random()": seeded_random,
        ".cycle()": cycle,
        **{f".{name}()": partial(_call_text_method, name, own.get(name)) for name in METHODS},
    }


def build_tests() -> dict[str, Function]:
    """Return the tests by name; all but `defined` and `undefined` require a defined value."""
    own: Mapping[str, Function] = {
        "odd": lambda value: require_number(value) % 2 == 1,
        "even": lambda value: require_number(value) % 2 == 0,
        "divisibleby": lambda value, num: require_number(value) % require_number(num) == 0,
    }
    known = {**{name: _JINJA_TESTS[name] for name in _TESTS}, **own}
    return {
        "defined": _JINJA_TESTS["defined"],
        "undefined": _JINJA_TESTS["undefined"],
        **{name: partial(_call_if_defined, test) for name, test in known.items()},
    }
