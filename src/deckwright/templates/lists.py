"""The filters of expressions for lists and dictionaries. There are no others than those here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from deckwright.templates.budget import MAX_ITEMS, Budget, described
from deckwright.templates.filters import Function, default, join
from deckwright.templates.guards import (
    LISTS,
    SCALARS,
    Guards,
    Value,
    bounded,
    check_defined,
    number,
)

_STEPS = 8
"""The steps that it takes to look at an item."""


class Lookup(NamedTuple):
    """How expressions look things up.

    Attributes:
        item: returns what a value holds under a key, or the lack of it.
        attribute: returns what a value holds under a name, or the lack of it.
        undefined: returns the lack of a value, given what to say of it.
    """

    item: Callable[[Any, Any], Any]
    attribute: Callable[[Any, str], Any]
    undefined: Callable[[str], Any]


class Lists:
    """Filters of lists and dictionaries; each method is one."""

    def __init__(self, budget: Budget, guards: Guards, look: Lookup) -> None:
        """Take the budget that pays, and how things are looked up."""
        self._budget = budget
        self._guards = guards
        self._look = look
        self._filters: dict[str, Function] = {}
        self._tests: dict[str, Function] = {}

    def filters(
        self, others: dict[str, Function], tests: dict[str, Function]
    ) -> dict[str, Function]:
        """Return the filters by name.

        Args:
            others, tests: the filters and tests that may be called for each item, besides these.
        """
        mine: dict[str, Function] = {
            "length": self._length,
            "count": self._length,
            "first": partial(self._end, 0),
            "last": partial(self._end, -1),
            "list": self._list,
            "reverse": self._reverse,
            "join": self._join,
            "sum": self._sum,
            "min": partial(self._extreme, min),
            "max": partial(self._extreme, max),
            "sort": self._sort,
            "unique": self._unique,
            "groupby": self._groupby,
            "batch": self._batch,
            "slice": self._slice,
            "items": self._items,
            "dictsort": self._dictsort,
            "map": self._map,
            "select": partial(self._selected, keep=True),
            "reject": partial(self._selected, keep=False),
            "selectattr": partial(self._selected_by, keep=True),
            "rejectattr": partial(self._selected_by, keep=False),
            "attr": self._attr,
        }
        self._filters, self._tests = {**others, **mine}, tests
        return self._filters

    def _all(self, value: Value) -> Sequence[Value]:
        """Return the items of a list, the characters of a text or the keys of a dictionary."""
        if type(value) not in LISTS and type(value) not in {str, dict}:
            check_defined(value)
            message = f"a list is needed, not {described(value)}"
            raise ValueError(message)
        self._budget.spend(len(value) * _STEPS)
        return list(value) if type(value) is dict else value

    def _pick(self, item: Value, path: Value) -> Value:
        """Return what an item holds under a path such as `level.name`; itself for no path."""
        if path is None:
            return item
        if type(path) is not str:
            return self._look.item(item, path)
        for part in path.split("."):
            self._budget.spend(_STEPS)
            item = self._look.item(item, int(part) if part.isdecimal() else part)
        return item

    def _key(self, value: Value, case_sensitive: Value) -> Value:
        """Return what a value is sorted by."""
        if type(value) is str:
            self._budget.spend(len(value) >> 2)
            return value if case_sensitive else value.lower()
        if type(value) not in SCALARS:
            self._guards.weighed(value)
        return value

    def _keys(self, items: Sequence[Value], path: Value, case_sensitive: Value) -> list[Value]:
        """Return what items are sorted by: what they hold under a path, or paths with commas."""
        if type(path) is str and "," in path:
            paths = path.split(",")
            return [
                [self._key(self._pick(item, part.strip()), case_sensitive) for part in paths]
                for item in items
            ]
        return [self._key(self._pick(item, path), case_sensitive) for item in items]

    def _length(self, value: Value) -> int:
        if type(value) not in LISTS and type(value) not in {str, dict}:
            check_defined(value)
            message = f"{described(value)} has no length"
            raise ValueError(message)
        return len(value)

    def _end(self, index: int, value: Value) -> Value:
        items = value if type(value) in LISTS else self._all(value)
        return items[index] if items else self._look.undefined("the list is empty")

    def _list(self, value: Value) -> list[Value]:
        items = self._all(value)
        self._budget.make_list(len(items))
        return list(items)

    def _reverse(self, value: Value) -> Value:
        if type(value) is str:
            return self._guards.sliced(value, None, None, -1)
        return self._list(value)[::-1]

    def _join(self, value: Value, d: Value = "", attribute: Value = None) -> str:
        items = self._all(value)
        if attribute is not None:
            items = [self._pick(item, attribute) for item in items]
        return join(self._budget, self._guards, items, d)

    def _sum(self, iterable: Value, attribute: Value = None, start: Value = 0) -> Value:
        total = number(start)
        for item in self._all(iterable):
            total = bounded(total + number(self._pick(item, attribute)))
        return total

    def _extreme(
        self,
        which: Function,
        value: Value,
        case_sensitive: Value = False,  # noqa: FBT002 - as in Jinja
        attribute: Value = None,
    ) -> Value:
        items = self._all(value)
        if not items:
            return self._look.undefined("the list is empty")
        keys = self._keys(items, attribute, case_sensitive)
        return items[which(range(len(items)), key=keys.__getitem__)]

    def _sort(
        self,
        value: Value,
        reverse: Value = False,  # noqa: FBT002
        case_sensitive: Value = False,  # noqa: FBT002
        attribute: Value = None,
    ) -> list[Value]:
        items = self._list(value)
        keys = self._keys(items, attribute, case_sensitive)
        order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(reverse))
        return [items[index] for index in order]

    def _unique(
        self,
        value: Value,
        case_sensitive: Value = False,  # noqa: FBT002
        attribute: Value = None,
    ) -> list[Value]:
        items = self._list(value)
        first: dict[Value, Value] = {}
        for item, key in zip(items, self._keys(items, attribute, case_sensitive), strict=True):
            first.setdefault(hashable(key), item)
        return list(first.values())

    def _groupby(
        self,
        value: Value,
        attribute: Value,
        default: Value = None,
        case_sensitive: Value = False,  # noqa: FBT002
    ) -> list[tuple[Value, list[Value]]]:
        items = self._list(value)
        values = [self._pick(item, attribute) for item in items]
        if default is not None:
            values = [_given(value, default) for value in values]
        keys = [hashable(self._key(value, case_sensitive)) for value in values]
        groups: dict[Value, tuple[Value, list[Value]]] = {}
        for item, name, key in zip(items, values, keys, strict=True):
            groups.setdefault(key, (name, []))[1].append(item)
        return [groups[key] for key in sorted(groups)]

    def _batch(self, value: Value, linecount: Value, fill_with: Value = None) -> list[list[Value]]:
        items, size = self._list(value), _positive(linecount)
        rows = [items[start : start + size] for start in range(0, len(items), size)]
        if rows and fill_with is not None:
            self._budget.make_list(size)
            rows[-1] += [fill_with] * (size - len(rows[-1]))
        return rows

    def _slice(self, value: Value, slices: Value, fill_with: Value = None) -> list[list[Value]]:
        items, number_of = self._list(value), _positive(slices)
        self._budget.make_list(number_of)
        size, longer = divmod(len(items), number_of)
        parts, start = [], 0
        for index in range(number_of):
            end = start + size + (index < longer)
            short = longer and index >= longer and fill_with is not None
            parts.append(items[start:end] + ([fill_with] if short else []))
            start = end
        return parts

    def _items(self, value: Value) -> list[tuple[Value, Value]]:
        if type(value) is not dict:
            check_defined(value)
            message = f"a dictionary is needed, not {described(value)}"
            raise ValueError(message)
        self._budget.make_list(len(value))
        return list(value.items())

    def _dictsort(
        self,
        value: Value,
        case_sensitive: Value = False,  # noqa: FBT002
        by: Value = "key",
        reverse: Value = False,  # noqa: FBT002
    ) -> list[Value]:
        if by not in ("key", "value"):
            message = "a dictionary is sorted by `key` or by `value`"
            raise ValueError(message)
        pairs = self._items(value)
        return self._sort(pairs, reverse, case_sensitive, int(by == "value"))

    def _map(self, value: Value, *arguments: Value, **named: Value) -> list[Value]:
        items = self._list(value)
        if not arguments:
            path, fallback = named.pop("attribute", None), named.pop("default", None)
            if path is None or named:
                message = "`map` needs the name of a filter, or `attribute='…'`"
                raise ValueError(message)
            picked = [self._pick(item, path) for item in items]
            return picked if fallback is None else [_given(item, fallback) for item in picked]
        name, *rest = arguments
        function = self._named(name, self._filters, "filter")
        return [function(item, *rest, **named) for item in items]

    def _selected(self, value: Value, *arguments: Value, keep: bool, **named: Value) -> list[Value]:
        items = self._list(value)
        holds = self._test(*arguments, **named)
        return [item for item in items if holds(item) == keep]

    def _selected_by(
        self, value: Value, attribute: Value, *arguments: Value, keep: bool, **named: Value
    ) -> list[Value]:
        items = self._list(value)
        holds = self._test(*arguments, **named)
        return [item for item in items if holds(self._pick(item, attribute)) == keep]

    def _test(self, *arguments: Value, **named: Value) -> Callable[[Value], bool]:
        """Return a function that says whether a test holds; the first argument is its name."""
        if not arguments:
            return bool
        name, *rest = arguments
        test = self._named(name, self._tests, "test")
        return lambda item: bool(test(item, *rest, **named))

    def _named(self, name: Value, known: dict[str, Function], what: str) -> Function:
        if type(name) is not str or name not in known:
            check_defined(name)
            message = f"there is no {what} `{str(name)[:40] if type(name) is str else '…'}`"
            raise ValueError(message)
        return known[name]

    def _attr(self, value: Value, name: Value) -> Value:
        if type(name) is not str:
            message = "`attr` needs a name"
            raise ValueError(message)
        return self._look.attribute(value, name)


def _given(value: Value, fallback: Value) -> Value:
    return default(value, fallback)


def hashable(key: Value) -> Value:
    """Return a key, or what things are told apart by.

    Raises:
        ValueError: if it is a list or dictionary.
    """
    check_defined(key)
    if type(key) not in SCALARS:
        message = f"things are distinguished by a text or number, not by {described(key)}"
        raise ValueError(message)
    return key


def _positive(value: Value) -> int:
    whole = int(number(value))
    if not 1 <= whole <= MAX_ITEMS:
        message = f"a number from 1 to {MAX_ITEMS:,} is needed, not {whole}"
        raise ValueError(message)
    return whole


def counted(budget: Budget, *ends: Value) -> range:
    """Return a range, as the function `range` of expressions does."""
    numbers = range(*(int(number(end)) for end in ends))
    try:
        budget.make_list(len(numbers))
    except OverflowError:
        budget.make_list(MAX_ITEMS + 1)
    return numbers


def cycled(loop: Value, *values: Value) -> Value:
    """Return the one of values that is the turn's, as `loop.cycle` does."""
    if not values:
        message = "`loop.cycle` needs values"
        raise ValueError(message)
    return values[loop.index0 % len(values)]
