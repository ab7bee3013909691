"""Cards of other sizes than those of a print service: refused, scaled or turned."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.ops.model import Face, FillPath, Gradient, Group, walk
from deckwright.ops.outlines import bounds_of, rectangle
from deckwright.outputs.services.press import find_size, fit_face, nearest_size
from deckwright.outputs.services.profile import CardSize, load_service
from print_shop import hide_profiles, open_rgb, open_shop, write_poker_game


@pytest.fixture(autouse=True)
def _no_profiles(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_profiles(tmp_path_factory.mktemp("share"), monkeypatch)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return open_shop(tmp_path / "game", monkeypatch)


def test_a_card_of_another_size_is_refused_or_scaled(run: Run, tmp_path: Path) -> None:
    folder = write_poker_game(tmp_path / "large", width=65, height=90)
    refused = run("export", "tgc", "hill", "-g", str(folder))
    assert (
        "error E042: card `A1` is 65 × 90 mm, but The Game Crafter makes `poker`" in refused.stderr
    )
    assert refused.exit_code == 1
    assert not (folder / "out").exists()
    scaled = run("export", "tgc", "hill", "-g", str(folder), "--scale", "fit")
    assert scaled.exit_code == 0, scaled.stderr
    picture = open_rgb(folder / "out" / "tgc_hill" / "fronts" / "A1.png")
    assert picture.size == (825, 1125)
    edge = [picture.getpixel((x, y)) for x in (0, 824) for y in range(0, 1125, 25)]
    assert set(edge) == {(0, 128, 128)}
    asked = run("export", "tgc", "hill", "-g", str(folder), "--scale", "fit", "--size", "tarot")
    assert asked.exit_code == 0, asked.stderr
    assert open_rgb(folder / "out" / "tgc_hill" / "fronts" / "A1.png").size == (900, 1500)


SIZES = (
    CardSize("poker", "poker card", 63.5, 88.9),
    CardSize("tarot", "tarot card", 69.85, 120.65),
    CardSize("square", "square card", 88.9, 88.9),
)


@pytest.mark.parametrize(
    ("width", "height", "nearest"),
    [(65, 90, "poker"), (70, 120, "tarot"), (60, 60, "square"), (90, 65, "poker")],
)
def test_the_nearest_card_is_the_one_that_a_face_fills_best(
    width: float, height: float, nearest: str
) -> None:
    assert nearest_size(Face(width, height, ()), SIZES).id == nearest


def test_a_lying_card_is_turned_upright_and_its_back_the_other_way() -> None:
    top = FillPath(rectangle(0, 0, 88.9, 10), "#ff0000")
    lying = Face(88.9, 63.5, (FillPath(rectangle(0, 0, 88.9, 63.5), "#ffffff"), top))
    service = load_service("tgc", Path(), [])
    assert service is not None
    size = find_size(lying, service.sizes)
    assert size is not None
    assert size.id == "poker"
    strips = []
    for back in (False, True):
        face = fit_face(lying, size, 0, back=back)
        assert (face.width, face.height) == (63.5, 88.9)
        (group,) = face.ops
        assert isinstance(group, Group)
        assert group.matrix is not None
        a, b, c, d, e, f = group.matrix
        x, y = 44.45, 5.0  # the middle of the red strip
        strips.append((a * x + c * y + e, b * x + d * y + f))
    # Seen from the front both strips are at the right edge of the card.
    assert strips == [pytest.approx((58.5, 44.45)), pytest.approx((5, 44.45))]


def test_everything_of_a_face_is_scaled_alike() -> None:
    gradient = Gradient((0, 0), (0, 90), ((0, "#000000"), (1, "#ffffff")))
    inner = Group((FillPath(rectangle(1, 1, 2, 2), "#ff0000"),), (0, 1, -1, 0, 10, 20))
    face = Face(65, 90, (FillPath(rectangle(0, 0, 65, 90), gradient), inner))
    scaled = fit_face(face, SIZES[0], 3)
    scale = 63.5 / 65
    paths = [op for op in walk(scaled.ops) if isinstance(op, FillPath)]
    grounds = [op for op in paths if isinstance(op.color, Gradient)]
    assert len(grounds) == 2  # the ground, and the same made larger for the bleed
    box = bounds_of(grounds[0].outline)
    left, top, right, bottom = box.x, box.y, box.right, box.bottom
    assert (left, top) <= (-3, -3)
    assert (right, bottom) >= (66.5, 91.9)
    color = grounds[0].color
    assert isinstance(color, Gradient)
    assert color.end[1] - color.start[1] == pytest.approx(90 * scale)
    turned = next(op for op in walk(scaled.ops) if isinstance(op, Group))
    assert turned.matrix is not None
    y = (88.9 - 90 * scale) / 2
    assert turned.matrix == pytest.approx((0, 1, -1, 0, 10 * scale, 20 * scale + y))
    assert bounds_of(paths[-1].outline) == pytest.approx(tuple(scale * n for n in (1, 1, 2, 2)))


def test_cards_of_several_sizes_make_several_files(game: Path, run: Run) -> None:
    edit(game / "xml" / "game.xml", 'token="true" width="63.5" height="88.9"',
         'token="true" width="44.45" height="63.5"')  # fmt: skip
    assert run("export", "mbprint", "hill", "--icc", "none").exit_code == 0
    assert sorted(path.name for path in (game / "out").iterdir()) == [
        "mbprint_hill_44.45x63.5.pdf",
        "mbprint_hill_63.5x88.9.pdf",
    ]
