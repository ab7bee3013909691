"""`deckwright run sign`: codes on all decks of a run that prove what these consist of."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.files import keep_within
from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo


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
    from deckwright.decks.signing import read_key  # noqa: PLC0415 - an extra
    from deckwright.runs.signing import sign_lines  # noqa: PLC0415

    folder = common.open_folder(game)
    keep_within(out)
    report: Report = []
    private = read_key(key.read_bytes(), str(key))
    number = sign_lines(folder, file, out, private, report)
    common.show(report)
    if number is not None:
        echo(f"{common.counted(number, 'deck')} signed in {out}")
    common.leave(report)
