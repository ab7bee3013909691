"""`deckwright export png`, `svg` and `webp`: pictures of faces."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from deckwright.api import Game
from deckwright.api.options import PicturePrint
from deckwright.cli import common
from deckwright.cli.options import combine_options, options_of
from deckwright.cli.terminal import echo
from deckwright.outputs.pictures import PictureExport

_CARDS_HELP = """CARDS are ids of cards or factions, names of cards, or ids of rules for the tokens
they create. Without any, all cards and tokens are drawn."""


face_options = combine_options(
    click.argument("cards", nargs=-1),
    common.game_option,
    common.style_option,
    click.option("--backs", is_flag=True, help="Draw the backs instead of the faces."),
    click.option("--both", is_flag=True, help="Draw both faces and backs."),
    options_of(PicturePrint, "bleed"),
    common.watermark_options,
    common.folder_option("out/FORMAT"),
    common.quiet_option,
)
"""The argument and options for the faces to draw and the folder to write to."""

pixel_options = options_of(PicturePrint, "dpi", "size")
"""The options for the size of pictures in pixels."""


def picture_command(*examples: str) -> Callable[[Callable[..., PictureExport]], click.Command]:
    """Return a decorator that turns the function that draws the files of a format into a command.

    The function takes the game, the folder to write to, and the options of `Game.export_pictures`.
    Its docstring is the first paragraph of the help.

    Args:
        examples: command lines without `deckwright` before them.
    """

    def decorator(export: Callable[..., PictureExport]) -> click.Command:
        @wraps(export)
        def run(
            cards: tuple[str, ...],
            game: Path,
            backs: bool,
            both: bool,
            out: Path | None,
            quiet: bool,
            **values: object,
        ) -> None:
            opened = common.open_game(game)
            if backs and both:
                raise click.UsageError("--backs and --both cannot be used together")
            sides = "both" if both else "backs" if backs else "faces"
            target = common.output_folder(
                common.default_output(opened.folder) / export.__name__, out
            )
            drawn, report = common.run_catching(
                lambda: export(opened, target, cards, sides=sides, **values)
            )
            common.show_and_count(report)
            if drawn is not None and not quiet:
                echo(f"{common.counted(drawn.number, 'picture')} in {target}")
            common.exit_with_findings(report)

        run.__doc__ = f"{export.__doc__}\n\n{_CARDS_HELP}"
        return common.command(*examples)(face_options(run))

    return decorator


@picture_command("export png HK3", "export png HK --both --bleed 3mm --dpi 600")
@pixel_options
def png(game: Game, folder: Path, cards: tuple[str, ...], **options: Any) -> PictureExport:
    """Draw faces as PNG files."""
    return game.export_pictures(folder, cards, form="png", **options)


@picture_command("export svg HK3", "export svg HK --backs")
def svg(game: Game, folder: Path, cards: tuple[str, ...], **options: Any) -> PictureExport:
    """Draw faces as self-contained SVG files."""
    return game.export_pictures(folder, cards, form="svg", **options)


@picture_command("export webp", "export webp HK --size 750x1050 --quality 70")
@pixel_options
@options_of(PicturePrint, "quality", "lossless")
def webp(game: Game, folder: Path, cards: tuple[str, ...], **options: Any) -> PictureExport:
    """Draw faces as WebP files, much smaller than PNG files."""
    return game.export_pictures(folder, cards, form="webp", **options)
