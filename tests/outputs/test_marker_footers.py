"""Marker sheets have a ruler and a footer, below everything that is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from test_markers import OTHER, marker, placed, write_markers

from conftest import ROOT, Run
from deckwright.base.units import PAPER_SIZES
from deckwright.game.setup import MarkerSheet
from deckwright.ops.model import StrokePath
from deckwright.outputs.markers import marker_paper
from deckwright.sheet.impose import FOOT_HEIGHT, Paper, foot_slug, tile
from deckwright.xmlio.node import Document, Source
from support import page_texts

pytestmark = pytest.mark.usefixtures("shipped_checked")

MM = 72 / 25.4
SOURCE = Source(Document(Path("game.xml"), ""), 0)


def test_every_sheet_says_what_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    folder = write_markers(tmp_path, marker("luck", count=300), marker("fog", OTHER, count=3))
    assert run("markers", "--game", str(folder), "--quiet").exit_code == 0
    pages = page_texts(folder / "out" / "markers.pdf")
    assert len(pages) > 2
    for number, text in enumerate(pages, 1):
        assert f"Test · Markers · Page {number}/{len(pages)} · " in text
        # Backs have no ruler.
        assert ("100 mm" in text) == (number % 2 == 1)


def test_without_a_footer(run: Run, tmp_path: Path) -> None:
    folder = write_markers(tmp_path, marker("luck", count=3))
    assert run("markers", "--game", str(folder), "--no-footer", "--quiet").exit_code == 0
    assert "100 mm" not in page_texts(folder / "out" / "markers.pdf")[0]


def test_the_shipped_markers_still_fit_on_one_page(run: Run, tmp_path: Path) -> None:
    assert run("markers", "--game", str(ROOT), "--quiet", "--out", str(tmp_path)).exit_code == 0
    (text,) = page_texts(tmp_path / "markers.pdf")
    assert "100 mm" in text
    assert "Drei Reihen · Marker · Seite 1/1" in text


def test_a_marker_that_needs_the_whole_page_has_no_footer(run: Run, tmp_path: Path) -> None:
    folder = write_markers(tmp_path, marker("map", count=1, size=199))
    assert run("markers", "--game", str(folder), "--quiet").exit_code == 0
    assert "100 mm" in page_texts(folder / "out" / "markers.pdf")[0]
    assert run("markers", "--game", str(folder), "--paper", "a5", "--quiet").exit_code == 1
    folder = write_markers(tmp_path / "tall", marker("map", count=1, size=134))
    assert run("markers", "--game", str(folder), "--paper", "a5", "--quiet").exit_code == 0


@given(
    st.lists(st.tuples(st.sampled_from([9, 13, 20.5, 31]), st.integers(1, 90)), min_size=1,
             max_size=3, unique_by=lambda size: size[0]),
    st.sampled_from([*PAPER_SIZES]), st.integers(0, 9),
)  # fmt: skip
def test_the_footer_is_below_all_cut_lines(
    sizes: list[tuple[float, int]], name: str, margin: float
) -> None:
    """Cut lines end above the ruler, and no nearer to the edge than the margin."""
    paper = marker_paper(MarkerSheet("m.xml", name, margin, SOURCE), None)
    slug = foot_slug(paper)
    assert slug is not None
    assert slug.box.bottom <= paper.height - max(5, margin) + 1e-6
    for sheet in tile([(size, size, size, count) for size, count in sizes], paper):
        for line in sheet.cut_lines():
            assert isinstance(line, StrokePath)
            for x, y in (step[1:] for step in line.outline):
                assert margin - 1e-6 <= x <= paper.width - margin + 1e-6
                assert margin - 1e-6 <= y <= slug.box.y - 0.5


def test_paper_without_a_foot_has_no_footer() -> None:
    assert foot_slug(Paper(210, 297, 5)) is None
    assert foot_slug(Paper(100, 297, 5, FOOT_HEIGHT)) is None


def test_markers_keep_within_what_the_printer_reaches(run: Run, tmp_path: Path) -> None:
    folder = write_markers(tmp_path, marker("luck", count=300))
    assert run("calibrate", "--printer", "home", "--margins", "3,3,12,3").exit_code == 0
    arguments = ["markers", "--game", str(folder), "--quiet", "--printer"]
    assert run(*arguments, "nowhere").exit_code == 1
    assert run(*arguments, "home").exit_code == 0
    for page in PdfReader(folder / "out" / "markers.pdf").pages:
        for _, x, y in placed(page):
            assert 12 - 1e-3 <= x <= 210 - 12 - 13
            assert 12 - 1e-3 <= y <= 297 - 12 - 13
