"""Names of decks: what they are made of, and what never becomes one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.decks.generator.deck_lines import ForbiddenWords
from support import card, write_game

NAMES = """<generator><part cards="4"/><names>
  <list id="how" file="how.txt"/><list id="who" file="who.txt"/>
  <pattern is="The {{ how }} {{who}} of {{ faction }}"/>
  <forbidden file="never.txt"/>
</names></generator>"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cards = [card(f"A{n}", f"Ant {n}") for n in range(9)]
    write_game(tmp_path, cards)
    edit(tmp_path / "xml" / "game.xml", "</deck>", f"</deck>{NAMES}")
    (tmp_path / "xml" / "Words").mkdir()
    for name, words in (
        ("how", "# how they are\nbold\nsly\n\nbold\n"),
        ("who", "Heron\nOtter\nFox\n"),
        ("never", "slyfox\n=otter\n"),
    ):
        (tmp_path / "xml" / "Words" / f"{name}.txt").write_text(words, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(run: Run, count: int) -> list[str]:
    result = run("generate", "--seed", "w", "--count", str(count), "--quiet")
    assert result.exit_code == 0, result.stderr
    text = Path("out/run.jsonl").read_text(encoding="utf-8")
    return [json.loads(line)["name"] for line in text.splitlines()]


@pytest.mark.usefixtures("game")
def test_all_allowed_names_come_and_each_once(run: Run) -> None:
    assert sorted(names(run, 3)) == [
        "The bold Fox of Hill",
        "The bold Heron of Hill",
        "The sly Heron of Hill",
    ]
    result = run("generate", "--seed", "w", "--count", "4")
    assert result.exit_code == 1
    assert (
        "E110: after 3 decks, none of 100 attempts has another name than all of them"
        in result.stderr
    )


def test_names_may_come_again_where_the_game_says_so(run: Run, game: Path) -> None:
    edit(game / "xml" / "game.xml", "<names>", '<names unique="false">')
    assert len(set(names(run, 30))) == 3


def test_where_no_name_is_allowed_that_is_said(run: Run, game: Path) -> None:
    (game / "xml" / "Words" / "never.txt").write_text("e\n", encoding="utf-8")
    result = run("generate", "--seed", "w")
    assert result.exit_code == 1
    assert "E110: none of 1000 names is allowed, such as `The " in result.stderr


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff\xfe", "is not in UTF-8"),
        (b"# nothing\n", "has no words"),
        (b"x\n" * 600_000, "has more than 1,000,000 bytes"),
        (None, "is not there"),
    ],
)
def test_lists_that_cannot_be_used_are_told(
    run: Run, game: Path, data: bytes | None, said: str
) -> None:
    path = game / "xml" / "Words" / "who.txt"
    path.unlink()
    if data is not None:
        path.write_bytes(data)
    for arguments in (
        ["generate", "--seed", "w"],
        ["generate", "--seed", "w", "--only", "1"],
        ["check"],
    ):
        result = run(*arguments)
        assert result.exit_code == 1
        assert f"R034: the word list `xml/Words/who.txt` {said}" in result.stderr


def test_a_list_outside_of_the_game_is_not_read(
    run: Run, game: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.txt"
    secret.write_text("secret\n", encoding="utf-8")
    path = game / "xml" / "Words" / "who.txt"
    path.unlink()
    path.symlink_to(secret)
    assert (
        "is a link that leads out of the game"
        in run("generate", "--seed", "w", "-g", str(game)).stderr
    )


@pytest.mark.parametrize(
    "name",
    [
        "Old Badger", "old badger", "ÖLD BÂDGÉR", "0ld B@dg3r", "O.l-d  Badger", "Oldbadgers",
        "The Gold Badger", "o|d badger", "oid badger", "Øld Badger", "Old\u200bBadger",
        "\u041eld \u0412\u0430dg\u0435r",  # Cyrillic
        "\u03bfld b\u03b1dger",  # Greek
        "\uff2f\uff4c\uff44 Badger",  # of full width
    ],
)  # fmt: skip
def test_spelling_does_not_hide_what_is_forbidden(name: str) -> None:
    assert ForbiddenWords(["old badger"]).occur_in(name)


@pytest.mark.parametrize("name", ["Old Badge", "Bold Ranger", "Badger Old", ""])
def test_other_names_are_allowed(name: str) -> None:
    assert not ForbiddenWords(["old badger", "", "=", "…"]).occur_in(name)


def test_a_word_alone_is_forbidden_alone() -> None:
    forbidden = ForbiddenWords(["=ass"])
    assert forbidden.occur_in("The Àss King")
    assert not forbidden.occur_in("The Brass Compass")
