"""Export decks for Tabletop Playground as a package with a template for each stack.

A package is a folder with `Manifest.json`, `Templates` and `Textures`. A template names pictures
with grids of cards and lists the cells of its cards; `BackIndex` is -2 for a single back and -3 for
a grid of backs. The format follows a template documented by players
(https://github.com/TI4-Online/TI4-TTPG/wiki/TTPG-cardsheet-template-JSON, October 2023).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import write_data
from deckwright.base.strings import dump_safe_json
from deckwright.faces.copies import Copy
from deckwright.game.folder import GameFolder
from deckwright.outputs.tabletop.sheets import (
    CardPile,
    FaceSheet,
    TableOptions,
    index_cards,
    load_piles,
    make_sheets,
    write_sheet,
)

_NAMESPACE = UUID("6f2b7c0e-8d0c-5f0a-9a37-3f6a2c1c7d11")
"""The namespace of the ids of packages and templates."""
_ONE_BACK, _SHEET_OF_BACKS = -2, -3
_TEMPLATE: Mapping[str, Any] = json.loads(
    Path(__file__).with_name("playground_template.json").read_text(encoding="utf-8")
)
"""A template without cards, whose back other players see in a hand; cards are 0.05 cm thick."""


class CardStack(NamedTuple):
    """Cards of a pile with pictures on one sheet, with a cell for each copy."""

    name: str
    sheet: FaceSheet
    cells: tuple[int, ...]
    cards: tuple[Copy, ...]


class PlaygroundPackage(NamedTuple):
    """A written package, and its stacks with written templates."""

    name: str
    path: Path
    stacks: tuple[CardStack, ...]
    findings: tuple[Diagnostic, ...] = ()


def export_package(
    folder: GameFolder, deck_path: Path, target: Path, options: TableOptions, report: Report
) -> PlaygroundPackage:
    """Write a deck as a package of Tabletop Playground to the folder `target`."""
    ready = load_piles(folder, deck_path, options.style, options.rules, report)
    sheets = make_sheets(ready.piles)
    textures: dict[int, list[str]] = {}
    for sheet in sheets:
        written = write_sheet(
            sheet, deck_path.stem, target / "Textures", ready.factory, options.form
        )
        textures[sheet.number] = [path.name for path, _ in written]
    stacks = tuple(_make_stacks(ready.piles, sheets))
    package = uuid5(_NAMESPACE, f"{ready.game.setup.name}/{deck_path.stem}")
    files: dict[Path, Any] = {}
    for stack in stacks:
        guid = _format_guid(uuid5(package, f"{stack.name}/{stack.sheet.number}"))
        files[target / "Templates" / f"{guid}.json"] = _template(
            guid, stack, textures[stack.sheet.number]
        )
    name = f"{ready.game.setup.name} – {ready.deck.name}"
    files[target / "Manifest.json"] = {"Name": name, "Version": "1", "GUID": _format_guid(package)}
    for path, content in files.items():
        write_data(path, f"{dump_safe_json(content)}\n".encode())
    return PlaygroundPackage(ready.deck.name, target, stacks)


def _format_guid(number: UUID) -> str:
    return number.hex.upper()


def _make_stacks(piles: Sequence[CardPile], sheets: Sequence[FaceSheet]) -> Iterator[CardStack]:
    """Yield the stacks of piles, one for each sheet of a pile."""
    places = index_cards(sheets)
    for pile in piles:
        parts: dict[int, list[tuple[int, Copy]]] = {}
        for card in pile.cards:
            sheet, cell = places[card.key]
            parts.setdefault(sheet.number, []).append((cell, card))
        for part, (number, cards) in enumerate(parts.items(), 1):
            name = pile.name if len(parts) == 1 else f"{pile.name} ({part})"
            cells, copies = zip(*cards, strict=True)
            yield CardStack(name, sheets[number - 1], cells, copies)


def _template(guid: str, stack: CardStack, textures: Sequence[str]) -> dict[str, Any]:
    front, back = textures
    width, height = stack.cards[0].size
    named = sorted(dict(zip(stack.cells, stack.cards, strict=True)).items())
    return {
        **_TEMPLATE,
        "GUID": guid,
        "Name": stack.name,
        "FrontTexture": front,
        "BackTexture": back,
        "BackIndex": _SHEET_OF_BACKS if stack.sheet.mixed else _ONE_BACK,
        "NumHorizontal": stack.sheet.grid.columns,
        "NumVertical": stack.sheet.grid.rows,
        "Width": round(width / 10, 3),
        "Height": round(height / 10, 3),
        "Indices": list(stack.cells),
        "CardNames": {str(cell): card.name for cell, card in named},
        "CardMetadata": {str(cell): f"{card.faction_id}:{card.card.id}" for cell, card in named},
    }
