"""Tables that cannot be taken: all that is wrong is told at its cell, and no file changes."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import openpyxl
import pytest
from changed_tables import files_of, set_book, set_csv
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from conftest import SMALL, Run
from deckwright import open_game
from deckwright.base.findings import Report
from deckwright.base.output import report_failure
from deckwright.base.strings import sanitize_line
from deckwright.game.folder import GameFolder
from deckwright.grids import workbooks
from deckwright.grids.csv import read_csv
from deckwright.tables import importing
from deckwright.tables.changes import GameEditor
from deckwright.tables.export import load_records
from deckwright.tables.importing import ImportOptions, compare_tables
from support import share_of_examples


@pytest.fixture
def cards(small: Path, run: Run) -> Path:
    """The small game's cards as CSV."""
    assert run("export", "csv").exit_code == 0
    return small / "out" / "csv" / "card.csv"


@pytest.fixture
def book(small: Path, run: Run) -> Path:
    """The small game's workbook."""
    assert run("export", "xlsx").exit_code == 0
    return small / "out" / "cards.xlsx"


def test_what_a_program_has_made_of_a_cell_is_refused_at_the_cell(
    book: Path, small: Path, run: Run
) -> None:
    before = files_of(small)
    set_book(book, ("EC1", "strength", "=1+2"), ("EC2", "cardclass", date(2024, 2, 1)))
    set_book(book, ("EC3", "costs", 2.5), ("EC4", "strength", "#REF!"), ("EC5", "name", None))
    loaded = openpyxl.load_workbook(book)
    loaded.create_sheet("notes")["A1"] = "buy milk"
    loaded.save(book)
    result = run("import", "xlsx", str(book))
    assert result.exit_code == 1
    for text in (
        "cards.xlsx:card!E2: error E010: its formula was never computed",
        "cards.xlsx:card!H3: error E010: it holds a date or a time, 2024-02-01",
        "card!G4: error E010: `costs` must be a whole number, at least 0, but is `2.5`",
        "card!E5: error E010: its formula gave `#REF!`",
        "card!C6: error E010: `name` of `EC5` is empty, but every card has it",
        "warning E014: the tab `notes` is ignored",
        "5 errors and 1 warning, nothing was changed\n",
    ):
        assert text in result.stderr
    assert files_of(small) == before


@pytest.mark.parametrize("more", [0, 1])
def test_a_large_game_is_not_laid_out_and_that_is_said(
    more: int, book: Path, small: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, is_laid_out = len(open_game(small).model.cards) - more, not more
    monkeypatch.setattr(importing, "MAX_LAID_OUT_CARDS", most)
    (small / "templates" / "card.xml").write_text('<face><text width="1">Much</text></face>')
    set_book(book, ("EC1", "costs", 3))
    result = run("import", "xlsx", str(book))
    assert result.exit_code == is_laid_out
    assert ("L001" in result.stderr) is is_laid_out
    note = f"the layout, because the game has more than {most} cards; use `deckwright check`\n"
    assert (f"note: not checked: {note}" in result.stdout) is not is_laid_out


def test_what_the_check_of_the_game_finds_is_told_at_the_cell(
    book: Path, small: Path, run: Run
) -> None:
    before = files_of(small)
    set_book(book, ("EC1", "rules", "rp001; rp003"), ("EC2", "image", "lantrn.png"))
    set_book(book, ("WF1", "costs", 3), ("RW1", "rows", "WEATHER"), ("EC4", "costs", None))
    loaded = openpyxl.load_workbook(book)
    loaded["card"].append(["EC6", "EC", "Wick", 1, 1, 0, 1, None, "wick.png", "CLOSE", "rp003"])
    loaded.save(book)
    result = run("import", "xlsx", str(book))
    assert result.exit_code == 1
    for text in (
        "out/cards.xlsx:card!K2: error R006: card `EC1` of the race `Ember` uses rule",
        "out/cards.xlsx:card!I3: warning R005: card `EC2` has the image `lantrn.png`",
        "out/cards.xlsx:card!G5: error R013: card `EC4` has no costs",
        "out/cards.xlsx:card!J7: error R011: card `RW1` has row `WEATHER`",
        "out/cards.xlsx:card!G12: error R013: card `WF1` has costs `3`",
        "out/cards.xlsx:card!I17: warning R005: card `EC6` has the image `wick.png`",
        "1 more like this: out/cards.xlsx: card!K17 `EC6`",
        "5 errors and 2 warnings, nothing was changed\n",
    ):
        assert text in result.stderr
    assert files_of(small) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("export", "csv", "--kind", "cards"), "there is no kind of card `cards`"),
        (("import", "csv", "--kind", "cads", "out/csv/card.csv"), "did you mean `card`?"),
        (("import", "csv", "out/csv/card.csv", "card.csv"), "are both tables of kind `card`"),
        (("import", "csv", "--kind", "card", "out/csv/card.csv", "card.csv"), "a single file"),
        (("import", "csv", "nothing.csv"), "there is no file `nothing.csv`"),
        (("export", "csv", "--out", "one.csv"), "--out must be a folder"),
    ],
)
def test_wrong_usage_is_told(
    arguments: tuple[str, ...], message: str, cards: Path, small: Path, run: Run
) -> None:
    (small / "card.csv").write_bytes(cards.read_bytes())
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_all_files_are_replaced_or_none(
    cards: Path, small: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for card_id in ("EC1", "RW1", "WF2"):
        set_csv(cards, card_id, strength="4")
    before = files_of(small)
    replaced: list[str] = []
    replace = Path.replace

    def failing(self: Path, target: Path) -> Path:
        if target.parent.name == "Factions" and self.name.endswith(".tmp"):
            replaced.append(target.name)
            if len(replaced) == 3:
                raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    result = run("import", "csv", str(cards))
    assert result.exit_code == 3
    assert "error E002: cannot write the file: No space left on device" in result.stderr
    assert len(set(replaced[:3])) == 3
    assert files_of(small) == before
    assert not [path for path in small.rglob("*") if path.suffix == ".tmp"]


def test_a_linked_file_is_changed_once_all_is_well(cards: Path, small: Path, run: Run) -> None:
    linked, real = small / "xml/Factions/EC_cards.xml", small / "xml/ember.xml"
    linked.rename(real)
    linked.symlink_to(real)
    old = real.read_bytes()
    set_csv(cards, "EC1", image="../lost.png")
    assert run("import", "csv", str(cards)).exit_code == 1
    assert real.read_bytes() == old
    set_csv(cards, "EC1", image="lantern.png")
    assert run("import", "csv", str(cards)).exit_code == 0
    assert linked.is_symlink()
    assert b'image="lantern.png"' in real.read_bytes()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"id,name\n", "the file is not a workbook"),
        (b"\xd0\xcf\x11\xe0 old", "the file is an old or an encrypted workbook"),
        (b"PK\3\4 broken", "the file is another kind of document"),
    ],
)
def test_what_is_no_workbook_is_told(data: bytes, message: str, small: Path, run: Run) -> None:
    (small / "cards.xlsx").write_bytes(data)
    result = run("import", "xlsx", "cards.xlsx")
    assert result.exit_code == 1
    assert f"error E016: {message}" in result.stderr


def test_a_damaged_or_swollen_workbook_is_told(
    book: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = book.read_bytes()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(book, "w") as new:
        for info in old.infolist():
            broken = info.filename == "xl/worksheets/sheet1.xml"
            new.writestr(info.filename, old.read(info)[: 900 if broken else None])
    result = run("import", "xlsx", str(book))
    assert "error E016: the workbook is damaged: " in result.stderr
    book.write_bytes(whole)
    monkeypatch.setattr(workbooks, "MAX_UNPACKED", 1000)
    assert (
        "error E076: the workbook has more than 1,000 bytes unpacked"
        in run("import", "xlsx", str(book)).stderr
    )


BITS = ["id", "faction_id", "EC1", "EC", "rows", "rules", "costs", "name", "CLOSE", "rp001",
        "()", '"', "'", ";", ",", "\n", "\r", "\t", "=", "7", "-1", "\x01", "é"]  # fmt: skip


@pytest.mark.corpus(1, grows=True)
@settings(
    max_examples=share_of_examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from(BITS)).map("".join).map(str.encode) | st.binary(max_size=60))
def test_whatever_a_file_holds_it_gives_findings_or_changes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "card.csv"
    head = b"id,faction_id,name,costs,rows,rules\nEC1,EC,"
    path.write_bytes(head + data if data[:1].isalnum() else data)
    loaded = load_records(GameFolder(SMALL), [])
    report: Report = []
    editor = GameEditor(loaded)
    with report_failure(report):
        grid = read_csv(path, "card", ["id", "rows"])
        compare_tables(loaded, [grid], ImportOptions(), editor, report)
    for file, _ in editor.changed_files():
        assert etree.fromstring(file.to_bytes()) is not None
    assert all(sanitize_line(finding.message) == finding.message for finding in report)
