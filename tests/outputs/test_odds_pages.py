"""The page of odds in the PDF of a deck."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run
from support import card, line, page_texts, write_game

CARDS = [card(f"A{n}", f"Ant {n}", level=1 + n % 2) for n in range(1, 5)]
DECK = [line(f"A{n}", n) for n in range(1, 5)]
OPENING = '<opening hand="3" redraws="1"/>'
REDRAWN = "Redraws are made for just these cards"


def write(folder: Path, limits: str = OPENING, **decks: list[str]) -> Path:
    return write_game(folder, CARDS, limits=limits, decks={"one": DECK, **decks})


def odds_pages(folder: Path, run: Run, *more: str) -> list[str]:
    result = run("deck", "one", *more, "--odds", "-g", str(folder), "-o", str(folder / "deck.pdf"))
    assert result.exit_code == 0, result.stderr
    return [text for text in page_texts(folder / "deck.pdf") if "Average" in text]


def test_the_page_has_the_odds_of_terms_and_of_cards(tmp_path: Path, run: Run) -> None:
    (page,) = odds_pages(write(tmp_path), run)
    for said in (
        "Odds: Deck",
        "Main · Hand 3 / 10 · Redraws 1",
        REDRAWN,
        # Of four in ten: 1 - C(6, 3) / C(10, 3) * 3 / 7, and 1.2 + (20*4 + 60*3 + 36*2) / 840.
        "Ant 4 4× 92.9%",
        "1.60",
        "Ant 1 1× 40.0% 0.40",
    ):
        assert said in page


def test_few_rows_are_high_and_above_cards(tmp_path: Path, run: Run) -> None:
    (page,) = odds_pages(write(tmp_path), run)
    assert page.startswith("Ant ")  # cards are painted before texts
    cards = [card(f"A{n}", f"Ant {n}") for n in range(20)]
    write_game(tmp_path / "2", cards, limits=OPENING, decks={"one": [line("A1"), line("A2", 9)]})
    (page,) = odds_pages(tmp_path / "2", run)
    assert page.startswith("Main · Hand")  # a row needs three


def test_without_redraws_nothing_is_said_of_them(tmp_path: Path, run: Run) -> None:
    (page,) = odds_pages(write(tmp_path, '<opening hand="3"/>'), run)
    assert "Hand 3 / 10 How likely" in page.replace("Odds: Deck ", "")
    assert REDRAWN not in page


def test_it_is_printed_only_if_it_is_asked_for(tmp_path: Path, run: Run) -> None:
    write(tmp_path)
    assert run("deck", "one", "-g", str(tmp_path), "-o", str(tmp_path / "d.pdf")).exit_code == 0
    assert not any("Average" in text for text in page_texts(tmp_path / "d.pdf"))
    assert odds_pages(tmp_path, run, "--sheet", "card") == []
    assert odds_pages(tmp_path, run, "--only", "A1") == []


def test_a_long_deck_goes_on_overleaf(tmp_path: Path, run: Run) -> None:
    cards = [card(f"A{n}", f"Ant {n}") for n in range(100)]
    write_game(
        tmp_path,
        cards,
        limits=OPENING,
        decks={"one": [line(f"A{n}", n // 9 + 1) for n in range(100)]},
    )
    pages = odds_pages(tmp_path, run)
    assert len(pages) == 3
    text = " ".join(pages)
    assert all(f"Ant {n} {n // 9 + 1}×" in text for n in range(100))


def test_many_cards_of_the_same_odds_share_a_row(tmp_path: Path, run: Run) -> None:
    cards = [card(f"A{n}", f"Ant {n}") for n in range(12)]
    deck = [line(f"A{n}", 1 + (n == 3)) for n in range(12)]
    write_game(tmp_path, cards, limits=OPENING, decks={"one": deck})
    (page,) = odds_pages(tmp_path, run)
    assert "11 Cards 1×" in page
    assert "Ant 0 · Ant 1 · Ant 2 · Ant 4" in page
    assert "Ant 3 2×" in page


def test_a_game_may_have_a_template_of_its_own(tmp_path: Path, run: Run) -> None:
    write(tmp_path)
    (tmp_path / "templates" / "odds.xml").write_text(
        '<pages><text each="group in odds.sections[1].groups">Average {{ group.name }}: '
        "{{ group.average }}, {{ group.chances[0].text }}</text></pages>",
        encoding="utf-8",
    )
    (page,) = odds_pages(tmp_path, run)
    assert page.startswith("Average Ant 1: ")


def test_a_template_with_a_mistake_is_found_by_check(tmp_path: Path, run: Run) -> None:
    write(tmp_path)
    page = tmp_path / "templates" / "odds.xml"
    page.write_text("<pages><text>{{ odds.sectoins }}</text></pages>", encoding="utf-8")
    result = run("check", "-g", str(tmp_path))
    assert result.exit_code == 1
    assert "sectoins" in result.stderr + result.stdout


def test_a_game_that_has_no_opening_is_told_how_to_say_it(tmp_path: Path, run: Run) -> None:
    write(tmp_path, "")
    result = run("deck", "one", "--odds", "-g", str(tmp_path))
    assert result.exit_code == 2
    assert "game.xml does not define the opening hand" in result.stderr
    assert not (tmp_path / "out").exists()


def test_each_of_several_decks_has_its_page(tmp_path: Path, run: Run) -> None:
    write(tmp_path, two=[line("A4", 5)])
    pages = odds_pages(tmp_path, run, "two", "--fill")
    assert ["Hand 3 / 10" in pages[0], "Hand 3 / 5" in pages[1]] == [True, True]
    assert len(pages) == 2


@pytest.mark.parametrize("sheet", ["letter-65x90", "a3-65x90"])
def test_it_is_set_for_the_paper_of_the_sheets(tmp_path: Path, run: Run, sheet: str) -> None:
    assert len(odds_pages(write(tmp_path), run, "--sheet", sheet)) == 1
