"""`deckwright export webp`: faces as WebP files, for web pages and apps."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.base.units import Mm
from deckwright.cli import common
from deckwright.cli.export import common as pictures
from deckwright.cli.group import command
from deckwright.outputs.pictures import export_pictures


@command("export webp", "export webp HK --size 750x1050 --quality 70")
@pictures.which_options
@pictures.size_options
@click.option("--quality", type=click.IntRange(1, 100), default=85, show_default=True,
              help="Quality of the picture; lower makes smaller files.")  # fmt: skip
@click.option("--lossless", is_flag=True, help="Keep every pixel; --quality then says how long to "
              "search for the smallest file.")  # fmt: skip
def webp(
    cards: tuple[str, ...],
    game: Path,
    style: str | None,
    backs: bool,
    both: bool,
    bleed: Mm,
    out: Path | None,
    quiet: bool,
    dpi: float,
    size: tuple[int, int] | None,
    quality: int,
    lossless: bool,
) -> None:
    """Draw faces as WebP files, much smaller than PNG files.

    CARDS are ids of cards or factions, names of cards, or ids of rules for the tokens they create.
    Without any, all cards and tokens are drawn.
    """
    from deckwright.paint.raster import Encoding, Raster  # noqa: PLC0415 - opens pdfium

    folder = common.open_folder(game)
    wanted = pictures.wanted_faces(folder, cards, style, bleed, backs=backs, both=both)
    target = common.target_folder(folder.path / "out" / "webp", out)
    encoding = Encoding("webp", quality, lossless)
    report: Report = []
    number = export_pictures(folder, wanted, target, Raster(dpi, size), encoding, report)
    pictures.tell_pictures(number, target, report, quiet=quiet)
