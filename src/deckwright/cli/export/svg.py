"""`deckwright export svg`: faces as SVG files, sharp at any size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckwright.api import Game
from deckwright.cli.export.common import picture_command
from deckwright.outputs.pictures import Drawn


@picture_command("export svg HK3", "export svg HK --backs")
def svg(game: Game, folder: Path, cards: tuple[str, ...], **asked: Any) -> Drawn:  # noqa: ANN401
    """Draw faces as SVG files that need no other files."""
    return game.export_pictures(folder, cards, form="svg", **asked)
