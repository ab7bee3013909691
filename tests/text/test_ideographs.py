"""Lines of Chinese and Japanese break between characters."""

from __future__ import annotations

import pytest

from deckwright.text.break_opportunities import split_ideographs
from deckwright.text.paragraphs import TextStyle, lay_out
from deckwright.text.richtext import parse_rich_text, plain_text
from support import HalfEm


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("abc-d", ["abc-d"]),
        ("größe", ["größe"]),
        ("吾輩は猫", ["吾", "輩", "は", "猫"]),
        ("「猫」。犬", ["「猫」。", "犬"]),
        ("ニャーと", ["ニャー", "と"]),
        ("猫(3)abc犬", ["猫", "(3)abc", "犬"]),
        ("고양이다", ["고양이다"]),
    ],
)
def test_parts(text: str, parts: list[str]) -> None:
    assert split_ideographs(text) == parts


def test_what_is_in_front_counts() -> None:
    assert split_ideographs("猫", "犬") == ["", "猫"]
    assert split_ideographs("。", "犬") == ["。"]


def test_lines_break_without_spaces_and_words_keep_theirs() -> None:
    rich = parse_rich_text("吾輩は猫で, two words")
    block = lay_out(rich, TextStyle("text", 1, "#000000"), HalfEm(), width=2)
    lines = ["".join(run.piece.text for run in line.runs) for line in block.lines]
    assert lines == ["吾輩は猫", "で,", "two", "words"]
    assert len(block.lines[0].runs) == 1
    assert plain_text(rich) == "吾輩は猫で, two words"


def test_styles_do_not_keep_characters_together() -> None:
    rich = parse_rich_text("猫\x04b\x04犬\x04/b\x04鳥")
    block = lay_out(rich, TextStyle("text", 1, "#000000"), HalfEm(), width=0.5)
    assert [line.runs[0].piece.bold for line in block.lines] == [False, True, False]
