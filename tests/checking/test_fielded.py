"""Factions and cards that are in no legal deck are told of, once, and remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run
from deckwright.base.findings import Report
from deckwright.checking import stages
from deckwright.checking.stages import check_fielding
from deckwright.checks import check_design
from deckwright.decks.solver import unbuildable
from deckwright.game.model import Game
from support import card, load_all, write_game

CARDS = [
    card("A1", "Worker", costs=2),
    card("A2", "Soldier", costs=5),
    card("A3", "Queen", level=2, costs=9),
]
LIMITS = """<limit id="size" name="cards" zone="main" min="4"/>
  <limit id="costs" name="costs" zone="main" sum="costs" max="MOST"/>
  <limit id="copies" name="copies" zone="main" per="name" max="2"/>"""
CROSSED = """<limit id="low" name="x" zone="main" where="costs&lt;9" max="2"/>
  <limit id="odd" name="x" zone="main" where="costs&gt;2" max="1"/>"""

LIKE = """<limit id="like" name="x" zone="main" max="9">
  <free where="id=A1" min="1" same="actions"/>
</limit>"""


def checked(folder: Path) -> list[str]:
    """Return the codes and messages of all checks of the game as a design."""
    game, report = load_all(folder), Report()
    check_design(game, report)
    check_fielding(game, report)
    return [f"{each.code.id} {each.message}" for each in report if each.code.id in {"D011", "D012"}]


def changed(path: Path, old: str, new: str) -> None:
    """Change a text in a file."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_what_the_bound_has_told_is_not_told_again(tmp_path: Path) -> None:
    write_game(tmp_path, CARDS, limits=LIMITS.replace("MOST", "13"))
    (finding,) = checked(tmp_path)
    assert finding.startswith("D011 faction `AA` can build no legal deck within the limits: the 4 ")


def test_what_the_bound_cannot_know_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_game(tmp_path, CARDS, limits=LIMITS.replace("MOST", "30") + CROSSED)
    (finding,) = checked(tmp_path)
    assert finding == (
        "D011 faction `AA` can build no legal deck within the limits: `size` (at least 4), "
        "`copies` (at most 2 of each card) and `odd` (at most 1) cannot all be met; possible with "
        "`size` at least 3 or `odd` at most 2"
    )
    monkeypatch.setattr(stages, "find_spec", lambda _: None)
    assert checked(tmp_path) == []


def test_what_was_found_is_remembered_until_something_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_game(tmp_path, CARDS, limits=LIMITS.replace("MOST", "14"))
    queen = (
        "D012 card `A3` can be in no legal deck: `size` (at least 4) and `costs` (at most 14) "
        "leave no room for it"
    )
    cards = tmp_path / "xml" / "Factions" / "AA_cards.xml"
    assert checked(tmp_path) == [queen]
    with monkeypatch.context() as patched:
        patched.setattr(
            unbuildable, "find_unbuildable", lambda *_: pytest.fail("it was looked for again")
        )
        assert checked(tmp_path) == [queen]
        changed(cards, 'actions="0"', 'actions="1"')  # which no limit asks for
        assert checked(tmp_path) == [queen]
    changed(cards, 'costs="9"', 'costs="5"')
    assert checked(tmp_path) == []


@pytest.mark.parametrize(
    "limit",
    [
        '<limit id="new" name="x" zone="main" where="actions&gt;0" max="1"/>',
        '<limit id="new" name="x" zone="main" sum="actions" max="1"/>',
        '<limit id="new" name="x" zone="main" distinct="actions" max="1"/>',
        '<limit id="new" name="x" zone="main" per="actions" max="5"/>',
        '<limit id="new" name="x" zone="main" min="{{ main.actions }}"/>',
        LIKE,
    ],
)
def test_it_is_looked_for_again_when_what_a_limit_asks_for_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    write_game(tmp_path, CARDS, limits=limit)
    asked: list[Game] = []

    def none_is(game: Game, *_: object) -> list[object]:
        asked.append(game)
        return []

    monkeypatch.setattr(unbuildable, "find_unbuildable", none_is)
    for _ in range(2):
        assert checked(tmp_path) == []
    changed(tmp_path / "xml" / "Factions" / "AA_cards.xml", 'actions="0"', 'actions="1"')
    checked(tmp_path)
    assert len(asked) == 2


def test_of_a_game_that_was_not_wholly_read_nothing_is_told(tmp_path: Path) -> None:
    write_game(tmp_path, CARDS, limits=LIMITS.replace("MOST", "14"))
    game = load_all(tmp_path)
    left_out = game._replace(
        omissions=game.omissions._replace(factions=game.omissions.factions._replace(unknown=True))
    )
    report: Report = []
    check_fielding(left_out, report)
    assert report == []


def test_a_solver_is_not_asked_of_games_of_strangers(tmp_path: Path, run: Run) -> None:
    write_game(tmp_path, CARDS, limits=LIMITS.replace("MOST", "14"))
    asked = ("check", "--select", "D012", "--game", str(tmp_path))
    assert "`A3` can be in no legal deck" in run(*asked).stderr
    assert "`A3`" not in run(*asked, "--untrusted").stderr
