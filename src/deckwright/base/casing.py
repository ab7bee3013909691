"""Capitals and small letters as a language has them.

They are Unicode's, with what SpecialCasing.txt says of Turkish, Azeri and Lithuanian, and with what
CSS Text 3 (2.1.1) asks for in addition: Greek capitals have no accents, and Dutch words begin with
"IJ". https://www.unicode.org/Public/UCD/latest/ucd/SpecialCasing.txt
"""

from __future__ import annotations

import re
import unicodedata

_TURKIC = frozenset(("tr", "az"))
_SPLIT_LITHUANIAN = str.maketrans({"Ì": "I\u0300", "Í": "I\u0301", "Ĩ": "I\u0303"})
_SOFT_DOT = re.compile("(?<=[ijį])\u0307")
_MORE_ABOVE = re.compile("([IJĮ])(?=[\u0300\u0301\u0303])")
_ACCENTS = "\u0300\u0301\u0313\u0314\u0342"
_HIATUS = re.compile(
    f"([αεηοω\u0391\u0395\u0397\u039f\u03a9])[{_ACCENTS}]+"
    f"([\u03b9\u03c5\u0399\u03a5])(?![{_ACCENTS}\u0308])"
)
"""Vowels that the accent of the first keeps apart; without it a diaeresis does."""
_ACCENTED = re.compile(f"([\u0391-\u03a9\u03b1-\u03c9])(\u0308?)[{_ACCENTS}]+")
_OR = re.compile(r"\bη\u0301(?!\w)")
"""The word "or", which keeps its accent."""
_WORDS = re.compile(r"([-\s({\[<]+)")
"""What is between words, as Jinja's filter `title` has it."""


def upper(text: str, language: str) -> str:
    """Return a text in capitals.

    Args:
        language: a code such as "tr" or "de-AT".
    """
    match _base(language):
        case "tr" | "az":
            text = text.replace("i", "İ")
        case "lt":
            text = unicodedata.normalize("NFC", _SOFT_DOT.sub("", text))
        case "el":
            parts = unicodedata.normalize("NFD", text)
            parts = _HIATUS.sub("\\1\\2\u0308", _OR.sub("Ή", parts))
            text = unicodedata.normalize("NFC", _ACCENTED.sub(r"\1\2", parts))
    return text.upper()


def lower(text: str, language: str) -> str:
    """Return a text in small letters.

    Args:
        language: a code such as "tr" or "de-AT".
    """
    match _base(language):
        case "tr" | "az":
            text = text.replace("I\u0307", "i").replace("İ", "i").replace("I", "\u0131")
        case "lt":
            text = _MORE_ABOVE.sub("\\1\u0307", text.translate(_SPLIT_LITHUANIAN))
    return text.lower()


def capitalize(text: str, language: str) -> str:
    """Return a text whose first letter is a capital, and the others are not."""
    base, first = _base(language), 1
    if base == "nl" and text[:2].lower() == "ij":
        first = 2
    head = text[:first]
    head = upper(head, language) if base in _TURKIC or first > 1 else head.title()
    return head + lower(text[first:], language)


def title(text: str, language: str) -> str:
    """Return a text whose words begin with capitals."""
    return "".join(capitalize(word, language) for word in _WORDS.split(text))


def swap_case(text: str, language: str) -> str:
    """Return a text whose capitals are small letters, and the other way round."""
    return "".join(
        lower(letter, language) if letter.isupper() else upper(letter, language) for letter in text
    )


def _base(language: str) -> str:
    """Return a language without its country."""
    return language.replace("_", "-").partition("-")[0]
