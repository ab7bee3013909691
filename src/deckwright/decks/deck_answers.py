"""Answers on decks: their odds, and comparisons of several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from deckwright.base.units import format_fixed, format_number, format_percent
from deckwright.decks.answers import (
    BAR,
    CARD_COLUMNS,
    LABEL,
    NOTE,
    Answer,
    CardCell,
    Cell,
    Column,
    Gauge,
    Kind,
    Note,
    Row,
    Section,
    Table,
    TextCell,
    Value,
    hide,
    make_data_table,
    make_record,
    make_table,
    make_unique,
)
from deckwright.decks.comparison import DeckComparison, ZoneColumns
from deckwright.decks.odds_tables import DeckOdds, GroupOdds, OddsSection, OddsTable, QueryOdds
from deckwright.decks.stats import DeckStats, LimitState
from deckwright.game.deck_rules import Formula
from deckwright.game.words import WORDS, describe_bounds, label

_MAX_SHOWN = 4
"""The most numbers of cards with a column in text."""


def describe_odds(decks: Sequence[DeckOdds], words: Mapping[str, str] | None = None) -> Answer:
    """Return the odds of decks of a game as an answer, in the game's words, or in English."""
    sections = []
    for odds in decks:
        text = _OddsAnswer(odds, partial(label, words))
        sections += [*(text.queries() if odds.queries else text.tables())]
    return Answer("odds", sections, decks[0].stats.language)


class _OddsAnswer:
    """Describes the odds of a deck."""

    def __init__(self, odds: DeckOdds, word: Callable[[str], str]) -> None:
        self._odds, self._word, opening = odds, word, odds.opening
        self._redraws = bool(opening.redraws or opening.mulligans)
        self._turns = [each.turn for each in odds.answers or odds.tables]
        self._common: dict[str, Value] = {"deck": odds.stats.deck.stem}

    def _head(self) -> Section:
        """Return the deck and its hand."""
        odds, opening, cards = self._odds, self._odds.opening, self._odds.zone.cards
        facts = {"name": odds.stats.deck.name, "cards": cards, **opening._asdict()}
        facts |= {"zone": odds.zone.id, "zone_name": odds.zone.name}
        numbers = {
            "redraws": opening.redraws,
            "mulligans": opening.mulligans,
            "draws": opening.draws * any(self._turns),
            "turn": self._turns[0] * (len(self._turns) == 1),
        }
        parts = [f"{self._word(name)} {number}" for name, number in numbers.items() if number]
        hand = f"{self._word('hand')} {min(opening.hand, cards)} / {cards}"
        title = f"{odds.stats.deck.name}, {odds.zone.name}: {', '.join([hand, *parts])}"
        return Section(title, [make_record("decks", **self._common, **facts)])

    def tables(self) -> Iterator[Section]:
        """Yield the odds of each row, level and card."""
        yield self._head()
        tables = self._odds.tables
        groups = [self._groups(section, each) for each in tables for section in each.sections]
        if len(tables) == 1:
            yield Section("", groups, aligned=True)
            return
        turns = [str(turn) for turn in self._turns]
        note = Note(f"≥ 1, {self._word('turn')} {', '.join(turns)}")
        text, percents = list[Table](), [Column("", turn, "percent") for turn in turns]
        for sections in zip(*(each.sections for each in tables), strict=True):
            title = Column("", self._title(sections[0]))
            rows = [(_cell(each[0]), each[0].cards, *(group.played.some for group in each))
                    for each in zip(*(each.groups for each in sections), strict=True)]  # fmt: skip
            columns = [title, Column("", self._word("amount"), "number"), *percents]
            text.append(Table("", columns, rows))
        yield Section("", [*map(hide, groups), note, *text], aligned=True)

    def _title(self, section: OddsSection) -> str:
        return self._word("cards") if section.id == "cards" else section.name

    def _groups(self, section: OddsSection, table: OddsTable) -> Table:
        """Return the odds of the groups of a section, with the averages as bars."""
        lengths = (len(g.played.at_least) for each in table.sections for g in each.groups)
        most = max(lengths, default=0)
        groups = section.groups
        at_once, played = [group.at_once for group in groups], [group.played for group in groups]
        longest = max((of.average for of in played), default=0) or 1
        columns: dict[Column, Sequence[Cell]] = {
            Column("card", self._title(section)): [*map(_cell, groups)],
            Column("cards", self._word("amount"), "number"): [group.cards for group in groups],
        }
        for name, suffix, in_text, chances in (
            ("at_once", f" {self._word('at-once')}", int(self._redraws), at_once),
            ("at_least", "", _MAX_SHOWN, played),
        ):
            for number in range(1, most + 1):
                title = f"≥ {number}{suffix}" if number <= in_text else None
                column = Column(f"{name}_{number}", title, "percent", optional=number > 1)
                shares = (of.at_least[number - 1 : number] for of in chances)
                columns[column] = [share[0] if share else None for share in shares]
        columns[Column("average_at_once")] = [of.average for of in at_once]
        average = Column("average", self._word("average"), "average")
        columns[average] = [of.average for of in played]
        columns[BAR] = [Gauge(of.average / longest, once.average / longest)
                        for of, once in zip(played, at_once, strict=True)]  # fmt: skip
        common = {**self._common, "turn": table.turn, "of": section.id, "section": section.name}
        return make_table("groups", columns, **common)

    def queries(self) -> Iterator[Section]:
        """Yield the odds of all groups together, of each alone, and of numbers of their cards."""
        odds, word, answers = self._odds, self._word, self._odds.answers
        titles = [f"≥ {each.at_least} {each.name}" for each in odds.queries]
        yield self._head()
        counts = zip(titles, answers[0].played.groups, strict=True)
        yield Section("", [Note(f"{title}: {n} / {odds.zone.cards}") for title, n in counts])
        several, redrawn = len(titles) > 1, word("redrawn" if self._redraws else "chance")
        columns = [
            Column("", word("together") if several else ""),
            Column("turn"),
            Column("at_once", word("at-once") if self._redraws else None, "percent"),
            Column("played", redrawn, "percent"),
            BAR,
        ]
        rows: list[Row] = []
        for one in answers:
            turn = f"{word('turn')} {one.turn}" if one.turn else word("hand")
            at_once, played = one.at_once.chance, one.played.chance
            rows.append((turn, one.turn, at_once, played, Gauge(played, at_once)))
        yield Section("", [Table("together", columns, rows, common=self._common)])
        turns = [str(turn) if len(answers) > 1 else "" for turn in self._turns]
        alone: list[Row] = [
            [title, *(one.alone[n].chance for one in answers)] for n, title in enumerate(titles)
        ]
        columns = [Column("", word("alone")), *(Column("", turn, "percent") for turn in turns)]
        yield Section("", [Table("", columns, alone)] * several)
        for one in answers:
            for number, title in enumerate(titles):
                yield Section("", self._numbers(one, number, title))

    def _numbers(self, answer: QueryOdds, group: int, title: str) -> list[Table]:
        """Return the odds of 0, 1, 2 … cards of a group."""
        query, shares = self._odds.queries[group], answer.played.numbers[group]
        average, most = answer.played.expected[group], max(shares)
        common = {**self._common, "turn": answer.turn, "name": query.name}
        mean = format_fixed(float(average), 2, self._odds.stats.language)
        columns = [Column("number", "", "number"), Column("chance", "", "percent"), BAR]
        rows = [(n, share, Gauge(share / most, share / most)) for n, share in enumerate(shares)]
        title = f"{title}: {self._word('average')} {mean}"
        numbers = Table("numbers", columns, rows, title, common)
        cards, alone = answer.played.groups[group], answer.alone[group].chance
        facts = make_record("queries", **common, at_least=query.at_least, cards=cards, alone=alone,
                       average=average)  # fmt: skip
        return [facts, numbers if len(self._turns) == 1 else hide(numbers)]


def _cell(group: GroupOdds) -> CardCell:
    return CardCell(group.faction, group.id, group.name)


def describe_comparison(
    comparison: DeckComparison, words: Mapping[str, str] | None = None
) -> Answer:
    """Return a comparison as an answer, in the game's words, or in English.

    In data, columns of decks are named after their files.
    """
    text = _ComparisonAnswer(comparison, partial(label, words))
    tables = [*text.decks(), *(each for zone in comparison.zones for each in text.zone(zone))]
    sections = [Section("", [*tables, *text.odds(), *text.limits()], aligned=True)]
    if len(comparison.decks) == 2:  # from one to the other
        sections.append(Section("", [*text.changes()]))
    return Answer("compare", sections, comparison.decks[0].language)


class _ComparisonAnswer:
    """Describes a comparison."""

    def __init__(self, comparison: DeckComparison, word: Callable[[str], str]) -> None:
        self._comparison, self._word = comparison, word
        stems = [stats.deck.stem for stats in comparison.decks]
        self._ids = make_unique(stems, ("table", "zone", "field", "value", "of", *CARD_COLUMNS))

    def _columns(
        self, first: str, heads: Sequence[str] = (), kind: Kind = "text", unit: str = ""
    ) -> list[Column]:
        """Return a column named `first`, and one for each deck; `heads` are the headings of all."""
        heads = heads or [""] * (1 + len(self._ids))
        decks = zip(self._ids, heads[1:], strict=True)
        return [Column(first, heads[0]), *(Column(id_, head, kind, unit) for id_, head in decks)]

    def decks(self) -> Iterator[Table]:
        decks, comparison = self._comparison.decks, self._comparison
        for id_, stats in zip(self._ids, decks, strict=True):
            deck = stats.deck
            yield make_record("decks", deck=id_, file=deck.stem, name=deck.name,
                         faction=deck.faction_id, cards=stats.cards)  # fmt: skip
        rows: list[Row] = [(self._word("faction"), *comparison.factions)]
        rows.append((self._word("cards"), *(stats.cards for stats in decks)))
        yield Table("", self._columns("", ("", *comparison.titles)), rows)
        rows = [(each.measure.text, *each.values) for each in comparison.measures]
        yield Table("measures", self._columns("name"), rows)

    def zone(self, zone: ZoneColumns) -> Iterator[Table]:
        """Yield the cards of a zone, and its charts."""
        common, name = {"zone": zone.id}, zone.name or self._word("none")
        cards: list[Row] = [(name, *zone.cards)]
        yield hide(Table("zones", self._columns("name"), cards, common=common))
        rows: list[Row] = []
        for line in zone.lines:
            copies = (TextCell(number, str(number or "–")) for number in line.copies)
            rows.append((CardCell.of(line.card), *copies))
        marks = ["" if len({*line.copies}) == 1 else "~" if all(line.copies) else "*"
                 for line in zone.lines]  # fmt: skip
        heads = name, *map(str, zone.cards)
        yield Table("cards", self._columns("", heads), rows, common=common, marks=marks)
        for charts in zone.charts:
            chart, title = charts[0], f"{name}, {charts[0].name}"
            common = {"zone": zone.id, "field": chart.id, "name": chart.name}
            if chart.numeric:
                averages = (round(each.average, 2) for each in charts)
                rows = [(TextCell("total", self._word("total")), *(each.total for each in charts)),
                        (TextCell("average", self._word("average")), *averages)]  # fmt: skip
                columns = self._columns("of", unit=chart.unit)
                yield Table("sums", columns, rows, title, common)
                title = ""
            bars = zip(*(each.bars for each in charts), strict=True)
            rows = [(bar[0].name, *(each.copies for each in bar)) for bar in bars]
            yield Table("copies", self._columns("value", kind="bar"), rows, title, common)

    def odds(self) -> Iterator[Table]:
        language = self._comparison.decks[0].language
        rows: list[Row] = []
        for odds in self._comparison.odds:
            averages = [format_fixed(float(each.average), 2, language) for each in odds.chances]
            cells = [TextCell(each.some, f"{format_percent(each.some, language)}, {average}")
                     for each, average in zip(odds.chances, averages, strict=True)]  # fmt: skip
            rows.append((odds.term, *cells, odds.field))
            row: Row = (odds.term, *(each.average for each in odds.chances))
            common = {"field": odds.field}
            yield hide(Table("averages", self._columns("value"), [row], common=common))
        title = f"{self._word('hand')}: ≥ 1, {self._word('average')}" if rows else ""
        yield Table("chances", [*self._columns("value"), Column("field")], rows, title)

    def limits(self) -> Iterator[Table]:
        """Yield the limits: in text with a column for each deck, in data with a row for each."""
        for id_, stats in zip(self._ids, self._comparison.decks, strict=True):
            yield hide(make_limits_table(stats, id_))
        rows, marks = [], []
        for states in self._comparison.limits:
            name = next(f"{state.zone}: {state.name}" for state in states if state)
            rows.append((name, *map(self._state, states)))
            marks.append("" if all(state is None or state.keeps for state in states) else "!")
        yield Table("", self._columns(""), rows, self._word("limits") if rows else "", marks=marks)

    def _state(self, state: LimitState | None) -> str:
        """Format a limit for one deck: its number and the allowed ones."""
        if state is None:
            return ""
        limit, language = state.limit, self._comparison.decks[0].language
        bounds = (("≥", limit.min), ("≤", limit.max), ("=", limit.exactly))
        parts = [f"{sign} {bound}" for sign, bound in bounds if bound is not None]
        allowed = f" ({', '.join(parts)})" if parts else ""
        return f"{format_number(state.number, language)}{allowed}{'' if state.keeps else ' !'}"

    def changes(self) -> Iterator[Table | Note]:
        changes = self._comparison.changes()
        rows: list[Row] = [(each.zone, CardCell.of(each.card), each.copies) for each in changes]
        yield make_data_table("changes", "zone card copies", rows)
        out, into = (sum(max(0, sign * each.copies) for each in changes) for sign in (-1, 1))
        yield Note(f"{self._word('changes')}: −{out} +{into}")


def make_limits_table(stats: DeckStats, deck: str, words: Mapping[str, str] = WORDS) -> Table:
    """Return the states of a deck's limits, with a mark before each broken one in text.

    Args:
        deck: the deck's name in data.
    """
    rows: list[Row] = []
    for state in stats.limits:
        limit, name = state.limit, f"{state.zone}: {state.name}"
        bounds = (limit.min, limit.max, limit.exactly)
        numbers = (str(each) if isinstance(each, Formula) else each for each in bounds)
        texts = (name, state.number, describe_bounds(words, limit))
        rows.append((*texts, limit.zone, state.id, state.name, *numbers, state.keeps))
    names = ("zone", "id", "name", "min", "max", "exactly", "keeps")
    columns = [LABEL, Column("number", "", "number"), NOTE, *map(Column, names)]
    marks = ["" if state.keeps else "!" for state in stats.limits]
    return Table("limits", columns, rows, common={"deck": deck}, marks=marks)
