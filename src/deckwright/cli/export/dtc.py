"""`deckwright export dtc`: files for the print service DriveThruCards."""

from __future__ import annotations

from typing import Any

import click

from deckwright.cli.export.services import order_options, run


@click.command()
@order_options
def dtc(**options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Make decks ready for DriveThruCards: a PDF in CMYK, back and face by turns.

    Colors become inks by an ICC profile: the one of --icc, or else one that suits. DECK is the name
    of a file in xml/Decks, or any path.
    """
    run("dtc", **options)
