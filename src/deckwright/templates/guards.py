"""The operators of expressions, such that nothing grows without bounds.

Expressions handle texts, numbers, truth values, nothing, lists and dictionaries, and no other
objects. What an operator makes of them is measured and paid for before it is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jinja2 import Undefined

from deckwright.templates.budget import MAX_NUMBER, MAX_TEXT, Budget, TooMuchError, described

Value = Any
"""Whatever an expression may handle."""

NUMBERS = frozenset({int, float, bool})
SCALARS = NUMBERS | {str, type(None)}
LISTS = frozenset({list, tuple, range})

_MAX_POWER = 16
_SHORT = 64
"""The longest text that is handled for nothing."""
_LARGEST = 1_000_000
"""How much a list or dictionary that is compared may hold, in characters."""
_DEEPEST = 40
"""How deep lists may lie in one another."""
_MAX_FORMATS = 50
_FORMAT = re.compile(r"%(?:%|[-+ 0#]{0,4}\d{0,2}(?:\.\d{1,2})?[sdifgeExXo])")
_SLOW = 100
"""The length from which on a search takes no longer for a longer needle."""


def check_defined(value: object) -> None:
    """Fail if a value is the lack of one.

    Raises:
        jinja2.UndefinedError: that says what is not there.
    """
    if isinstance(value, Undefined):
        str(value)


def number(value: Value) -> Value:
    """Return a number.

    Raises:
        ValueError: if it is none.
    """
    if type(value) not in NUMBERS:
        check_defined(value)
        message = f"a number is needed, not {described(value)}"
        raise ValueError(message)
    return value


def bounded(value: Value) -> Value:
    """Return a number that was made.

    Raises:
        TooMuchError: if it is too large.
        ValueError: if it is no real number.
    """
    if type(value) is int:
        if not -MAX_NUMBER < value < MAX_NUMBER:
            message = "the template makes a number of more than 18 digits"
            raise TooMuchError(message)
    elif type(value) is complex:
        message = "there is no such power of a negative number"
        raise ValueError(message)
    return value


class Guards:
    """The operators; each method is one."""

    def __init__(self, budget: Budget) -> None:
        """Take the budget that pays."""
        self._budget = budget

    def plus(self, left: Value, right: Value) -> Value:
        """Return the sum of numbers, or texts or lists one after the other."""
        kind, other = type(left), type(right)
        if kind in NUMBERS and other in NUMBERS:
            return bounded(left + right)
        if kind is str and other is str:
            self._budget.make_text(len(left) + len(right))
            return left + right
        if kind is other and kind in {list, tuple}:
            self._budget.make_list(len(left) + len(right))
            return left + right
        check_defined(left)
        check_defined(right)
        message = f"`+` cannot add {described(left)} and {described(right)}; `~` joins texts"
        raise ValueError(message)

    def times(self, left: Value, right: Value) -> Value:
        """Return the product of numbers."""
        if type(left) in NUMBERS and type(right) in NUMBERS:
            return bounded(bounded(left) * bounded(right))
        check_defined(left)
        check_defined(right)
        message = f"`*` is for numbers, not for {described(left)} and {described(right)}"
        raise ValueError(message)

    def power(self, left: Value, right: Value) -> Value:
        """Return a power of a number."""
        if abs(number(right)) > _MAX_POWER:
            message = f"`**` is for powers of at most {_MAX_POWER}"
            raise ValueError(message)
        try:
            return bounded(bounded(number(left)) ** right)
        except OverflowError:
            message = "the template makes a number that is too large"
            raise TooMuchError(message) from None

    def modulo(self, left: Value, right: Value) -> Value:
        """Return the rest of a division, or a text with values filled in: "%.1f" % 2.5."""
        if type(left) is str:
            return self.formatted(left, *(right if type(right) is tuple else (right,)))
        return number(left) % number(right)

    def formatted(self, pattern: Value, *values: Value) -> str:
        """Return a text with values filled in, as `%` does."""
        pattern = self.printed(pattern)
        places = _FORMAT.findall(pattern)
        if "%" in _FORMAT.sub("", pattern):
            message = "the text has an unknown placeholder; known ones look like `%5.1f` or `%s`"
            raise ValueError(message)
        given = tuple(v if type(v) in NUMBERS else self.printed(v) for v in values)
        # A number may have three hundred digits before its point.
        room = 400 * len(places) + sum(len(v) for v in given if type(v) is str)
        if len(places) > _MAX_FORMATS:
            message = f"the text has more than {_MAX_FORMATS} placeholders"
            raise TooMuchError(message)
        self._budget.spend(len(pattern) + room)
        text = str(pattern % given)
        self._budget.make_text(len(text))
        return text

    def joined(self, *values: Value) -> str:
        """Return the texts of values, one after the other."""
        texts = [value if type(value) is str else self.printed(value) for value in values]
        self._budget.make_text(sum(map(len, texts)))
        return "".join(texts)

    def sliced(self, value: Value, *ends: Value) -> Value:
        """Return a part of a text or list.

        Args:
            ends: where it starts, where it stops, and the step.
        """
        if type(value) is not str and type(value) not in LISTS:
            check_defined(value)
            message = f"only texts and lists have parts, not {described(value)}"
            raise ValueError(message)
        part = slice(*(end if end is None else int(number(end)) for end in ends))
        length = len(range(*part.indices(len(value))))
        self._budget.spend(1 + (length >> 4 if type(value) is str else length))
        return value[part]

    def contains(self, value: Value, holder: Value) -> bool:
        """Return whether a value is in a list, is a key of a dictionary or stands in a text."""
        check_defined(value)
        kind = type(holder)
        if kind is str:
            if type(value) is not str:
                message = f"a text holds texts only, not {described(value)}"
                raise ValueError(message)
            self.seek(holder, value)
            return value in holder
        if kind is dict:
            return type(value) in SCALARS and value in holder
        if kind not in LISTS:
            check_defined(holder)
            message = f"{described(holder)} cannot contain anything"
            raise ValueError(message)
        self._budget.spend(len(holder))
        if type(value) is str:
            self._budget.spend(len(holder) * (len(value) >> 6))
        elif type(value) not in SCALARS:
            self.weighed(holder)
        return value in holder

    def seek(self, text: str, sought: str) -> None:
        """Pay for a search in a text."""
        self._budget.spend(len(text) * min(len(sought) + 1, _SLOW) >> 4)

    def weighed(self, value: Value) -> Value:
        """Return a value that is about to be compared, having paid for it."""
        if type(value) is str:
            if len(value) > _SHORT:
                self._budget.spend(len(value) >> 6)
        elif type(value) not in SCALARS:
            check_defined(value)
            self._budget.spend(self.extent(value, _LARGEST) >> 1)
        return value

    def printed(self, value: Value) -> str:
        """Return the text that is printed for a value: none for nothing."""
        kind = type(value)
        if kind is str:
            text: str = value
            return text
        if value is None:
            return ""
        if kind in NUMBERS:
            return str(value)
        check_defined(value)
        extent = self.extent(value, MAX_TEXT)
        self._budget.make_text(extent)
        self._budget.spend(extent)
        return str(value)

    def extent(self, value: Value, limit: int) -> int:
        """Return about how many characters a list or dictionary takes to print.

        What it holds more than once counts as often, as it does for whatever walks through it.

        Raises:
            TooMuchError: if it is more than `limit`, or nested too deeply.
            TypeError: if there is anything else in it than expressions handle.
        """
        total = 0
        open_: list[Iterator[Value]] = [iter((value,))]
        while open_:
            for item in open_[-1]:
                kind = type(item)
                total += len(item) + 4 if kind is str else 8
                if total > limit:
                    message = "the template handles a list or dictionary that is too large"
                    raise TooMuchError(message)
                if kind in SCALARS:
                    continue
                if kind is dict:
                    open_.append(entry for pair in item.items() for entry in pair)
                elif kind in LISTS:
                    open_.append(iter(item))
                else:
                    check_defined(item)
                    message = f"{described(item)} can be neither printed nor compared"
                    raise TypeError(message)
                if len(open_) > _DEEPEST:
                    message = "the template nests lists too deeply"
                    raise TooMuchError(message)
                break
            else:
                open_.pop()
        return total
