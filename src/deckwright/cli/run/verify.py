"""`deckwright run verify`: whether all that a run has printed is there and whole."""

from __future__ import annotations

from pathlib import Path

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.run.opened import demand, folder_argument, open_run
from deckwright.cli.terminal import echo


@command("run verify out/run", "run verify /media/print/club")
@folder_argument
def verify(folder: Path) -> None:
    """Hold each file of a run against what the manifest says of it.

    Files that are missing or differ, decks that are not printed, and files that are not the run's
    are findings. `run start` prints again what is missing.
    """
    run = open_run(folder)
    report = [*demand(run.verify)]
    common.show(report)
    if report:
        echo(common.totals(report), err=True)
    else:
        found = run.status()
        aside = f", {len(found.aside)} set aside" if found.aside else ""
        echo(f"{common.counted(found.printed, 'deck')} verified{aside}")
    common.leave(report)
