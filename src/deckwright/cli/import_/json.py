"""`deckwright import json`: take cards from the export of a card database."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.cli.group import command
from deckwright.cli.import_.common import foreign_options, import_options
from deckwright.grids.reading import read_grids
from deckwright.grids.table import Grid
from deckwright.tables.foreign import Foreign, adopted, only_known
from deckwright.tables.importing import columns_of, sole_grid
from deckwright.tables.records import Loaded


@command(
    "import json out/cards.json --kind card --dry-run",
    "import json out/cards.json --list data.cards --map attributes.title=name",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--list", "where", metavar="PATH", help="Where the list is, such as data.cards.")
@import_options
@foreign_options
def json(
    loaded: Loaded, report: Report, *, file: Path, where: str | None, foreign: Foreign
) -> list[Grid] | None:
    """Import cards from the JSON export of a card database.

    The cards are a list of objects, wherever it stands in the file; --list says where.
    --map names what stands in objects inside of these by its path, as in
    `--map attributes.title=name`. Cards that the game has are changed, others are new. What is not
    mapped is passed over.
    """
    kinds = [plan.title for plan in loaded.plans if not plan.kind.token]
    kind = foreign.kind or (kinds[0] if len(kinds) == 1 else None)
    if kind is None or kind not in columns_of(loaded):
        raise click.UsageError(f"say which kind of card is in it, by --kind: {', '.join(kinds)}")
    grids = read_grids(file, where, (), report)
    found = None if grids is None else sole_grid(grids, kind, None, file, report)
    if found is None:
        return None
    grid = adopted(loaded, found[0], foreign, report)
    plan = loaded.plan(kind)
    return [grid if plan is None else only_known(loaded, grid, plan)]
