"""`deckwright export mpc`: files for the print service MakePlayingCards."""

from __future__ import annotations

from typing import Any

from deckwright.cli.export.services import order_options, run
from deckwright.cli.group import command


@command("export mpc army_HK_1 --scale fit", "export mpc army_HK_1 --only HK3 --copies 4")
@order_options
def mpc(**options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Prepare decks for MakePlayingCards: pictures and a list.

    Each deck gets a folder with the pictures of its faces and of its backs, and cards.xml, which
    tells MPC Autofill how many of each to order. DECK is the name of a file in xml/Decks, or any
    path.
    """
    run("mpc", **options)
