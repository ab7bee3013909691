"""Decks for Tabletopia: a picture for each front and each back, all of a pile equally large.

After its knowledge base (https://help.tabletopia.com/knowledge-base/how-to-prepare-graphics/): the
front and the back of a component are files of their own, and all components of a kind have the same
number of pixels.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import write_data
from deckwright.base.units import PER_UNIT
from deckwright.checks.loading import Rules
from deckwright.faces.copies import Copy, Key
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.ops.model import Face
from deckwright.outputs.tabletop.pictures import Format, Picture, encoded
from deckwright.outputs.tabletop.piles import Pile
from deckwright.outputs.tabletop.ready import ready_piles

LIST = "cards.csv"
"""The file that says how often a deck has each card."""


class SingleOptions(NamedTuple):
    """How a deck is exported."""

    dpi: int = 200
    form: Format = "auto"
    style: str | None = None
    rules: Rules = Rules()


class SinglePile(NamedTuple):
    """The pictures of a pile: its folder, and how many different cards and backs are in it."""

    name: str
    folder: Path
    cards: int
    backs: int


class SingleCards(NamedTuple):
    """A deck as single pictures."""

    name: str
    path: Path
    piles: tuple[SinglePile, ...]
    findings: tuple[Diagnostic, ...] = ()


def export_single_cards(
    folder: GameFolder, deck_path: Path, target: Path, options: SingleOptions, report: Report
) -> SingleCards | None:
    """Write a deck as single pictures; None after reporting why it was not.

    Args:
        target: the folder of the deck, in which each pile gets one.
    """
    ready = ready_piles(folder, deck_path, options.style, options.rules, report)
    if ready is None:
        return None
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["pile", "front", "back", "copies", "name", "faction", "id"])
    piles = []
    for number, pile in enumerate(ready.piles, 1):
        named = f"{number:02}_{_plain(pile.name)}"
        pictures = _Pictures(target / named, options, ready.factory)
        amounts = Counter(card.key for card in pile.cards)
        backs: dict[int, str] = {}
        for index, card in enumerate(_each(pile), 1):
            front = pictures.write(card.face, f"{index:03}_{_plain(card.name)}", report)
            back = backs.get(id(card.back))
            if back is None and card.back is not None:
                back = pictures.write(card.back, f"back_{len(backs) + 1:02}", report)
                backs[id(card.back)] = back or ""
            if front is None or back is None:
                return None
            writer.writerow(
                [named, front, back, amounts[card.key], card.name, card.faction_id, card.card.id]
            )
        piles.append(SinglePile(pile.name, target / named, len(amounts), len(backs)))
    if not write_data(target / LIST, stream.getvalue().encode(), report):
        return None
    return SingleCards(ready.deck.name, target, tuple(piles))


class _Pictures:
    """Writes pictures of faces into a folder."""

    def __init__(self, folder: Path, options: SingleOptions, factory: FaceFactory) -> None:
        self._folder, self._options, self._factory = folder, options, factory

    def write(self, face: Face, name: str, report: Report) -> str | None:
        """Write a picture; return its file's name, None after reporting that it cannot be."""
        scale = self._options.dpi / PER_UNIT["in"]
        size = max(1, round(face.width * scale)), max(1, round(face.height * scale))
        picture = Picture(name, ((face, (0, 0)),), size, size)
        drawn = picture.draw(self._factory.fonts, self._factory.pictures.store)
        ending, data = encoded(drawn, self._options.form)
        file = f"{name}.{ending}"
        return file if write_data(self._folder / file, data, report) else None


def _each(pile: Pile) -> Iterator[Copy]:
    """Yield the cards of a pile, each once."""
    seen: set[Key] = set()
    for card in pile.cards:
        if card.key not in seen:
            seen.add(card.key)
            yield card


def _plain(name: str) -> str:
    """Return a name as files of all systems can have it."""
    return re.sub(r"[^\w-]+", "_", name).strip("_")[:40] or "card"
