"""`deckwright export png`: faces as PNG files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckwright.api import Game
from deckwright.cli.export.common import picture_command, size_options
from deckwright.outputs.pictures import Drawn


@picture_command("export png HK3", "export png HK --both --bleed 3mm --dpi 600")
@size_options
def png(game: Game, folder: Path, cards: tuple[str, ...], **asked: Any) -> Drawn:  # noqa: ANN401
    """Draw faces as PNG files."""
    return game.export_pictures(folder, cards, form="png", **asked)
