"""`deckwright run sign`: codes on all decks of a run that prove what these consist of."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from deckwright.base.files import keep_within
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.runs.run import sign_run


@command(
    "run sign out/run.jsonl --key publisher.pem --out out/signed.jsonl",
    "run sign club.csv --key k.pem --out club.jsonl",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@common.game_option
@click.option("--key", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="The file of the private key, as `codes key` makes it.")  # fmt: skip
@click.option("--out", "-o", required=True, metavar="FILE", help="The file to write.",
              type=click.Path(path_type=Path, dir_okay=False))  # fmt: skip
def sign(file: Path, game: Path, key: Path, out: Path) -> None:
    """Give each deck of FILE a code that proves what it consists of.

    Templates print it as `{{ printed.proof }}`, best in a QR code; `run prove` proves it.
    """
    folder = common.open_folder(game)
    keep_within(out)
    signed, report = common.attempt(partial(sign_run, folder.path, file, out, key))
    common.show(report)
    if signed is not None:
        echo(f"{common.counted(signed.decks, 'deck')} signed in {out}")
    common.leave(report)
