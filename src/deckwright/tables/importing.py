"""Take changes back from tables: compare, put into copies of the files, check, and only then write.

Nothing is written while anything is wrong: neither in the tables, nor in the game that they make.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Location, Report, has_errors, known_hint
from deckwright.base.limited import LimitedReport
from deckwright.base.output import unwritable
from deckwright.base.replace import replace_files
from deckwright.checks.loading import Rules
from deckwright.game.columns import titles_of
from deckwright.game.model import CardKey
from deckwright.grids.heads import E014, E015, Row, rows_of, unread
from deckwright.grids.table import Column, Grid
from deckwright.tables.apply import apply_changes
from deckwright.tables.changes import Change, NewCard
from deckwright.tables.compare import Comparison
from deckwright.tables.decks import DeckComparison
from deckwright.tables.export import deck_columns
from deckwright.tables.records import Loaded, Record
from deckwright.tables.staging import check_staged
from deckwright.xmlio.load import MAX_BYTES, too_large

_LISTED = 10
"""How many cards a note lists."""


class ImportOptions(NamedTuple):
    """How to take tables back.

    Attributes:
        dry: change nothing, only say what would change.
        delete: remove cards that a table does not have any more.
        rules: the limits that decks must keep afterwards.
    """

    dry: bool = False
    delete: bool = False
    rules: Rules = Rules()


class Outcome(NamedTuple):
    """What was changed, or would be.

    Attributes:
        files: the files that are written.
        notes: what else the user may want to know.
    """

    changes: tuple[Change, ...]
    files: tuple[Path, ...]
    notes: tuple[str, ...]


def import_tables(
    loaded: Loaded, grids: Sequence[Grid], options: ImportOptions, report: Report
) -> Outcome | None:
    """Bring what tables change into the files of a game; None after reporting why nothing was.

    Args:
        grids: tables with the titles of those of the game.
    """
    found = LimitedReport()
    changes: list[Change] = []
    notes: list[str] = []
    with found.limited():
        changes, notes = compare_tables(loaded, grids, options, found)
    report.extend(found)
    if has_errors(report):
        return None
    try:
        applied = apply_changes(loaded, changes)
        files = {item.file.path: item.file.bytes() for item in applied}
        report += [too_large(p, len(data)) for p, data in files.items() if len(data) > MAX_BYTES]
        if files and not has_errors(report):
            report.extend(check_staged(loaded.folder, applied, options.rules))
        if has_errors(report):
            return None
        if not options.dry:
            replace_files(files)
    except OSError as error:
        path = Path(str(error.filename)) if error.filename else loaded.folder.xml
        report.append(unwritable(path, error)._replace(hint=None))
        return None
    return Outcome(tuple(changes), tuple(files), tuple(notes))


def compare_tables(
    loaded: Loaded, grids: Sequence[Grid], options: ImportOptions, report: Report
) -> tuple[list[Change], list[str]]:
    """Return what tables change, and notes; what is wrong with them is reported."""
    titles = titles_of(loaded.game.setup)
    changes: list[Change] = []
    notes: list[str] = []
    rows = {
        grid.title: found for grid in grids if (found := _rows(loaded, grid, report)) is not None
    }
    columns = columns_of(loaded)
    free = {grid.title: unread(grid, columns.get(grid.title, ())) for grid in grids}
    for title, found in rows.items():
        plan = loaded.plan(title)
        if plan is None:
            continue
        comparison = Comparison(loaded, plan, report)
        comparison.run(found, free.get(title))
        if options.delete:
            comparison.remove_missing()
        elif comparison.missing:
            notes.append(_missing(title, [record.key[1] for record in comparison.missing]))
            notes += _renamed(comparison.missing, comparison.changes)
        changes += comparison.changes
    if titles.decks in rows:
        decks = DeckComparison(loaded, dict(_new_names(loaded, changes)), report)
        decks.run(rows[titles.decks])
        if options.delete:
            decks.remove_missing()
        elif decks.missing:
            notes.append(_missing(titles.decks, [key[1] for key in decks.missing]))
        changes += decks.changes
    return changes, notes


def _rows(loaded: Loaded, grid: Grid, report: Report) -> list[Row] | None:
    """Return the rows of a table, None after reporting that it is none of the game's."""
    columns = columns_of(loaded).get(grid.title)
    if columns is None:
        hint = known_hint(grid.title, columns_of(loaded))
        report.append(E015.at(grid.place, f"the game has no table `{grid.title}`", hint))
        return None
    return rows_of(grid, columns, report)


def columns_of(loaded: Loaded) -> dict[str, tuple[Column, ...]]:
    """Return the columns of the tables of a game by their titles."""
    columns = {plan.title: plan.columns for plan in loaded.plans}
    if loaded.decks:
        columns[titles_of(loaded.game.setup).decks] = deck_columns(loaded)
    return columns


def known_grids(
    loaded: Loaded, grids: Sequence[Grid], path: Path, report: Report
) -> list[Grid] | None:
    """Return those tables of a workbook that are the game's, None after reporting there are none.

    Others are not read, and all but the tab of lists are reported.
    """
    titles, tables = titles_of(loaded.game.setup), columns_of(loaded)
    names = {title.casefold(): title for title in tables}
    known = [
        grid._replace(title=names[grid.title.casefold()])
        for grid in grids
        if grid.title.casefold() in names
    ]
    place = Location(path)
    if not known:
        found = ", ".join(f"`{grid.title}`" for grid in grids)
        listed = ", ".join(f"`{title}`" for title in tables)
        message = f"the workbook has no tab that belongs to the game, only {found}"
        report.append(E015.at(place, message, f"name its tabs {listed}"))
        return None
    missing = [title for title in tables if title not in {grid.title for grid in known}]
    for grid in grids:
        if grid.title.casefold() not in {*names, titles.lists.casefold()}:
            hint = known_hint(grid.title, missing, at_most=0)
            report.append(E014.at(place, f"the tab `{grid.title}` is not read", hint))
    return known


def sole_grid(
    grids: Sequence[Grid], title: str, tab: str | None, path: Path, report: Report
) -> list[Grid] | None:
    """Return the one table of a file that is taken for one of the game's, None after reporting.

    Args:
        title: that of the game's table.
        tab: that of the one in a workbook; None for the first with anything in it.
    """
    found = [g for g in grids if g.rows and (tab is None or g.title.casefold() == tab.casefold())]
    if not found:
        hint = known_hint(tab, [grid.title for grid in grids]) if tab else None
        message = f"the file has no tab `{tab}`" if tab else "there is no table in the file"
        report.append(E015.at(Location(path), message, hint))
        return None
    return [found[0]._replace(title=title)]


def _new_names(loaded: Loaded, changes: Iterable[Change]) -> Iterable[tuple[CardKey, str]]:
    """Yield the new cards that decks may have, with their names."""
    for change in changes:
        if isinstance(change, NewCard) and change.key[0]:
            owner, card_id = change.key
            for faction in loaded.game.factions.values():
                if owner in {faction.id, faction.cards_of}:
                    yield (faction.id, card_id), change.attributes.get("name", "")


def _missing(title: str, ids: Sequence[str]) -> str:
    """Return the note that cards have no row."""
    listed = ", ".join(ids[:_LISTED]) + (" …" if len(ids) > _LISTED else "")
    have = "card has" if len(ids) == 1 else "cards have"
    return f"{title}: {len(ids)} {have} no row and stay as they are; --delete removes: {listed}"


def _renamed(missing: Iterable[Record], changes: Iterable[Change]) -> Iterable[str]:
    """Yield notes about new cards that look like ones that have no row any more."""
    new = {
        (change.key[0], change.attributes.get("name")): change
        for change in changes
        if isinstance(change, NewCard)
    }
    for record in missing:
        change = new.get((record.key[0], record.node.get("name")))
        if change is not None:
            yield (
                f"{change.key[1]} is a new card with the same name as {record.key[1]}, which "
                "stays; an id cannot be changed in a table"
            )
