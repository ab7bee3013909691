"""`deckwright export dtc`: files for the print service DriveThruCards."""

from __future__ import annotations

from typing import Any

from deckwright.cli.export.services import order_options, run
from deckwright.cli.group import command


@command("export dtc army_HK_1 --scale fit", "export dtc army_HK_1 --check")
@order_options
def dtc(**options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Prepare decks for DriveThruCards: one CMYK PDF per deck.

    Backs and faces alternate. Colors become CMYK by an ICC profile: the one of --icc, or else one
    that suits. DECK is the name of a file in xml/Decks, or any path.
    """
    run("dtc", **options)
