"""`deckwright proof`: faces as pictures, to look at."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.terminal import echo
from deckwright.outputs.pictures import PictureOptions, Sides, print_proofs


@command("proof HK3", "proof HK --style low-ink --dpi 300")
@click.argument("cards", nargs=-1)
@common.game_option
@common.style_option
@click.option("--dpi", type=click.FloatRange(20, 1200), default=150, show_default=True,
              help="Pixels per inch.")  # fmt: skip
@click.option("--backs", is_flag=True, help="Draw the backs instead of the faces.")
@click.option(
    "--out",
    "-o",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write to. The default is out/proof in the game.",
)
def proof(
    cards: tuple[str, ...],
    game: Path,
    style: str | None,
    dpi: float,
    backs: bool,
    out: Path | None,
) -> None:
    """Draw faces as PNG files, with contact sheets.

    CARDS are ids of cards or factions, names of cards, or ids of rules for the tokens they create.
    Without any, all cards and tokens are drawn.
    """
    folder = common.open_folder(game)
    style = common.parse_style(folder, style)
    target = common.target_folder(folder.path / "out" / "proof", out)
    report: Report = []
    options = PictureOptions(cards, Sides.BACKS if backs else Sides.FACES, style)
    sheets = print_proofs(folder, options, target, report, dpi=dpi)
    common.show_and_count(report)
    if sheets:
        count, paths = sheets
        echo(f"{common.counted(count, 'face')} in {target}, {dpi:g} dpi; look at")
        echo(*(f"  {path}" for path in paths))
    elif not report:
        echo("there is nothing to draw")
    common.leave(report)
