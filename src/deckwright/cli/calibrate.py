"""`deckwright calibrate`: measure a printer's offset of backs and its unprintable margins."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.base.files import forbid_outward_links
from deckwright.base.findings import Report
from deckwright.base.units import PAPER_SIZES, Mm
from deckwright.cli import common
from deckwright.cli.options import OUTPUT_FILE, Parsed
from deckwright.cli.terminal import echo
from deckwright.game.folder import GameFolder
from deckwright.game.load import load_setup
from deckwright.outputs.pages import print_calibration
from deckwright.sheet.grid import Flip, Margins, parse_margins
from deckwright.sheet.layout import describe_margin
from deckwright.sheet.printers import (
    Printer,
    is_printer_name,
    load_printers,
    parse_offset,
    save_printer,
)

_DEFAULT = "calibration.pdf"


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
              default=_DEFAULT, show_default=True, help="The PDF to write.")  # fmt: skip
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
    report: Report = []
    folder = GameFolder(game)
    setup = load_setup(folder, []) if folder.xml.is_dir() else None
    known = setup and describe_margin(setup, folder)
    if back_offset is None and margins is None:
        if printer is not None:
            message = "--printer needs numbers to save: --back-offset X,Y or --margins A,B,C,D"
            raise click.UsageError(message + "\nTo read them, print the page without --printer.")
        if out == Path(_DEFAULT):
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
