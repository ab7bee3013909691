"""`deckwright play`: what happened in a game, beside what the odds said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Run
from deckwright.decks.play.log import format_event
from deckwright.decks.play.table import Play
from play_logs import beginning
from table_game import write_table_game


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return write_table_game(tmp_path / "game")


def write_log(folder: Path, *more: str) -> Path:
    """Write a game of two turns in which each player draws and plays a card; return its log."""
    play = Play(beginning(draws=1))
    play.apply({"do": "next_turn"})
    for player in range(2):
        hand = play.table.areas[f"{player}/hand"]
        play.apply({"do": "move", "cards": hand[:1], "to": f"{player}/front"})
    play.apply({"do": "next_turn"})
    play.apply({"do": "move", "cards": play.table.areas["0/hand"][:1], "to": "0/discard"})
    play.apply({"do": "note", "text": "too many", "card": 2})
    path = folder / "game.jsonl"
    lines = [format_event(event) for event in (play.begin, *play.done)]
    path.write_text("\n".join([*lines, *more, ""]), encoding="utf-8")
    return path


def test_the_summary_counts_what_was_drawn_and_played(folder: Path, run: Run) -> None:
    log = write_log(folder)
    result = run("play", str(log), "--game", str(folder), "--format", "json")
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["play"] == [{"seed": 7, "turns": 2, "events": 6}]
    first = told["players"][0]
    assert (first["cards"], first["opening"], first["drawn"]) == (10, 4, 6)
    assert (first["played"], first["left"], first["pile"]) == (1, 4, 4)
    mine = [row for row in told["cards"] if row["player"] == 0]
    assert sum(row["drawn"] for row in mine) == 6
    assert sum(row["left"] for row in mine) == 4
    ant = next(row for row in mine if row["id"] == "A1")
    assert (ant["name"], ant["copies"], ant["expected"]) == ("Ant", 2, 1.2)
    # Two of ten, none in four cards after a mulligan, and none in two more that are redrawn.
    assert ant["chance"] == pytest.approx(1 - (1 / 3) ** 2 * 2 / 5)
    turns = [row for row in told["turns"] if row["player"] == 0]
    assert [(row["drawn"], row["played"]) for row in turns] == [(4, 0), (1, 1), (1, 0)]
    assert told["notes"][0]["text"] == "too many"
    assert told["notes"][0]["turn"] == 2
    assert told["notes"][0]["place"] == "AA_cards.xml:2:1"


def test_the_summary_is_a_text_with_a_plot(folder: Path, run: Run) -> None:
    result = run("play", str(write_log(folder)), "--game", str(folder))
    assert "Deck 0, seed 7, turn 2\n  drawn: 6, played: 1, in hand: 4" in result.stdout
    assert "Queen Ant (A2)" in result.stdout
    assert "·" in result.stdout  # the line of the plot


def test_redrawn_cards_were_not_drawn(folder: Path, run: Run) -> None:
    play = Play(beginning(1))
    play.apply({"do": "redraw", "player": 0, "cards": play.table.areas["0/hand"][:2]})
    log = folder / "game.jsonl"
    events = (play.begin, *play.done)
    log.write_text("".join(f"{format_event(event)}\n" for event in events), encoding="utf-8")
    told = json.loads(run("play", str(log), "--game", str(folder), "--format", "json").stdout)
    assert (told["players"][0]["opening"], told["players"][0]["drawn"]) == (4, 4)


def test_invalid_lines_are_reported_and_skipped(folder: Path, run: Run) -> None:
    more = ('{"do":"jump"}', "[]", "", '{"do":"flip","cards":[NaN]}')
    result = run("play", str(write_log(folder, *more)), "--game", str(folder), "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["players"][0]["drawn"] == 6
    assert "game.jsonl:8:1: error E124: there is no event `jump`" in result.stderr
    assert "game.jsonl:9:1: error E124: this is not a JSON object" in result.stderr
    assert "game.jsonl: 11" in result.stderr


@pytest.mark.parametrize(
    "content", ["", "no game\n", '{"do":"next_turn"}\n', "[" * 9000 + "\n", "x" * 5_000_001]
)
def test_what_is_no_log_has_no_summary(folder: Path, run: Run, content: str) -> None:
    log = folder / "game.jsonl"
    log.write_text(content, encoding="utf-8")
    result = run("play", str(log), "--game", str(folder))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "E124" in result.stderr
    assert result.stderr.count("error E124") == 1
