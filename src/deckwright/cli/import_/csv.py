"""`deckwright import csv`: take changes back from CSV files."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.cli.group import command
from deckwright.cli.import_.common import foreign_options, import_options
from deckwright.grids.csv import read_csv
from deckwright.grids.heads import table_of
from deckwright.grids.table import Grid
from deckwright.tables.foreign import Foreign, adopted
from deckwright.tables.importing import columns_of
from deckwright.tables.records import Loaded


@command("import csv out/csv/card.csv --dry-run", "import csv out/csv/*.csv")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@import_options
@foreign_options
def csv(
    loaded: Loaded, report: Report, *, files: tuple[Path, ...], foreign: Foreign
) -> list[Grid] | None:
    """Import changes from the files of `deckwright export csv`.

    Only what differs is changed in the XML files. Rows with new ids become new cards. If anything
    is wrong, in the tables or in the game they would make, nothing is changed. Tables that were
    made elsewhere need --kind, and --map for columns that are not called like a field.
    """
    kind = foreign.kind
    if kind is not None and len(files) > 1:
        raise click.UsageError("--kind takes a single file")
    tables = columns_of(loaded)
    known = [column.title for columns in tables.values() for column in columns]
    known += [title for title, _ in foreign.maps]
    grids: dict[str, Grid] = {}
    sources: dict[str, Path] = {}
    for path in files:
        grid = read_csv(path, path.stem, known, report)
        title = kind or (table_of(path.stem, grid, tables, report) if grid else None)
        if grid is None or title is None:
            continue
        if title in grids:
            raise click.UsageError(f"{sources[title]} and {path} are both tables of `{title}`")
        sources[title] = path
        named = grid if title == path.stem else read_csv(path, title, known, report)
        if named is not None:
            grids[title] = named
    if len(grids) != len(files):
        return None
    if not any(foreign):
        return list(grids.values())
    return [adopted(loaded, grid, foreign, report) for grid in grids.values()]
