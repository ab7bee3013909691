"""Boosters and drafts, and statistics of generated decks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from deckwright.base.output import OutputError
from deckwright.base.units import format_plain, pluralize, round_number
from deckwright.checks.counting import zone_of
from deckwright.decks.answers import (
    LABEL,
    NOTE,
    Answer,
    CardCell,
    Column,
    Note,
    Row,
    Section,
    Table,
    TextCell,
    hide,
    make_data_table,
    make_record,
)
from deckwright.decks.generator.card_pools import CardPool, SeededRandom
from deckwright.decks.generator.deck_generator import E110, DeckContent
from deckwright.decks.generator.deck_lines import GeneratedLine, LineWriter
from deckwright.game.generator import Booster, Generator
from deckwright.game.model import Card, Game

_START_STEPS = 2**20
"""The resolution of a faction's random starting position."""


class BoosterGenerator:
    """Generates boosters of one kind."""

    def __init__(self, game: Game, generator: Generator, booster: Booster) -> None:
        """Raise an OutputError if a sheet has too few cards for a booster without duplicates."""
        self._booster, self.pool = booster, CardPool(game, generator)
        self._writer = LineWriter(
            game, self.pool, f"{generator.prefix}-{booster.id}", booster.format
        )
        # Each card is repeated as on the print sheet.
        self._sheets = [
            [
                card
                for sheet in slot.sheets
                for card in sorted(self.pool.matching(sheet.where))
                for _ in range(sheet.copies)
            ]
            for slot in booster.slots
        ]
        for at, (slot, sheet) in enumerate(zip(booster.slots, self._sheets, strict=True)):
            earlier = zip(booster.slots[:at], self._sheets, strict=False)
            taken = sum(min(other.cards, len({*sheet} & {*cards})) for other, cards in earlier)
            if len({*sheet}) - taken < slot.cards:
                message = (
                    f"`slot` takes {slot.cards} of {len({*sheet})} cards, but earlier slots "
                    f"may have taken {taken} of them, and no booster has a card twice"
                )
                hint = "take fewer cards, or add cards to the sheet"
                raise OutputError(E110.at(slot.source.at(), message, hint))

    def fill_box(self, seed: str, number: int) -> list[tuple[int, ...]]:
        """Return the boosters of a box, numbered from 1, as numbers of cards."""
        booster = self._booster
        packs: list[list[int]] = [[] for _ in range(booster.box)]
        for at, (slot, sheet) in enumerate(zip(booster.slots, self._sheets, strict=True)):
            factions = [self.pool.cards[card].faction_id for card in sheet]
            order = dict(zip(sheet, factions, strict=True)) if slot.balanced else {}
            stream = _SheetStream(
                sheet, order, SeededRandom(seed, "booster", booster.id, number, at)
            )
            for pack in packs:
                pack.extend(stream.cards(slot.cards, pack))
        return [tuple(pack) for pack in packs]

    def generate(
        self, seed: str, count: int, players: int | None = None, rounds: int = 1
    ) -> Iterator[GeneratedLine]:
        """Yield boosters, or the boosters of drafts.

        Args:
            count: the number of boosters, or of drafts.
            players: the number of players in a draft; None for boosters without a draft.
            rounds: the number of boosters that each player opens.
        """
        total = count if players is None else count * players * rounds
        name = self._booster.name
        box: list[tuple[int, ...]] = []
        for number in range(1, total + 1):
            at = (number - 1) % self._booster.box
            if at == 0:
                box = self.fill_box(seed, (number - 1) // self._booster.box + 1)
            title = f"{name} {number}"
            if players is not None:
                seat, opened = divmod((number - 1) % (players * rounds), rounds)
                draft = (number - 1) // (players * rounds) + 1
                title = f"{name} {draft}-{seat + 1}-{opened + 1}"
            cards = sorted(box[at])
            houses = dict.fromkeys(self.pool.cards[card].faction_id for card in cards)
            lines = tuple((card, None, n) for card, n in sorted(Counter(cards).items()))
            yield self._writer.line(seed, number, 1, title, DeckContent(tuple(houses), lines))


class _SheetStream:
    """An endless sequence of shuffled sheets, from which cards are collated into packs."""

    def __init__(self, sheet: list[int], factions: Mapping[int, str], draws: SeededRandom) -> None:
        """Shuffle a sheet; its cards are spread evenly over their `factions` if these are given."""
        self._sheet, self._factions, self._draws = sheet, factions, draws
        self._remaining: list[int] = []
        names = sorted(set(factions.values()))
        self._starts = {name: draws.below(_START_STEPS) / _START_STEPS for name in names}

    def cards(self, number: int, present: list[int]) -> list[int]:
        """Take cards for a pack, without duplicates and without those that it already has."""
        taken: list[int] = []
        waiting: list[int] = []
        while len(taken) < number:
            if not self._remaining:
                self._remaining = self._draws.shuffle(self._sheet)
                if self._factions:
                    # Space the cards of each faction evenly.
                    seen = Counter[str]()
                    sizes = Counter(self._factions[each] for each in self._remaining)
                    places: list[tuple[float, int]] = []
                    for each in self._remaining:
                        name = self._factions[each]
                        places.append(((seen[name] + self._starts[name]) / sizes[name], each))
                        seen[name] += 1
                    self._remaining = [each for _, each in sorted(places, key=itemgetter(0))]
            card = self._remaining.pop()
            (waiting if card in taken or card in present else taken).append(card)
        self._remaining += reversed(waiting)
        return taken


_MAX_PAIRS = 20
_HISTOGRAM_STEPS = 20


class CardCount(NamedTuple):
    """The number of decks with a card, and its total number of copies."""

    card: Card
    decks: int
    copies: int


class CardPair(NamedTuple):
    """Two cards in common decks; `lift` relates their frequency to that of independent cards."""

    one: Card
    other: Card
    decks: int
    lift: float


class RunStatistics:
    """Statistics of a run, updated while decks are generated."""

    def __init__(self, game: Game, stock: CardPool, seed: str) -> None:
        self._pool, self.seed = stock, seed
        self.decks = self.retries = self.repaired = 0
        self._decks_with, self._copies = Counter[int](), Counter[int]()
        self._pairs = Counter[tuple[int, int]]()
        self.marks, self.houses = Counter[str](), Counter[str]()
        worth = game.setup.worth
        self._worth = [
            worth.evaluate(card.fields, zone.id) if worth and (zone := zone_of(game, card)) else 0
            for card in stock.cards
        ]
        self.measure = str(worth) if worth else ""
        self._strengths = Counter[float]()

    def add(self, line: GeneratedLine) -> None:
        """Count a deck."""
        content = line.content
        self.decks += 1
        self.retries += line.attempt - 1
        self.repaired += content.repaired
        self.houses.update(content.houses)
        copies: dict[int, int] = {}
        for card, mark, number in content.lines:
            copies[card] = copies.get(card, 0) + number
            if mark is not None:
                self.marks[mark.what] += number
        self._decks_with.update(copies.keys())
        self._copies.update(copies)
        self._pairs.update(combinations(copies, 2))
        if self.measure:
            total = sum(self._worth[card] * number for card, number in copies.items())
            self._strengths[round_number(float(total))] += 1

    def cards(self) -> list[CardCount]:
        """Return the frequencies of cards, the most frequent first."""
        counted = (CardCount(card, self._decks_with[at], self._copies[at])
                   for at, card in enumerate(self._pool.cards))  # fmt: skip
        return sorted(counted, key=lambda each: -each.copies)

    def rarities(self) -> dict[str, int]:
        """Return the number of copies of each rarity; empty in games without rarities."""
        counts = Counter[str]()
        for at, number in self._copies.items():
            if self._pool.rarities[at] is not None:
                counts[str(self._pool.rarities[at])] += number
        return dict(counts.most_common())

    def pairs(self) -> list[CardPair]:
        """Return the frequent pairs with the highest lift.

        Lift is the share of decks with both cards, divided by the product of the shares with each
        card. Pairs in fewer than 5 decks, or fewer than one deck in 200, are ignored.
        """
        least, frequent = max(5, self.decks / 200), []
        for (one, other), both in self._pairs.items():
            if both >= least:
                lift = both * self.decks / (self._decks_with[one] * self._decks_with[other])
                frequent.append((-lift, one, other, both))
        cards = self._pool.cards
        return [CardPair(cards[one], cards[other], both, -lift)
                for lift, one, other, both in sorted(frequent)[:_MAX_PAIRS]]  # fmt: skip

    def strengths(self) -> dict[str, float]:
        """Return the minimum, quartiles, maximum and mean of the decks' worth."""
        if not self._strengths:
            return {}
        ordered = sorted(self._strengths.elements())
        places = {"least": 0, "quarter": self.decks // 4, "median": self.decks // 2,
                  "three quarters": self.decks * 3 // 4, "most": self.decks - 1}  # fmt: skip
        marks = {name: ordered[place] for name, place in places.items()}
        mean = sum(value * number for value, number in sorted(self._strengths.items())) / self.decks
        return {**marks, "mean": round(mean, 2)}

    def histogram(self) -> list[tuple[float, float, int]]:
        """Return a histogram of the decks' worth: lower bound, upper bound and number of decks."""
        if not self._strengths:
            return []
        low, high = min(self._strengths), max(self._strengths)
        width = max(math.ceil((high - low) / _HISTOGRAM_STEPS), 1)
        steps = Counter[int]()
        for value, number in self._strengths.items():
            steps[min(int((value - low) / width), _HISTOGRAM_STEPS - 1)] += number
        last = max(steps)
        return [(low + at * width, low + (at + 1) * width, steps[at]) for at in range(last + 1)]

    def as_json(self) -> str:
        """Return the statistics as JSON."""
        return describe_run(self).as_json()

    def as_csv(self) -> str:
        """Return the statistics as CSV."""
        return describe_run(self).as_csv()


_MARK_NOUNS = {"maverick": ("maverick", "mavericks"), "legacy": ("legacy", "legacies")}
_MAX_SUMMARY_ROWS = 5
"""The most pairs in a summary, and the most cards at each end of its list."""


def describe_run(run: RunStatistics, *, complete: bool = True) -> Answer:
    """Return the statistics of a run; only if `complete`, text lists every card and pair."""
    marks = [(_MARK_NOUNS[mark], number) for mark, number in sorted(run.marks.items()) if number]
    again = f"{pluralize(run.retries, 'attempt')} more, too similar to others"
    facts = [
        ("decks", f"{run.decks:,}"),
        ("regenerated", again * bool(run.retries)),
        ("by the solver", f"{run.repaired:,} made legal" * bool(run.repaired)),
    ]
    shares, rarities = list[Table](), run.rarities()
    for name, counts, total in (
        ("factions", dict(run.houses.most_common()), run.decks),
        ("rarities", rarities, sum(rarities.values())),
    ):
        shares.append(make_data_table(name, "id number", [*counts.items()]))
        parts = (f"{each} {number / max(1, total):.1%}" for each, number in counts.items())
        facts.append((name, ", ".join(parts)))
    facts.append(("special", ", ".join(pluralize(number, *nouns) for nouns, number in marks)))
    numbers = {"decks": run.decks, "retries": run.retries, "repaired": run.repaired}
    numbers |= {nouns[1]: number for nouns, number in marks}
    about = make_record("run", seed=run.seed, **numbers)
    text = Table("", [LABEL, NOTE], [row for row in facts if row[1]])
    sections = [
        Section(f"seed {run.seed}", [about, *shares, text]),
        Section("", [*_describe_cards(run, complete=complete)]),
    ]
    if pairs := run.pairs():
        title = "together more often than by chance"
        sections.append(Section(title, [*_describe_pairs(pairs, complete=complete)]))
    if strengths := run.strengths():
        summary = ", ".join(f"{name} {format_plain(value)}" for name, value in strengths.items())
        steps = [(round(low, 2), round(high, 2), decks) for low, high, decks in run.histogram()]
        columns = [Column("from", "", "number"), Column("to"), Column("decks", "", "bar")]
        worth = make_record("worth", measure=run.measure, **strengths)
        title = f"worth ({run.measure}): {summary}"
        sections.append(Section(title, [worth, Table("histogram", columns, steps)]))
    return Answer("generate", sections)


def _describe_cards(run: RunStatistics, *, complete: bool) -> Iterator[Table | Note]:
    """Yield the frequencies of cards; text names those that are in no deck below."""
    cards = run.cards()
    shares = [round(each.decks / run.decks, 4) if run.decks else 0 for each in cards]
    rows: list[Row] = [
        (CardCell.of(each.card), each.decks, TextCell(share, f"{share:.1%}"), each.copies)
        for each, share in zip(cards, shares, strict=True)
    ]
    names = ("decks", "share", "copies")
    table = Table("cards", [Column("", "cards"), *(Column(n, n, "number") for n in names)], rows)
    never = [each.card.name for each in cards if not each.copies]
    in_text = rows[: len(rows) - len(never)]
    if not complete and len(in_text) > 2 * _MAX_SUMMARY_ROWS:
        gap = ("…", None, None, None)
        in_text = [*in_text[:_MAX_SUMMARY_ROWS], gap, *in_text[-_MAX_SUMMARY_ROWS:]]
    yield hide(table)
    yield replace(table, name="", rows=in_text)
    if never:
        named = never if complete else never[:_MAX_SUMMARY_ROWS]
        more = f" and {len(never) - len(named)} more" if len(never) > len(named) else ""
        yield Note(f"in no deck: {', '.join(named)}{more}")


def _describe_pairs(pairs: Sequence[CardPair], *, complete: bool) -> Iterator[Table]:
    names = ("card", "other_faction", "other_id", "other_name")
    columns = [Column("lift", "", "number"), LABEL, Column("decks", ""), *map(Column, names)]
    rows: list[Row] = []
    for one, other, decks, lift in pairs:
        texts = TextCell(round(lift, 2), f"{lift:.1f} ×"), f"{one.name} + {other.name}"
        number = TextCell(decks, pluralize(decks, "deck"))
        ids = other.faction_id, other.id, other.name
        rows.append((*texts, number, CardCell.of(one), *ids))
    most = len(rows) if complete else _MAX_SUMMARY_ROWS
    yield Table("pairs", columns, rows[:most])
    yield hide(Table("pairs", columns, rows[most:]))
