"""The programs that are measured, for each workload, and what is aimed at."""

from __future__ import annotations

import sys
import sysconfig
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = Path(sysconfig.get_path("scripts"))

DECKWRIGHT = "Deckwright"
FIRST = "Deckwright, first print"
COLD = "Deckwright, empty image cache"
TYPST = "Typst"
TYPST_SHRUNK = "Typst, shrunk images"
WEASYPRINT = "WeasyPrint"
REPOSITORY = Path(__file__).parent.parent
CHECK = "deckwright check"
CHECK_COLD = "deckwright check, empty cache"
CHECK_EDITED = "deckwright check, one card changed"
SHIPPED = "deckwright deck"
SHIPPED_EDITED = "deckwright deck, one card changed"
SHIPPED_FIRST = "deckwright deck, first print"
PROOF = "deckwright proof"
PROOF_COLD = "deckwright proof, empty cache"
OPENED = "an open game, one card changed"
IMPORTS = "python -c 'import lxml.etree, click'"
HELP = "deckwright --help"
CLICK = "python -c 'import click'"
OTHERS = tuple(name for name in ("typst", "weasyprint") if find_spec(name) is not None)
"""The other programs that are installed here."""

TITLES = {
    "start": "start: the help, against starting Python with click",
    "deck": "deck: the sample deck army_HK_1",
    "cards": "cards: 1,000 distinct cards, 75 photos of 2000 x 1500 pixels",
    "copies": "copies: 100 distinct cards in 10 copies, 75 photos of 2000 x 1500 pixels",
    "check": "check: the whole shipped game, against starting Python with two libraries",
    "print": "print: the deck army_HK_1 of the shipped game, with its own faces",
    "proof": "proof: pictures of all faces of the shipped game",
    "open": "open: the shipped game, opened by a program",
}
DECKS = {"deck": "army_HK_1", "cards": "thousand", "copies": "hundred"}
"""As `workloads.py` has them, which is too large to import here: see `measure.py`."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program to measure.

    Attributes:
        out: the PDF that it writes, None if it writes none.
        cold: whether every run starts with an empty cache.
        first: whether no earlier print of the deck is known to a run.
        slow: whether it runs once only, without a run to warm up.
        edited: a file of cards in a copy of the shipped game, of which each run changes a card.
    """

    name: str
    command: tuple[str, ...]
    out: Path | None = None
    cold: bool = False
    first: bool = False
    slow: bool = False
    edited: Path | None = None


@dataclass(frozen=True, slots=True)
class Aim:
    """The most that `program` may cost, as a share of what `other` costs in wall time."""

    workload: str
    program: str
    other: str
    most: float


@dataclass(frozen=True, slots=True)
class Bound:
    """The most that Deckwright may take: MiB of memory, and bytes of output."""

    workload: str
    peak: float
    size: int


AIMS = (
    Aim("start", HELP, CLICK, 1.5),
    Aim("deck", DECKWRIGHT, TYPST, 2.3),
    Aim("deck", DECKWRIGHT, WEASYPRINT, 0.25),
    Aim("cards", DECKWRIGHT, TYPST, 0.45),
    Aim("cards", DECKWRIGHT, TYPST_SHRUNK, 0.4),
    Aim("cards", FIRST, TYPST_SHRUNK, 0.95),
    Aim("cards", COLD, TYPST, 1.5),
    Aim("copies", DECKWRIGHT, TYPST, 0.45),
    Aim("check", CHECK, IMPORTS, 2.5),
)
MOST_CPU = {("check", CHECK_COLD): 4, ("check", CHECK_EDITED): 0.4}
"""The most seconds of processor time that programs of workloads may take."""
BOUNDS = (Bound("cards", 64, 3_000_000),)
SMALL = ("start", "check", "deck", "print")
"""The workloads that are measured in seconds."""
UNMADE = ("start", "check", "print", "proof", "open")
"""The workloads that need no files made for them: these work on the shipped game as it is."""


def programs_of(workload: str, folder: Path) -> list[Program]:
    """Return the programs for a workload that was made in `folder`."""
    if workload in UNMADE:
        return _on_the_shipped_game(folder)[workload]
    python = sys.executable
    home = folder / workload

    def deckwright(name: str, out: str, *, cold: bool = False, first: bool = False) -> Program:
        script = str(SCRIPTS / "deck_constructor")
        game = ("--game", str(home / "game"), "--ignore-limits", "--no-footer", "-q")
        target = home / out
        command = (script, DECKS[workload], *game, "--out", str(target))
        return Program(name, command, target, cold=cold, first=first)

    def other(name: str, script: str, images: str, out: str, *, slow: bool = False) -> Program:
        target = home / out
        arguments = (str(home), images, str(folder / "fonts"), str(target))
        return Program(name, (python, str(HERE / script), *arguments), target, slow=slow)

    pictures = workload != "deck"
    programs = [
        deckwright(DECKWRIGHT, "deckwright.pdf"),
        deckwright(FIRST, "deckwright-first.pdf", first=True),
    ]
    if pictures:
        programs.append(deckwright(COLD, "deckwright-cold.pdf", cold=True))
    else:
        programs.append(_IMPORTS)
    if "typst" in OTHERS:
        programs.append(other(TYPST, "typst_face.py", "game/img", "typst.pdf"))
        if pictures:
            programs.append(other(TYPST_SHRUNK, "typst_face.py", "shrunk", "typst-shrunk.pdf"))
    if "weasyprint" in OTHERS:
        script = "weasyprint_face.py"
        programs.append(other(WEASYPRINT, script, "game/img", "weasyprint.pdf", slow=pictures))
    return programs


_IMPORTS = Program(IMPORTS, (sys.executable, "-c", "import lxml.etree, click"))


def _on_the_shipped_game(folder: Path) -> dict[str, list[Program]]:
    """Return the programs that work on the shipped game as it is, by workload."""
    deckwright = str(SCRIPTS / "deckwright")
    game = ("--game", str(REPOSITORY))
    check = (deckwright, "check", *game)
    copy = folder / "edited"
    edited = Program(
        CHECK_EDITED,
        (deckwright, "check", "--game", str(copy)),
        edited=copy / "xml" / "Factions" / "HK_cards.xml",
    )
    changed = folder / "edited-deck"
    deck = (deckwright, "deck", "army_HK_1", "-q", "--out", str(folder / "shipped.pdf"))
    edited_deck = Program(
        SHIPPED_EDITED,
        (*deck, "--game", str(changed)),
        edited=changed / "xml" / "Factions" / "HK_cards.xml",
    )
    proof = (deckwright, "proof", *game, "--out", str(folder / "proof"))
    return {
        "start": [
            Program(HELP, (deckwright, "--help")),
            Program(CLICK, (sys.executable, "-c", "import click")),
        ],
        "check": [Program(CHECK, check), edited, Program(CHECK_COLD, check, cold=True), _IMPORTS],
        "print": [
            Program(SHIPPED, (*deck, *game)),
            edited_deck,
            Program(SHIPPED_FIRST, (*deck, *game), first=True),
            _IMPORTS,
        ],
        "proof": [Program(PROOF, proof), Program(PROOF_COLD, proof, cold=True)],
        "open": [Program(OPENED, (sys.executable, str(HERE / "open_game.py")))],
    }
