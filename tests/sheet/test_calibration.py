"""The calibration page: its scales at the edges, its numbers and its words."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from pypdf import PdfReader

from conftest import ROOT, Run, edit
from deckwright.base.units import PAPER_SIZES
from deckwright.ops.model import DrawGlyphs, Group, Op, StrokePath
from deckwright.sheet.calibration import make_calibration_pages
from deckwright.sheet.grid import Flip
from support import HalfEm

Point = tuple[float, float]


def moved(group: Group, point: Point) -> Point:
    assert group.matrix is not None
    a, b, c, d, e, f = group.matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def stairs(ops: tuple[Op, ...]) -> list[list[tuple[Point, Point]]]:
    """Return the lines of the stairs at the edges, as they stand on the paper."""
    return [
        [
            (moved(group, step.outline[0][1:]), moved(group, step.outline[1][1:]))  # type: ignore[arg-type]
            for step in group.ops
            if isinstance(step, StrokePath)
        ]
        for group in ops
        if isinstance(group, Group) and group.matrix
    ]


@pytest.mark.parametrize("paper", PAPER_SIZES)
def test_each_line_of_a_stair_is_as_far_in_as_it_says(paper: str) -> None:
    width, height = PAPER_SIZES[paper]
    front, _ = make_calibration_pages(width, height, Flip.LONG, "text", HalfEm())
    found = stairs(front.ops)
    assert len(found) == 4
    for side, stair in enumerate(found):
        for number, ends in enumerate(stair, 1):
            far = [(y, width - x, height - y, x)[side] for x, y in ends]
            assert far == pytest.approx([number, number])
        assert len(stair) == 15


@pytest.mark.parametrize("paper", PAPER_SIZES)
def test_numbers_of_a_scale_do_not_touch(paper: str) -> None:
    """Between neighbours on a line there is half a millimetre at least."""
    _, back = make_calibration_pages(*PAPER_SIZES[paper], Flip.LONG, "text", HalfEm())
    numbers = [
        op for op in back.ops
        if isinstance(op, DrawGlyphs) and op.text.lstrip("+−").isdecimal() and op.size < 3
    ]  # fmt: skip
    assert len(numbers) == 5 * 2 * 5
    lines: dict[float, list[DrawGlyphs]] = {}
    for op in numbers:
        lines.setdefault(round(op.y, 3), []).append(op)
    for line in lines.values():
        line.sort(key=lambda op: op.x)
        for one, other in pairwise(line):
            assert other.x - (one.x + len(one.text) * one.size / 2) >= 0.5


def words(path: Path) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(path).pages)


def test_the_page_speaks_the_language_of_the_game(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.pdf"
    result = run("calibrate", "--game", str(ROOT), "--out", str(page))
    assert result.exit_code == 0
    assert "the sheet `a4-65x90` prints up to 5 mm from the edges of the paper" in result.stdout
    assert "Kalibrierung, Seite 1" in words(page)
    assert "über die lange Kante gewendet" in words(page)
    assert "side" not in words(page)
    metadata = PdfReader(page).metadata
    assert metadata is not None
    assert metadata.title == "Kalibrierung"
    assert str(PdfReader(page).root_object["/Lang"]) == "de"


def test_without_a_game_or_its_language_the_page_is_english(
    run: Run, tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(small / "xml" / "game.xml", 'language="en"', 'language="fr"')
    assert run("calibrate", "--out", "page.pdf").exit_code == 0
    assert "calibration, side 1" in words(Path("page.pdf"))
    monkeypatch.chdir(tmp_path)
    result = run("calibrate", "--out", "alone.pdf")
    assert result.exit_code == 0
    assert "sheet `" not in result.stdout
    assert "turning it over the long edge" in words(Path("alone.pdf"))
