"""`deckwright balance`: a report on the whole game."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from deckwright.api.options import BalanceOptions, Limits
from deckwright.base.extras import install_command
from deckwright.base.options import option_names
from deckwright.cli import common
from deckwright.cli.options import OUTPUT_FILE, options_of
from deckwright.cli.terminal import echo
from deckwright.decks.balance.report import describe_balance
from deckwright.game.words import language_of


@common.command(
    "balance", "balance --faction HK --worth 'strength + 2*actions'", "balance --out report.pdf"
)
@common.game_option
@options_of(BalanceOptions, without=option_names(Limits))
@common.format_option
@click.option("--out", "-o", type=OUTPUT_FILE,
              help="The file to write to; the report with charts if its name ends in .pdf.",
              )  # fmt: skip
@click.option("--paper", type=click.Choice(("a4", "letter")), default="a4", show_default=True,
              help="The paper of the report.")  # fmt: skip
@common.limit_options
@common.language_option
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
    from deckwright.decks.solver.highs import is_installed  # not to show help

    opened = common.open_game(game)
    is_pdf = out is not None and out.suffix == ".pdf"
    if is_pdf:
        path = common.output_path("", opened.folder, str(out))
        printed = opened.print_balance(path, paper=paper, **options)
        report = [*printed.findings]
        common.show(report)
        echo(common.describe_pages(printed, path))
    else:
        result = opened.balance(**options)
        setup, report = result.game.setup, [*result.findings]
        answer = describe_balance(result, common.words_for(language_of(setup), setup.words))
        common.write_answer(answer, out, report, form)
    if not is_installed():
        hint = install_command("solve")
        echo(f"without the library highspy no best decks are looked for: {hint}", err=True)
    if not is_pdf:
        common.show(report)
    common.exit_with_findings(report)
