"""What a job ticket says: piles of what is printed alike, and the files that they are in."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from deckwright.base.units import Mm

TICKET_JSON, TICKET_XJDF, TICKET_PDF = "ticket.json", "ticket.xjdf", "ticket.pdf"
SUMS = "SHA256SUMS"
LARGEST = 50_000_000
"""How many bytes of a list are read; packages have some kilobytes."""
LARGEST_PDF = 500_000_000
"""How many bytes a PDF of a package may have that is looked into; a broken one is read whole."""

PileKind = Literal["cards", "box", "markers", "rulebook"]


class Colors(NamedTuple):
    """What something is printed with.

    Attributes:
        process: "CMYK" or "RGB".
        inks: the names of those beside the print's own, such as foil, as the PDF has them.
        die: the names of the separations that are lines of a die, and not printed.
        profile: the name of the ICC profile of the press, "" for RGB.
        condition: the printing condition that it is for, as the ICC registers it, such as
            "FOGRA39"; "" if that is not known.
        limit: the most ink in one place, in percent; None for no limit.
        pdfx: the part of PDF/X that the files are made to, None for none.
    """

    process: Literal["CMYK", "RGB"] = "RGB"
    inks: tuple[str, ...] = ()
    die: tuple[str, ...] = ()
    profile: str = ""
    condition: str = ""
    limit: int | None = None
    pdfx: str | None = None


class Pile(NamedTuple):
    """What is printed in one size, on one stock, with one back.

    Attributes:
        id: what its files are called by.
        deck: the name of its deck, "" for what belongs to no deck.
        pieces: how many are in one set: cards, boxes, markers, books.
        designs: how many of these are different.
        sides: 1 or 2, how many sides of a piece are printed.
        trim: width and height when it is cut; those of the page for what is cut out of pages.
        bleed: how far it is printed beyond.
        safe: how far from the cut all that matters stays.
        stock: what it is printed on; "" if nobody has said.
        radius: that of its corners, None for none.
        files: the names of its files in the package; masks of inks come last.
        pages: how many pages the first file has; 0 if these are pictures.
    """

    id: str
    kind: PileKind
    title: str
    deck: str
    pieces: int
    designs: int
    sides: int
    trim: tuple[Mm, Mm] = (0, 0)
    files: tuple[str, ...] = ()
    pages: int = 0
    colors: Colors = Colors()
    bleed: Mm = 0
    safe: Mm = 0
    stock: str = ""
    radius: Mm | None = None


class Packed(NamedTuple):
    """A file of a package.

    Attributes:
        name: its path in the folder, with slashes.
        pages: how many pages it has, None if it is no PDF.
        trim: width and height of the trim boxes of its pages, or of the pages where they have
            none; None if it is no PDF, or its pages differ.
    """

    name: str
    bytes: int
    sha256: str
    pages: int | None = None
    trim: tuple[Mm, Mm] | None = None


class Ticket(NamedTuple):
    """A job ticket.

    Attributes:
        job: what tells the job from others, of letters, digits, `.`, `-` and `_`.
        language: that of the game, such as "de".
        service: the id of the print service that the files are made for.
        printer: its name, "" for any print shop.
        sets: how many of all that is in it are ordered; None if nobody has said.
        back_first: whether a card's back is the page before its face.
    """

    job: str
    game: str
    language: str
    date: datetime
    service: str
    printer: str
    sets: int | None
    back_first: bool
    piles: tuple[Pile, ...]
    files: tuple[Packed, ...]
