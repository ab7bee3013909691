"""`deckwright run plan`: a run from a file of decks."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from deckwright.api.asked import RunPrint
from deckwright.api.errors import GameError
from deckwright.base.files import keep_within
from deckwright.cli import common
from deckwright.cli.export.service import ready_options, stock_options
from deckwright.cli.group import command
from deckwright.cli.sheets import reference_option, uncut_options
from deckwright.cli.terminal import echo
from deckwright.outputs.tuckbox import BOX_PAPERS
from deckwright.runs.run import plan_run


@command(
    "run plan out/run.jsonl",
    "run plan club.csv --out club --sheet a4-poker --backs",
    "run plan out/run.jsonl --service press",
    "run plan out/run.jsonl --service mpc --stock S33 --foil",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@common.game_option
@click.option("--out", "-o", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
              help="The folder of the run; by default out/ and the name of FILE.")  # fmt: skip
@common.style_option
@uncut_options
@reference_option
@click.option("--odds", is_flag=True, help="Print the odds of opening hands, too.")
@click.option("--boxes", is_flag=True, help="Print a tuck box for each deck, too.")
@click.option("--paper", type=click.Choice(BOX_PAPERS), help="The paper of boxes; a4 by default.")
@click.option("--service", metavar="ID",
              help="Make decks ready for this print service: a card on each page.")  # fmt: skip
@click.option("--size", metavar="ID", help="Which of the service's cards to print on.")
@ready_options
@stock_options
@common.watermark_option
@common.limit_options
def plan(file: Path, game: Path, out: Path | None, **asked: Unpack[RunPrint]) -> None:
    """Plan to print decks, one a line of a file.

    FILE has a JSON object a line, or is CSV or Parquet. The folder of the run keeps its decks, the
    options and the game as it is now. Nothing is printed before `run start`.
    """
    folder = common.open_folder(game)
    target = out or folder.path / "out" / file.stem
    keep_within(target)
    try:
        run = plan_run(folder.path, file, target, **asked)
    except GameError as error:
        report = [*error.findings]
        common.show(report)
        echo(f"{common.totals(report)}; nothing was planned", err=True)
        common.leave(report)
    echo(f"{common.counted(run.decks, 'deck')} planned in {target}")
    echo(f"print them with: deckwright run start {target}")
