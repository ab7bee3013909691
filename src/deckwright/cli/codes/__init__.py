"""`deckwright codes`: codes that prove what a deck consists of.

Each command is a file of this package.
"""

from __future__ import annotations

import click

from deckwright.cli.group import Lazy


class _Commands(Lazy):
    package = __name__


@click.command(cls=_Commands)
def codes() -> None:
    """Sign decks, so that their codes prove what they consist of."""
