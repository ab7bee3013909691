"""`deckwright tokens`: print the tokens of decks or factions alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.api import Print
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.press import named, press_lines, press_options, taken
from deckwright.cli.sheets import sheet_options


@command("tokens EW", "tokens army_EW_1 --copies 2", "tokens EW --service press")
@click.argument("names", nargs=-1, metavar="DECK|FACTION…", required=True)
@common.game_option
@common.out_option("tokens_NAME.pdf")
@common.style_option
@click.option("--copies", type=click.IntRange(1, 999), help="Print this many copies of each token.")
@sheet_options
@press_options
@common.watermark_options
@common.quiet_option
def tokens(
    names: tuple[str, ...],
    game: Path,
    out: str | None,
    style: str | None,
    copies: int | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `press_options` and `Sheets`
) -> None:
    """Print the tokens of a deck or a faction, without the cards.

    Of each token there are as many as the deck can need, or as many as one copy of each card of
    the faction can create. For a press, `--service` makes each of them a page with bleed.
    """
    opened, press = common.open_game(game), taken(asked)
    stems = {name: Path(name).name.removesuffix(".xml") for name in names}
    files = {name: named(f"tokens_{stem}.pdf", press) for name, stem in stems.items()}
    targets = common.targets(files, opened.folder, out)

    def summary(name: str, printed: Print) -> list[str]:
        if not printed.items:
            return [f"{name} creates no tokens, so there is nothing to print"]
        rows = [(item.name, str(item.copies)) for item in printed.items]
        rows += [("file", str(path)) for path in printed.paths]
        rows += common.cut_rows(printed.cuts)
        return [] if quiet else common.table(name, rows) + press_lines(printed.pressed)

    common.make_each(
        targets,
        lambda name, target: opened.print_tokens(
            name, target, style=style, copies=copies, press=press, **asked
        ),
        lambda name, _: f"the tokens of {name} were not printed",
        summary,
    )
