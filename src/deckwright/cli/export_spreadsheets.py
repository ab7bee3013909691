"""`deckwright export csv` and `xlsx`: cards as spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from deckwright.base.findings import Location, Report, has_errors, require_known
from deckwright.base.output import write_data
from deckwright.cli import common
from deckwright.cli.terminal import command, echo
from deckwright.game.columns import assign_titles
from deckwright.game.folder import GameFolder
from deckwright.grids.csv import write_csv
from deckwright.grids.table import Table, find_long_texts
from deckwright.tables.export import LoadedGame, build_tables, load_records

kind_option = click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="Write only this kind of card, by its tag in game.xml, or `decks`.",
)


def require_kinds(loaded: LoadedGame, kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the titles of the tables named by `--kind`; none for all.

    Raises:
        click.UsageError: if there is no such table.
    """
    titles = loaded.columns
    for kind in kinds:
        require_known(kind, titles, "kind of card")
    return tuple(kinds)


@command("export xlsx", "export xlsx --kind card --out balance.xlsx")
@common.game_option
@kind_option
@click.option(
    "--out",
    "-o",
    help="The file to write, or a folder for it. The default is out/cards.xlsx in the game.",
)
def xlsx(game: Path, kinds: tuple[str, ...], out: str | None) -> None:
    """Write the cards as a workbook for Excel or LibreOffice.

    Each kind of card has a sheet, with one row per card, one column per field, and drop-down lists
    of the values allowed. Deck lists have a sheet with one column per deck. `deckwright import
    xlsx` brings changes back.
    """
    from deckwright.grids.xlsx import write_xlsx  # openpyxl takes 0.2 s

    folder = common.open_folder(game)
    report: Report = []
    loaded = load_records(folder, report)
    if loaded is not None:
        setup = loaded.game.setup
        tables = build_tables(loaded, require_kinds(loaded, kinds))
        target = common.output_path("cards.xlsx", folder, out)
        report.extend(find_long_texts(tables, Location(target)))
        if not has_errors(report):
            data = write_xlsx(tables, assign_titles(setup).lists, setup.name, setup.author)
            write_data(target, data)
            rows = ", ".join(f"{table.title} {len(table.rows)}" for table in tables)
            echo(f"{target}: {rows}")
            _show_tables(folder, tables)
    common.show_and_count(report)
    common.exit_with_findings(report)


def _show_tables(folder: GameFolder, tables: Iterable[Table]) -> None:
    """Say where the cards are that an export leaves out, since they are in tables already."""
    if folder.tables() and not any(table.rows for table in tables):
        names = ", ".join(str(path) for path in folder.tables())
        echo(f"the cards are in a table already: change them in {names}")


_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", ",": ",", ";": ";"}


@command("export csv", "export csv --kind card --delimiter semicolon --bom")
@common.game_option
@kind_option
@click.option("--delimiter", type=click.Choice([*_DELIMITERS]), default="comma", show_default=True,
              help="The separator of columns. German Excel expects semicolons.")  # fmt: skip
@click.option("--bom", is_flag=True, help="Begin files with a byte order mark, which Excel needs.")
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
        tables = build_tables(loaded, require_kinds(loaded, kinds))
        place = "" if out else "csv/"
        names = {table.title: f"{place}{table.title}.csv" for table in tables}
        targets = common.output_paths(names, folder, out)
        for table in tables:
            data = write_csv(table, _DELIMITERS[delimiter], bom=bom)
            target = targets[table.title]
            write_data(target, data)
            echo(f"{target}: {common.counted(len(table.rows), 'row')}")
        _show_tables(folder, tables)
    common.show_and_count(report)
    common.exit_with_findings(report)
