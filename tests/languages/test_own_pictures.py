"""Pictures by language: those in a folder of its code come before the common ones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from conftest import Run, edit
from deckwright import api

CARDS, CARD = Path("xml/Factions/RW_cards.xml"), Path("templates/card.xml")
GAME = Path("xml/game.xml")
COMMON, OWN = Path("img/lantern.png"), Path("img/fr/lantern.png")
BLUE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<path fill="#0000ff" d="M0 0h9v9z"/></svg>'
)
RED = BLUE.replace("#0000ff", "#ff0000")


def paint(path: Path, color: str) -> None:
    """Write a picture of one color."""
    path.parent.mkdir(exist_ok=True)
    Image.new("RGB", (600, 500), color).save(path)


def colors_in(pdf: Path) -> set[bytes]:
    """Return the first pixels of the pictures in a PDF."""
    with pikepdf.open(pdf) as document:
        found = (each for each in document.objects if isinstance(each, pikepdf.Stream))
        return {
            pikepdf.PdfImage(each).as_pil_image().convert("RGB").tobytes()[:3]
            for each in found
            if each.get("/Subtype") == "/Image"
        }


def print_deck(run: Run, *options: str) -> set[bytes]:
    assert run("deck", "river", "-q", *options).exit_code == 0
    return colors_in(Path("out", *options[1:], "deck_river.pdf"))


@pytest.fixture(autouse=True)
def _blue(french: Path) -> None:
    paint(french / COMMON, "blue")


def test_a_picture_of_the_language_takes_the_place_of_the_common_one(run: Run) -> None:
    blue, red = {b"\x00\x00\xff"}, {b"\xff\x00\x00"}
    assert print_deck(run, "--language", "fr") == blue
    paint(OWN, "red")  # after what was painted has been cached
    assert print_deck(run, "--language", "fr") == red
    assert print_deck(run) == blue
    OWN.unlink()
    assert print_deck(run, "--language", "fr") == blue


def test_a_picture_may_exist_for_a_language_alone(run: Run) -> None:
    paint(OWN, "red")
    COMMON.unlink()
    edit(CARD, 'when="card.image" href', 'when="card.image and card.image|is_image" href')
    assert print_deck(run, "--language", "fr") == {b"\xff\x00\x00"}
    assert print_deck(run) == set()
    result = run("check")
    assert result.output.count("R005") == 1
    assert "img" in result.output


def test_a_picture_that_is_searched_for_is_found_first_for_the_language(run: Run) -> None:
    paint(Path("img/RW5.jpg"), "blue")
    paint(Path("img/fr/RW5.png"), "red")
    edit(CARDS, ' image="lantern.png"', "")
    searched = GAME.read_text("utf-8").replace(
        'type="image"', 'type="image" find="{{ card.id }}.*"'
    )
    GAME.write_text(searched, "utf-8")
    assert print_deck(run, "--language", "fr") == {b"\xff\x00\x00"}
    assert {color[2] > 200 for color in print_deck(run)} == {True}


@pytest.mark.parametrize("kept", [True, False])
def test_drawings_of_symbols_and_faces_change_with_those_of_the_language(
    french: Path,
    kept: bool,  # noqa: FBT001
) -> None:
    Path("img/oar.svg").write_text(BLUE, "utf-8")
    edit(
        GAME,
        "  <group",
        '  <symbols>\n    <symbol id="oar" image="oar.svg" name="oar"/>\n  </symbols>\n  <group',
    )
    edit(CARD, "{{ card.name }}", "{oar} {{ card.name }}")
    edit(CARDS, 'image="lantern.png"', 'image="oar.svg"')
    game = api.open_game(french, keep=True, language="fr")

    def fills() -> set[str]:
        svg = game.card("RW5").face().svg()
        return {color for color in ("#0000ff", "#ff0000") if color in svg}

    assert fills() == {"#0000ff"}
    Path("img/fr").mkdir()
    shutil.copy("img/oar.svg", "img/fr/oar.svg")
    Path("img/fr/oar.svg").write_text(RED, "utf-8")
    if kept:
        game.reload()
    else:
        game = api.open_game(french, language="fr")
    assert fills() == {"#ff0000"}
