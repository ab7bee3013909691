"""`deckwright export csv` and `xlsx`: cards as spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from deckwright.base.findings import Location, Report, require_known
from deckwright.base.output import stop_on_errors, write_data
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.terminal import echo
from deckwright.game.columns import assign_titles
from deckwright.game.folder import GameFolder
from deckwright.game.setup import Setup
from deckwright.grids.csv import write_csv
from deckwright.grids.table import Table, find_long_texts
from deckwright.tables.export import build_tables, load_records

kind_option = click.option(
    "--kind", "kinds", multiple=True, metavar="KIND",
    help="Write only this kind of card, by its tag in game.xml, or `decks`.",
)  # fmt: skip


def load_tables(
    folder: GameFolder, kinds: Iterable[str], report: Report
) -> tuple[Setup, list[Table]]:
    """Return the set-up of a game and its tables, of these kinds or of all if there are none."""
    loaded = load_records(folder, report)
    for kind in kinds:
        require_known(kind, loaded.columns, "kind of card")
    return loaded.game.setup, build_tables(loaded, kinds)


@common.command("export xlsx", "export xlsx --kind card --out balance.xlsx")
@common.game_option
@kind_option
@common.language_option
@common.complete_option
@click.option("--out", "-o", help="The file to write, or a folder for it. The default is "
              "out/cards.xlsx in the game.")  # fmt: skip
def xlsx(game: Path, kinds: tuple[str, ...], out: str | None) -> None:
    """Write the cards as a workbook for Excel or LibreOffice.

    Each kind of card has a sheet, with one row per card, one column per field, and drop-down lists
    of the values allowed. Deck lists have a sheet with one column per deck. `deckwright import
    xlsx` brings changes back.
    """
    from deckwright.grids.xlsx import write_xlsx  # only for workbooks

    folder = common.open_folder(game)
    with common.report_findings(common.show_and_count) as report:
        setup, tables = load_tables(folder, kinds, report)
        target = common.output_path("cards.xlsx", folder, out)
        report.extend(find_long_texts(tables, Location(target)))
        stop_on_errors(report)
        data = write_xlsx(tables, assign_titles(setup).lists, setup.name, setup.author)
        write_data(target, data)
        rows = ", ".join(f"{table.title} {len(table.rows)}" for table in tables)
        echo(f"{target}: {rows}")
        _show_tables(folder, tables)


def _show_tables(folder: GameFolder, tables: Iterable[Table]) -> None:
    """Say where the cards are that an export leaves out, since they are in tables already."""
    if folder.tables() and not any(table.rows for table in tables):
        names = ", ".join(str(path) for path in folder.tables())
        echo(f"the cards are in a table already: change them in {names}")


_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", ",": ",", ";": ";"}


@common.command("export csv", "export csv --kind card --delimiter semicolon --bom")
@common.game_option
@kind_option
@common.language_option
@common.complete_option
@click.option("--delimiter", type=click.Choice([*_DELIMITERS]), default="comma", show_default=True,
              help="The separator of columns. German Excel expects semicolons.")  # fmt: skip
@click.option("--bom", is_flag=True, help="Begin files with a byte order mark, which Excel needs.")
@click.option("--out", "-o", help="The folder to write to, or the file for one kind. The default "
              "is out/csv in the game.")  # fmt: skip
def csv(game: Path, kinds: tuple[str, ...], delimiter: str, bom: bool, out: str | None) -> None:
    """Write the cards as CSV files for a spreadsheet.

    Each kind of card has a file, with one row per card and one column per field. Deck lists become
    decks.csv, with one column per deck. `deckwright import csv` brings changes back. For Excel,
    `export xlsx` is the better choice.
    """
    folder = common.open_folder(game)
    with common.report_findings(common.show_and_count) as report:
        _, tables = load_tables(folder, kinds, report)
        place = "" if out else "csv/"
        names = {table.title: f"{place}{table.title}.csv" for table in tables}
        targets = common.output_paths(names, folder, out)
        for table in tables:
            target = targets[table.title]
            write_data(target, write_csv(table, _DELIMITERS[delimiter], bom=bom))
            echo(f"{target}: {pluralize(len(table.rows), 'row')}")
        _show_tables(folder, tables)
