"""`deckwright tokens`: print the tokens of decks or factions alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.sheets import parse_sheets, sheet_options
from deckwright.cli.terminal import echo
from deckwright.outputs.tokens import print_tokens


@command("tokens EW", "tokens army_EW_1 --copies 2")
@click.argument("names", nargs=-1, metavar="DECK|FACTION…", required=True)
@common.game_option
@common.out_option("tokens_NAME.pdf")
@common.style_option
@click.option("--copies", type=click.IntRange(1, 999), help="Print this many copies of each token.")
@sheet_options
@common.quiet_option
def tokens(
    names: tuple[str, ...],
    game: Path,
    out: str | None,
    style: str | None,
    copies: int | None,
    quiet: bool,
    **sheets: Any,  # noqa: ANN401 - as sheet_options says
) -> None:
    """Print the tokens of a deck or a faction, without the cards.

    Of each token there are as many as the deck can need, or as many as one copy of each card of
    the faction can create.
    """
    folder = common.open_folder(game)
    style = common.parse_style(folder, style)
    options = parse_sheets(folder, **sheets)
    targets = common.targets(
        {name: f"tokens_{Path(name).name.removesuffix('.xml')}.pdf" for name in names}, folder, out
    )
    all_findings: Report = []
    for name, target in targets.items():
        report: Report = []
        counts = print_tokens(folder, name, copies, target, style, report, options)
        common.show_kinds(common.new_in(report, all_findings))
        all_findings += report
        if counts is None:
            echo(f"the tokens of {name} were not printed: {common.totals(report)}", err=True)
        elif not counts:
            echo(f"{name} creates no tokens, so there is nothing to print")
        elif not quiet:
            rows = [(count.token.name, str(count.copies)) for count in counts]
            echo(*common.table(name, [*rows, ("file", str(target))]))
    common.leave(all_findings)
