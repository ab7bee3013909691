"""`deckwright export csv`: the cards as tables, a file for each kind of card."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.base.output import write_data
from deckwright.cli import common
from deckwright.cli.export.xlsx import kind_option, parse_kinds
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.grids.csv import write_csv
from deckwright.tables.export import tables_of
from deckwright.tables.records import load_records

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", ",": ",", ";": ";"}


@command("export csv", "export csv --kind card --delimiter semicolon --bom")
@common.game_option
@kind_option
@click.option("--delimiter", type=click.Choice([*_DELIMITERS]), default="comma", show_default=True,
              help="What separates columns. German Excel expects semicolons.")  # fmt: skip
@click.option(
    "--bom", is_flag=True, help="Begin the file with a byte order mark, which Excel needs."
)
@click.option(
    "--out",
    "-o",
    help="The folder to write to, or the file for one kind. The default is out/csv in the game.",
)
def csv(game: Path, kinds: tuple[str, ...], delimiter: str, bom: bool, out: str | None) -> None:
    """Write the cards as CSV files for a spreadsheet.

    Each kind of card has a file, with one row per card and one column per field. Deck lists become
    decks.csv, with one column per deck. `deckwright import csv` brings changes back. For Excel,
    `export xlsx` is the better choice.
    """
    folder = common.open_folder(game)
    report: Report = []
    loaded = load_records(folder, report)
    if loaded is not None:
        tables = tables_of(loaded, parse_kinds(loaded, kinds))
        place = "" if out else "csv/"
        names = {table.title: f"{place}{table.title}.csv" for table in tables}
        targets = common.targets(names, folder, out)
        for table in tables:
            data = write_csv(table, _DELIMITERS[delimiter], bom=bom)
            target = targets[table.title]
            if write_data(target, data, report):
                echo(f"{target}: {common.counted(len(table.rows), 'row')}")
    common.show_and_count(report)
    common.leave(report)
