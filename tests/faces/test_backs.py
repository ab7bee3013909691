"""Backs: one for all cards of a stack, and each style's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from conftest import ROOT, Run, edit
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.paint.raster import Raster, draw
from support import card, line, token_rule, uses, write_game

pytestmark = pytest.mark.usefixtures("shipped_checked")

GAMES = (ROOT, *sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir()))
FRUGAL = [game for game in GAMES if "low-ink" in GameFolder(game).styles()]
LITTLE = 30
"""The most coverage of what prints with little ink, in percent of one ink in full."""


@cache
def opened(folder: Path) -> Game:
    setup = load.load_setup(GameFolder(folder), [])
    assert setup is not None
    game = load.load_game(GameFolder(folder), setup, [])
    assert game is not None
    return game


def backs_of(folder: Path, style: str | None = None) -> dict[str, Face]:
    """Return the back of each card, by faction and id."""
    game = opened(folder)
    factory = FaceFactory(game, GameFolder(folder), [], style)
    backs = {
        f"{faction}/{card_id}": factory.card_back(card, faction, [])
        for (faction, card_id), card in game.cards.items()
    }
    return {key: back for key, back in backs.items() if back is not None}


@pytest.mark.parametrize("style", [None, *GameFolder(ROOT).styles()])
def test_the_back_of_a_neutral_card_does_not_tell_its_faction(style: str | None) -> None:
    backs = backs_of(ROOT, style)
    of_faction = {
        faction: {id(back) for key, back in backs.items() if key.startswith(f"{faction}/")}
        for faction in opened(ROOT).factions
    }
    assert of_faction["NW"] == of_faction["NR"]
    assert len(of_faction["NW"]) == 1
    assert len(set.union(*of_faction.values())) == len(of_faction) - 1, "others have their own"


@pytest.mark.parametrize("folder", FRUGAL, ids=lambda folder: folder.name)
def test_what_is_to_take_little_ink_takes_little_on_both_sides(folder: Path) -> None:
    factory = FaceFactory(opened(folder), GameFolder(folder), [], "low-ink")
    for backs in (False, True):
        faces = list(compose_faces(factory, [], backs=backs))
        assert faces
        drawn = draw((named.face for named in faces), factory.fonts, ImageStore(), Raster(30))
        for named, picture in zip(faces, drawn, strict=True):
            assert 0 < coverage(picture) < LITTLE, named.name


def coverage(picture: Image.Image) -> float:
    """Return how much ink a picture takes on average, in percent, its gray printed in black."""
    red, green, blue = (ImageChops.invert(band) for band in picture.convert("RGB").split())
    gray = ImageChops.darker(ImageChops.darker(red, green), blue)
    bands = [*(ImageChops.subtract(band, gray) for band in (red, green, blue)), gray]
    return sum(ImageStat.Stat(band).mean[0] for band in bands) / 2.55


GROUP = '<group id="guests" name="guests" races="Guest"/>'
ZONE = '<zone id="main" name="Main" except="guests"/>'


def stacked(folder: Path, old: str, new: str) -> Path:
    """Write a game of two factions and guests, with backs in a faction's color, and change it."""
    cards = [
        card("A1", "Ant", "AA", uses("call")),
        card("B1", "Bee", "BB"),
        card("G1", "Guest", "GG"),
    ]
    decks = {"hill": [line("A1"), line("B1"), line("G1")]}
    write_game(folder, cards, rules=[token_rule("call", "Wolf")], decks=decks)
    ground = '<face><rect width="65" height="90" fill="{{ %s }}"/></face>'
    for name, color in (("back", "faction.color"), ("one", "'red' if stack.name else ''")):
        (folder / "templates" / f"{name}.xml").write_text(ground % color, encoding="utf-8")
    game = folder / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8").replace(" face=", ' back="back.xml" face=')
    game.write_text(text, encoding="utf-8")
    edit(game, old, new)
    return folder


def test_all_cards_of_a_zone_share_its_back_and_tokens_do_not(tmp_path: Path) -> None:
    folder = stacked(tmp_path, ZONE, ZONE.replace("/>", ' back="one.xml"/>'))
    backs = backs_of(folder)
    assert backs["AA/A1"] is backs["BB/B1"]
    assert backs["GG/G1"] != backs["AA/A1"]
    (token,) = opened(folder).tokens()
    own = FaceFactory(opened(folder), GameFolder(folder), []).card_back(token, "AA", [])
    assert own not in {None, backs["AA/A1"]}


def test_the_back_of_a_zone_goes_before_that_of_a_group(tmp_path: Path) -> None:
    folder = stacked(tmp_path, GROUP, GROUP.replace("/>", ' back="one.xml"/>'))
    edit(folder / "xml" / "game.xml", 'only="guests"/>', 'only="guests" back="two.xml"/>')
    two = '<face><rect width="65" height="90" fill="blue"/></face>'
    (folder / "templates" / "two.xml").write_text(two, encoding="utf-8")
    (ground,) = backs_of(folder)["GG/G1"].ops
    assert ground.color == "#0000ff"  # type: ignore[union-attr]


def test_a_shared_back_is_one_file_of_an_order(tmp_path: Path, run: Run) -> None:
    folder = stacked(tmp_path, ZONE, ZONE.replace("/>", ' back="one.xml"/>'))
    result = run("export", "tgc", "hill", "-g", str(folder), "--scale", "fit", "--anyway")
    assert result.exit_code == 0, result.stderr
    backs = {path.stem for path in (folder / "out" / "tgc_hill" / "backs").iterdir()}
    assert backs == {"main_card", "GG_card", "AA_token"}
    pictures = run("export", "png", "-g", str(folder), "--backs", "-o", str(tmp_path / "pictures"))
    assert pictures.exit_code == 0, pictures.stderr
    names = {path.stem for path in (tmp_path / "pictures").rglob("*.png")}
    assert names == {"back_main_card", "back_GG_card", "back_AA_token"}


def test_a_card_has_the_back_of_the_zone_that_its_deck_puts_it_in(tmp_path: Path, run: Run) -> None:
    camp = '<zone id="camp" name="Camp" except="guests" back="one.xml"/>'
    folder = stacked(tmp_path, ZONE, ZONE + camp)
    deck = folder / "xml" / "Decks" / "hill.xml"
    edit(deck, line("B1"), line("B1").replace("/>", ' zone="camp"/>'))
    result = run("export", "tgc", "hill", "-g", str(folder), "--scale", "fit", "--anyway")
    assert result.exit_code == 0, result.stderr
    backs = {path.stem for path in (folder / "out" / "tgc_hill" / "backs").iterdir()}
    assert backs == {"AA_card", "camp_card", "GG_card", "AA_token"}


def test_a_shared_back_that_does_not_exist_is_told_where_it_is_named(
    tmp_path: Path, run: Run
) -> None:
    folder = stacked(tmp_path, GROUP, GROUP.replace("/>", ' back="nun.xml"/>'))
    result = run("check", "-g", str(folder))
    assert result.exit_code == 1
    assert f"xml/game.xml:4:{len(GROUP) + 2}: error T010" in result.output
    assert "did you mean `one.xml`?" in result.output
