"""Packages for Tabletop Playground and single pictures for Tabletopia: each shows its own card."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import deckwright
from conftest import Run
from support import card, line, write_game

COLORS = {"A1": (204, 0, 0), "A2": (0, 204, 0), "A3": (0, 0, 204)}
COPIES = {"A1": 3, "A2": 1, "A3": 2}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Three cards of one color each."""
    colors = "{" + ", ".join(f"'{name}': 'rgb{color}'" for name, color in COLORS.items()) + "}"
    return write_game(
        tmp_path / "game",
        [card(name, f"Card / {name}") for name in COLORS],
        decks={"deck": [line(name, copies) for name, copies in COPIES.items()]},
        face=f'<face><rect width="65" height="90" fill="{{{{ {colors}[card.id] }}}}"/></face>',
    )


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def templates(folder: Path) -> list[dict[str, Any]]:
    paths = sorted((folder / "Templates").iterdir())
    found = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    assert [path.stem for path in paths] == [template["GUID"] for template in found]
    return found


def test_a_package_has_a_cell_for_each_card_and_an_index_for_each_copy(game: Path) -> None:
    packed = deckwright.open_game(game).deck("deck").export_playground(game / "package")
    (template,) = templates(packed.path)
    columns, rows = template["NumHorizontal"], template["NumVertical"]
    with Image.open(packed.path / "Textures" / template["FrontTexture"]) as picture:
        fronts = picture.convert("RGB")
    width, height = fronts.width // columns, fronts.height // rows
    shown: dict[str, int] = {}
    for index in template["Indices"]:
        name = template["CardMetadata"][str(index)].partition(":")[2]
        assert template["CardNames"][str(index)] == f"Card / {name}"
        x, y = index % columns * width + width // 2, index // columns * height + height // 2
        assert fronts.getpixel((x, y)) == COLORS[name]
        shown[name] = shown.get(name, 0) + 1
    assert shown == COPIES
    with Image.open(packed.path / "Textures" / template["BackTexture"]) as back:
        assert back.size == (width, height)
    assert template["BackIndex"] == -2
    assert (template["Width"], template["Height"]) == (6.5, 9)
    manifest = json.loads((packed.path / "Manifest.json").read_text(encoding="utf-8"))
    assert manifest["GUID"] != template["GUID"]
    assert len(manifest["GUID"]) == len(template["GUID"]) == 32


def test_two_packages_of_a_deck_are_the_same(game: Path, run: Run) -> None:
    for name in ("one", "two"):
        result = run("export", "playground", "-g", str(game), "-o", str(game / name))
        assert result.exit_code == 0, result.stderr
    assert content(game / "one") == content(game / "two")
    assert "6 cards" in result.stdout


def test_zones_and_tokens_are_stacks_of_their_own(small: Path, tmp_path: Path) -> None:
    deck = deckwright.open_game(small).deck("river")
    packed = deck.export_playground(tmp_path / "package")
    found = templates(packed.path)
    assert len(found) == len(packed.stacks) > 1
    assert len({template["GUID"] for template in found}) == len(found)
    copies = sum(len(stack.cells) for stack in packed.stacks)
    assert sum(len(template["Indices"]) for template in found) == copies
    for template in found:
        cells = template["NumHorizontal"] * template["NumVertical"]
        assert max(template["Indices"]) < cells
        assert (packed.path / "Textures" / template["FrontTexture"]).is_file()


def test_single_pictures_are_equally_large_and_listed(game: Path, run: Run) -> None:
    out = game / "tables"
    result = run("export", "tabletopia", "deck", "-g", str(game), "-o", str(out), "--dpi", "100")
    assert result.exit_code == 0, result.stderr
    with (out / "deck/cards.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["id"]: int(row["copies"]) for row in rows} == COPIES
    assert len({row["back"] for row in rows}) == 1
    for row in rows:
        for side in ("front", "back"):
            with Image.open(out / "deck" / row["pile"] / row[side]) as picture:
                assert picture.size == (256, 354)
                if side == "front":
                    color = picture.convert("RGB").getpixel((128, 177))
                    assert color == COLORS[row["id"]]
    files = {Path(name).name for name in content(out)}
    assert files == {"cards.csv", *(row[side] for row in rows for side in ("front", "back"))}
