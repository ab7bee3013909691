"""`deckwright codes`: signed codes that prove what a deck contains."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Unpack

import click

from deckwright.api import GameError
from deckwright.api.options import Limits
from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.options import INPUT_FILE
from deckwright.cli.terminal import CommandGroup, ExitCode, echo


@click.group(cls=CommandGroup)
def codes() -> None:
    """Sign decks with codes that prove which cards they have."""


@common.command("codes key publisher.pem", "codes key ~/keys/lantern-tide.pem")
@click.argument("file", type=click.Path(path_type=Path))
def key(file: Path) -> None:
    """Make a new key for signing decks, and print its public key.

    Whoever has FILE can make codes: keep it outside the game, and a copy in a safe place. An
    existing file is never overwritten.
    """
    from deckwright.decks.signing import new_key  # an extra

    written, public = new_key()
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(written)
    except FileExistsError:
        raise click.UsageError(f"`{file}` already exists, and may be a key") from None
    except OSError as error:
        echo(f"cannot write {file}: {error.strerror}", err=True)
        raise click.exceptions.Exit(ExitCode.FILES) from None
    echo(f"the key is in {file}; keep it secret, and keep a copy", err=True)
    echo("the game's `<game>` in xml/game.xml proves its codes with:", err=True)
    echo(f'public-key="{public}"')


@common.command("codes sign army_HK_1 --key publisher.pem", "codes sign gift --id A-17 --key k.pem")
@click.argument("decks", nargs=-1, metavar="DECK…", required=True)
@common.game_option
@common.limit_options
@click.option("--key", required=True, type=INPUT_FILE,
              help="The private key, made by `codes key`.")  # fmt: skip
@click.option("--id", "deck_id", metavar="ID", help="The deck's id; by default, its file name.")
def sign(
    decks: tuple[str, ...], game: Path, key: Path, deck_id: str | None, **limits: Unpack[Limits]
) -> None:
    """Print the code of each deck: its id and a signature.

    As a QR code on the deck it proves which cards the deck has. Decks must be within their limits.
    """
    opened = common.open_game(game)
    if deck_id is not None and len(decks) > 1:
        raise click.UsageError("--id is for a single deck")
    findings: Report = []
    for name in decks:
        try:
            echo(opened.deck(name).sign(key, deck_id, **limits))
        except GameError as error:
            errors = [*error.findings]
            common.show(common.new_findings(errors, findings))
            findings += errors
    common.exit_with_findings(findings)


@common.command("codes verify army_HK_1 A-17.K4FJIT…", "codes verify lists/gift.xml A-17.K4FJIT…")
@click.argument("deck")
@click.argument("code")
@common.game_option
def verify(deck: str, code: str, game: Path) -> None:
    """Check that CODE was made for the cards of DECK, with the key of the game's publisher.

    CODE is the text of the QR code on the deck.
    """
    findings = [*common.open_game(game).deck(deck).verify_code(code)]
    common.show(findings)
    if not findings:
        echo("proven: this is the deck list that was signed")
    common.exit_with_findings(findings)


for _command in (key, sign, verify):
    codes.add_command(_command)
