"""The Unicode Bidirectional Algorithm, held to another implementation and to Unicode's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import bidi as other
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckwright.text.bidi import Direction, base_level, isolate_facts, reorder, resolve_levels

UNICODE = Path("/usr/share/unicode")
"""Where Debian's package `unicode-data` puts Unicode's own tests."""
CLASSES = {
    "L": "a", "R": "\u05d0", "AL": "\u0627", "EN": "1", "AN": "\u0660", "ES": "+", "ET": "#",
    "CS": ",", "NSM": "\u0300", "BN": "\u00ad", "B": "\u2029", "S": "\t", "WS": " ", "ON": "!",
    "LRE": "\u202a", "RLE": "\u202b", "LRO": "\u202d", "RLO": "\u202e", "PDF": "\u202c",
    "LRI": "\u2066", "RLI": "\u2067", "FSI": "\u2068", "PDI": "\u2069",
}  # fmt: skip
"""A character of each bidirectional class."""
Case = tuple[str, Direction, list[str], list[int]]
"""A text with its direction, its levels, and the order of the characters that are kept."""
ODD = "aבع1\u0660+#,!\u0300 ()[]"


def visual(text: str, direction: Direction = "auto") -> str:
    levels = resolve_levels(text, base_level(text, direction))
    return "".join(reorder(list(zip(levels, text, strict=True))))


@pytest.mark.parametrize(
    ("text", "direction", "shown"),
    [
        ("abc", "ltr", "abc"),
        ("abc", "rtl", "abc"),
        ("אבג", "ltr", "גבא"),
        ("abc אבג def", "ltr", "abc גבא def"),
        ("abc אבג def", "rtl", "def גבא abc"),
        ("אב 12 גד", "auto", "דג 12 בא"),
        ("אב (cd) ef", "auto", "ef )cd( בא"),
        ("א 1-2, 3", "auto", "3 ,1-2 א"),
        ("ab \u2067אב 1\u2069 cd", "auto", "ab \u20671 בא\u2069 cd"),
        ("", "auto", ""),
    ],
)
def test_letters_stand_where_readers_look_for_them(
    text: str, direction: Direction, shown: str
) -> None:
    assert visual(text, direction) == shown


@settings(max_examples=300)
@given(st.text(ODD, max_size=14), st.sampled_from(("ltr", "rtl")))
def test_any_text_is_ordered_as_by_another_program(text: str, direction: Direction) -> None:
    mirrored = str.maketrans("()[]", "((((")
    expected = other.get_display(text, base_dir="R" if direction == "rtl" else "L")
    marks = str.maketrans("", "", "\u0300")  # the other program keeps marks behind their letters
    assert visual(text, direction).translate(mirrored).translate(marks) == expected.translate(
        mirrored
    ).translate(marks)


def class_cases() -> Iterator[Case]:
    """Yield the texts of BidiTest.txt with their levels and order."""
    levels: list[str] = []
    order: list[int] = []
    for line in (UNICODE / "BidiTest.txt").read_text("utf-8").splitlines():
        case = line.partition("#")[0].strip()
        if case.startswith("@"):
            name, _, values = case.partition(":")
            if name == "@Levels":
                levels = values.split()
            elif name == "@Reorder":
                order = [*map(int, values.split())]
        elif case:
            classes, bits = case.split(";")
            text = "".join(CLASSES[name] for name in classes.split())
            directions: tuple[Direction, ...] = ("auto", "ltr", "rtl")
            for bit, direction in enumerate(directions):
                if int(bits) >> bit & 1:
                    yield text, direction, levels, order


def character_cases() -> Iterator[Case]:
    """Yield the texts of BidiCharacterTest.txt with their levels and order."""
    directions: tuple[Direction, ...] = ("ltr", "rtl", "auto")
    for line in (UNICODE / "BidiCharacterTest.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            codes, direction, _, levels, order = line.split(";")
            text = "".join(chr(int(code, 16)) for code in codes.split())
            yield text, directions[int(direction)], levels.split(), [*map(int, order.split())]


@pytest.mark.corpus(12)
@pytest.mark.skipif(not UNICODE.exists(), reason="needs Debian's package unicode-data")
@pytest.mark.parametrize("share", range(12))
@pytest.mark.parametrize("cases", [class_cases, character_cases])
def test_unicodes_tests_pass(cases: Callable[[], Iterator[Case]], share: int) -> None:
    count = 0
    for text, direction, expected, order in islice(cases(), share, None, 12):
        levels = resolve_levels.__wrapped__(text, base_level(text, direction))
        kept = [at for at, level in enumerate(expected) if level != "x"]
        assert [levels[at] for at in kept] == [int(expected[at]) for at in kept], ascii(text)
        assert reorder([(levels[at], at) for at in kept]) == order, ascii(text)
        count += 1
    assert count > 7_000


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ("אב · 63 × 88 mm", "63 × 88 mm · בא"),
        ("אב · 2026-11-29 · ג 1/3", "1/3 ג · 2026-11-29 · בא"),
        ("ابت · 12", "12 · تبا"),
    ],
)
def test_facts_keep_their_own_order_among_those_of_the_other_direction(
    facts: str, shown: str
) -> None:
    text = isolate_facts(facts)
    levels = resolve_levels(text, 1)
    seen = "".join(reorder(list(zip(levels, text, strict=True))))
    assert seen.translate(dict.fromkeys((0x2068, 0x2069))) == shown


def test_facts_from_left_to_right_are_left_alone() -> None:
    assert isolate_facts("Größe · 63 × 88 mm") == "Größe · 63 × 88 mm"
