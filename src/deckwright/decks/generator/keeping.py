"""Limits that hold while a deck is drawn, so that it need not be thrown away at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, Report, is_error
from deckwright.checks.counting import Held, total_of
from deckwright.checks.limits import check_limits, limits_of
from deckwright.checks.matching import holds, value_of
from deckwright.checks.zoning import Line, zone_of
from deckwright.game.deck_rules import Limit
from deckwright.game.decklist import empty_deck
from deckwright.game.model import Card, Deck, DeckEntry, Game
from deckwright.game.values import parts_of


class Row(NamedTuple):
    """What a limit counts for one value of its `per`; the numbers None where it has none."""

    least: int | None
    most: int | None


class Keeper:
    """The limits of decks of a faction, ready to be asked for each card.

    Attributes:
        held: what such decks are held to.
        rows: what is counted.
        counts: for each card, the numbers of rows and what a copy adds to them.
        barred: the numbers of cards that such a deck cannot have.
        whole: whether `rows` are all limits; others are checked at the end.
    """

    def __init__(
        self, game: Game, faction_id: str, format_id: str | None, cards: Sequence[Card]
    ) -> None:
        """Take all cards that there may be; they are called by their place among these."""
        self._game = game
        self._empty = empty_deck(game, faction_id, format_id=format_id)
        self._cards = cards
        self.held: Held = limits_of(game, self._empty, format_id, {})
        self.rows: list[Row] = []
        self.counts: list[tuple[tuple[int, int], ...]] = []
        self.barred: set[int] = set()
        self.whole = True
        self._lines = [self._line(card) for card in cards]
        found: list[list[tuple[int, int]]] = [[] for _ in cards]
        for limit in self.held.limits:
            if not limit.warning and not self._enter(limit, found):
                self.whole = False
        self.counts = [tuple(each) for each in found]

    def _line(self, card: Card) -> Line:
        entry = DeckEntry(card.faction_id, card.id, 1, self._empty.source)
        return Line(entry, card, zone_of(self._game, card))

    def _enter(self, limit: Limit, found: list[list[tuple[int, int]]]) -> bool:
        """Enter a limit if it can be counted card by card; return whether it can."""
        if not limit.fixed or limit.exemptions or limit.distinct is not None:
            return False
        counted = [
            (at, line)
            for at, line in enumerate(self._lines)
            if line.zone is not None and line.zone.id == limit.zone
            if holds(limit.where, line.card)
        ]
        totals = [total_of(limit, [line]) for _, line in counted]
        amounts = [total for total in totals if isinstance(total, int) and total >= 0]
        if len(amounts) < len(totals):
            return False
        if limit.own_faction:
            own = self._empty.faction_id
            self.barred |= {at for at, line in counted if line.card.faction_id != own}
        numbers = [limit.min, limit.max, limit.exactly]
        least, most, exactly = (n if isinstance(n, int) else None for n in numbers)
        row = Row(least, most) if exactly is None else Row(exactly, exactly)
        if limit.per and row.least is not None:
            return False
        if row == (None, None):
            return True
        places: dict[object, int] = {}
        if not limit.per:
            places[None] = self._place(row)
        for (at, line), amount in zip(counted, amounts, strict=True):
            value = value_of(line.card, limit.per) if limit.per else None
            for each in dict.fromkeys(parts_of(value)) if limit.per else (None,):
                if each not in places:
                    places[each] = self._place(row)
                found[at].append((places[each], amount))
        return True

    def _place(self, row: Row) -> int:
        self.rows.append(row)
        return len(self.rows) - 1

    def missing(self, totals: Sequence[int]) -> bool:
        """Return whether a deck with these totals has too little of anything."""
        return any(
            row.least is not None and total < row.least
            for row, total in zip(self.rows, totals, strict=True)
        )

    def deck(self, copies: Iterable[tuple[int, int]]) -> Deck:
        """Return a deck list of cards with their numbers of copies."""
        entries = (self._lines[at].entry._replace(copies=number) for at, number in copies)
        return self._empty._replace(entries=tuple(entries))

    def findings(self, deck: Deck) -> list[Diagnostic]:
        """Return the errors by which a deck breaks its limits."""
        report: Report = []
        check_limits(self._game, deck, self.held, report)
        return [finding for finding in report if is_error(finding)]
