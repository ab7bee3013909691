"""The tests of expressions, as in `card.level is defined`. There are no others than these."""

from __future__ import annotations

from jinja2 import Undefined

from deckwright.templates.filters import Function
from deckwright.templates.guards import LISTS, NUMBERS, Guards, Value, check_defined, number


def _is_defined(value: Value) -> bool:
    return not isinstance(value, Undefined)


def _is_none(value: Value) -> bool:
    check_defined(value)
    return value is None


def _divides(value: Value, num: Value) -> bool:
    return bool(number(value) % number(num) == 0)


def _of_kind(*kinds: type) -> Function:
    def test(value: Value) -> bool:
        check_defined(value)
        return type(value) in kinds

    return test


def _lower(value: Value) -> bool:
    check_defined(value)
    return type(value) is str and value.islower()


def _upper(value: Value) -> bool:
    check_defined(value)
    return type(value) is str and value.isupper()


def predicates(guards: Guards) -> dict[str, Function]:
    """Return the tests by name."""
    weighed = guards.weighed
    compared: dict[tuple[str, ...], Function] = {
        ("eq", "==", "equalto"): lambda a, b: weighed(a) == weighed(b),
        ("ne", "!="): lambda a, b: weighed(a) != weighed(b),
        ("gt", ">", "greaterthan"): lambda a, b: weighed(a) > weighed(b),
        ("ge", ">="): lambda a, b: weighed(a) >= weighed(b),
        ("lt", "<", "lessthan"): lambda a, b: weighed(a) < weighed(b),
        ("le", "<="): lambda a, b: weighed(a) <= weighed(b),
    }
    return {
        **{name: function for names, function in compared.items() for name in names},
        "in": guards.contains,
        "defined": _is_defined,
        "undefined": lambda value: not _is_defined(value),
        "none": _is_none,
        "odd": lambda value: number(value) % 2 == 1,
        "even": lambda value: number(value) % 2 == 0,
        "divisibleby": _divides,
        "true": lambda value: value is True,
        "false": lambda value: value is False,
        "boolean": _of_kind(bool),
        "integer": _of_kind(int),
        "float": _of_kind(float),
        "number": _of_kind(*NUMBERS),
        "string": _of_kind(str),
        "mapping": _of_kind(dict),
        "sequence": _of_kind(str, dict, *LISTS),
        "iterable": _of_kind(str, dict, *LISTS),
        "lower": _lower,
        "upper": _upper,
    }
