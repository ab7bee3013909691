"""`deckwright export png`: faces as PNG files."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.cli.export.common import picture_command, size_options
from deckwright.game.folder import GameFolder
from deckwright.outputs.pictures import PictureOptions, export_pictures


@picture_command("export png HK3", "export png HK --both --bleed 3mm --dpi 600")
@size_options
def png(
    folder: GameFolder,
    options: PictureOptions,
    target: Path,
    report: Report,
    *,
    dpi: float,
    size: tuple[int, int] | None,
) -> int | None:
    """Draw faces as PNG files."""
    from deckwright.paint.raster import Encoding, Raster  # noqa: PLC0415 - opens pdfium

    return export_pictures(folder, options, target, Raster(dpi, size), Encoding("png"), report)
