"""Impose existing files: cards, booklets and posters from PDFs and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Unpack

from deckwright.api.options import Sheets, require_readable_folders, resolve_printer, resolve_sheet
from deckwright.api.session import produce
from deckwright.base.files import is_folder
from deckwright.base.findings import ChoiceError, require_known
from deckwright.base.options import Option
from deckwright.base.units import PAPER_SIZES
from deckwright.game.folder import GameFolder
from deckwright.images.drawings import rasterizing

if TYPE_CHECKING:
    from deckwright.base.units import Mm
    from deckwright.outputs.printed import Print
    from deckwright.sheet.printers import Printer

BACK_ORDERS = ("none", "alternate", "last")


def impose(  # noqa: PLR0913 - as many as the command has options
    pdf: Path | str,
    path: Path | str,
    *,
    size: tuple[Mm, Mm] | None = None,
    order: Annotated[
        Literal["none", "alternate", "last"],
        Option("Where backs are: after each face, or on the last page for all.", flag="--backs"),
    ] = "none",
    back: Annotated[
        Path | str | None,
        Option(
            "A PDF with the backs: one page for all, or one for each face; for pictures, one for "
            "the back of all.",
            "FILE",
        ),
    ] = None,
    pages: Iterable[int] = (),
    copies: Annotated[int, Option("Print this many copies of each card.", None, 1, 999)] = 1,
    picture_bleed: Annotated[
        Mm | None,
        Option("The bleed of pictures. The default follows from their shape.", "MM", 0, 20),
    ] = None,
    mend_bleed: Annotated[
        Literal["mirror", "stretch", "none"],
        Option("How to make missing bleed from the edges of pictures."),
    ] = "mirror",
    folder: Path | str = ".",
    **sheets: Unpack[Sheets],
) -> Print:
    """Lay out existing cards on sheets: the pages of a PDF file, or a folder of pictures.

    File names or a CSV file pair pictures into faces and backs and give the numbers of copies; see
    `deckwright.outputs.foreign_cards`. Pages keep their boxes: a card is its page's trim box, or
    the middle of the page, and the area around it is bleed. Annotations and form fields are left
    out.

    Args:
        pdf: the file or the folder.
        size: the width and height of the cards in mm; that of their pages if None.
            Pictures need one.
        pages: the numbers of the pages to use, from 1, in this order; all if empty.
        folder: a game, for its sheet formats and the words in footers.
        sheets: as for decks; `backs`, `fill` and `watermark` have no effect.

    Raises:
        GameError: if a file, or a folder of the game, cannot be read or makes no cards, or these do
            not fit the sheet.
        ValueError: if there is no such sheet, or two options contradict each other.
    """
    from deckwright.outputs.foreign_cards import PageOptions  # only to impose
    from deckwright.outputs.imposed import print_imposed

    require_known(order, BACK_ORDERS, "order of backs")
    if back is not None and order != "none":
        raise ChoiceError(f"backs come from {back}, so they cannot be among the pages as well")
    require_known(mend_bleed, ("mirror", "stretch", "none"), "bleed method")
    pages = tuple(pages)
    if is_folder(Path(pdf)):
        if pages or order != "none":
            option = "pages" if pages else "backs"
            raise ChoiceError(f"{pdf} is a folder of pictures, so `--{option}` does not apply")
    elif picture_bleed is not None:
        raise ChoiceError(f"{pdf} is not a folder of pictures, so `--picture-bleed` does not apply")
    game = GameFolder(Path(folder))
    require_readable_folders(game)
    sheet, backs = resolve_sheet(game, sheets), None if back is None else Path(back)
    options = PageOptions(sheet, size, order, backs, pages, copies, picture_bleed, mend_bleed)
    return produce(partial(print_imposed, Path(pdf), Path(path), options, game))


def booklet(  # noqa: PLR0913 - as many as the command has options
    pdf: Path | str,
    path: Path | str,
    *,
    paper: str | None = None,
    signature: int | None = None,
    creep: Mm = 0.1,
    flip: Literal["long", "short"] = "short",
    back_cover: bool = False,
    zine: bool = False,
) -> Print:
    """Lay out the pages of a PDF file as a booklet, on sheets to fold and staple.

    Args:
        paper: "a3", "a4", "letter", …; the smallest that fits two pages side by side if None.
        signature: how many sheets are folded into each other; all if None.
        creep: how much closer to the fold each inner sheet is printed, in mm.
        flip: the edge that the printer flips paper on.
        back_cover: whether the last page is the back cover, so that blank pages come before it.
        zine: whether up to eight pages make a zine from one sheet, which is folded and cut.

    Raises:
        GameError: if the PDF cannot be read, or has more pages than a zine.
        ValueError: if there is no such paper or edge.
    """
    from deckwright.outputs.imposed import BookletOptions, print_booklet
    from deckwright.sheet.grid import Flip

    if paper is not None:
        require_known(paper, PAPER_SIZES, "paper")
    require_known(flip, [each.value for each in Flip], "edge")
    options = BookletOptions(paper, signature or 0, creep, Flip(flip), back_cover, zine)
    return produce(lambda _: print_booklet(Path(pdf), Path(path), options))


def poster(  # noqa: PLR0913 - as many as the command has options
    file: Path | str,
    path: Path | str,
    *,
    size: tuple[Mm, Mm] | None = None,
    page: int = 1,
    paper: str = "a4",
    overlap: Mm = 10,
    printer: str | Printer | None = None,
    rasterize: bool = False,
    folder: Path | str = ".",
) -> Print:
    """Lay out a PDF page, a picture or an SVG drawing over several sheets to cut and glue.

    Several sheets are preceded by a plan.

    Args:
        size: the width and height in mm that it is scaled to fit, portrait or landscape as it is;
            its own if None. A picture has 300 pixels per inch by default, a drawing 96 units.
        page: the number of the page in the file, from 1.
        paper: "a3", "a4", "letter", …; portrait or landscape, whichever needs fewer sheets.
        overlap: the strip of each sheet that the next one is glued onto, in mm.
        printer: a calibrated printer, or its name, which sets the margins.
        rasterize: whether an unsupported drawing is turned into pixels.
        folder: a game, for the words that are printed.

    Raises:
        GameError: if the file cannot be read, or it takes too many sheets.
        ValueError: if there is no such paper, or no overlap.
    """
    from deckwright.outputs.posters import PosterOptions, print_poster
    from deckwright.sheet.grid import Margins

    require_known(paper, PAPER_SIZES, "paper")
    if overlap <= 0:
        raise ChoiceError(f"an overlap of {overlap:g} mm leaves nothing to glue")
    margins = Margins() if printer is None else resolve_printer(printer).margins
    options = PosterOptions(size, page, paper, overlap, margins)
    game = GameFolder(Path(folder))
    with rasterizing() if rasterize else nullcontext():
        return produce(partial(print_poster, Path(file), Path(path), options, game))
