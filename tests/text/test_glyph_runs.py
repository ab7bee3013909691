"""Scripts whose letters HarfBuzz joins, stacks or turns around: layout, print and copying."""

# ruff: noqa: RUF001 - letters that look alike are what is tested

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.base.geometry import Box
from deckwright.ops.model import DrawGlyphs
from deckwright.text.fonts import Font, bundled_files
from deckwright.text.paragraphs import TextStyle, lay_out
from deckwright.text.placing import label_ops, lay_out_label, place_text
from deckwright.text.richtext import parse_rich_text, plain_text
from deckwright.text.shaping import HarfBuzzMetrics
from deckwright.text.words import itemize
from support import compose, page_texts, texts

ARABIC, HEBREW, HINDI, THAI = "قطة صغيرة", "ישנה ברשת", "बिल्ली क्षत्रिय", "กัปตันครั้งหนึ่ง น้ำ"
FAMILIES = {
    "ar": "IBM Plex Sans Arabic",
    "he": "Noto Sans Hebrew",
    "hi": "Noto Sans Devanagari",
    "th": "Noto Sans Thai",
}


@pytest.fixture
def metrics() -> HarfBuzzMetrics:
    """Return the metrics of a Latin font that falls back on others."""
    chain = tuple(FAMILIES)
    fonts = {
        f"{name}-regular": Font(f"{name}-regular", bundled_files(family)["regular"], chain=chain)
        for name, family in {"text": "Source Sans Pro", **FAMILIES}.items()
    }
    return HarfBuzzMetrics(fonts)


def runs(
    metrics: HarfBuzzMetrics, text: str, width: float | None = None, *, rtl: bool = False
) -> list[DrawGlyphs]:
    rich = parse_rich_text(text)
    given = TextStyle("text", 10, "#000000", rtl=rtl)
    block = lay_out(rich, given, metrics, width=width)
    placed = place_text(block, Box(0, 0, width or 0, 0), given)
    return [op for op in placed if isinstance(op, DrawGlyphs)]


@pytest.mark.parametrize("text", [ARABIC, HEBREW, HINDI, THAI, f"a {HEBREW} (b) {ARABIC}, 12"])
def test_all_text_is_kept_in_logical_order(text: str, metrics: HarfBuzzMetrics) -> None:
    assert "".join(run.text for run in runs(metrics, text)).replace(" ", "") == text.replace(
        " ", ""
    )


def test_sizes_and_dates_keep_their_order_in_a_label(metrics: HarfBuzzMetrics) -> None:
    line = lay_out_label(f"{ARABIC} · 63 × 88 mm · 2026-11-29", "text", metrics)
    ops = [op for op in label_ops(line, 0, 0, TextStyle("text", 10, "#000000"))
           if isinstance(op, DrawGlyphs)]  # fmt: skip
    shown = "".join(op.text for op in sorted(ops, key=lambda op: op.x) if op.font[:4] == "text")
    assert "2026-11-29" in shown
    assert shown.index("2026-11-29") < shown.index("63 × 88 mm")
    assert max(ops, key=lambda op: op.x).font == "ar-regular"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("👨\u200d👩\u200d👧", 1),
        ("🇩🇪🇫🇷", 2),
        ("👍🏽", 1),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", 1),
    ],
)
def test_an_emoji_of_several_characters_is_one_sign(text: str, count: int) -> None:
    chain = ("emoji",)
    files = {"text": "Source Sans Pro", "emoji": "Noto Emoji"}
    fonts = {f"{name}-regular": Font(f"{name}-regular", bundled_files(family)["regular"],
                                     chain=chain) for name, family in files.items()}  # fmt: skip
    whole = HarfBuzzMetrics(fonts)
    emoji = [run for run in runs(whole, f"a {text} b") if run.font == "emoji-regular"]
    assert "".join(run.text for run in emoji).strip() == text
    assert sum(len(run.glyphs) for run in emoji) == count
    # No line ends within it, and its parts do not lie on each other.
    narrow = [run for run in runs(whole, f"a {text} b", 5) if run.font == "emoji-regular"]
    assert [run.text.strip() for run in narrow] == [run.text.strip() for run in emoji]
    *_, last = runs(whole, f"a {text} b")
    assert last.x > emoji[-1].x + emoji[-1].size


def test_a_composed_letter_of_a_font_is_one_glyph(metrics: HarfBuzzMetrics) -> None:
    """Whatever a font composes is as wide as it is printed."""
    fonts = {"emoji-regular": Font("emoji-regular", bundled_files("Noto Emoji")["regular"])}
    shaped = HarfBuzzMetrics(fonts).shape("emoji-regular", "🇩🇪")
    assert [glyph[4] for glyph in shaped.glyphs] == ["🇩🇪"]
    assert not metrics.shape("text-regular", "ab").glyphs


def test_arabic_letters_join(metrics: HarfBuzzMetrics) -> None:
    (run,) = runs(metrics, "ببب")
    (alone,) = runs(metrics, "ب")
    shapes = [glyph for glyph, *_ in run.glyphs]
    assert len({*shapes, alone.glyphs[0][0]}) == 4
    assert [letters for *_, letters in run.glyphs] == [*"ببب"]


def test_marks_are_placed_on_their_letters(metrics: HarfBuzzMetrics) -> None:
    (thai,) = runs(metrics, "ที่")
    assert any(up or right for _, _, right, up, _ in thai.glyphs)
    (latin,) = runs(metrics, "q\u0302")
    assert len(latin.glyphs) == 2
    assert latin.glyphs[1][1] == 0


def test_runs_stand_from_right_to_left(metrics: HarfBuzzMetrics) -> None:
    one, two, three = runs(metrics, f"{HEBREW} cd {HEBREW[:4]}")
    assert one.x > two.x > three.x
    assert two.glyphs == ()
    one, two, three = runs(metrics, f"ab {HEBREW} cd")
    assert one.x < two.x < three.x


def test_a_number_in_hebrew_reads_from_left_to_right(metrics: HarfBuzzMetrics) -> None:
    word, number = runs(metrics, "אב 12")
    assert number.x < word.x
    assert [letters for *_, letters in number.glyphs] in ([], ["1", "2"])


def test_lines_start_at_the_right_where_asked_for(metrics: HarfBuzzMetrics) -> None:
    wide = 200
    (left,) = runs(metrics, HEBREW, wide)
    (right,) = runs(metrics, HEBREW, wide, rtl=True)
    length = sum(glyph[1] for glyph in left.glyphs) / 100
    assert left.x == 0
    assert right.x == pytest.approx(wide - length, abs=0.01)


def test_justified_hebrew_fills_its_line(metrics: HarfBuzzMetrics) -> None:
    rich = parse_rich_text(" ".join([HEBREW] * 6))
    style = TextStyle("text", 10, "#000000", rtl=True)
    block = lay_out(rich, style, metrics, width=100)
    drawn = [*place_text(block, Box(0, 0, 100, 0), style, anchor="justify")]
    lines = {op.y: op for op in drawn if isinstance(op, DrawGlyphs)}
    first = next(iter(lines.values()))
    ends = [glyph[1] for glyph in first.glyphs]
    assert first.x == pytest.approx(0, abs=0.05)
    assert sum(ends) / 100 == pytest.approx(100, abs=0.1)


def test_a_font_without_rules_for_a_script_lacks_it() -> None:
    own = bundled_files("IBM Plex Sans Arabic")["regular"]
    plain = HarfBuzzMetrics({"x-regular": Font("x-regular", own)})
    assert plain.shape("x-regular", "ب", "Arab", rtl=True).missing == ""
    assert plain.shape("x-regular", "1", "Deva").missing == ""
    hebrew = bundled_files("Noto Sans Hebrew")["regular"]
    other = HarfBuzzMetrics({"x-regular": Font("x-regular", hebrew)})
    assert other.shape("x-regular", "ب", "Arab", rtl=True).missing == "ب"


def test_control_characters_are_not_printed() -> None:
    rich = parse_rich_text("a\u2067אב 1\u2069 \u200fc\u200e")
    assert plain_text(rich) == "aאב 1 c"


@pytest.mark.parametrize("text", ["\u200f", "a \u2067 b", "\u2066\u2069", "א\u200e 1"])
def test_text_of_control_characters_alone_is_nothing(text: str, metrics: HarfBuzzMetrics) -> None:
    shown = "".join(run.text for run in runs(metrics, text))
    assert not {*"\u200f\u2067\u2066\u2069\u200e"} & {*shown}


def test_joiners_are_kept_where_letters_join() -> None:
    assert plain_text(parse_rich_text("می\u200cخواهم")) == "می\u200cخواهم"
    assert plain_text(parse_rich_text("a\u200db")) == "ab"


def test_thai_breaks_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "เขาแล่นเรือครั้งหนึ่งโดยไม่ได้ตั้งใจ"
    ((words,),) = parse_rich_text(text)
    assert len(words) > 5
    assert "".join(piece.text for word in words for piece in word) == text
    assert all(word[0].close for word in words[1:])
    monkeypatch.setattr("deckwright.text.break_opportunities._thai_parser", lambda: None)
    ((words,),) = parse_rich_text(text)
    assert len(words) == 1


def test_thai_that_does_not_fit_without_its_words_says_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckwright.text.break_opportunities._thai_parser", lambda: None)
    _, report = compose(tmp_path, '<text width="9" height="9">{{ name }}</text>', name="น้ำ" * 20)
    (finding,) = report
    assert finding.hint is not None
    assert finding.hint.startswith("Thai breaks between words with `")
    assert "[phrases]" in finding.hint


def test_plain_text_is_left_alone() -> None:
    rich = parse_rich_text("Grüße, 漢字 und Ελλάδα 12")
    assert itemize(rich) == rich


def test_a_row_begins_at_the_right_where_asked_for(tmp_path: Path) -> None:
    body = '<row x="60" direction="{}"><text>aa</text><text>b</text></row>'
    places = {}
    for direction in ("ltr", "rtl"):
        face, report = compose(tmp_path, body.format(direction))
        assert report == []
        assert face is not None
        places[direction] = face
    assert texts(places["ltr"].ops) == ["aa", "b"]
    assert texts(places["rtl"].ops) == ["b", "aa"]


@pytest.mark.parametrize("text", [ARABIC.replace("ير", "ل"), HEBREW, HINDI, THAI])
def test_printed_words_can_be_copied(small: Path, run: Run, text: str) -> None:
    name = {"ق": "ar", "י": "he", "ब": "hi", "ก": "th"}[text[0]]
    edit(
        Path("xml/game.xml"),
        '<font id="title" family="Source Serif Pro"/>',
        f'<font id="more" family="{FAMILIES[name]}"/>'
        '<font id="title" family="Source Serif Pro" fallback="more"/>',
    )
    edit(Path("xml/Factions/RW_cards.xml"), 'name="Ferryman"', f'name="{text}"')
    assert run("check").exit_code == 0
    assert run("deck", "river").exit_code == 0
    (pdf,) = small.glob("out/*.pdf")
    shown = " ".join(page_texts(pdf))
    for word in text.split():
        assert word in shown
