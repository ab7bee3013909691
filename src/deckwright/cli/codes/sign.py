"""`deckwright codes sign`: the codes of decks."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from deckwright.api import GameError
from deckwright.api.asked import Limits
from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo


@command("codes sign army_HK_1 --key publisher.pem", "codes sign gift --id A-17 --key k.pem")
@click.argument("decks", nargs=-1, metavar="DECK…", required=True)
@common.game_option
@common.limit_options
@click.option("--key", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="The file of the private key, as `codes key` makes it.")  # fmt: skip
@click.option("--id", "deck_id", metavar="ID", help="The deck's id; otherwise its file's name.")
def sign(
    decks: tuple[str, ...],
    game: Path,
    key: Path,
    deck_id: str | None,
    **limits: Unpack[Limits],
) -> None:
    """Print the code of each deck: its id and a signature.

    As a QR code on the deck it proves which cards the deck has. Decks must keep their limits.
    """
    opened = common.open_game(game)
    if deck_id is not None and len(decks) > 1:
        raise click.UsageError("--id is for one deck alone")
    findings: Report = []
    for name in decks:
        try:
            echo(opened.deck(name).sign(key, deck_id, **limits))
        except GameError as error:
            found = [*error.findings]
            common.show(common.new_in(found, findings))
            findings += found
    common.leave(findings)
