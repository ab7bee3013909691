"""`deckwright tokens`: the tokens of decks and factions alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from pypdf import PdfReader

from conftest import Run, edit
from support import card, line, list_pdfs, token_rule, uses, write_game


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game whose ants call wolves and foxes, and whose bees call nothing, as working folder."""
    cards = [
        card("A1", "Ant", "AA", uses("call"), actions=2),
        card("A2", "Queen", "AA", uses("call", "lure"), actions=7),
        card("A3", "Drone", "AA"),
        card("B1", "Bee", "BB"),
    ]
    decks = {
        "ants": [line("A1", 4), line("A2", 2)],
        "queen": [line("A2", 1)],
        "bees": [line("B1", 3)],
        "wrong": [line("A9", 3)],
    }
    rules = [token_rule("call", "Wolf"), token_rule("lure", "Fox", cost=2)]
    monkeypatch.chdir(write_game(tmp_path / "game", cards, rules=rules, decks=decks))
    return tmp_path / "game"


def tokens_in(path: Path) -> dict[str, int]:
    """Return how often each token is seen in a PDF."""
    words = " ".join(page.extract_text() for page in PdfReader(path).pages).split()
    words = [word for word in words if word in {"Wolf", "Fox", "Cub", "Ant", "Queen"}]
    return {name: words.count(name) for name in dict.fromkeys(words)}


@pytest.mark.parametrize(("name", "expected"), [
    ("ants", {"Wolf": 4 * 2 + 2 * 7, "Fox": 2 * 3}),
    ("queen", {"Wolf": 7, "Fox": 5}),  # three foxes, but five are the fewest
    ("AA", {"Wolf": 2 + 7, "Fox": 5}),
])  # fmt: skip
def test_there_are_as_many_tokens_as_can_be_needed(
    game: Path, run: Run, name: str, expected: dict[str, int]
) -> None:
    result = run("tokens", name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        name,
        f"  Wolf  {expected['Wolf']}",
        f"  Fox   {expected['Fox']}",
        f"  file  {Path('out', f'tokens_{name}.pdf')}",
    ]
    assert tokens_in(game / "out" / f"tokens_{name}.pdf") == expected


def test_a_deck_of_a_table_has_tokens_too(game: Path, run: Run) -> None:
    edit(game / "xml/game.xml", "<sheet", '<table file="more.csv" deck="more"/><sheet')
    rows = "id,name,faction_id,level,costs,actions,rule,amount\nA7,Swarmer,AA,1,1,1,call,3\n"
    (game / "xml/Factions/more.csv").write_text(rows, encoding="utf-8")
    result = run("tokens", "more")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Wolf  5" in result.stdout
    assert "did you mean `more`" in run("tokens", "mote").stderr
    assert "`more` is a deck, but a faction is needed" in run("solve", "more").stderr


def test_nothing_but_tokens_is_printed(game: Path, run: Run) -> None:
    assert run("tokens", "ants", "--quiet").output == ""
    reader = PdfReader(game / "out" / "tokens_ants.pdf")
    assert len(reader.pages) == 4  # 28 tokens
    assert "Ant" not in reader.pages[0].extract_text().split()
    assert reader.metadata is not None
    assert reader.metadata.title == "Tokens – Hill"


@pytest.mark.parametrize("copies", [1, 11])
def test_copies_are_of_each(game: Path, run: Run, copies: int) -> None:
    assert run("tokens", "ants", "--copies", str(copies)).exit_code == 0
    assert tokens_in(game / "out" / "tokens_ants.pdf") == {"Wolf": copies, "Fox": copies}


@pytest.mark.parametrize("copies", ["0", "-1", "x", "1000"])
def test_copies_that_are_none_are_refused(game: Path, run: Run, copies: str) -> None:
    assert run("tokens", "ants", "--copies", copies).exit_code == 2
    assert list_pdfs(game) == []


@pytest.mark.parametrize("name", ["bees", "BB"])
def test_where_there_are_no_tokens_nothing_is_printed(game: Path, run: Run, name: str) -> None:
    result = run("tokens", name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{name} creates no tokens, so there is nothing to print\n"
    assert list_pdfs(game) == []


def test_no_copies_of_a_token_are_no_file(game: Path, run: Run) -> None:
    edit(game / "xml" / "game.xml", 'minimum="5"', 'minimum="0"')
    edit(game / "xml" / "rules.xml", 'id="call" type="active" cost="1"',
         'id="call" type="active" cost="9"')  # fmt: skip
    deck = game / "xml" / "Decks" / "queen.xml"
    edit(deck, 'id="A2"', 'id="A1"')
    result = run("tokens", "queen")
    assert result.exit_code == 0
    assert list_pdfs(game) == []
    assert "tokens_queen.pdf" not in result.stdout


def test_tokens_of_tokens_are_printed_too(game: Path, run: Run) -> None:
    edit(game / "xml" / "rules.xml", '<token name="Wolf" actions="0"/>',
         '<token name="Wolf" actions="2"><rule id="howl"/></token>')  # fmt: skip
    edit(game / "xml" / "rules.xml", "<data>", "<data>" + token_rule("howl", "Cub"))
    assert run("tokens", "queen").exit_code == 0
    assert tokens_in(game / "out" / "tokens_queen.pdf") == {"Wolf": 7, "Fox": 5, "Cub": 14}


@pytest.mark.parametrize("name", ["nosuch", "CC", "xml/Decks/nosuch.xml"])
def test_an_unknown_name_is_a_file_that_is_missing(game: Path, run: Run, name: str) -> None:
    result = run("tokens", name)
    assert result.exit_code == 3
    assert "error X006: " in result.stderr
    assert f"the tokens of {name} were not printed: 1 error" in result.stderr
    assert list_pdfs(game) == []


def test_a_name_almost_right_gets_a_hint(game: Path, run: Run) -> None:
    assert "did you mean `ants" in run("tokens", "antz").stderr
    assert list_pdfs(game) == []


def test_the_name_of_a_faction_almost_right_gets_a_hint(game: Path, run: Run) -> None:
    assert "`AA`" in run("tokens", "aa").stderr
    assert list_pdfs(game) == []


def test_a_mistake_leaves_the_old_file_and_the_other_tokens(game: Path, run: Run) -> None:
    assert run("tokens", "queen").exit_code == 0
    target = game / "out" / "tokens_queen.pdf"
    shutil.copyfile(target, game / "out" / "tokens_wrong.pdf")
    target.unlink()
    result = run("tokens", "wrong", "queen")
    assert result.exit_code == 1
    assert " error R002: " in result.stderr
    assert "the tokens of wrong were not printed: 1 error" in result.stderr
    assert target.read_bytes() == (game / "out" / "tokens_wrong.pdf").read_bytes()


def test_two_names_are_two_files(game: Path, run: Run) -> None:
    result = run("tokens", "ants", "AA")
    assert result.exit_code == 0
    assert re.findall(r"tokens_\w+\.pdf", result.stdout) == ["tokens_ants.pdf", "tokens_AA.pdf"]
    assert list_pdfs(game) == ["out/tokens_AA.pdf", "out/tokens_ants.pdf"]


@pytest.mark.parametrize(("out", "expected"), [
    ("mine.pdf", "mine.pdf"),
    ("new/mine.pdf", "new/mine.pdf"),
    ("there", "there/tokens_ants.pdf"),
    ("new/", "new/tokens_ants.pdf"),
])  # fmt: skip
def test_out_is_a_file_or_a_folder(game: Path, run: Run, out: str, expected: str) -> None:
    (game / "there").mkdir()
    assert run("tokens", "ants", "--out", out).exit_code == 0
    assert list_pdfs(game) == [expected]


def test_out_for_two_must_be_a_folder(game: Path, run: Run) -> None:
    result = run("tokens", "ants", "AA", "--out", "mine.pdf")
    assert result.exit_code == 2
    assert "--out must be a folder" in result.stderr
    assert list_pdfs(game) == []
    assert run("tokens", "ants", "AA", "--out", "new/").exit_code == 0
    assert list_pdfs(game) == ["new/tokens_AA.pdf", "new/tokens_ants.pdf"]


def test_two_that_would_be_one_file_are_refused(game: Path, run: Run) -> None:
    (game / "other").mkdir()
    shutil.copyfile(game / "xml" / "Decks" / "ants.xml", game / "other" / "ants.xml")
    result = run("tokens", "ants", "other/ants.xml")
    assert result.exit_code == 2
    assert "tokens_ants.pdf" in result.stderr
    assert list_pdfs(game) == []


def test_a_deck_comes_before_a_faction_of_its_name(game: Path, run: Run) -> None:
    shutil.copyfile(game / "xml" / "Decks" / "queen.xml", game / "xml" / "Decks" / "AA.xml")
    assert run("tokens", "AA", "--quiet").exit_code == 0
    assert tokens_in(game / "out" / "tokens_AA.pdf") == {"Wolf": 7, "Fox": 5}


def test_a_faction_needs_no_file_but_its_own(game: Path, run: Run) -> None:
    (game / "xml" / "Factions" / "BB_cards.xml").write_text("<data>", encoding="utf-8")
    assert run("tokens", "AA").exit_code == 0
    assert run("tokens", "BB").exit_code != 0
    assert list_pdfs(game) == ["out/tokens_AA.pdf"]
