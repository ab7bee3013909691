"""What the imports of tables share: options, and reporting what changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.terminal import echo

if TYPE_CHECKING:
    from deckwright.game.folder import GameFolder
    from deckwright.tables.importing import ImportOptions
    from deckwright.tables.records import Loaded
    from deckwright.tables.table import Grid

F = TypeVar("F", bound=Callable[..., object])
Read = Callable[["Loaded", Report], "list[Grid] | None"]
"""Reads the tables of a game; None after reporting why they cannot be read."""


def import_options(function: F) -> F:
    """Add the options of all imports of tables."""
    for option in (
        common.limit_options,
        click.option("--delete", is_flag=True,
                     help="Delete cards that have no row in their table."),
        click.option("--dry-run", is_flag=True, help="Change nothing; list what would change."),
        common.game_option,
    ):  # fmt: skip
        function = option(function)
    return function


def options_of(
    folder: GameFolder,
    *,
    dry_run: bool,
    delete: bool,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
) -> ImportOptions:
    """Return what the options of `import_options` ask for.

    Raises:
        click.UsageError: if a limit or a format does not exist, or a value is not one.
    """
    from deckwright.tables.importing import ImportOptions  # noqa: PLC0415 - keeps --help quick

    rules = common.parse_rules(
        folder, ignore_limits=ignore_limits, format_id=format_id, changes=changes
    )
    return ImportOptions(dry_run, delete, rules)


def run(folder: GameFolder, read: Read, options: ImportOptions) -> NoReturn:
    """Import the tables that `read` gives, report what changes, and end the program."""
    from deckwright.tables.importing import import_tables  # noqa: PLC0415 - keeps --help quick
    from deckwright.tables.records import load_records  # noqa: PLC0415

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
