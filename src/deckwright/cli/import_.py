"""`deckwright import`: bring in changes made in other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path

import click

from deckwright.api.options import Limits, resolve_limits
from deckwright.base.findings import Report, require_known
from deckwright.base.output import OutputError, report_failure, stop_on_errors
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.options import INPUT_FILE, combine_options
from deckwright.cli.terminal import echo
from deckwright.grids.csv import read_csv
from deckwright.grids.reading import read_grids
from deckwright.grids.table import CellGrid
from deckwright.grids.workbooks import read_workbook
from deckwright.tables.compare import ForeignTable
from deckwright.tables.export import LoadedGame, load_records
from deckwright.tables.importing import (
    ImportOptions,
    find_known_grids,
    find_sole_grid,
    identify_table,
    import_tables,
)

MapOption = tuple[str, str]
"""The title of a column and the field that it holds."""

TableReader = Callable[..., list[CellGrid]]
"""Reads tables, given a game, the kind in them, the report and options of its own; raises an
OutputError if there are errors."""


def _parse_mappings(
    _: click.Context, __: click.Parameter, texts: Sequence[str]
) -> tuple[MapOption, ...]:
    """Parse column mappings of the form `Title=field`."""
    pairs = [text.rpartition("=") for text in texts]
    for title, _sign, what in pairs:
        if not title.strip() or not what.strip():
            raise click.BadParameter("write it as `TITLE=FIELD`, such as `Power=strength`")
    return tuple((title.strip(), what.strip()) for title, _, what in pairs)


def import_options(read: TableReader) -> Callable[..., None]:
    """Turn a function that reads tables into one that imports them, with the common options."""

    @wraps(read)
    def run(
        game: Path,
        dry_run: bool,
        delete: bool,
        ignore_limits: bool,
        limits: str | None,
        limit: dict[str, int | None],
        date: str | None,
        kind: str | None,
        maps: tuple[MapOption, ...],
        faction: str | None,
        **own: object,
    ) -> None:
        folder = common.open_folder(game)
        deck_limits = Limits(ignore_limits=ignore_limits, limits=limits, limit=limit, date=date)
        rules = resolve_limits(folder, deck_limits)
        options = ImportOptions(dry_run, delete, rules, ForeignTable(kind, maps, faction))
        report: Report = []
        try:
            loaded = load_records(folder, report)
            if kind is not None:
                require_known(kind, loaded.columns, "kind of card")
            if faction is not None:
                require_known(faction, loaded.game.factions, "faction")
            fields = {name for columns in loaded.columns.values() for column in columns
                      for name in column.all_titles}  # fmt: skip
            for _, field in maps:
                require_known(field, sorted(fields), "field")
            grids = read(loaded, report, kind=kind, maps=maps, **own)
            outcome = import_tables(loaded, grids, options, report)
        except OutputError as error:
            report += error.findings
            common.show(report)
            echo(f"{common.describe_totals(report)}, nothing was changed", err=True)
            common.exit_with_findings(report, failed=True)
        common.show(report)
        if report:
            echo(common.describe_totals(report), err=True)
        echo(*outcome.changes, *(f"note: {note}" for note in outcome.notes))
        verb = "would change" if dry_run else "changed"
        changes = pluralize(len(outcome.changes), "change")
        names = ", ".join(path.name for path in outcome.files)
        echo(f"{changes}; {verb}: {names}" if names else "the tables contain no changes")
        common.exit_with_findings(report)

    return combine_options(
        click.option("--kind", metavar="KIND",
                     help="The kind of card in the file, if the file or tab is not named after it.",
                     ),
        click.option("--map", "maps", metavar="TITLE=FIELD", multiple=True,
                     callback=_parse_mappings,
                     help="The field of a column that has another name."),
        click.option("--faction", metavar="ID", help="The faction of cards without one."),
        common.game_option,
        click.option("--dry-run", is_flag=True, help="Change nothing; list what would change."),
        click.option("--delete", is_flag=True,
                     help="Delete cards that have no row in their table."),
        common.limit_options,
    )(run)  # fmt: skip


@common.command("import csv out/csv/card.csv --dry-run", "import csv out/csv/*.csv")
@click.argument("files", nargs=-1, required=True, type=INPUT_FILE)
@import_options
def csv(
    loaded: LoadedGame,
    report: Report,
    *,
    files: tuple[Path, ...],
    kind: str | None,
    maps: tuple[MapOption, ...],
) -> list[CellGrid]:
    """Import changes from the files of `deckwright export csv`.

    Only what differs is changed in the XML files. Rows with new ids become new cards. If anything
    is wrong, in the tables or in the resulting game, nothing is changed. Tables that were made
    elsewhere need --kind, and --map for columns that do not have the name of a field.
    """
    if kind is not None and len(files) > 1:
        raise click.UsageError("--kind takes a single file")
    tables = loaded.columns
    known = [word for columns in tables.values() for column in columns for word in column.words]
    known += [title for title, _ in maps]
    grids: dict[str, CellGrid] = {}
    sources: dict[str, Path] = {}
    for path in files:
        with report_failure(report):
            grid = read_csv(path, path.stem, known)
            title = kind or identify_table(path.stem, grid, tables)
            if title in grids:
                message = f"{sources[title]} and {path} are both tables of kind `{title}`"
                raise click.UsageError(message)
            sources[title] = path
            grids[title] = grid if title == path.stem else read_csv(path, title, known)
    stop_on_errors(report)
    return list(grids.values())


@common.command(
    "import json out/cards.json --kind card --dry-run",
    "import json out/cards.json --list data.cards --map attributes.title=name",
)
@click.argument("file", type=INPUT_FILE)
@click.option("--list", "where", metavar="PATH", help="The path of the list, such as data.cards.")
@import_options
def json(
    loaded: LoadedGame,
    _report: Report,
    *,
    file: Path,
    where: str | None,
    kind: str | None,
    **_: object,
) -> list[CellGrid]:
    """Import cards from the JSON export of a card database.

    The cards are a list of objects anywhere in the file; --list gives its path. --map reads fields
    of nested objects by their paths, as in `--map attributes.title=name`. Existing cards are
    changed, others are added; fields that are not mapped are ignored.
    """
    kinds = [plan.title for plan in loaded.plans.values() if not plan.kind.token]
    kind = kind or (kinds[0] if len(kinds) == 1 else None)
    if kind is None or kind not in loaded.columns:
        raise click.UsageError(f"name the kind of card in the file with --kind: {', '.join(kinds)}")
    return find_sole_grid(read_grids(file, where, ()), kind, None, file)


@common.command("import xlsx out/cards.xlsx --dry-run", "import xlsx out/cards.xlsx --delete")
@click.argument("file", type=INPUT_FILE)
@click.option("--tab", metavar="NAME", help="With --kind, the tab to read.")
@import_options
def xlsx(
    loaded: LoadedGame,
    report: Report,
    *,
    file: Path,
    tab: str | None,
    kind: str | None,
    **_: object,
) -> list[CellGrid]:
    """Import changes from the workbook of `deckwright export xlsx`.

    Only what differs is changed in the XML files. Rows with new ids become new cards. If anything
    is wrong, in the workbook or in the resulting game, nothing is changed. Workbooks that were made
    elsewhere need --kind, and --map for columns that do not have the name of a field.
    """
    if kind is not None:
        return find_sole_grid(read_workbook(file), kind, tab, file)
    if tab is not None:
        raise click.UsageError("--tab needs --kind, the kind of card in the tab")
    titles = {title.casefold() for title in loaded.columns}
    grids = read_workbook(file, lambda title: title.casefold() in titles)
    return find_known_grids(loaded, grids, file, report)
