"""`deckwright balance`: a look at the whole game."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from deckwright.api.asked import Weighing
from deckwright.base.visible import visible
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo

if TYPE_CHECKING:
    from deckwright.api import Game
    from deckwright.decks.balance.model import Balance


@command(
    "balance", "balance --faction HK --worth 'strength + 2*actions'", "balance --out report.pdf"
)
@common.game_option
@click.option("--faction", "factions", multiple=True, metavar="ID", help="Look at this one alone.")
@click.option("--worth", metavar="MEASURE", help="What cards are worth: strength + 2*actions.")
@click.option("--cost", metavar="MEASURE", help="What cards cost, a sum of fields as well.")
@click.option(
    "--best",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="How many of the best decks to look for.",
)
@click.option(
    "--apart",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    help="In how many copies each of them differs at least from all before it.",
)
@common.time_option("How long the search may take for each faction.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json")),
    default="text",
    help="Answer as text or JSON.",
)
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write to; the report with charts if its name ends in .pdf.",
)
@click.option(
    "--paper",
    type=click.Choice(("a4", "letter")),
    default="a4",
    show_default=True,
    help="The paper of the report.",
)
@common.limit_options
def balance(
    game: Path,
    form: str,
    out: Path | None,
    paper: str,
    **asked: Unpack[Weighing],
) -> None:
    """Look at the whole game: best decks, and cards that others beat.

    For every faction: the strongest and the cheapest legal deck, how often each card is in the best
    ones, cards that others beat, and cost against worth with a fitted line and its outliers.
    """
    opened = common.open_game(game)
    if out is not None and out.suffix == ".pdf":
        _print(opened, out, paper, asked)
    made, report = common.attempt(partial(opened.balance, **asked))
    if made is not None:
        common.answer(_in_form(made, form), out, report, form)
        _tell_missing()
    common.show(report)
    common.leave(report)


def _print(opened: Game, out: Path, paper: str, how: Weighing) -> None:
    """Print the report and end the program."""
    path = common.target("", opened.folder, str(out))
    printed, report = common.attempt(partial(opened.print_balance, path, paper=paper, **how))
    common.show(report)
    if printed is not None:
        echo(common.pages_in(printed, path))
        _tell_missing()
    common.leave(report)


def _tell_missing() -> None:
    from deckwright.decks.solver.highs import HOW_TO_GET, installed  # noqa: PLC0415

    if not installed():
        echo(f"without the library highspy no best decks are looked for: {HOW_TO_GET}", err=True)


def _in_form(balance: Balance, form: str) -> str:
    if form == "json":
        from deckwright.decks.balance.data import as_json  # noqa: PLC0415 - only if asked for

        return as_json(balance)

    from deckwright.cli.balance_text import BalanceText  # noqa: PLC0415 - only if asked for

    return "\n".join(visible(line) for line in BalanceText(balance).lines())
