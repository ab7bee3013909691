"""`deckwright import`: bring in changes made in other programs."""

from __future__ import annotations

from typing import ClassVar

import click

from deckwright.cli.terminal import LazyGroup


class _Formats(LazyGroup):
    modules: ClassVar = dict.fromkeys(("csv", "json", "xlsx"), "import_tables")


@click.command(cls=_Formats, name="import")
def import_() -> None:
    """Bring changes made in spreadsheets back into the XML files."""
