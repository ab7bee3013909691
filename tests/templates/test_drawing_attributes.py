"""Colors, dashes, ends and corners of lines, and `transform`, as SVG writes them."""

from __future__ import annotations

import io
from pathlib import Path

import pypdf
import pytest

from deckwright.base.geometry import Box
from deckwright.base.units import resolve_date
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op, StrokePath
from deckwright.ops.moving import move_ops
from deckwright.ops.outlines import extent
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import Info
from deckwright.sheet.pages import Page
from rasters import fonts
from support import compose, ops_of

SQUARE = 'width="10" height="10"'


def filled(folder: Path, fill: str) -> Op:
    return ops_of(folder, f'<rect {SQUARE} fill="{fill}"/>')[0]


@pytest.mark.parametrize(
    "fill", ["rgb(170, 51, 0)", "rgb(170 51 0)", "hsl(18, 100%, 33.33%)", "#A30", "#aa3300ff"]
)
def test_colors_are_written_as_in_svg(tmp_path: Path, fill: str) -> None:
    op = filled(tmp_path, fill)
    assert isinstance(op, FillPath)
    assert op.color == "#aa3300"


@pytest.mark.parametrize(
    "fill", ["rgba(170, 51, 0, 0.5)", "#aa330080", "hsla(18, 100%, 33.33%, 50%)"]
)
def test_translucent_colors_are_groups_with_an_opacity(tmp_path: Path, fill: str) -> None:
    group = filled(tmp_path, fill)
    assert isinstance(group, Group)
    assert group.opacity == pytest.approx(0.5, abs=0.003)
    (op,) = group.ops
    assert isinstance(op, FillPath)
    assert op.color == "#aa3300"


def test_letters_and_lines_may_be_translucent_as_well(tmp_path: Path) -> None:
    text, line = ops_of(
        tmp_path, '<text fill="#ff000040">a</text><line x2="5" stroke="rgba(0,0,0,.25)"/>'
    )
    assert isinstance(text, Group)
    assert isinstance(text.ops[0], DrawGlyphs)
    assert isinstance(line, Group)
    assert text.opacity == line.opacity == pytest.approx(0.25, abs=0.003)


def test_what_cannot_be_seen_is_not_drawn(tmp_path: Path) -> None:
    assert ops_of(tmp_path, f'<rect {SQUARE} fill="transparent" stroke="rgba(0,0,0,0)"/>') == ()


def test_gradients_have_all_colors_but_translucent_ones(tmp_path: Path) -> None:
    op = filled(tmp_path, "linear-gradient(rgb(255, 0, 0), hsl(240, 100%, 50%) 40%, #fff)")
    assert isinstance(op, FillPath)
    assert op.colors == ["#ff0000", "#0000ff", "#ffffff"]
    _, report = compose(tmp_path, f'<rect {SQUARE} fill="linear-gradient(#f008, #fff)"/>')
    assert [f.code.id for f in report] == ["T004"]
    assert "translucent" in report[0].message


def test_lines_have_dashes_ends_and_corners(tmp_path: Path) -> None:
    body = (
        '<line x2="9" stroke-width="1" stroke-dasharray="2, 1mm 1" stroke-dashoffset="-1"'
        ' stroke-linecap="round" stroke-linejoin="bevel"/>'
    )
    (op,) = ops_of(tmp_path, body)
    assert isinstance(op, StrokePath)
    assert (op.cap, op.join, op.dashes) == (1, 2, (2, 1, 1))
    assert op.offset == 7  # one before the end of twice these lengths
    (larger,) = move_ops((op,), 2, 1, 1)
    assert isinstance(larger, StrokePath)
    assert (larger.dashes, larger.offset) == ((4, 2, 2), 14)


@pytest.mark.parametrize(
    "attribute",
    [
        'stroke-dasharray="0 0"',
        'stroke-dasharray="2 -1"',
        'stroke-dasharray="a"',
        f'stroke-dasharray="{"1 " * 30}"',
        'stroke-linecap="flat"',
        'transform="turn(4)"',
        'transform="scale(1e9)"',
        'stroke="rgb(1,2)"',
    ],
)
def test_what_is_no_value_says_so(tmp_path: Path, attribute: str) -> None:
    _, report = compose(tmp_path, f'<line x2="9" {attribute}/>')
    assert [finding.code.id for finding in report] == ["T004"]
    assert report[0].hint


@pytest.mark.parametrize(
    ("transform", "box"),
    [
        ("translate(5 2)", Box(5, 2, 10, 10)),
        ("translate(5)", Box(5, 0, 10, 10)),
        ("rotate(90)", Box(-10, 0, 10, 10)),
        ("rotate(90 10 10)", Box(10, 0, 10, 10)),
        ("scale(2 0.5)", Box(0, 0, 20, 5)),
        ("skewX(45)", Box(0, 0, 20, 10)),
        ("matrix(1 0 0 -1 0 10)", Box(0, 0, 10, 10)),
        ("translate(5 5) scale(2)", Box(5, 5, 20, 20)),
    ],
)
def test_elements_are_transformed(tmp_path: Path, transform: str, box: Box) -> None:
    for body in (
        f'<rect {SQUARE} fill="red" transform="{transform}"/>',
        f'<g transform="{transform}"><rect {SQUARE} fill="red"/></g>',
    ):
        assert extent(ops_of(tmp_path, body)) == pytest.approx(box)


def test_a_transform_may_come_from_data(tmp_path: Path) -> None:
    body = """<rect width="1" height="1" fill="red" transform="rotate({{ 30 * 3 }})"/>"""
    assert extent(ops_of(tmp_path, body)) == pytest.approx(Box(-1, 0, 1, 1))


def test_dashes_are_printed_and_end_with_their_line() -> None:
    ops = (
        StrokePath((("M", 0.0, 1.0), ("L", 9.0, 1.0)), "#000000", 1, dashes=(2, 1), offset=0.5),
        StrokePath((("M", 0.0, 5.0), ("L", 9.0, 5.0)), "#000000", 1),
    )
    stream = io.BytesIO()
    face = Page(10, 10, ops=ops)
    write_pdf(stream, [face], Info("a", "", "", "en", resolve_date(())), fonts(), ImageStore())
    content = pypdf.PdfReader(stream).pages[0].get_contents()
    assert content is not None
    assert b"[2 1] 0.5 d 0 0 0 RG 1 w 0 1 m 9 1 l S [] 0 d" in content.get_data()
