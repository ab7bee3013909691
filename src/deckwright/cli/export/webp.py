"""`deckwright export webp`: faces as WebP files, for web pages and apps."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.findings import Report
from deckwright.cli.export.common import picture_command, size_options
from deckwright.game.folder import GameFolder
from deckwright.outputs.pictures import PictureOptions, export_pictures


@picture_command("export webp", "export webp HK --size 750x1050 --quality 70")
@size_options
@click.option("--quality", type=click.IntRange(1, 100), default=85, show_default=True,
              help="Quality of the picture; lower makes smaller files.")  # fmt: skip
@click.option("--lossless", is_flag=True, help="Keep every pixel; --quality then says how long to "
              "search for the smallest file.")  # fmt: skip
def webp(
    folder: GameFolder,
    options: PictureOptions,
    target: Path,
    report: Report,
    *,
    dpi: float,
    size: tuple[int, int] | None,
    quality: int,
    lossless: bool,
) -> int | None:
    """Draw faces as WebP files, much smaller than PNG files."""
    from deckwright.paint.raster import Encoding, Raster  # noqa: PLC0415 - opens pdfium

    encoding = Encoding("webp", quality, lossless)
    return export_pictures(folder, options, target, Raster(dpi, size), encoding, report)
