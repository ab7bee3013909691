"""`deckwright export svg`: faces as SVG files, sharp at any size."""

from __future__ import annotations

from pathlib import Path

from deckwright.base.findings import Report
from deckwright.cli.export.common import picture_command
from deckwright.game.folder import GameFolder
from deckwright.outputs.pictures import PictureOptions, export_svg


@picture_command("export svg HK3", "export svg HK --backs")
def svg(folder: GameFolder, options: PictureOptions, target: Path, report: Report) -> int | None:
    """Draw faces as SVG files that need no fonts and no other files."""
    return export_svg(folder, options, target, report)
