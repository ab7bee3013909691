"""`deckwright overview`, also `overview_constructor`: all factions, cards and rules in one PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.press import named, press_lines, press_options, taken


@command("overview", "overview HK --out out/")
@click.argument("factions", nargs=-1, metavar="[FACTION]…")
@common.game_option
@common.out_option("overview.pdf")
@common.style_option
@press_options
@common.quiet_option
def overview(
    factions: tuple[str, ...],
    game: Path,
    out: str | None,
    style: str | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `press_options`
) -> None:
    """Print every faction with its cards and rules, and indexes.

    FACTION is the id of a faction, which is printed to out/overview_FACTION.pdf. Without one, all
    are printed, with a cover, a table of contents, and indexes of cards and rules.
    """
    opened, press = common.open_game(game), taken(asked)
    name = "_".join(["overview", *dict.fromkeys(factions)]) + ".pdf"
    target = common.target(named(name, press), opened.folder, out)
    common.make_each(
        {name: target},
        lambda _, path: opened.print_overview(path, factions=factions, style=style, press=press),
        lambda *_: "the overview was not printed",
        lambda _, printed: (
            () if quiet else [common.pages_in(printed, target), *press_lines(printed.pressed)]
        ),
    )
