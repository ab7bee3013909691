"""Words are divided where pyphen divides them."""

from __future__ import annotations

from pathlib import Path

import pyphen
import pytest

from deckwright.text.break_opportunities import HyphenPatterns, load_patterns

WORDS = {
    "de": "donaudampfschifffahrtsgesellschaft proviantwagen armbrustschützen urinstinkt verbal",
    "en-GB": "hyphenation crossbowmen reinforcements a an",
    "hu": "asszonnyal összeadás lovasság",  # its dictionary says how parted words are spelt
    "nl": "lettergrepen omaatje",
    "el": "ιππικό πεζικό",
    "sq": "adhuroj ushtria",
}


@pytest.mark.corpus(3)
@pytest.mark.parametrize("language", WORDS)
def test_words_are_divided_as_pyphen_divides_them(language: str) -> None:
    patterns = load_patterns(language)
    theirs = pyphen.Pyphen(lang=pyphen.language_fallback(language), left=0, right=0)
    assert patterns is not None
    found = {word: patterns.positions(word) for word in WORDS[language].split()}
    assert found == {word: theirs.positions(word) for word in found}
    assert any(found.values())


def test_a_dictionary_may_hold_remarks_settings_and_other_signs(tmp_path: Path) -> None:
    path = tmp_path / "hyph_xx.dic"
    path.write_bytes(b"ISO8859-1\nLEFTHYPHENMIN 2\n% a remark\na1^^e4b\nab\n.o1x\r\n")
    patterns = HyphenPatterns(path)
    assert patterns.positions("aäb") == [1]
    assert patterns.positions("ox") == [1]
    assert patterns.positions("rox") == []


def test_a_language_without_a_dictionary_has_no_patterns() -> None:
    assert load_patterns("zz") is None
