"""`deckwright impose`: lay out cards from PDF files that others made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from deckwright.api import Print
from deckwright.api.imposing import BACK_ORDERS
from deckwright.api.imposing import impose as imposed
from deckwright.base.units import CARDS
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.sheets import apart_option, cut_options, layout_options, marks_options
from deckwright.cli.values import Parsed, parse_pages, parse_size


@command(
    "impose cards.pdf --size 63x88 --sheet a4-bleed",
    "impose cards.pdf --backs last --copies 2 --turn",
    "impose pictures --size poker --sheet a4-poker-bleed",
)
@click.argument("pdf", metavar="PDF|DIR", type=click.Path(exists=True, path_type=Path))
@click.option("--size", type=Parsed(parse_size), metavar="WxH",
              help=f"The size of cards, such as 63x88 or 2.5x3.5in, or of {', '.join(CARDS)}.",
              )  # fmt: skip
@click.option("--backs", "order", type=click.Choice(BACK_ORDERS), default="none",
              help="Where backs are: each behind its face, or the last page for all.")  # fmt: skip
@click.option("--back", metavar="FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A PDF with the backs: one page for all, or one for each face; for pictures, "
              "one for the back of all.")  # fmt: skip
@click.option("--pages", type=Parsed(parse_pages), default="", metavar="PAGES",
              help="The pages to use, such as 1-54,60.")  # fmt: skip
@click.option("--copies", type=click.IntRange(1, 999), default=1,
              help="Print this many copies of each card.")  # fmt: skip
@click.option("--picture-bleed", type=click.FloatRange(0, 20), metavar="MM",
              help="How much bleed pictures have. The default is what their shape tells.",
              )  # fmt: skip
@click.option("--mend-bleed", type=click.Choice(["mirror", "stretch", "none"]), default="mirror",
              help="How to make bleed that pictures lack, of their edges.")  # fmt: skip
@layout_options
@apart_option
@marks_options
@cut_options
@common.game_option
@click.option("--out", "-o", help="The PDF to write, or a folder for it. The default is "
              "NAME_sheets.pdf in the current folder.")  # fmt: skip
@common.quiet_option
def impose(
    pdf: Path,
    game: Path,
    out: str | None,
    quiet: bool,
    **asked: Any,  # noqa: ANN401 - those of `api.imposing.impose`
) -> None:
    """Lay out cards of a PDF or of a folder of pictures on sheets.

    Each page of the PDF is a face or a back. A page that is larger than its card has it in the
    middle, or in its trim box; what is beyond is the bleed. In a folder, fox_back.png is behind
    fox.png, back.png behind all others, and "fox x3.png" is three cards; or a CSV file says front,
    back and quantity. GAME lends its sheets and words, if there is one.
    """
    name = pdf.resolve().name if pdf.is_dir() else pdf.stem
    target = common.beside(f"{name or 'cards'}_sheets.pdf", out)
    common.make_each(
        {pdf.name: target},
        lambda _, path: imposed(pdf, path, folder=game, **asked),
        lambda name, _: f"{name} was not laid out",
        lambda name, printed: () if quiet else _summary(name, printed),
    )


def _summary(name: str, printed: Print) -> list[str]:
    """Return what was printed as a short table."""
    empty = f", {common.counted(printed.empty, 'slot')} empty" if printed.empty else ""
    sheets = f"{common.counted(printed.sheets, 'sheet')} of cards{empty}"
    rows = [("pages", f"{printed.pages} ({sheets})")]
    rows += [("file", str(path)) for path in printed.paths]
    return common.table(name, [*rows, *common.cut_rows(printed.cuts)])
