"""`deckwright codes key`: a new key to sign decks with."""

from __future__ import annotations

import os
from pathlib import Path

import click

from deckwright.cli.exits import ExitCode
from deckwright.cli.group import command
from deckwright.cli.terminal import echo


@command("codes key publisher.pem", "codes key ~/keys/lantern-tide.pem")
@click.argument("file", type=click.Path(path_type=Path))
def key(file: Path) -> None:
    """Make a new key to sign decks with, and print the public key that belongs to it.

    Whoever has FILE can make codes: keep it apart from the game, and a copy of it in a safe place.
    An existing file is never written over.
    """
    from deckwright.decks.signing import new_key  # noqa: PLC0415 - an extra

    written, public = new_key()
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(written)
    except FileExistsError:
        raise click.UsageError(f"`{file}` is there already, and may be a key") from None
    except OSError as error:
        echo(f"cannot write {file}: {error.strerror}", err=True)
        raise click.exceptions.Exit(ExitCode.FILES) from None
    echo(f"the key is in {file}; keep it secret, and keep a copy", err=True)
    echo("the game's `<game>` in xml/game.xml proves its codes with:", err=True)
    echo(f'public_key="{public}"')
