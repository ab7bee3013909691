"""The command `fmt`: which files it writes, and what it leaves as it is."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from conftest import Run
from deckwright.game.folder import GameFolder
from deckwright.xmlio.canonical import DECLARATION
from deckwright.xmlio.load import UNTRUSTED_FILES, limit_files
from support import write_decks

CARDS = "xml/Factions/AA_cards.xml"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder, whose files were never formatted; one deck is broken."""
    folder = write_decks(tmp_path / "game")
    monkeypatch.chdir(folder)
    return folder


def state(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.rglob("*.*"))]


def test_fmt_formats_all_files_but_those_that_it_cannot_read(game: Path, run: Run) -> None:
    (game / "xml" / "sheets").mkdir()
    (game / "xml" / "sheets" / "own.xml").write_text("<sheet rows='1' columns='2'/>")
    (game / "templates" / "other.xml").write_text("<face></face>")
    broken = game / "xml" / "Decks" / "broken.xml"
    result = run("fmt")
    assert result.exit_code == 1
    assert "X001" in result.stderr
    assert result.stdout == "13 files changed, 0 already formatted\n"
    assert broken.read_text() == "<data>"
    for path in GameFolder(game).own_files():
        assert path == broken or path.read_text().startswith(f"{DECLARATION}\n<")
    sheet = (game / "xml" / "sheets" / "own.xml").read_text()
    assert sheet == f'{DECLARATION}\n<sheet columns="2" rows="1"/>\n'
    broken.unlink()
    before = state(game)
    result = run("fmt", "--check")
    assert (result.exit_code, result.stdout) == (0, "")
    assert run("fmt").stdout == "0 files changed, 13 already formatted\n"
    assert state(game) == before


def test_check_lists_and_writes_nothing(game: Path, run: Run) -> None:
    before = state(game)
    result = run("fmt", "--check", "good", "xml/rules.xml", "xml/../xml/rules.xml")
    assert result.exit_code == 1
    assert result.stdout.split() == [str(Path("xml/Decks/good.xml")), str(Path("xml/rules.xml"))]
    assert result.stderr == "2 files would change, 0 already formatted\n"
    assert state(game) == before


def test_diff_prints_and_writes_nothing(game: Path, run: Run) -> None:
    path = game / "xml" / "Decks" / "good.xml"
    path.write_text('<data>\n  <meta name="a\u2028b" main_faction_id="AA"/>\n</data>')
    before = state(game)
    result = run("fmt", "good", "--diff")
    assert result.exit_code == 0
    assert run("fmt", "good", "--diff", "--check").exit_code == 1
    assert state(game) == before
    assert result.stdout == (
        "--- xml/Decks/good.xml\n+++ xml/Decks/good.xml\n@@ -1,3 +1,4 @@\n"
        f"+{DECLARATION}\n <data>\n"
        '-  <meta name="a\\u2028b" main_faction_id="AA"/>\n-</data>\n\\ No newline at end of file\n'
        '+  <meta main_faction_id="AA" name="a\\u2028b"/>\n+</data>\n'
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_encoding_becomes_utf_8_and_line_ends_stay(
    game: Path, run: Run, encoding: str, end: str
) -> None:
    path = game / "xml" / "Decks" / "good.xml"
    head = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig").upper()}"?>\r\n'
    text = f"{head}<data>\r\n  <!-- Bär -->\r\n</data>\r\n"
    path.write_bytes(text.replace("\r\n", end).encode(encoding))
    shown = run("fmt", "--diff", "good").stdout
    assert "only the encoding or the line endings change" in shown or "+<?xml" in shown
    assert run("fmt", "good").exit_code == 0
    new = f"{DECLARATION}\n<data>\n  <!-- Bär -->\n</data>\n"
    assert path.read_bytes() == new.replace("\n", end).encode()
    assert run("fmt", "--check", "good").exit_code == 0


def test_mixed_line_ends_become_those_of_most_lines(game: Path, run: Run) -> None:
    path = game / "xml" / "Decks" / "good.xml"
    path.write_bytes(f"{DECLARATION}\r\n<data>\n  <!-- a -->\r\n</data>\r\n".encode())
    assert run("fmt", "--check", "good").exit_code == 1
    assert run("fmt", "good").exit_code == 0
    new = f"{DECLARATION}\r\n<data>\r\n  <!-- a -->\r\n</data>\r\n"
    assert path.read_bytes() == new.encode()


def test_folders_mean_the_files_in_them(game: Path, run: Run) -> None:
    (game / "xml" / "Decks" / "broken.xml").unlink()
    (game / "xml" / "Decks" / ".hidden.xml").write_text("<data>")
    decks = sorted(path.name for path in (game / "xml" / "Decks").glob("[!.]*.xml"))
    listed = run("fmt", "--check", "xml/Decks", "xml/Decks/good.xml").stdout.split()
    assert [Path(path).name for path in listed] == decks
    whole = run("fmt", "--check").stdout.split()
    assert run("fmt", "--check", ".").stdout.split() == whole
    assert {Path(path).name for path in run("fmt", "--check", "..").stdout.split()} == {
        Path(path).name for path in whole
    }


def test_a_file_of_another_game_has_the_form_of_that(game: Path, run: Run) -> None:
    other = write_decks(game / "other")
    setup = other / "xml" / "game.xml"
    text = setup.read_text()
    rank = '<field name="rank" type="integer" optional="true"/>'
    setup.write_text(text.replace('<field name="level"', f'{rank}<field name="level"', 1))
    (other / CARDS).write_text('<data><card level="1" rank="2" id="4"/></data>')
    assert run("fmt", "other/xml/Factions").exit_code == 0
    assert '<card id="4" rank="2" level="1"/>' in (other / CARDS).read_text()


def test_a_folder_without_xml_is_reported(game: Path, run: Run) -> None:
    (game / "img").mkdir(exist_ok=True)
    result = run("fmt", "img")
    assert result.exit_code == 3
    assert "img: error X006: there are no XML files in the folder" in result.stderr


BAD = [
    (b"<data", "X001"),
    (b"<data>\xff</data>", "X002"),
    (b"", "X003"),
    (b"<!DOCTYPE data><data></data>", "X004"),
    (b"<data>" + b" " * UNTRUSTED_FILES.bytes + b"</data>", "X005"),
    (b"<html></html>", "S008"),
    (None, "X006"),
]


@pytest.mark.parametrize(("data", "code"), BAD, ids=[code for _, code in BAD])
def test_a_bad_file_is_reported_and_the_others_are_formatted(
    game: Path, run: Run, data: bytes | None, code: str
) -> None:
    path = game / "xml" / "Decks" / "bad.xml"
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    with limit_files():
        result = run("fmt", str(path), "good")
    assert result.exit_code == (3 if data is None else 1)
    assert f" {code}: " in result.stderr
    assert result.stdout == "1 file changed, 0 already formatted\n"
    assert data is None or path.read_bytes() == data


def test_a_file_that_is_not_there_is_reported(game: Path, run: Run) -> None:
    result = run("fmt", "godo")
    assert result.exit_code == 3
    assert "did you mean `good.xml`?" in result.stderr
    assert run("fmt", "--game", str(game / "xml")).exit_code == 2
    (game / "xml" / "game.xml").unlink()  # That of the fixed format serves, and is not ours.
    assert "game.xml" not in run("fmt", "--check").stdout


def test_cards_are_ordered_by_game_xml_if_that_can_be_read(game: Path, run: Run) -> None:
    card = '<card costs="1" level="2" name="3" id="4"{}'
    (game / CARDS).write_text(f"<data>{card.format('></card>')}</data>")
    text = (game / "xml" / "game.xml").read_text()
    (game / "xml" / "game.xml").write_text("<game><nothing/></game>")
    result = run("fmt", CARDS)
    assert result.exit_code == 1
    assert "game.xml has errors" in result.stderr
    assert f"\n  {card.format('/>')}\n" in (game / CARDS).read_text()
    assert run("fmt", "xml/game.xml", "templates/card.xml").exit_code == 0
    (game / "xml" / "game.xml").write_text(text)
    assert run("fmt", CARDS).exit_code == 0
    assert '\n  <card id="4" name="3" level="2" costs="1"/>\n' in (game / CARDS).read_text()


def test_what_cannot_be_written_is_reported_without_a_useless_hint(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "deckwright.base.files.os.open", Mock(side_effect=PermissionError(13, "denied"))
    )
    before = state(game)
    result = run("fmt", "good")
    assert result.exit_code == 3
    assert "E002" in result.stderr
    assert "hint" not in result.stderr
    assert result.stdout == "0 files changed, 0 already formatted\n"
    assert state(game) == before
