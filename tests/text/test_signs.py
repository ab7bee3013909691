r"""Signs in the texts of games: bold, italic, paragraphs, and what only looks like them."""

# ruff: noqa: RUF001 - letters that look alike are what is tested

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckwright.text.richtext import CODE_MARK, encode_markup, parse_rich_text, strip_markup


def codes(text: str) -> str:
    """Return a marked text with its codes in brackets."""
    return "".join(
        f"[{part}]" if index % 2 else part
        for index, part in enumerate(encode_markup(text).split(CODE_MARK))
    )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Draw *two* cards.", "Draw [b]two[/b] cards."),
        ("Draw **two** cards.", "Draw [b]two[/b] cards."),
        ("Draw _two_ cards, __then__ stop.", "Draw [i]two[/i] cards, [i]then[/i] stop."),
        ("(*once*), _*both*_!", "([b]once[/b]), [i][b]both[/b][/i]!"),
        ("*two words* and *one*", "[b]two words[/b] and [b]one[/b]"),
        ("**un**able", "[b]un[/b]able"),
        ("one\n two", "one[p]two"),
        ("one\r\n\r\ntwo", "one[p]two"),
        ("++a++ and ~~b *c*~~", "[u]a[/u] and [s]b [b]c[/b][/s]"),
        ("{fill:red}a *b*{/fill} c", "[tspan fill=red]a [b]b[/b][/tspan] c"),
        ("One:\n- *a*\n- b\nor", "One:[p][item •][b]a[/b][p][item •]b[p]or"),
        ("1. a\n2. b", "[item 1.]a[p][item 2.]b"),
        ("• alone", "[item •]alone"),
        # Where words have no spaces around them, or particles, as in Korean.
        ("別の*カード*に星", "別の[b]カード[/b]に星"),
        ("另一张*牌*上，_抽_一张", "另一张[b]牌[/b]上，[i]抽[/i]一张"),
        ("다른 *카드*를", "다른 [b]카드[/b]를"),
        ("วางบน*การ์ด*ของคุณ", "วางบน[b]การ์ด[/b]ของคุณ"),
        ("အခြား*ကတ်*ပေါ်", "အခြား[b]ကတ်[/b]ပေါ်"),
        ("- a\n\\- b", "- a[p][=-] b"),
        ("1. a\n3. c", "1. a[p]3. c"),
        (r"\*no\* \_no\_ \{coin} \\", "[=*]no[=*] [=_]no[=_] [={]coin} [=\\]"),
    ],
)
def test_signs_that_mean_something(text: str, meant: str) -> None:
    assert codes(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "2*3*4", "a_b_c", "2* or 3*", "*see below", "see* below", "* a * b", "**", "***a***", "_",
        r"C:\cards", "un*believ*able", "*", "*\u00a0*",
        "C++ and D++", "- 1", "1. x", "{fill:red}", "{/fill}", "a ~~ b", "~~~", "+++",
        "ключ*2*б", "कार्ड*दो*पर", "カードsnake_case_id", "3*4*5枚",
    ],
)  # fmt: skip
def test_signs_that_mean_nothing(text: str) -> None:
    assert encode_markup(text) == text
    assert strip_markup(text) == text


def test_what_does_not_nest_or_end_is_printed() -> None:
    assert codes("*a _b* c_") == "[b]a _b[/b] c_"
    assert codes("*a\nb*") == "*a[p]b*"


def test_a_text_without_its_markup() -> None:
    assert strip_markup("*a* \\*b\n__c__") == "a *b\nc"
    assert strip_markup("++a++ {fill:red}~~b~~{/fill}:\n- c\n- d") == "a b:\n• c\n• d"


@given(st.text(alphabet="ab *_+~-1.\\\n{}"))
def test_codes_nest_whatever_the_text(text: str) -> None:
    open_: list[str] = []
    for code in encode_markup(text).split(CODE_MARK)[1::2]:
        if code == "p":
            assert not open_
        elif code.startswith("/"):
            assert open_.pop() == code[1:]
        elif not code.startswith("="):
            open_.append(code)
    assert not open_
    printed = "".join(
        piece.text
        for p in parse_rich_text(encode_markup(text))
        for line in p
        for word in line
        for piece in word
    )
    assert "".join(printed.split()) == "".join(strip_markup(text).split())
