"""Which characters need more than one glyph after the other, from left to right.

Print has a glyph of the font's character map for each character, in their order. That is right for
scripts whose letters neither join nor change places: Latin, Greek, Cyrillic, Georgian, Ethiopic,
Chinese, Japanese, Korean and others; Thai and Lao too, which are written in the order in which they
are seen (The Unicode Standard, 16.1 and 16.2).
"""

from __future__ import annotations

import unicodedata
from functools import cache

_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI"))
"""Bidirectional classes of what is not set from left to right (UAX 9, table 4)."""
_FIRST = "\u0590"
"""No character before this one needs more."""
_JOINING = "Mong Phag"
"""Scripts from left to right whose letters join (The Unicode Standard, ArabicShaping.txt)."""
_SYLLABIC = (
    "Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Tglg Hano Buhd Tagb Limb Bugi"
    " Lana Bali Sund Batk Lepc Sylo Saur Rjng Java Cham Mtei Brah Kthi Chak Mahj Shrd Khoj Mult"
    " Sind Gran Newa Tirh Sidd Modi Takr Ahom Dogr Diak Nand Zanb Soyo Bhks Marc Gonm Gong Maka"
    " Kawi Tutg Krai Gukh"
)
"""Scripts whose signs are reordered or stacked within syllables (UAX 24 has these codes; the
Unicode Standard, 12 to 17; IndicSyllabicCategory.txt)."""
_SHAPED = frozenset(f"{_JOINING} {_SYLLABIC}".split())
_JAMO = ("\u1160", "\u11ff"), ("\ud7b0", "\ud7fb")
"""Vowels and finals of Korean, which join what is before them; NFC leaves those of old Korean."""


def shaped_characters(text: str) -> list[str]:
    """Return the characters of a text that run from right to left, join or change places, once."""
    return [one for one in dict.fromkeys(text) if one >= _FIRST and _needs_shaping(one)]


def without_shaped(text: str) -> str:
    """Return a text with "?" for such characters."""
    return text.translate(dict.fromkeys(map(ord, shaped_characters(text)), "?"))


@cache
def _needs_shaping(character: str) -> bool:
    """Return whether a character is of a script that print cannot set."""
    if unicodedata.bidirectional(character) in _RIGHT_TO_LEFT:
        return True
    if any(first <= character <= last for first, last in _JAMO):
        return True
    from fontTools.unicodedata import script  # noqa: PLC0415 - rarely needed

    return script(character) in _SHAPED
