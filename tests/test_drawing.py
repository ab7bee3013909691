"""SVG drawings: the stated subset is drawn as it should be, everything else is refused."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckwright.diagnostics import Report
from deckwright.face.drawing import Drawing, DrawingError, Shape, load_drawing
from deckwright.face.ops import StrokePath
from support import compose

BOX = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"'


def draw(folder: Path, body: str, root: str = BOX) -> Drawing:
    path = folder / f"{abs(hash((body, root)))}.svg"
    path.write_text(f"<svg {root}>{body}</svg>", encoding="utf-8")
    return load_drawing(path, 0)


def shapes(folder: Path, body: str, root: str = BOX) -> tuple[Shape, ...]:
    return draw(folder, body, root).shapes


def corners(shape: Shape) -> list[tuple[float, ...]]:
    """Return the ends of an outline's segments, to a thousandth."""
    ends = (segment[1:][-2:] for segment in shape.outline)
    return [tuple(round(float(number), 3) for number in end) for end in ends if end]


RECT = '<rect x="1" y="2" width="3" height="4"/>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (RECT, [(1, 2), (4, 2), (4, 6), (1, 6)]),
        ('<line x1="1" y1="2" x2="3" y2="4"/>', [(1, 2), (3, 4)]),
        ('<polygon points="0,0 4,0 2 3"/>', [(0, 0), (4, 0), (2, 3)]),
        ('<polyline points="0,0 4,0 2 3"/>', [(0, 0), (4, 0), (2, 3)]),
        ('<path d="M1 1h2v2"/>', [(1, 1), (3, 1), (3, 3)]),
        ('<circle cx="5" cy="5" r="2"/>', [(7, 5), (5, 7), (3, 5), (5, 3), (7, 5)]),
        ('<ellipse cx="5" cy="5" rx="2" ry="1"/>', [(7, 5), (5, 6), (3, 5), (5, 4), (7, 5)]),
        ("<path/>", []),
    ],
)
def test_basic_shapes_are_outlines(
    tmp_path: Path, body: str, expected: list[tuple[float, ...]]
) -> None:
    (shape,) = shapes(tmp_path, body)
    assert corners(shape) == expected
    assert (shape.fill, shape.stroke) == ("#000000", None)


@pytest.mark.parametrize(
    ("transform", "expected"),
    [
        ("translate(2 3)", (3, 5)),
        ("translate(2)", (3, 2)),
        ("scale(2)", (2, 4)),
        ("scale(2,-1)", (2, -2)),
        ("rotate(90)", (-2, 1)),
        ("rotate(90 1 2)", (1, 2)),
        ("rotate(180, 5, 5)", (9, 8)),
        ("matrix(1 0 0 2 5 6)", (6, 10)),
        ("translate(1,0) scale(2)", (3, 4)),
        ("scale(2) translate(1,0)", (4, 4)),
        ("", (1, 2)),
    ],
)
def test_transforms_move_points(
    tmp_path: Path, transform: str, expected: tuple[float, float]
) -> None:
    inner = f'<path d="M1 2" transform="{transform}"/>'
    outer = f'<g transform="{transform}"><path d="M1 2"/></g>'
    for body in (inner, outer):
        (shape,) = shapes(tmp_path, body)
        assert corners(shape)[0] == pytest.approx(expected)


def test_a_stroke_grows_with_what_it_is_drawn_in(tmp_path: Path) -> None:
    line = '<line x2="3" stroke="red" stroke-width="0.5" transform="scale(4)"/>'
    (shape,) = shapes(tmp_path, f'<g transform="scale(2)">{line}</g>')
    assert shape.stroke == "#ff0000"
    assert shape.stroke_width == pytest.approx(4)


def test_strokes_end_and_turn_as_they_are_told(tmp_path: Path) -> None:
    body = """<g stroke="red" stroke-linecap="round"><path d="M0 0h5"/>
      <path d="M0 0h5" style="stroke-linecap:square;stroke-linejoin:bevel"/></g>
      <path d="M0 0h5"/>"""
    assert [(s.cap, s.join) for s in shapes(tmp_path, body)] == [(1, 0), (2, 2), (0, 0)]
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "a.svg").write_text(f"<svg {BOX}>{body}</svg>", encoding="utf-8")
    face, report = compose(tmp_path, '<image href="a.svg" width="10" height="10" fit="contain"/>')
    assert report == []
    assert face is not None
    strokes = [op for op in face.ops if isinstance(op, StrokePath)]
    assert [(op.cap, op.join) for op in strokes] == [(1, 0), (2, 2)]


def test_the_view_box_gives_size_and_origin(tmp_path: Path) -> None:
    drawing = draw(tmp_path, RECT, 'viewBox="1,2 30 40" width="99" height="99"')
    assert (drawing.width, drawing.height) == (30, 40)
    assert corners(drawing.shapes[0])[0] == (0, 0)
    drawing = draw(tmp_path, RECT, 'width="30px" height="40"')
    assert (drawing.width, drawing.height) == (30, 40)
    assert corners(drawing.shapes[0])[0] == (1, 2)


@pytest.mark.parametrize(
    ("attributes", "fill", "stroke"),
    [
        ('fill="#F80"', "#ff8800", None),
        ('fill="#AABBCC" stroke="none"', "#aabbcc", None),
        ('fill="Red" stroke="currentColor"', "#ff0000", "#000000"),
        ('fill="none" stroke="blue"', None, "#0000ff"),
        ('fill="red" style="fill: lime; stroke:#00f"', "#00ff00", "#0000ff"),
        ('style=""', "#000000", None),
    ],
)
def test_paint_is_given_by_attributes_and_by_style(
    tmp_path: Path, attributes: str, fill: str | None, stroke: str | None
) -> None:
    for body in (f'<path d="M0 0" {attributes}/>', f'<g {attributes}><path d="M0 0"/></g>'):
        (shape,) = shapes(tmp_path, body)
        assert (shape.fill, shape.stroke) == (fill, stroke)
    # Icon sets such as Feather give the paint of all to the root.
    (shape,) = shapes(tmp_path, '<path d="M0 0"/>', f"{BOX} {attributes}")
    assert (shape.fill, shape.stroke) == (fill, stroke)


def test_paint_of_an_inner_element_comes_before_that_of_an_outer(tmp_path: Path) -> None:
    body = f'<g fill="red" fill-rule="evenodd"><g fill="blue">{RECT}</g>{RECT}</g>{RECT}'
    found = [(shape.fill, shape.even_odd) for shape in shapes(tmp_path, body)]
    assert found == [("#0000ff", True), ("#ff0000", True), ("#000000", False)]


def test_what_is_not_drawn_is_passed_over(tmp_path: Path) -> None:
    body = f"""<!-- a --><title>t</title><desc>d</desc><metadata><x/></metadata><defs/>
      <sodipodi:namedview xmlns:sodipodi="urn:s"><a/></sodipodi:namedview>
      <g inkscape:label="b" xmlns:inkscape="urn:i" id="g1" class="x">{RECT}</g>"""
    assert len(shapes(tmp_path, body)) == 1


HUGE = "9" * 400
REFUSED = [
    "<text>a</text>",
    '<image href="a.png"/>',
    '<use href="#a"/>',
    "<style>path{fill:red}</style>",
    '<path d="M0 0" fill="url(#a)"/>',
    '<path d="M0 0" fill="rgb(1,2,3)"/>',
    '<path d="M0 0" opacity="0.5"/>',
    '<g opacity="0.5"/>',
    '<path d="M0 0" style="fill-opacity:.5"/>',
    '<path d="M0 0" stroke="red" stroke-opacity="0.5"/>',
    '<path d="M0 0" stroke="red" stroke-dasharray="1 2"/>',
    '<path d="M0 0" stroke="red" stroke-linecap="pointed"/>',
    '<path d="M0 0" display="none"/>',
    '<path d="M0 0" visibility="hidden"/>',
    '<path d="M0 0" clip-path="url(#a)"/>',
    '<path d="M0 0" transform="skewX(3)"/>',
    '<path d="M0 0" transform="rotate(1 2 3 4)"/>',
    '<path d="M0 0" transform="rotate()"/>',
    '<path d="M0 0" stroke="red" stroke-width=""/>',
    '<path d="M0 0" stroke="red" stroke-width="thick"/>',
    '<path d="M0 0 L banana"/>',
    '<path d="L 1 1"/>',
    f'<path d="M0 0 L {HUGE} 1"/>',
    f'<rect width="{HUGE}" height="1"/>',
    '<rect width="-1" height="1"/>',
    '<rect width="50%" height="1"/>',
    '<path d="M1 1 h1" transform="scale(1e200) scale(1e200)"/>',
    '<polygon points="1 2 3"/>',
    "<svg/>",
    "<a><path/></a>",
]


def reported(folder: Path, content: str, name: str = "a.svg") -> Report:
    """Return what is found when a template draws an SVG file."""
    (folder / "img").mkdir(exist_ok=True)
    (folder / "img" / name).write_text(content, encoding="utf-8")
    face, report = compose(folder, f'<image href="{name}" width="9" height="9" fit="contain"/>')
    assert (face is None) == bool(report)
    return report


@pytest.mark.parametrize("body", REFUSED, ids=lambda body: body[:50])
def test_what_is_not_in_the_subset_is_refused(tmp_path: Path, body: str) -> None:
    report = reported(tmp_path, f"<svg {BOX}>\n{body}</svg>")
    assert [finding.code.id for finding in report] == ["I006"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no xml",
        "<html/>",
        "<svg>",
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '<svg viewBox="0 0 10"/>',
        '<svg viewBox="0 0 -1 5"/>',
        f'<svg viewBox="0 0 {HUGE} 5"/>',
        '<svg viewBox="0 0 1e-320 5"><path d="M0 0 h5"/></svg>',
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>',
        f"<svg {BOX}>{'<g>' * 300}{'</g>' * 300}</svg>",
        f"<svg {BOX}>{'<g>' * 250}{'</g>' * 250}</svg>",
    ],
    ids=lambda content: content[:40],
)
def test_a_file_that_is_no_drawing_is_reported(tmp_path: Path, content: str) -> None:
    report = reported(tmp_path, content)
    assert {finding.code.id for finding in report} <= {"I006"}


def test_a_drawing_that_is_not_there_is_reported(tmp_path: Path) -> None:
    (tmp_path / "img" / "folder.svg").mkdir(parents=True)
    for name in ("nothing.svg", "folder.svg"):
        _, report = compose(tmp_path, f'<image href="{name}" width="9" height="9"/>')
        assert [finding.code.id for finding in report] == ["I006"]


NAMES = ["d", "x", "x1", "width", "height", "r", "rx", "points", "transform", "fill", "stroke",
         "stroke-width", "style"]  # fmt: skip
TAGS = ["path", "rect", "circle", "ellipse", "line", "polygon", "polyline", "g"]
VALUES = ["1", "0", "-3", "1e9", "1e400", "nan", "", "5%", "M0 0 L1 1z", "none", "rotate(1 2)",
          "scale(0)", "matrix(1 2 3)", "fill:red;x", ":;", "M0 0 A1", "0 0 1 1 2"]  # fmt: skip
ATTRIBUTES = st.dictionaries(
    st.sampled_from(NAMES),
    st.one_of(st.sampled_from(VALUES), st.text("MLCQAzh0123.,- e()%;:", max_size=12)),
    max_size=5,
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(TAGS), ATTRIBUTES)
def test_any_drawing_is_refused_or_has_numbers_that_can_be_printed(
    tmp_path: Path, tag: str, attributes: dict[str, str]
) -> None:
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    drawn: tuple[Shape, ...] = ()
    with suppress(DrawingError):
        drawn = shapes(tmp_path, f"<{tag} {written}/>")
    numbers = [float(n) for shape in drawn for segment in shape.outline for n in segment[1:]]
    numbers += [shape.stroke_width for shape in drawn]
    assert [number for number in numbers if not math.isfinite(number)] == []
