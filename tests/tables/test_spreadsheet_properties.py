"""What holds for the tables of any game: written and read back they say the same, and no more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from deckwright.base.findings import Report
from deckwright.game.columns import assign_titles
from deckwright.game.folder import GameFolder
from deckwright.grids.cells import read_list, write_list
from deckwright.grids.csv import read_csv, write_csv
from deckwright.grids.table import CellGrid, Table, normalize_text
from deckwright.grids.workbooks import read_workbook
from deckwright.grids.xlsx import write_xlsx
from deckwright.tables.changes import GameEditor
from deckwright.tables.export import LoadedGame, build_tables, load_records
from deckwright.tables.importing import ImportOptions, compare_tables, find_known_grids
from deckwright.xmlio.xml_text import read_xml_file

GAME = """<game name="Any" language="en">
  <vocabulary id="levels"><term id="1" name="Low"/><term id="2" name="High"/></vocabulary>
  <vocabulary id="rows">
    <term id="CLOSE" name="a"/><term id="FAR;" name="b"/><term id="()" name="c"/>
  </vocabulary>
  <kind tag="card" name="Card" width="65" height="90" face="card.xml">
    <field name="level" type="term" of="levels"/>
    <field name="strength" type="integer" min="0" max="99"/>
    <field name="text" type="text" optional="true"/>
    <field name="words" type="text"/>
    <field name="rare" type="flag"/>
    <field name="ink" type="color" optional="true"/>
    <field name="old" type="text" ignored="true"/>
    <children tag="row" plural="rows"><field name="name" type="term" of="rows"/></children>
    <children tag="part" plural="parts">
      <field name="words" type="text" optional="true"/>
      <field name="n" type="integer" optional="true"/>
      <field name="old" type="text" ignored="true"/>
    </children>
  </kind>
</game>
"""
FACTIONS = '<data><faction id="A" race_name="X" faction_name="Y" color="red"/></data>'
KEPT = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
WORKBOOKS = settings(KEPT, max_examples=15)

TEXT = st.text(
    st.one_of(
        st.sampled_from("=+-@'\" ;,\t\n_x0041<&>()"),
        st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="\ufffe\uffff"),
    ),
    max_size=12,
) | st.sampled_from(["=1+1", "'=1", "007", "1-2", "3.0", "TRUE", "_x0041_", "#N/A", "sep=;"])
SOME = TEXT.filter(str.strip)
VALUES = {
    "level": st.sampled_from(["1", "2"]),
    "strength": st.sampled_from(["0", "7", "03", "+5", " 99 "]),
    "text": TEXT,
    "words": TEXT,
    "rare": st.sampled_from(["true", "false"]),
    "ink": st.sampled_from(["red", "#12aB00"]),
    "old": TEXT,
    "name": SOME,
}
OPTIONAL = {"text", "rare", "ink", "old"}
CHILD_VALUES = {"words": TEXT, "n": st.sampled_from(["0", "12", "04"]), "old": TEXT}


def attribute(draw: st.DrawFn, name: str, value: str) -> str:
    space = draw(st.sampled_from([" ", "  ", "\n      "]))
    text = quoteattr(value, {"\n": "&#10;", "\t": "&#9;"})
    return f"{space}{name}={text}"


@st.composite
def card_files(draw: st.DrawFn) -> str:
    """A file of cards, written by someone who does not care for looks."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    gaps = st.sampled_from(["", "\n", "\n  ", "\n\n\t", " <!-- <card/> -->\n", "<?do it?>"])
    parts = [draw(st.sampled_from(["", '<?xml version="1.0"?>\n'])), "<data>"]
    for number in range(draw(st.integers(1, 4))):
        names = [n for n in VALUES if n not in OPTIONAL or draw(st.booleans())]
        values = {"id": f"A{number}", "faction_id": "A", **{n: draw(VALUES[n]) for n in names}}
        order = draw(st.permutations(sorted(values)))
        head = "".join(attribute(draw, name, values[name]) for name in order)
        rows = [
            f'<row name="{row}"/>'
            for row in draw(st.lists(st.sampled_from(["CLOSE", "FAR;", "()"]), max_size=3))
        ]
        children = rows
        for _ in range(draw(st.integers(0, 2))):
            chosen = [name for name in CHILD_VALUES if draw(st.booleans())]
            inner = "".join(attribute(draw, name, draw(CHILD_VALUES[name])) for name in chosen)
            children.append(f"<part{inner}/>")
        inside = "".join(draw(gaps) + child for child in draw(st.permutations(children)))
        end = "/>" if not inside and draw(st.booleans()) else f">{inside}{draw(gaps)}</card>"
        parts += [draw(gaps), f"<card{head}{end}"]
    return "".join([*parts, draw(gaps), "</data>"]).replace("\n", newline)


def load(folder: Path, cards: str) -> tuple[LoadedGame, Path]:
    path = folder / "xml/Factions/A_cards.xml"
    files = {"game.xml": GAME, "factions_definition.xml": FACTIONS, "rules.xml": "<data/>"}
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / "xml" / name).write_text(text)
    path.write_bytes(cards.encode())
    return load_records(GameFolder(folder), []), path


Through = Callable[[LoadedGame, list[Table], Path], list[CellGrid]]


def through_csv(_: LoadedGame, tables: list[Table], folder: Path) -> list[CellGrid]:
    grids = []
    for table in tables:
        path = folder / f"{table.title}.csv"
        path.write_bytes(write_csv(table, ";", bom=True))
        grids.append(read_csv(path, table.title, table.titles))
    return grids


def through_xlsx(loaded: LoadedGame, tables: list[Table], folder: Path) -> list[CellGrid]:
    path = folder / "cards.xlsx"
    path.write_bytes(write_xlsx(tables, assign_titles(loaded.game.setup).lists, "Any", ""))
    return find_known_grids(loaded, read_workbook(path), path, [])


def changed(loaded: LoadedGame, grids: list[CellGrid]) -> bytes | None:
    """What the card file is to hold, None if it does not change."""
    report: Report = []
    editor = GameEditor(loaded)
    assert compare_tables(loaded, grids, ImportOptions(), editor, report) == []
    assert report == []
    files = editor.changed_files()
    assert (len(files) == 1) == bool(editor.changes)
    return files[0].file.to_bytes() if files else None


@KEPT
@given(st.lists(st.dictionaries(st.sampled_from("an"), TEXT)))
def test_a_list_is_read_as_it_was_written(items: list[dict[str, str]]) -> None:
    assert read_list(write_list(items, ["a", "n"]), ["n", "a"]) == items
    single = [{"n": item["n"]} if "n" in item else {} for item in items]
    assert read_list(write_list(single, ["n"]), ["n"]) == single


@KEPT
@given(cards=card_files())
def test_a_file_is_read_as_it_is_written(tmp_path: Path, cards: str) -> None:
    path = tmp_path / "any.xml"
    path.write_bytes(cards.encode())
    assert read_xml_file(path, "").to_bytes() == cards.encode()


@KEPT
@given(cards=card_files())
def test_through_csv_nothing_changes(tmp_path: Path, cards: str) -> None:
    loaded, _ = load(tmp_path, cards)
    assert changed(loaded, through_csv(loaded, build_tables(loaded), tmp_path)) is None


@WORKBOOKS
@given(cards=card_files())
def test_through_a_workbook_nothing_changes(tmp_path: Path, cards: str) -> None:
    loaded, _ = load(tmp_path, cards)
    assert changed(loaded, through_xlsx(loaded, build_tables(loaded), tmp_path)) is None


def cards_in(text: bytes) -> list[str]:
    """The cards of a file with what stands behind each, then what is not in a card."""
    root = etree.fromstring(text)
    found = [etree.tostring(card, encoding="unicode") for card in root.iter("card")]
    for card in root.findall("card"):
        card.attrib.clear()
        del card[:]
        card.text = None
    return [*found, etree.tostring(root.getroottree(), encoding="unicode")]


@st.composite
def edits(draw: st.DrawFn) -> tuple[int, str, str]:
    """Another text for a cell: the number of its card, its column and the text."""
    column = draw(st.sampled_from([*(set(VALUES) - {"old"}), "rows", "parts"]))
    if column == "rows":
        rows = draw(st.lists(st.sampled_from(["CLOSE", "FAR;", "()"]), max_size=3))
        text = write_list([{"name": row} for row in rows], ["name"])
    elif column == "parts":
        part = st.fixed_dictionaries(
            {}, optional={"words": TEXT.map(normalize_text), "n": st.just("5")}
        )
        text = write_list(draw(st.lists(part, max_size=3)), ["words", "n"])
    else:
        text = draw(VALUES[column])
    return draw(st.integers(0, 9)), column, text


@pytest.mark.parametrize("through", [through_csv, through_xlsx])
@WORKBOOKS
@given(cards=card_files(), edit=edits())
def test_a_changed_cell_changes_that_and_nothing_else(
    tmp_path: Path, through: Through, cards: str, edit: tuple[int, str, str]
) -> None:
    loaded, path = load(tmp_path, cards)
    (table,) = build_tables(loaded)
    number, title, text = edit[0] % len(table.rows), *edit[1:]
    at = table.titles.index(title)
    rows = [list(row) for row in table.rows]
    rows[number][at] = text
    new = changed(loaded, through(loaded, [table._replace(rows=tuple(map(tuple, rows)))], tmp_path))
    if new is None:
        return
    old_cards, new_cards = cards_in(path.read_bytes()), cards_in(new)
    pairs = zip(old_cards, new_cards, strict=True)
    assert [place for place, (old, now) in enumerate(pairs) if old != now] == [number]
    old_values, new_values = values_of(old_cards[number]), values_of(new_cards[number])
    if title not in {"rows", "parts"}:
        names = {*old_values, *new_values}
        assert {n for n in names if old_values.get(n) != new_values.get(n)} == {title}
    loaded, _ = load(tmp_path, new.decode())
    (again,) = build_tables(loaded)
    said = normalize_text(text) if title != "strength" else str(int(text))
    for place, (row, now) in enumerate(zip(rows, again.rows, strict=True)):
        row[at] = said if place == number else row[at]
        assert [normalize_text(cell) for cell in now] == [normalize_text(cell) for cell in row]


def values_of(card: str) -> dict[str, str]:
    """The attributes of a card."""
    start = card[: card.index(">")].removesuffix("/") + "/>"
    return {str(name): str(value) for name, value in etree.fromstring(start).attrib.items()}
