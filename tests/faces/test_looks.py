"""How faces look: golden rasters, and what can be measured of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from conftest import HERE, ROOT
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.images.store import ImageStore
from deckwright.outputs.pictures import contact_sheet
from deckwright.paint.raster import Raster, draw

pytestmark = pytest.mark.usefixtures("shipped_checked")

GOLDEN = HERE / "golden" / "rasters"
STYLES = (None, *GameFolder(ROOT).styles())
DPI = 100
MOST_OFF = 16
"""How far a channel of a pixel may be off before the pixel counts as different."""
MOST_DIFFERENT = 0.001
"""The share of pixels that may be different."""


def different(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ; 1 if the sizes do."""
    if one.size != other.size:
        return 1.0
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    off = max_of(difference.split()).point(lambda value: 255 if value > MOST_OFF else 0)
    return ImageStat.Stat(off).mean[0] / 255


def max_of(channels: Sequence[Image.Image]) -> Image.Image:
    result = channels[0]
    for channel in channels[1:]:
        result = ImageChops.lighter(result, channel)
    return result


@cache
def shipped() -> Game:
    folder = GameFolder(ROOT)
    setup = load.load_setup(folder, [])
    assert setup is not None
    game = load.load_game(folder, setup, [])
    assert game is not None
    return game


@cache
def factory_of(style: str | None) -> FaceFactory:
    return FaceFactory(shipped(), GameFolder(ROOT), [], style)


def pictures(
    style: str | None, wanted: Sequence[str], *, backs: bool = False
) -> list[tuple[NamedFace, Image.Image]]:
    factory = factory_of(style)
    faces = list(compose_faces(factory, [], wanted, backs=backs))
    drawn = draw((named.face for named in faces), factory.fonts, ImageStore(), Raster(DPI))
    return list(zip(faces, drawn, strict=True))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("wanted", ["MB12", "NR2", "NW_3", "ca006", "HK"])
def test_faces_look_as_they_did(
    style: str | None, wanted: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    backs = wanted == "HK"
    ((_, picture),) = pictures(style, [wanted], backs=backs)
    name = f"{style or 'usual'}_{'back_' if backs else ''}{wanted}.png"
    golden = GOLDEN / name
    if request.config.getoption("--update-golden"):
        GOLDEN.mkdir(parents=True, exist_ok=True)
        few = picture.quantize(256)
        enough = different(picture, few.convert("RGB")) <= MOST_DIFFERENT / 2
        (few if enough else picture).save(golden, optimize=True)
    with Image.open(golden) as opened:
        expected = opened.convert("RGB")
    share = different(picture, expected)
    if share > MOST_DIFFERENT:
        picture.save(tmp_path / f"actual_{name}")
        ImageChops.difference(picture, expected).save(tmp_path / f"diff_{name}")
    assert share <= MOST_DIFFERENT, f"see actual and diff in {tmp_path}"


def test_the_comparison_sees_what_the_eye_would() -> None:
    white = Image.new("RGB", (100, 100), "white")
    spot = white.copy()
    spot.paste("black", (0, 0, 10, 10))
    shade = Image.new("RGB", (100, 100), (250, 250, 250))
    assert different(white, white) == 0
    assert different(white, spot) == pytest.approx(0.01)
    assert different(white, shade) == 0
    assert different(white, Image.new("RGB", (100, 101), "white")) == 1


def ink(image: Image.Image) -> float:
    """Return the share of the area that has ink on it."""
    inked = image.convert("L").point(lambda value: 255 if value < 250 else 0)
    return ImageStat.Stat(inked).mean[0] / 255


@pytest.mark.parametrize("faction", ["HK", "HH", "ZK", "MG", "NW"])
def test_the_style_low_ink_saves_four_fifths_of_the_ink(faction: str) -> None:
    usual = sum(ink(picture) for _, picture in pictures(None, [faction]))
    saving = sum(ink(picture) for _, picture in pictures("low-ink", [faction]))
    assert saving <= 0.2 * usual


def test_every_shipped_card_and_token_has_arms_of_its_own() -> None:
    cards = [*shipped().cards.values(), *shipped().tokens()]
    assert len(cards) == 128
    assert [card.id for card in cards if not card.fields["charge"]] == []


@pytest.mark.corpus(3)
@pytest.mark.parametrize("style", STYLES)
def test_no_two_cards_of_a_faction_look_alike(style: str | None) -> None:
    pictures_of = [(named.group, picture.tobytes()) for named, picture in pictures(style, [])]
    assert len(set(pictures_of)) == len(pictures_of) == 128


def test_a_contact_sheet_shows_every_face() -> None:
    colors = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff"]
    sheet = contact_sheet([Image.new("RGB", (20, 30), color) for color in colors], 25.4)
    counts = {color: number for number, color in sheet.getcolors(1000) or ()}
    assert [counts[tuple(bytes.fromhex(color[1:]))] for color in colors] == [600] * 5
