"""Print decks with one program in one process: `run_others.py PROGRAM FONTS FOLDER...`.

`PROGRAM` is deckwright, typst, weasyprint or reportlab. The first half of the decks warms up. One
line of JSON tells of the processor time of the others, of the pages of all, and of the most memory.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

Printing = Callable[[Path, Path], None]
"""Prints the deck whose list and data are in a folder to a file."""
_MIB = 1024 if sys.platform != "darwin" else 1 << 20


def main() -> None:
    """Print the decks that the command line names."""
    program, fonts, *rest = sys.argv[1:]
    folders = [*map(Path, rest)]
    printing = _PROGRAMS[program](Path(fonts))
    half = len(folders) // 2
    for folder in folders[:half]:
        printing(folder, folder / f"{program}.pdf")
    began = time.process_time()
    for folder in folders[half:]:
        printing(folder, folder / f"{program}.pdf")
    took = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB
    from pypdf import PdfReader  # its memory is nobody's

    pages = [len(PdfReader(folder / f"{program}.pdf").pages) for folder in folders]
    told = {"decks": len(folders) - half, "cpu": took, "peak": peak, "pages": pages}
    print(json.dumps({**told, "timed": sum(pages[half:])}))


def _deckwright(fonts: Path) -> Printing:
    from deckwright.api import open_game
    from deckwright.base.files import write_atomically
    from deckwright.base.findings import Report
    from deckwright.checks.loading import LimitOptions
    from deckwright.game.load import load_deck
    from deckwright.outputs.deck_printer import DeckPrinter
    from deckwright.sheet.layout import SheetOptions

    found: Report = []
    # Beside the fonts is the game.
    opened = open_game(fonts.parent / "deck" / "game")
    model, home = opened.model, opened.folder
    options = SheetOptions(rules=LimitOptions(ignore=True), footer=False)
    printer = DeckPrinter(model, home, found, options)

    def printing(folder: Path, out: Path) -> None:
        deck = load_deck(folder / "deck.xml", home, model.setup, found)
        printed = deck and printer.print_many([deck], found)
        if printed is None:
            raise SystemExit(f"{folder}: {found}")
        with write_atomically(out) as stream:
            stream.write(printed.pdf)

    return printing


def _typst(fonts: Path) -> Printing:
    import typst  # each process has one program

    def printing(folder: Path, out: Path) -> None:
        typst.compile(
            f"{folder}/face.typ",
            output=str(out),
            root=str(folder),
            font_paths=[str(fonts)],
            ignore_system_fonts=True,
            sys_inputs={"images": "img"},
        )

    return printing


def _weasyprint(fonts: Path) -> Printing:
    import weasyprint_face

    def printing(folder: Path, out: Path) -> None:
        sys.argv = ["", str(folder), "img", str(fonts), str(out)]
        weasyprint_face.main()

    return printing


def _reportlab(fonts: Path) -> Printing:
    import reportlab_face

    reportlab_face.load_fonts(fonts)

    def printing(folder: Path, out: Path) -> None:
        reportlab_face.print_deck(folder, out)

    return printing


_PROGRAMS = {
    "deckwright": _deckwright,
    "reportlab": _reportlab,
    "typst": _typst,
    "weasyprint": _weasyprint,
}


if __name__ == "__main__":
    main()
