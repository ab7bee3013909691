"""`deckwright run prove`: whether a code is that of a deck of a run."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from deckwright.cli.group import command
from deckwright.cli.run.opened import demand, folder_argument, open_run
from deckwright.cli.terminal import echo


@command("run prove out/run D-000017.K4FJIT…", "run prove club A-17.K4FJIT…")
@folder_argument
@click.argument("code")
def prove(folder: Path, code: str) -> None:
    """Tell which deck of a run a code proves.

    It proves one that it was made of with the publisher's key. CODE is what the QR code says.
    """
    run = open_run(folder)
    line = demand(partial(run.prove, code))
    echo(f"proven: deck {line.id}, {line.name}")
    for card in line.cards:
        echo(f"  {card.amount} {card.faction or line.faction}:{card.id}")
