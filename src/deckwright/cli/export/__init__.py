"""`deckwright export`: a game's cards for print services, virtual tables, screens and sheets.

Each format is a file of this package.
"""

from __future__ import annotations

import click

from deckwright.cli.group import Lazy


class _Formats(Lazy):
    package = __name__


@click.command(cls=_Formats)
def export() -> None:
    """Write cards and decks for other programs and print services."""
