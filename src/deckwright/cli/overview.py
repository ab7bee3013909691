"""`deckwright overview`, also `overview_constructor`: all factions, cards and rules in one PDF."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report, known_hint
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.game.load import load_factions, load_setup
from deckwright.outputs.print_books import print_overview


@command("overview", "overview HK --out out/")
@click.argument("factions", nargs=-1, metavar="[FACTION]…")
@common.game_option
@common.out_option("overview.pdf")
@common.style_option
@common.quiet_option
def overview(
    factions: tuple[str, ...], game: Path, out: str | None, style: str | None, quiet: bool
) -> None:
    """Print every faction with its cards and rules, and indexes.

    FACTION is the id of a faction, which is printed to out/overview_FACTION.pdf. Without one, all
    are printed, with a cover, a table of contents, and indexes of cards and rules.
    """
    folder = common.open_folder(game)
    style = common.parse_style(folder, style)
    setup = load_setup(folder, [])
    known = load_factions(folder, setup, [])[0] if setup else {}
    for name in factions if known else ():
        if name not in known:
            message = f"there is no faction `{name}`"
            raise click.UsageError(common.with_hint(message, known_hint(name, known)))
    chosen = list(dict.fromkeys(factions))
    name = "_".join(["overview", *chosen]) + ".pdf"
    target = common.target(name, folder, out)
    report: Report = []
    pages = print_overview(folder, chosen, target, style, report)
    common.show_kinds(report)
    if pages is None:
        echo(f"the overview was not printed: {common.totals(report)}", err=True)
    elif not quiet:
        echo(f"{common.counted(pages, 'page')} in {target}")
    common.leave(report)
