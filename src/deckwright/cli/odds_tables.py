"""The odds of all that a deck has, as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from deckwright.cli.odds_style import BAR, GAP, Grid, OddsText
from deckwright.decks.odds_table import Chances, GroupOdds, OddsTable, Section

_NUMBERS = (3, 4)
"""For how many numbers of cards a table tells the chance: in a narrow and in a wide terminal."""
_WIDE = 96


class TableText(OddsText):
    """Writes a table of all rows, levels and cards of a deck."""

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        yield from self.head()
        if len(self.found.tables) > 1:
            yield from self._over_turns(self.found.tables)
        else:
            yield from self._table(self.found.tables[0])

    def _table(self, table: OddsTable) -> Iterator[str]:
        """Yield a table of all rows, levels and cards."""
        held = max((len(group.played.at_least) for group in _groups([table])), default=0)
        most = min(held, _NUMBERS[self.room >= _WIDE])
        first = f"{self.least}1"
        heads = [self.label("amount")]
        heads += [f"{first} {self.label('at-once')}"] if self.redrawn else []
        heads += [f"{self.least}{number}" for number in range(1, most + 1)]
        heads.append(self.label("average"))
        rows = {
            section.id: [self._row(group, most) for group in section.groups]
            for section in table.sections
        }
        names = [*map(_named, _groups([table])), *(s.name for s in table.sections)]
        grid = Grid(names, heads, [row for part in rows.values() for row in part])
        for section in table.sections:
            yield ""
            yield grid.line(self._title(section), heads)
            scale = max((group.played.average for group in section.groups), default=Fraction(0))
            length = max(BAR[0], min(BAR[1], self.room - grid.width - len(GAP)))
            for group, row in zip(section.groups, rows[section.id], strict=True):
                averages = group.at_once.average, group.played.average
                bar = self.bar(*averages, scale, length)
                yield f"{grid.line(_named(group), row)}{GAP}{bar}".rstrip()

    def _title(self, section: Section) -> str:
        return self.label("cards") if section.id == "cards" else section.name

    def _row(self, group: GroupOdds, most: int) -> list[str]:
        at_once = [self._chance(group.at_once, 1)] if self.redrawn else []
        chances = [self._chance(group.played, number) for number in range(1, most + 1)]
        return [str(group.cards), *at_once, *chances, self.average(group.played.average)]

    def _chance(self, chances: Chances, number: int) -> str:
        """Return the chance to have at least so many, nothing where there are not as many."""
        if number > len(chances.at_least):
            return ""
        return self.percent(chances.at_least[number - 1])

    def _over_turns(self, tables: Sequence[OddsTable]) -> Iterator[str]:
        """Yield the chances to have at least one card, with a column for each turn."""
        heads = [self.label("amount"), *(str(table.turn) for table in tables)]
        yield f"  {self.least}1, {self.label('turn')} {', '.join(heads[1:])}"
        rows: dict[str, list[list[str]]] = {}
        for number, section in enumerate(tables[0].sections):
            groups = zip(*(table.sections[number].groups for table in tables), strict=True)
            rows[section.id] = [
                [str(turns[0].cards), *(self._chance(each.played, 1) for each in turns)]
                for turns in groups
            ]
        names = [*map(_named, _groups(tables)), *(s.name for s in tables[0].sections)]
        grid = Grid(names, heads, [row for part in rows.values() for row in part])
        for section in tables[0].sections:
            yield ""
            yield grid.line(self._title(section), heads)
            for group, row in zip(section.groups, rows[section.id], strict=True):
                yield grid.line(_named(group), row)


def _groups(tables: Iterable[OddsTable]) -> Iterator[GroupOdds]:
    return (group for table in tables for section in table.sections for group in section.groups)


def _named(group: GroupOdds) -> str:
    return f"{group.name} ({group.id})" if group.id else group.name
