"""Scripts that print cannot set, and what depends on a game's language."""

# ruff: noqa: RUF001 - letters that look alike are what is tested

from __future__ import annotations

from pathlib import Path

import pytest
import uharfbuzz as hb
from fontTools import unicodedata

from conftest import Run, edit
from deckwright.base import strings
from deckwright.text.fonts import default_fonts
from deckwright.text.richtext import CODE_MARK, parse_rich_text, plain_text
from deckwright.text.scripts import has_italics
from deckwright.text.shaping import HarfBuzzMetrics
from support import page_texts

RULES = Path("xml/rules.xml")
CARDS = Path("xml/Factions/RW_cards.xml")
HEBREW = "שלום"
MONGOLIAN = "ᠮᠣᠩᠭᠣᠯ"


@pytest.mark.corpus(4)
@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        (CARDS, 'name="Ferryman"', f'name="{MONGOLIAN}"',
         "RW_cards.xml:8:18: error L013: card `RW2`"),
        (RULES, 'GEN="Swift"', f'GEN="{MONGOLIAN}"', "error L013: token"),
        (RULES, "Put an Otter", MONGOLIAN, "error L013: "),
        (Path("xml/game.xml"), 'name="Lantern Tide"', f'name="Tide" watermark="{MONGOLIAN}"',
         "game.xml:3:19: error L013: "),
    ],
)  # fmt: skip
def test_text_in_such_a_script_is_told_where_it_is(
    small: Path, run: Run, path: Path, old: str, new: str, said: str
) -> None:
    assert old in (small / path).read_text("utf-8")
    edit(path, old, new)
    for command in (["check"], ["build"]):
        result = run(*command)
        assert said in result.output
        assert "L002" not in result.output


@pytest.mark.parametrize(
    ("language", "text", "capitals"),
    [
        ("tr", "birim ısı", "BİRİM ISI"),
        ("tr-TR", "birim", "BİRİM"),
        ("az_AZ", "iki", "İKİ"),
        ("de", "Straße birim", "STRASSE BIRIM"),
        ("lt", "i\u0307\u0300", "Ì"),
        ("el", "Μάιος, ταΐζω ή μή αίμα", "ΜΑΪΟΣ, ΤΑΪΖΩ Ή ΜΗ ΑΙΜΑ"),
        ("el", "café", "CAFÉ"),
    ],
)
def test_capitals_are_those_of_the_language(language: str, text: str, capitals: str) -> None:
    assert strings.upper(text, language) == capitals
    small = parse_rich_text(
        f"{CODE_MARK}sc{CODE_MARK}{text}{CODE_MARK}/sc{CODE_MARK}", language=language
    )
    assert plain_text(small) == plain_text(parse_rich_text(capitals))


def test_small_letters_and_first_letters_are_those_of_the_language() -> None:
    assert strings.lower("BİRİM ISI", "tr") == "birim ısı"
    assert strings.lower("ISI", "en") == "isi"
    assert strings.lower("Í", "lt") == "i\u0307\u0301"
    assert strings.title("istanbul ilk", "tr") == "İstanbul İlk"
    assert strings.capitalize("ijs", "nl") == "IJs"
    assert strings.capitalize("ǆ ÄB", "de") == "ǅ äb"
    assert strings.swap_case("Iı", "tr") == "ıI"


def test_a_face_has_the_capitals_of_its_game(small: Path, run: Run) -> None:
    edit(Path("xml/game.xml"), 'language="en"', 'language="tr"')
    edit(CARDS, 'name="Ferryman"', 'name="birim"')
    edit(Path("templates/card.xml"), "{{ card.name }}", "{{ card.name|upper }} {{ 'i'.upper() }}")
    assert run("deck", "river").exit_code == 0
    (made,) = small.glob("out/*.pdf")
    assert "BİRİM İ" in "".join(page_texts(made))


def test_the_language_of_the_process_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[tuple[str, str]]()

    class Buffer(hb.Buffer):  # type: ignore[misc]  # the library has no types
        def guess_segment_properties(self) -> None:
            super().guess_segment_properties()
            seen.append((self.language, self.direction))

    monkeypatch.setattr(hb, "Buffer", Buffer)
    fonts = {font.id: font for font in default_fonts().values()}
    HarfBuzzMetrics(fonts, "tr_TR").shape("text-regular", "a")
    HarfBuzzMetrics(fonts).shape("text-regular", HEBREW)
    assert seen == [("tr-tr", "ltr"), ("und", "ltr")]


def test_letters_have_the_italics_of_their_script() -> None:
    common = [chr(code) for code in range(0x2100)]
    slanted = {one for one in common if unicodedata.script(one) in {"Latn", "Grek", "Cyrl"}}
    assert {one for one in common if has_italics(one)} == slanted
