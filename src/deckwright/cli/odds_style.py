"""What texts about odds are made of: numbers as the game's language has them, bars, columns."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from deckwright.base.numbers import decimals, percent
from deckwright.cli.columns import cut
from deckwright.cli.speech import label, words_in
from deckwright.cli.terminal import can_show
from deckwright.decks.asked_odds import DeckOdds

BAR = (8, 24)
"""How long the longest bar is at least and at most, in characters."""
GAP = "  "
_LONGEST_NAME = 26


class OddsText:
    """Writes the odds of one deck.

    Attributes:
        found: these odds.
        redrawn: whether players may have redraws or mulligans.
        room: how wide the terminal is, in characters.
        least: what stands before a number that is the least.
    """

    def __init__(self, found: DeckOdds) -> None:
        """Take the odds of a deck."""
        stats = found.stats
        self.found, self._language = found, stats.language
        self._words = words_in(stats.language, stats.words)
        self.redrawn = bool(found.opening.redraws or found.opening.mulligans)
        self.room = shutil.get_terminal_size((80, 24)).columns - 1
        self.least = "≥ " if can_show("≥") else ">="
        self._blocks = ("█", "░") if can_show("█░") else ("#", "+")

    def label(self, word: str) -> str:
        """Return a word in the language of the run."""
        return label(self._words, word)

    def percent(self, share: Fraction) -> str:
        """Return a chance in percent."""
        return percent(share, self._language)

    def average(self, number: Fraction) -> str:
        """Return a mean number of cards."""
        return decimals(float(number), 2, self._language)

    def bar(self, at_once: Fraction, played: Fraction, scale: Fraction, length: int) -> str:
        """Return a bar: what there is at once, and lighter what redraws add to it."""
        if not scale:
            return ""
        whole = max(round(played / scale * length), int(played > 0))
        full = min(whole, max(round(at_once / scale * length), int(at_once > 0)))
        return self._blocks[0] * full + self._blocks[1] * (whole - full)

    def head(self) -> Iterator[str]:
        """Yield what deck and what hand this is about."""
        found, opening = self.found, self.found.opening
        parts = [f"{self.label('hand')} {min(opening.hand, found.zone.cards)} / {found.zone.cards}"]
        turns = [each.turn for each in found.answers] or [each.turn for each in found.tables]
        numbers = {
            "redraws": opening.redraws,
            "mulligans": opening.mulligans,
            "draws": opening.draws if any(turns) else 0,
        }
        parts += [f"{self.label(word)} {number}" for word, number in numbers.items() if number]
        if len(turns) == 1 and turns[0]:
            parts.append(f"{self.label('turn')} {turns[0]}")
        yield f"{found.stats.deck.name}, {found.zone.name}: {', '.join(parts)}"


class Grid:
    """Columns of numbers beside names, each as wide as its longest cell."""

    def __init__(
        self, names: Iterable[str], heads: Sequence[str], rows: Iterable[Sequence[str]]
    ) -> None:
        """Take all that stands in the columns."""
        self._name = min(_LONGEST_NAME, max(map(len, names), default=0))
        columns = zip(heads, *rows, strict=True)
        self._widths = [max(map(len, column)) for column in columns]

    @property
    def width(self) -> int:
        """How wide a line is, in characters."""
        return len(GAP) + self._name + sum(len(GAP) + width for width in self._widths)

    def line(self, name: str, cells: Iterable[str]) -> str:
        """Return a line with a name and its numbers."""
        shown = (f"{cell:>{width}}" for cell, width in zip(cells, self._widths, strict=True))
        return GAP.join(["", f"{cut(name, self._name):<{self._name}}", *shown])
