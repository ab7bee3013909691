"""Margins: of every bundled sheet, of the marks on it, and of the printer that prints it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from conftest import ROOT, Run
from deckwright.base.findings import Report
from deckwright.base.units import PAPER_SIZES
from deckwright.ops.model import StrokePath
from deckwright.sheet.grid import Margins, Marks, SheetFormat
from deckwright.sheet.layout import (
    check_printable_area,
    list_formats,
    load_format,
    sheet_margins,
)
from deckwright.sheet.pages import cut_marks, make_slug
from deckwright.sheet.printers import Printer, save_printer

NAMES = list_formats(Path("nowhere"))
SIZES = [(65, 90), (63.5, 88.9), (63, 88), (44, 68), (70, 120)]
TIGHT = {"letter-65x90"}
"""Sheets whose grid leaves less than 5 mm, however it lies."""


def sheet_of(name: str) -> SheetFormat:
    sheet = load_format(name, Path("nowhere"), None, [])
    assert sheet is not None
    return sheet


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("avery", "card"))])
def test_nothing_on_a_bundled_sheet_is_nearer_to_the_edge_than_its_margin(name: str) -> None:
    """Cards with their bleed, marks, ruler and footer are where most printers print."""
    sheet = sheet_of(name)
    assert sheet.margin == (4.7 if name in TIGHT else 5)
    margins = [min(sheet_margins(sheet.fit_to(*size))) for size in SIZES]
    assert min(margins) == sheet.margin


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("avery", "card"))])
def test_every_cut_of_a_bundled_sheet_is_marked(name: str) -> None:
    fitted = sheet_of(name).fit_to(65, 90)
    ends = [step[1:] for mark in cut_marks(fitted) if isinstance(mark, StrokePath)
            for step in mark.outline]  # fmt: skip
    for slot in fitted.slots():
        assert all(any(abs(x - end[0]) < 1e-6 for end in ends) for x in (slot.x, slot.right))
        assert all(any(abs(y - end[1]) < 1e-6 for end in ends) for y in (slot.y, slot.bottom))


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
def test_every_size_of_cards_has_a_sheet_with_bleed_on_every_paper(paper: str) -> None:
    plain = [
        name for name in NAMES if re.match(rf"{paper}-(?!gutterfold|bleed)[^.]*(?<!bleed)$", name)
    ]
    assert len(plain) == 10
    for name in [paper, *plain]:
        sheet = sheet_of(f"{name}-bleed")
        assert {sheet.page_width, sheet.page_height} == set(PAPER_SIZES[paper])
        assert sheet.bleed >= 1.5
        assert sheet.gutter == 2 * sheet.bleed
        assert (sheet.slot_width, sheet.slot_height) == (
            (0, 0) if name == paper else (sheet_of(name).slot_width, sheet_of(name).slot_height)
        )
    eight = sheet_of("a4-65x90-bleed")
    assert eight.columns * eight.rows == 8


def test_the_guide_lists_all_sheets_and_their_margins() -> None:
    text = (ROOT / "docs" / "printing.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`((?:a4|letter|a3|12x1[28]|card|avery)[a-z0-9-]*)`", text))
    assert set(NAMES) - listed == set()
    assert all(f"`{name}`" in text for name in TIGHT)


@pytest.mark.parametrize("marks", [Marks.CROP, Marks.LINES, Marks.CORNERS])
@pytest.mark.parametrize("upright", [True, False])
def test_marks_and_ruler_stay_where_the_printer_prints(marks: Marks, upright: bool) -> None:  # noqa: FBT001
    printer = Margins(3, 6, 12.7, 4)
    sheet = sheet_of("a4-poker" if upright else "a4-usa")._replace(marks=marks, unprintable=printer)
    least = printer if upright else printer.landscape()
    box = make_slug(sheet)
    assert box is not None
    found = sheet_margins(sheet)
    cards = sheet_margins(sheet._replace(marks=Marks.NONE), footer=False)
    for side, reached, card in zip(found, least.at_least(5), cards, strict=True):
        assert side >= min(reached, card) - 1e-6


def test_lying_paper_is_judged_whichever_way_it_was_turned() -> None:
    assert Margins(3, 4, 12.7, 6).landscape() == Margins(6, 12.7, 6, 12.7)


def printed(run: Run, tmp_path: Path, margins: str, *options: str) -> str:
    """Print a deck of the starter game for a printer with these margins; return what is told."""
    assert run("calibrate", "--printer", "home", "--margins", margins).exit_code == 0
    result = run("deck", "cats", "--game", str(ROOT / "examples" / "starter"), "--quiet",
                 "--printer", "home", "--out", str(tmp_path / "x.pdf"), *options)  # fmt: skip
    return result.stderr


def test_a_sheet_that_needs_more_than_the_printer_reaches(run: Run, tmp_path: Path) -> None:
    assert printed(run, tmp_path, "7.5mm") == ""
    told = printed(run, tmp_path, "8mm")
    assert "E060: cards on the sheet `a4-65x90` start 7.5 mm from the" in told
    assert "where the printer leaves 8 mm white" in told
    # What is named can be printed.
    name = re.search(r"print on `--sheet (\S+)`", told)
    assert name is not None
    assert printed(run, tmp_path, "8mm", "--sheet", name[1]) == ""


def test_an_offset_moves_backs_towards_the_edge(run: Run, tmp_path: Path) -> None:
    assert save_printer("home", Printer((0.8, 0), None, Margins(7, 7, 7, 7)), []) is not None
    arguments = ["deck", "cats", "--game", str(ROOT / "examples" / "starter"), "--quiet",
                 "--printer", "home", "--out", str(tmp_path / "x.pdf")]  # fmt: skip
    assert run(*arguments, "--no-backs").stderr == ""
    told = run(*arguments, "--backs").stderr
    assert "E060: cards on the sheet `a4-65x90` start 6.7 mm from the right edge" in told


def test_cards_of_every_size_are_looked_at_before_their_bleed(tmp_path: Path) -> None:
    sheet = SheetFormat(
        "x", 210, 297, 3, 3, 0, 0, gutter=6, bleed=3, unprintable=Margins(7, 7, 7, 7)
    )
    report: Report = []
    check_printable_area(sheet, [(60, 80), (63, 80)], (0, 0), tmp_path, report)
    assert [finding.code.id for finding in report] == ["E060"]
    assert "start 4.5 mm from the right edge" in report[0].message


def test_as_many_cards_as_the_printer_reaches(run: Run, tmp_path: Path) -> None:
    """A sheet for any size has fewer slots for a printer with wide margins."""
    assert printed(run, tmp_path, "5mm", "--sheet", "a4") == ""
    full = len(PdfReader(tmp_path / "x.pdf").pages)
    assert printed(run, tmp_path, "30mm", "--sheet", "a4") == ""
    assert len(PdfReader(tmp_path / "x.pdf").pages) > full


def test_check_names_the_margin(run: Run, small: Path) -> None:
    result = run("check", "--game", str(small))
    assert "the sheet `a4-65x90` prints up to 5 mm from the edges of the paper" in result.stdout
