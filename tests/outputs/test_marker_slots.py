"""Markers in the slots of a sheet: on labels, and some turned where more fit then."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.base.findings import Report
from deckwright.game.folder import GameFolder
from deckwright.outputs.markers import MarkerOptions, print_markers
from deckwright.outputs.pages import capture_layout
from deckwright.sheet.layout import DEFAULT_SHEET_OPTIONS
from deckwright.sheet.pages import Page
from support import card, write_game

FACE = """<face>
  <rect width="{{ marker.width }}" height="{{ marker.height }}" fill="{{ marker.color }}"/>
</face>
"""
MARKERS = """<markers face="marker.xml">
  <marker id="luck" name="Luck" label="l" color="red" size="20" count="30"/>
  <marker id="fog" name="Fog" label="f" color="blue" size="15" count="3">
    <other name="Back" label="z" color="teal"/>
  </marker>
</markers>
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_game(tmp_path / "game", [card("A1", "Ant")])
    (folder / "templates" / "marker.xml").write_text(FACE, encoding="utf-8")
    edit(folder / "xml" / "game.xml", "  <sheet", f"{MARKERS}  <sheet")
    monkeypatch.chdir(folder)
    return folder


def pages_of(game: Path, sheet: str, **options: object) -> tuple[Page, ...]:
    """Return the pages of the markers of a game on a sheet."""
    report, slots = Report(), DEFAULT_SHEET_OPTIONS._replace(sheet=sheet)._replace(**options)  # type: ignore[arg-type]
    with capture_layout() as documents:
        asked = MarkerOptions(slots=slots)
        print_markers(GameFolder(game), game / "x.pdf", asked, report)
    assert report == []
    return documents[0].pages


def test_markers_of_all_sizes_share_labels_each_in_the_middle_of_one(game: Path) -> None:
    pages = pages_of(game, "avery-5293")
    assert [page.is_back for page in pages] == [False, True, False, True]
    assert [len(page.faces) for page in pages] == [24, 0, 9, 3]
    first = pages[0].faces[0].box
    middle = first.x + first.width / 2, first.y + first.height / 2
    assert middle == pytest.approx((11.1125 + 41.275 / 2, 12.7 + 41.275 / 2))
    assert first[2:] == (20, 20)
    fogs = [placed.box for placed in pages[2].faces[6:]]
    behind = [placed.box for placed in pages[3].faces]
    assert [box.width for box in fogs] == [15, 15, 15]
    for front, back in zip(fogs, behind, strict=True):
        assert back.x + back.width == pytest.approx(215.9 - front.x)
        assert back.y == pytest.approx(front.y)


def test_markers_are_made_as_large_as_labels_if_that_is_asked_for(game: Path) -> None:
    page, *_ = pages_of(game, "avery-l7651", scale=True)
    assert {round(placed.box.height, 6) for placed in page.faces} == {21.17}


def test_hexagons_are_turned_where_more_fit_then(game: Path, run: Run) -> None:
    edit(game / "xml" / "game.xml", 'size="20"', 'size="75" shape="hexagon"')
    standing, turned = (pages_of(game, "a4", turn=turn) for turn in (False, True))
    assert (len(standing[0].faces), len(turned[0].faces)) == (9, 10)
    assert {placed.turn for placed in turned[0].faces} == {0, 1}
    done = run("markers", "luck", "--sheet", "a4", "--turn")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "30 (luck)" in done.stdout


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--turn",), 2, "--turn is for sheets with slots for markers"),
        (("--scale", "fit"), 2, "--scale fit is for sheets"),
        (("--sheet", "avery-5293", "--paper", "a4"), 2, "--sheet and --paper cannot"),
        (("--sheet", "a4", "--cut", "cricut"), 2, "--sheet and --cut cannot be used together"),
        (("--sheet", "avery-529"), 2, "did you mean `avery-5295`?"),
        (("--sheet", "avery-l4732"), 1, "marker `luck` is 20 × 20 mm, but the labels of"),
    ],
)
def test_what_cannot_be_laid_out_is_told(
    game: Path, run: Run, options: tuple[str, ...], code: int, said: str
) -> None:
    done = run("markers", *options)
    assert done.exit_code == code
    assert said in done.stderr
    assert not (game / "out").exists()
