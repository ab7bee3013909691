"""Grids of cards for any virtual table: each cell shows the card that the list says."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PIL import Image, ImageChops

import deckwright
from conftest import Run
from support import card, line, write_game

COLORS = {"A1": "#cc0000", "A2": "#00cc00", "A3": "#0000cc", "A4": "#cccc00", "A5": "#00cccc"}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Five cards of one color each; the deck has three of the first."""
    colors = "{" + ", ".join(f"'{name}': '{color}'" for name, color in COLORS.items()) + "}"
    fill = f'<rect width="65" height="90" fill="{{{{ {colors}[card.id] }}}}"/>'
    return write_game(
        tmp_path / "game",
        [card(name, f"Card {name}") for name in COLORS],
        decks={"deck": [line("A1", 3), *(line(name) for name in [*COLORS][1:])]},
        face=f"<face>{fill}</face>",
    )


def listed(folder: Path) -> list[dict[str, str]]:
    with (folder / "deck.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def color_in(folder: Path, row: dict[str, str]) -> str:
    """Return the color in the middle of a card's cell."""
    with Image.open(folder / row["front"]) as picture:
        width, height = picture.width // int(row["columns"]), picture.height // int(row["rows"])
        x = (int(row["column"]) - 1) * width + width // 2
        y = (int(row["row"]) - 1) * height + height // 2
        pixel = picture.convert("RGB").getpixel((x, y))
    assert isinstance(pixel, tuple)
    return "#" + "".join(f"{round(part / 4) * 4:02x}" for part in pixel)


@pytest.mark.parametrize("form", ["png", "jpg", "webp"])
def test_each_cell_shows_its_card(game: Path, run: Run, form: str) -> None:
    result = run("export", "sheet", "deck", "-g", str(game), "--grid", "2x2", "--format", form)
    assert result.exit_code == 0, result.stderr
    folder = game / "out/sheet"
    rows = listed(folder)
    assert [row["id"] for row in rows] == [*COLORS]
    assert [row["copies"] for row in rows] == ["3", "1", "1", "1", "1"]
    assert {row["front"] for row in rows} == {
        f"deck-1-front-2x2.{form}",
        f"deck-2-front-2x2.{form}",
    }
    assert all((folder / row["back"]).is_file() for row in rows)
    for row in rows:
        expected = Image.new("RGB", (1, 1), COLORS[row["id"]]).getpixel((0, 0))
        shown = Image.new("RGB", (1, 1), color_in(folder, row)).getpixel((0, 0))
        assert isinstance(expected, tuple)
        assert isinstance(shown, tuple)
        assert max(abs(a - b) for a, b in zip(expected, shown, strict=True)) <= 8


@pytest.mark.parametrize(
    ("options", "size", "count"),
    [
        (("--size", "100x140"), (300, 280), 5),
        (("--size", "100x140", "--copies"), (300, 420), 7),
        (("--size", "100x140", "--backs", "last"), (300, 280), 5),
        (("--size", "100x140", "--grid", "5x1"), (500, 140), 5),
        (("--size", "1000x1400", "--grid", "5x1", "--max-pixels", "500"), (500, 140), 5),
        (("--dpi", "20"), (51 * 3, 71 * 2), 5),
    ],
)
def test_pictures_are_as_large_as_wished(
    game: Path, run: Run, options: tuple[str, ...], size: tuple[int, int], count: int
) -> None:
    result = run("export", "sheet", "deck", "-g", str(game), *options)
    assert result.exit_code == 0, result.stderr
    rows = listed(game / "out/sheet")
    assert len(rows) == count
    with Image.open(game / "out/sheet" / rows[0]["front"]) as picture:
        assert picture.size == size


def test_backs_are_where_they_are_wished(game: Path) -> None:
    deck = deckwright.open_game(game).deck("deck")
    made = {
        backs: deck.export_sheets(game / backs, cell=(50, 70), backs=backs, grid=(3, 2))
        for backs in ("sheet", "last", "one", "none")
    }
    names = {backs: sorted(path.name for path in (game / backs).iterdir()) for backs in made}
    front, back = "deck-1-front-3x2.png", "deck-1-back-3x2.png"
    assert names == {
        "sheet": [back, front, "deck.csv"],
        "last": [front, "deck.csv"],
        "one": [back, front, "deck.csv"],
        "none": [front, "deck.csv"],
    }
    with Image.open(game / "one" / back) as one, Image.open(game / "sheet" / back) as sheet:
        assert (one.size, sheet.size) == ((50, 70), (150, 140))
        cell = sheet.crop((0, 0, 50, 70))
        assert ImageChops.difference(one, cell).getbbox() is None
        with Image.open(game / "last" / front) as last:
            hidden = last.crop((100, 70, 150, 140))
            assert ImageChops.difference(one, hidden).getbbox() is None
    again = {path: path.read_bytes() for path in (game / "sheet").iterdir()}
    deck.export_sheets(game / "sheet", cell=(50, 70), grid=(3, 2))
    assert {path: path.read_bytes() for path in (game / "sheet").iterdir()} == again


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--grid", "7"), "is not COLUMNSxROWS, each from 1 to 99"),
        (("--grid", "0x4"), "is not COLUMNSxROWS, each from 1 to 99"),
        (("--grid", "1x1", "--backs", "last"), "a grid of one cell has no room"),
        (("--name", "{card}"), "`{card}` is not a field of names"),
        (("--name", "{sheet"), "is not a valid name with fields"),
        (("--name", "cards"), "gives several files the same name"),
        (("--name", "../{sheet}{side}"), "is not a file name"),
        (("--size", "big"), "is not WIDTHxHEIGHT, each from 1 to 99999"),
    ],
)
def test_what_cannot_be_is_told(game: Path, run: Run, options: tuple[str, ...], said: str) -> None:
    result = run("export", "sheet", "deck", "-g", str(game), *options)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (game / "out/sheet").exists()
