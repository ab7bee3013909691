"""How languages write numbers, dates and plurals, and in which order they sort.

`locales.txt` is from the Unicode CLDR; `tools/locales.py` writes it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.strings import Translated, base_language, lower, upper


class Locale(NamedTuple):
    """How a language writes.

    Attributes:
        decimal: the decimal sign.
        percent: a share in percent, with `{}` for the number.
        date: a date, with `{day}`, `{month}` and `{year}` as digits, `{name}` as the month.
        months: the names of the months.
        plurals: which forms nouns have for which numbers, as gettext writes it.
    """

    decimal: str
    percent: str
    date: str
    months: tuple[str, ...]
    plurals: str


@cache
def find_locale(language: str) -> Locale:
    """Return how a language writes; as English if it is unknown.

    Args:
        language: a code such as "de" or "de-CH".
    """
    text = "\n" + Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    base, _, region = language.replace("_", "-").partition("-")
    known = (f"{base}_{region.upper()}", base, "en")
    start = next(at for name in known if (at := text.find(f"\n{name}\t")) >= 0) + 1
    _, decimal, percent, date, months, plurals = text[start : text.index("\n", start)].split("\t")
    return Locale(decimal, percent, date, tuple(months.split("|")), plurals)


_PLURALS = re.compile(r"\s*nplurals\s*=\s*([1-9])\s*;\s*plural\s*=([^;]+);?\s*")


@cache
def parse_plurals(plurals: str) -> tuple[int, Callable[[int], int]]:
    """Return how many forms a noun has, and which one goes with a number.

    Args:
        plurals: as the header `Plural-Forms` of a catalog has it.

    Raises:
        ValueError: if it is malformed.
    """
    from gettext import c2py  # only for words with forms

    match = _PLURALS.fullmatch(plurals)
    if match is None:
        raise ValueError(plurals)
    return int(match[1]), c2py(match[2])


def choose_form(word: str, number: float) -> str:
    """Return the form of a word that goes with a number, or a word without forms."""
    if not isinstance(word, Translated) or not word.forms:
        return word
    last = len(word.forms) - 1
    try:
        form = parse_plurals(word.plurals)[1](abs(int(number))) if number % 1 == 0 else last
    except (ValueError, ArithmeticError):
        form = last
    return word.forms[form if 0 <= form < last else last]


_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "\u0131": "i", "æ": "ae", "œ": "oe"}
)
_AFTER = 0x10FF00
"""A private character, after all others."""


@cache
def _find_alphabet(language: str) -> tuple[re.Pattern[str] | None, dict[str, str]]:
    """Return a pattern of the letters that a language sorts apart from others, and their sort keys.

    In `alphabets.txt`, each group of them follows the letter after which it sorts.
    """
    alphabets = Path(__file__).with_name("alphabets.txt").read_text(encoding="utf-8")
    groups = dict(line.split(": ") for line in alphabets.splitlines())
    letters = {
        letter: before + chr(_AFTER + place)
        for group in filter(None, groups.get(base_language(language), "").split(";"))
        for before, *others in (group.split(),)
        for place, letter in enumerate(others)
    }
    longest = sorted(letters, key=len, reverse=True)
    return re.compile("|".join(longest)) if letters else None, letters


def sort_key(text: str, language: str = "") -> str:
    """Return the sort key of a text in the alphabet of a language.

    Letters with diacritics sort like those without, unless they are letters of their own.
    """
    pattern, keys = _find_alphabet(language)
    text = unicodedata.normalize("NFC", lower(text, language).casefold())
    if pattern is not None:
        text = pattern.sub(lambda match: keys[match[0]], text)
    letters = unicodedata.normalize("NFD", text.translate(_PLAIN))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def find_initial(text: str, language: str) -> str:
    """Return the letter under which an index lists a text, in upper case."""
    _, keys = _find_alphabet(language)
    key = sort_key(text, language)
    own = (letter for letter, its in keys.items() if key.startswith(its))
    return upper(next(own, key[:1]), language)
