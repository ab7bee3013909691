"""Backs that show which way up their card is are told, all others are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import deckwright
from conftest import Run, edit
from deckwright.base.findings import Diagnostic
from deckwright.checking import whole_layout
from deckwright.checking.backs import find_hidden_backs, lint_backs
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from support import card, load_all, token_rule, uses, write_game

TWICE = '<g each="turn in [0, 180]" rotate="{{{{ turn }}}}" cx="32.5" cy="45">{}</g>'
GROUND = '<rect width="65" height="90" fill="#204060"/>'
TITLE = '<text x="8" y="12" width="49" height="9" fill="#fff">{{ faction.name }}</text>'
SMALL = TITLE.replace('"12"', '"{}" font-size="7pt"').replace("{{", "{{{{").replace("}}", "}}}}")
ARROW = '<polygon points="32.5,20 40,30 25,30" fill="#f0c040"/>'


def write_back(folder: Path, back: str) -> None:
    """Write a game of two factions whose cards have this back."""
    rules = [token_rule("call", "Worker")]
    write_game(
        folder, [card("A1", "Ant", "AA", uses("call")), card("B1", "Bee", "BB")], rules=rules
    )
    edit(folder / "xml/game.xml", 'tag="card"', 'tag="card" back="back.xml"')
    (folder / "templates/back.xml").write_text(f"<face>\n{back}\n</face>", "utf-8")
    (folder / "img").mkdir(exist_ok=True)


def lint(folder: Path, *styles: str) -> list[Diagnostic]:
    game = load_all(folder)
    factory = FaceFactory(game, GameFolder(folder), [])
    stages = [factory, *map(factory.in_style, styles)]
    backs = find_hidden_backs(game, [each[:2] for each in game.printable_cards()])
    return [*lint_backs(stages, backs)]


def draw_noise(folder: Path, name: str, *, symmetric: bool) -> None:
    """Draw a picture of random gray pixels in the shape of a card."""
    noise = Image.effect_noise((650, 900), 90)
    if symmetric:
        noise.paste(noise.crop((0, 0, 650, 450)).transpose(Image.Transpose.ROTATE_180), (0, 450))
    noise.save(folder / "img" / name)


PICTURE = '<image href="{}" x="0" y="0" width="65" height="90"/>'


@pytest.mark.parametrize(
    "back",
    [
        GROUND,
        GROUND + TWICE.format(TITLE + ARROW),
        GROUND + '<circle cx="32.5" cy="45" r="20" fill="radial-gradient(#fff, #000)"/>',
        '<rect width="65" height="90" fill="linear-gradient(180deg, #000, #fff 50%, #000)"/>',
        # What makes a difference is hidden.
        '<path d="M20 40 H40" stroke="red"/><circle cx="32.5" cy="45" r="16" fill="tan"/>',
        # Thin shapes end between pixels.
        GROUND + '<rect x="16.9" y="44.75" width="31.2" height="0.5" fill="#fff"/>',
        GROUND + '<rect x="7.5" y="44.57" width="50" height="0.86" fill="#fff"/>',
        PICTURE.format("same.png"),
        PICTURE.format("same.jpg"),
    ],
)
def test_symmetric_backs_are_fine(tmp_path: Path, back: str) -> None:
    write_back(tmp_path, back)
    draw_noise(tmp_path, "same.png", symmetric=True)
    draw_noise(tmp_path, "same.jpg", symmetric=True)
    assert lint(tmp_path) == []


@pytest.mark.parametrize(
    ("back", "line", "said"),
    [
        (f"{GROUND}\n{TITLE}", 3, "it has no text `Hill` in this place"),
        (
            f"{GROUND}\n{SMALL.format(9)}{SMALL.format(72)}",
            3,
            "it has no text `Hill` in this place",
        ),
        (f"{GROUND}{TWICE.format(ARROW)}\n{TITLE}", 3, "it has no text `Hill` in this place"),
        (f"{GROUND}{TWICE.format(TITLE)}\n{ARROW}", 3, "it looks different in this place"),
        (f"{TWICE.format(TITLE)}\n\n{PICTURE.format('noise.png')}", 4, "`noise.png` looks"),
        ('\n<rect width="65" height="90" fill="linear-gradient(180deg, #fff, #000)"/>', 3, "it l"),
        (
            '<rect width="65" height="90" fill="tan"/>\n\n<path d="M9 9 H56" stroke="red"/>',
            4,
            "it looks different",
        ),
    ],
)
def test_what_has_no_counterpart_is_named(tmp_path: Path, back: str, line: int, said: str) -> None:
    write_back(tmp_path, back)
    draw_noise(tmp_path, "noise.png", symmetric=False)
    (finding,) = lint(tmp_path)
    assert finding.code.id == "L019"
    assert "the back `back.xml` shows which way up its card is" in finding.message
    assert said in finding.message
    assert finding.location
    assert finding.location[:2] == (tmp_path / "templates/back.xml", line)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("xml/game.xml", 'tag="card"', 'tag="card" shuffled="false"'),
        ("xml/game.xml", 'tag="card" back="back.xml"', 'tag="card"'),
        ("templates/back.xml", "faction.name", "card.name"),
    ],
)
def test_backs_of_tokens_of_single_cards_and_of_what_is_never_shuffled_are_fine(
    tmp_path: Path, file: str, old: str, new: str
) -> None:
    write_back(tmp_path, GROUND + TITLE)
    edit(tmp_path / "xml/game.xml", 'tag="token"', 'tag="token" back="back.xml"')
    edit(tmp_path / file, old, new)
    assert lint(tmp_path) == []


def test_each_template_is_told_once_whatever_the_styles_and_factions(tmp_path: Path) -> None:
    write_back(tmp_path, GROUND + TITLE)
    for style in ("dark", "plain"):
        (tmp_path / "templates" / style).mkdir()
    (tmp_path / "templates/dark/back.xml").write_text(f"<face>{ARROW}</face>", "utf-8")
    places = [
        finding.location and finding.location.path for finding in lint(tmp_path, "dark", "plain")
    ]
    assert places == [tmp_path / "templates/back.xml", tmp_path / "templates/dark/back.xml"]


def test_the_back_of_a_single_faction_is_enough(tmp_path: Path) -> None:
    write_back(tmp_path, GROUND + TITLE.replace("<text", """<text when="faction.id == 'BB'\""""))
    (finding,) = lint(tmp_path)
    assert "`Hive`" in finding.message


@pytest.mark.child
def test_it_is_an_info_that_games_can_switch_off_and_checks_remember(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_back(tmp_path, GROUND + TITLE)
    monkeypatch.chdir(tmp_path)
    first = run("check", "--strict")
    assert first.exit_code == 0
    assert "templates/back.xml:2:" in first.stderr
    assert "info L019" in first.stderr
    edit(tmp_path / "xml/Factions/AA_cards.xml", 'name="Ant"', 'name="Aunt"')
    monkeypatch.setattr(whole_layout, "lint_backs", None)
    assert run("check").stderr == first.stderr
    monkeypatch.undo()
    off = '<severities><severity code="L019" is="off"/></severities></game>'
    edit(tmp_path / "xml/game.xml", "</game>", off)
    assert "L019" not in run("check", "--game", str(tmp_path)).stderr


def test_a_faction_that_gets_its_first_card_is_examined(tmp_path: Path) -> None:
    write_back(tmp_path, GROUND + TITLE.replace("<text", """<text when="faction.id == 'BB'\""""))
    bees = tmp_path / "xml/Factions/BB_cards.xml"
    text = bees.read_text("utf-8")
    bees.unlink()
    assert "L019" not in {found.code.id for found in deckwright.open_game(tmp_path).check()}
    bees.write_text(text, "utf-8")
    assert "L019" in {found.code.id for found in deckwright.open_game(tmp_path).check()}
