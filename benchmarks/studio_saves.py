"""Games that are edited while something watches them, and what is saved in them, again and again.

Each save gives something that was never there before, so that no cache has the answer.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple

from PIL import Image

HERE = Path(__file__).parent
REPOSITORY = HERE.parent
BACK = ' back="back.xml"'

Content = Callable[[bytes, int], bytes]
"""What a file holds next, from what it held at first and the number of the save."""


class Save(NamedTuple):
    """Something that is saved again and again.

    Attributes:
        card: the id of a card that looks different afterwards; it is the first on the wall.
    """

    path: Path
    card: str
    content: Content


class Edited(NamedTuple):
    """A game, or pages of Typst, and what is saved in them by the kind of file."""

    folder: Path
    saves: Mapping[str, Save]


def shipped(folder: Path) -> Edited:
    """Return a copy of the shipped game: 170 cards and tokens with drawings, in two styles."""
    for part in ("xml", "img", "templates"):
        shutil.copytree(REPOSITORY / part, folder / part)
    cards, drawing = folder / "xml/Factions/HK_cards.xml", folder / "img/figures/head/kettle.svg"
    rect = rb'(<rect x="-3)(?:\.\d+)?'
    return Edited(
        folder,
        {
            "card": Save(cards, "HK1", _numbered(rb'(id="HK1"[^>]* strength=")\d+')),
            "template": Save(folder / "templates/body.xml", "HK1", _numbered(rect, b".")),
            "picture": Save(drawing, "HK1", _drawn),
        },
    )


def thousand(made: Path) -> Edited:
    """Return the workload `cards` as a game: 1,000 cards with photos, all in one file, no backs."""
    folder = made / "game"
    setup = folder / "xml/game.xml"
    setup.write_text(setup.read_text(encoding="utf-8").replace(BACK, ""), encoding="utf-8")
    cards = folder / "xml/Factions/HK_cards.xml"
    (image,) = re.findall(r'id="HK1"[^>]* image="([^"]*)', cards.read_text(encoding="utf-8"))
    line = rb'(<line x1="2)\.6\d*'
    return Edited(
        folder,
        {
            "card": Save(cards, "HK1", _numbered(rb'(id="HK1"[^>]* strength=")\d+')),
            "template": Save(folder / "templates/card.xml", "HK1", _numbered(line, b".6")),
            "picture": Save(folder / "img" / image, "HK1", _photo),
        },
    )


def typst_pages(made: Path) -> Edited:
    """Return a workload as Typst has it: the same cards as data, the same face as a program.

    No picture is saved: `Compiler.watch` of Typst 0.15 does not follow pictures.
    """
    strength = rb'("value": ")\d+'
    capital = rb"(#let cap = \(text: 0)\.66\d*"
    saves = {
        "card": Save(made / "cards.json", "", _numbered(strength)),
        "template": Save(made / "face.typ", "", _numbered(capital, b".66")),
    }
    return Edited(made, saves)


def _numbered(pattern: bytes, begin: bytes = b"") -> Content:
    """Return what puts the number of the save where the pattern ends."""

    def content(first: bytes, number: int) -> bytes:
        written = begin + (b"%03d" if begin else b"%d") % number
        changed, times = re.subn(pattern, rb"\g<1>" + written, first, count=1)
        if not times:
            message = f"nothing to change: {pattern!r}"
            raise ValueError(message)
        return changed

    return content


def _drawn(first: bytes, number: int) -> bytes:
    """Return a drawing with one more rectangle."""
    return first.replace(b"</svg>", b'<path d="M0 0h%dv1h-1z"/></svg>' % number)


def _photo(first: bytes, number: int) -> bytes:
    """Return a photo with a dot in another place, as a camera's file: 2000 x 1500 pixels."""
    with Image.open(io.BytesIO(first)) as photo:
        photo.paste((255, 0, 0), (number * 20, 20, number * 20 + 40, 60))
        written = io.BytesIO()
        photo.save(written, "JPEG", quality=85)
    return written.getvalue()


class Saver:
    """Saves files as editors do: another file takes the place of the old one."""

    def __init__(self, edited: Edited, beside: Path) -> None:
        """Take what is edited, and a folder of the same drive where nobody watches."""
        self._beside = beside / "saved"
        self._first = {name: save.path.read_bytes() for name, save in edited.saves.items()}
        self._saves, self._numbers = edited.saves, count(1)

    def prepare(self, name: str) -> None:
        """Write the next state of a file elsewhere."""
        content = self._saves[name].content(self._first[name], next(self._numbers))
        self._beside.write_bytes(content)

    def save(self, name: str) -> None:
        """Let the state that was prepared take the place of the file."""
        self._beside.replace(self._saves[name].path)
