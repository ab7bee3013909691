"""`deckwright import xlsx`: take changes back from a workbook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.import_.common import import_options, options_of, run

if TYPE_CHECKING:
    from deckwright.tables.records import Loaded
    from deckwright.tables.table import Grid


@command("import xlsx out/cards.xlsx --dry-run", "import xlsx out/cards.xlsx --delete")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@import_options
def xlsx(
    file: Path,
    game: Path,
    dry_run: bool,
    delete: bool,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
) -> None:
    """Import changes from the workbook of `deckwright export xlsx`.

    Only what differs is changed in the XML files. Rows with new ids become new cards. If anything
    is wrong, in the workbook or in the game it would make, nothing is changed.
    """
    from deckwright.tables.importing import columns_of, known_grids  # noqa: PLC0415 - as below
    from deckwright.tables.xlsx_reading import read_xlsx  # noqa: PLC0415 - keeps --help quick

    def read(loaded: Loaded, report: Report) -> list[Grid] | None:
        titles = {title.casefold() for title in columns_of(loaded)}
        grids = read_xlsx(file, report, lambda title: title.casefold() in titles)
        return None if grids is None else known_grids(loaded, grids, file, report)

    folder = common.open_folder(game)
    options = options_of(
        folder,
        dry_run=dry_run,
        delete=delete,
        ignore_limits=ignore_limits,
        format_id=format_id,
        changes=changes,
    )
    run(folder, read, options)
