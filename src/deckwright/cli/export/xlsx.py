"""`deckwright export xlsx`: the cards as a workbook, a tab for each kind of card."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from deckwright.base.choices import demand
from deckwright.base.findings import Location, Report, has_errors
from deckwright.base.output import write_data
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.game.columns import titles_of
from deckwright.grids.table import too_long
from deckwright.tables.export import tables_of
from deckwright.tables.importing import columns_of
from deckwright.tables.records import Loaded, load_records

kind_option = click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="Write only this kind of card, by its tag in game.xml, or `decks`.",
)


def parse_kinds(loaded: Loaded, kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the titles of the tables that the option `--kind` asks for; none for all.

    Raises:
        click.UsageError: if there is no such table.
    """
    titles = columns_of(loaded)
    for kind in kinds:
        demand(kind, titles, "kind of card")
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
    from deckwright.grids.xlsx import write_xlsx  # noqa: PLC0415 - openpyxl takes 0.2 s

    folder = common.open_folder(game)
    report: Report = []
    loaded = load_records(folder, report)
    if loaded is not None:
        setup = loaded.game.setup
        tables = tables_of(loaded, parse_kinds(loaded, kinds))
        target = common.target("cards.xlsx", folder, out)
        report.extend(too_long(tables, Location(target)))
        if not has_errors(report):
            data = write_xlsx(tables, titles_of(setup).lists, setup.name, setup.author)
            if write_data(target, data, report):
                rows = ", ".join(f"{table.title} {len(table.rows)}" for table in tables)
                echo(f"{target}: {rows}")
    common.show_and_count(report)
    common.leave(report)
