"""`deckwright impose`, `booklet` and `poster`: lay out existing PDFs and pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import click

from deckwright.api import Print, Sheets
from deckwright.api.imposing import booklet as bound
from deckwright.api.imposing import impose as imposed
from deckwright.api.imposing import poster as tiled
from deckwright.base.units import CARD_SIZES, PAPER_SIZES, POSTER_SIZES, parse_size
from deckwright.cli import common
from deckwright.cli.options import (
    INPUT_FILE,
    Parsed,
    length_type,
    options_of,
    parse_pages,
)
from deckwright.sheet.grid import Flip


@common.command("booklet out/rulebook.pdf", "booklet out/rulebook.pdf --signature 4 --creep 0.15mm")
@click.argument("pdf", type=INPUT_FILE)
@click.option("--paper", type=click.Choice([*PAPER_SIZES]),
              help="The paper size; by default, the smallest that holds two pages.")  # fmt: skip
@click.option("--signature", type=click.IntRange(1, 99), metavar="SHEETS",
              help="Nest this many sheets per signature; all by default.")  # fmt: skip
@click.option("--creep", type=length_type(0, 2), default="0.1mm", show_default=True,
              help="Shift the pages of each inner sheet this much towards the fold.")  # fmt: skip
@click.option("--flip", type=click.Choice([flip.value for flip in Flip]), default="short",
              show_default=True, help="The edge the printer flips the paper on.")  # fmt: skip
@click.option("--back-cover", is_flag=True,
              help="Keep the last page last: insert blank pages before it.")  # fmt: skip
@click.option("--zine", is_flag=True,
              help="Make a zine of up to eight pages from one folded sheet.")  # fmt: skip
@click.option("--out", "-o", help="The PDF to write, or a folder for it. The default is "
              "NAME_booklet.pdf, in the game's out or the current folder.")  # fmt: skip
@common.quiet_option
def booklet(
    pdf: Path,
    out: str | None,
    quiet: bool,
    **options: Any,  # those of `api.imposing.booklet`
) -> None:
    """Lay out the pages of a PDF as a booklet.

    Print it on both sides, fold it in the middle, and staple it. Pages are scaled down if two do
    not fit side by side, and never scaled up.
    """
    target = common.output_path_here(
        f"{pdf.stem}_{'zine' if options['zine'] else 'booklet'}.pdf", out, pdf
    )

    def summarize(printed: Print) -> list[str]:
        return [f"{common.counted(printed.sheets, 'sheet')} of paper in {target}"]

    _lay_out(pdf, target, partial(bound, **options), summarize, quiet=quiet)


@common.command("poster board.pdf --size a2",
                "poster mat.png --size 600x400 --paper a3 --overlap 15mm")  # fmt: skip
@click.argument("file", type=INPUT_FILE)
@click.option("--size", type=Parsed(partial(parse_size, known=POSTER_SIZES)), metavar="WxH",
              help="The size of the poster, such as 600x400 or 24x36in, or "
              f"{', '.join(POSTER_SIZES)}; by default, that of the page.")  # fmt: skip
@click.option("--page", type=click.IntRange(1), default=1, show_default=True,
              help="The page of the PDF.")  # fmt: skip
@click.option("--paper", type=click.Choice([*PAPER_SIZES]), default="a4", show_default=True,
              help="The paper size, turned to need fewest sheets.")  # fmt: skip
@click.option("--overlap", type=length_type(5, 50), default="10mm", show_default=True,
              help="The width of the strips where sheets overlap.")  # fmt: skip
@options_of(Sheets, "printer")
@common.rasterize_option
@common.game_option
@click.option("--out", "-o", help="The PDF to write, or a folder for it. The default is "
              "NAME_poster.pdf, in the game's out or the current folder.")  # fmt: skip
@common.quiet_option
def poster(
    file: Path,
    game: Path,
    out: str | None,
    quiet: bool,
    **options: Any,  # those of `api.imposing.poster`
) -> None:
    """Lay out a PDF page, a picture or a drawing over several sheets.

    The first page is a plan. Cut the sheets at their marks and glue them together, each onto the
    strips of the sheets before it. The labels are in the language of the game, if there is one.
    """
    target = common.output_path_here(f"{file.stem}_poster.pdf", out, file)

    def summarize(printed: Print) -> list[str]:
        plan = " and a plan" if printed.pages > printed.sheets else ""
        return [f"{common.counted(printed.sheets, 'sheet')} of paper{plan} in {target}"]

    _lay_out(file, target, partial(tiled, folder=game, **options), summarize, quiet=quiet)


@common.command(
    "impose cards.pdf --size 63x88 --sheet a4-bleed",
    "impose cards.pdf --backs last --copies 2 --turn",
    "impose pictures --size poker --sheet a4-poker-bleed",
)
@click.argument("pdf", metavar="PDF|DIR", type=click.Path(exists=True, path_type=Path))
@click.option("--size", type=Parsed(parse_size), metavar="WxH",
              help=f"The size of cards, such as 63x88 or 2.5x3.5in, or {', '.join(CARD_SIZES)}.",
              )  # fmt: skip
@options_of(imposed, "order", "back")
@click.option("--pages", type=Parsed(parse_pages), default="", metavar="PAGES",
              help="The pages to use, such as 1-54,60.")  # fmt: skip
@options_of(imposed, "copies", "picture_bleed", "mend_bleed")
@options_of(Sheets, without=["backs", "fill", "watermark"])
@common.game_option
@click.option("--out", "-o", help="The PDF to write, or a folder for it. The default is "
              "NAME_sheets.pdf in the current folder.")  # fmt: skip
@common.quiet_option
def impose(
    pdf: Path,
    game: Path,
    out: str | None,
    quiet: bool,
    **options: Any,  # those of `api.imposing.impose`
) -> None:
    """Lay out cards of a PDF or of a folder of pictures on sheets.

    Each page of the PDF is a face or a back. If a page is larger than its card, the card is its
    trim box or its middle, and the rest is bleed. In a folder, fox_back.png is the back of fox.png,
    back.png the back of all other cards, and "fox x3.png" means three copies; a CSV file can list
    front, back and quantity instead. Sheets and labels are those of the game, if there is one.
    """
    name = pdf.resolve().name if pdf.is_dir() else pdf.stem
    target = common.output_path_here(f"{name or 'cards'}_sheets.pdf", out)

    def summarize(printed: Print) -> list[str]:
        rows = [("pages", f"{printed.pages} ({common.describe_sheets(printed)})")]
        rows += [("file", str(path)) for path in printed.paths]
        return common.format_table(pdf.name, rows + common.cut_rows(printed.cuts))

    _lay_out(pdf, target, partial(imposed, folder=game, **options), summarize, quiet=quiet)


def _lay_out(
    file: Path,
    target: Path,
    make: Callable[[Path, Path], Print],
    summarize: Callable[[Print], list[str]],
    *,
    quiet: bool,
) -> NoReturn:
    """Lay out a file and exit."""
    common.export_each(
        {file.name: target},
        lambda _, path: make(file, path),
        lambda name, _: f"{name} was not laid out",
        lambda _, printed: () if quiet else summarize(printed),
    )
