"""`deckwright check`: check a game, or some of its files."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright import pipeline
from deckwright.cli import common
from deckwright.diagnostics import Location, Report
from deckwright.files import is_file
from deckwright.xmlio.load import X006


@click.command()
@click.argument("files", nargs=-1)
@common.game_option
@common.limit_options
def check(
    files: tuple[str, ...],
    game: Path,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
) -> None:
    """Check the whole game, or just FILES.

    FILES are files of the game, or names of deck lists in xml/Decks. What they refer to is read,
    but only findings in them are shown.
    """
    folder = common.open_folder(game)
    rules = common.parse_rules(
        folder, ignore_limits=ignore_limits, format_id=format_id, changes=changes
    )
    report: Report = []
    paths = []
    for name in files:
        path = Path(name) if is_file(Path(name)) else folder.deck_file(name)
        if is_file(path):
            paths.append(path)
        else:
            report.append(X006.at(Location(Path(name)), "there is no such file"))
    checked = pipeline.Checked(0, ())
    if paths or not files:
        checked = pipeline.check(folder, paths, rules, report, everything=not files)
    common.show(report)
    if checked.elsewhere:
        names = ", ".join(path.name for path in checked.elsewhere)
        click.echo(f"not all could be checked, for there are errors in {names}", err=True)
    if report:
        click.echo(common.totals(report), err=True)
    elif not checked.elsewhere:
        what = common.counted(checked.number, "card and deck", "cards and decks")
        if files:
            what = common.counted(len(files), "file")
        click.echo(f"{what} checked, nothing to complain of")
    common.leave(report, failed=bool(checked.elsewhere))
