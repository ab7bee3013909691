"""`deckwright export tgc`: files for the print service The Game Crafter."""

from __future__ import annotations

from typing import Any

import click

from deckwright.cli.export.services import order_options, run


@click.command()
@order_options
def tgc(**options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Make decks ready for The Game Crafter: pictures, and a table of them.

    Each deck gets a folder with the pictures of its faces and backs, apart, and cards.csv with how
    many of each. DECK is the name of a file in xml/Decks, or any path.
    """
    run("tgc", **options)
