"""`deckwright run prove`: whether a code is that of a deck of a run."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.api.errors import GameError
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.run.opened import folder_argument, open_run
from deckwright.cli.terminal import echo


@command("run prove out/run D-000017.K4FJIT…", "run prove club A-17.K4FJIT…")
@folder_argument
@click.argument("code")
def prove(folder: Path, code: str) -> None:
    """Tell which deck of a run a code proves.

    It proves one that it was made of with the publisher's key. CODE is what the QR code says.
    """
    run = open_run(folder)
    try:
        line = run.prove(code)
    except GameError as error:
        common.show([*error.findings])
        common.leave([*error.findings])
    echo(f"proven: deck {line.id}, {line.name}")
    for card in line.cards:
        echo(f"  {card.amount} {card.faction or line.faction}:{card.id}")
