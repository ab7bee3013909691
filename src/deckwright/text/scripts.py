"""Scripts: which of them HarfBuzz arranges, and what they need of a font."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

_FIRST_COMPLEX = "\u0300"
"""No character before this one is joined, reordered or stacked."""
_VERTICAL = ("Mong", "Phag")
"""Scripts that are set in columns (The Unicode Standard, chapter 13)."""
_JOINED = "Arab Syrc Mand Mani Nkoo Adlm Rohg Sogd Phlp Chrs Ougr"
"""Scripts whose letters join (ArabicShaping.txt)."""
_SYLLABIC = (
    "Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Tglg Hano Buhd Tagb Limb Bugi"
    " Lana Bali Sund Batk Lepc Sylo Saur Rjng Java Cham Mtei Brah Kthi Chak Mahj Shrd Khoj Mult"
    " Sind Gran Newa Tirh Sidd Modi Takr Ahom Dogr Diak Nand Zanb Soyo Bhks Marc Gonm Gong Maka"
    " Kawi Tutg Krai Gukh"
)
"""Scripts whose signs are reordered or stacked within syllables (The Unicode Standard, chapters 12
to 17; IndicSyllabicCategory.txt)."""
_RULED = frozenset(f"{_JOINED} {_SYLLABIC}".split())
"""Scripts that cannot be set without rules of the font."""
_ARRANGED = _RULED | {*_VERTICAL, "Thai", "Laoo", "Tavt", "Hebr", "Samr", "Thaa"}
"""These, and scripts whose marks the font places."""
_UNSPACED = frozenset(
    ("Hani", "Hira", "Kana", "Bopo", "Yiii", "Hang", "Thai", "Laoo", "Khmr", "Mymr", "Tibt", "Java")
)
_RTL_CLASSES = frozenset(("R", "AL", "AN"))
"""Bidirectional classes of right-to-left text (UAX 9, table 4)."""
CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that only control the direction of others (UAX 9, section 2)."""
_JAMO = ("\u1160", "\u11ff"), ("\ud7b0", "\ud7fb")
"""Korean vowels and finals, which join the preceding letters; NFC leaves those of Old Korean."""
JOINER = "\u200d"
_FLAGS = ("\U0001f1e6", "\U0001f1ff")
_EMOJI_PARTS = (JOINER, JOINER), ("\u20e3", "\u20e3"), ("\U0001f3fb", "\U0001f3ff"), (
    "\U000e0020", "\U000e007f"
), _FLAGS  # fmt: skip
"""Parts of emoji: joiner, key, colors of skin, tags, letters of flags (UTS 51)."""
_LAM, _ALEFS = "\u0644", "\u0622\u0623\u0625\u0627"
"""Arabic letters that are a single glyph together."""
_LATIN_FEATURES = {
    "kern": True, **dict.fromkeys(("liga", "clig", "dlig", "calt", "locl"), False)
}  # fmt: skip
"""Other scripts use the glyphs of the character map only."""
_JOINED_EMOJI = re.compile(f"[\u2190-\u2bff\U0001f000-\U0001faff]\ufe0f?{JOINER}")
_INHERITED = frozenset(("Zyyy", "Zinh"))
EMOJI = "Zsye"
"""The code of what is set like a script (ISO 15924)."""


def needs_rules(text: str, script: str) -> bool:
    """Return whether letters of a script in a text cannot be set without rules of the font."""
    return script in _RULED and any(_script(one) == script for one in text)


def features_of(script: str) -> Mapping[str, bool]:
    """Return the OpenType features to set a script with, besides those that it always needs.

    Each letter stays a glyph where it can, so that its text can be copied.
    """
    return {"liga": False, "clig": False, "dlig": False} if script in _ARRANGED else _LATIN_FEATURES


def find_vertical(text: str) -> list[str]:
    """Return the distinct characters of scripts that are set in columns."""
    return [one for one in dict.fromkeys(text) if _is_complex(one) and _script(one) in _VERTICAL]


def is_complex(text: str) -> bool:
    """Return whether HarfBuzz must arrange the letters of a text."""
    return not text.isascii() and (
        any(map(_is_complex, text)) or _JOINED_EMOJI.search(text) is not None
    )


@cache
def _is_complex(character: str) -> bool:
    return character >= _FIRST_COMPLEX and (
        unicodedata.bidirectional(character) in _RTL_CLASSES
        or character in CONTROLS
        or (_is_attached(character) and character != JOINER)
        or _script(character) in _ARRANGED
    )


def _is_attached(character: str) -> bool:
    """Return whether a character can change the one before it: a mark, or a part of it."""
    return unicodedata.combining(character) > 0 or any(
        first <= character <= last for first, last in (*_JAMO, *_EMOJI_PARTS)
    )


def attaches(character: str, before: str) -> bool:
    """Return whether a character is one sign with that before it."""
    if _FLAGS[0] <= character <= _FLAGS[1]:
        return _FLAGS[0] <= before <= _FLAGS[1]
    return before == JOINER or unicodedata.category(character)[0] == "M" or _is_attached(character)


def joined_forms(letters: Iterable[str]) -> Iterator[str]:
    """Yield the letters of joining scripts as they stand in words, with joiners around them."""
    for letter in letters:
        if unicodedata.bidirectional(letter) in _RTL_CLASSES and _script(letter) in _JOINED:
            for text in (letter, *(letter + alef for alef in _ALEFS if letter == _LAM)):
                yield from (text, text + JOINER, JOINER + text, JOINER + text + JOINER)


def is_unspaced(letter: str) -> bool:
    """Return whether a letter's script puts no spaces around words, or attaches particles to them.

    These are the scripts of classes ID, H2, H3 and SA of Unicode's Annex 14.
    """
    return not letter.isascii() and _script(letter) in _UNSPACED


def has_italics(text: str) -> bool:
    """Return whether a text has letters of a script with italics."""
    return any(_script(one) in ("Latn", "Grek", "Cyrl") for one in text)


@cache
def _script(character: str) -> str:
    """Return the code of a character's script (UAX 24)."""
    if character < "\u0250":  # of German, English and most others
        return "Latn" if character.isalpha() and character != "µ" else "Zyyy"
    if "\u2010" <= character <= "\u2027":  # dashes and quotation marks
        return "Zyyy"
    from fontTools.unicodedata import script  # rarely needed

    code: str = script(character)
    return code


def scripts_of(text: str, levels: Sequence[int]) -> list[str]:
    """Return the script of each character that HarfBuzz arranges, "" for all others.

    Punctuation and digits have the script of the letter before them, or else after them.
    """
    found = [_script(one) for one in text]
    known = next((one for one in found if one not in _INHERITED), "Zyyy")
    scripts: list[str] = []
    start = 0  # of the sign that the character is part of
    for at, script in enumerate(found):
        known = known if script in _INHERITED else script
        scripts.append(known if known in _ARRANGED or levels[at] % 2 else "")
        if not attaches(text[at], text[max(at - 1, 0) : at]):
            start = at
        elif not scripts[at] and scripts[start]:
            scripts[at] = scripts[start]
        elif not scripts[at]:
            is_emoji = unicodedata.category(text[start]) == "So"
            scripts[start:] = [EMOJI if is_emoji else known] * (at + 1 - start)
    return scripts
