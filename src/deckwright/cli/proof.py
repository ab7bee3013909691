"""`deckwright proof`: faces as pictures, to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo


@command("proof HK3", "proof HK --style low-ink --dpi 300")
@click.argument("cards", nargs=-1)
@common.game_option
@common.style_option
@common.dpi_option(150)
@click.option("--backs", is_flag=True, help="Draw the backs instead of the faces.")
@common.watermark_options
@common.folder_option("out/proof")
def proof(
    cards: tuple[str, ...],
    game: Path,
    style: str | None,
    dpi: float,
    backs: bool,
    watermark: str | bool | None,
    out: Path | None,
) -> None:
    """Draw faces as PNG files, with contact sheets.

    CARDS are ids of cards or factions, names of cards, or ids of rules for the tokens they create.
    Without any, all cards and tokens are drawn.
    """
    opened = common.open_game(game)
    target = common.target_folder(opened.path / "out" / "proof", out)
    sides: Literal["faces", "backs"] = "backs" if backs else "faces"
    drawn, report = common.attempt(
        lambda: opened.export_proofs(
            target, cards, sides=sides, style=style, dpi=dpi, watermark=watermark
        )
    )
    common.show_and_count(report)
    if drawn is not None:
        echo(f"{common.counted(drawn.number, 'face')} in {target}, {dpi:g} dpi; look at")
        echo(*(f"  {path}" for path in drawn.sheets))
    elif not report:
        echo("there is nothing to draw")
    common.leave(report)
