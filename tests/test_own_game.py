"""The guide to an own game is tried as written, step by step."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from conftest import ROOT, Run
from deckwright import cli

GUIDE = (ROOT / "docs" / "own-game.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
NEW = re.compile(r"New file `([^`]+)`:$")
ADD = re.compile(r"Add to `([^`]+)`, above\s+`([^`]+)`:$")
CHANGE = re.compile(r"Change\s+`([^`]+)`:$")


def blocks(guide: str = GUIDE) -> Iterator[tuple[str, str, str]]:
    """Yield language, text and the words before each block of the guide."""
    end = 0
    for block in BLOCK.finditer(guide):
        yield block[1], block[2], " ".join(guide[end : block.start()].split())
        end = block.end()


def write(folder: Path, language: str, text: str, before: str) -> None:
    """Do to a file what the guide says."""
    if new := NEW.search(before):
        path = folder / new[1]
        assert not path.exists()
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    told = ADD.search(before) if language == "xml" else CHANGE.search(before)
    assert told is not None, before[-80:]
    path = folder / told[1]
    content = path.read_text(encoding="utf-8")
    if language == "xml":
        old = told[2]
        place = content.rindex("\n", 0, content.index(old)) + 1
        changed = content[:place] + text + content[place:]
    else:
        lines = text.splitlines()
        old = "\n".join(line[1:] for line in lines if line.startswith("-"))
        new_lines = "\n".join(line[1:] for line in lines if line.startswith("+"))
        changed = content.replace(old, new_lines)
    assert content.count(old) == 1, f"`{old}` stands {content.count(old)} times in {path.name}"
    path.write_text(changed, encoding="utf-8")


def test_the_guide_works_to_the_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path
    said = {}
    for language, text, before in blocks():
        if language != "sh":
            write(folder, language, text, before)
            continue
        for command in text.splitlines():
            program, *arguments = shlex.split(command)
            if program == "cd":
                folder /= arguments[0]
                continue
            monkeypatch.chdir(folder)
            done = CliRunner().invoke(getattr(cli, program), arguments, catch_exceptions=False)
            assert (done.exit_code, done.stderr) == (0, ""), command
            said[command] = done.stdout
    assert (
        "Title: name\nQty: amount\nPrice: price, an integer\n"
        in said["deckwright new market --from market.csv"]
    )
    # The deck sheet, and fourteen cards of 63 x 88 mm, nine on a page.
    assert len(PdfReader(tmp_path / "market" / "out" / "deck_market.pdf").pages) == 3
    assert "Places: 2 cards" in said["deckwright stats cats"]
    printed = {path.name: PdfReader(path) for path in (folder / "out").glob("*.pdf")}
    assert set(printed) == {
        "deck_cats.pdf",
        "deck_gulls.pdf",
        "markers.pdf",
        "overview.pdf",
        "rulebook.pdf",
    }
    # The deck sheet and its empty back, fourteen cards on two sheets, each with its back, and no
    # sheet of rules.
    assert len(printed["deck_cats.pdf"].pages) == 6
    book = " ".join(" ".join(page.extract_text().split()) for page in printed["rulebook.pdf"].pages)
    book = book.replace("- ", "")  # divided words
    assert "6.1 Decks" in book
    assert "see Figure 6 A place" in book
    assert "Lantern Street" in str(printed["overview.pdf"].metadata)


def test_the_mistake_of_the_guide_is_told_as_it_says(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "game"
    assert run("new", str(folder)).exit_code == 0
    for language, text, before in blocks(GUIDE[GUIDE.index("## 2.") :]):
        if language != "sh":
            write(folder, language, text, before)
    cards = folder / "xml" / "Factions" / "CAT_cards.xml"
    cards.write_text(cards.read_text("utf-8").replace('symbol="lamp"', 'symbol="lmap"'), "utf-8")
    done = run("check", "--game", str(folder))
    assert done.exit_code == 1
    assert "`lmap`" in done.stderr
    assert "CAT5" in done.stderr
    assert "did you mean `lamp`?" in done.stderr
