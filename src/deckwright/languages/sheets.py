"""Catalogs as spreadsheets, for translators without an editor for PO files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Code, Report, Severity
from deckwright.base.output import OutputError, write_data
from deckwright.grids.reading import read_grids
from deckwright.grids.table import Cell, Column, Table, split_titles
from deckwright.languages.catalog import (
    FUZZY,
    excerpt,
    format_catalog,
    map_entries,
    parse_catalog,
    parse_for_writing,
    read_catalog,
    set_translation,
    translation_of,
)

P008 = Code("P008", Severity.ERROR, "a sheet of translations that does not fit its catalog")

_TITLES = ("context", "source", "translation", "state", "note")


def make_table(path: Path) -> Table:
    """Return a catalog as a table.

    Raises:
        OutputError: if it cannot be read.
    """
    rows = []
    for key, entry in map_entries(parse_catalog(path, read_catalog(path))).items():
        translation = translation_of(entry)
        state = (FUZZY if entry.fuzzy else "done") if translation else "missing"
        note = f"was: {entry.previous_msgid}" if entry.previous_msgid else entry.tcomment
        rows.append((*key, translation, state, note))
    return Table(path.stem, tuple(map(Column, _TITLES)), tuple(rows))


class ImportCounts(NamedTuple):
    """How many translations a sheet has changed, and how many it leaves as they are."""

    changed: int
    same: int


def import_sheet(sheet: Path, path: Path) -> ImportCounts:
    """Bring the translations of a sheet into a catalog. A changed one is no longer fuzzy.

    Raises:
        OutputError: if a file cannot be read, or the sheet has rows that the catalog does not.
    """
    catalog = parse_for_writing(path, read_catalog(path))
    entries = map_entries(catalog)
    report: Report = []
    changed = same = 0
    for grid in read_grids(sheet, None, _TITLES):
        titled = split_titles(grid, None)
        lacking = [title for title in _TITLES[:3] if title not in titled.names]
        if lacking:
            message = f"the sheet has no column `{lacking[0]}`"
            hint = f"`deckwright language export {path.stem}` writes one that can be read"
            report.append(P008.at(titled.first.place if titled.body else None, message, hint))
            continue
        for row in titled.body:
            cells: Mapping[str, Cell] = dict(zip(titled.names, row, strict=False))
            context, source, translation = (
                cells[title].text.strip() if title in cells else "" for title in _TITLES[:3]
            )
            entry = entries.get((context, source))
            if entry is None:
                message = f"the catalog has no text `{excerpt(source)}` at `{context}`"
                hint = "the text has changed since: export it again"
                report.append(P008.at(row[0].place, message, hint))
            elif translation and translation != translation_of(entry):
                set_translation(entry, translation)
                entry.flags = [flag for flag in entry.flags if flag != FUZZY]
                entry.previous_msgid = None
                changed += 1
            else:
                same += 1
    if report:
        raise OutputError(*report)
    if changed:
        write_data(path, format_catalog(catalog))
    return ImportCounts(changed, same)
