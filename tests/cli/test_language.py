"""What is told of decks is English, or wholly in the game's language: never both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from conftest import ROOT, Run, edit
from support import card, data, line, write_game

GERMAN = """<words>
    <word id="at-least" text="mindestens {}"/>
    <word id="at-most" text="höchstens {}"/>
    <word id="exactly" text="genau {}"/>
    <word id="none" text="keine"/>
    <word id="own-faction" text="nur die eigene"/>
    <word id="cards" text="Karten"/>
    <word id="tokens" text="Tokens"/>
    <word id="limits" text="Grenzen"/>
    <word id="total" text="zusammen"/>
    <word id="pages" text="Seiten"/>
    <word id="card-sheets" text="Kartenbögen"/>
    <word id="empty-slots" text="freie Plätze"/>
    <word id="file" text="Datei"/>
    <word id="error" text="Fehler"/>
    <word id="errors" text="Fehler"/>
    <word id="warning" text="Warnung"/>
    <word id="warnings" text="Warnungen"/>
    <word id="hint" text="Hinweis"/>
    <word id="allow" text="erlaube es mit {}"/>
  </words>
  <fonts>"""
LIMITS = """<limit id="size" name="Karten" zone="main" min="5"/>
  <limit id="costs" name="Proviant" zone="main" sum="costs" max="3" severity="warning"/>"""
ENGLISH = re.compile(r"\b(?:error|warning|hint|cards?|at|least|most|allowed|needed|add|or|pages)\b")
GERMAN_WORDS = re.compile(r"\b(?:Fehler|Warnung|Hinweis|Karten|Proviant|mindestens|höchstens)\b")


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A German game, as the working folder, with a short and expensive deck."""
    cards = [card("A1", "Schütze", costs=2)]
    write_game(tmp_path, cards, decks={"heer": [line("A1", 2)]}, limits=LIMITS)
    game = tmp_path / "xml" / "game.xml"
    edit(game, 'language="en"', 'language="de"')
    edit(game, "<fonts>", GERMAN)
    edit(game, 'name="Main"', 'name="Hauptdeck"')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", ["check", "deck"])
@pytest.mark.usefixtures("german")
def test_limits_are_told_in_english(run: Run, command: str) -> None:
    result = run(command, "heer")
    assert "error D001: `main`: 2 copies, at least 5 are needed" in result.stderr
    assert "warning D009: `main`: 4 `costs`, at most 3 are allowed" in result.stderr
    assert not GERMAN_WORDS.search(result.stderr)


@pytest.mark.parametrize("command", ["check", "deck"])
@pytest.mark.parametrize("locale", [None, "de_DE.UTF-8", "de"])
@pytest.mark.usefixtures("german")
def test_limits_are_told_in_german(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str, locale: str | None
) -> None:
    if locale is not None:
        monkeypatch.setenv("LC_ALL", locale)
    result = run(command, "heer", *(() if locale else ("--messages", "de")))
    assert result.exit_code == 1
    assert "Fehler D001: Hauptdeck: 2 Karten, mindestens 5\n" in result.stderr
    assert "Warnung D009: Hauptdeck: 4 Proviant, höchstens 3\n" in result.stderr
    assert "Hinweis: erlaube es mit `--limit size=2`" in result.stderr
    assert result.stderr.endswith("1 Fehler, 1 Warnung\n")
    told = [text for text in result.stderr.splitlines() if " | " not in text]
    assert not [text for text in told if ENGLISH.search(re.sub("`.*?`", "", text))]


@pytest.mark.usefixtures("german")
def test_an_option_counts_more_than_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert " error D001: " in run("check", "heer", "--messages", "en").stderr
    assert " error D001: " in run("check", "heer", "--messages", "fr").stderr


def test_what_cannot_all_be_told_in_german_is_english(run: Run, german: Path) -> None:
    deck = german / "xml" / "Decks" / "heer.xml"
    edit(german / "xml" / "Factions" / "AA_cards.xml", "</card>", '<rule id="no"/></card>')
    result = run("check", "--messages", "de")
    assert deck.is_file()
    assert " error R003: " in result.stderr
    assert " error D001: `main`: 2 copies" in result.stderr
    assert not GERMAN_WORDS.search(result.stderr)


def test_a_game_without_the_words_is_told_of_in_english(run: Run, german: Path) -> None:
    edit(german / "xml" / "game.xml", '<word id="hint" text="Hinweis"/>', "")
    result = run("check", "heer", "--messages", "de")
    assert " error D001: `main`: 2 copies" in result.stderr


def test_braces_in_a_word_that_stand_for_nothing_are_text(run: Run, german: Path) -> None:
    game = german / "xml" / "game.xml"
    edit(game, "mindestens {}", "mindestens {} {0.__class__} {")
    result = run("check", "heer", "--messages", "de")
    assert "Fehler D001: Hauptdeck: 2 Karten, mindestens 5 {0.__class__} {\n" in result.stderr


def test_a_zone_is_told_of_in_english_by_its_id(run: Run, german: Path) -> None:
    own = '<limit id="own" name="Fraktion" zone="main" faction="own"/></deck>'
    edit(german / "xml" / "game.xml", "</deck>", own)
    (german / "xml/Factions/BB_cards.xml").write_text(data(card("B1", "Biene", "BB")), "utf-8")
    edit(german / "xml/Decks/heer.xml", "</data>", f"{line('B1')}</data>")
    said = run("check", "heer").stderr
    assert "faction `BB`, but in `main` of this deck only `AA` is allowed" in said
    assert not GERMAN_WORDS.search(said)
    assert " D005: Hauptdeck: Biene, Fraktion BB, " in run("check", "--messages", "de").stderr


def test_a_least_number_of_zero_allows_more_than_none(run: Run, german: Path) -> None:
    edit(german / "xml" / "game.xml", 'min="5"', 'min="0"')
    assert re.search(r"Karten +2  at least 0\n", run("stats", "heer").stdout)


@pytest.mark.usefixtures("shipped_checked")
@pytest.mark.parametrize("command", ["stats", "deck"])
def test_tables_are_in_one_language(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    monkeypatch.chdir(ROOT)
    out = ("--out", f"{tmp_path}/") if command == "deck" else ()
    english = run(command, "army_MB_1", *out).stdout
    assert re.search(r"Proviant +\d+ \(at most 200\)", english)
    assert not re.search("mindestens|höchstens|zusammen|Seiten|Datei|Grenzen", english)
    german = run(command, "army_MB_1", *out, "--messages", "de").stdout
    assert re.search(r"Proviant +\d+ \(höchstens 200\)", german)
    text = german.replace(str(tmp_path), "").replace("deck_army", "")
    assert not re.search(r"\b(?:cards?|tokens|at|in all|limits|pages|sheets?|file|none)\b", text)


def test_reports_for_programs_stay_english(run: Run, german: Path) -> None:
    result = run("check", "heer", "--format", "json", "--messages", "de")
    assert german.is_dir()
    assert "at least 5 are needed" in result.stdout
    assert "mindestens" not in result.stdout


@pytest.mark.parametrize(
    ("word", "expected"),
    [("", "5 March 2024"), ("{day}.{month}.{year}", "5.3.2024"), ("{year}/{month}", "2024/3")],
)
def test_dates_are_written_as_the_game_says(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, word: str, expected: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1709640000")
    write_game(tmp_path, [card("A1", "Ant")], decks={"deck": [line("A1")]})
    if word:
        words = f'<words><word id="date" text="{word}"/></words><fonts>'
        edit(tmp_path / "xml" / "game.xml", "<fonts>", words)
    assert run("deck", "deck", "-g", str(tmp_path)).exit_code == 0
    text = PdfReader(tmp_path / "out" / "deck_deck.pdf").pages[0].extract_text()
    assert f"· {expected} ·" in text.replace("\n", " ")
