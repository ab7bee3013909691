"""`deckwright run reprint`: a deck of a run again, or one of its cards."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from deckwright.base.files import keep_within
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.run.opened import folder_argument, open_run
from deckwright.cli.terminal import echo


@command("run reprint out/run A-000001", "run reprint out/run A-000001:HK4 --out card.pdf")
@folder_argument
@click.argument("what", metavar="DECK[:CARD]")
@click.option("--out", "-o", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="The file to write; by default in reprints/ of the run.")  # fmt: skip
def reprint(folder: Path, what: str, out: Path | None) -> None:
    """Print a deck of a run again, or the copies of one of its cards.

    All is as it was, with the same values on it, whatever has become of the game since.
    """
    run = open_run(folder)
    deck, _, card = what.partition(":")
    if out is not None:
        keep_within(out)
    made, report = common.attempt(partial(run.reprint, deck, card or None, out))
    common.show(report)
    if made is not None:
        for path in made.files:
            pages = common.counted(made.pages, "page")
            echo(f"{common.counted(made.copies, 'card')} on {pages} in {path}")
    common.leave(report)
