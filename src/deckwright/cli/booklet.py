"""`deckwright booklet`: a PDF as a booklet or a zine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.api.imposing import booklet as bound
from deckwright.base.units import PAPERS
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.values import length_within
from deckwright.sheet.grid import Flip


@command("booklet out/rulebook.pdf", "booklet out/rulebook.pdf --signature 4 --creep 0.15mm")
@click.argument("pdf", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--paper", type=click.Choice([*PAPERS]),
              help="The paper; by default, the smallest that two pages fit on.")  # fmt: skip
@click.option("--signature", type=click.IntRange(1, 99), metavar="SHEETS",
              help="Fold this many sheets into each other; all by default.")  # fmt: skip
@click.option("--creep", type=length_within(0, 2), default="0.1mm", show_default=True,
              help="How much nearer to the fold each inner sheet is printed.")  # fmt: skip
@click.option("--flip", type=click.Choice([flip.value for flip in Flip]), default="short",
              show_default=True, help="The edge the printer flips the paper on.")  # fmt: skip
@click.option(
    "--back-cover", is_flag=True, help="Keep the last page the last: blank ones go before."
)
@click.option("--zine", is_flag=True, help="Make up to eight pages a zine of one folded sheet.")
@click.option("--out", "-o", help="The PDF to write, or a folder for it. The default is "
              "NAME_booklet.pdf in the current folder.")  # fmt: skip
@common.quiet_option
def booklet(
    pdf: Path,
    out: str | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `api.imposing.booklet`
) -> None:
    """Lay out the pages of a PDF as a booklet.

    Print it on both sides, fold it in the middle, and staple it. Pages are made smaller if two do
    not fit side by side, never larger.
    """
    target = common.beside(f"{pdf.stem}_{'zine' if asked['zine'] else 'booklet'}.pdf", out)
    common.make_each(
        {pdf.name: target},
        lambda _, path: bound(pdf, path, **asked),
        lambda name, _: f"{name} was not laid out",
        lambda _, printed: () if quiet else [
            f"{common.counted(printed.sheets, 'sheet')} of paper in {target}"
        ],
    )  # fmt: skip
