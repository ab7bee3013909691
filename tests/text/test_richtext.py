from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.text.richtext import CODE_MARK, parse_rich_text, plain_text
from deckwright.text.words import Piece


def marked(text: str) -> str:
    """Write markup codes in brackets instead of between marks."""
    return text.replace("[", CODE_MARK).replace("]", CODE_MARK)


def test_words_are_divided_by_any_white_space() -> None:
    assert parse_rich_text(" one\ttwo \n\r three ") == (
        (((Piece("one"),), (Piece("two"),), (Piece("three"),)),),
    )


def test_a_no_break_space_divides_no_words() -> None:
    assert parse_rich_text("10\N{NO-BREAK SPACE}kg") == ((((Piece("10\N{NO-BREAK SPACE}kg"),),),),)


@pytest.mark.parametrize("text", ["", "  \n ", "[p][/p]", "[b][/b]", "[p] [/p][p][/p]"])
def test_text_without_words_has_no_paragraphs(text: str) -> None:
    assert parse_rich_text(marked(text)) == ()


def test_a_style_may_change_inside_of_a_word() -> None:
    assert parse_rich_text(marked("un[b]break[/b]able")) == (
        (((Piece("un"), Piece("break", bold=True), Piece("able")),),),
    )


def test_styles_nest_and_end_where_they_were_begun() -> None:
    words = parse_rich_text(marked("[b]a [i]b [b]c[/b] d[/i] e[/b] f"))[0][0]
    assert [word[0].font_style for word in words] == [
        "bold",
        "bold-italic",
        "bold-italic",
        "bold-italic",
        "bold",
        "regular",
    ]


def test_the_style_of_the_whole_text_is_where_inner_ones_begin() -> None:
    words = parse_rich_text(marked("a [i]b[/i]"), Piece(bold=True))[0][0]
    assert [word[0].font_style for word in words] == ["bold", "bold-italic"]


def test_a_line_break_divides_lines_and_may_leave_one_empty() -> None:
    ((first, second, third),) = parse_rich_text(marked("a[br][br]b"))
    assert (first, second, third) == (((Piece("a"),),), (), ((Piece("b"),),))


def test_paragraphs_are_divided_and_text_outside_of_them_is_one_too() -> None:
    rich = parse_rich_text(marked("[p]a[/p] b [p]c[/p]"))
    assert [[word[0].text for word in paragraph[0]] for paragraph in rich] == [["a"], ["b"], ["c"]]


def test_a_style_reaches_over_a_paragraph_break() -> None:
    rich = parse_rich_text(marked("[b][p]a[/p][p]b[/p][/b]"))
    assert [paragraph[0][0][0].bold for paragraph in rich] == [True, True]


def test_an_icon_touches_the_word_beside_it() -> None:
    assert parse_rich_text(marked("2[icon sword] x")) == (
        (((Piece("2"), Piece(icon="sword")), (Piece("x"),)),),
    )


def test_an_icon_alone_is_a_word() -> None:
    assert parse_rich_text(marked("[icon sword]")) == ((((Piece(icon="sword"),),),),)


def test_characters_are_composed() -> None:
    assert plain_text(parse_rich_text("U\N{COMBINING DIAERESIS}bung")) == "Übung"


_SEEN = st.characters(exclude_categories=["C", "Z"], exclude_characters="\ufe0e\ufe0f")


@given(st.lists(st.text(_SEEN, min_size=1), min_size=1))
def test_no_word_is_lost_or_moved(words: list[str]) -> None:
    expected = [unicodedata.normalize("NFC", word) for word in words]
    assert plain_text(parse_rich_text(" \n".join(words))) == " ".join(expected)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters=CODE_MARK)))
def test_text_without_marks_is_never_taken_for_markup(text: str) -> None:
    pieces = [
        piece
        for paragraph in parse_rich_text(text)
        for line in paragraph
        for word in line
        for piece in word
    ]
    assert all(piece.icon is None and piece.font_style == "regular" for piece in pieces)
