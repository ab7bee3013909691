"""`deckwright import`: bring in what other programs have changed.

Each format is a file of this package.
"""

from __future__ import annotations

import click

from deckwright.cli.group import Lazy


class _Formats(Lazy):
    package = __name__


@click.command(cls=_Formats, name="import")
def import_() -> None:
    """Take changes back from the formats of other programs."""
