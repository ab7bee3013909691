"""`deckwright export service`: files for any print service that has a profile."""

from __future__ import annotations

from typing import Any

import click

from deckwright.cli.export.services import order_options, run
from deckwright.cli.group import command


@command("export service local army_HK_1", "export service local army_HK_1 --check")
@click.argument("service_id", metavar="SERVICE")
@order_options
def service(service_id: str, **options: Any) -> None:  # noqa: ANN401 - as order_options says
    """Prepare decks for a print service of your own.

    SERVICE is the name of a profile in xml/services, without .xml. DECK is the name of a file in
    xml/Decks, or any path.
    """
    run(service_id, **options)
