"""The odds of decks as text for a terminal, with bars."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from deckwright.base.numbers import decimals, percent
from deckwright.cli.columns import cut
from deckwright.cli.speech import label, words_in
from deckwright.cli.terminal import can_show
from deckwright.decks.asked_odds import AskedOdds, DeckOdds
from deckwright.decks.odds_table import Chances, GroupOdds, OddsTable, Section

_LONGEST_NAME = 26
_BAR = (8, 24)
"""How long the longest bar is at least and at most, in characters."""
_NUMBERS = (3, 4)
"""For how many numbers of cards a table tells the chance: in a narrow and in a wide terminal."""
_WIDE = 96
_GAP = "  "


def odds_text(decks: Iterable[DeckOdds]) -> Iterator[str]:
    """Yield the odds of decks as lines."""
    for number, found in enumerate(decks):
        if number:
            yield ""
        yield from _Text(found).lines()


class _Text:
    """Writes the odds of one deck."""

    def __init__(self, found: DeckOdds) -> None:
        stats = found.stats
        self._found, self._language = found, stats.language
        self._words = words_in(stats.language, stats.words)
        self._redrawn = bool(found.opening.redraws or found.opening.mulligans)
        self._room = shutil.get_terminal_size((80, 24)).columns - 1
        self._least = "≥ " if can_show("≥") else ">="
        self._blocks = ("█", "░") if can_show("█░") else ("#", "+")

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        yield from self._head()
        if self._found.answers:
            yield from self._answers(self._found.answers)
        elif len(self._found.tables) > 1:
            yield from self._over_turns(self._found.tables)
        else:
            yield from self._table(self._found.tables[0])

    def _label(self, word: str) -> str:
        return label(self._words, word)

    def _percent(self, share: Fraction) -> str:
        return percent(share, self._language)

    def _average(self, number: Fraction) -> str:
        return decimals(float(number), 2, self._language)

    def _head(self) -> Iterator[str]:
        found, opening = self._found, self._found.opening
        parts = [
            f"{self._label('hand')} {min(opening.hand, found.zone.cards)} / {found.zone.cards}"
        ]
        turns = [each.turn for each in found.answers] or [each.turn for each in found.tables]
        numbers = {
            "redraws": opening.redraws,
            "mulligans": opening.mulligans,
            "draws": opening.draws if any(turns) else 0,
        }
        parts += [f"{self._label(word)} {number}" for word, number in numbers.items() if number]
        if len(turns) == 1 and turns[0]:
            parts.append(f"{self._label('turn')} {turns[0]}")
        yield f"{found.stats.deck.name}, {found.zone.name}: {', '.join(parts)}"

    def _table(self, table: OddsTable) -> Iterator[str]:
        """Yield a table of all rows, levels and cards."""
        held = max((len(group.played.at_least) for group in _groups([table])), default=0)
        most = min(held, _NUMBERS[self._room >= _WIDE])
        first = f"{self._least}1"
        heads = [self._label("amount")]
        heads += [f"{first} {self._label('at-once')}"] if self._redrawn else []
        heads += [f"{self._least}{number}" for number in range(1, most + 1)]
        heads.append(self._label("average"))
        rows = {
            section.id: [self._row(group, most) for group in section.groups]
            for section in table.sections
        }
        names = [*map(_named, _groups([table])), *(s.name for s in table.sections)]
        grid = _Grid(names, heads, [row for part in rows.values() for row in part])
        for section in table.sections:
            yield ""
            yield grid.line(self._title(section), heads)
            scale = max((group.played.average for group in section.groups), default=Fraction(0))
            length = max(_BAR[0], min(_BAR[1], self._room - grid.width - len(_GAP)))
            for group, row in zip(section.groups, rows[section.id], strict=True):
                averages = group.at_once.average, group.played.average
                bar = self._bar(*averages, scale, length)
                yield f"{grid.line(_named(group), row)}{_GAP}{bar}".rstrip()

    def _title(self, section: Section) -> str:
        return self._label("cards") if section.id == "cards" else section.name

    def _row(self, group: GroupOdds, most: int) -> list[str]:
        at_once = [self._chance(group.at_once, 1)] if self._redrawn else []
        chances = [self._chance(group.played, number) for number in range(1, most + 1)]
        return [str(group.cards), *at_once, *chances, self._average(group.played.average)]

    def _chance(self, chances: Chances, number: int) -> str:
        """Return the chance to have at least so many, nothing where there are not as many."""
        if number > len(chances.at_least):
            return ""
        return self._percent(chances.at_least[number - 1])

    def _bar(self, at_once: Fraction, played: Fraction, scale: Fraction, length: int) -> str:
        """Return a bar: what there is at once, and lighter what redraws add to it."""
        if not scale:
            return ""
        whole = max(round(played / scale * length), int(played > 0))
        full = min(whole, max(round(at_once / scale * length), int(at_once > 0)))
        return self._blocks[0] * full + self._blocks[1] * (whole - full)

    def _over_turns(self, tables: Sequence[OddsTable]) -> Iterator[str]:
        """Yield the chances to have at least one card, with a column for each turn."""
        heads = [self._label("amount"), *(str(table.turn) for table in tables)]
        yield f"  {self._least}1, {self._label('turn')} {', '.join(heads[1:])}"
        rows: dict[str, list[list[str]]] = {}
        for number, section in enumerate(tables[0].sections):
            groups = zip(*(table.sections[number].groups for table in tables), strict=True)
            rows[section.id] = [
                [str(turns[0].cards), *(self._chance(each.played, 1) for each in turns)]
                for turns in groups
            ]
        names = [*map(_named, _groups(tables)), *(s.name for s in tables[0].sections)]
        grid = _Grid(names, heads, [row for part in rows.values() for row in part])
        for section in tables[0].sections:
            yield ""
            yield grid.line(self._title(section), heads)
            for group, row in zip(section.groups, rows[section.id], strict=True):
                yield grid.line(_named(group), row)

    def _answers(self, answers: Sequence[AskedOdds]) -> Iterator[str]:
        """Yield how likely all groups are together, each alone, and the numbers of their cards."""
        asked = self._found.asked
        titles = [f"{self._least}{each.at_least} {each.name}" for each in asked]
        yield ""
        for title, cards in zip(titles, answers[0].played.groups, strict=True):
            yield f"  {title}: {cards} / {self._found.zone.cards}"
        yield ""
        several = len(asked) > 1
        heads = [self._label("at-once")] if self._redrawn else []
        heads.append(self._label("redrawn" if self._redrawn else "chance"))
        rows = [self._answer(answer) for answer in answers]
        title = self._label("together") if several else ""
        names = [self._turn(answer.turn) for answer in answers]
        grid = _Grid([title, *names], heads, rows)
        yield grid.line(title, heads)
        for name, answer, row in zip(names, answers, rows, strict=True):
            bar = self._bar(answer.at_once.chance, answer.played.chance, Fraction(1), _BAR[1])
            yield f"{grid.line(name, row)}{_GAP}{bar}".rstrip()
        if several:
            yield from self._alone(answers, titles)
        if len(answers) == 1:
            for number, title in enumerate(titles):
                yield from self._numbers(answers[0], number, title)

    def _turn(self, turn: int) -> str:
        return f"{self._label('turn')} {turn}" if turn else self._label("hand")

    def _answer(self, answer: AskedOdds) -> list[str]:
        at_once = [self._percent(answer.at_once.chance)] if self._redrawn else []
        return [*at_once, self._percent(answer.played.chance)]

    def _alone(self, answers: Sequence[AskedOdds], titles: Sequence[str]) -> Iterator[str]:
        """Yield how likely each group is if players want nothing else."""
        heads = [str(answer.turn) for answer in answers]
        rows = [
            [self._percent(answer.alone[number].chance) for answer in answers]
            for number in range(len(titles))
        ]
        grid = _Grid([self._label("alone"), *titles], heads, rows)
        yield ""
        yield grid.line(self._label("alone"), heads if len(heads) > 1 else [""]).rstrip()
        for title, row in zip(titles, rows, strict=True):
            yield grid.line(title, row)

    def _numbers(self, answer: AskedOdds, group: int, title: str) -> Iterator[str]:
        """Yield how likely there are 0, 1, 2 … cards of a group."""
        shares = answer.played.numbers[group]
        average = self._average(answer.played.expected[group])
        yield ""
        yield f"  {title}: {self._label('average')} {average}"
        width = len(str(len(shares) - 1))
        for number, share in enumerate(shares):
            bar = self._bar(share, share, max(shares), _BAR[1])
            yield f"  {number:>{width}} {self._percent(share):>8}{_GAP}{bar}".rstrip()


class _Grid:
    """Columns of numbers beside names, each as wide as its longest cell."""

    def __init__(
        self, names: Iterable[str], heads: Sequence[str], rows: Iterable[Sequence[str]]
    ) -> None:
        self._name = min(_LONGEST_NAME, max(map(len, names), default=0))
        columns = zip(heads, *rows, strict=True)
        self._widths = [max(map(len, column)) for column in columns]

    @property
    def width(self) -> int:
        """How wide a line is, in characters."""
        return len(_GAP) + self._name + sum(len(_GAP) + width for width in self._widths)

    def line(self, name: str, cells: Iterable[str]) -> str:
        """Return a line with a name and its numbers."""
        shown = (f"{cell:>{width}}" for cell, width in zip(cells, self._widths, strict=True))
        return _GAP.join(["", f"{cut(name, self._name):<{self._name}}", *shown])


def _groups(tables: Iterable[OddsTable]) -> Iterator[GroupOdds]:
    return (group for table in tables for section in table.sections for group in section.groups)


def _named(group: GroupOdds) -> str:
    return f"{group.name} ({group.id})" if group.id else group.name
