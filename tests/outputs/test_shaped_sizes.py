"""Hexagons and round cards: what a service cuts off is held against the shape that it cuts."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from conftest import Run
from deckwright.ops.model import Face
from deckwright.outputs.services.preflight import _within_ellipse, _within_hexagon
from deckwright.outputs.services.press import nearest_size
from deckwright.outputs.services.profile import CardSize, load_service
from support import card, line, write_game

TEXT = '<text x="{}" y="{}" width="24" height="6" font-size="4">TIDE</text>'
GROUND = '<rect width="65" height="90" fill="#dddddd"/>'

sides = st.floats(5, 60)
points = st.tuples(st.floats(0, 70), st.floats(0, 70))


def to_polygon(x: float, y: float, corners: list[tuple[float, float]]) -> float:
    """Return how far a point is from the sides of a polygon, below zero outside of it."""
    distances, inside = [], True
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        dx, dy = bx - ax, by - ay
        share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
        share = min(max(share, 0), 1)
        distances.append(math.hypot(x - ax - share * dx, y - ay - share * dy))
        inside = inside and dx * (y - ay) - dy * (x - ax) >= 0
    return min(distances) if inside else -min(distances)


@given(points, sides, sides)
def test_the_room_in_a_hexagon_is_that_to_its_sides(
    point: tuple[float, float], width: float, height: float
) -> None:
    x, y = point
    if width >= height:
        corners = [(width, 0.0), (width / 2, height), (-width / 2, height)]
    else:
        corners = [(width, -height / 2), (width, height / 2), (0.0, height)]
    room = to_polygon(x, y, corners + [(-a, -b) for a, b in corners])
    found = _within_hexagon(x, y, width, height)
    if room >= 0:
        assert found == pytest.approx(room, abs=1e-6)
    else:
        assert found <= 1e-9


@given(points, sides)
def test_the_room_in_a_circle_is_that_to_its_edge(
    point: tuple[float, float], radius: float
) -> None:
    found = _within_ellipse(*point, radius, radius)
    assert found == pytest.approx(radius - math.hypot(*point), abs=1e-6)


@pytest.mark.parametrize("size", ["hex", "circle-shard"])
@pytest.mark.parametrize(("x", "y", "codes"), [(20, 42, 0), (3, 4, 1)])
def test_texts_must_be_inside_of_the_shape(
    tmp_path: Path, run: Run, size: str, x: int, y: int, codes: int
) -> None:
    """The corner of a card is inside of the rectangle, and outside of the shape."""
    game = write_game(
        tmp_path / "game",
        [card("A1", "Ant")],
        decks={"deck": [line("A1")]},
        face=f"<face>{GROUND}{TEXT.format(x, y)}</face>",
    )
    options = ["--size", size, "--scale", "fit", "--check", "--anyway"]
    result = run("export", "tgc", "deck", "-g", str(game), *options)
    assert result.stderr.count("E034") == codes, result.stderr


def test_pictures_of_hexagons_are_rectangles(tmp_path: Path, run: Run) -> None:
    game = write_game(
        tmp_path / "game",
        [card("A1", "Ant")],
        decks={"deck": [line("A1")]},
        face=f"<face>{GROUND}</face>",
    )
    options = ["--size", "hex", "--scale", "fit", "--anyway", "-o", str(tmp_path / "out")]
    result = run("export", "tgc", "deck", "-g", str(game), *options)
    assert result.exit_code == 0, result.stderr
    (path,) = (tmp_path / "out").rglob("fronts/*.png")
    with Image.open(path) as picture:
        assert picture.size == (1200, 1050)


def test_no_card_is_cut_round_unless_its_maker_says_so() -> None:
    service = load_service("tgc", Path("nowhere"), [])
    assert service is not None
    assert nearest_size(Face(19, 19, ()), service.sizes).shape == ""
    only = (CardSize("round", "round", 19, 19, "round"),)
    assert nearest_size(Face(19, 19, ()), only).shape == "round"
