from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from conftest import ROOT, Run
from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.ops.model import StrokePath
from deckwright.sheet.calibration import make_calibration_pages
from deckwright.sheet.grid import Flip, Margins, SheetFormat, parse_margins
from deckwright.sheet.printers import (
    Printer,
    find_printer,
    load_printers,
    parse_offset,
    save_printer,
    settings_file,
)
from support import HalfEm

NAMES = st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True)
LENGTHS = st.integers(-2000, 2000).map(lambda number: number / 100)
EDGES = st.integers(0, 6000).map(lambda number: number / 100)
MARGINS = st.builds(Margins, EDGES, EDGES, EDGES, EDGES)
PRINTERS = st.builds(Printer, st.tuples(LENGTHS, LENGTHS), st.sampled_from([None, *Flip]), MARGINS)


@given(st.dictionaries(NAMES, PRINTERS, min_size=1, max_size=4))
def test_printers_are_remembered(printers: dict[str, Printer]) -> None:
    settings_file().unlink(missing_ok=True)
    report: Report = []
    for name, printer in printers.items():
        assert save_printer(name, printer, report) == settings_file()
    assert report == []
    assert load_printers(report) == printers
    assert all(find_printer(name, report) == printer for name, printer in printers.items())


def test_without_a_file_there_are_no_printers() -> None:
    report: Report = []
    assert load_printers(report) == {}
    assert find_printer("home", report) is None
    assert "calibrate --printer home" in str(report[0].hint)


@pytest.mark.parametrize(
    "text",
    [
        "[home",
        "home = 3",
        '[home]\nback-offset = "far"',
        "[home]\nback-offset = 3",
        '[home]\nflip = "over"',
        '[home]\nbackoffset = "1,1"',
        '[home]\nmargins = "-1mm"',
        '[home]\nmargins = "1mm,2mm"',
        "[home]\nmargins = 4",
        "\ud800",
    ],
)
def test_a_file_that_cannot_be_read_is_reported_and_kept(text: str) -> None:
    path = settings_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    before, report = path.read_bytes(), Report()
    assert save_printer("office", Printer(), report) is None
    assert [finding.code.id for finding in report] == ["E004"]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "offset"),
    [("0.7mm,-0.4mm", (0.7, -0.4)), ("1,2", (1, 2)), (" 0.1cm , -1in ", (1, -25.4))],
)
def test_offsets(text: str, offset: tuple[float, float]) -> None:
    if abs(offset[1]) > 20:
        with pytest.raises(ValueError, match="more than 20 mm"):
            parse_offset(text)
    else:
        assert parse_offset(text) == offset


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "1mm;2mm", "99,0"])
def test_what_is_no_offset(text: str) -> None:
    with pytest.raises(ValueError, match="`"):
        parse_offset(text)


def test_calibration_remembers_what_decks_use(run: Run, tmp_path: Path) -> None:
    result = run("calibrate", "--printer", "home", "--back-offset", "0.7mm,-0.4mm",
                 "--flip", "short")  # fmt: skip
    assert result.exit_code == 0
    assert "0.7 mm, -0.4 mm" in result.stdout
    named, given_, plain = (tmp_path / f"{name}.pdf" for name in ("named", "given", "plain"))
    for path, options in (
        (named, ["--printer", "home"]),
        (given_, ["--back-offset", "0.7mm,-0.4mm", "--flip", "short"]),
        (plain, []),
    ):
        arguments = ["deck", "cats", "--game", str(ROOT / "examples" / "starter"), "--backs",
                     "--quiet", "--out", str(path), *options]  # fmt: skip
        assert run(*arguments).exit_code == 0
    assert named.read_bytes() == given_.read_bytes() != plain.read_bytes()


def test_what_is_not_given_stays_as_it_was(run: Run) -> None:
    assert run("calibrate", "--printer", "home", "--back-offset", "1,2").exit_code == 0
    result = run("calibrate", "--printer", "home", "--margins", "3mm,3mm,12.7mm,3mm")
    assert "leaves 3mm,3mm,12.7mm,3mm white" in result.stdout
    assert run("calibrate", "--printer", "home", "--back-offset", "0,1").exit_code == 0
    assert load_printers([]) == {"home": Printer((0, 1), None, Margins(3, 3, 12.7, 3))}


@pytest.mark.parametrize(
    ("text", "margins"),
    [("4.2mm", Margins(4.2, 4.2, 4.2, 4.2)), ("1, 2mm, 0.3cm, 0", Margins(1, 2, 3, 0))],
)
def test_margins(text: str, margins: Margins) -> None:
    assert parse_margins(text) == margins
    assert parse_margins(str(margins)) == margins


@pytest.mark.parametrize("text", ["", "1,2", "1,2,3", "-1", "61mm", "1;2;3;4", "wide"])
def test_what_are_no_margins(text: str) -> None:
    with pytest.raises(ValueError, match="`"):
        parse_margins(text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--printer", "home"],
        ["--back-offset", "1,1"],
        ["--margins", "4"],
        ["--printer", "home", "--margins", "4,4"],
        ["--printer", "my home", "--back-offset", "1,1"],
        ["--printer", "home", "--back-offset", "1"],
        ["--paper", "a0"],
    ],
)
def test_wrong_usage_of_calibration(run: Run, small: Path, arguments: list[str]) -> None:
    assert run("calibrate", *arguments).exit_code == 2
    assert not settings_file().exists()
    assert not (small / "calibration.pdf").exists()


@pytest.mark.parametrize("flip", [*Flip])
@pytest.mark.parametrize("size", [(210.0, 297.0), (279.4, 215.9)])
def test_the_crosses_cut_the_scales_at_the_offset_that_mends(
    flip: Flip, size: tuple[float, float]
) -> None:
    """If the second side lies off by e, the line of a cross is seen at the offset -e."""
    front, back = make_calibration_pages(*size, flip, "text", HalfEm())
    sheet = SheetFormat("", *size, 1, 1, *size, flip=flip)
    lines = [
        tuple(float(n) for step in op.outline for n in step[1:])
        for op in front.ops
        if isinstance(op, StrokePath)
    ]
    arms = [line for line in lines if abs(line[0] - line[2]) + abs(line[1] - line[3]) == 30]
    assert len(arms) == 10
    scales = [
        tuple(float(n) for step in op.outline for n in step[1:])
        for op in back.ops
        if isinstance(op, StrokePath)
    ]
    level = [line for line in scales if line[1] == line[3] and line[2] - line[0] == 12]
    upright = [line for line in scales if line[0] == line[2] and line[3] - line[1] == 12]
    assert len(level) == len(upright) == 5
    for x1, y1, x2, y2 in level:
        middle = (x1 + x2) / 2
        # Seen from the back, one upright arm stands at the middle of the scale, and reaches it.
        seen = []
        for arm in arms:
            if arm[0] == arm[2]:
                ends = [sheet.mirrored(_point(arm[0], y)) for y in (arm[1], arm[3])]
                ys = sorted(box.y for box in ends)
                if abs(ends[0].x - middle) < 1e-6 and ys[0] <= y1 <= ys[1]:
                    seen.append(arm)
        assert len(seen) == 1
        assert y1 == y2
    for x1, y1, _, y2 in upright:
        middle = (y1 + y2) / 2
        seen = []
        for arm in arms:
            if arm[1] == arm[3]:
                ends = [sheet.mirrored(_point(x, arm[1])) for x in (arm[0], arm[2])]
                xs = sorted(box.x for box in ends)
                if abs(ends[0].y - middle) < 1e-6 and xs[0] <= x1 <= xs[1]:
                    seen.append(arm)
        assert len(seen) == 1


def _point(x: float, y: float) -> Box:
    return Box(x, y, 0, 0)


def test_the_page_has_the_size_of_the_paper(run: Run, small: Path) -> None:
    result = run("calibrate", "--paper", "letter", "--out", "page.pdf")
    assert result.exit_code == 0
    pages = PdfReader(small / "page.pdf").pages
    assert len(pages) == 2
    for page in pages:
        assert float(page.mediabox.width) == pytest.approx(612, abs=0.01)
        assert float(page.mediabox.height) == pytest.approx(792, abs=0.01)
    assert "--back-offset" in pages[1].extract_text()
