"""`deckwright run merge`: the decks of a run in larger files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from deckwright.base.files import keep_within
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.run.opened import folder_argument, open_run
from deckwright.cli.terminal import echo
from deckwright.runs.plan import MERGED


@command("run merge out/run --by 50", "run merge out/run --by 200 --no-separators --out big")
@folder_argument
@click.option("--by", type=click.IntRange(1, 10_000), default=50, show_default=True, metavar="N",
              help="How many decks a file has.")  # fmt: skip
@click.option("--separators/--no-separators", default=None,
              help="Print a page before each deck that names it, as sheets have it.")  # fmt: skip
@click.option("--out", "-o", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
              help="The folder of the files; by default merged/ of the run.")  # fmt: skip
def merge(folder: Path, by: int, separators: bool | None, out: Path | None) -> None:
    """Print the decks of a run into larger files.

    Before each deck stands a page with its name, its number, a checksum and a QR code of its id;
    PDF/X-4 for a print service says in document parts which pages are which deck's. Pages are
    those of the decks' own files; decks that are not yet printed are left out.
    """
    run = open_run(folder)
    target = out or folder / MERGED
    keep_within(target)
    merged, report = common.attempt(partial(run.merge, by, target, separators=separators))
    common.show(report)
    if merged is not None:
        files = common.counted(len(merged.files), "file")
        decks = common.counted(merged.decks, "deck")
        echo(f"{decks} with {common.counted(merged.pages, 'page')} in {files} in {target}")
        if merged.decks < run.decks:
            echo(f"{run.decks - merged.decks} of the run's are not printed", err=True)
    common.leave(report)
