"""`deckwright import xlsx`: take changes back from a workbook."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.cli.group import command
from deckwright.cli.import_.common import foreign_options, import_options
from deckwright.grids.table import Grid
from deckwright.grids.xlsx_reading import read_xlsx
from deckwright.tables.foreign import Foreign, adopted
from deckwright.tables.importing import columns_of, known_grids, sole_grid
from deckwright.tables.records import Loaded


@command("import xlsx out/cards.xlsx --dry-run", "import xlsx out/cards.xlsx --delete")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tab", metavar="NAME", help="With --kind, the tab that is read.")
@import_options
@foreign_options
def xlsx(
    loaded: Loaded, report: Report, *, file: Path, tab: str | None, foreign: Foreign
) -> list[Grid] | None:
    """Import changes from the workbook of `deckwright export xlsx`.

    Only what differs is changed in the XML files. Rows with new ids become new cards. If anything
    is wrong, in the workbook or in the game it would make, nothing is changed. Workbooks that were
    made elsewhere need --kind, and --map for columns that are not called like a field.
    """
    if foreign.kind is None:
        if tab is not None:
            raise click.UsageError("--tab needs --kind, the kind of card in the tab")
        titles = {title.casefold() for title in columns_of(loaded)}
        grids = read_xlsx(file, report, lambda title: title.casefold() in titles)
        known = None if grids is None else known_grids(loaded, grids, file, report)
    else:
        grids = read_xlsx(file, report)
        known = None if grids is None else sole_grid(grids, foreign.kind, tab, file, report)
    if known is None or not any(foreign):
        return known
    return [adopted(loaded, grid, foreign, report) for grid in known]
