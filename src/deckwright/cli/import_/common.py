"""What the imports of tables share: options, and reporting what changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path

import click

from deckwright.api.asked import Limits, rules_of
from deckwright.base.choices import demand
from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.terminal import echo
from deckwright.game.folder import GameFolder
from deckwright.grids.table import Grid
from deckwright.tables.foreign import Foreign
from deckwright.tables.importing import ImportOptions, columns_of, import_tables
from deckwright.tables.records import Loaded, load_records

Map = tuple[str, str]
"""The title of a column, and what it holds."""

Read = Callable[..., "list[Grid] | None"]
"""Reads tables, given a game, the report and the options of its own; None after reporting why they
cannot be read."""


def _map(_: click.Context, __: click.Parameter, given: Sequence[str]) -> tuple[Map, ...]:
    """Return what columns hold, given as `Title=field`."""
    pairs = [text.rpartition("=") for text in given]
    for title, _sign, what in pairs:
        if not title.strip() or not what.strip():
            raise click.BadParameter("write it as `TITLE=FIELD`, such as `Power=strength`")
    return tuple((title.strip(), what.strip()) for title, _, what in pairs)


def foreign_options(read: Read) -> Read:
    """Give what reads a table the options for one that is not the game's own."""

    @wraps(read)
    def run(
        loaded: Loaded,
        report: Report,
        *,
        kind: str | None,
        maps: tuple[Map, ...],
        faction: str | None,
        **own: object,
    ) -> list[Grid] | None:
        tables = columns_of(loaded)
        if kind is not None:
            demand(kind, tables, "kind of card")
        if faction is not None:
            demand(faction, loaded.game.factions, "faction")
        known = {name for c in tables.values() for column in c for name in column.called}
        for _, what in maps:
            demand(what, sorted(known), "field")
        return read(loaded, report, foreign=Foreign(kind, maps, faction), **own)

    return common.together(
        click.option("--kind", metavar="KIND",
                     help="The kind of card in the file, if its name or tab is not that."),
        click.option("--map", "maps", metavar="TITLE=FIELD", multiple=True, callback=_map,
                     help="What a column holds that is not called like a field."),
        click.option("--faction", metavar="ID", help="The faction of cards that name none."),
    )(run)  # fmt: skip


def import_options(read: Read) -> Callable[..., None]:
    """Make what imports the tables that `read` gives, with the options of all imports."""

    @wraps(read)
    def run(
        game: Path,
        dry_run: bool,
        delete: bool,
        ignore_limits: bool,
        limits: str | None,
        limit: dict[str, int | None],
        date: str | None,
        **own: object,
    ) -> None:
        folder = common.open_folder(game)
        held = Limits(ignore_limits=ignore_limits, limits=limits, limit=limit, date=date)
        options = ImportOptions(dry_run, delete, rules_of(folder, held))
        _import(folder, lambda loaded, report: read(loaded, report, **own), options)

    return common.together(
        common.game_option,
        click.option("--dry-run", is_flag=True, help="Change nothing; list what would change."),
        click.option("--delete", is_flag=True,
                     help="Delete cards that have no row in their table."),
        common.limit_options,
    )(run)  # fmt: skip


def _import(folder: GameFolder, read: Read, options: ImportOptions) -> None:
    """Import the tables that `read` gives, report what changes, and end the program."""
    report: Report = []
    loaded = load_records(folder, report)
    grids = read(loaded, report) if loaded else None
    outcome = import_tables(loaded, grids, options, report) if loaded and grids else None
    common.show(report)
    if outcome is None:
        echo(f"{common.totals(report)}, nothing was changed", err=True)
        common.leave(report, failed=True)
    if report:
        echo(common.totals(report), err=True)
    for change in outcome.changes:
        echo(change)
    for note in outcome.notes:
        echo(f"note: {note}")
    verb = "would change" if options.dry else "changed"
    changes = common.counted(len(outcome.changes), "change")
    names = ", ".join(path.name for path in outcome.files)
    echo(f"{changes}; {verb}: {names}" if names else "the tables contain no changes")
    common.leave(report)
