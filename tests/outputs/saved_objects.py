"""Saved objects of Tabletop Simulator, read back. Nothing here is a test."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageStat

from deckwright.base.findings import Report
from deckwright.game.folder import GameFolder
from deckwright.outputs.tabletop import tabletop_simulator as tabletop
from deckwright.outputs.tabletop.sheets import TableOptions
from deckwright.outputs.tabletop.tabletop_simulator import TabletopExport

Object = dict[str, Any]


def export(
    folder: Path, deck: str, out: Path, options: TableOptions | None = None
) -> tuple[TabletopExport, Object]:
    """Export a deck of a folder, which must have no errors; return also the saved object."""
    report: Report = []
    game = GameFolder(folder)
    tabled = tabletop.export_saved_object(
        game,
        game.deck_file(deck),
        out / f"{deck}.json",
        options or TableOptions(),
        report,
    )
    assert tabled is not None, report
    return tabled, json.loads(tabled.path.read_text("utf-8"))


@lru_cache(maxsize=4)  # they are large
def opened(url: str) -> Image.Image:
    path = Path("/" + url.removeprefix("file:///"))
    with Image.open(path) as picture:
        return picture.convert("RGB")


def cell_of(card: Object, side: str) -> Image.Image:
    """Return what a card of a saved object shows: its cell of the picture that it names."""
    ((key, deck),) = card["CustomDeck"].items()
    number, index = divmod(card["CardID"], 100)
    assert str(number) == key
    columns, rows = deck["NumWidth"], deck["NumHeight"]
    assert 0 <= index < columns * rows - 1, "the last cell is for hidden cards"
    picture = opened(deck[f"{side}URL"])
    if side == "Back" and not deck["UniqueBack"]:
        return picture
    width, height = picture.width / columns, picture.height / rows
    assert width == int(width)
    assert height == int(height)
    left, top = index % columns * width, index // columns * height
    return picture.crop((round(left), round(top), round(left + width), round(top + height)))


def cards_of(pile: Object) -> list[Object]:
    """Return the cards of an object in order, which for a single one is itself."""
    if pile["Name"] == "Card":
        return [pile]
    assert pile["Name"] == ("DeckCustom" if len(pile["CustomDeck"]) == 1 else "Deck")
    cards: list[Object] = pile["ContainedObjects"]
    assert len(cards) > 1, "the program takes no deck of one card"
    assert pile["DeckIDs"] == [card["CardID"] for card in cards]
    for one in cards:
        assert pile["CustomDeck"].items() >= one["CustomDeck"].items()
    return cards


def off(one: Image.Image, other: Image.Image) -> float:
    """Return by how much pictures differ on average, of 255; the second is scaled to the first."""
    scaled = other.resize(one.size, Image.Resampling.LANCZOS)
    return max(ImageStat.Stat(ImageChops.difference(one, scaled)).mean)
