"""Layout of text in millimetres, with a font whose every character is half an em wide."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckwright.base.geometry import Box
from deckwright.base.units import MM_PER_UNIT
from deckwright.ops.model import DrawGlyphs, FillPath, Op
from deckwright.ops.outlines import tight_bounds
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.breaking import Wrap, break_lines, fill_lines, measure_words
from deckwright.text.paragraphs import TextBlock, TextStyle, fit_text, lay_out, missing_characters
from deckwright.text.placing import place_text
from deckwright.text.richtext import CODE_MARK, parse_rich_text
from deckwright.text.shaping import ShapedText
from support import HalfEm

METRICS = HalfEm()
STYLE = TextStyle("text", size=2, color="#000000")
STEP = 0.1 * MM_PER_UNIT["pt"]
"""Text shrinks by a tenth of a point at a time."""


def lines_of(block: TextBlock) -> list[str]:
    return ["".join(run.piece.text for run in line.runs) for line in block.lines]


def laid(text: str, width: float | None, language: str | None = None) -> list[str]:
    return lines_of(
        lay_out(
            parse_rich_text(text),
            STYLE,
            METRICS,
            width=width,
            hyphens=Hyphenator(language) if language else None,
        )
    )


def fitted(
    text: str, width: float | None, height: float | None, smallest: float = 2
) -> TextBlock | None:
    return fit_text(
        parse_rich_text(text),
        STYLE,
        METRICS,
        width=width,
        height=height,
        min_size=smallest,
        hyphens=Hyphenator("de"),
    )


def glyphs(text: str, box: Box, **alignment: str) -> list[DrawGlyphs]:
    block = lay_out(parse_rich_text(text), STYLE, METRICS, width=box.width or None)
    ops = place_text(block, box, STYLE, **alignment)
    return [op for op in ops if isinstance(op, DrawGlyphs)]


def test_words_go_to_the_next_line_when_the_line_is_full() -> None:
    # An em is 2 mm, so a character is 1 mm.
    assert laid("aaa bbb ccc", 7) == ["aaa bbb", "ccc"]
    assert laid("aaa bbb ccc", 6.9) == ["aaa", "bbb", "ccc"]


@pytest.mark.parametrize(
    ("wrap", "text", "width", "lines"),
    [
        ("wrap", "aaa bbb ccc d", 11.5, ["aaa bbb ccc", "d"]),
        ("balance", "aaa bbb ccc d", 11.5, ["aaa bbb", "ccc d"]),
        ("balance", "aaa bbb ccc", 12, ["aaa bbb ccc"]),
        ("balance", "aa aaaaaaaa b", 5, ["aa", "aaaaaaaa", "b"]),  # a word is too wide anyway
        ("balance", "aaa bbb ccc", None, ["aaa bbb ccc"]),
        ("balance", "aaaa bb cc dd ee ff", 16, ["aaaa bb cc", "dd ee ff"]),
        ("pretty", "aaaa bb cc dd ee ff", 16, ["aaaa bb cc dd", "ee ff"]),  # fair as it is
        ("pretty", "aaa bbb ccc ddd e", 15.5, ["aaa bbb ccc", "ddd e"]),
        ("pretty", "aaaaaaaaaaa bb", 12, ["aaaaaaaaaaa", "bb"]),  # it would be no better
    ],
)
def test_lines_are_full_or_about_equally_long_or_end_in_no_short_word(
    wrap: Wrap, text: str, width: float | None, lines: list[str]
) -> None:
    block = lay_out(parse_rich_text(text), STYLE._replace(wrap=wrap), METRICS, width=width)
    assert lines_of(block) == lines


def test_text_without_a_width_stays_on_one_line() -> None:
    assert laid("aaa bbb ccc ddd eee fff", None) == ["aaa bbb ccc ddd eee fff"]


def test_white_space_at_the_end_of_a_line_is_not_counted() -> None:
    block = lay_out(parse_rich_text("aaa bbb"), STYLE, METRICS, width=3)
    assert block.width == 3


def test_a_break_begins_a_line_and_an_empty_line_counts() -> None:
    block = lay_out(
        parse_rich_text(f"a{CODE_MARK}br{CODE_MARK}{CODE_MARK}br{CODE_MARK}b"),
        STYLE,
        METRICS,
        width=10,
    )
    assert lines_of(block) == ["a", "", "b"]
    assert block.height == pytest.approx(2 + 2 * 1.2 * 2)


def test_height_counts_lines_and_gaps_between_paragraphs() -> None:
    rich = parse_rich_text(
        f"{CODE_MARK}p{CODE_MARK}a{CODE_MARK}/p{CODE_MARK}{CODE_MARK}p{CODE_MARK}b{CODE_MARK}/p{CODE_MARK}"
    )
    block = lay_out(rich, STYLE._replace(paragraph_gap=3), METRICS, width=10)
    assert block.height == pytest.approx(2 + 1.2 * 2 + 3)
    assert [line.first for line in block.lines] == [False, True]


def test_a_word_that_is_too_wide_is_hyphenated_with_a_hyphen() -> None:
    lines = laid("Feldmarschall", 9, "de")
    assert len(lines) > 1
    assert all(len(line) <= 9 for line in lines)
    assert all(line.endswith("-") for line in lines[:-1])
    assert "".join(line.removesuffix("-") for line in lines) == "Feldmarschall"


def test_a_word_that_fits_on_a_line_is_not_hyphenated() -> None:
    assert laid("Der Feldmarschall", 13, "de") == ["Der", "Feldmarschall"]


def test_no_second_hyphen_is_added_to_a_hyphen() -> None:
    assert laid("Moral-Bonus", 6, "de") == ["Moral-", "Bonus"]


def test_nothing_is_hyphenated_without_a_language() -> None:
    assert laid("Feldmarschall", 5) == ["Feldmarschall"]


def test_a_language_without_patterns_breaks_at_hyphens_alone() -> None:
    assert laid("Feldmarschall", 5, "zz") == ["Feldmarschall"]
    assert laid("Feld-marschall", 9, "zz") == ["Feld-", "marschall"]


def test_text_that_fits_keeps_its_size() -> None:
    block = fitted("aaa bbb", 3, 4.4, smallest=1)
    assert block is not None
    assert block.size == 2
    assert lines_of(block) == ["aaa", "bbb"]


def test_text_shrinks_no_more_than_it_must() -> None:
    # Seven characters are 3.5 em wide, so they fit on 5 mm up to a size of 10/7 mm.
    block = fitted("aaaaaaa", 5, 2, smallest=1)
    assert block is not None
    assert 10 / 7 - STEP < block.size <= 10 / 7


def test_text_that_fits_at_the_smallest_size_alone_is_set_in_it() -> None:
    block = fitted("aaaaaaa", 3.5, 2, smallest=1)
    assert block is not None
    assert block.size == pytest.approx(1)


def test_nothing_is_returned_when_the_smallest_size_does_not_fit() -> None:
    assert fitted("aaaaaaa", 3.4, 2, smallest=1) is None
    assert fitted("a b c d e", 1, 5, smallest=2) is None


def test_text_shrinks_before_it_is_hyphenated() -> None:
    block = fitted("Feldmarschall", 9, 20, smallest=1.3)
    assert block is not None
    assert lines_of(block) == ["Feldmarschall"]


def test_text_is_hyphenated_when_shrinking_is_not_enough() -> None:
    block = fitted("Feldmarschall", 9, 20, smallest=1.9)
    assert block is not None
    assert len(block.lines) == 2
    assert block.size == 2


@pytest.mark.parametrize(("anchor", "x"), [("start", 10), ("middle", 13.5), ("end", 17)])
def test_lines_are_anchored_in_their_box(anchor: str, x: float) -> None:
    (op,) = glyphs("aaa", Box(10, 20, 10, 10), anchor=anchor)
    assert op.x == pytest.approx(x)


@pytest.mark.parametrize(("anchor", "x"), [("start", 10), ("middle", 8.5), ("end", 7)])
def test_text_without_a_width_is_anchored_at_its_x(anchor: str, x: float) -> None:
    (op,) = glyphs("aaa", Box(10, 20, 0, 0), anchor=anchor)
    assert op.x == pytest.approx(x)


@pytest.mark.parametrize(
    ("valign", "first"),
    [
        ("top", 20 + 0.75 * 2),
        # 2.4 mm between the baselines and 1.4 mm of capitals: 3.1 mm above and below of 10 mm.
        ("middle", 20 + 3.1 + 1.4),
        ("bottom", 30 - 4.4 + 1.5),
    ],
)
def test_lines_are_aligned_in_the_height_of_their_box(valign: str, first: float) -> None:
    ops = glyphs("aaa bbb", Box(10, 20, 3, 10), valign=valign)
    assert [op.y for op in ops] == [pytest.approx(first), pytest.approx(first + 2.4)]


def test_a_paragraph_gap_moves_the_lines_after_it() -> None:
    rich = parse_rich_text(
        f"{CODE_MARK}p{CODE_MARK}a{CODE_MARK}/p{CODE_MARK}{CODE_MARK}p{CODE_MARK}b{CODE_MARK}/p{CODE_MARK}"
    )
    style = STYLE._replace(paragraph_gap=3)
    block = lay_out(rich, style, METRICS, width=10)
    first, second = place_text(block, Box(0, 0, 10, 10), style)
    assert isinstance(first, DrawGlyphs)
    assert isinstance(second, DrawGlyphs)
    assert second.y - first.y == pytest.approx(1.2 * 2 + 3)


def test_runs_of_one_font_are_one_op_and_other_fonts_stand_beside_them() -> None:
    (first, bold, last) = glyphs(
        f"a b {CODE_MARK}b{CODE_MARK}c d{CODE_MARK}/b{CODE_MARK} e f", Box(0, 0, 50, 5)
    )
    assert [(op.font, op.text.strip()) for op in (first, bold, last)] == [
        ("text-regular", "a b"),
        ("text-bold", "c d"),
        ("text-regular", "e f"),
    ]
    # Each op begins where the text before it ends, a space included.
    assert bold.x + bold.text.index("c") == pytest.approx(4)
    assert last.x + last.text.index("e") == pytest.approx(8)


def test_an_icon_in_the_line_takes_its_width_and_the_color_of_the_text() -> None:
    block = lay_out(parse_rich_text(f"{CODE_MARK}icon sword{CODE_MARK}a"), STYLE, METRICS, width=50)
    icon, after = place_text(block, Box(10, 0, 50, 5), STYLE)
    assert isinstance(icon, FillPath)
    assert icon.color == "#000000"
    assert isinstance(after, DrawGlyphs)
    ink, space = tight_bounds(icon.outline), 0.065 * 1.1 * 2
    assert ink.x == pytest.approx(10 + space, abs=1e-3)
    assert after.x == pytest.approx(ink.right + space, abs=1e-3)
    xs = [float(x) for _, *numbers in icon.outline for x in numbers[::2]]
    assert min(xs) >= 10
    assert max(xs) <= 10 + 1.1 * 2


def test_missing_characters_are_named_once_each() -> None:
    rich = parse_rich_text("a☃b ☃ c★")
    assert missing_characters(rich, "text", HalfEm("★☃")) == ["☃", "★"]


WORDS = st.lists(st.text("abcdefgh", min_size=1, max_size=12), min_size=1, max_size=25)


@settings(max_examples=60, deadline=None)
@given(WORDS, st.floats(1, 40), st.floats(2, 60), st.floats(0.5, 2))
def test_text_that_fits_stays_inside_its_box(
    words: list[str], width: float, height: float, smallest: float
) -> None:
    block = fitted(" ".join(words), width, height, smallest)
    if block is not None:
        assert smallest - 1e-6 <= block.size <= 2
        ops: list[Op] = list(place_text(block, Box(0, 0, width, height), STYLE))
        for op in ops:
            assert isinstance(op, DrawGlyphs)
            assert op.x >= -1e-3
            assert op.x + len(op.text) * op.size / 2 <= width + 1e-3
            assert op.y - 0.75 * op.size >= -1e-3
            assert op.y + 0.25 * op.size <= height + 1e-3
        # A step larger does not fit.
        larger = fitted(" ".join(words), width, height, smallest=min(2, block.size + STEP))
        assert block.size > 2 - STEP or larger is None or larger.size >= block.size


@settings(max_examples=60, deadline=None)
@given(WORDS, st.floats(1, 40), st.floats(2, 60), st.sampled_from(("balance", "pretty")))
def test_text_shrinks_no_more_because_its_lines_are_narrowed(
    words: list[str], width: float, height: float, wrap: Wrap
) -> None:
    rich, style = parse_rich_text(" ".join(words)), STYLE._replace(wrap=wrap)
    hyphens = Hyphenator("de")
    block = fit_text(
        rich, style, METRICS, width=width, height=height, min_size=0.5, hyphens=hyphens
    )
    steps = range(round((2 - 0.5) / STEP) + 1)
    sizes = [max(0.5, 2 - step * STEP) for step in steps]
    blocks = [
        lay_out(rich, style.with_size(size), METRICS, width=width, hyphens=divided)
        for divided in (None, hyphens)
        for size in sizes
    ]
    fitting = (b for b in blocks if b.width <= width + 1e-9 and b.height <= height + 1e-9)
    assert block == next(fitting, None)


class CountingHalfEm(HalfEm):
    """Count how often a text is measured."""

    measured = 0

    def shape(self, font: str, text: str, script: str = "", *, rtl: bool = False) -> ShapedText:
        self.measured += 1
        return super().shape(font, text, script, rtl=rtl)


def test_a_text_without_room_is_given_up_before_its_lines_are_narrowed() -> None:
    rich, counts = parse_rich_text("a few words " * 30), []
    for wrap in ("wrap", "pretty", "balance"):
        metrics = CountingHalfEm()
        style = STYLE._replace(wrap=wrap, anywhere=True)
        assert (
            fit_text(rich, style, metrics, width=20, height=4, min_size=2, hyphens=Hyphenator("de"))
            is None
        )
        counts.append(metrics.measured)
    assert len(set(counts)) == 1


@settings(max_examples=60, deadline=None)
@given(WORDS, st.floats(1, 40))
def test_every_word_is_printed_in_order(words: list[str], width: float) -> None:
    lines = laid(" ".join(words), width)
    assert " ".join(lines) == " ".join(words)


@settings(max_examples=40, deadline=None)
@given(WORDS, st.floats(1, 12))
def test_hyphenation_loses_no_letter(words: list[str], width: float) -> None:
    lines = laid(" ".join(words), width, "de")
    joined = "".join(line.removesuffix("-") for line in lines)
    assert joined.replace(" ", "") == "".join(words)


FILLED = STYLE._replace(hyphenate=True)


def filled(text: str, width: float, hyphens: Hyphenator) -> list[str]:
    return lines_of(lay_out(parse_rich_text(text), FILLED, METRICS, width=width, hyphens=hyphens))


@pytest.mark.parametrize("width", range(8, 30))
def test_three_letters_of_a_word_stand_on_each_side_of_a_hyphen(width: int) -> None:
    text = "(Einheiten, Aktionen; Elite-Kundschafter: Überläufer.) Ende der Vorstellung hier"
    lines = filled(text, width, Hyphenator("de"))
    for line, following in pairwise(lines):
        if line.endswith("-"):
            assert re.search(r"[^\W\d_]{3}-$", line), lines
            assert re.match(r"[^\W\d_]{3}", following), lines


@pytest.mark.parametrize("width", range(9, 40))
def test_no_paragraph_ends_in_a_fragment_of_a_word(width: int) -> None:
    text = "Danach verlieren sie wieder alle Verstärkungen"
    lines = filled(text, width, Hyphenator("de"))
    # A word that is wider than the line has to be divided all the same.
    assert lines[-1].endswith("Verstärkungen") or width < len("Verstärkungen")


def test_words_within_the_paragraph_are_divided_to_fill_lines() -> None:
    assert filled("Alle Verstärkungen gehen", 13, Hyphenator("de"))[0] == "Alle Verstär-"


def test_a_word_in_several_styles_is_divided_as_one() -> None:
    rich = parse_rich_text(
        f"Alle {CODE_MARK}b{CODE_MARK}Verstär{CODE_MARK}/b{CODE_MARK}kungen gehen"
    )
    block = lay_out(rich, FILLED, METRICS, width=13, hyphens=Hyphenator("de"))
    assert lines_of(block)[0] == "Alle Verstär-"


def test_a_word_is_divided_as_the_game_says() -> None:
    wrong, right = Hyphenator("de"), Hyphenator("de", ["Provi-ant"])
    assert list(wrong.positions("Proviant")) != [5]
    assert list(right.positions("Proviant")) == [5]
    assert filled("Der Proviant reicht", 10, right) == ["Der Provi-", "ant reicht"]


def test_an_exception_holds_for_longer_words_with_it() -> None:
    places = list(Hyphenator("de", ["Provi-ant"]).positions("Proviantwagen, Hauptproviant"))
    assert {5, 8} <= set(places)
    assert 6 not in places
    assert 15 + 5 + 5 in places
    assert 15 + 5 + 6 not in places


def test_an_exception_holds_at_both_ends_of_a_word() -> None:
    places = list(Hyphenator("de", ["Provi-ant"]).positions("Proviantehrenproviant"))
    assert {5, 13 + 5} <= set(places)
    assert not {6, 13 + 3, 13 + 6} & set(places)


def test_an_exception_without_a_hyphen_is_never_divided() -> None:
    assert list(Hyphenator("de", ["Feldmarschall"]).positions("Feldmarschall")) == []


def test_a_word_with_a_number_is_divided_behind_the_number_alone() -> None:
    lines = filled("Sie hat nun 2 Verstärkungen und mehr", 20, Hyphenator("de"))
    assert lines[0] == "Sie hat nun 2 Ver-" or lines[0] == "Sie hat nun 2 Verstär-"


@pytest.mark.parametrize(
    ("text", "smallest", "expected"),
    [
        ("WWWWWWWWWWWWW", 2, ["WWWWW", "WWWWW", "WWW"]),
        ("WWWWWWWWWWWWW", 0.5, ["WWWWWWWWWWWWW"]),
        ("WWWWWW-WWWWWW", 2, ["WWWWW", "W-", "WWWWW", "W"]),
        ("a WWWWWW", 2, ["a", "WWWWW", "W"]),
        (f"{CODE_MARK}icon sword{CODE_MARK}" * 6, 2, ["", ""]),
    ],
)
def test_a_word_breaks_anywhere_without_a_hyphen_when_nothing_else_is_enough(
    text: str, smallest: float, expected: list[str]
) -> None:
    def block(*, anywhere: bool) -> TextBlock | None:
        style = STYLE._replace(anywhere=anywhere)
        return fit_text(
            parse_rich_text(text),
            style,
            METRICS,
            width=6.9 if "icon" in text else 5,
            height=None,
            min_size=smallest,
            hyphens=Hyphenator(""),
        )

    made = block(anywhere=True)
    assert made is not None
    assert lines_of(made) == expected
    assert (block(anywhere=False) is not None) == (smallest < 1)


@given(
    st.text("ab *_-–/\u00a0W", min_size=1, max_size=60),
    st.floats(0.1, 12, allow_nan=False),
)
def test_lines_are_measured_as_they_are_broken(text: str, limit: float) -> None:
    for paragraph in parse_rich_text(text):
        for words in paragraph:
            broken = break_lines(words, limit, "text", METRICS, None, fill=False)
            widths = [width for _, width in broken]
            assert [*fill_lines(measure_words(words, "text", METRICS), limit)] == widths
