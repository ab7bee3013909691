"""Runs of texts in templates and in data: lines, colors, sizes, spacing; lists; justified lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.ops.model import DrawGlyphs, Group, Op, StrokePath, walk
from deckwright.ops.outlines import bounds_of
from support import compose, ops_of, texts

SIZE = 'font-size="2"'


def glyphs(ops: tuple[Op, ...]) -> list[DrawGlyphs]:
    return [op for op in walk(ops) if isinstance(op, DrawGlyphs)]


def rules(ops: tuple[Op, ...]) -> list[StrokePath]:
    return [op for op in walk(ops) if isinstance(op, StrokePath)]


def ends(op: StrokePath) -> tuple[float, float]:
    box = bounds_of(op.outline)
    return box.x, box.right


def height(op: StrokePath) -> float:
    return bounds_of(op.outline).y


@pytest.mark.parametrize(
    "text", ["a <u>b <b>c</b></u> d", "{{ 'a ++b *c*++ d' }}", "a <u>{{ 'b *c*' }}</u> d"]
)
def test_a_line_below_goes_on_through_fonts_and_spaces(tmp_path: Path, text: str) -> None:
    (rule,) = rules(ops_of(tmp_path, f"<text {SIZE}>{text}</text>"))
    assert ends(rule) == (2, 5)  # of seven characters, each a millimetre wide
    assert 1.5 < height(rule) < 2


def test_lines_have_the_color_and_size_of_their_run(tmp_path: Path) -> None:
    text = '<u>a<tspan fill="red" font-size="200%">b</tspan></u> <s>c</s>'
    first, second, through = rules(ops_of(tmp_path, f"<text {SIZE}>{text}</text>"))
    assert (first.color, second.color) == ("#000000", "#ff0000")
    assert second.width == pytest.approx(2 * first.width, abs=0.001)
    assert height(through) < 1.5 < height(first)


def test_runs_have_colors_sizes_and_spacing(tmp_path: Path) -> None:
    text = (
        'a<tspan fill="ink">b<tspan fill="#ff000080">c</tspan></tspan>'
        '<tspan font-size="1">d</tspan><tspan letter-spacing="0.5em">ef</tspan>'
    )
    ops = ops_of(tmp_path, f"<text {SIZE}>{text}</text>")
    letters = {op.text: op for op in glyphs(ops)}
    assert [letters[c].color for c in "abc"] == ["#000000", "#123456", "#ff0000"]
    assert any(isinstance(op, Group) and op.opacity < 1 for op in ops)
    assert letters["d"].size == 1
    assert letters["ef"].kerns == (500, 500)
    assert [op.x for op in glyphs(ops)] == [0, 1, 2, 3, 3.5]


def test_values_of_runs_may_come_from_data(tmp_path: Path) -> None:
    text = """<tspan fill="{{ c }}">a</tspan>{{ '{fill:ink}b{/fill}' }}"""
    ops = glyphs(ops_of(tmp_path, f"<text>{text}</text>", c="red"))
    assert [op.color for op in ops] == ["#ff0000", "#123456"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('<tspan fill="rde">a</tspan>', "T004"),
        ("""<tspan fill="{{ 'rde' }}">a</tspan>""", "T004"),
        ("{{ '{fill:rde}a{/fill}' }}", "T004"),
        ('<tspan font-size="big">a</tspan>', "T004"),
        ('<tspan colour="red">a</tspan>', "T002"),
        ('<list style="stars"><item>a</item></list>', "T004"),
    ],
)
def test_mistakes_in_runs(tmp_path: Path, text: str, code: str) -> None:
    _, (finding,) = compose(tmp_path, f"<text>{text}</text>")
    assert finding.code.id == code


@pytest.mark.parametrize(
    "text",
    [
        "One:<list><item>aa bb</item><item each='x in [1]'>cc</item></list>",
        "{{ 'One:\\n- aa bb\\n- cc' }}",
    ],
)
def test_items_hang_beside_their_marks(tmp_path: Path, text: str) -> None:
    ops = glyphs(ops_of(tmp_path, f'<text {SIZE} width="5" paragraph-gap="3">{text}</text>'))
    assert [op.text for op in ops] == ["One:", "•", "aa", "bb", "•", "cc"]
    assert [op.x for op in ops] == [0, 0, 1.9, 1.9, 0, 1.9]
    steps = [round(op.y - ops[0].y, 3) for op in ops[1:]]
    assert steps == [5.4, 5.4, 7.8, 10.2, 10.2]  # no gap between items


def test_marks_of_a_list_are_aligned_at_the_right(tmp_path: Path) -> None:
    body = '<list style="number"><item each="n in range(10)">x</item></list>'
    ops = glyphs(ops_of(tmp_path, f'<text {SIZE} text-anchor="middle" width="30">{body}</text>'))
    marks = ops[::2]
    assert [op.text for op in marks[:2]] == ["1.", "2."]
    assert (marks[0].x, marks[9].x) == (1, 0)
    letters = body.replace("number", "letter")
    assert "b)" in texts(ops_of(tmp_path, f"<text {SIZE}>{letters}</text>"))


def test_justified_lines_fill_the_width_but_for_the_last(tmp_path: Path) -> None:
    body = f'<text {SIZE} width="8" text-anchor="justify" TEXT>aa bb cc dd ee</text>'
    first, last = glyphs(ops_of(tmp_path, body.replace("TEXT", "")))
    assert (first.text, last.text) == ("aa bb cc", "dd ee")
    assert sum(first.kerns) == 0  # it is full
    wide = glyphs(ops_of(tmp_path, body.replace("8", "9").replace("TEXT", "")))
    assert sum(wide[0].kerns) == 500
    assert not wide[1].kerns
