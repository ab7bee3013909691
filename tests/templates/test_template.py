from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckwright.base.findings import Report
from deckwright.expressions.filters import MAX_ITEMS
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op, walk
from deckwright.templates.elements import ELEMENTS
from deckwright.templates.template import END, RECORD, VALUE
from deckwright.text.richtext import CODE_MARK
from support import compile_xml, compose, ops_of, texts


def lefts(ops: tuple[Op, ...]) -> list[float]:
    """Return the left edges of filled rectangles."""
    result = []
    for op in ops:
        assert isinstance(op, FillPath)
        numbers = op.outline[0][1:]
        result.append(float(numbers[0]))
    return result


def only(report: Report) -> tuple[str, int, int, str]:
    """Return the one finding's code, line, column and message."""
    (finding,) = report
    assert finding.location is not None
    return finding.code.id, finding.location.line, finding.location.column, finding.message


def test_each_repeats_an_element_for_every_item(tmp_path: Path) -> None:
    body = '<rect each="x in card.places" x="{{ x }}" width="1" height="1" fill="red"/>'
    assert lefts(ops_of(tmp_path, body, card={"places": [3, 1.5, -2]})) == [3, 1.5, -2]
    assert ops_of(tmp_path, body, card={"places": []}) == ()


def test_when_leaves_an_element_out(tmp_path: Path) -> None:
    body = '<rect when="card.level > 1" width="1" height="1" fill="red"/>'
    assert ops_of(tmp_path, body, card={"level": 1}) == ()
    assert len(ops_of(tmp_path, body, card={"level": 2})) == 1


def test_when_is_asked_for_every_item_of_each(tmp_path: Path) -> None:
    body = """<rect each="x in [1, 2, 3, 4]" when="x is even" x="{{ x }}"
                    width="1" height="1" fill="red"/>"""
    assert lefts(ops_of(tmp_path, body)) == [2, 4]


def test_a_when_that_is_false_does_not_look_at_the_element(tmp_path: Path) -> None:
    body = '<text when="card.image">{{ card.image.nothing.at_all }}</text>'
    assert ops_of(tmp_path, body, card={"image": None}) == ()


def test_loops_nest_and_see_the_outer_item(tmp_path: Path) -> None:
    body = """<g each="row in card.rows">
      <rect each="x in row" x="{{ x + loop.index0 * 100 }}" width="1" height="1" fill="red"/>
    </g>"""
    assert lefts(ops_of(tmp_path, body, card={"rows": [[1, 2], [], [3]]})) == [1, 102, 3]


def test_a_loop_knows_its_length(tmp_path: Path) -> None:
    body = """<rect each="x in card.rows" x="{{ loop.index0 - (loop.length - 1) / 2 }}"
                    width="1" height="1" fill="red"/>"""
    assert lefts(ops_of(tmp_path, body, card={"rows": ["a", "b", "c"]})) == [-1, 0, 1]


def test_a_list_of_one_names_a_value(tmp_path: Path) -> None:
    body = """<g each="n in [card.n + 1]"><g each="m in [n * 2]"><g each="n in [m + n]">
      <text>{{ n }} {{ m }} {{ loop.length }}</text></g></g><text>{{ n }}</text></g>"""
    assert texts(ops_of(tmp_path, body, card={"n": 1})) == ["6 4 1", "2"]


def test_a_loop_in_a_list_of_one_is_its_own(tmp_path: Path) -> None:
    body = """<g each="a in [1, 2]"><text each="b in [a]">{{ loop.index }}{{ b }}</text>
      <g each="c in [a]"><text each="d in [c, c]">{{ loop.index }}</text></g></g>"""
    assert texts(ops_of(tmp_path, body)) == ["11", "1", "2", "12", "1", "2"]


def test_texts_of_data_have_markup_and_those_of_templates_have_not(tmp_path: Path) -> None:
    body = """<text>*a* {{ card.text }} {{ 2 }}*{{ 'n'|upper }}</text>
      <text each="word in [card.text]">{{ word == 'x *y* z' }} {{ '_i_' }}</text>"""
    ops = ops_of(tmp_path, body, card={"text": "x *y* z"})
    said = [(op.text.strip(), op.font) for op in walk(ops) if isinstance(op, DrawGlyphs)]
    assert said == [
        ("*a* x", "text-regular"),
        ("y", "text-bold"),
        ("z 2*N", "text-regular"),
        ("True", "text-regular"),
        ("i", "text-italic"),
    ]


def test_a_loop_may_name_two_things(tmp_path: Path) -> None:
    body = '<text each="a, b in card.pairs">{{ b }}{{ a }}</text>'
    assert texts(ops_of(tmp_path, body, card={"pairs": [[1, 2], [3, 4]]})) == ["21", "43"]


def test_each_and_when_work_on_markup_inside_of_text(tmp_path: Path) -> None:
    body = """<text><p each="r in card.rules"><b when="r.active">{{ r.name }}</b
      ><i when="not r.active">{{ r.name }}</i></p></text>"""
    rules = [{"name": "Charge", "active": True}, {"name": "Tough", "active": False}]
    ops = ops_of(tmp_path, body, card={"rules": rules})
    assert [(op.font, op.text) for op in ops if isinstance(op, DrawGlyphs)] == [
        ("text-bold", "Charge"),
        ("text-italic", "Tough"),
    ]


def test_what_a_group_holds_is_moved_with_it(tmp_path: Path) -> None:
    (group,) = ops_of(tmp_path, '<g x="3" y="4"><circle r="1" fill="red"/></g>')
    assert isinstance(group, Group)
    assert group.matrix == (1.0, 0.0, 0.0, 1.0, 3.0, 4.0)
    assert len(group.ops) == 1


EVIL = [
    "R&D",
    "a < b > c",
    "{{ 7 * 7 }}",
    "{% for x in y %}",
    "{# note #}",
    "</text><rect/>",
    "&amp;",
    '" onload="',
    "#}",
    "\\x1e0",
    "<b>bold</b>",
    "%s %d {0}",
    "('",
]


@pytest.mark.parametrize("name", EVIL)
def test_data_is_printed_as_it_is(tmp_path: Path, name: str) -> None:
    assert texts(ops_of(tmp_path, "<text>{{ card.name }}</text>", card={"name": name})) == [name]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.text("{}%#<>&\"'/ab", min_size=1, max_size=8), min_size=1, max_size=3))
def test_no_text_of_a_game_is_taken_for_program_or_markup(tmp_path: Path, words: list[str]) -> None:
    body = """<rect width="1" height="1" fill="red"/><text>{{ card.name }}</text>
      <text each="w in card.words"><b>{{ w }}</b></text>"""
    ops = ops_of(tmp_path, body, card={"name": " ".join(words), "words": words})
    assert texts(ops) == [" ".join(words), *words]
    assert len(ops) == 1 + 1 + len(words)


CODES = [RECORD, RECORD + "0", RECORD + "99", END, RECORD + END, VALUE + "5", CODE_MARK]
CODES += [
    f"{CODE_MARK}zz{CODE_MARK}",
    f"{CODE_MARK}/b{CODE_MARK}",
    f"{CODE_MARK}icon nothing{CODE_MARK}",
]


@pytest.mark.parametrize("code", CODES)
def test_a_template_cannot_forge_the_inner_codes(tmp_path: Path, code: str) -> None:
    escaped = "".join(f"\\x{ord(c):02x}" if c < " " else c for c in code)
    _, report = compose(tmp_path, f"<g><text>{{{{ 'a{escaped}b' }}}}</text></g>")
    assert {finding.code.id for finding in report} <= {"L002", "T004", "T006"}


def test_a_name_that_is_not_there_is_reported_at_its_element(tmp_path: Path) -> None:
    body = '\n<rect width="1" height="1"/>\n\n  <text x="1">{{ card.nmae }}</text>'
    face, report = compose(tmp_path, body, card={"name": "x"})
    assert face is None
    code, row, column, message = only(report)
    assert (code, row, column) == ("T006", 4, 3)
    assert "nmae" in message
    assert "card `X1`" in message


@pytest.mark.parametrize(
    ("body", "row"),
    [
        ('<g>\n\n<g each="x in [1]">\n<text>{{ nothing }}</text></g></g>', 4),
        ('<g each="x in nothing">\n<text>a</text></g>', 1),
        ('<g>\n<g when="nothing">\n<text>a</text></g></g>', 2),
        ("<text>\n<b>a</b>\n{{ nothing }}</text>", 3),
        ('<rect width="1"\n height="1"/>\n<rect\n width="{{ nothing }}" height="1"/>', 4),
        ("<text>a</text>\n<text>b</text>\n<text>{{ 1 // 0 }}</text>", 3),
        ("<text>a</text>\n<text>{{ 'a' + 1 }}</text>", 2),
    ],
)
def test_a_failing_expression_is_located(tmp_path: Path, body: str, row: int) -> None:
    _, report = compose(tmp_path, body)
    assert only(report)[:2] == ("T006", row)


def test_one_mistake_of_a_template_is_reported_once_for_all_cards(tmp_path: Path) -> None:
    report: Report = []
    for _ in range(3):
        _, findings = compose(tmp_path, "<text>{{ nothing }}</text>")
        report += findings
    assert len(set(report)) == 1


def test_nothing_is_printed_for_a_field_without_a_value(tmp_path: Path) -> None:
    assert texts(ops_of(tmp_path, "<text>a{{ card.image }}b</text>", card={"image": None})) == [
        "ab"
    ]


@pytest.mark.parametrize(
    "loops",
    [
        '<g each="a in range(999)"><g each="b in range(999)"><rect width="1" height="1"/></g></g>',
        '<rect each="a in range(99999)" width="1" height="1"/>',
        '<rect each="a in range(10 ** 12)" width="1" height="1"/>',
        '<text><b each="a in range(1000)"><i each="b in range(1000)">x</i></b></text>',
    ],
)
def test_loops_without_end_are_ended(tmp_path: Path, loops: str) -> None:
    face, report = compose(tmp_path, loops)
    assert face is None
    assert only(report)[0] == "T006"


def test_loops_may_be_long(tmp_path: Path) -> None:
    body = f'<rect each="x in range({MAX_ITEMS})" width="1" height="1" fill="red"/>'
    assert len(ops_of(tmp_path, body)) == MAX_ITEMS


@pytest.mark.parametrize(
    "expression",
    [
        "''.__class__",
        "''.__class__.__mro__",
        "card.__class__",
        "card.name.__class__.__base__.__subclasses__()",
        "(1).__class__.__bases__",
        "card['__class__']",
        "''['__class__']",
        "''|attr('__class__')",
        "range.__globals__",
        "card.name.format.__globals__",
        "'{0.__class__}'.format(card)",
        "'{0.__class__.__mro__}'.format(card.name)",
        "self.__init__.__globals__",
        "cycler.__init__.__globals__",
        "card.update({'name': 'x'})",
        "card.words.append('x')",
        "card.words.clear()",
    ],
)
def test_the_sandbox_lets_no_expression_out(tmp_path: Path, expression: str) -> None:
    card = {"name": "Ant", "words": ["a"]}
    _, report = compose(tmp_path, f"<text>{{{{ {expression} }}}}</text>", card=card)
    assert only(report)[0] in {"T005", "T006"}
    assert card == {"name": "Ant", "words": ["a"]}


@pytest.mark.parametrize(
    "code", ["{% include 'x' %}", "{% import 'x' as y %}", "{% extends 'x' %}"]
)
def test_a_template_cannot_load_another_through_jinja(tmp_path: Path, code: str) -> None:
    _, report = compose(tmp_path, f"<text>{code}</text>")
    assert only(report)[0] in {"T005", "T006"}


@pytest.mark.parametrize(
    ("attribute", "row"),
    [
        ('x="{{ card. }}"', 2),
        ('when="card.level >"', 2),
        ('each="x in"', 2),
        ('each="x of card.rows"', 2),
        ('each="1x in card.rows"', 2),
        ('x="{{ card.level|nofilter }}"', 2),
        ('x="{% if %}"', 2),
        ('x="{{ 1 "', 2),
    ],
)
def test_an_expression_that_cannot_be_read_is_located(
    tmp_path: Path, attribute: str, row: int
) -> None:
    report: Report = []
    xml = f'<face>\n  <rect {attribute} width="1" height="1"/>\n  <text>a</text>\n</face>'
    assert compile_xml(tmp_path, xml, report) is None
    assert only(report)[:2] == ("T005", row)


@pytest.mark.parametrize(
    ("each", "hint"),
    [
        ("x in [1] if card.level else []", "`x in ([1] if card.level else [])`"),
        ("x, y in card.pairs if 1 else " + "[] + " * 20 + "[]", "`x, y in (…)`"),
    ],
)
def test_a_choice_of_items_needs_brackets(tmp_path: Path, each: str, hint: str) -> None:
    report: Report = []
    xml = f'<face><rect each="{each}" width="1" height="1"/></face>'
    assert compile_xml(tmp_path, xml, report) is None
    (finding,) = report
    assert (finding.code.id, finding.message.rpartition("the `if`")[2]) == (
        "T005",
        " of a loop filters items, and cannot have an `else`",
    )
    assert finding.hint == f"put everything after `in` in brackets: {hint}"


def test_all_mistakes_of_a_template_are_reported(tmp_path: Path) -> None:
    report: Report = []
    xml = """<face>
      <rekt width="1" height="1"/>
      <rect width="1" height="1" colour="red"/>
      <circle/>
      <rect width="one" height="1"/>
      <text><small>a</small></text>
      <text><b x="1">a</b><icon/></text>
    </face>"""
    assert compile_xml(tmp_path, xml, report) is None
    found = [(f.code.id, f.location.line) for f in report if f.location is not None]
    expected = [("T001", 2), ("T002", 3), ("T003", 4), ("T004", 5), ("T001", 6), ("T002", 7)]
    assert found == [*expected, ("T003", 7)]


@pytest.mark.parametrize(
    ("attribute", "good", "bad"),
    [
        ("x", "3.5", "wide"),
        ("x", "1cm", "1em"),
        ("fill", "ink", "inky"),
        ("fill", "#AABBCC", "#abcde"),
        ("fill", "#abc", "#ab"),
        ("font-style", "italic", "oblique"),
        ("line-height", "1.5", "1.5.2"),
        ("min-font-size", "6pt", "small"),
    ],
)
def test_a_constant_and_an_expression_of_one_value_are_the_same(
    tmp_path: Path, attribute: str, good: str, bad: str
) -> None:
    def body(value: str) -> str:
        return f'<text width="30" {attribute}="{value}">word</text>'

    constant = ops_of(tmp_path, body(good))
    assert constant == ops_of(tmp_path, body("{{ v }}"), v=good)
    _, early = compose(tmp_path, body(bad))
    _, late = compose(tmp_path, body("{{ v }}"), v=bad)
    assert only(early)[0] == only(late)[0] == "T004"
    assert only(late)[3] == f"{only(early)[3]} (for card `X1`)"
    assert only(early)[1:3] == only(late)[1:3] == (1, 24)


@pytest.mark.parametrize("value", ["0.1 + 0.2 - 0.3", "1 / 3", "1e-9", "-1e-7", "2e1", "10 ** 4"])
def test_whatever_numbers_come_out_of_reckoning_are_lengths(tmp_path: Path, value: str) -> None:
    body = f'<rect x="{{{{ {value} }}}}" width="1" height="1" fill="red"/>'
    assert lefts(ops_of(tmp_path, body)) == [pytest.approx(eval(value))]


def test_deep_templates_are_either_drawn_or_reported(tmp_path: Path) -> None:
    depth = 30
    nested = "".join(f'<g each="a{n} in [1]">' for n in range(depth))
    _, report = compose(tmp_path, nested + '<rect width="1" height="1"/>' + "</g>" * depth)
    assert {finding.code.id for finding in report} <= {"T005", "T006"}


def test_colors_can_be_mixed_and_contrasted(tmp_path: Path) -> None:
    calls = ["mix('#ffffff', 0.5)", "lighten(0.5)", "darken(0.5)", "on"]
    body = "".join(f'<rect width="1" height="1" fill="{{{{ c|{call} }}}}"/>' for call in calls)
    dark, light = (ops_of(tmp_path, body, c=color) for color in ("#000000", "#ffff00"))
    assert [op.color for op in dark if isinstance(op, FillPath)] == [
        "#808080",
        "#808080",
        "#000000",
        "#ffffff",
    ]
    assert [op.color for op in light if isinstance(op, FillPath)] == [
        "#ffff80",
        "#ffff80",
        "#808000",
        "#000000",
    ]


@pytest.mark.parametrize(
    ("call", "color"),
    [
        ("'blue'|mix('#fff', 0.5)", "#8080ff"),
        ("' Red '|darken(0.5)", "#800000"),
        ("'rgb(0 0 0)'|lighten(0.5)", "#808080"),
        ("'#000'|on", "#ffffff"),
        ("'hsl(60, 100%, 50%)'|on('white', 'teal')", "#008080"),
        ("'#00000080'|lighten(0.5)", "#80808080"),
        ("'#ff000080'|darken(1)", "#00000080"),
        ("'rgba(0, 0, 0, 0)'|mix('white', 0.5)", "#80808080"),
        ("'#000000'|mix('#ffffff', 2)", "#ffffff"),
        ("'#000'|lighten(0) if 'black'|contrast('white') > 20.9 else 'red'", "#000000"),
    ],
)
def test_colors_are_calculated_with_however_they_are_written(
    tmp_path: Path, call: str, color: str
) -> None:
    body = f'<text width="60" height="5">{{{{ {call} }}}}</text>'
    assert texts(ops_of(tmp_path, body)) == [color]


@pytest.mark.parametrize("call", ["c|mix('bleu', 0.5)", "c|mix('#ff', 0.5)", "'rot'|on", "3|on"])
def test_reckoning_with_what_is_no_color_is_reported(tmp_path: Path, call: str) -> None:
    _, report = compose(
        tmp_path, f'<rect width="1" height="1" fill="{{{{ {call} }}}}"/>', c="#000000"
    )
    assert only(report)[0] in {"T004", "T006"}


@pytest.mark.parametrize("tag", sorted(ELEMENTS))
def test_lengths_are_as_small_as_they_say_and_no_smaller(tag: str) -> None:
    for attribute in ELEMENTS[tag].attributes.values():
        if bound := re.search(r"a length .* at least ([0-9.]+)(?: mm)?$", attribute.description):
            least = float(bound[1])
            assert attribute.parse(bound[1], {}) == least
            with pytest.raises(ValueError, match=r"negative|too small"):
                attribute.parse(f"{least - 0.01:.2f}", {})
