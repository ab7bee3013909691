"""`deckwright impose`, `booklet`, `poster` and `calibrate`: existing PDFs, and printers."""

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
from deckwright.base.files import forbid_outward_links
from deckwright.base.findings import Report
from deckwright.base.units import CARD_SIZES, PAPER_SIZES, POSTER_SIZES, Mm, parse_size, pluralize
from deckwright.cli import common
from deckwright.cli.options import (
    INPUT_FILE,
    OUTPUT_FILE,
    Parsed,
    length_type,
    options_of,
    parse_pages,
)
from deckwright.cli.terminal import echo
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.sheet.grid import Flip, Margins, parse_margins
from deckwright.sheet.printers import (
    Printer,
    is_printer_name,
    load_printers,
    parse_offset,
    save_printer,
)


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
        return [f"{pluralize(printed.sheets, 'sheet')} of paper in {target}"]

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
        return [f"{pluralize(printed.sheets, 'sheet')} of paper{plan} in {target}"]

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
    common.export_each(
        {file.name: target},
        lambda _, path: make(file, path),
        lambda name, _: f"{name} was not laid out",
        lambda _, printed: () if quiet else summarize(printed),
    )


_CALIBRATION_PAGE = "calibration.pdf"


@common.command(
    "calibrate",
    "calibrate --printer office --back-offset 0.7mm,-0.4mm",
    "calibrate --printer office --margins 4.2mm",
)
@click.option("--paper", type=click.Choice([*PAPER_SIZES]), default="a4", show_default=True,
              help="The size of the paper.")  # fmt: skip
@click.option("--flip", type=click.Choice([flip.value for flip in Flip]),
              help="The edge the printer flips the paper on; long by default.")  # fmt: skip
@click.option("--printer", metavar="NAME", help="Save the numbers under this printer name.")
@click.option("--back-offset", type=Parsed(parse_offset), metavar="X,Y",
              help="The offset you read on the second side.")  # fmt: skip
@click.option("--margins", type=Parsed(parse_margins), metavar="A,B,C,D",
              help="The white edges you read, clockwise from the top, or one for all.")  # fmt: skip
@click.option("--out", "-o", type=OUTPUT_FILE,
              default=_CALIBRATION_PAGE, show_default=True, help="The PDF to write.")  # fmt: skip
@common.game_option
def calibrate(
    paper: str,
    flip: str | None,
    printer: str | None,
    back_offset: tuple[Mm, Mm] | None,
    margins: Margins | None,
    out: Path,
    game: Path,
) -> None:
    """Measure your printer: the offset of backs and the white edges.

    Prints a two-sided page to read the numbers from, in the language of the game. With --printer,
    and --back-offset or --margins, they are saved instead, and `deckwright deck --printer NAME`
    then makes up for them.
    """
    from deckwright.outputs.pages import print_calibration  # not to show help
    from deckwright.sheet.layout import describe_margin

    report: Report = []
    folder = GameFolder(game)
    setup = load_setup(folder, []) if folder.xml.is_dir() else None
    known = setup and describe_margin(setup, folder)
    if back_offset is None and margins is None:
        if printer is not None:
            message = "--printer needs numbers to save: --back-offset X,Y or --margins A,B,C,D"
            raise click.UsageError(message + "\nTo read them, print the page without --printer.")
        if out == Path(_CALIBRATION_PAGE):
            forbid_outward_links(Path())
        language = setup.language if setup else "en"
        print_calibration(paper, Flip(flip or "long"), language, out)
        echo(f"{out}: print it at 100% on both sides of one sheet, then read both sides")
    elif printer is None:
        raise click.UsageError("name the printer to save these numbers for: --printer NAME")
    elif not is_printer_name(printer):
        raise click.UsageError("the name of a printer has at most 40 letters, digits, `-` and `_`")
    elif (printers := load_printers(report)) is not None:
        before = printers.get(printer, Printer())
        measured = Printer(
            before.offset if back_offset is None else back_offset,
            Flip(flip) if flip else before.flip,
            before.margins if margins is None else margins,
        )
        if (path := save_printer(printer, measured, report)) is not None:
            x, y = measured.offset
            white = f" and leaves {measured.margins} white" if any(measured.margins) else ""
            echo(f"`{printer}` moves backs by {x:g} mm, {y:g} mm{white}; saved in {path}")
            echo(f"print with it: deckwright deck NAME --backs --printer {printer}")
    if known and not report:
        echo(known)
    common.show_kinds(report)
    common.exit_with_findings(report)
