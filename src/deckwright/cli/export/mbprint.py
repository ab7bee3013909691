"""`deckwright export mbprint`: files for the print service MB Print."""

from __future__ import annotations

from typing import Any

import click

from deckwright.cli.export.services import order_options, run


@click.command()
@order_options
def mbprint(**options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Make decks ready for MB Print: a PDF, face and back by turns.

    Colors are CMYK if there is an ICC profile, of the system or by --icc, and RGB if not. DECK is
    the name of a file in xml/Decks, or any path.
    """
    run("mbprint", **options)
