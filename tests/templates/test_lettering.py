"""Letters set apart, with a line around them, and on a path."""

from __future__ import annotations

import math
from pathlib import Path

import pypdfium2
import pytest

from conftest import Run
from deckwright.ops.model import DrawGlyphs, Group, Op, StrokePath
from deckwright.templates.compose import Subject
from deckwright.templates.lints import lint_face
from ops_as_text import format_face
from support import HalfEm, card, compose, line, ops_of, write_game

SIZE = 'font-size="2"'


def lines_of(folder: Path, body: str) -> list[str]:
    face, report = compose(folder, body)
    assert not report
    assert face is not None
    return format_face(face).splitlines()[1:]


def glyphs(op: Op) -> DrawGlyphs:
    assert isinstance(op, DrawGlyphs)
    return op


@pytest.mark.parametrize(
    ("given", "anchor", "x", "kerns"),
    [
        ("0.1em", "start", 0, 100),
        ("0.2", "start", 0, 100),
        ("-0.05em", "start", 0, -50),
        # Three letters of an em's half, and two spaces: what is behind the last one is nothing.
        ("0.1em", "middle", (20 - 3 - 0.4) / 2, 100),
        ("0.1em", "end", 20 - 3 - 0.4, 100),
    ],
)
def test_letters_are_set_apart(
    tmp_path: Path, given: str, anchor: str, x: float, kerns: int
) -> None:
    body = f'<text width="20" {SIZE} text-anchor="{anchor}" letter-spacing="{given}">abc</text>'
    op = glyphs(ops_of(tmp_path, body)[0])
    assert op.kerns == (kerns,) * 3
    assert op.x == pytest.approx(x, abs=0.001)


def test_letters_that_are_set_apart_need_more_room(tmp_path: Path) -> None:
    body = f'<text width="3.5" {SIZE} min-font-size="1" SPACED>abc</text>'
    usual = glyphs(ops_of(tmp_path, body.replace("SPACED", ""))[0])
    apart = glyphs(ops_of(tmp_path, body.replace("SPACED", 'letter-spacing="0.5em"'))[0])
    assert usual.size == 2
    assert apart.size < 1.3


def test_a_line_is_drawn_around_letters_and_icons_below_them(tmp_path: Path) -> None:
    body = f'<text {SIZE} stroke="red" stroke-width="0.1">ab {{icon:sword}}</text>'
    ops = ops_of(tmp_path, body)
    first, second = ops[:2]
    assert isinstance(first, StrokePath)
    assert isinstance(second, StrokePath)
    assert (first.color, first.width, first.join) == ("#ff0000", 0.2, 1)
    assert first.outline[0][1:] == pytest.approx((0, 0.1))
    assert [type(op).__name__ for op in ops[2:]] == ["DrawGlyphs", "FillPath"]


def test_text_stands_on_a_path(tmp_path: Path) -> None:
    path = 'x="1" y="2" path="M0 0 H4 V6"'
    assert lines_of(tmp_path, f"<text {SIZE} {path}>abcd e</text>") == [
        "  group alt 'abcd e'",
        "    group matrix 1,0,0,1,1.5,2",
        "      text text-regular 2 #000000 at -0.5,0 'a'",
        "    group matrix 1,0,0,1,2.5,2",
        "      text text-regular 2 #000000 at -0.5,0 'b'",
        "    group matrix 1,0,0,1,3.5,2",
        "      text text-regular 2 #000000 at -0.5,0 'c'",
        "    group matrix 1,0,0,1,4.5,2",
        "      text text-regular 2 #000000 at -0.5,0 'd'",
        "    group matrix 0,1,-1,0,5,3.5",
        "      text text-regular 2 #000000 at -0.5,0 'e'",
    ]


@pytest.mark.parametrize(("anchor", "left"), [("start", 0.5), ("middle", 4.3), ("end", 8.1)])
def test_text_on_a_path_is_aligned_and_set_apart(tmp_path: Path, anchor: str, left: float) -> None:
    given = f'{SIZE} path="M0 0H10" text-anchor="{anchor}" letter-spacing="0.2em"'
    (around,) = ops_of(tmp_path, f"<text {given}>ab</text>")
    assert isinstance(around, Group)
    first, second = around.ops
    assert isinstance(first, Group)
    assert isinstance(second, Group)
    assert first.matrix
    assert second.matrix
    assert first.matrix[4] == pytest.approx(left)
    assert second.matrix[4] == pytest.approx(left + 1.4)


def test_text_on_a_circle_leans_as_the_circle_does(tmp_path: Path) -> None:
    body = f'<text {SIZE} path="M0 10 A10 10 0 0 1 20 10" text-anchor="middle">a</text>'
    (around,) = ops_of(tmp_path, body)
    assert isinstance(around, Group)
    (letter,) = around.ops
    assert isinstance(letter, Group)
    assert letter.matrix
    cos, sin, _, _, x, y = letter.matrix
    assert (x, y) == pytest.approx((10, 0), abs=0.1)
    assert math.degrees(math.atan2(sin, cos)) == pytest.approx(0, abs=4)


def test_text_on_a_path_shrinks(tmp_path: Path) -> None:
    body = f'<text {SIZE} min-font-size="1" path="M0 0H3" stroke="red">abcd</text>'
    *edges, around = ops_of(tmp_path, body)
    assert len(edges) == 4
    assert isinstance(around, Group)
    letter = around.ops[0]
    assert isinstance(letter, Group)
    assert glyphs(letter.ops[0]).size == 1.5


@pytest.mark.parametrize(
    ("given", "text", "said"),
    [
        ('path="M0 0H2"', "abcd", "the text `abcd` is 4.0 mm long at its smallest size"),
        ('path="M0 0H2 M3 3H9"', "a", "the path of a text must be a single line"),
        ('path="M0 0"', "a", "the path of a text must be a single line"),
        ('path="circle"', "a", "`circle` is not path data"),
        ('path="M0 0H20"', "a<br/>b", "a text on a path must be a single line"),
        ('letter-spacing="wide"', "a", "`letter-spacing` of `text`: `wide`"),
        ('letter-spacing="9em"', "a", "`letter-spacing` of `text`: `9em` is not within"),
        ('stroke="rd"', "a", "`stroke` of `text`: `rd` is not a color"),
    ],
)
def test_mistakes(tmp_path: Path, given: str, text: str, said: str) -> None:
    _, (finding,) = compose(tmp_path, f"<text {SIZE} {given}>{text}</text>")
    assert said in finding.message


def test_the_line_around_letters_is_what_they_are_read_on(tmp_path: Path) -> None:
    ground = '<rect width="65" height="90" fill="#777777"/>'
    text = '<text x="9" y="9" fill="#888888" STROKE>a word</text>'
    for stroke, bad in (("", 1), ('stroke="black"', 0), ('stroke="#999999"', 1)):
        face, report = compose(tmp_path, ground + text.replace("STROKE", stroke))
        assert not report
        assert face is not None
        found = lint_face(face, Subject("x"), 3, HalfEm(), set(), lambda _: None)
        assert len(list(found)) == bad, stroke


@pytest.mark.parametrize(
    ("place", "part"),
    [
        ('x="1" y="9"', "is 1 mm from the edge, but a cut may touch the outer 3 mm"),
        ('x="-2" y="9"', "is cut off: it reaches 2 mm beyond the edge"),
        ('x="9" y="95"', "lies outside the card: it ends at 97 mm from the top, the card at 90 mm"),
        ('x="-50" y="9"', "lies outside the card: it ends 40 mm to the left of it"),
    ],
)
def test_text_near_or_beyond_the_edge(tmp_path: Path, place: str, part: str) -> None:
    face, report = compose(tmp_path, f"<text {place}>a word</text>")
    assert not report
    assert face is not None
    (finding,) = lint_face(face, Subject("x"), 3, HalfEm(), set(), lambda _: None)
    assert part in finding.message


def test_programs_read_the_text(tmp_path: Path, run: Run) -> None:
    face = """<face>
      <text x="5" y="10" letter-spacing="0.12em">Großes Übel</text>
      <text x="5" y="30" font-size="14pt" stroke="red" stroke-width="0.4">Zweite Zeile</text>
      <text path="M10 70 A20 20 0 0 1 50 70" font-size="14pt" text-anchor="middle">Am Rand</text>
    </face>"""
    game = write_game(tmp_path, [card("A1", "Ant")], decks={"deck": [line("A1")]}, face=face)
    assert run("deck", "deck", "--game", str(game)).exit_code == 0
    document = pypdfium2.PdfDocument(game / "out" / "deck_deck.pdf")
    try:
        text = document[0].get_textpage().get_text_range()
    finally:
        document.close()
    for part in ("Großes Übel", "Zweite Zeile", "Am Rand"):
        assert text.count(part) == 1, text


@pytest.mark.parametrize(
    ("outer", "opacity", "bad"), [(1, 1, 1), (1, 0.6, 1), (1, 0.3, 0), (0.5, 0.6, 0)]
)
def test_text_is_read_on_what_shows_through(
    tmp_path: Path, outer: float, opacity: float, bad: int
) -> None:
    body = f"""<rect width="65" height="90" fill="white"/>
      <g opacity="{outer}"><g opacity="{opacity}">
        <rect width="65" height="90" fill="black"/></g></g>
      <text x="9" y="9" fill="#333333">a word</text>"""
    face, report = compose(tmp_path, body)
    assert not report
    assert face is not None
    found = lint_face(face, Subject("x"), 3, HalfEm(), set(), lambda _: None)
    assert len(list(found)) == bad
