"""`deckwright poster`: a board or a mat over several sheets."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from deckwright.api.imposing import poster as tiled
from deckwright.base.units import PAPERS, POSTERS
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.sheets import printer_option
from deckwright.cli.values import Parsed, length_within, parse_size


@command("poster board.pdf --size a2", "poster mat.png --size 600x400 --paper a3 --overlap 15mm")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--size", type=Parsed(partial(parse_size, known=POSTERS)), metavar="WxH",
              help=f"The size of the poster, such as 600x400 or 24x36in, or {', '.join(POSTERS)}; "
              "that of the page by default.")  # fmt: skip
@click.option("--page", type=click.IntRange(1), default=1, show_default=True,
              help="The page of the PDF.")  # fmt: skip
@click.option("--paper", type=click.Choice([*PAPERS]), default="a4", show_default=True,
              help="The paper; it stands or lies, as fewer sheets are needed.")  # fmt: skip
@click.option("--overlap", type=length_within(5, 50), default="10mm", show_default=True,
              help="The width of the strips that sheets are glued onto.")  # fmt: skip
@printer_option
@common.rasterize_option
@common.game_option
@click.option("--out", "-o", help="The PDF to write, or a folder for it. The default is "
              "NAME_poster.pdf in the current folder.")  # fmt: skip
@common.quiet_option
def poster(
    file: Path,
    game: Path,
    out: str | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `api.imposing.poster`
) -> None:
    """Lay out a PDF page, a picture or a drawing over several sheets.

    The first page is a plan. Cut the sheets at their marks and glue them together, each onto the
    strips of those before it. GAME lends its words, if there is one.
    """
    target = common.beside(f"{file.stem}_poster.pdf", out)
    common.make_each(
        {file.name: target},
        lambda _, path: tiled(file, path, folder=game, **asked),
        lambda name, _: f"{name} was not laid out",
        lambda _, printed: () if quiet else [
            common.counted(printed.sheets, "sheet") + " of paper"
            + " and a plan" * (printed.pages > printed.sheets) + f" in {target}"
        ],
    )  # fmt: skip
