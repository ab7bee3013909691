"""`deckwright run`: print very many decks, each its own.

Each command is a file of this package.
"""

from __future__ import annotations

import click

from deckwright.cli.group import Lazy


class _Commands(Lazy):
    package = __name__


@click.command(cls=_Commands)
def run() -> None:
    """Print thousands of decks, each its own, and go on after any end."""
