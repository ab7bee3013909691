"""`deckwright balance`: a report on the whole game."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from deckwright.api.options import BalanceOptions, Limits
from deckwright.base.extras import install_command
from deckwright.base.options import option_names
from deckwright.cli import common
from deckwright.cli.options import options_of
from deckwright.cli.report_text import words_for
from deckwright.cli.terminal import command, echo
from deckwright.decks.balance.report import describe_balance
from deckwright.game.words import language_of

if TYPE_CHECKING:
    from deckwright.api import Game


@command(
    "balance", "balance --faction HK --worth 'strength + 2*actions'", "balance --out report.pdf"
)
@common.game_option
@options_of(BalanceOptions, without=option_names(Limits))
@common.format_option
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
    **options: Unpack[BalanceOptions],
) -> None:
    """Analyze the game: best decks, and cards that others beat.

    For every faction: the strongest and the cheapest legal deck, how often each card is in the best
    ones, cards that others beat, and cost against worth with a fitted line and its outliers.
    """
    opened = common.open_game(game)
    if out is not None and out.suffix == ".pdf":
        _print_report(opened, out, paper, options)
    result, report = common.run_catching(partial(opened.balance, **options))
    if result is not None:
        setup = result.game.setup
        answer = describe_balance(result, words_for(language_of(setup), setup.words))
        common.write_answer(answer, out, report, form)
        _warn_without_solver()
    common.show(report)
    common.exit_with_findings(report)


def _print_report(opened: Game, out: Path, paper: str, options: BalanceOptions) -> None:
    """Print the report as a PDF and exit."""
    path = common.output_path("", opened.folder, str(out))
    printed, report = common.run_catching(
        partial(opened.print_balance, path, paper=paper, **options)
    )
    common.show(report)
    if printed is not None:
        echo(common.describe_pages(printed, path))
        _warn_without_solver()
    common.exit_with_findings(report)


def _warn_without_solver() -> None:
    from deckwright.decks.solver.highs import is_installed

    if not is_installed():
        command = install_command("solve")
        echo(f"without the library highspy no best decks are looked for: {command}", err=True)
