"""Open the shipped game as a program does, change a card again and again, and time what follows.

    python benchmarks/open_game.py [RUNS]

Prints the medians of making its face and its deck's PDF anew, each with reading what changed.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import deckwright

REPOSITORY = Path(__file__).parent.parent
CARD, DECK, FILE = "HK1", "army_HK_1", "xml/Factions/HK_cards.xml"
RUNS = int(sys.argv[1]) if sys.argv[1:] else 9
MOST_FACE, MOST_DECK = 0.05, 0.15


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("xml", "img", "templates"):
            shutil.copytree(REPOSITORY / part, folder / part)
        game = deckwright.open_game(folder)
        deck_pdf = folder / "deck.pdf"

        def face() -> None:
            game.card(CARD).face()

        def deck() -> None:
            game.deck(DECK).print(deck_pdf)

        for what, make, most in (("face", face, MOST_FACE), ("deck's PDF", deck, MOST_DECK)):
            make()
            took = median(timed(game, folder / FILE, number, make) for number in range(RUNS))
            met = "met" if took <= most else "MISSED"
            print(f"a card changes, its {what} anew: {took:.3f} s, aim <= {most} s: {met}")


def timed(game: deckwright.Game, path: Path, number: int, make: Callable[[], None]) -> float:
    """Return how many seconds it takes to read a change of a card and to `make` what follows."""
    text = path.read_text(encoding="utf-8")
    changed = re.sub(
        rf'(<card\b[^>]*\bid="{CARD}"[^>]*\bstrength=")\d+', rf"\g<1>{number % 2 + 3}", text
    )
    path.write_text(changed, encoding="utf-8")
    begin = time.perf_counter()
    game.reload()
    make()
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
