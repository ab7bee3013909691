"""`deckwright import`: bring in changes made in other programs.

Each format is a file of this package.
"""

from __future__ import annotations

import click

from deckwright.cli.group import Lazy


class _Formats(Lazy):
    package = __name__


@click.command(cls=_Formats, name="import")
def import_() -> None:
    """Bring changes made in spreadsheets back into the XML files."""
