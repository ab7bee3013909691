"""A factory for another style shares what is made of the same files, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import ROOT
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.templates.template import Template
from ops_as_text import format_face

pytestmark = pytest.mark.usefixtures("shipped_checked")

STARTER = ROOT / "examples" / "starter"


def opened(folder: GameFolder) -> FaceFactory:
    setup = load.load_setup(folder, [])
    assert setup is not None
    game = load.load_game(folder, setup, [])
    assert game is not None
    return FaceFactory(game, folder, [])


def template(factory: FaceFactory, name: str) -> Template | None:
    return factory.template(name, factory.game.setup.source, "face", [])


@pytest.fixture
def game(tmp_path: Path) -> GameFolder:
    folder = tmp_path / "game"
    shutil.copytree(STARTER, folder, ignore=shutil.ignore_patterns("out"))
    for name, included in ("one", "other"), ("two", "same"):
        text = f'<face><include href="{included}.xml"/></face>'
        (folder / "templates" / f"{name}.xml").write_text(text, encoding="utf-8")
        text = '<face><rect x="1" y="1" width="9" height="9" fill="#112233"/></face>'
        (folder / "templates" / f"{included}.xml").write_text(text, encoding="utf-8")
    style = folder / "templates" / "loud"
    style.mkdir()
    text = '<face><rect x="1" y="1" width="9" height="9" fill="#ff0000"/></face>'
    (style / "other.xml").write_text(text, encoding="utf-8")
    return GameFolder(folder)


def test_templates_of_the_same_files_are_shared(game: GameFolder) -> None:
    usual = opened(game)
    for name in ("one.xml", "two.xml"):
        assert template(usual, name) is not None
    loud = usual.in_style("loud")
    assert template(loud, "two.xml") is template(usual, "two.xml")
    assert template(loud, "one.xml") is not template(usual, "one.xml"), "what it includes differs"


def test_another_style_sheet_makes_all_templates_others(game: GameFolder) -> None:
    sheet = game.path / "templates" / "loud" / "styles.xml"
    sheet.write_text('<styles><color name="mark" value="#ff0000"/></styles>', encoding="utf-8")
    usual = opened(game)
    assert template(usual, "two.xml") is not None
    assert template(usual.in_style("loud"), "two.xml") is not template(usual, "two.xml")


def test_a_template_that_has_changed_is_not_taken_over(game: GameFolder) -> None:
    loud = opened(game)
    first = template(loud, "two.xml")
    loud = loud.in_style("loud")
    loud.forget(["same.xml"])
    assert template(loud, "two.xml") is not first


@pytest.mark.corpus(2)
@pytest.mark.parametrize("style", GameFolder(ROOT).styles())
def test_faces_are_those_of_a_factory_that_knows_no_other_style(style: str) -> None:
    usual = opened(GameFolder(ROOT))
    assert [*compose_faces(usual, [])]
    shared, own = (
        [format_face(named.face) for named in compose_faces(factory, [])]
        for factory in (
            usual.in_style(style),
            FaceFactory(usual.game, usual.folder, [], style),
        )
    )
    assert shared == own
