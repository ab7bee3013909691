"""What templates share: included templates, styles, and alternatives."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run
from deckwright.ops.model import DrawGlyphs, FillPath
from support import card, compose, ops_of, texts, write_game


def share(folder: Path, name: str, body: str) -> None:
    (folder / name).write_text(f"<face>{body}</face>", encoding="utf-8")


def test_an_included_template_draws_its_elements_in_place(tmp_path: Path) -> None:
    share(tmp_path, "badge.xml", "<text>b</text><text>c</text>")
    assert texts(ops_of(tmp_path, '<text>a</text><include href="badge.xml"/><text>d</text>')) == [
        "a",
        "b",
        "c",
        "d",
    ]


def test_an_included_template_sees_the_card_and_what_it_is_given(tmp_path: Path) -> None:
    share(tmp_path, "badge.xml", "<text>{{ card.name }} {{ label }}</text>")
    body = """<include href="badge.xml" with="label='x' ~ card.level"/>
      <include href="badge.xml" with="label='y'"/>"""
    assert texts(ops_of(tmp_path, body, card={"name": "Ant", "level": 2})) == ["Ant x2", "Ant y"]


def test_what_an_included_template_is_given_is_not_seen_after_it(tmp_path: Path) -> None:
    share(tmp_path, "badge.xml", "<text>{{ label }}</text>")
    body = '<include href="badge.xml" with="label=1"/><text>{{ label }}</text>'
    _, report = compose(tmp_path, body)
    assert [finding.code.id for finding in report] == ["T006"]


def test_an_include_may_be_repeated_and_left_out(tmp_path: Path) -> None:
    share(tmp_path, "badge.xml", "<text>{{ n }}</text>")
    body = '<include href="badge.xml" each="i in [1, 2, 3]" when="i != 2" with="n=i * 10"/>'
    assert texts(ops_of(tmp_path, body)) == ["10", "30"]


def test_an_included_template_sees_the_loops_around_it(tmp_path: Path) -> None:
    share(tmp_path, "inner.xml", "<text>{{ loop.index }}{{ a }}{{ b }}{{ c is defined }}</text>")
    share(tmp_path, "outer.xml", '<g each="b in [a + 1]"><include href="inner.xml"/></g>')
    body = '<g each="a in [5, 7]"><include href="outer.xml"/></g><g each="c in [1]"/>'
    assert texts(ops_of(tmp_path, body)) == ["156False", "178False"]


def test_an_included_template_has_loops_of_its_own(tmp_path: Path) -> None:
    share(tmp_path, "inner.xml", '<text each="a in [a, a + 1]">{{ a }}</text><text>{{ a }}</text>')
    assert texts(ops_of(tmp_path, '<include href="inner.xml" with="a=1"/>')) == ["1", "2", "1"]


def test_a_mistake_is_located_in_the_included_template(tmp_path: Path) -> None:
    share(tmp_path, "badge.xml", "\n<text>\n{{ nothing }}</text>")
    _, report = compose(tmp_path, '<include href="badge.xml"/>')
    (finding,) = report
    assert finding.location is not None
    assert (finding.location.path.name, finding.location.line) == ("badge.xml", 3)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('<include href="a.xml"/>', ""),
        ('<g><include href="b.xml"/></g>', '<include href="a.xml"/>'),
        ('<include href="b.xml"/>', '<include href="b.xml" when="false"/>'),
    ],
)
def test_templates_that_include_each_other_are_reported(
    tmp_path: Path, first: str, second: str
) -> None:
    share(tmp_path, "a.xml", first)
    share(tmp_path, "b.xml", second)
    face, report = compose(tmp_path, '<include href="a.xml"/>')
    assert face is None
    assert [finding.code.id for finding in report] == ["T011"]


def test_a_check_tells_what_is_wrong_with_an_included_template(tmp_path: Path, run: Run) -> None:
    """Once, although it is read twice, and whether or not others include it as well."""
    game = write_game(tmp_path, [card("A1", "Ant")], face='<face><include href="a.xml"/></face>')
    (game / "templates" / "a.xml").write_text('<face><include href="b.xml"/></face>')
    (game / "templates" / "b.xml").write_text('<face><circle r="1" fil="red"/></face>')
    assert run("check", "--game", str(game)).stderr.count(" T002: ") == 1
    (game / "templates" / "b.xml").write_text('<face><include href="card.xml"/></face>')
    assert run("check", "--game", str(game)).stderr.count(" T011: ") == 1


def test_one_template_may_be_included_twice(tmp_path: Path) -> None:
    share(tmp_path, "a.xml", '<include href="b.xml"/><include href="b.xml"/>')
    share(tmp_path, "b.xml", "<text>b</text>")
    assert texts(ops_of(tmp_path, '<include href="a.xml"/><include href="b.xml"/>')) == ["b"] * 3


@pytest.mark.parametrize(
    ("element", "code"),
    [
        ("<include/>", "T003"),
        ('<include href="nothing.xml"/>', "X006"),
        ('<include href="badge.xml" wiht="n=1"/>', "T002"),
        ('<include href="badge.xml" with="n=="/>', "T005"),
        ('<include href="badge.xml" with="1 + 1"/>', "T005"),
        ('<include href="badge.xml" each="n"/>', "T005"),
    ],
)
def test_an_include_that_cannot_be_is_reported(tmp_path: Path, element: str, code: str) -> None:
    share(tmp_path, "badge.xml", "<text>b</text>")
    face, report = compose(tmp_path, element)
    assert face is None
    assert [finding.code.id for finding in report] == [code]


def test_a_style_gives_attributes_that_the_element_does_not_have(tmp_path: Path) -> None:
    body = '<text class="loud">a</text><text class="loud" fill="blue">b</text><text>c</text>'
    ops = [op for op in ops_of(tmp_path, body) if isinstance(op, DrawGlyphs)]
    assert [(op.font, op.color) for op in ops] == [
        ("text-bold", "#ff0000"),
        ("text-bold", "#0000ff"),
        ("text-regular", "#000000"),
    ]


def test_a_style_gives_an_element_only_what_it_can_have(tmp_path: Path) -> None:
    (op,) = ops_of(tmp_path, '<rect class="loud" width="1" height="1"/>')
    assert isinstance(op, FillPath)
    assert op.color == "#ff0000"


def test_a_style_that_is_not_there_is_reported(tmp_path: Path) -> None:
    _, report = compose(tmp_path, '<text class="laod">a</text>')
    (finding,) = report
    assert finding.code.id == "T004"
    assert finding.hint is not None
    assert "`loud`" in finding.hint


LONG = '<text width="5" height="3">much too long to fit</text>'


def test_the_first_alternative_that_can_be_drawn_is(tmp_path: Path) -> None:
    body = f"<first>{LONG}<g><text>b</text></g><text>c</text></first>"
    assert texts(ops_of(tmp_path, body)) == ["b"]
    assert texts(ops_of(tmp_path, "<first><text>a</text><text>b</text></first>")) == ["a"]


def test_if_no_alternative_can_be_drawn_the_last_one_is_reported(tmp_path: Path) -> None:
    body = f'<first>{LONG}<text width="5" height="3">even this is too long</text></first>'
    face, report = compose(tmp_path, body)
    assert face is None
    (finding,) = report
    assert finding.code.id == "L001"
    assert "even this" in finding.message


def test_alternatives_may_be_left_out(tmp_path: Path) -> None:
    body = '<first><text when="card.long">a</text><text>b</text></first>'
    assert texts(ops_of(tmp_path, body, card={"long": False})) == ["b"]


@pytest.mark.parametrize(
    "steps",
    ['step-x="0" step-y="1"', 'step-x="1" step-y="-1"', 'step-x="0.001" step-y="0.001"'],
)
def test_a_pattern_without_end_is_reported(tmp_path: Path, steps: str) -> None:
    body = f'<pattern width="50" height="50" {steps}><rect width="1" height="1"/></pattern>'
    face, report = compose(tmp_path, body)
    assert face is None
    assert {finding.code.id for finding in report} == {"T004"}


@pytest.mark.parametrize(
    "fill",
    [
        "linear-gradient(red)",
        "linear-gradient()",
        "linear-gradient(90deg, red, nocolor)",
        "linear-gradient(1.2.3deg, red, blue)",
        "linear-gradient(90deg, red, blue many%)",
        "linear-gradient(90deg, red, blue nan%)",
        "radial-gradient(red, )",
        "conic-gradient(red, blue)",
    ],
)
def test_a_gradient_that_cannot_be_is_reported(tmp_path: Path, fill: str) -> None:
    for value in (fill, f"{{{{ '{fill}' }}}}"):
        face, report = compose(tmp_path, f'<rect width="1" height="1" fill="{value}"/>')
        assert face is None
        assert [finding.code.id for finding in report] == ["T004"]
