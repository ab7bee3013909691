"""`deckwright calibrate`: make backs lie behind their faces on a printer."""

from __future__ import annotations

from pathlib import Path

import click

from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.sheets import to_offset
from deckwright.cli.terminal import echo
from deckwright.diagnostics import Report
from deckwright.files import keep_within
from deckwright.printers import Printer, is_name, save_printer
from deckwright.printing.calibration import print_calibration
from deckwright.sheet.grid import Flip
from deckwright.units import PAPERS, Mm

_DEFAULT = "calibration.pdf"


@command("calibrate", "calibrate --printer office --back-offset 0.7mm,-0.4mm")
@click.option("--paper", type=click.Choice([*PAPERS]), default="a4", show_default=True,
              help="The size of the paper.")  # fmt: skip
@click.option("--flip", type=click.Choice([flip.value for flip in Flip]),
              help="The edge the printer flips the paper on; long by default.")  # fmt: skip
@click.option("--printer", metavar="NAME", help="Save the offset under this name.")
@click.option("--back-offset", callback=to_offset, metavar="X,Y",
              help="The offset you read on the second side.")  # fmt: skip
@click.option("--out", "-o", type=click.Path(dir_okay=False, path_type=Path),
              default=_DEFAULT, show_default=True, help="The PDF to write.")  # fmt: skip
def calibrate(
    paper: str, flip: str | None, printer: str | None, back_offset: tuple[Mm, Mm] | None, out: Path
) -> None:
    """Measure how far off the second side of your printer is.

    Prints a page with two sides to read the offset from. With --printer and --back-offset, that
    offset is saved instead, and `deckwright deck --printer NAME` then makes up for it.
    """
    report: Report = []
    if back_offset is None:
        if printer is not None:
            message = "--printer needs the numbers to remember: --back-offset X,Y"
            raise click.UsageError(message + "\nPrint the page without it, to read them.")
        if out == Path(_DEFAULT):
            keep_within(Path())
        if print_calibration(paper, Flip(flip or "long"), out, report):
            echo(f"{out}: print it at 100 % on both sides of one sheet, and read side 2")
    elif printer is None:
        message = "--back-offset needs the name of a printer to remember it for: --printer NAME"
        raise click.UsageError(message)
    elif not is_name(printer):
        message = "the name of a printer has up to 40 letters, digits, `-` and `_`"
        raise click.UsageError(message)
    else:
        path = save_printer(printer, Printer(back_offset, Flip(flip) if flip else None), report)
        if path is not None:
            x, y = back_offset
            echo(f"`{printer}` moves backs by {x:g} mm, {y:g} mm; remembered in {path}")
            echo(f"print with it: deckwright deck NAME --backs --printer {printer}")
    common.show(report)
    common.leave(report)
