"""Small files that hold far too much end at once, with a finding, whatever it is."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from changed_tables import copied

from conftest import SMALL, Run
from deckwright.grids import workbooks
from deckwright.grids.table import TooLargeError
from hostile import run_bounded

CPU_SECONDS, MEGABYTES = 20, 300

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
ROOT = "http://schemas.openxmlformats.org/package/2006/relationships"
HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c></row>'


def related(**targets: str) -> str:
    """Return what names the parts of a workbook: ids and, without the number, kinds -> parts."""
    inside = "".join(
        f'<Relationship Id="{name}" Type="{RELATED}/{name.rstrip("1")}" Target="{target}"/>'
        for name, target in targets.items()
    )
    return f'<Relationships xmlns="{ROOT}">{inside}</Relationships>'


def book(
    rows: str = "",
    strings: str = "",
    styles: str = "",
    names: str = "",
    tabs: int = 1,
    head: str = HEAD,
) -> bytes:
    """Return a workbook, packed as small as can be."""
    listed = '<sheet name="card" r:id="worksheet1"/>' + "".join(
        f'<sheet name="t{number}" r:id="worksheet1"/>' for number in range(1, tabs)
    )
    parts = {
        "_rels/.rels": related(officeDocument="xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": related(
            worksheet1="worksheets/s.xml", sharedStrings="s.xml", styles="styles.xml"
        ),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATED}"><sheets>{listed}</sheets>'
        f"<definedNames>{names}</definedNames></workbook>",
        "xl/worksheets/s.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{head}{rows}</sheetData>'
        "</worksheet>",
        "xl/s.xml": f'<sst xmlns="{MAIN}">{strings}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs>{styles}</cellXfs></styleSheet>',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return packed.getvalue()


SHARED = '<row><c t="s"><v>0</v></c></row>'
MILLIONS = 3_000_000
BOOKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty cells": (lambda: book("<row>" + "<c/>" * MILLIONS + "</row>"), "cells and texts"),
    "empty rows": (lambda: book("<row/>" * MILLIONS), "cells and texts"),
    "styled cells": (lambda: book('<row><c s="1"/></row>' * MILLIONS), "cells and texts"),
    "a long shared text": (
        lambda: book(SHARED, f"<si><t>{'x' * 190_000_000}</t></si>"),
        "bytes unpacked",
    ),
    "shared texts": (
        lambda: book(SHARED, "<si><t>x</t></si>" * MILLIONS),
        "cells and texts",
    ),
    "runs of a text": (
        lambda: book(SHARED, f"<si>{'<r><t>x</t></r>' * MILLIONS}</si>"),
        "cells and texts",
    ),
    "a long text": (
        lambda: book(f'<row><c t="inlineStr"><is><t>{"x" * 190_000_000}</t></is></c></row>'),
        "bytes unpacked",
    ),
    "a long number": (lambda: book(f"<row><c><v>{'9' * 60_000_000}</v></c></row>"), "unpacked"),
    "tabs": (lambda: book(tabs=10_000), "more than 200 tabs"),
    "styles": (lambda: book("<row><c><v>1</v></c></row>", styles="<xf/>" * MILLIONS), "cells and"),
    "names": (lambda: book(names="<definedName/>" * MILLIONS), "cells and texts"),
    "depth": (lambda: book("<a>" * MILLIONS), "cells and texts"),
    "a long attribute": (lambda: book(f'<row a="{"x" * 60_000_000}"/>'), "unpacked"),
    "a row far below": (lambda: book('<row r="1048576"><c><v>1</v></c></row>'), "beyond row"),
    "a column far to the right": (
        lambda: book('<row><c r="XFD2"><v>1</v></c></row>'), "beyond row 20,000 or column 500"
    ),
    "cells far apart": (
        lambda: book("".join(f'<row><c r="SF{n}"><v>1</v></c></row>' for n in range(1, 20_001))),
        "more than 500,000 cells, most of them empty",
    ),
}  # fmt: skip
TABLES = {
    "commas": ("," * 2_000_000, "more than 500 columns"),
    "semicolons": ("id;" + ";" * 2_000_000, "more than 500 columns"),
    "line ends": ("\n" * 2_000_000, "more than 20,000 rows"),
    "quotes": ('id\n"' + '"' * 2_000_000, ""),
    "open quotes": ("id\n" + '"x\n' * 600_000, ""),
    "rows": ("id,faction_id\n" + "x,y\n" * 400_000, "more than 20,000 rows"),
    "unknown cards": ("id,faction_id\n" + "x,y\n" * 19_000, "more than 100 mistakes"),
    "unknown columns": ("id," + ",".join(f"c{n}" for n in range(499)), "more than 100 mistakes"),
    "many cells": ("id\n" + ("," * 400 + "\n") * 4_900, "more than 500,000 cells"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("letters", "column"),
    [("B", 2), ("Z", 26), ("AA", 27), ("AZ", 52), ("BA", 53), ("ZZ", 0), ("SF", 500), ("SG", 0)],
)
def test_columns_go_on_after_z_with_two_letters_up_to_500(letters: str, column: int) -> None:
    rows = f'<row r="20000"><c r="{letters}20000"><v>1</v></c></row>'
    reader = workbooks.WorkbookReader(book(rows))
    if column:
        assert [*reader.read("card").cells][-1] == (20_000, column)
    else:
        with pytest.raises(TooLargeError, match="column 500"):
            reader.read("card")


def test_a_tab_is_as_large_as_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_CELLS", 3)  # one of which is in the head
    cell = "<c><v>1</v></c>"
    assert len(workbooks.WorkbookReader(book(f"<row>{cell * 2}</row>")).read("card").cells) == 3
    with pytest.raises(TooLargeError, match="more than 3 cells"):
        workbooks.WorkbookReader(book(f"<row>{cell * 3}</row>")).read("card")
    with pytest.raises(TooLargeError, match="row 20,000"):
        workbooks.WorkbookReader(book(f'<row r="20001">{cell}</row>')).read("card")


@pytest.mark.corpus(5)
@pytest.mark.parametrize("what", BOOKS)
def test_a_workbook_that_holds_too_much_is_refused(tmp_path: Path, what: str) -> None:
    make, message = BOOKS[what]
    (tmp_path / "x.xlsx").write_bytes(make())
    copied(SMALL, tmp_path / "game")
    outcome = run_bounded(
        "import", "xlsx", tmp_path / "x.xlsx", "--game", tmp_path / "game",
        cwd=tmp_path, cpu=CPU_SECONDS,
    )  # fmt: skip
    assert outcome.is_friendly, outcome.said
    assert outcome.codes() == {"E076"}, outcome.said
    assert "x.xlsx: error E076: the " in outcome.said
    assert message in outcome.said
    assert outcome.megabytes < MEGABYTES


CELL = "<c><v>{}</v></c>"


def cards(number: int, name: int, rows: int) -> bytes:
    """Return a workbook of new cards, each with the shared texts of these numbers."""
    heads = ("id", "faction_id", "name", "level", "strength", "actions", "costs", "rows")
    texts = (*heads, "RW", "x", "y" * 30_000, "CLOSE", "CLOSE; " * 190)
    shared = '<c t="s"><v>{}</v></c>'.format
    head = "".join(map(shared, range(len(heads))))
    row = shared(8) + shared(name) + CELL.format(1) * 4 + shared(rows)
    listed = "".join(f"<row>{CELL.format(1000 + n)}{row}</row>" for n in range(number))
    strings = "".join(f"<si><t>{text}</t></si>" for text in texts)
    return book(listed, strings, head=f"<row>{head}</row>")


@pytest.mark.corpus(3)
@pytest.mark.parametrize(("name", "rows", "code"), [(10, 11, "X005"), (9, 12, "E076")])
def test_cards_that_fill_no_file_are_refused_at_their_row(
    tmp_path: Path, name: int, rows: int, code: str
) -> None:
    (tmp_path / "x.xlsx").write_bytes(cards(19_000, name, rows))
    copied(SMALL, tmp_path / "game")
    outcome = run_bounded(
        "import", "xlsx", tmp_path / "x.xlsx", "--game", tmp_path / "game",
        cwd=tmp_path, cpu=CPU_SECONDS,
    )  # fmt: skip
    assert outcome.is_friendly, outcome.said
    assert outcome.codes() == {code}, outcome.said
    assert outcome.megabytes < MEGABYTES


@pytest.mark.corpus(3)
@pytest.mark.parametrize("what", TABLES)
def test_a_table_that_holds_too_much_is_refused(tmp_path: Path, what: str) -> None:
    text, message = TABLES[what]
    (tmp_path / "card.csv").write_text(text, encoding="utf-8")
    copied(SMALL, tmp_path / "game")
    outcome = run_bounded(
        "import", "csv", tmp_path / "card.csv", "--game", tmp_path / "game",
        cwd=tmp_path, cpu=CPU_SECONDS,
    )  # fmt: skip
    assert outcome.is_friendly, outcome.said
    assert outcome.code == 1
    assert message in outcome.said
    assert outcome.megabytes < 2 * MEGABYTES


def test_entities_are_not_expanded(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(io.BytesIO(book())) as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            text = old.read(info).decode()
            if info.filename == "xl/s.xml":
                text = '<!DOCTYPE a [<!ENTITY a "aaa">]>' + text.replace(
                    "><", "><si><t>&a;</t></si><"
                )
            new.writestr(info.filename, text.replace(HEAD, '<row><c t="s"><v>0</v></c></row>'))
    result = run("import", "xlsx", str(path), "--game", str(SMALL))
    assert result.exit_code == 1
    assert (
        "E016: the workbook is damaged: NotAWorkbookError: it has a document type" in result.stderr
    )


def test_other_tabs_are_not_read(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workbook may have large tabs and pictures beside its cards."""
    game = copied(SMALL, tmp_path / "game")
    assert run("export", "xlsx", "--game", str(game)).exit_code == 0
    path = game / "out" / "cards.xlsx"
    import openpyxl

    whole = openpyxl.load_workbook(path)
    for number in range(3000):
        whole["lists"].cell(number + 9, 1).value = "x" * 99
    whole.save(path)
    monkeypatch.setattr(workbooks, "MAX_ELEMENTS", 3000)
    result = run("import", "xlsx", str(path), "--game", str(game))
    assert result.stdout == "the tables contain no changes\n", result.stderr


def test_the_work_for_a_workbook_grows_as_it_does(tmp_path: Path, run: Run) -> None:
    """Ten times as many new cards take some ten times as many calls, not a hundred times."""
    import sys

    def calls(number: int) -> int:
        game = copied(SMALL, tmp_path / f"game{number}")
        table = game / "card.csv"
        run("export", "csv", "--game", str(game))
        head, first, *_ = (game / "out/csv/card.csv").read_text("utf-8").splitlines()
        card = first.partition(",")[2]
        rows = [f"N{n},{card}" for n in range(number)]
        table.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
        count = 0

        def profile(_: object, event: str, __: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(profile)
        try:
            result = run("import", "csv", str(table), "--game", str(game), "--dry-run")
        finally:
            sys.setprofile(None)
        assert f"{number} changes" in result.stdout, result.output
        return count

    few, many = calls(40), calls(400)
    assert many < 12 * few
