"""What the exports to virtual tables share."""

from __future__ import annotations

import click

from deckwright.cli import common
from deckwright.game.folder import GameFolder

decks_options = common.together(
    click.argument("decks", nargs=-1, metavar="[DECK…]"), common.game_option
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["auto", "png", "jpg"]),
    default="auto",
    show_default=True,
    help="The format of the pictures; `auto` uses JPEG where PNG would be large.",
)


def decks_of(folder: GameFolder, decks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the decks that are named, or all of the game.

    Raises:
        click.UsageError: if there is none.
    """
    names = decks or tuple(str(path) for path in folder.deck_files())
    if not names:
        raise click.UsageError(f"there is no deck list in {folder.decks_folder}")
    return names
