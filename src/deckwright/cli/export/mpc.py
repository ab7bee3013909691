"""`deckwright export mpc`: files for the print service MakePlayingCards."""

from __future__ import annotations

from typing import Any

import click

from deckwright.cli.export.services import order_options, run


@click.command()
@order_options
def mpc(**options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Make decks ready for MakePlayingCards: pictures, and cards.xml for MPC Autofill.

    Each deck gets a folder with the pictures of its faces and backs, apart, and the list of how
    many of each, as the program MPC Autofill reads it. DECK is the name of a file in xml/Decks,
    or any path.
    """
    run("mpc", **options)
