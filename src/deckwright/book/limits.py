"""The deck limits of a game as a table for its rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from deckwright.base.strings import capitalize
from deckwright.book.model import Span, Text
from deckwright.book.text import make_text
from deckwright.game.deck_rules import Format, Limit
from deckwright.game.model import Faction
from deckwright.game.setup import Setup
from deckwright.game.words import describe_bounds

_MAX_NOTED = 2
"""The most limits that a format changes to be told of below the table; else it gets a column."""
_PLAIN = Format("", "", is_default=True, changes={})
"""The format of a game that has none."""
_OFF = "–"
_AFTER_HEAD = "\u2002"


class LimitRows(NamedTuple):
    """The cells of a table of limits, and the rows that begin a zone."""

    cells: tuple[tuple[Text | None, ...], ...]
    heads: int
    groups: tuple[int, ...]
    columns: tuple[str, ...]


def make_limit_rows(setup: Setup, factions: Mapping[str, Faction]) -> LimitRows:
    """Return one row a limit, with one column a format and one for the copies of a card.

    What a format changes here and there, and what is no number of cards, are sentences at the end.
    """
    limits = _Limits(setup, factions)
    several = len({limit.zone for limit in limits.counted}) > 1
    copies = limits.copies if any(limits.copies.values()) else {}
    beside = {copies[each.id]: each for each in limits.counted if copies.get(each.id)}
    """The limits of copies that stand in the row of another limit, by the id of that."""
    rows: list[tuple[Text | None, ...]] = []
    title = setup.words["limit"] if several else next(map(limits.zone_name, setup.limits), "")
    if limits.formats[0].name or copies or not several:
        heads = [each.name for each in limits.formats] + [setup.words["per-card"]] * bool(copies)
        rows.append(tuple(map(make_text, (title, *heads))))
    count, groups, before = len(rows), list[int](), None
    for limit in limits.counted:
        if limit in beside.values():
            continue
        opens = several and limit.zone != before
        groups += [len(rows)] if opens else []
        alone = limit.id in copies
        values = ["" if alone else limits.bounds(limit, each) for each in limits.formats]
        if copies:
            own = limit if alone else beside.get(limit.id)
            values.append(limits.bounds(own._replace(per=None), limits.formats[0]) if own else "")
        zone = limits.zone_name(limit) if opens else ""
        rows.append((limits.label(limit, zone), *map(make_text, values)))
        before = limit.zone
    width = len(limits.formats) + bool(copies)
    sentences = [*limits.sentences()]
    groups += [len(rows)] if sentences else []
    rows += [(text, *[None] * width) for text in sentences]
    return LimitRows(tuple(rows), count, tuple(groups), ("l", *"r" * width))


class _Limits:
    """The limits of a game in words."""

    def __init__(self, setup: Setup, factions: Mapping[str, Faction]) -> None:
        self._setup, self._factions = setup, factions
        formats = [*setup.formats.values()] or [_PLAIN]
        usual = next((each for each in formats if each.is_default), formats[0])
        many = [each for each in formats if len([*self._changed(each, usual)]) > _MAX_NOTED]
        self.formats = [usual, *many]
        """The formats with a column, the usual one first."""
        self._others = [each for each in formats if each != usual]
        self._sentences = [each for each in setup.limits if each.own_faction or each.decks]
        self.counted = [each for each in setup.limits if each not in self._sentences]
        """Those with a row."""
        self.copies = {each.id: self._base(each) for each in self.counted if self._is_same(each)}
        """The limits of the copies of a card, and those of all copies of the same cards."""

    def zone_name(self, limit: Limit) -> str:
        return next((zone.name for zone in self._setup.zones if zone.id == limit.zone), "")

    def bounds(self, limit: Limit, format_: Format) -> str:
        """Return the bounds of a limit in a format."""
        change = format_.changes.get(limit.id)
        if change is None and limit.id in format_.changes:
            return _OFF
        changed = limit if change is None else limit.with_value(change)
        return describe_bounds(self._setup.words, changed, self._setup)

    def label(self, limit: Limit, zone: str) -> Text:
        """Return the name of a limit, with the sign of what it adds up, below or behind a zone."""
        fields = (field for kind in self._setup.kinds.values() for field in kind.fields)
        icon = next((field.icon for field in fields if field.name == limit.sum and field.icon), "")
        sign: Text = (Span(icon=icon), Span("\u00a0")) if icon else ()
        if zone:
            same = limit.name.casefold() == zone.casefold()
            return (*_head(zone), *sign, *make_text("" if same else limit.name))
        return (*sign, *make_text(self._capitalize(limit.name)))

    def sentences(self) -> Iterator[Text]:
        """Yield what holds for factions, and what changes in the formats without a column."""
        several = len({limit.zone for limit in self._setup.limits}) > 1
        own: dict[tuple[str, str], list[str]] = {}
        for limit in self._sentences:
            bounds, where = self.bounds(limit, self.formats[0]), self.zone_name(limit)
            if limit.decks:
                factions = filter(None, map(self._factions.get, limit.decks))
                names = ", ".join(faction.name for faction in factions)
                yield (*_head(names), *make_text(f"{limit.name}: {bounds}"))
            else:
                own.setdefault((limit.name, bounds), []).append(where)
        for (name, bounds), zones in own.items():
            where = f" ({', '.join(zones)})" if several else ""
            yield (*_head(self._capitalize(name)), *make_text(f"{bounds}{where}"))
        for format_ in self._others:
            limits = [*self._changed(format_, self.formats[0])]
            if format_ in self.formats:
                limits = [each for each in limits if each in self._sentences]
            changes = [f"{self._full_name(each)}: {self.bounds(each, format_)}" for each in limits]
            if changes:
                yield (*_head(format_.name), *make_text("; ".join(changes)))

    def _capitalize(self, name: str) -> str:
        return capitalize(name[:1], self._setup.language) + name[1:]

    def _full_name(self, limit: Limit) -> str:
        """Return the name of a limit, after its zone if another one has a limit of that name."""
        same = [each for each in self._setup.limits if each.name == limit.name]
        zone = self.zone_name(limit)
        return f"{zone}, {limit.name}" if len({each.zone for each in same}) > 1 else limit.name

    def _changed(self, format_: Format, usual: Format) -> Iterator[Limit]:
        for limit in self._setup.limits:
            if self.bounds(limit, format_) != self.bounds(limit, usual):
                yield limit

    def _is_same(self, limit: Limit) -> bool:
        """Return whether a limit is about the copies of a card, and the same in all columns."""
        return limit.per == "name" and len({self.bounds(limit, f) for f in self.formats}) == 1

    def _base(self, limit: Limit) -> str:
        """Return the id of the limit of all copies of the same cards, "" if there is none."""
        for each in self.counted:
            if (each.zone, each.where) == (limit.zone, limit.where) and not each.per:
                return "" if each.distinct else each.id
        return ""


def _head(text: str) -> Text:
    return (*make_text(text, bold=True), *make_text(_AFTER_HEAD))
