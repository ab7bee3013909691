"""`deckwright run start`: print what of a run is not yet printed."""

from __future__ import annotations

import time
from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.base.parallel import cores
from deckwright.cli import common
from deckwright.cli.exits import ExitCode
from deckwright.cli.group import command
from deckwright.cli.run.opened import folder_argument, open_run, told_aside
from deckwright.cli.terminal import echo


@command("run start out/run", "run start out/run --workers 8")
@folder_argument
@click.option("--workers", type=click.IntRange(1, 256), metavar="N",
              help="How many decks are printed at a time; by default one a core.")  # fmt: skip
@click.option(
    "--timeout",
    type=click.FloatRange(1),
    default=120,
    show_default=True,
    metavar="SECONDS",
    help="How long a deck may take before it is set aside.",
)
@click.option("--retry", is_flag=True, help="Try decks again that were set aside.")
@common.quiet_option
def start(folder: Path, workers: int | None, timeout: float, retry: bool, quiet: bool) -> None:
    """Print the decks of a run that are not yet printed.

    However it was ended, `run start` goes on where it was: each deck is printed once. Decks that
    cannot be printed are set aside, and the others printed.
    """
    from deckwright.runs.local import LocalEngine  # noqa: PLC0415 - only runs need it
    from deckwright.runs.running import start_run  # noqa: PLC0415

    plan = open_run(folder)
    report: Report = []
    begun = time.monotonic()
    number = workers or cores()
    ran = start_run(plan, lambda begin: LocalEngine(number, begin, timeout), report, retry=retry)
    common.show(report)
    if ran is None:
        common.leave(report)
    echo(*told_aside(ran.aside), err=True)
    if not quiet:
        seconds = max(time.monotonic() - begun, 0.001)
        rate = f", {ran.pages / seconds * 60:,.0f} pages a minute" if ran.printed else ""
        echo(f"{common.counted(ran.printed, 'deck')} with {ran.pages} pages printed{rate}")
        if ran.before:
            echo(f"{common.counted(ran.before, 'deck')} printed before")
    if ran.aside:
        echo(f"{common.counted(len(ran.aside), 'deck')} set aside", err=True)
        raise click.exceptions.Exit(ExitCode.FINDINGS)
