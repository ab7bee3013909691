"""`deckwright deck`: what is printed where, and what is said."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import Run
from support import data, line, list_pdfs, write_decks


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder, with decks that are good, short, wrong and broken."""
    monkeypatch.chdir(write_decks(tmp_path / "game"))
    return tmp_path / "game"


@pytest.mark.parametrize("name", ["good", "good.xml", "xml/Decks/good.xml", "./xml/Decks/good"])
def test_a_deck_is_named_by_its_name_its_file_or_its_path(game: Path, run: Run, name: str) -> None:
    assert run("deck", name).exit_code == 0
    assert list_pdfs(game) == ["out/deck_good.pdf"]


def test_a_deck_may_be_any_file(game: Path, run: Run, tmp_path: Path) -> None:
    shutil.copyfile(game / "xml" / "Decks" / "good.xml", tmp_path / "mine.xml")
    assert run("deck", str(tmp_path / "mine.xml")).exit_code == 0
    assert list_pdfs(game) == ["out/deck_mine.pdf"]


def test_the_summary_says_what_was_printed(game: Path, run: Run) -> None:
    result = run("deck", "good")
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "Deck",
        "  cards   13 (Main 11, Side 2)",
        "  level   Low 10, High 3",
        "  costs   9 (at most 10)",
        "  tokens  6 (Wolf 6)",
        "  pages   3 (3 sheets of cards, 8 slots empty)",
        f"  file    {Path('out/deck_good.pdf')}",
    ]
    assert list_pdfs(game) == ["out/deck_good.pdf"]


@pytest.mark.usefixtures("game")
def test_quiet_prints_no_summary(run: Run) -> None:
    result = run("deck", "good", "--quiet")
    assert (result.exit_code, result.output) == (0, "")


def test_out_names_the_file(game: Path, run: Run) -> None:
    assert run("deck", "good", "--out", "new/mine.pdf").exit_code == 0
    assert list_pdfs(game) == ["new/mine.pdf"]


@pytest.mark.parametrize("out", ["there", "there/"])
def test_out_may_be_a_folder(game: Path, run: Run, out: str) -> None:
    (game / "there").mkdir()
    assert run("deck", "good", "--out", out).exit_code == 0
    assert list_pdfs(game) == ["there/deck_good.pdf"]


def test_an_out_that_ends_in_a_slash_is_a_folder_even_if_it_is_not_there(
    game: Path, run: Run
) -> None:
    assert run("deck", "good", "--out", "there/").exit_code == 0
    assert list_pdfs(game) == ["there/deck_good.pdf"]


def test_several_decks_are_printed_to_a_folder(game: Path, run: Run) -> None:
    assert run("deck", "good", "other").exit_code == 0
    assert list_pdfs(game) == ["out/deck_good.pdf", "out/deck_other.pdf"]
    (game / "there").mkdir()
    assert run("deck", "good", "other", "--out", "there").exit_code == 0
    assert list_pdfs(game / "there") == ["deck_good.pdf", "deck_other.pdf"]


def test_two_decks_that_would_be_one_file_are_refused(game: Path, run: Run) -> None:
    for folder in ("one", "two"):
        (game / folder).mkdir()
        shutil.copyfile(game / "xml" / "Decks" / "good.xml", game / folder / "mine.xml")
    result = run("deck", "one/mine.xml", "two/mine.xml")
    assert result.exit_code == 2
    assert "deck_mine.pdf" in result.stderr
    assert list_pdfs(game) == []


def test_a_deck_with_an_error_does_not_keep_the_others_from_being_printed(
    game: Path, run: Run
) -> None:
    result = run("deck", "short", "good", "wrong", "other")
    assert result.exit_code == 1
    assert list_pdfs(game) == ["out/deck_good.pdf", "out/deck_other.pdf"]
    assert "short.xml was not printed: 1 error" in result.stderr
    assert "wrong.xml was not printed: 1 error" in result.stderr


def test_game_names_the_folder(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for option in (["--game", "game"], ["-g", str(game)]):
        result = run("deck", "good", *option)
        assert result.exit_code == 0
        assert list_pdfs(game) == ["out/deck_good.pdf"]


def test_a_deck_is_not_stopped_by_a_mistake_in_a_file_that_it_does_not_need(
    game: Path, run: Run
) -> None:
    (game / "xml" / "Factions" / "BB_cards.xml").write_text("<data><card/>", encoding="utf-8")
    (game / "xml" / "Factions" / "GG_cards.xml").unlink()
    assert run("check").exit_code != 0
    assert run("deck", "other").exit_code == 0


def test_a_card_that_a_faction_does_not_have_is_missed_in_check_and_in_print(
    game: Path, run: Run
) -> None:
    deck = game / "xml" / "Decks" / "other.xml"
    deck.write_text(data('<meta main_faction_id="AA" name="Deck"/>', line("A2", 2), line("B9")),
                    encoding="utf-8")  # fmt: skip
    for command in ("check", "deck"):
        result = run(command, "other")
        assert result.exit_code == 1
        assert " R002: " in result.stderr
    (game / "xml" / "Factions" / "BB_cards.xml").unlink()
    for command in ("check", "deck"):
        result = run(command, "other")
        assert result.exit_code != 0
    assert list_pdfs(game) == []


REFERENCE = '<pages><block each="rule in rules"><text>{{ rule.name }}</text></block></pages>'


@pytest.mark.parametrize(
    ("styles", "asked", "pages"),
    [
        (None, [], 4),
        ("", [], 3),
        ("plain", [], 3),
        ("plain", ["--style", "plain"], 4),
        ("plain", ["--reference"], 4),
        (None, ["--no-reference"], 3),
        ("plain", ["--style", "plain", "--no-reference"], 3),
    ],
)
def test_a_deck_has_the_rule_reference_in_the_styles_that_the_game_names_or_if_asked(
    game: Path, run: Run, styles: str | None, asked: list[str], pages: int
) -> None:
    templates, file = game / "templates", game / "xml" / "game.xml"
    (templates / "plain").mkdir()
    (templates / "reference.xml").write_text(REFERENCE, "utf-8")
    named = "" if styles is None else f' reference-styles="{styles}"'
    text = file.read_text("utf-8")
    replaced = text.replace("<sheet ", f'<sheet reference="reference.xml"{named} ', 1)
    assert replaced != text
    file.write_text(replaced, "utf-8")
    result = run("deck", "good", *asked)
    assert f"  pages   {pages} (3 sheets" in result.stdout, result.output


def test_build_says_how_to_print_decks_with_errors(game: Path, run: Run) -> None:
    result = run("build", "--game", str(game))
    assert "deck_short.pdf was not printed" in result.stderr
    assert "`deckwright build --draft` prints decks despite their errors" in result.stderr


def test_a_quiet_proof_prints_nothing(game: Path, run: Run) -> None:
    result = run("proof", "--game", str(game), "--quiet")
    assert (result.exit_code, result.stdout) == (0, "")
