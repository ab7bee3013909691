"""`deckwright export tgc`: files for the print service The Game Crafter."""

from __future__ import annotations

from typing import Any

from deckwright.cli.export.services import order_options, run
from deckwright.cli.group import command


@command("export tgc army_HK_1 --scale fit", "export tgc army_HK_1 --no-tokens")
@order_options
def tgc(**options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Prepare decks for The Game Crafter: pictures and a list.

    Each deck gets a folder with the pictures of its faces and of its backs, and cards.csv, which
    says how many of each. DECK is the name of a file in xml/Decks, or any path.
    """
    run("tgc", **options)
