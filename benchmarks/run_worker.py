"""A worker that prints decks one after the other, and says what they cost.

    python benchmarks/run_worker.py GAME DECKS OUT [personal]

Every deck list in `DECKS` is read, checked, laid out, painted, digested, and written to `OUT`. A
line of JSON tells of the start, of each 100th deck, and of the end. With `personal` each deck has a
serial number to print on its cards (`printed.serial`).
"""

from __future__ import annotations

import json
import resource
import sys
import time
from hashlib import blake2b
from pathlib import Path

from deckwright.api import open_game
from deckwright.base.files import write_atomically
from deckwright.base.findings import Report
from deckwright.game.load import load_deck
from deckwright.outputs.deck_printer import DeckPrinter

_EVERY = 100
_MIB = 1024 if sys.platform != "darwin" else 1 << 20


def main() -> None:
    """Print the decks that the command line names."""
    game, decks, out = map(Path, sys.argv[1:4])
    personal = sys.argv[4:] == ["personal"]
    report: Report = []
    opened = open_game(game)
    model, folder = opened.model, opened.folder
    printer = DeckPrinter(model, folder, report)
    paths = sorted(decks.glob("*.xml"))
    pages, size, costs = 0, 0, list[float]()
    began = time.perf_counter()
    tell(0, 0, 0, costs, began)
    for number, path in enumerate(paths, 1):
        before = time.process_time()
        deck = load_deck(path, folder, model.setup, report)
        if deck is not None and personal:
            deck = deck._replace(printed=(("serial", f"{number * 7919:07}"),))
        printed = deck and printer.print_many([deck], report)
        if printed is None:
            raise SystemExit(f"{path}: {report}")
        blake2b(printed.pdf, digest_size=20).hexdigest()
        with write_atomically(out / f"{number % _EVERY}.pdf") as stream:
            stream.write(printed.pdf)
        costs.append(time.process_time() - before)
        pages += len(printed.decks[0].pages)
        size += len(printed.pdf)
        if number % _EVERY == 0 or number == len(paths):
            tell(number, pages, size, costs, began)
            costs.clear()


def tell(decks: int, pages: int, size: int, costs: list[float], began: float) -> None:
    """Print how far it is, and what that has cost."""
    told = {
        "decks": decks,
        "pages": pages,
        "bytes": size,
        "cpu": time.process_time(),
        "wall": time.perf_counter() - began,
        "resident": _resident(),
        "costs": costs,
    }
    print(json.dumps(told), flush=True)


def _resident() -> float:
    """Return the memory that is in use now, in MiB; the most that was, where that is not told."""
    try:
        own = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB
    return own * resource.getpagesize() / 2**20


if __name__ == "__main__":
    main()
