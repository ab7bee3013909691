"""Folders without templates: the default faces suit any color and any picture."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from conftest import ROOT, SMALL, Run
from deckwright import open_game
from deckwright.base.colors import contrast, moderate
from deckwright.base.findings import Report
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game.folder import GameFolder
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage, Face, walk
from deckwright.ops.readable import extract_text
from deckwright.outputs.books import build_overview
from deckwright.paint.raster import Raster, draw
from rasters import different_share
from support import data, load_all

COLORS = {
    "RR": "#ff0000",
    "GG": "#00ff00",
    "BB": "blue",
    "WW": "#ffffff",
    "KK": "#000000",
    "YY": "#ffffc0",
    "HK": "gray",
}
PICTURES = {
    "white": ((900, 900), "#ffffff"),
    "black": ((900, 900), "#000000"),
    "clear": ((900, 900), "#00000000"),
    "tall": ((900, 2700), "#ffffff"),
    "wide": ((2700, 900), "#dddddd"),
}
NAMES = ("OHO", "AHA", "OTO", "AVA", "OMO", "HAUPTMANN DER ALTEN STADTWACHE", "Ö")
"""All but one are as wide on the left as on the right, without descenders."""
DPI = 101.6
MM = DPI / 25.4


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder without game.xml and templates, with a card for each color and picture."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "img").mkdir()
    for name, (size, ground) in PICTURES.items():
        picture = Image.new("RGBA", size, ground)
        x, y = size[0] / 2, size[1] / 2
        ink = "white" if name == "clear" else "teal"
        ImageDraw.Draw(picture).ellipse((x - 200, y - 200, x + 200, y + 200), fill=ink)
        picture.save(folder / "img" / f"{name}.png")
    (folder / "xml/Factions").mkdir(parents=True)
    factions = (
        f'<faction id="{key}" race_name="Volk" faction_name="Volk {key}" color="{color}"/>'
        for key, color in COLORS.items()
    )
    (folder / "xml/factions_definition.xml").write_text(data(*factions), "utf-8")
    token = '<token name="Rudel" strength="2" actions="1" image="white.png"><row name="CLOSE"/>'
    rule = f'<rule id="r" type="active" cost="1" effect="Wähle!"><label GEN="Zäh"/>{token}</token>'
    (folder / "xml/rules.xml").write_text(data(f"{rule}</rule>"), "utf-8")
    for key in COLORS:
        cards = (
            f'<card id="{key}{number}" name="{name}" faction_id="{key}" level="{number % 3 + 1}" '
            f'strength="{number}" actions="1" costs="4"{image}><row name="CLOSE"/>'
            + '<rule id="r"/>' * (number % 2)
            + "</card>"
            for number, (name, image) in enumerate(
                zip(NAMES, [*(f' image="{each}.png"' for each in PICTURES), "", ""], strict=True)
            )
        )
        (folder / f"xml/Factions/{key}_cards.xml").write_text(data(*cards), "utf-8")
    return folder


def factory_of(folder: Path) -> FaceFactory:
    return FaceFactory(load_all(folder), GameFolder(folder), [])


def composed(folder: Path, *wanted: str, backs: bool = False) -> list[Face]:
    report: Report = []
    faces = compose_faces(factory_of(folder), report, wanted, backs=backs)
    found = [named.face for named in faces]
    assert report == []
    return found


def drawn(folder: Path, *wanted: str) -> Iterator[Image.Image]:
    game = open_game(folder, keep=False)
    for card_id in wanted:
        yield Image.open(io.BytesIO(game.card(card_id).face().png(dpi=DPI))).convert("RGB")


def pixel(picture: Image.Image, x: float, y: float) -> str:
    """Return the color of a place in mm from the top left corner."""
    place = round(x * MM), round(y * MM)
    color = picture.getpixel(place)
    assert isinstance(color, tuple)
    return "#{:02x}{:02x}{:02x}".format(*color)


def test_check_finds_nothing_about_the_looks(plain: Path, run: Run) -> None:
    result = run("check", "--game", str(plain))
    found = set(re.findall(r"(?:error|warning) ([A-Z]\d+)", result.stderr))
    assert found <= {"D011"}, result.stderr
    assert result.exit_code == 0


@pytest.mark.parametrize(("number", "ground"), [(0, "#ffffff"), (1, "#000000")])
def test_every_picture_has_an_edge(plain: Path, number: int, ground: str) -> None:
    ids = [f"{key}{number}" for key in COLORS]
    for picture in drawn(plain, *ids):
        assert contrast(pixel(picture, 5, 5), ground) < 1.1, "it shows the picture"
        steps = [0.5 + step / 4 for step in range(14)]  # where the cut cannot reach
        for edge in (
            [(step, 20) for step in steps],
            [(65 - step, 20) for step in steps],
            [(40, step) for step in steps],
        ):
            assert max(contrast(pixel(picture, x, y), ground) for x, y in edge) > 2


def test_white_lines_show_on_what_is_behind_a_transparent_picture(plain: Path) -> None:
    for picture in drawn(plain, *(f"{key}2" for key in COLORS)):
        line, ground = pixel(picture, 32.5, 32), pixel(picture, 58, 32)
        assert contrast(line, "#ffffff") < 1.1
        assert contrast(line, ground) > 1.4
        assert contrast("#000000", ground) > 2


def test_names_are_in_the_middle_of_their_bands(plain: Path) -> None:
    # Bronze, silver and gold, with rules and without them, cream on black
    for number, picture in enumerate(drawn(plain, *(f"KK{number}" for number in range(5)))):
        top = 48.4 if number % 2 else 58.4
        upper, lower = top + 0.9 - (3.2 if number % 3 == 2 else 0), top + 7.2
        box = [round(mm * MM) for mm in (13, upper + 0.6, 52, lower)]
        letters = picture.convert("L").crop((box[0], box[1], box[2], box[3]))
        found = letters.point(lambda light: 255 if light > 140 else 0).getbbox()
        assert found
        middle = [
            (start + (low + high) / 2) / MM
            for start, low, high in zip(box, found, found[2:], strict=False)
        ]
        assert middle == pytest.approx([32.5, (upper + lower) / 2], abs=0.4), number


def test_templates_see_moderate_colors_and_others_those_of_the_file(plain: Path) -> None:
    for folder, is_moderate in ((plain, True), (SMALL, False)):
        factory = factory_of(folder)
        for faction in factory.game.factions.values():
            color = factory.contexts.faction_context(faction.id)["color"]
            assert color == (moderate(faction.color) if is_moderate else faction.color)
    assert load_all(plain).factions["RR"].color == "#ff0000"


def test_backs_are_the_same_upside_down_and_name_the_faction(plain: Path) -> None:
    backs = composed(plain, backs=True)
    assert len(backs) >= len(COLORS)
    assert {extract_text(back.ops).split("\n")[0] for back in backs} == {
        f"Volk {key}" for key in COLORS
    }
    for picture in draw(backs, factory_of(plain).fonts, ImageStore(), Raster(DPI)):
        assert different_share(picture, picture.rotate(180), 60) < 0.005


def test_nothing_shows_arms(plain: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(plain, tmp_path / "game")
    (folder / "templates").mkdir()
    (folder / "templates/arms.xml").write_text("<face><no-such-element/></face>", "utf-8")
    report: Report = []
    factory = factory_of(folder)
    for backs in (False, True):
        assert [*compose_faces(factory, report, backs=backs)]
    assert build_overview(["RR", "HK"], factory, report).cover
    assert report == []


def test_the_cover_shows_a_picture_if_there_is_one(plain: Path, tmp_path: Path) -> None:
    bare = shutil.copytree(plain, tmp_path / "game", ignore=shutil.ignore_patterns("*.png"))
    for folder, pictures in ((plain, 1), (bare, 0)):
        cover = build_overview(["RR", "HK"], factory_of(folder), []).cover
        assert cover
        assert sum(isinstance(op, DrawImage) for op in walk(cover.ops)) == pictures
        assert "Drei Reihen" in extract_text(cover.ops)


def test_a_game_begun_from_the_shipped_one_needs_no_templates(plain: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(plain, tmp_path / "game")
    shutil.copyfile(ROOT / "xml/game.xml", folder / "xml/game.xml")
    ours, theirs = composed(folder, "GG6"), composed(plain, "GG6")
    assert [face.ops for face in ours] == [face.ops for face in theirs]


def test_other_games_need_templates_of_their_own(tmp_path: Path, run: Run) -> None:
    folder = shutil.copytree(SMALL, tmp_path / "game", ignore=shutil.ignore_patterns("templates"))
    result = run("check", "--game", str(folder))
    assert "error T010: there is no template" in result.stderr
