"""`deckwright pull`: fetch published tables, the only command that uses the internet."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.base.units import pluralize
from deckwright.cli import common
from deckwright.cli.terminal import echo


@common.command("pull --dry-run", "pull cards.csv")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@common.game_option
@click.option("--dry-run", is_flag=True, help="Change nothing; say what would change.")
def pull(files: tuple[str, ...], game: Path, dry_run: bool) -> None:
    """Fetch published tables of cards from the web.

    `<table file="cards.csv" url="https://...">` in game.xml names the address that a table is
    published at, such as that of a Google sheet. FILE selects some of these tables. A table that
    cannot be fetched or read leaves its file as it is. No other command uses the internet.
    """
    from deckwright.tables.pulling import pull_tables  # imports HTTP and TLS

    report: Report = []
    tables = []
    for table in pull_tables(common.open_folder(game), files, report, dry=dry_run):
        tables.append(table)
        rows = pluralize(table.rows, "row")
        echo(f"{table.path.name}: {rows}, {table.changes or 'unchanged'}")
    common.show(report)
    if report:
        kept = "these tables stay as they were" if tables else "nothing was changed"
        echo(f"{common.describe_totals(report)}, {kept}", err=True)
    elif not tables:
        echo('no table in game.xml has an address: add `url="https://..."` to a `<table>`')
    changed = ", ".join(table.path.name for table in tables if table.changes)
    if changed and dry_run:
        echo(f"would change: {changed}")
    elif changed:
        echo(f"changed: {changed}; now run `deckwright check`")
    common.exit_with_findings(report)
