"""What the decks of a run are like, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckwright.base.numbers import plain
from deckwright.base.visible import visible
from deckwright.cli.columns import cut
from deckwright.cli.common import counted, table
from deckwright.cli.terminal import can_show
from deckwright.decks.generator.statistics import CardCount, Statistics

_NAME, _BAR, _FEW = 34, 40, 5
"""How wide names and bars are, and of how many cards a summary tells."""


class GeneratedText:
    """Writes the statistics of a run."""

    def __init__(self, statistics: Statistics, *, whole: bool) -> None:
        """Take them.

        Args:
            whole: whether every card and pair is told of.
        """
        self._all, self._whole = statistics, whole

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        found = self._all
        marks = ", ".join(counted(n, *_MARKS[mark]) for mark, n in sorted(found.marks.items()) if n)
        again = counted(found.again, "attempt")
        yield from map(visible, table(f"seed {found.seed}", [
            ("decks", f"{found.decks:,}"),
            ("made again", f"{again} more, since others were like it" if found.again else ""),
            ("by the solver", f"{found.repaired:,} made legal" if found.repaired else ""),
            ("factions", _shares(found.houses.items(), found.decks)),
            ("rarities", _shares(found.rarities().items(), sum(found.rarities().values()))),
            ("special", marks),
        ]))  # fmt: skip
        yield from self._cards()
        yield from self._pairs()
        yield from self._strength()

    def _cards(self) -> Iterator[str]:
        cards = self._all.cards()
        had = [each for each in cards if each.copies]
        never = [each.card.name for each in cards if not each.copies]
        few = not self._whole and len(had) > 2 * _FEW
        yield from ("", f"{'cards':<{_NAME}}  {'decks':>8} {'share':>7} {'copies':>8}")
        yield from map(self._card, had[:_FEW] if few else had)
        if few:
            yield "  …"
            yield from map(self._card, had[-_FEW:])
        if never:
            named = never if self._whole else never[:_FEW]
            more = f" and {len(never) - len(named)} more" if len(never) > len(named) else ""
            yield visible(f"in no deck: {', '.join(named)}{more}")

    def _card(self, each: CardCount) -> str:
        share = each.decks / max(1, self._all.decks)
        name = visible(cut(f"{each.card.name} ({each.card.faction_id})", _NAME - 2))
        return f"  {name:<{_NAME - 2}}  {each.decks:>8,} {share:>7.1%} {each.copies:>8,}"

    def _pairs(self) -> Iterator[str]:
        pairs = self._all.pairs()
        if pairs:
            yield from ("", "together more often than by chance")
        for each in pairs if self._whole else pairs[:_FEW]:
            names = visible(cut(f"{each.one.name} + {each.other.name}", 2 * _NAME))
            yield f"  {each.lift:>6.1f} × {names}: {counted(each.decks, 'deck')}"

    def _strength(self) -> Iterator[str]:
        marks = self._all.strengths()
        if not marks:
            return
        said = ", ".join(f"{name} {plain(value)}" for name, value in marks.items())
        yield from ("", visible(f"worth ({self._all.measure}): {said}"))
        steps = self._all.histogram()
        most = max(number for _, _, number in steps)
        block = "█" if can_show("█") else "#"
        for low, _, number in steps:
            bar = block * max(round(number * _BAR / most), min(1, number))
            yield f"  {low:>8.1f}  {bar} {number:,}".rstrip()


_MARKS = {"maverick": ("maverick", "mavericks"), "legacy": ("legacy", "legacies")}


def _shares(counts: Iterable[tuple[str, int]], total: int) -> str:
    return ", ".join(f"{name} {number / max(1, total):.1%}" for name, number in counts)
