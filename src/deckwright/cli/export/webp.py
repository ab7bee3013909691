"""`deckwright export webp`: faces as WebP files, for web pages and apps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.api import Game
from deckwright.cli.export.common import picture_command, size_options
from deckwright.outputs.pictures import Drawn


@picture_command("export webp", "export webp HK --size 750x1050 --quality 70")
@size_options
@click.option("--quality", type=click.IntRange(1, 100), default=85, show_default=True,
              help="Quality of the picture; lower makes smaller files.")  # fmt: skip
@click.option("--lossless", is_flag=True, help="Keep every pixel; --quality then says how long to "
              "search for the smallest file.")  # fmt: skip
def webp(game: Game, folder: Path, cards: tuple[str, ...], **asked: Any) -> Drawn:  # noqa: ANN401
    """Draw faces as WebP files, much smaller than PNG files."""
    return game.export_pictures(folder, cards, form="webp", **asked)
