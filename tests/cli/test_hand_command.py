"""`deckwright hand`: sample hands as text, JSON and pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from conftest import Run
from support import card, line, uses, write_game

RULE = '<rule id="dig" type="passive" effect="Dig."><label Ants="Tunnel" GEN="Dig"/></rule>'


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder, whose deck breaks a limit."""
    cards = [card(f"A{n}", f"Ant {n}", "AA", uses("dig"), costs=n) for n in range(1, 6)]
    limits = '<limit id="few" name="cards" zone="main" max="4"/><opening hand="3" redraws="1"/>'
    lines = [line(f"A{n}", 2) for n in range(1, 6)]
    write_game(tmp_path / "game", cards, rules=[RULE], limits=limits, decks={"one": lines})
    monkeypatch.chdir(tmp_path / "game")
    return tmp_path / "game"


@pytest.mark.usefixtures("game")
def test_a_hand_shows_its_cards_with_numbers_and_rules(run: Run) -> None:
    result = run("hand", "one", "--seed", "7")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Deck, seed 7: hand 3 / 10",
        "                  costs",
        "  1x  Ant 2 (A2)      2  Tunnel",
        "  1x  Ant 3 (A3)      3  Tunnel",
        "  1x  Ant 4 (A4)      4  Tunnel",
        "  total: costs 9",
        "  left in the pile: 7",
    ]
    assert result.stderr == "one.xml breaks 1 limit: `deckwright stats one`\n"


@pytest.mark.usefixtures("game")
def test_without_a_seed_the_one_that_was_taken_repeats_the_hand(run: Run) -> None:
    first = run("hand", "one", "--format", "json")
    seed = json.loads(first.stdout)["hands"][0]["seed"]
    assert run("hand", "one", "--format", "json", "--seed", str(seed)).stdout == first.stdout


@pytest.mark.usefixtures("game")
def test_each_hand_has_the_next_seed(run: Run) -> None:
    both = json.loads(run("hand", "one", "--seed", "7", "--hands", "2", "--format", "json").stdout)
    for hand in both["hands"]:
        alone = run("hand", "one", "--seed", str(hand["seed"]), "--format", "json")
        assert json.loads(alone.stdout)["hands"] == [hand]
    assert [hand["seed"] for hand in both["hands"]] == [7, 8]


@pytest.mark.usefixtures("game")
def test_a_redraw_and_turns_are_told(run: Run) -> None:
    held = json.loads(run("hand", "one", "--seed", "7", "--format", "json").stdout)
    assert {card["rules"] for card in held["cards"]} == {"Tunnel"}
    name = held["cards"][0]["name"]
    result = run("hand", "one", "--seed", "7", "--redraw", name, "--turns", "2", "--draws", "4")
    lines = result.stdout.splitlines()
    assert lines[-4].startswith(f"  laid aside: {name} (")
    assert lines[-3].startswith("  turn 1: ")
    assert lines[-3].count(", ") == 3
    assert lines[-2].count(", ") == 2
    assert lines[-1] == "  left in the pile: 0"


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(("options", "said"), [
    (["--turns", "1"], "game.xml does not say how many cards are drawn each turn"),
    (["--zone", "side"], "`Deck` has no cards in the zone `side`"),
    (["--hands", "2", "--redraw", "A1"], "--redraw is for a single hand"),
    (["--redraw", "A9"], "there is no card `A9` in the hand"),
    (["--out", "hand.pdf"], "--out takes a PNG file: end `hand.pdf` with .png"),
    (["--style", "mono"], "there is no style `mono`"),
])  # fmt: skip
def test_what_cannot_be_is_a_mistake_in_usage(run: Run, options: list[str], said: str) -> None:
    result = run("hand", "one", "--seed", "7", *options)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_broken_deck_is_told_of(game: Path, run: Run) -> None:
    (game / "xml" / "Decks" / "one.xml").write_text("<data>", encoding="utf-8")
    result = run("hand", "one", "--out", "hand.png")
    assert result.exit_code == 1
    assert "X001" in result.stderr
    assert not (game / "hand.png").exists()


def test_the_picture_is_the_same_each_time(game: Path, run: Run) -> None:
    for name in "one.png", "two.png":
        result = run("hand", "one", "--seed", "7", "--dpi", "40", "--out", name)
        assert (result.exit_code, result.stdout.splitlines()[-1]) == (
            0,
            f"drawn in {name}, 343 × 195 pixels",
        )
    assert (game / "one.png").read_bytes() == (game / "two.png").read_bytes()
    with Image.open(game / "one.png") as picture:
        assert picture.format == "PNG"
        assert picture.size == (343, 195)


def test_out_may_be_a_folder_and_cards_may_lie_side_by_side(game: Path, run: Run) -> None:
    result = run("hand", "one", "--dpi", "30", "--layout", "rows", "-o", "new/", "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["deck"][0]["cards"] == 10
    assert (game / "new" / "hand_one.png").is_file()


@pytest.mark.usefixtures("game")
def test_a_picture_that_is_too_large_is_refused(run: Run) -> None:
    result = run("hand", "one", "--hands", "60", "--dpi", "1200", "--out", "hand.png")
    assert result.exit_code == 1
    assert "E030" in result.stderr
