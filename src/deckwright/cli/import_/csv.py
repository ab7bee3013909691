"""`deckwright import csv`: take changes back from CSV files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deckwright.base.findings import Report, known_hint
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.import_.common import import_options, options_of, run

if TYPE_CHECKING:
    from deckwright.tables.records import Loaded
    from deckwright.tables.table import Grid


@command("import csv out/csv/card.csv --dry-run", "import csv out/csv/*.csv")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--kind",
    metavar="KIND",
    help="The kind of card in the file, if the file is not named after it.",
)
@import_options
def csv(
    files: tuple[Path, ...],
    kind: str | None,
    game: Path,
    dry_run: bool,
    delete: bool,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
) -> None:
    """Import changes from the files of `deckwright export csv`.

    Only what differs is changed in the XML files. Rows with new ids become new cards. If anything
    is wrong, in the tables or in the game they would make, nothing is changed.
    """
    folder = common.open_folder(game)
    if kind is not None and len(files) > 1:
        message = "--kind takes a single file"
        raise click.UsageError(message)

    def read(loaded: Loaded, report: Report) -> list[Grid] | None:
        return _read(loaded, files, kind, report)

    options = options_of(
        folder,
        dry_run=dry_run,
        delete=delete,
        ignore_limits=ignore_limits,
        format_id=format_id,
        changes=changes,
    )
    run(folder, read, options)


def _read(
    loaded: Loaded, files: tuple[Path, ...], kind: str | None, report: Report
) -> list[Grid] | None:
    """Return the tables in files, None after reporting why not all can be read."""
    from deckwright.tables.csv import read_csv  # noqa: PLC0415 - keeps --help quick
    from deckwright.tables.heads import table_of  # noqa: PLC0415
    from deckwright.tables.importing import columns_of  # noqa: PLC0415

    tables = columns_of(loaded)
    if kind is not None and kind not in tables:
        message = f"there is no kind of card `{kind}`"
        raise click.UsageError(common.with_hint(message, known_hint(kind, tables)))
    known = [column.title for columns in tables.values() for column in columns]
    grids: dict[str, Grid] = {}
    sources: dict[str, Path] = {}
    for path in files:
        grid = read_csv(path, path.stem, known, report)
        title = kind or (table_of(path.stem, grid, tables, report) if grid else None)
        if grid is None or title is None:
            continue
        if title in grids:
            message = f"{sources[title]} and {path} are both tables of `{title}`"
            raise click.UsageError(message)
        sources[title] = path
        named = grid if title == path.stem else read_csv(path, title, known, report)
        if named is not None:
            grids[title] = named
    return list(grids.values()) if len(grids) == len(files) else None
