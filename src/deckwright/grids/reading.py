"""Read a file of any format as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deckwright.base.findings import Report
from deckwright.base.names import composed
from deckwright.grids.csv import read_csv
from deckwright.grids.json import read_json
from deckwright.grids.table import Grid
from deckwright.grids.xlsx_reading import read_xlsx

WORKBOOK, JSON = ".xlsx", ".json"


def read_grids(
    path: Path, tab: str | None, known: Sequence[str], report: Report
) -> list[Grid] | None:
    """Return the tables of a file, None after reporting why it cannot be read.

    Args:
        tab: the only tab of a workbook that is read, or where the list is in JSON; None for all,
            or for the only list.
        known: titles of columns, by which it is seen what separates them in CSV.
    """
    title, ending = composed(path.stem), path.suffix.casefold()
    if ending == WORKBOOK:
        wanted = tab.casefold() if tab else None
        return read_xlsx(path, report, lambda name: wanted in {None, name.casefold()})
    if ending == JSON:
        grid = read_json(path, title, tab, report)
    else:
        grid = read_csv(path, title, known, report)
    return None if grid is None else [grid]
