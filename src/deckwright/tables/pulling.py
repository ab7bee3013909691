"""Fetch published tables into the game's folder, and say what has changed in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from deckwright.base.files import forbid_outward_links, is_file, resolve_target, write_bytes
from deckwright.base.findings import Report, Severity, has_errors, require_known
from deckwright.base.output import write_failure
from deckwright.game.addresses import G009, check_addresses
from deckwright.game.folder import CardTable, GameFolder
from deckwright.game.load import load_setup
from deckwright.game.setup import Setup
from deckwright.game.tables import load_grids
from deckwright.grids.csv import E016, MAX_BYTES
from deckwright.grids.table import split_titles
from deckwright.tables.download import DownloadError, download

_Row = dict[str, str]
"""The filled cells of a row, by the titles of their columns."""


class PulledTable(NamedTuple):
    """A table that was fetched.

    Attributes:
        path: its file.
        rows: the number of its rows.
        changes: how it differs from the file before, as in "2 added, 1 removed"; "" if in nothing.
    """

    path: Path
    rows: int
    changes: str


def pull_tables(
    folder: GameFolder, names: Sequence[str], report: Report, *, dry: bool
) -> Iterator[PulledTable]:
    """Fetch the tables with an address, and replace the files of those that differ.

    A table that cannot be fetched or read leaves its file as it is; the others go on.

    Args:
        names: the names of the files to fetch, all if empty.
        dry: whether to replace no files.

    Raises:
        ChoiceError: if no such table has an address.
    """
    setup_report: Report = []
    setup = load_setup(folder, setup_report)
    if setup is None:
        report += setup_report
        return
    tables = {
        path.name: (path, those)
        for path, those in folder.tables().items()
        if any(table.url for table in those)
    }
    for name in names:
        require_known(name, tables, "table with an address", " in game.xml")
    forbid_outward_links(folder.path)
    for name in dict.fromkeys(names or tables):
        pulled = _pull_table(*tables[name], setup, report, dry=dry)
        if pulled is not None:
            yield pulled


def _pull_table(
    path: Path, tables: Sequence[CardTable], setup: Setup, report: Report, *, dry: bool
) -> PulledTable | None:
    """Fetch a file with tables, None after reporting why not."""
    wrong = [f._replace(given_severity=Severity.ERROR) for f in check_addresses({path: tables})]
    if wrong:
        report += wrong
        return None
    url, place = next(
        (table.url, table.source.at("url")) for table in tables if table.url and table.source
    )
    try:
        resolve_target(path)  # refuses a link before anything is read
        data = download(url, MAX_BYTES)
        with TemporaryDirectory() as scratch:
            rows = _read_fetched(Path(scratch) / path.name, data, tables, setup)
        old = (_read_rows(tables, setup, []) if is_file(path) else None) or []
        if rows != old and not dry:
            write_bytes(path, data)
        return PulledTable(path, len(rows), _describe_changes(old, rows))
    except DownloadError as error:
        finding = G009.at(place, error.message, error.hint)
        report.append(finding._replace(given_severity=Severity.ERROR))
    except OSError as error:
        report.append(write_failure(path, error)._replace(hint=None))
    return None


def _read_fetched(path: Path, data: bytes, tables: Sequence[CardTable], setup: Setup) -> list[_Row]:
    """Return the rows of what was fetched.

    Args:
        path: where to put it for reading; its ending says what it should be.

    Raises:
        DownloadError: if it cannot be read as such, or has no rows.
    """
    path.write_bytes(data)
    findings: Report = []
    rows = _read_rows([table._replace(path=path) for table in tables], setup, findings)
    if rows is None:
        first = next(finding for finding in findings if has_errors([finding]))
        hint = f"publish it as `{path.suffix}`, or let `file` end in what it is"
        message = f"what the address gives cannot be read as `{path.name}`: {first.message}"
        raise DownloadError(message, hint if first.code is E016 else first.hint)
    if not rows:
        hint = "publish the sheet with the cards; `tab` names it in a workbook"
        raise DownloadError("the table at the address has no rows below its titles", hint)
    return rows


def _read_rows(tables: Sequence[CardTable], setup: Setup, report: Report) -> list[_Row] | None:
    """Return the rows of the tables of a file, None after reporting why it cannot be read."""
    rows: list[_Row] = []
    for table in {table.tab: table for table in tables}.values():
        grids = load_grids(table, setup, report)
        if grids is None:
            return None
        for titled in (split_titles(grid, table.titles) for grid in grids):
            rows += (
                {
                    name: cell.text + cell.problem
                    for name, cell in zip(titled.names, row, strict=False)
                    if not cell.is_blank
                }
                for row in titled.body
            )
    return rows


def _describe_changes(old: Sequence[_Row], new: Sequence[_Row]) -> str:
    """Return how many rows were added, changed and removed.

    Rows are the same if the first column whose values all differ, such as the names, has the same
    value; without such a column, only equal rows are the same.
    """
    if old == new:
        return ""
    key = next(
        (title for title in new[0] if _tells_apart(title, old) and _tells_apart(title, new)), None
    )

    def identify(row: _Row) -> str:
        return row[key] if key else str(sorted(row.items()))

    before, after = Counter(map(identify, old)), Counter(map(identify, new))
    known = {identify(row): row for row in old}
    counts = {
        "added": (after - before).total(),
        "changed": sum(known.get(identify(row), row) != row for row in new),
        "removed": (before - after).total(),
    }
    listed = ", ".join(f"{number:,} {what}" for what, number in counts.items() if number)
    return listed or "in another order"


def _tells_apart(title: str, rows: Sequence[_Row]) -> bool:
    """Return whether each row has a value of its own in a column."""
    return len({row[title] for row in rows if title in row}) == len(rows)
