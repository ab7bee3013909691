"""`deckwright overview`, also `overview_constructor`: all factions, cards and rules in one PDF."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.cli import common
from deckwright.cli.group import command


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
    opened = common.open_game(game)
    name = "_".join(["overview", *dict.fromkeys(factions)]) + ".pdf"
    target = common.target(name, opened.folder, out)
    common.make_each(
        {name: target},
        lambda _, path: opened.print_overview(path, factions=factions, style=style),
        lambda *_: "the overview was not printed",
        lambda _, printed: () if quiet else [common.pages_in(printed, target)],
    )
