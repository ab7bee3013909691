"""Text that flows over columns and pages, with lines of 2 mm on columns ten lines high."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckwright.base.findings import Report
from deckwright.ops.model import DrawGlyphs, Group
from deckwright.sheet import flow as flow_module
from deckwright.sheet.flow import lay_out_flow as flow_on
from deckwright.sheet.pages import Page
from deckwright.templates.template import Record, Template
from support import composer, texts

ROOM = 'width="40" height="24" margin-x="5" margin-top="2" margin-bottom="2"'
LINE = 'font-size="2" line-height="1"'

Flowed = tuple[list[Page], Report]
Paper = tuple[float, float]


def flowed(
    folder: Path, body: str, root: str, context: dict[str, object], paper: Paper | None = None
) -> Flowed:
    report: Report = []
    maker = composer(folder, f"<pages {root}>{body}</pages>", report)
    found = None if maker is None else flow_on(maker, context, paper)
    return (found.pages() if found else []), report


def flow(folder: Path, body: str, root: str = ROOM, **context: object) -> list[Page]:
    pages, report = flowed(folder, body, root, context)
    assert report == []
    return pages


def failing(folder: Path, body: str, root: str = ROOM) -> list[str]:
    pages, report = flowed(folder, body, root, {})
    assert pages == []
    return [finding.code.id for finding in report]


def words_by_page(pages: list[Page]) -> list[str]:
    return [" ".join(texts(page.ops)) for page in pages]


def text(*lines: str, **attributes: str) -> str:
    more = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"<text {LINE} {more}>{'<br/>'.join(lines)}</text>"


def numbered(name: str, count: int) -> list[str]:
    return [f"{name}{number}" for number in range(1, count + 1)]


def test_what_fits_stands_on_one_page_from_the_top(tmp_path: Path) -> None:
    (page,) = flow(tmp_path, text("a1", "a2") + text("b1"))
    assert (page.width, page.height) == (40, 24)
    groups = [op for op in page.ops if isinstance(op, Group)]
    assert [group.matrix for group in groups] == [
        (1.0, 0.0, 0.0, 1.0, 5.0, 2.0),
        (1.0, 0.0, 0.0, 1.0, 5.0, 4.0),
        (1.0, 0.0, 0.0, 1.0, 5.0, 6.0),
    ]


def test_a_full_column_of_lines_needs_no_second_page(tmp_path: Path) -> None:
    assert len(flow(tmp_path, text(*numbered("a", 10)))) == 1


def test_a_paragraph_longer_than_a_page_goes_on_on_the_next(tmp_path: Path) -> None:
    pages = flow(tmp_path, text(*numbered("a", 25)))
    assert " ".join(words_by_page(pages)) == " ".join(numbered("a", 25))
    assert [len(page.ops) for page in pages] == [10, 10, 5]


def test_columns_are_filled_one_after_the_other(tmp_path: Path) -> None:
    root = f'{ROOM} columns="2" gap="4"'
    pages = flow(tmp_path, text(*numbered("a", 25)), root)
    places = [
        op.matrix[4:] for page in pages for op in page.ops if isinstance(op, Group) and op.matrix
    ]
    assert len(pages) == 2
    assert places[0] == (5.0, 2.0)
    assert places[9] == (5.0, 20.0)
    # Each column is 13 mm wide: 30 mm less the gap, halved.
    assert places[10] == (22.0, 2.0)
    assert places[20] == (5.0, 2.0)


def test_text_wraps_at_the_width_of_its_column(tmp_path: Path) -> None:
    root = f'{ROOM} columns="2" gap="4"'
    (page,) = flow(tmp_path, text("one two three four"), root)
    assert texts(page.ops) == ["one two three", "four"]


def test_no_line_of_a_paragraph_is_left_alone_at_the_foot_of_a_page(tmp_path: Path) -> None:
    pages = flow(tmp_path, text(*numbered("a", 9)) + text(*numbered("b", 4)))
    assert words_by_page(pages) == [" ".join(numbered("a", 9)), " ".join(numbered("b", 4))]


def test_no_line_of_a_paragraph_is_left_alone_at_the_head_of_a_page(tmp_path: Path) -> None:
    pages = flow(tmp_path, text(*numbered("a", 7)) + text(*numbered("b", 4)))
    assert words_by_page(pages)[1] == "b3 b4"


@pytest.mark.parametrize(("before", "first"), [(8, "a8"), (9, "a9"), (7, "b3")])
def test_three_lines_stay_together(tmp_path: Path, before: int, first: str) -> None:
    pages = flow(tmp_path, text(*numbered("a", before)) + text(*numbered("b", 3)))
    assert words_by_page(pages)[0].endswith(first)


def test_a_block_is_kept_together_if_it_fits_on_a_page(tmp_path: Path) -> None:
    block = f'<block keep="together">{text("b1")}{text(*numbered("c", 4))}</block>'
    pages = flow(tmp_path, text(*numbered("a", 6)) + block)
    assert words_by_page(pages) == [" ".join(numbered("a", 6)), "b1 c1 c2 c3 c4"]


def test_a_block_that_is_not_kept_is_divided_between_its_texts(tmp_path: Path) -> None:
    block = f"<block>{text('b1')}{text(*numbered('c', 4))}</block>"
    pages = flow(tmp_path, text(*numbered("a", 7)) + block)
    assert words_by_page(pages) == [" ".join([*numbered("a", 7), "b1", "c1", "c2"]), "c3 c4"]


def test_a_block_longer_than_a_page_is_divided_and_loses_nothing(tmp_path: Path) -> None:
    block = f'<block keep="together">{text(*numbered("b", 23))}</block>'
    pages = flow(tmp_path, text(*numbered("a", 4)) + block + text("z"))
    expected = [*numbered("a", 4), *numbered("b", 23), "z"]
    assert " ".join(words_by_page(pages)).split() == expected


def test_a_heading_stays_with_what_follows(tmp_path: Path) -> None:
    pages = flow(tmp_path, text(*numbered("a", 8)) + text("h", keep="next") + text("b1", "b2"))
    assert words_by_page(pages) == [" ".join(numbered("a", 8)), "h b1 b2"]


def test_a_block_may_stay_with_what_follows(tmp_path: Path) -> None:
    heading = f'<block keep="next" space-after="2">{text("h")}</block>'
    pages = flow(tmp_path, text(*numbered("a", 7)) + heading + text("b1", "b2"))
    assert words_by_page(pages) == [" ".join(numbered("a", 7)), "h b1 b2"]


def test_space_vanishes_at_the_top_of_a_column(tmp_path: Path) -> None:
    after = text(*numbered("a", 10), **{"space-after": "3"})
    first, second = flow(tmp_path, after + text("b", **{"space-before": "5"}))
    tops = [op.matrix[5] for page in (first, second) for op in page.ops
            if isinstance(op, Group) and op.matrix]  # fmt: skip
    assert tops[0] == 2
    assert tops[-1] == 2


def test_space_stands_between_texts(tmp_path: Path) -> None:
    body = text("a", **{"space-after": "3"}) + text("b", **{"space-before": "1"})
    (page,) = flow(tmp_path, body)
    tops = [op.matrix[5] for op in page.ops if isinstance(op, Group) and op.matrix]
    assert tops == [2, 8]


def test_what_fits_on_a_page_without_its_space_before_is_not_divided(
    tmp_path: Path,
) -> None:
    # Ten lines fill a page alone; with the space before them they would not fit.
    block = f'<block keep="together">{text(*numbered("b", 10), **{"space-before": "1"})}</block>'
    pages = flow(tmp_path, text("a1") + block)
    assert words_by_page(pages) == ["a1", " ".join(numbered("b", 10))]


def test_a_line_taller_than_a_page_is_printed_all_the_same(tmp_path: Path) -> None:
    pages = flow(tmp_path, '<text font-size="30">A</text>' + text("b"))
    assert [word for page in words_by_page(pages) for word in page.split()] == ["A", "b"]


def test_drawings_stand_at_the_top_of_their_block(tmp_path: Path) -> None:
    block = f'<block><line x1="0" y1="2" x2="30" y2="2"/>{text("b1", "b2")}</block>'
    pages = flow(tmp_path, text(*numbered("a", 9)) + block)
    first, *_ = pages[1].ops
    assert isinstance(first, Group)
    assert first.matrix == (1.0, 0.0, 0.0, 1.0, 5.0, 2.0)
    assert not isinstance(first.ops[0], DrawGlyphs)


@pytest.mark.parametrize(
    "body",
    [
        '<rect width="10" height="5" fill="red"/>',
        '<block><rect width="10" height="5" fill="red"/></block>',
        f'{text("a1")}<rect width="10" height="5" fill="red"/>',
        f'{text(*numbered("a", 10))}<rect width="10" height="5" fill="red"/>',
    ],
)
def test_a_drawing_without_text_is_printed(tmp_path: Path, body: str) -> None:
    pages = flow(tmp_path, body)
    drawn = [op for page in pages for group in page.ops if isinstance(group, Group)
             for op in group.ops]  # fmt: skip
    assert sum(not isinstance(op, DrawGlyphs) for op in drawn) == 1


def test_headers_of_many_pages_are_drawn_without_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edges = """<header><text x="1" y="1">{{ page.number }} of {{ title }}</text>
      <text each="line in lines[:2]" when="page.number != 3" x="9" y="1">{{ line }}</text></header>
      <footer><text x="{{ page.count }}" y="20">{{ lines|length }}</text></footer>"""
    body = f'<text {LINE} each="line in lines">{{{{ line }}}}</text>'
    context: dict[str, object] = {"lines": numbered("a", 115), "title": "x"}
    monkeypatch.setattr(flow_module, "_MANY_PAGES", 99)
    expected = flow(tmp_path, edges + body, ROOM, **context)
    monkeypatch.undo()
    run = Template.records
    sizes: list[int] = []

    def count(template: Template, context: Mapping[str, object]) -> tuple[Record, ...]:
        records = run(template, context)
        sizes.append(len(records))
        return records

    monkeypatch.setattr(Template, "records", count)
    pages = flow(tmp_path, edges + body, ROOM, **context)
    assert pages == expected
    assert len(pages) == 12
    assert sizes[0] == 117
    assert set(sizes[1:]) == {2}


def test_a_sheet_has_as_many_elements_as_its_deck_has_lines(tmp_path: Path) -> None:
    lines = f'<block each="line in lines"><text {LINE}>{{{{ line }}}}</text><g/><g/></block>'
    pages = flow(tmp_path, lines, lines=["a"] * 10_000, root=ROOM.replace("24", "2400"))
    assert sum(len(texts(page.ops)) for page in pages) == 10_000
    loop = '<g each="i in range(20000)"><g each="j in range(30)"/><g/></g>'
    assert failing(tmp_path, f"{loop}{text('a')}") == ["T006"]


def test_header_and_footer_stand_on_every_page_and_know_its_number(tmp_path: Path) -> None:
    edges = """<header><text x="1" y="1">{{ title }}</text></header>
      <footer><text x="1" y="20">{{ page.number }}/{{ page.count }}</text></footer>"""
    pages = flow(tmp_path, edges + text(*numbered("a", 25)), title="T")
    found = [texts(page.ops)[:2] for page in pages]
    assert found == [["T", "1/3"], ["T", "2/3"], ["T", "3/3"]]
    assert [page.ops[0] for page in pages] == [pages[0].ops[0]] * 3


def test_repeated_blocks_flow_in_order(tmp_path: Path) -> None:
    body = f"""<block each="r in rules" keep="together" space-after="1">
      <text {LINE}><b>{{{{ r }}}}</b></text><text {LINE}>effect of {{{{ r }}}}</text></block>"""
    rules = numbered("rule", 20)
    pages = flow(tmp_path, body, rules=rules)
    expected = " ".join(f"{rule} effect of {rule}" for rule in rules)
    assert " ".join(words_by_page(pages)) == expected


def test_nothing_to_print_gives_no_page(tmp_path: Path) -> None:
    assert flow(tmp_path, '<text each="r in rules">{{ r }}</text>', rules=[]) == []


def test_a_word_wider_than_the_column_is_reported(tmp_path: Path) -> None:
    assert failing(tmp_path, text("x" * 40)) == ["L001"]


@pytest.mark.parametrize(
    "root",
    [
        'widht="40"',
        'width="wide"',
        'margin-x="200"',
        'margin-top="200" margin-bottom="100"',
        'columns="9" gap="90"',
        'columns="100000" gap="0"',
        'column-width="8" gap="-8"',
    ],
)
def test_pages_that_cannot_be_are_reported(tmp_path: Path, root: str) -> None:
    assert failing(tmp_path, text("a"), root) == ["T009"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("<text>{{ nothing }}</text>", "T006"),
        ('<text font-size="0">a</text>', "T004"),
        ('<text space-before="wide">a</text>', "T004"),
        ("<text>{{ 'x'|nofilter }}</text>", "T005"),
        ("<text>\N{SNOWMAN}</text>", "L002"),
        ("<txt>a</txt>", "T001"),
    ],
)
def test_mistakes_inside_of_pages_are_reported(tmp_path: Path, body: str, code: str) -> None:
    assert failing(tmp_path, body) == [code]


PARAGRAPHS = st.lists(st.tuples(st.integers(1, 14), st.booleans(), st.booleans()), max_size=12)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PARAGRAPHS, st.integers(1, 3), st.integers(0, 3))
def test_nothing_is_lost_or_moved_or_printed_outside_of_the_page(
    tmp_path: Path, paragraphs: list[tuple[int, bool, bool]], columns: int, gap: int
) -> None:
    body, expected = "", []
    for number, (count, together, heading) in enumerate(paragraphs):
        lines = [f"{number}.{line}" for line in range(count)]
        expected += lines
        keep = {"keep": "next"} if heading else {}
        inner = text(*lines, **keep, **{"space-after": str(gap)})
        body += f'<block keep="together">{inner}</block>' if together else inner
    root = 'width="60" height="24" margin-x="5" margin-top="2" margin-bottom="2"'
    pages = flow(tmp_path, body, f'{root} columns="{columns}"')
    assert " ".join(words_by_page(pages)).split() == expected
    for page in pages:
        assert page.ops
        for op in page.ops:
            assert isinstance(op, Group)
            assert op.matrix is not None
            assert 2 <= op.matrix[5] <= 20 + 1e-6


BALANCED = (
    'width="60" height="24" margin-x="5" margin-top="2" margin-bottom="2" columns="2" gap="4"'
)


def ends(page: Page) -> dict[float, int]:
    """Return how many lines stand in each column of a page, by its left edge."""
    found: dict[float, int] = {}
    for op in page.ops:
        assert isinstance(op, Group)
        assert op.matrix is not None
        found[op.matrix[4]] = found.get(op.matrix[4], 0) + 1
    return found


@given(count=st.integers(1, 60))
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_columns_of_the_last_page_are_balanced_where_that_is_wanted(
    tmp_path: Path, count: int
) -> None:
    body = "".join(text(name) for name in numbered("a", count))
    pages = flow(tmp_path, body, f'{BALANCED} column-fill="balance"')
    plain = flow(tmp_path, body, BALANCED)
    assert " ".join(words_by_page(pages)) == " ".join(words_by_page(plain))
    assert len(pages) == len(plain)
    assert pages[:-1] == plain[:-1]
    first, *second = ends(pages[-1]).values()
    assert first - sum(second) in {0, 1}


def test_balancing_divides_nothing_that_is_kept_together(tmp_path: Path) -> None:
    kept = f'<block keep="together">{text(*numbered("a", 6))}</block>'
    (page,) = flow(tmp_path, kept + text("b1") + text("b2"), f'{BALANCED} column-fill="balance"')
    assert sorted(ends(page).values()) == [2, 6]


def test_columns_are_filled_in_one_of_two_ways(tmp_path: Path) -> None:
    assert failing(tmp_path, text("a"), f'{BALANCED} column-fill="even"') == ["T009"]
