"""The odds of decks as JSON and CSV, for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deckwright.base.visible import visible_json
from deckwright.decks.asked_odds import AskedOdds, DeckOdds
from deckwright.decks.odds_table import Chances, OddsTable
from deckwright.grids.csv import csv_text

VERSION = 1
"""Of the JSON; it grows when a name changes its meaning."""
_DIGITS = 12
"""How many digits chances have in CSV."""


def as_json(decks: Iterable[DeckOdds]) -> str:
    """Return the odds of decks as a JSON object; chances are parts of 1."""
    return visible_json({"version": VERSION, "decks": [*map(_deck, decks)]})


def _deck(found: DeckOdds) -> dict[str, object]:
    opening = found.opening
    return {
        "file": found.stats.deck.stem,
        "name": found.stats.deck.name,
        "zone": found.zone.id,
        "cards": found.zone.cards,
        "hand": opening.hand,
        "redraws": opening.redraws,
        "mulligans": opening.mulligans,
        "draws": opening.draws,
        "turns": [*map(_table, found.tables), *(_answer(found, one) for one in found.answers)],
    }


def _table(table: OddsTable) -> dict[str, object]:
    return {
        "turn": table.turn,
        "groups": [
            {
                "of": section.id,
                "faction": group.faction,
                "id": group.id,
                "name": group.name,
                "cards": group.cards,
                "at_once": _chances(group.at_once),
                "played": _chances(group.played),
            }
            for section in table.sections
            for group in section.groups
        ],
    }


def _chances(chances: Chances) -> dict[str, object]:
    return {"at_least": [*map(float, chances.at_least)], "average": float(chances.average)}


def _answer(found: DeckOdds, answer: AskedOdds) -> dict[str, object]:
    return {
        "turn": answer.turn,
        "at_once": float(answer.at_once.chance),
        "played": float(answer.played.chance),
        "groups": [
            {
                "name": asked.name,
                "at_least": asked.at_least,
                "cards": cards,
                "alone": float(alone.chance),
                "numbers": [*map(float, numbers)],
                "average": float(average),
            }
            for asked, cards, alone, numbers, average in zip(
                found.asked, answer.played.groups, answer.alone, answer.played.numbers,
                answer.played.expected, strict=True,
            )
        ],
    }  # fmt: skip


def as_csv(decks: Iterable[DeckOdds]) -> str:
    """Return the odds of decks as one table, with a line for each number of cards.

    `played` is the chance to have at least `number` cards of a group; lines of `together` are that
    of all groups that were asked for. Without redraws and mulligans, it is `at_once`.
    """
    head = ("deck", "turn", "of", "faction", "id", "name", "cards", "number", "at_once", "played")
    rows = (row for found in decks for row in _rows(found))
    return csv_text([head, *rows], number=_number).rstrip("\r\n").replace("\r\n", "\n")


def _rows(found: DeckOdds) -> Iterator[tuple[str | float, ...]]:
    stem = found.stats.deck.stem
    for table in found.tables:
        for section in table.sections:
            for group in section.groups:
                of = section.id, group.faction, group.id, group.name, group.cards
                start = (stem, table.turn, *of)
                pairs = zip(group.at_once.at_least, group.played.at_least, strict=False)
                for number, pair in enumerate(pairs, 1):
                    yield (*start, number, *map(float, pair))
    for answer in found.answers:
        together = answer.at_once.chance, answer.played.chance
        yield (
            stem, answer.turn, "together", "", "", "", found.zone.cards, "", *map(float, together),
        )  # fmt: skip
        for asked, cards, alone in zip(
            found.asked, answer.played.groups, answer.alone, strict=True
        ):
            line = (stem, answer.turn, "where", "", "", asked.name, cards, asked.at_least)
            yield (*line, "", float(alone.chance))


def _number(number: float) -> str:
    return f"{number:.{_DIGITS}g}"
