"""`deckwright codes verify`: whether a code proves a deck."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo


@command("codes verify army_HK_1 A-17.K4FJIT…", "codes verify lists/gift.xml A-17.K4FJIT…")
@click.argument("deck")
@click.argument("code")
@common.game_option
def verify(deck: str, code: str, game: Path) -> None:
    """Tell whether CODE was made for what DECK lists, with the key of the game's publisher.

    CODE is what the QR code on the deck says.
    """
    findings = [*common.open_game(game).deck(deck).verify_code(code)]
    common.show(findings)
    if not findings:
        echo("proven: the list is the one that was signed")
    common.leave(findings)
