"""`deckwright export mbprint`: files for the print service MB Print."""

from __future__ import annotations

from typing import Any

from deckwright.cli.export.services import order_options, run
from deckwright.cli.group import command


@command("export mbprint army_HK_1", "export mbprint army_HK_1 --icc none")
@order_options
def mbprint(**options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Prepare decks for MB Print: one PDF per deck.

    Faces and backs alternate. DECK is the name of a file in xml/Decks, or any path.
    """
    run("mbprint", **options)
