"""Make the pictures of the README from the real output. Run it with `make pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image

from deckwright.diagnostics import Report
from deckwright.game.folder import GameFolder
from deckwright.pipeline import Rules, print_deck

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
_DPI = 110
_COLORS = 128


def picture(deck: str, page: int, name: str) -> None:
    """Draw a page of a deck's PDF as a PNG, the page on a grey ground."""
    folder = GameFolder(ROOT)
    with tempfile.TemporaryDirectory() as temporary:
        target = Path(temporary) / "deck.pdf"
        report: Report = []
        assert print_deck(folder, folder.deck_file(deck), target, Rules(), report), report
        with pypdfium2.PdfDocument(target) as pdf:
            sheet = pdf[page].render(scale=_DPI / 72).to_pil()
    edge = 16
    ground = Image.new("RGB", (sheet.width + 2 * edge, sheet.height + 2 * edge), "#d7d4ce")
    ground.paste(sheet, (edge, edge))
    small = ground.quantize(_COLORS, dither=Image.Dither.NONE)
    small.save(PICTURES / name, optimize=True)


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    picture("army_MB_1.xml", 0, "sheet.png")
    picture("army_MB_1.xml", 5, "rules.png")


if __name__ == "__main__":
    main()
