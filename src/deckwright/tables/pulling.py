"""Fetch published tables into the game's folder, and say what has changed in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from deckwright.base.files import is_file, resolve_target, write_bytes
from deckwright.base.findings import Report, Severity, require_known
from deckwright.base.output import OutputError, report_failure, write_failure
from deckwright.game.addresses import G009, check_addresses
from deckwright.game.folder import CardTable, GameFolder
from deckwright.game.load import load_setup
from deckwright.game.setup import Setup
from deckwright.game.tables import load_grids
from deckwright.grids.csv import E016, MAX_BYTES
from deckwright.grids.table import split_titles
from deckwright.tables.download import DownloadError, download

_Row = tuple[tuple[str, str], ...]
"""The filled cells of a row, with the titles of their columns."""


class PulledTable(NamedTuple):
    """A table that was fetched, and the number of its rows.

    Attributes:
        changes: how they differ from those before, as in "2 added, 1 removed"; "" if in nothing.
    """

    path: Path
    rows: int
    changes: str


def pull_tables(
    folder: GameFolder, names: Sequence[str], report: Report, *, dry: bool
) -> Iterator[PulledTable]:
    """Fetch the tables with an address, of all or the named files, and replace those that differ.

    A table that cannot be fetched or read leaves its file as it is; the others go on. With `dry`,
    no files are replaced.

    Raises:
        ChoiceError: if no such table has an address.
    """
    setup_report: Report = []
    setup = load_setup(folder, setup_report)
    if setup is None:
        report += setup_report
        return
    tables = folder.tables()
    paths = {path.name: path for path, those in tables.items() if any(t.url for t in those)}
    for name in names:
        require_known(name, paths, "table with an address", " in game.xml")
    for path in (paths[name] for name in dict.fromkeys(names or paths)):
        with report_failure(report):
            yield _pull_table(path, tables[path], setup, dry=dry)


def _pull_table(path: Path, tables: Sequence[CardTable], setup: Setup, *, dry: bool) -> PulledTable:
    """Fetch a file with tables; raise an OutputError if it cannot be read or replaced."""
    wrong = [f._replace(given_severity=Severity.ERROR) for f in check_addresses({path: tables})]
    if wrong:
        raise OutputError(*wrong)
    url, place = next((t.url, t.source.at("url")) for t in tables if t.url and t.source)
    try:
        resolve_target(path)  # refuses a link before anything is read
        data = download(url, MAX_BYTES)
        with TemporaryDirectory() as scratch:
            rows = _read_fetched(Path(scratch) / path.name, data, tables, setup)
        old: list[_Row] = []
        if is_file(path):
            with suppress(OutputError):
                old = _read_rows(tables, setup)
        if rows != old and not dry:
            write_bytes(path, data)
    except DownloadError as error:
        finding = G009.at(place, *error.args)
        raise OutputError(finding._replace(given_severity=Severity.ERROR)) from error
    except OSError as error:
        raise OutputError(write_failure(path, error)._replace(hint=None)) from error
    before, after = (Counter(row[0] for row in each) for each in (old, rows))  # by first cells
    added, removed = (after - before).total(), (before - after).total()
    changed = (Counter(rows) - Counter(old)).total() - added
    counts = {"added": added, "changed": changed, "removed": removed}
    changes = ", ".join(f"{number:,} {what}" for what, number in counts.items() if number)
    return PulledTable(path, len(rows), changes or ("" if old == rows else "in another order"))


def _read_fetched(path: Path, data: bytes, tables: Sequence[CardTable], setup: Setup) -> list[_Row]:
    """Return the rows of what was fetched, which is written to `path` to be read.

    Raises:
        DownloadError: if it cannot be read as its ending says, or has no rows.
    """
    path.write_bytes(data)
    try:
        rows = _read_rows([table._replace(path=path) for table in tables], setup)
    except OutputError as error:
        first = error.findings[0]
        hint = f"publish it as `{path.suffix}`, or let `file` end in what it is"
        message = f"what the address gives cannot be read as `{path.name}`: {first.message}"
        raise DownloadError(message, hint if first.code is E016 else first.hint) from error
    if not rows:
        hint = "publish the sheet with the cards; `tab` names it in a workbook"
        raise DownloadError("the table at the address has no rows below its titles", hint)
    return rows


def _read_rows(tables: Sequence[CardTable], setup: Setup) -> list[_Row]:
    """Return the rows of the tables of a file, or raise an OutputError."""
    rows: list[_Row] = []
    for table in {table.tab: table for table in tables}.values():
        for titled in (split_titles(grid, table.titles) for grid in load_grids(table, setup)):
            for row in titled.body:
                cells = zip(titled.names, row, strict=False)
                rows.append(tuple((n, c.text) for n, c in cells if not c.is_blank))
    return rows
