"""SVG drawings: what is on the lists becomes ops, everything else is refused by its name."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import ROOT
from deckwright.base.findings import Report
from deckwright.game.setup import Symbol
from deckwright.images.drawings import model
from deckwright.images.drawings.cache import load_drawing
from deckwright.images.drawings.css import (
    ELEMENTS,
    GEOMETRY,
    IGNORED_ELEMENTS,
    IGNORED_PROPERTIES,
    PROPERTIES,
)
from deckwright.images.drawings.model import Drawing, DrawingError
from deckwright.ops.model import FillPath, Group, Op, StrokePath, walk
from deckwright.text import symbols
from deckwright.text.symbols import SymbolArt, load_symbols
from deckwright.xmlio.node import Document, Source
from support import compose

BOX = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"'
RECT = '<rect x="1" y="2" width="3" height="4"/>'


def draw(folder: Path, body: str, root: str = BOX) -> Drawing:
    path = folder / f"{abs(hash((body, root)))}.svg"
    path.write_text(f"<svg {root}>{body}</svg>", encoding="utf-8")
    return load_drawing(path, 0)


def ops(folder: Path, body: str, root: str = BOX) -> tuple[Op, ...]:
    return draw(folder, body, root).ops


def corners(op: Op) -> list[tuple[float, ...]]:
    """Return the ends of an outline's segments, to a thousandth."""
    assert isinstance(op, FillPath | StrokePath)
    ends = (segment[1:][-2:] for segment in op.outline)
    return [tuple(round(float(number), 3) for number in end) for end in ends if end]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (RECT, [(1, 2), (4, 2), (4, 6), (1, 6)]),
        ('<polygon points="0,0 4,0 2 3"/>', [(0, 0), (4, 0), (2, 3)]),
        ('<polyline points="0,0 4,0 2 3"/>', [(0, 0), (4, 0), (2, 3)]),
        ('<path d="M1 1h2v2"/>', [(1, 1), (3, 1), (3, 3)]),
        ('<circle cx="5" cy="5" r="2"/>', [(7, 5), (5, 7), (3, 5), (5, 3), (7, 5)]),
        ('<ellipse cx="5" cy="5" rx="2" ry="1"/>', [(7, 5), (5, 6), (3, 5), (5, 4), (7, 5)]),
    ],
)
def test_basic_shapes_are_outlines(
    tmp_path: Path, body: str, expected: list[tuple[float, ...]]
) -> None:
    (op,) = ops(tmp_path, body)
    assert isinstance(op, FillPath)
    assert corners(op) == expected
    assert op.color == "#000000"


@pytest.mark.parametrize(
    "body",
    [
        "<path/>",
        '<path d=""/>',
        '<path d="M1 1M2 2"/>',
        '<line x1="1" y1="2" x2="3" y2="4"/>',
        '<path d="M1 1L3 3"/>',
        '<path d="M1 1C2 2 3 3 4 4z"/>',
        '<polyline points="1 1 5 1 3 1"/>',
        '<rect width="0" height="4" stroke="red"/>',
        '<circle stroke="red"/>',
        '<path d="M1 1h3" stroke="red" stroke-width="0"/>',
        '<path d="M1 1h0" stroke="red"/>',
        '<rect width="3" height="4" transform="scale(0 1)" stroke="red"/>',
        '<g display="none"><rect width="3" height="4"/></g>',
    ],
)
def test_what_has_no_area_paints_nothing(tmp_path: Path, body: str) -> None:
    """Where such a thing is filled, printers draw a hair."""
    assert ops(tmp_path, body) == ()


def test_a_stroke_grows_with_what_it_is_drawn_in(tmp_path: Path) -> None:
    line = '<line x2="3" stroke="red" stroke-width="0.5" transform="scale(4)"/>'
    (op,) = ops(tmp_path, f'<g transform="scale(2)">{line}</g>')
    assert isinstance(op, StrokePath)
    assert op.color == "#ff0000"
    assert op.width == pytest.approx(4)


def test_a_stroke_that_grows_in_one_direction_is_in_a_group_that_does_not_enlarge(
    tmp_path: Path,
) -> None:
    """What is in it is rounded before it is made larger."""
    line = '<path d="M1 1h3" stroke="red" transform="translate(1 2) scale(8 2)"/>'
    (group,) = ops(tmp_path, line)
    assert isinstance(group, Group)
    assert list(group.matrix or ()) == [1, 0, 0, 0.25, 1, 2]
    (op,) = group.ops
    assert isinstance(op, StrokePath)
    assert (op.width, corners(op)) == (8, [(8, 8), (32, 8)])


def test_strokes_end_and_turn_as_they_are_told(tmp_path: Path) -> None:
    body = """<g stroke="red" stroke-linecap="round"><path d="M0 0h5"/>
      <path d="M0 0h5" style="stroke-linecap:square;stroke-linejoin:bevel"/></g>
      <path d="M0 0h5" stroke="red" stroke-miterlimit="7"/>"""
    expected = [(1, 0, 4), (2, 2, 4), (0, 0, 7)]
    drawn = [op for op in ops(tmp_path, body) if isinstance(op, StrokePath)]
    assert [(op.cap, op.join, op.miter) for op in drawn] == expected
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "a.svg").write_text(f"<svg {BOX}>{body}</svg>", encoding="utf-8")
    face, report = compose(tmp_path, '<image href="a.svg" width="10" height="10" fit="contain"/>')
    assert report == []
    assert face is not None
    strokes = [op for op in walk(face.ops) if isinstance(op, StrokePath)]
    assert [(op.cap, op.join, op.miter) for op in strokes] == expected


def test_the_root_gives_size_and_the_view_box_the_origin(tmp_path: Path) -> None:
    drawing = draw(tmp_path, RECT, f'{BOX[:35]} viewBox="1,2 30 40"')
    assert (drawing.width, drawing.height) == (30, 40)
    assert corners(drawing.ops[0])[0] == (0, 0)
    drawing = draw(tmp_path, RECT, f'{BOX[:35]} width="30px" height="40"')
    assert (drawing.width, drawing.height) == (30, 40)
    assert corners(drawing.ops[0])[0] == (1, 2)
    drawing = draw(tmp_path, RECT, f'{BOX[:35]} viewBox="0 0 10 10" width="1in" height="100mm"')
    assert (drawing.width, round(drawing.height, 3)) == (96, 377.953)


def test_an_image_shows_a_drawing_as_far_as_its_canvas(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    for name, place in (("in", 4), ("out", 8)):
        body = f'<svg {BOX}><rect x="{place}" y="1" width="5" height="5"/></svg>'
        (tmp_path / "img" / f"{name}.svg").write_text(body, encoding="utf-8")
        face, _ = compose(
            tmp_path, f'<image href="{name}.svg" width="20" height="20" fit="contain"/>'
        )
        assert face is not None
        (op,) = face.ops
        assert isinstance(op, Group) is (name == "out")
        if isinstance(op, Group):
            assert op.clip == (("M", 0, 0), ("L", 20, 0), ("L", 20, 20), ("L", 0, 20), ("Z",))


def test_an_image_gives_a_drawing_other_colors(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    body = """<rect width="9" height="9" stroke="white"/><g transform="scale(1 2)">
      <path d="M1 1h4v3" fill="#123456" stroke="black"/></g>"""
    (tmp_path / "img" / "a.svg").write_text(f"<svg {BOX}>{body}</svg>", encoding="utf-8")
    image = '<image href="a.svg" width="10" height="10" fill="red" detail="lime" stroke="blue"/>'
    face, _ = compose(tmp_path, image)
    assert face is not None
    painted = [op for op in walk(face.ops) if isinstance(op, FillPath | StrokePath)]
    assert [(type(op).__name__[:4], op.color) for op in painted] == [
        ("Stro", "#0000ff"),
        ("Stro", "#0000ff"),
        ("Fill", "#ff0000"),
        ("Stro", "#00ff00"),
        ("Fill", "#123456"),
        ("Stro", "#ff0000"),
    ]


def symbol(folder: Path, body: str) -> tuple[SymbolArt | None, Report]:
    """Return what a symbol with a drawing looks like, and what is found."""
    path = folder / "img" / "s.svg"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"<svg {BOX}>\n{body}</svg>", encoding="utf-8")
    report: Report = []
    source = Source(Document(folder / "game.xml", "<game/>"), 0)
    known = {"s": Symbol("s", "Sign", "", "s.svg", None, source)}
    return load_symbols(known, folder / "img", report).get("s"), report


def test_a_symbol_is_cut_off_at_its_canvas(tmp_path: Path) -> None:
    art, report = symbol(tmp_path, '<rect x="5" width="9" height="5" fill="red"/>')
    assert report == []
    assert art is not None
    drawn = walk(art.ops(1, 2, 20, "#123456"))
    op = next(op for op in drawn if isinstance(op, Group) and op.clip is not None)
    assert op.clip is not None
    assert corners(FillPath(op.clip, "#000000")) == [(1, 2), (21, 2), (21, 22), (1, 22)]
    assert corners(op.ops[0]) == [(11, 2), (29, 2), (29, 12), (11, 12)]


def test_a_symbol_that_is_refused_is_reported_at_its_drawing(tmp_path: Path) -> None:
    art, (finding,) = symbol(tmp_path, "<g><text/></g>")
    assert art is None
    assert finding.message == "symbol `s`: `text` cannot be drawn"
    assert finding.location is not None
    assert (finding.location.path.name, *finding.location[1:3]) == ("s.svg", 2, 4)


def test_the_drawings_of_all_symbols_are_counted_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three squares, two of which fit; a fourth symbol shows the first again."""
    counted: list[int] = []

    def size_of(ops: tuple[Op, ...]) -> int:
        counted.append(1)
        return model.count_segments(ops)

    monkeypatch.setattr(symbols, "count_segments", size_of)
    monkeypatch.setattr(symbols, "MAX_SEGMENTS", 6)  # a square has 6 with its op, twice that fits
    source = Source(Document(tmp_path / "game.xml", "<game/>"), 0)
    known: dict[str, Symbol] = {}
    for number, image in enumerate("abca"):
        (tmp_path / f"{image}.svg").write_text(f"<svg {BOX}>{RECT}</svg>", encoding="utf-8")
        known[f"s{number}"] = Symbol(f"s{number}", "Sign", "", f"{image}.svg", None, source)
    report: Report = []
    assert list(load_symbols(known, tmp_path, report)) == ["s0", "s1", "s3"]
    (finding,) = report
    assert finding.message.startswith(
        "symbol `s2`: the drawings of all symbols together have more than 6"
    )
    assert len(counted) == 3


def test_groups_may_be_deep(tmp_path: Path) -> None:
    assert len(ops(tmp_path, f"{'<g>' * 240}{RECT}{'</g>' * 240}")) == 1


def test_a_drawing_that_is_not_there_is_reported(tmp_path: Path) -> None:
    (tmp_path / "img" / "folder.svg").mkdir(parents=True)
    for name, code in (("nothing.svg", "R005"), ("folder.svg", "I006")):
        _, report = compose(tmp_path, f'<image href="{name}" width="9" height="9"/>')
        assert [finding.code.id for finding in report] == [code]


@pytest.mark.corpus(2)
@pytest.mark.parametrize("folder", ["img", "examples"])
def test_all_drawings_of_our_games_are_accepted(folder: str) -> None:
    paths = [path for path in (ROOT / folder).rglob("*.svg") if "img" in path.parts]
    assert len(paths) > 50
    assert all(load_drawing(path, 0).ops for path in paths)


def test_the_page_of_drawings_has_the_lists() -> None:
    page = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    named = {*ELEMENTS, *IGNORED_ELEMENTS, *PROPERTIES, *GEOMETRY, *IGNORED_PROPERTIES}
    named |= {name for names in ELEMENTS.values() for name in names}
    assert {name for name in named if f"`{name}`" not in page} == set()


NAMES = ["d", "x", "x1", "width", "height", "r", "rx", "points", "transform", "fill", "stroke",
         "stroke-width", "style", "transform-origin", "paint-order", "stroke-linecap"]  # fmt: skip
TAGS = ["path", "rect", "circle", "ellipse", "line", "polygon", "polyline", "g"]
VALUES = ["1", "0", "-3", "1e9", "1e400", "nan", "", "5%", "M0 0 L1 1z", "none", "rotate(1 2)",
          "scale(0)", "matrix(1 2 3)", "fill:red;x", ":;", "M0 0 A1", "0 0 1 1 2", "red",
          "matrix(1e-9 1e3 4 5 6 7)", "skewX(90)", "M0 0a1e-300 1 0 0 1 5 5", "round",
          "transform: scale(1, 2)", "stroke: red; r: 1mm", "inherit"]  # fmt: skip
ATTRIBUTES = st.dictionaries(
    st.sampled_from(NAMES),
    st.one_of(st.sampled_from(VALUES), st.text("MLCQAzh0123.,- e()%;:", max_size=12)),
    max_size=5,
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(TAGS), ATTRIBUTES)
def test_any_drawing_is_refused_or_has_numbers_that_can_be_printed(
    tmp_path: Path, tag: str, attributes: dict[str, str]
) -> None:
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    drawn: tuple[Op, ...] = ()
    with suppress(DrawingError):
        drawn = ops(
            tmp_path, f'<{tag} stroke="red" {written}/>'.replace('stroke="red" stroke=', "stroke=")
        )
    numbers = [
        float(number)
        for op in walk(drawn)
        if isinstance(op, FillPath | StrokePath)
        for segment in op.outline
        for number in segment[1:]
    ]
    numbers += [op.width for op in walk(drawn) if isinstance(op, StrokePath)]
    numbers += [n for op in walk(drawn) if isinstance(op, Group) for n in op.matrix or ()]
    assert [number for number in numbers if not math.isfinite(number) or abs(number) > 1e7] == []
