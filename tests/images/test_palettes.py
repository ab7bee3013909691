"""Drawings name colors, and images give them others."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from PIL import Image

from deckwright.images.drawings.cache import load_drawing, load_placeable
from deckwright.images.drawings.model import Drawing, DrawingError, Palette
from deckwright.images.drawings.read import read_drawing
from deckwright.ops.model import FillPath, StrokePath, walk
from ops_as_text import format_face
from support import compose

SVG = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"'
VERSIONS = itertools.count()
SHAPE = 'd="M0 0H9V9Z"'


def colors(folder: Path, body: str, palette: Palette = (), root: str = "") -> list[object]:
    path = folder / "a.svg"
    path.write_text(f"<svg {SVG} {root}>{body}</svg>", encoding="utf-8")
    found = load_drawing(path, next(VERSIONS), palette)
    return [op.color for op in walk(found.ops) if isinstance(op, FillPath | StrokePath)]


RED: Palette = (("a", "#ff0000"),)


@pytest.mark.parametrize(
    ("body", "root", "own", "red"),
    [
        ('fill="var(--a, #123456)"', "", "#123456", "#ff0000"),
        ('fill="var( --a , var(--b, blue))"', "", "#0000ff", "#ff0000"),
        ('fill="none" stroke="var(--a, blue)"', "", "#0000ff", "#ff0000"),
        ('style="fill: var(--a, #00f)"', "", "#0000ff", "#ff0000"),
        ('fill="var(--a)"', 'style="--a: lime"', "#00ff00", "#ff0000"),
        ('fill="var(--A)"', 'style="--A: lime; --a: blue"', "#00ff00", "#00ff00"),
        ("", 'style="--a: lime; fill: var(--a)"', "#00ff00", "#ff0000"),
        ("", 'style="--a: lime" fill="var(--a)"', "#00ff00", "#ff0000"),
        ('fill="var(--a)" style="--a: blue"', 'style="--a: lime"', "#0000ff", "#0000ff"),
        ('fill="var(--b)"', 'style="--a: lime; --b: var(--a)"', "#00ff00", "#ff0000"),
        ('fill="color-mix(in srgb, var(--a, blue), black)"', "", "#000080", "#800000"),
        ('fill="color-mix(in srgb, 25% white, var(--a, blue))"', "", "#4040ff", "#ff4040"),
        ('fill="color-mix(in srgb, blue 60%, var(--a, lime) 60%)"', "", "#008080", "#800080"),
        ('fill="color-mix(in srgb, white, var(--a, blue) 25%)"', "", "#bfbfff", "#ffbfbf"),
        ('fill="currentColor" color="var(--a, blue)"', "", "#0000ff", "#ff0000"),
    ],
)
def test_variables_have_their_own_values_or_those_of_the_palette(
    tmp_path: Path, body: str, root: str, own: str, red: str
) -> None:
    assert colors(tmp_path, f"<path {SHAPE} {body}/>", root=root) == [own]
    assert colors(tmp_path, f"<path {SHAPE} {body}/>", RED, root) == [red]


def test_shades_follow_the_palette(tmp_path: Path) -> None:
    root = 'style="--a: blue; --dark: color-mix(in srgb, var(--a), black 20%)"'
    body = f'<path {SHAPE} fill="var(--dark)"/>'
    assert colors(tmp_path, body, root=root) == ["#0000cc"]
    assert colors(tmp_path, body, RED, root) == ["#cc0000"]


def test_any_property_takes_variables(tmp_path: Path) -> None:
    body = f'<path {SHAPE} stroke="red" stroke-width="var(--w)"/>'
    path = tmp_path / "b.svg"
    path.write_text(f'<svg {SVG} style="--w: 3px">{body}</svg>', encoding="utf-8")
    (_, stroke) = load_drawing(path, 0).ops
    assert isinstance(stroke, StrokePath)
    assert stroke.width == 3


def test_what_is_painted_with_none_is_left_out(tmp_path: Path) -> None:
    assert colors(tmp_path, f'<path {SHAPE} fill="var(--a, red)"/>', (("a", "none"),)) == []


PAINTED = (
    f'<path {SHAPE} fill="var(--a)" stroke="var(--b, #222)" stroke-width="var(--w, 1px)"/>',
    f'<path {SHAPE} fill="color-mix(in srgb, var(--a) 30%, var(--b, blue))"/>',
    f'<g color="var(--b, red)"><path {SHAPE} fill="currentColor" style="--a: white"/></g>',
    (
        '<linearGradient id="g"><stop stop-color="var(--a)"/><stop offset="1" stop-color="blue"/>'
        f'</linearGradient><path {SHAPE} fill="url(#g)"/>'
    ),
    f'<g opacity="0.5"><path {SHAPE} fill="var(--a)"/></g>',
    f'<path {SHAPE} fill="url(#no) var(--b, red)"/>',
)


@pytest.mark.parametrize("given", [{"a": "#00ff00"}, {"a": "#123456", "b": "none"}, {"w": "2"}])
@pytest.mark.parametrize("body", PAINTED)
def test_one_reading_serves_all_palettes(tmp_path: Path, body: str, given: dict[str, str]) -> None:
    path = tmp_path / "a.svg"
    path.write_text(f'<svg {SVG} style="--a: red">{body}</svg>', encoding="utf-8")
    palette = tuple(given.items())
    try:
        read = read_drawing(path, palette)
    except DrawingError as error:
        with pytest.raises(DrawingError, match=re.escape(str(error))):
            load_drawing(path, next(VERSIONS), palette)
    else:
        assert load_drawing(path, next(VERSIONS), palette) == read


def test_a_drawing_is_read_once_for_its_palettes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Palette] = []

    def spied(path: Path, palette: Palette) -> Drawing:
        read.append(palette)
        return read_drawing(path, palette)

    monkeypatch.setattr("deckwright.images.drawings.read.read_drawing", spied)
    path, version = tmp_path / "a.svg", next(VERSIONS)
    path.write_text(f'<svg {SVG}><path {SHAPE} fill="var(--a, red)"/></svg>', encoding="utf-8")
    for color in ("#111111", "#222222", "#333333"):
        assert [op.color for op in load_drawing(path, version, (("a", color),)).ops] == [color]  # type: ignore[union-attr]
    assert len(read) == 1


def test_palettes_fill_and_stroke_share_the_outlines_of_a_placed_drawing(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    shape = f'<path {SHAPE} fill="var(--a, red)" stroke="red"/>'
    path.write_text(f"<svg {SVG}>{shape}</svg>", encoding="utf-8")
    version = next(VERSIONS)
    ops = [
        op
        for color in ("blue", "lime")
        for op in load_placeable(path, version, (("a", color),)).place(2, 3, 4, {"#0000ff": "#222"})
        if isinstance(op, FillPath | StrokePath)
    ]
    assert [op.color for op in ops] == ["#222", "#ff0000", "#00ff00", "#ff0000"]
    assert {id(op.outline) for op in ops} == {id(ops[0].outline)}
    assert ops[0].outline[:2] == (("M", 3, 4), ("L", 21, 4))


MULTIPLIED = "; ".join(f"--v{n}: var(--v{n + 1})var(--v{n + 1})" for n in range(15))
CHAIN = "; ".join(f"--v{n}: var(--v{n + 1})" for n in range(40))


@pytest.mark.parametrize(
    ("body", "root", "said"),
    [
        ('fill="var(--a)"', "", "`fill` is `var(--a)`, which has no value"),
        ('fill="var(--b)"', 'style="--a: red"', "`fill` is `var(--b)`, which has no value"),
        ('fill="var(a)"', "", "cannot be read"),
        ('fill="var(--a, red"', "", "a bracket that is not closed"),
        ("", 'style="--a: var(--b); --b: var(--a)"', "refers to itself"),
        ("", f'style="{CHAIN}; --v40: red"', "refers to more than 20 others"),
        ("", f'style="{MULTIPLIED}; --v15: {"x" * 99}"', "longer than 1,000 characters"),
        ('fill="color-mix(in lab, red, blue)"', "", "cannot be read"),
        ('fill="color-mix(in srgb, red)"', "", "cannot be read"),
        ('fill="color-mix(in srgb, 5% red 5%, blue)"', "", "cannot be read"),
        ('fill="color-mix(in srgb, red 5%, blue 5%)"', "", "partly transparent"),
        ('fill="color-mix(in srgb, red, none)"', "", "cannot be drawn"),
        ('stroke="red" stroke-width="var(--a, x)"', "", "not a length"),
    ],
)
def test_what_variables_cannot_be(tmp_path: Path, body: str, root: str, said: str) -> None:
    with pytest.raises(DrawingError, match=re.escape(said)) as error:
        colors(tmp_path, f"<path {SHAPE} {body}/>", root=root)
    assert error.value.place.line == 1


def image(folder: Path, palette: str, href: str = "a.svg") -> tuple[list[object], list[str]]:
    (folder / "img").mkdir(exist_ok=True)
    body = f'<path {SHAPE} fill="var(--a, blue)"/><g display="none" fill="var(--b, red)"/>'
    (folder / "img" / "a.svg").write_text(f'<svg {SVG} style="--c: red">{body}</svg>', "utf-8")
    Image.new("RGB", (1, 1)).save(folder / "img" / "a.png")
    tag = f'<image href="{href}" width="9" height="9" palette="{palette}"/>'
    face, report = compose(folder, tag)
    drawn = walk(face.ops) if face else ()
    return (
        [op.color for op in drawn if isinstance(op, FillPath)],
        [f"{finding.code.id} {finding.message}" for finding in report],
    )


def test_an_image_gives_its_drawing_a_palette(tmp_path: Path) -> None:
    assert image(tmp_path, "") == (["#0000ff"], [])
    assert image(tmp_path, "a: #f00") == (["#ff0000"], [])
    assert image(tmp_path, " c: none;a:lime ; b: red;") == (["#00ff00"], [])


@pytest.mark.parametrize(
    ("palette", "href", "said"),
    [
        ("d: red", "a.svg", "T020 the drawing `a.svg` has no color `d`"),
        ("a: red", "a.png", "T020 `a.png` is not an SVG drawing"),
        ("a: rd", "a.svg", "T004 `palette` of `image`: `rd` is not a color"),
        ("a red", "a.svg", "T004 `palette` of `image`: `a red` is not a name and a color"),
        ("a: red; a: red", "a.svg", "T004 `palette` of `image`: `a` has two colors"),
        ("a: var(--b)", "a.svg", "T004 `palette` of `image`: `var(--b)` is not a color"),
    ],
)
def test_mistakes_in_palettes(tmp_path: Path, palette: str, href: str, said: str) -> None:
    drawn, (found,) = image(tmp_path, palette, href)
    assert not drawn
    assert found.startswith(said)


def test_of_a_picture_that_is_missing_no_palette_is_told(tmp_path: Path) -> None:
    _, (found,) = image(tmp_path, "a: red", "gone.png")
    assert found.startswith("R005 there is no picture `img/gone.png`")


def test_an_image_colors_gradients_and_outlines_shapes_in_groups(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    stops = '<stop stop-color="#000"/><stop offset="1" stop-color="white"/>'
    body = f"""<radialGradient id="a">{stops}</radialGradient>
      <clipPath id="c"><path d="M0 0H5V9Z"/></clipPath>
      <rect width="8" height="4" fill="url(#a)" clip-path="url(#c)"/>"""
    (tmp_path / "img" / "a.svg").write_text(f"<svg {SVG}>{body}</svg>", encoding="utf-8")
    tag = '<image href="a.svg" width="20" height="20" fit="contain" fill="red" stroke="lime"/>'
    face, report = compose(tmp_path, tag)
    assert not report
    assert face is not None
    assert format_face(face).splitlines()[1:] == [
        "  group clip M0,0 L10,0 L10,18 L0,0 Z",
        "    stroke #00ff00 0.6 M0,0 L16,0 L16,8 L0,8 Z",
        "  group clip M0,0 L10,0 L10,18 L0,0 Z",
        "    group matrix 1,0,0,0.5,0,0",
        "      fill radial 8,8-16,8 0:#ff0000 1:#ffffff M0,0 L16,0 L16,16 L0,16 Z",
    ]
