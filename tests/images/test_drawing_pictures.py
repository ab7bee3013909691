"""Drawings look as Chromium and resvg draw them: in print, and in the SVG files that we write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from drawn import HERE, SIDE, as_svg, by_chromium, by_resvg, in_print, wrong
from PIL import Image, ImageDraw

from deckwright.base.geometry import IDENTITY, Box
from deckwright.images.drawings import cache, css, paint, read
from deckwright.images.drawings import paint as paint_module
from deckwright.images.drawings import read as read_module
from deckwright.images.drawings.css import (
    ELEMENTS,
    GEOMETRY,
    IGNORED_ATTRIBUTES,
    IGNORED_ELEMENTS,
    IGNORED_PROPERTIES,
    PROPERTIES,
    parse_declarations,
)
from deckwright.ops import outlines
from deckwright.ops.model import FillPath, Outline, StrokePath
from deckwright.ops.moving import move_ops
from deckwright.xmlio.load import load_document

DRAWN = sorted((HERE / "drawn").glob("*.svg"))
ENOUGH = 3
"""How many pixels may be otherwise: corners that are sharper here than there."""

BY_RESVG_OTHERWISE = {
    "color-words": "knows neither `rebeccapurple` nor words in capitals",
    "current-color": "takes the color of where `currentColor` stands, not of what it paints",
    "current-color-of-the-root": "knows no `color: currentColor`",
    "ellipse-auto-in-style": "reads no geometry in styles",
    "geometry-in-style": "reads no geometry in styles",
    "gradient-href": "takes no transform from another gradient",
    "gradient-variables": "knows no variables",
    "initial-and-unset": "knows no `initial` and `unset`",
    "origin-in-style": "knows no percentages of the view box there",
    "path-with-a-full-stop": "takes `4.` for a number",
    "properties-that-are-off": "turns nothing by styles",
    "rect-rx-0": "reads no geometry in styles",
    "rect-units": "knows no quarter millimetres",
    "size-percent-of-one-side": "takes a percentage for one of the view box",
    "spaces-in-values": "reads no numbers with space around them",
    "style-case": "knows no capitals in styles",
    "transform-in-style": "turns nothing by styles with units",
    "transform-in-style-units": "turns nothing by styles with units",
}
"""Where resvg is not as browsers are: Chromium alone is the judge."""


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_a_drawing_looks_as_in_browsers(path: Path) -> None:
    expected = by_chromium(path)
    assert wrong(in_print(path), expected) <= ENOUGH
    assert wrong(as_svg(path), expected) <= ENOUGH
    if path.stem not in BY_RESVG_OTHERWISE:
        assert wrong(in_print(path), by_resvg(path)) <= ENOUGH


def test_each_drawing_has_a_picture_and_shows_something() -> None:
    pictures = {path.stem: path for path in (HERE / "chromium").glob("*.png")}
    assert pictures.keys() == {path.stem for path in DRAWN}
    assert len({path.read_bytes() for path in DRAWN}) == len(DRAWN)
    for path in DRAWN:
        assert len(by_chromium(path).getcolors(SIDE * SIDE) or []) > 1, path.stem


def test_all_that_is_accepted_is_drawn_by_some_drawing() -> None:
    elements: set[str] = set()
    attributes: set[str] = set()
    properties: set[str] = set()
    for path in DRAWN:
        root = load_document(path, [], drawing=True)
        assert root is not None
        for node in root.walk():
            tag = node.tag.rpartition("}")[2]
            elements.add(tag)
            attributes |= {f"{tag} {name}" for name in node.attributes} | node.attributes.keys()
            properties |= parse_declarations(node.get("style") or "").keys()
            properties |= set(re.findall(r"([a-z-]+)\s*:", node.get("style") or ""))
    assert {*ELEMENTS, *IGNORED_ELEMENTS} <= elements
    own = {f"{tag} {name}" for tag, names in ELEMENTS.items() for name in names}
    usual = {name for name, known in PROPERTIES.items() if known.attribute}
    assert own | usual | IGNORED_PROPERTIES | IGNORED_ATTRIBUTES - {"class"} <= attributes
    assert properties >= IGNORED_PROPERTIES | GEOMETRY.keys() - {"width", "x", "y"}
    assert PROPERTIES.keys() - usual <= properties


def picture(*boxes: tuple[int, int, int, int], color: str = "#000000") -> Image.Image:
    drawn = Image.new("RGB", (SIDE, SIDE), "#ffffff")
    for box in boxes:
        ImageDraw.Draw(drawn).rectangle(box, fill=color)
    return drawn


SQUARE = (20, 20, 60, 60)


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (picture(SQUARE), False),
        (picture((21, 20, 61, 60)), False),
        (picture((22, 20, 62, 60)), True),
        (picture((20, 20, 63, 60)), True),
        (picture(), True),
        (picture(SQUARE, color="#600000"), True),
        (picture(SQUARE, color="#101010"), False),
        (picture(SQUARE, (80, 80, 82, 82)), True),
        (picture((20, 20, 60, 36), (20, 40, 60, 60)), True),
    ],
    ids=["same", "a pixel off", "two off", "wider", "nothing", "red", "dark", "a dot", "a gap"],
)
def test_the_judge_sees_what_is_wrong(other: Image.Image, told: bool) -> None:  # noqa: FBT001
    assert (wrong(picture(SQUARE), other) > ENOUGH) is told
    assert (wrong(other, picture(SQUARE)) > ENOUGH) is told


def evenly(
    line: Outline, color: str, pen: tuple[float, int, int, float], shape: paint._Shape
) -> StrokePath:
    """Stroke as wide in each direction."""
    a, b, c, d, *_ = shape.matrix
    return StrokePath(shape.place(line), color, pen[0] * abs(a * d - b * c) ** 0.5, *pen[1:])


OTHER = {**css.INITIAL.inherited, "color": "#ff0000"}
BREAKS: list[tuple[str, object, str, object]] = [
    ("paint-order", paint, "_order", lambda _: ["fill", "stroke"]),
    ("dots", paint, "_is_point", lambda _: False),
    ("stroke-there-and-back", paint, "_fold_line", lambda _: ()),
    ("stroke-scaled-unequally", paint, "_stroke_line", evenly),
    ("fill-rule", paint, "FillPath", lambda outline, color, *_: FillPath(outline, color)),
    ("miter-limit-usual", paint, "parse_number", lambda *_: 10),
    ("caps", paint, "CAPS", ("round", "butt", "square")),
    ("joins", paint, "JOINS", ("round", "miter", "bevel")),
    ("visibility", paint, "_is_visible", lambda _: True),
    ("origin", css, "_origin", lambda *_: (0, 0)),
    ("transform-rotate", css, "_step", lambda *_: IDENTITY),
    ("transform-skew-x", css, "_step", lambda *_: IDENTITY),
    ("transform-in-style", css, "parse_angle", lambda *_: 0),
    ("fit-wide-xmin", read_module, "_alignment", lambda *_: (0.5, 0.5)),
    ("view-box-elsewhere", read_module, "_fit_view_box", lambda *_: IDENTITY),
    ("beyond-the-canvas", read, "op_bounds", lambda _: Box(1, 1, 1, 1)),
    ("opacity-of-all-or-nothing", read, "_opacity", lambda _: 1),
    ("gradient-of-a-box", outlines, "tight_bounds", outlines.bounds_of),
    ("gradient-radial-ellipse", paint_module, "_inverse", lambda matrix: matrix),
    ("gradient-stops", paint_module, "parse_share", lambda *_: 1),
    ("clips", read, "transform_outline", lambda outline, _: outline),
    ("opacity-of-fill-and-stroke", paint, "_opacity", lambda *_: 1),
    ("rect-ry", read, "_radii", lambda rx, ry: (rx or 0, ry or 0)),
    ("ellipse-rx-auto", read, "_radii", lambda rx, ry: (rx or 0, ry or 0)),
    ("rect-percent", read, "measure", lambda *_: 8),
    ("style", css, "parse_declarations", lambda _: {}),
    ("current-color-without-color", read, "INITIAL", css.CssStyle(OTHER, {})),
]


@pytest.mark.parametrize(
    ("name", "room", "part", "broken"),
    BREAKS,
    ids=[f"{name}, {part}" for name, _, part, _ in BREAKS],
)
def test_what_is_drawn_wrongly_is_told(
    name: str,
    room: object,
    part: str,
    broken: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = HERE / "drawn" / f"{name}.svg"
    monkeypatch.setattr(room, part, broken)
    cache.forget_drawings()
    try:
        assert wrong(in_print(path), by_chromium(path)) > ENOUGH
    finally:
        cache.forget_drawings()


def test_a_drawing_is_moved_with_its_strokes() -> None:
    """A stroke that is wider in one direction is in a group, which must grow as well."""
    path = HERE / "drawn" / "stroke-scaled-and-turned.svg"
    drawing = cache.load_drawing(path, 0)
    twice = tuple(move_ops(move_ops(drawing.ops, 2, 1, 3), 0.5, -0.5, -1.5))
    assert paint_numbers(twice) == pytest.approx(paint_numbers(drawing.ops))


def paint_numbers(ops: object) -> list[float]:
    """Return all numbers of ops, as they stand in them."""
    return [float(found) for found in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", str(ops))]
