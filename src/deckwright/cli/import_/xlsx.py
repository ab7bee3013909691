"""`deckwright import xlsx`: take changes back from a workbook."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.cli.group import command
from deckwright.cli.import_.common import import_options
from deckwright.grids.table import Grid
from deckwright.grids.xlsx_reading import read_xlsx
from deckwright.tables.importing import columns_of, known_grids
from deckwright.tables.records import Loaded


@command("import xlsx out/cards.xlsx --dry-run", "import xlsx out/cards.xlsx --delete")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@import_options
def xlsx(loaded: Loaded, report: Report, *, file: Path) -> list[Grid] | None:
    """Import changes from the workbook of `deckwright export xlsx`.

    Only what differs is changed in the XML files. Rows with new ids become new cards. If anything
    is wrong, in the workbook or in the game it would make, nothing is changed.
    """
    titles = {title.casefold() for title in columns_of(loaded)}
    grids = read_xlsx(file, report, lambda title: title.casefold() in titles)
    return None if grids is None else known_grids(loaded, grids, file, report)
