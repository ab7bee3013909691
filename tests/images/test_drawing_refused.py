"""What cannot be drawn of an SVG file is refused by its name, at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.images.drawings.cache import load_drawing
from deckwright.images.drawings.model import DrawingError
from deckwright.ops.model import FillPath
from deckwright.ops.outlines import rectangle
from support import compose

BOX = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"'
RECT = '<rect x="1" y="2" width="3" height="4"/>'
HUGE = "9" * 400
GRADIENT = '<linearGradient id="a"><stop stop-color="blue"/><stop offset="1"/></linearGradient>'
FILLED = '<path d="M0 0h3v3" fill="url(#a)"/>'
CLIPPED = '<g clip-path="url(#a)"/>'
REFUSED = [
    ("<text>a</text>", "text"),
    ('<image href="a.png"/>', "image"),
    ('<use href="#a"/>', "use"),
    ('<use href="a.svg#b"/>', "href"),
    ('<g id="a"><use href="#a"/></g>', "href"),
    ('<use href="#a" x="1em"/><path id="a"/>', "x"),
    ('<svg viewBox="0 0 1"/>', "viewBox"),
    ('<switch><text systemLanguage="de"/></switch>', "text"),
    ('<a><path fil="red"/></a>', "fil"),
    ("<style>g path {fill: red}</style>", "style"),
    ("<style>path:hover {fill: red}</style>", "style"),
    ("<style>@import 'a.css';</style>", "style"),
    ("<style>@media print {path {fill: red}}</style>", "style"),
    ("<style>path</style>", "style"),
    ('<style type="text/less"/>', "style"),
    ('<defs><style media="screen"/></defs>', "style"),
    ("<style>rect {fil: red}</style>", "fil"),
    ("<foreignObject/>", "foreignObject"),
    ("<defs><script/></defs>", "script"),
    (f'<path d="M0 0"><set attributeName="fill" to="red"/></path>{RECT}', "set"),
    ('<defs><animate href="#a"/></defs>', "animate"),
    ('<b xmlns="http://www.w3.org/1999/xhtml"/>', "b"),
    ('<defs><style xmlns="http://www.w3.org/1999/xhtml"/></defs>', "style"),
    ('<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="a.svg"/>', "include"),
    ('<path xmlns="" d="M0 0h3v3"/>', "path"),
    ('<path d="M0 0" onclick="x()"/>', "onclick"),
    ('<path d="M0 0" systemLanguage="de"/>', "systemLanguage"),
    ('<path d="M0 0" requiredExtensions="x"/>', "requiredExtensions"),
    ('<g xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#a"/>', "href"),
    ('<g xml:base="x"/>', "base"),
    ('<path fil="red"/>', "fil"),
    ('<circle width="3"/>', "width"),
    ('<path d="M0 0h3v3" fill="url(#a)"/>', "fill"),
    ('<path d="M0 0h3v3" fill="lab(50% 40 59)"/>', "fill"),
    ('<path d="M0 0h3v3" fill="context-fill"/>', "fill"),
    ('<path d="M0 0h3v3" fill="var(--a)"/>', "fill"),
    ('<path d="M0 0h3v3" fill="currentColor" color="url(#a)"/>', "color"),
    ('<path d="M0 0h3v3" fill="rgb(1,2)"/>', "fill"),
    ('<path d="M0 0h3v3" fill-rule="odd"/>', "fill-rule"),
    ('<path d="M0 0h3v3" opacity="half"/>', "opacity"),
    (f'<g opacity="0.5">{RECT}{RECT}</g>', "opacity"),
    (f'<g opacity="0.5" stroke="red">{RECT}</g>', "opacity"),
    ('<path d="M0 0h3v3" fill-opacity="thin"/>', "fill-opacity"),
    (f'{GRADIENT}<path d="M0 0h3v3" fill="url(#b)"/>', "fill"),
    (f'{GRADIENT}<path d="M0 0h3v3" fill="url(b.svg#a)"/>', "fill"),
    ('<pattern id="a"/><path d="M0 0h3v3" fill="url(#a)"/>', "fill"),
    (f'{GRADIENT}<path d="M0 0h3v3" stroke="url(#a)"/>', "stroke"),
    *[
        (f'{GRADIENT.replace(old, new)}<path d="M0 0h3v3" fill="url(#a)"/>', said)
        for old, new, said in [
            (' id="a"', ' id="a" x3="1"', "x3"),
            (' id="a"', ' id="a" x1="one"', "x1"),
            (' id="a"', ' id="a" cx="1"', "cx"),
            (' id="a"', ' id="a" gradientUnits="mm"', "gradientUnits"),
            (' id="a"', ' id="a" spreadMethod="repeat"', "spreadMethod"),
            (' id="a"', ' id="a" gradientTransform="turn(1)"', "transform"),
            (' id="a"', ' id="a" gradientTransform="scale(0)"', "fill"),
            (' id="a"', ' id="a" transform="scale(2)"', "transform"),
            (' id="a"', ' id="a" style="x1: 3px"', "x1"),
            (' id="a"', ' id="a" href="#a"', "href"),
            (' id="a"', ' id="a" href="#b"', "href"),
            (' id="a"', ' id="a" href="a.svg#b"', "href"),
            ('"blue"', '"blu"', "stop-color"),
            ('"blue"', '"transparent"', "stop-opacity"),
            ('"blue"', '"blue" stop-opacity="0.5"', "stop-opacity"),
            ('"blue"', '"blue" offset="1px"', "offset"),
            ('"blue"', '"blue" at="1"', "at"),
            ('<stop stop-color="blue"/>', "<stop/>" * 101, "the gradient"),
        ]
    ],
    *[
        (f'<radialGradient id="a" {given}><stop/><stop/></radialGradient>{FILLED}', said)
        for given, said in [
            ('fx="0"', "fx"),
            ('cy="0.4" fy="0.5"', "fy"),
            ('fr="0.1"', "fr"),
            ('r="-1"', "r"),
            ('transform-origin="3 4"', "transform-origin"),
        ]
    ],
    (f'<clipPath id="a">{RECT}<path d="M0 0h9v9zM1 1h1v1z"/></clipPath>{CLIPPED}', "clipPath"),
    (f'<clipPath id="a" clip-path="url(#a)">{RECT}</clipPath>{CLIPPED}', "clip-path"),
    (f'<clipPath id="a"><text/></clipPath>{CLIPPED}', "text"),
    (f'<clipPath id="a"><g>{RECT}</g></clipPath>{CLIPPED}', "`g` in a `clipPath`"),
    (f'<clipPath id="a"><switch>{RECT}</switch></clipPath>{CLIPPED}', "`switch` in a `clipPath`"),
    (f'<g id="b">{RECT}</g><clipPath id="a"><use href="#b"/></clipPath>{CLIPPED}',
     "`g` in a `clipPath`"),
    (f'<clipPath id="a" clipPathUnits="boxed">{RECT}</clipPath>{CLIPPED}', "clipPathUnits"),
    (f'<clipPath id="a" clip-rule="odd">{RECT}</clipPath>{CLIPPED}', "clip-rule"),
    (f'<clipPath id="a"><path clip-rule="evenodd" d="M0 0h9v9L2-2z"/></clipPath>{CLIPPED}',
     "clip-rule"),
    (f'<clipPath id="a" opacity="0.5">{RECT}</clipPath>{CLIPPED}', "opacity"),
    (f"{GRADIENT}{CLIPPED}", "linearGradient"),
    ('<g clip-path="url(#a) border-box"/>', "clip-path"),
    ('<path d="M0 0h3" stroke="red" stroke-dasharray="1 -2"/>', "stroke-dasharray"),
    ('<path d="M0 0h3" stroke="red" stroke-dasharray="1 , , 2"/>', "stroke-dasharray"),
    ('<path d="M0 0h3" stroke="red" stroke-dasharray="1" stroke-dashoffset="a"/>',
     "stroke-dashoffset"),
    ('<path d="M0 0h3" stroke="red" stroke-dasharray="1" pathLength="9"/>', "pathLength"),
    ('<path d="M0 0h3" stroke="red" stroke-linecap="pointed"/>', "stroke-linecap"),
    ('<path d="M0 0h3" stroke="red" stroke-linejoin="arcs"/>', "stroke-linejoin"),
    ('<path d="M0 0h3" stroke="red" stroke-miterlimit="0"/>', "stroke-miterlimit"),
    ('<path d="M0 0h3" stroke="red" stroke-width=""/>', "stroke-width"),
    ('<path d="M0 0h3" stroke="red" stroke-width="thick"/>', "stroke-width"),
    ('<path d="M0 0h3" stroke="red" stroke-width="1em"/>', "stroke-width"),
    ('<path d="M0 0h3" stroke="red" stroke-width="-1"/>', "stroke-width"),
    ('<path d="M0 0h3" vector-effect="non-scaling-stroke"/>', "vector-effect"),
    ('<path d="M0 0h3" paint-order="stroke over"/>', "paint-order"),
    ('<path d="M0 0h3" visibility="no"/>', "visibility"),
    ('<path d="M0 0" display="contents"/>', "display"),
    ('<path d="M0 0" clip-path="url(#a)"/>', "clip-path"),
    ('<path d="M0 0" style="clip-path: circle(4px)"/>', "clip-path"),
    ('<path d="M0 0" mask="url(#a)"/>', "mask"),
    ('<path d="M0 0" style="filter: blur(3px)"/>', "filter"),
    ('<g style="mix-blend-mode: multiply"/>', "mix-blend-mode"),
    ('<g mix-blend-mode="multiply"/>', "mix-blend-mode"),
    ('<path d="M0 0" marker-end="url(#a)"/>', "marker-end"),
    ('<path d="M0 0" style="marker: url(#a)"/>', "marker"),
    ('<path d="M0 0" style="rotate: 10deg"/>', "rotate"),
    ('<path d="M0 0" style="transform-box: fill-box"/>', "transform-box"),
    ('<path d="M0 0" style="d: path(\'M0 0\')"/>', "d"),
    ('<path d="M0 0" style="r: 3px"/>', "r"),
    ('<circle style="r: 3"/>', "r"),
    ('<circle style="r: calc(3px + 1px)"/>', "r"),
    ('<path d="M0 0" style="all: unset"/>', "all"),
    ('<path d="M0 0" style="fill"/>', "style"),
    ('<path d="M0 0" style="3: 4"/>', "style"),
    (f'<path d="M0 0" style="fill: {"(" * 9000}"/>', "style"),
    ('<path d="M0 0" style="@media print {fill: red}"/>', "style"),
    ('<rect rx="auto" width="3" height="3"/>', "rx"),
    ('<path d="M0 0" transform="rotate(1 2 3 4)"/>', "transform"),
    ('<path d="M0 0" transform="rotate()"/>', "transform"),
    ('<path d="M0 0" transform="rotate(10deg)"/>', "transform"),
    ('<path d="M0 0" transform="translate(1) turn"/>', "transform"),
    ('<path d="M0 0" transform=",scale(1)"/>', "transform"),
    ('<path d="M0 0" style="transform: rotate(10)"/>', "transform"),
    ('<path d="M0 0" style="transform: rotate(0px)"/>', "transform"),
    ('<path d="M0 0" style="transform: translate(1px 2px)"/>', "transform"),
    ('<path d="M0 0" style="transform: rotate3d(1, 1, 1, 10deg)"/>', "transform"),
    ('<path d="M0 0" transform-origin="top top" transform="scale(2)"/>', "transform-origin"),
    ('<path d="M0 0" transform-origin="1 2 3" transform="scale(2)"/>', "transform-origin"),
    ('<path d="M0 0" transform-origin="1 left" transform="scale(2)"/>', "transform-origin"),
    ('<path d="M0 0 L banana"/>', "d"),
    ('<path d="L 1 1"/>', "d"),
    ('<path d="1 1"/>', "d"),
    (f'<path d="M0 0 L {HUGE} 1"/>', "d"),
    (f'<rect width="{HUGE}" height="1"/>', "width"),
    ('<rect width="-1" height="1"/>', "width"),
    ('<rect width="1." height="1"/>', "width"),
    ('<rect width="1vw" height="1"/>', "width"),
    ('<path d="M1 1 h1v1" transform="scale(1e200) scale(1e200)"/>', "transform"),
    ('<path d="M1 1 h1v1" transform="scale(1e9)"/>', "a number"),
    ('<polygon points="1 2 3"/>', "points"),
    ('<polygon points="1 2 3 x 4 5"/>', "points"),
    ('<polygon points="1,,2 3 4"/>', "points"),
]  # fmt: skip
REFUSED_ROOTS = [
    ('viewBox="0 0 10"', "viewBox"),
    ('viewBox="0 0 -1 5"', "viewBox"),
    ('viewBox="0 0 0 5"', "viewBox"),
    (f'viewBox="0 0 {HUGE} 5"', "viewBox"),
    ('viewBox="0 0 1e-320 5"', "canvas"),
    ('viewBox="a"', "viewBox"),
    ('width="9"', "viewBox"),
    ('width="50%" height="50%"', "viewBox"),
    ('width="0" height="9"', "canvas is 0 × 9"),
    ('viewBox="0 0 1e9 5" width="10" height="5"', "view box is 1e+09 × 5"),
    ('viewBox="0 0 9 9" width="2em"', "width"),
    ('viewBox="0 0 9 9" width="-2"', "width"),
    ('viewBox="0 0 9 9" style="width: 20px"', "width"),
    ('viewBox="0 0 9 9" style="background: red"', "background"),
    ('viewBox="0 0 9 9" transform="scale(2)"', "transform"),
    ('viewBox="0 0 9 9" opacity=".5"', "opacity"),
    ('viewBox="0 0 9 9" opacity="none"', "opacity"),
    ('viewBox="0 0 9 9" display="none"', "display"),
    ('viewBox="0 0 9 9" display="1"', "display"),
    ('viewBox="0 0 9 9" transform="inline"', "transform"),
    ('viewBox="0 0 9 9" preserveAspectRatio="middle"', "preserveAspectRatio"),
    ('viewBox="0 0 9 9" preserveAspectRatio="xMidYMid cut"', "preserveAspectRatio"),
    ('viewBox="0 0 9 9" width="20" preserveAspectRatio="none"', "preserveAspectRatio"),
    ('viewBox="0 0 9 9" onload="x()"', "onload"),
]


def refusal(folder: Path, content: str) -> DrawingError:
    path = folder / "a.svg"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DrawingError) as caught:
        load_drawing(path, abs(hash(content)))
    return caught.value


@pytest.mark.parametrize(("body", "name"), REFUSED, ids=lambda value: value[:60])
def test_what_is_not_on_the_lists_is_refused_by_its_name_and_place(
    tmp_path: Path, body: str, name: str
) -> None:
    error = refusal(tmp_path, f"<svg {BOX}>\n{RECT}\n{body}</svg>")
    assert (f"`{name}`" in str(error)) or str(error).startswith(name), str(error)
    assert error.place is not None
    assert (error.place.path.name, error.place.line) == ("a.svg", 3)


@pytest.mark.parametrize(("root", "name"), REFUSED_ROOTS)
def test_a_root_that_is_not_drawn_is_refused(tmp_path: Path, root: str, name: str) -> None:
    error = refusal(tmp_path, f'<svg xmlns="http://www.w3.org/2000/svg" {root}>{RECT}</svg>')
    assert name in str(error)
    assert error.place is not None
    assert error.place.line == 1


@pytest.mark.parametrize(
    "root", ['preserveAspectRatio=" "', 'opacity="100%"', 'display="Block"', 'transform="scale(1)"']
)
def test_a_root_that_says_what_is_usual_is_drawn(tmp_path: Path, root: str) -> None:
    (tmp_path / "a.svg").write_text(f"<svg {BOX} {root}>{RECT}</svg>", encoding="utf-8")
    (op,) = load_drawing(tmp_path / "a.svg", 0).ops
    assert op == FillPath(rectangle(1, 2, 3, 4), "#000000")


USES = "".join(
    f'<g id="u{n}">' + f'<use href="#u{n + 1}"/>' * 10 + "</g>" for n in range(9)
) + '<path id="u9" d="M0 0h3v3"/>'  # fmt: skip
DEEP = "".join(
    f'<g id="u{n}">{"<g>" * 80}<use href="#u{n + 1}"/>{"</g>" * 80}</g>' for n in range(15)
) + '<path id="u15" d="M0 0h3v3"/>'  # fmt: skip
RULES = "<style>" + f"* {{fill: {'red ' * 10}}}" * 100 + "</style>"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (USES, "copies of more than"),
        (DEEP, "nested too deeply"),
        (RULES + "<g/>" * 3000, "too many style rules"),
        (f"<style>{'a{fill:red}' * 2001}</style>", "more than 2,000 style rules"),
        (f'<clipPath id="a">{RECT * 501}</clipPath>{CLIPPED}', "500 shapes"),
        ('<clipPath id="a" clip-rule="evenodd"><path d="M0 0' + "l1 2 3 -5" * 400
         + f'"/></clipPath>{CLIPPED}', "600 lines"),
    ],
    ids=["copies", "depth", "long rules", "rules", "clips", "lines of a clip"],
)  # fmt: skip
def test_a_drawing_that_makes_much_of_little_is_refused(
    tmp_path: Path, body: str, says: str
) -> None:
    assert says in str(refusal(tmp_path, f"<svg {BOX}>{body}</svg>"))


def test_a_gradient_has_a_hundred_stops_at_most(tmp_path: Path) -> None:
    def drawing(stops: int) -> str:
        inside = '<stop offset="0.5" stop-color="blue"/>' * stops
        return f'<svg {BOX}><linearGradient id="a">{inside}</linearGradient>{FILLED}</svg>'

    (tmp_path / "most.svg").write_text(drawing(100), encoding="utf-8")
    assert load_drawing(tmp_path / "most.svg", 0).ops
    assert "more than 100 stops" in str(refusal(tmp_path, drawing(101)))


@pytest.mark.parametrize(
    "inside",
    [
        '[<!ENTITY a SYSTEM "/etc/hostname">]',
        '[<!ENTITY a "b"><!ENTITY c "&a;&a;">]',
        '[<!ENTITY % a "b">]',
        '[<!ATTLIST path fill CDATA "red">]',
        "[<!ELEMENT svg ANY>]",
    ],
)
def test_a_doctype_that_defines_more_than_plain_texts_is_refused(
    tmp_path: Path, inside: str
) -> None:
    error = refusal(tmp_path, f"<!DOCTYPE svg {inside}>\n<svg {BOX}>{RECT}</svg>")
    assert "document type declaration" in str(error)


def test_an_entity_is_put_in_a_hundred_times_at_most(tmp_path: Path) -> None:
    head = '<!DOCTYPE svg [<!ENTITY a "9">]>'
    content = f"{head}<svg {BOX}>" + '<path d="M0 0h&a;v3"/>' * 100 + "</svg>"
    (tmp_path / "b.svg").write_text(content, encoding="utf-8")
    assert len(load_drawing(tmp_path / "b.svg", 0).ops) == 100
    assert refusal(tmp_path, content.replace("</svg>", '<path d="&a;"/></svg>'))


def test_the_place_is_that_of_the_attribute(tmp_path: Path) -> None:
    error = refusal(tmp_path, f'<svg {BOX}>\n  <path d="M0 0h3v3"\n    fill="url(#a)"/></svg>')
    assert error.place is not None
    assert error.place[1:3] == (3, 5)


def test_a_style_sheet_of_another_file_is_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, f'<?xml-stylesheet href="a.css"?>\n<svg {BOX}>{RECT}</svg>')
    assert "xml-stylesheet" in str(error)
    assert error.place is not None
    assert error.place[1:3] == (1, 1)


def test_a_style_sheet_in_a_comment_means_nothing(tmp_path: Path) -> None:
    content = f'<!-- <?xml-stylesheet href="a.css"?> -->\n<svg {BOX}>{RECT}</svg>'
    (tmp_path / "b.svg").write_text(content, encoding="utf-8")
    assert len(load_drawing(tmp_path / "b.svg", 0).ops) == 1


def test_a_drawing_that_is_refused_is_reported_at_its_own_place(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    body = f"<svg {BOX}>\n  <g><text>a</text></g></svg>"
    (tmp_path / "img" / "a.svg").write_text(body, encoding="utf-8")
    _, report = compose(tmp_path, '<image href="a.svg" width="9" height="9"/>')
    (finding,) = report
    assert finding.code.id == "I006"
    assert finding.location is not None
    assert (finding.location.path.name, *finding.location[1:3]) == ("a.svg", 2, 6)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no xml",
        "<html/>",
        "<svg>",
        f"<svg viewBox='0 0 9 9'>{RECT}</svg>",
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>',
        f"<svg {BOX}>{'<g>' * 300}{'</g>' * 300}</svg>",
    ],
    ids=lambda content: content[:40],
)
def test_a_file_that_is_no_drawing_is_reported(tmp_path: Path, content: str) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "a.svg").write_text(content, encoding="utf-8")
    face, report = compose(tmp_path, '<image href="a.svg" width="9" height="9"/>')
    assert face is None
    assert [finding.code.id for finding in report] == ["I006"]
