"""One's own files may be large; those of strangers, and files that are none, are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import deckwright
from conftest import Run
from deckwright.base.findings import is_error
from deckwright.xmlio import load
from support import card, data, line, write_game

CARDS = "xml/Factions/AA_cards.xml"


def codes(game: Path, *, untrusted: bool) -> set[tuple[str, str | None]]:
    """Return the codes of the errors of a check, with the names of their files."""
    found = deckwright.open_game(game).check(untrusted=untrusted)
    return {(f.code.id, f.location and f.location.path.name) for f in filter(is_error, found)}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    cards = [card(f"A{n}", f"Ant {n}") for n in range(3)]
    return write_game(tmp_path / "game", cards, decks={"d": [line("A1", 3)]})


def test_only_a_file_of_a_stranger_is_too_large_with_two_megabytes(game: Path) -> None:
    path = game / CARDS
    path.write_text(path.read_text("utf-8").replace("<data>", "<data>" + " " * 2_000_000), "utf-8")
    assert not codes(game, untrusted=False)
    assert codes(game, untrusted=True) == {("X005", path.name)}
    # What is kept of a game that was read as one's own makes no difference.
    opened = deckwright.open_game(game)
    assert opened.cards
    assert [f.code.id for f in opened.check(untrusted=True)] == ["X005"]
    assert not opened.check()


def test_only_a_deck_list_of_a_stranger_has_too_many_lines(game: Path) -> None:
    cards = [card(f"A{n}", f"Ant {n}") for n in range(5001)]
    (game / CARDS).write_text(data(*cards), "utf-8")
    deck = game / "xml/Decks/d.xml"
    text = deck.read_text("utf-8")
    lines = [line(f"A{n}") for n in range(5001)]
    deck.write_text(text.replace(line("A1", 3), "\n".join(lines)), "utf-8")
    assert not codes(game, untrusted=False)
    assert codes(game, untrusted=True) == {("S006", deck.name)}
    deck.write_text(text.replace(line("A1", 3), "\n".join(lines[1:])), "utf-8")
    assert not codes(game, untrusted=True)


def test_elements_are_counted_within_the_limits_of_the_moment(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = data(*(card(f"A{n}", f"Ant {n}") for n in range(300)))
    (game / CARDS).write_text(text, "utf-8")
    count = text.count("<card") + text.count("<row") + 1
    monkeypatch.setattr(load, "UNTRUSTED_FILES", load.UNTRUSTED_FILES._replace(elements=count))
    assert not codes(game, untrusted=True)
    monkeypatch.setattr(load, "UNTRUSTED_FILES", load.UNTRUSTED_FILES._replace(elements=count - 1))
    (game / CARDS).write_text(text + "\n", "utf-8")  # what was found before is known
    assert codes(game, untrusted=True) == {("X005", "AA_cards.xml")}
    assert not codes(game, untrusted=False)


@pytest.mark.corpus(4)
@pytest.mark.parametrize("name", [CARDS, "templates/card.xml", "xml/rulebook.xml", "img/a.svg"])
def test_a_video_that_is_named_like_a_file_of_the_game_is_located(
    game: Path, run: Run, name: str
) -> None:
    (game / "img").mkdir()
    (game / "templates/card.xml").write_text(
        '<face><image href="a.svg" width="9" height="9"/></face>', "utf-8"
    )
    path = game / name
    with path.open("wb") as stream:  # a hole, which takes no room on the disk
        stream.truncate(load.MAX_BYTES + 1)
    result = run("check", "--game", str(game))
    assert "100,000,001 bytes, at most 100,000,000 are allowed" in result.stderr
    assert f"{name}: " in result.stderr
