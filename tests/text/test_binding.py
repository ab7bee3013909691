"""Numbers and their nouns stay on one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.ops.model import DrawGlyphs
from deckwright.sheet.flow import TextRun, TextSetter
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.paragraphs import TextStyle, lay_out
from deckwright.text.placing import line_ops
from deckwright.text.richtext import CODE_MARK, parse_rich_text
from support import HalfEm

STYLE = TextStyle("text", size=2, color="#000000")


def bound(text: str) -> list[str]:
    """Return what of a text is never parted."""
    ((words,),) = parse_rich_text(text)
    return ["".join(piece.text or "*" for piece in word) for word in words]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("erhält +1 Moral.", ["erhält", "+1 Moral."]),
        ("eine +1/+1 oder −1/−1 Marke", ["eine", "+1/+1 oder", "−1/−1 Marke"]),
        ("für 3+ Spieler", ["für", "3+ Spieler"]),
        ("erhält \N{MINUS SIGN}2 Moral", ["erhält", "\N{MINUS SIGN}2 Moral"]),
        ("Lege 3 Marker ab", ["Lege", "3 Marker", "ab"]),
        ("die 2. Runde", ["die", "2. Runde"]),
        ("mit Stärke 2 und mehr", ["mit", "Stärke 2", "und", "mehr"]),
        ("hat Stärke 2. Danach", ["hat", "Stärke 2.", "Danach"]),
        ("siehe S. 4 und Kapitel 3.", ["siehe", "S. 4", "und", "Kapitel 3."]),
        ("(Stärke 3, 0 Marker)", ["(Stärke 3,", "0 Marker)"]),
        ("Aufdecken (1)", ["Aufdecken (1)"]),
        ("etwa 5 % mehr", ["etwa", "5 %", "mehr"]),
        ("after § 4", ["after", "§ 4"]),
        ("gets +1 mood", ["gets", "+1 mood"]),
        ("draw 2 cards now", ["draw 2 cards", "now"]),
        ("has strength 2, then", ["has", "strength 2,", "then"]),
        ("2\N{MULTIPLICATION SIGN} Hero", ["2\N{MULTIPLICATION SIGN} Hero"]),
        ("the 3 {icon:coin} paid", ["the", "3 *", "paid"]),
        ("{icon:sword} 3 {icon:coin} 2", ["* 3", "* 2"]),
        ("no number here", ["no", "number", "here"]),
    ],
)
def test_a_number_stays_with_its_noun_in_any_language(text: str, parts: list[str]) -> None:
    assert bound(text) == parts


def test_styles_do_not_part_a_number_from_its_noun() -> None:
    assert bound(f"{CODE_MARK}b{CODE_MARK}3{CODE_MARK}/b{CODE_MARK} Marker, ab") == [
        "3 Marker,",
        "ab",
    ]


@given(st.lists(st.sampled_from(["1", "+2", "3.", "(4)", "ab", "Cd", "ef.", "{icon:coin}"])))
def test_no_more_than_three_words_stay_together(words: list[str]) -> None:
    for line in parse_rich_text(" ".join(words)):
        for group in line[0]:
            assert sum(piece.text == " " for piece in group) <= 2


@given(st.text(alphabet="1a.A ,(+"))
def test_binding_loses_nothing_of_a_text(text: str) -> None:
    assert " ".join(bound(text) if text.strip() else []) == " ".join(text.split())


def test_a_line_ends_before_the_number_rather_than_behind_it() -> None:
    block = lay_out(parse_rich_text("aaa 2 Bbbb cc"), STYLE, HalfEm(), width=9)
    lines = ["".join(run.piece.text for run in line.runs) for line in block.lines]
    assert lines == ["aaa", "2 Bbbb cc"]


def test_a_number_leaves_its_noun_only_where_both_are_wider_than_the_line() -> None:
    block = lay_out(
        parse_rich_text("1000 Bbbbb"), STYLE, HalfEm(), width=7, hyphens=Hyphenator("zz")
    )
    lines = ["".join(run.piece.text for run in line.runs) for line in block.lines]
    assert lines == ["1000", "Bbbbb"]


def test_the_space_of_a_number_is_stretched_as_others_are() -> None:
    block = lay_out(parse_rich_text("ab 2 Cd ef gh"), STYLE, HalfEm(), width=11)
    (op,) = (op for op in line_ops(block.lines[0], 0, 0, 11, 2, STYLE, "justify"))
    assert isinstance(op, DrawGlyphs)
    assert op.text == "ab 2 Cd ef"
    kerns = [kern for kern, letter in zip(op.kerns, op.text, strict=True) if letter == " "]
    assert len(kerns) == 3
    assert max(kerns) - min(kerns) <= 1
    assert min(kerns) > 0


def test_texts_that_no_template_lays_out_are_bound_too() -> None:
    setter = TextSetter({}, None, Hyphenator("en"))
    runs = [TextRun("The unit gets"), TextRun("+2", bold=True), TextRun("Mood now")]
    for width in range(18, 40):
        ops = [op for op in setter.set_text(runs, width, 9).ops if isinstance(op, DrawGlyphs)]
        (number,) = (op for op in ops if op.text.strip() == "+2")
        (noun,) = (op for op in ops if op.text.strip().startswith("Mood"))
        assert number.y == noun.y
