"""Tables as files: what spreadsheet programs see of them, and what they make of them."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest
from changed_tables import cell_of, copied, files_of, rewrite, set_book, set_csv, table
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils import get_column_letter

from conftest import ROOT, Run, edit
from deckwright.grids.csv import guard_formula, unguard_formula
from deckwright.grids.table import restore_zeros
from deckwright.tables import compare
from support import card, line, uses, write_game


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


ODD = ["=1+1", "+1", "-x", "@sum", "'=1", "''+", "007", "1-2", "3/4", "2.5", "1e5", "x", "'x", "12",
       "-5", "0", "", "12345678901234567890", "= ", "'12", "10:30", "1 000", "MAR1", "3. Mai",
       "a;=1", "a, '-b", "a;''@b", "\uff1d1", 'a;"=1']  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_an_apostrophe_keeps_texts_texts_and_goes_again(text: str) -> None:
    assert unguard_formula(guard_formula(text)) == text
    assert unguard_formula(guard_formula(guard_formula(text))) == guard_formula(text)


@given(st.text(alphabet="=+-@'\" ,;\t07aMmrzä\uff0b"))
def test_any_text_comes_back_from_behind_its_apostrophes(text: str) -> None:
    assert unguard_formula(guard_formula(text)) == text


FORMULAS = ["=1+1", "+a", "-a", "@a", "\uff1d1", "a;=1+1", "a,=1+1", "a; @b", 'a,"=1', "';=1"]


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("delimiter", ["comma", "semicolon", "tab"])
def test_no_cell_begins_a_formula_whatever_separates_cells(
    tmp_path: Path, run: Run, name: str, delimiter: str
) -> None:
    game = write_game(tmp_path / "game", [card("A1", name.replace('"', "&quot;"))])
    before = files_of(game)
    at = ("-g", str(game))
    assert run("export", "csv", "--delimiter", delimiter, *at).exit_code == 0
    path = game / "out/csv/card.csv"
    for mark in ",;\t":
        rows = csv.reader(path.read_text(encoding="utf-8").splitlines(), delimiter=mark)
        cells = [cell.strip(' "') for row in rows for cell in row]
        assert not [cell for cell in cells if cell[:1] in set("=+-@\uff1d")], mark
    assert run("import", "csv", *at, str(path)).stdout == "the tables contain no changes\n"
    assert files_of(game) == before


def test_ids_with_leading_zeros_survive_and_lost_zeros_are_an_error(
    tmp_path: Path, run: Run
) -> None:
    cards = [card(f"00{n}", f"Ant {n}", "AA") for n in (1, 2)] + [card("MAR1", "Ides", "AA")]
    game = write_game(tmp_path / "game", cards, decks={"d": [line("001", 3, "AA")]})
    before = files_of(game)
    at = ("-g", str(game))
    assert run("export", "csv", *at).exit_code == 0
    path = game / "out/csv/card.csv"
    assert {row.partition(",")[0] for row in path.read_text().splitlines()} == {
        "id", "'001", "'002", "'MAR1",
    }  # fmt: skip
    assert run("export", "xlsx", *at).exit_code == 0
    book = game / "out/cards.xlsx"
    assert cell_of(openpyxl.load_workbook(book)["card"], "001", "id").number_format == "@"
    # A program that takes what it can for numbers keeps them, and one that does not is told.
    rows = table(path)
    rewrite(path, [[guard_formula(cell) for cell in row] for row in rows])
    assert run("import", "csv", *at, str(path)).stdout == "the tables contain no changes\n"
    rewrite(path, [[cell.lstrip("0") or cell for cell in row] for row in rows])
    result = run("import", "csv", *at, str(path))
    assert result.exit_code == 1
    assert "E070: card!A2: `1` would be a new card, but `001` has no row" in result.stderr
    assert "hint: write `002`, formatted as text" in result.stderr
    set_book(book, ("001", "id", 1))
    assert "E070" in run("import", "xlsx", *at, str(book)).stderr
    decks = game / "out/csv/decks.csv"
    rewrite(decks, [[cell.lstrip("0") for cell in row] for row in table(decks)])
    assert "hint: write `001`" in run("import", "csv", *at, str(decks)).stderr
    assert files_of(game) == before
    # A number is a new card where none has lost it.
    rewrite(path, [*rows, ["1", "AA", "Another", *rows[1][3:]]])
    assert "1 Another: new" in run("import", "csv", "--dry-run", *at, str(path)).stdout


def test_lost_zeros_are_looked_for_among_few_ids(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = write_game(tmp_path / "game", [card(f"{n}", f"Ant {n}", "AA") for n in range(1, 41)])
    at = ("-g", str(game))
    assert run("export", "csv", *at).exit_code == 0
    path = game / "out/csv/card.csv"
    head, *rows = table(path)
    rewrite(path, [head, *([f"{number}", *row[1:]] for number, row in enumerate(rows, 101))])
    asked: list[int] = []

    def counted(text: str, known: Sequence[str]) -> str | None:
        asked.append(len(known))
        return restore_zeros(text, known)

    monkeypatch.setattr(compare, "restore_zeros", counted)
    assert "40 changes" in run("import", "csv", "--dry-run", *at, str(path)).stdout
    assert len(asked) == 40
    assert sum(asked) == 0


def test_what_looks_like_a_formula_is_none(tmp_path: Path, run: Run) -> None:
    names = ["=HYPERLINK(1)", "+49", "@home", "-", "007", "#N/A", "_x0041_b", "1-2", "TRUE"]
    ants = [card(f"A{n}", name) for n, name in enumerate(names)]
    game = write_game(tmp_path / "game", ants)
    before = files_of(game)
    at = ("-g", str(game))
    assert run("export", "csv", *at).exit_code == 0
    lines = (game / "out/csv/card.csv").read_text().splitlines()[1:]
    assert [line_of.split(",")[2] for line_of in lines] == [
        "'=HYPERLINK(1)", "'+49", "'@home", "'-", "'007", "#N/A", "_x0041_b", "'1-2", "TRUE",
    ]  # fmt: skip
    assert run("export", "xlsx", *at).exit_code == 0
    workbook = openpyxl.load_workbook(game / "out/cards.xlsx")
    shown = [row[2] for row in workbook["card"].iter_rows(min_row=2)]
    assert {cell.data_type for cell in shown} == {"s"}
    assert {cell.number_format for cell in shown} == {"@"}
    assert [cell.value for cell in shown] == [
        name.replace("_x", "_x005F_x") for name in names
    ]  # openpyxl shows what is stored; programs show the `_` alone
    for file in ("csv/card.csv", "cards.xlsx"):
        kind = Path(file).suffix[1:]
        assert run("import", kind, *at, str(game / "out" / file)).stdout == (
            "the tables contain no changes\n"
        )
    assert files_of(game) == before


def test_the_workbook_is_made_to_work_in(book: Path) -> None:
    workbook = openpyxl.load_workbook(book)
    assert workbook.sheetnames == ["card", "token", "decks", "lists"]
    sheet = workbook["card"]
    assert sheet.freeze_panes == "D2"
    assert sheet.auto_filter.ref == "A1:K16"
    assert all(cell.font.bold for cell in sheet[1])
    assert cell_of(sheet, "EC5", "strength").value == 8
    assert cell_of(sheet, "EC5", "level").value == 3
    assert cell_of(sheet, "EC5", "id").number_format == "@"
    rules = {str(rule.sqref): rule for rule in sheet.data_validations.dataValidation}
    lists = workbook["lists"]
    for title, values, strict in (
        ("level", [0, 1, 2, 3], True),
        ("faction_id", ["RW", "EC", "WF"], True),
        ("rows", ["CLOSE", "RANGED", "SUPPORT", "WEATHER"], False),
        ("rules", ["rp001", "rp002", "rp003", "ra001", "ra002", "ra003"], False),
    ):
        letter = get_column_letter([cell.value for cell in sheet[1]].index(title) + 1)
        rule = rules[f"{letter}2:{letter}1048576"]
        place = rule.formula1.removeprefix("'lists'!").replace("$", "")
        assert [cell.value for (cell,) in lists[place]] == values
        assert rule.showErrorMessage is strict
    whole = rules["E2:E1048576"]
    assert (whole.type, whole.formula1, whole.formula2) == ("whole", "0", "999999999")
    assert "Strength. A whole number, at least 0." in sheet["E1"].comment.text


def test_the_same_game_gives_the_same_bytes(book: Path, run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.xlsx"
    assert run("export", "xlsx", "-o", str(other)).exit_code == 0
    assert other.read_bytes() == book.read_bytes()
    with zipfile.ZipFile(book) as archive:
        assert {info.date_time[0] for info in archive.infolist()} == {1980}


def test_numbers_and_flags_may_come_back_in_other_clothes(book: Path, run: Run) -> None:
    set_book(book, ("EC1", "strength", 3.0), ("EC2", "strength", "2,0"), ("EC3", "level", 2.0))
    set_book(book, ("EC4", "name", " Candle  Knight \n"), ("EC5", "rows", "RANGED ;SUPPORT;"))
    set_book(book, ("EC5", "level", "pearl"))
    assert run("import", "xlsx", str(book)).stdout == "the tables contain no changes\n"


@pytest.mark.corpus(5)
@pytest.mark.parametrize(("typed", "stored"), [(True, "true"), ("WAHR", "true"), ("x", "true"),
                                               (0, "false"), ("nein", "false")])  # fmt: skip
def test_a_flag_may_be_in_the_users_language(
    typed: object, stored: str, tmp_path: Path, run: Run
) -> None:
    game = copied(ROOT / "examples/duel", tmp_path / "duel")
    at = ("-g", str(game))
    assert run("export", "xlsx", *at).exit_code == 0
    set_book(game / "out/cards.xlsx", ("toll-warden", "promo", typed), tab="hero")
    result = run(
        "import", "xlsx", *at, "--dry-run", "--ignore-limits", str(game / "out/cards.xlsx")
    )
    assert f"toll-warden Toll Warden: promo (nothing) → {stored}\n" in result.stdout


def test_columns_may_be_moved_left_out_or_added(cards: Path, run: Run) -> None:
    rows = [[*row[::-1], ""] for row in table(cards)]
    rows[0][-1] = "my notes"
    rows[0] = [" Costs" if title == "costs" else title for title in rows[0]]
    rows[2][-1] = "too strong?"
    rows[3][rows[0].index(" Costs")] = "7"
    picture = rows[0].index("image")
    rows = [[cell for at, cell in enumerate(row) if at != picture] for row in rows]
    rows[4:4] = [[""] * 3, [" "]]
    rewrite(cards, [[], *rows])
    result = run("import", "csv", str(cards))
    assert result.stdout.splitlines()[0] == "EC3 Bell Founder: costs 6 → 7"
    assert "the column `my notes` is not read" in result.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_files_of_other_programs_are_read(
    encoding: str, delimiter: str, cards: Path, small: Path, run: Run
) -> None:
    set_csv(cards, "EC1", name="Ölträger – „Glut“")
    rewrite(cards, table(cards), delimiter, encoding)
    assert run("import", "csv", str(cards)).exit_code == 0
    assert 'name="Ölträger – „Glut“"' in (small / "xml/Factions/EC_cards.xml").read_text("utf-8")


def test_a_file_may_name_its_delimiter_and_be_called_anything(cards: Path, run: Run) -> None:
    rewrite(cards.with_name("token.csv"), [["sep=;"]])
    tokens = cards.with_name("Kopie von Tokens.csv")
    tokens.write_text('sep=|\nid|name|strength\nra002/1|"Ot|ter"|2\n')
    result = run("import", "csv", "--dry-run", "--kind", "token", str(tokens))
    assert result.stdout.startswith("ra002/1 Otter: name Otter → Ot|ter\n")
    cards.rename(cards.with_name("new.csv"))
    assert "contain no changes" in run("import", "csv", str(cards.with_name("new.csv"))).stdout


def test_titles_of_tables_and_columns_do_not_meet(tmp_path: Path, run: Run) -> None:
    decks = {"id": [line("A1")], "Name": [line("A1", 2)]}
    rules = ['<rule id="r" type="passive" effect="x"><label GEN="R"/></rule>']
    game = write_game(tmp_path, [card("A1", "Ant", "AA", uses("r"))], decks=decks, rules=rules)
    for path, old, new in (
        ("xml/game.xml", '<kind tag="token"', '<kind tag="lists"'),
        (
            "xml/game.xml",
            '<field name="level"',
            '<field name="rules" type="integer"/><field name="level"',
        ),
        ("xml/Factions/AA_cards.xml", "<card ", '<card rules="3" '),
    ):
        edit(game / path, old, new)
    tag = "a-kind-of-card-with-a-very-long-name"
    edit(game / "xml/game.xml", 'tag="card"', f'tag="{tag}"')
    cards = game / "xml/Factions/AA_cards.xml"
    cards.write_text(cards.read_text().replace("<card", f"<{tag}").replace("</card", f"</{tag}"))
    before, at = files_of(game), ("-g", str(game))
    result = run("export", "xlsx", *at)
    assert result.exit_code == 0
    book = openpyxl.load_workbook(game / "out/cards.xlsx")
    assert book.sheetnames == [tag[:31], "lists", "decks", "lists_2"]
    titles = [cell.value for cell in book[tag[:31]][1]]
    assert titles == ["id", "faction_id", "name", "rules", "level", "actions", "costs", "image",
                      "<rule>"]  # fmt: skip
    assert [cell.value for cell in book["decks"][1]][3:] == ["Name.xml", "id.xml"]
    result = run("import", "xlsx", *at, str(game / "out/cards.xlsx"))
    assert (result.stdout, result.stderr) == ("the tables contain no changes\n", "")
    assert files_of(game) == before


def test_a_file_of_another_encoding_stays_in_it(tmp_path: Path, run: Run) -> None:
    game = copied(ROOT / "tests/games/foreign", tmp_path / "foreign")
    windows = game / "xml/Factions/himmel_cards.xml"
    windows.write_bytes(windows.read_bytes().replace(b"\n", b"\r\n"))
    before, at = files_of(game), ("-g", str(game))
    assert run("export", "csv", *at).exit_code == 0
    path = game / "out/csv/card.csv"
    set_csv(path, "1", name="Späher – Söhne")
    set_csv(path, "s1", cardclass="Läufer", rules="r.null; r.ruf")
    set_csv(path, "s3", rules="")
    set_csv(path, "h1", strength="2", rules="")
    set_csv(path.with_name("token.csv"), "r.ruf/2", rows="CLOSE; RANGED")
    names = [str(path), str(path.with_name("token.csv"))]
    assert run("import", "csv", *at, "--ignore-limits", *names).exit_code == 0
    changes: dict[str, list[tuple[bytes, bytes]]] = {
        "F-1_cards.xml": [("Sp\xe4her &amp; S\xf6hne".encode("latin-1"),
                           "Sp\xe4her &#8211; S\xf6hne".encode("latin-1"))],
        "sumpf_cards.xml": [(b' id="s1">', ' id="s1" cardclass="Läufer">'.encode()),
                            (b'<rule name="Teichruf" id="r.ruf"/>',
                             b'<rule id="r.null"/>\n\t\t<rule name="Teichruf" id="r.ruf"/>'),
                            (b'<row name="CLOSE"/><rule id="r.liegen"/></card>',
                             b'<row name="CLOSE"/></card>')],
        "himmel_cards.xml": [(b"strength='0'", b"strength='2'"),
                             (b"  <rule id='r.null' name='Flaute'/>\r\n", b"")],
        "rules.xml": [(b'<row name="RANGED">', b'<row name="CLOSE"/><row name="RANGED">')],
    }  # fmt: skip
    for path, old in before.items():
        new = old
        for was, now in changes.get(path.name, []):
            assert new.count(was) == 1
            new = new.replace(was, now)
        assert path.read_bytes() == new, path.name
