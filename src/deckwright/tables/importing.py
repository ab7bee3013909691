"""Import tables: compare, apply changes to copies of the files, check, and only then write.

Nothing is written if there are errors in the tables or in the resulting game.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import replace_files
from deckwright.base.findings import (
    Grading,
    LimitedReport,
    Location,
    Report,
    Severity,
    known_hint,
)
from deckwright.base.output import OutputError, report_failure, stop_on_errors, write_failure
from deckwright.checking.stages import UncheckedItem, check_files
from deckwright.checks.loading import LimitOptions
from deckwright.game.columns import assign_titles
from deckwright.game.folder import GameFolder
from deckwright.grids.cells import E014, E015
from deckwright.grids.table import Cell, CellGrid, Column, normalize_text, split_titles
from deckwright.tables.changes import Blame, ChangedFile, GameEditor
from deckwright.tables.compare import (
    CardComparison,
    DeckComparison,
    ForeignTable,
    TableComparison,
    read_rows,
)
from deckwright.tables.export import LoadedGame
from deckwright.xmlio.load import file_limits, override_files, too_large_finding
from deckwright.xmlio.node import Document
from deckwright.xmlio.xml_text import XmlFile


def check_changes(
    folder: GameFolder, applied: Sequence[ChangedFile], rules: LimitOptions
) -> tuple[Report, tuple[UncheckedItem, ...]]:
    """Check the game with changed files; return findings located at the responsible cells.

    Warnings without a responsible cell are left to `deckwright check`.

    Returns:
        The findings, and what was not checked.
    """
    findings: Report = []
    with override_files({file.path: file.to_bytes() for file, _ in applied}):
        checked = check_files(folder, None, rules, findings, most_cards=MAX_LAID_OUT_CARDS)
    wanted = {finding.location for finding in findings if finding.location is not None}
    places: dict[Location, Cell] = {}
    for file, blames in applied:
        places |= _blamed_cells(file, blames, wanted)
    result: Report = []
    for finding in Grading(severities=checked.severities).apply(findings):
        cell = places.get(finding.location) if finding.location else None
        if cell is not None:
            message = f"{cell.prefix}{finding.message}"
            result.append(finding._replace(location=cell.place, message=message))
        elif finding.location is None or finding.severity is Severity.ERROR:
            result.append(finding)
    return result, checked.unchecked


def _blamed_cells(
    file: XmlFile, blames: Iterable[Blame], locations: Iterable[Location]
) -> dict[Location, Cell]:
    """Return the cells responsible for locations in a changed file.

    The first of several blames for one element takes precedence. Other files are skipped.
    """
    spots = {(at.line, at.column) for at in locations if at.path == file.path and at.line}
    if not spots:
        return {}
    text = str(file.document).replace("\r\n", "\n").replace("\r", "\n")
    document = Document(file.path, text)
    starts = [(line, column) for line, column, _ in document.starts()]
    # Only elements at these locations are considered, since a file may have 20,000 others.
    inside = {bisect_right(starts, (line or 0, column or 0)) - 1 for line, column in spots}
    elements = list(file.document.walk())[1:]
    ordinals = {id(elements[ordinal]): ordinal for ordinal in inside if ordinal >= 0}
    known = [blame for blame in blames if id(blame.element) in ordinals]
    places: dict[Location, Cell] = {}
    for blame in known:
        places.setdefault(document.locate(ordinals[id(blame.element)]), blame.cell)
    for blame in known:
        for name in blame.attributes:
            place = document.locate(ordinals[id(blame.element)], name)
            # A missing attribute is located at its element.
            if place != document.locate(ordinals[id(blame.element)]):
                places[place] = blame.cell
    return places


_MAX_LISTED = 10
"""The maximum number of cards in a note."""
MAX_LAID_OUT_CARDS = 500
"""The largest game, in cards, that is laid out before an import; larger ones take minutes."""


class ImportOptions(NamedTuple):
    """Options for importing tables.

    Attributes:
        dry: only report what would change.
        delete: remove cards that a table no longer contains.
        rules: the deck limits to check afterwards.
        foreign: how to read tables that are not exports of the game.
    """

    dry: bool = False
    delete: bool = False
    rules: LimitOptions = LimitOptions()
    foreign: ForeignTable = ForeignTable()


class ImportResult(NamedTuple):
    """The actual or potential changes, the changed files, and additional notes for the user."""

    changes: tuple[str, ...]
    files: tuple[Path, ...]
    notes: tuple[str, ...]


def import_tables(
    loaded: LoadedGame, grids: Sequence[CellGrid], options: ImportOptions, report: Report
) -> ImportResult:
    """Apply the changes in tables, with titles of the game's tables, to the files of the game.

    Raises:
        OutputError: if there are errors, some of which are reported.
    """
    findings = LimitedReport()
    editor = GameEditor(loaded)
    notes: list[str] = []
    with findings.limit():
        notes = compare_tables(loaded, grids, options, editor, findings)
    report.extend(findings)
    stop_on_errors(report)
    try:
        applied = editor.changed_files()
        files = {item.file.path: item.file.to_bytes() for item in applied}
        report += [
            too_large_finding(path, len(data))
            for path, data in files.items()
            if len(data) > file_limits().bytes
        ]
        stop_on_errors(report)
        if files:
            staged, unchecked = check_changes(loaded.folder, applied, options.rules)
            report.extend(staged)
            notes += [f"not checked: {part.what}; use `deckwright check`" for part in unchecked]
        stop_on_errors(report)
        if not options.dry:
            replace_files(files)
    except OSError as error:
        path = Path(str(error.filename)) if error.filename else loaded.folder.xml
        raise OutputError(write_failure(path, error)._replace(hint=None)) from error
    return ImportResult(tuple(editor.changes), tuple(files), tuple(notes))


def compare_tables(
    loaded: LoadedGame,
    grids: Sequence[CellGrid],
    options: ImportOptions,
    editor: GameEditor,
    report: Report,
) -> list[str]:
    """Plan the changes in tables, and return notes; errors are reported."""
    notes: list[str] = []
    # Decks come last, since they may contain new cards.
    for grid in sorted(grids, key=lambda grid: grid.title not in loaded.plans):
        title, plan = grid.title, loaded.plans.get(grid.title)
        comparison: TableComparison
        with report_failure(report):
            head, rows = read_rows(loaded, grid, loaded.columns[title], options.foreign, report)
            if plan is not None:
                comparison = CardComparison(loaded, plan, head, editor, report)
            else:
                comparison = DeckComparison(loaded, editor, report)
            comparison.run(rows)
            if options.delete:
                comparison.remove_missing()
            elif missing := comparison.missing:
                ids, have = [key[1] for key in missing], f"{len(missing)} cards have"
                have = "1 card has" if len(ids) == 1 else have
                listed = ", ".join(ids[:_MAX_LISTED]) + (" …" if len(ids) > _MAX_LISTED else "")
                notes.append(f"{title}: {have} no row and stay unchanged; --delete would remove: "
                             f"{listed}")  # fmt: skip
                new = {(faction, name): card_id for (faction, card_id), name in editor.new.items()}
                notes += [
                    f"{new_id} is a new card with the same name as {card_id}, which stays; an id "
                    "cannot be changed in a table"
                    for faction, card_id in (missing if plan is not None else ())
                    if (new_id := new.get((faction, comparison.names[faction, card_id])))
                ]
    return notes


def identify_table(name: str, grid: CellGrid, tables: Mapping[str, Sequence[Column]]) -> str:
    """Return which of a game's tables a file holds, or raise an OutputError if that is unclear.

    The file's name decides, or else its titles: the table that would miss the fewest columns.
    """
    for title in tables:
        if title.casefold() == name.casefold():
            return title
    head = split_titles(grid, None).head
    titles = {normalize_text(cell.text).casefold() for cell in head if not cell.is_blank}
    lacks: dict[str, int] = {}
    for table, columns in tables.items():
        known = {title.casefold() for c in columns for title in (c.title, *c.aliases)}
        if "id" in titles <= known:
            lacks[table] = sum(column.title.casefold() not in titles for column in columns)
    best = [table for table, number in lacks.items() if number == min(lacks.values())]
    if len(best) == 1:
        return best[0]
    message = f"neither the file's name nor its columns show which table it is, `{name}`"
    listed = ", ".join(f"`{title}`" for title in tables)
    raise OutputError(E015.at(grid.place, message, f"use `--kind` with one of {listed}"))


def find_known_grids(
    loaded: LoadedGame, grids: Sequence[CellGrid], path: Path, report: Report
) -> list[CellGrid]:
    """Return the tables of a workbook that the game has, or raise an OutputError.

    Other tabs are ignored and reported, except for the tab of lists.
    """
    names = {title.casefold(): title for title in loaded.columns}
    titled = ((names.get(grid.title.casefold()), grid) for grid in grids)
    known = [grid._replace(title=title) for title, grid in titled if title is not None]
    place = Location(path)
    if not known:
        tabs = ", ".join(f"`{grid.title}`" for grid in grids)
        listed = ", ".join(f"`{title}`" for title in loaded.columns)
        message = f"the workbook has only {tabs}, but no tab of the game"
        raise OutputError(E015.at(place, message, f"rename its tabs to {listed}"))
    missing = [title for title in loaded.columns if title not in {grid.title for grid in known}]
    for grid in grids:
        if grid.title.casefold() not in {*names, assign_titles(loaded.game.setup).lists.casefold()}:
            hint = known_hint(grid.title, missing, at_most=0)
            report.append(E014.at(place, f"the tab `{grid.title}` is ignored", hint))
    return known


def find_sole_grid(
    grids: Sequence[CellGrid], title: str, tab: str | None, path: Path
) -> list[CellGrid]:
    """Return the only relevant table of a file, under the title of the game's table.

    Args:
        tab: the tab of a workbook; None for the first one that is not empty.

    Raises:
        OutputError: if there is none.
    """
    matching = [
        g for g in grids if g.rows and (tab is None or g.title.casefold() == tab.casefold())
    ]
    if not matching:
        hint = known_hint(tab, [grid.title for grid in grids]) if tab else None
        message = f"the file has no tab `{tab}`" if tab else "there is no table in the file"
        raise OutputError(E015.at(Location(path), message, hint))
    return [matching[0]._replace(title=title)]
