"""`deckwright deck`, also `deck_constructor`: print decks."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright import printing
from deckwright.cli import common
from deckwright.diagnostics import Report


@click.command()
@click.argument("decks", nargs=-1, metavar="DECK…")
@common.game_option
@common.out_option("deck_NAME.pdf")
@common.style_option
@click.option(
    "--backs/--no-backs",
    default=None,
    help="Print the backs after each sheet, to be turned over on the long edge, or do not.",
)
@common.limit_options
@common.quiet_option
def deck(
    decks: tuple[str, ...],
    game: Path,
    out: str | None,
    style: str | None,
    backs: bool | None,
    ignore_limits: bool,
    format_id: str | None,
    changes: tuple[str, ...],
    quiet: bool,
) -> None:
    """Print decks as PDF files: a deck sheet, cards, tokens and a reference of their rules.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. A deck with an
    error is not printed.
    """
    folder = common.open_folder(game)
    if not decks:
        names = ", ".join(path.name for path in folder.deck_files()) or "none yet"
        message = f"name a deck list.\nIn {folder.decks_folder} there are: {names}"
        raise click.UsageError(message)
    rules = common.parse_rules(
        folder, ignore_limits=ignore_limits, format_id=format_id, changes=changes
    )
    style = common.parse_style(folder, style)
    targets = common.targets(
        {name: f"deck_{folder.deck_file(name).stem}.pdf" for name in decks}, folder, out
    )
    all_findings: Report = []
    for name, target in targets.items():
        report: Report = []
        path = folder.deck_file(name)
        printed = printing.print_deck(folder, path, target, rules, style, report, backs=backs)
        common.show(report)
        if printed is None:
            click.echo(f"{path.name} was not printed: {common.totals(report)}", err=True)
        elif not quiet:
            click.echo(_summary(printed))
        all_findings += report
    common.leave(all_findings)


def _summary(printed: printing.Printed) -> str:
    """Return what was printed as a short table."""
    stats = printed.stats
    rows = common.deck_rows(stats)
    sheets = common.counted(printed.sheets, "sheet") + " of cards"
    rows.append(("pages", f"{printed.pages} ({sheets})"))
    rows.append(("file", str(printed.path)))
    return common.table(stats.deck.name, rows)
