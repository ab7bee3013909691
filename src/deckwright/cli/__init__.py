"""The command line: `deckwright COMMAND`, and commands of their own such as `deck_constructor`.

Each command is a file of this package. Exit codes: 0 clean, 1 findings, 2 wrong usage, 3 a file
cannot be read or written, 70 a fault of Deckwright itself, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import click

from deckwright.cli.group import Lazy
from deckwright.files import note_interrupts

_BUG = 70
_INTERRUPTED = 130


@click.command(cls=Lazy)
@click.version_option(package_name="deckwright", prog_name="deckwright")
def deckwright() -> None:
    """Turn a folder of XML into checked, printable card games."""


def run(command: click.Command) -> NoReturn:
    """Run a command as the whole program."""
    note_interrupts()
    try:
        code = command.main(standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted, nothing was changed", err=True)
        sys.exit(_INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except Exception as error:
        if os.environ.get("DECKWRIGHT_DEBUG"):
            raise
        click.echo(
            f"this is a fault of Deckwright itself: {type(error).__name__}: {error}\n"
            "  hint: please report it, with what DECKWRIGHT_DEBUG=1 prints",
            err=True,
        )
        sys.exit(_BUG)
    sys.exit(code if isinstance(code, int) else 0)


def main() -> NoReturn:
    """Run `deckwright`."""
    run(deckwright)


def deck_constructor() -> NoReturn:
    """Run `deck_constructor`."""
    from deckwright.cli.deck import deck  # noqa: PLC0415 - only this command's imports

    deck.name = "deck_constructor"
    run(deck)


def marker_constructor() -> NoReturn:
    """Run `marker_constructor`."""
    from deckwright.cli.markers import markers  # noqa: PLC0415 - only this command's imports

    markers.name = "marker_constructor"
    run(markers)


def overview_constructor() -> NoReturn:
    """Run `overview_constructor`."""
    from deckwright.cli.overview import overview  # noqa: PLC0415 - only this command's imports

    overview.name = "overview_constructor"
    run(overview)
