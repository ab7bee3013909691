"""Line break opportunities: hyphenation, ideographs, and words that stay together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.base.strings import lower
from deckwright.text.scripts import EMOJI, attaches
from deckwright.text.words import Piece, Word, text_of

_QUOTES = "\"'«»„“”\u2018\u2019\u201a"
_OPENING = f"([{{{_QUOTES}"
_NUMBER = re.compile(
    rf"""[{re.escape(_OPENING)}]*
    (?P<sign>[-+−–±×]?)\d[\d.,:/×+−–-]*?[%‰°×]?
    (?P<dot>\.?)(?P<end>[{re.escape(_QUOTES)})\]}},;:!?….]*)""",
    re.VERBOSE,
)
_UNITS = tuple("%‰°€$£¥")
_ABBREVIATION = re.compile(r"[^\W\d_]{1,4}\.|[§#№]|[Nn]°")
_ENDS_SENTENCE = (".", ":", "!", "?", "…")
_ENDS_PHRASE = (*_ENDS_SENTENCE, ",", ";", ")", "]")


class _Neighbour(NamedTuple):
    """A word beside a number.

    Attributes:
        capital: whether it starts with a capital letter.
        small: whether it starts with another letter.
        is_drawing: whether it starts with a drawing instead of text.
    """

    text: str
    capital: bool
    small: bool
    is_drawing: bool

    @property
    def can_own_number(self) -> bool:
        """Whether a number may belong to it: it starts with a letter or unit, or is a drawing."""
        return self.capital or self.small or self.is_drawing or self.text.startswith(_UNITS)

    @property
    def is_abbreviation(self) -> bool:
        """Whether it is an abbreviation or a sign, such as "S." or "§"."""
        return bool(_ABBREVIATION.fullmatch(self.text.lstrip(_OPENING)))


def bind_words(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return a line's words, with words that must stay together merged into one.

    At most three words are merged; spaces stay inside.
    """
    bound: list[Word] = []
    owned = owns = False
    for index, word in enumerate(words):
        left, right = _sides(words, index, owned=owned)
        if bound and (owns or left):
            bound[-1] += word if word[0].close else (space_before(bound[-1][-1], word), *word)
        else:
            bound.append(word)
        owned, owns = owns, right
    return tuple(bound)


def space_before(before: Piece, word: Word) -> Piece:
    """Return the space before a word in its style; it belongs to a link or code only within one."""
    piece = word[0]._replace(
        text=" ",
        icon=None,
        symbol=None,
        scale=before.scale if before.scale == word[0].scale else 1,
        small=False,
        underlined=before.underlined and word[0].underlined,
        struck=before.struck and word[0].struck,
        anchors=(),
    )
    if before.link != piece.link:
        piece = piece._replace(link=None)
    level = piece.gap_level
    if level:
        piece = piece._replace(gap_level=0)
    if before.script == EMOJI:
        piece = piece._replace(family=None)  # the space of their font is as wide as they are
    elif before.script and before.script == piece.script and before.level == piece.level == level:
        return piece._replace(family=before.family)  # words in one font stay one run
    elif before.family != piece.family:
        piece = piece._replace(family=None)
    if level or piece.script:
        piece = piece._replace(level=level, script="Zyyy" if level % 2 else "")
    return piece


def _sides(words: Sequence[Word], index: int, *, owned: bool) -> tuple[bool, bool]:
    """Return whether a number stays with the word before it, and with the word after it.

    Args:
        owned: whether the word before it already belongs to another number.
    """
    number = _NUMBER.fullmatch(text_of(words[index]))
    if number is None:
        return False, False
    before, after = _neighbour(words, index - 1), _neighbour(words, index + 1)
    noun = before.can_own_number and not before.text.endswith(_ENDS_PHRASE)
    named = not owned and (before.is_abbreviation or noun)
    opens = index < 2 or text_of(words[index - 2]).endswith(_ENDS_SENTENCE)
    label = named and (before.is_drawing or (before.capital and not opens))
    if number["end"] or not after.can_own_number or (label and number["dot"]):
        return named, False
    if label and (before.is_drawing or after.small):
        return True, False
    if number["sign"] or not (after.small or label):
        return named and before.is_abbreviation, True
    return named, True


def _neighbour(words: Sequence[Word], index: int) -> _Neighbour:
    if not 0 <= index < len(words):
        return _Neighbour("", capital=False, small=False, is_drawing=False)
    text = text_of(words[index])
    first = text.lstrip(_OPENING)[:1]
    capital = first.isupper()
    small = first.isalpha() and not capital
    return _Neighbour(text, capital, small, words[index][0].drawn)


_FIRST_IDEOGRAPH = "\u2e80"
"""No ideograph has a lower code point."""
_HANGUL = (("\u1100", "\u11ff"), ("\u3130", "\u318f"), ("\ua960", "\ua97f"), ("\uac00", "\ud7ff"))
_NOT_FIRST = frozenset(
    "!%,.:;?…‥、。，．・：；？！％〜～ー々〻ゝゞヽヾ"  # noqa: RUF001 - full width
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ"
)
_OPENING_CATEGORIES, _CLOSING_CATEGORIES = ("Ps", "Pi"), ("Pe", "Pf", "Mn", "Mc", "Lm")
"""Unicode categories after and before which a line does not break."""


def split_ideographs(text: str, before: str = "") -> list[str]:
    """Return the parts of a text without spaces between which a line may break.

    Args:
        before: the preceding character; if a line may break after it, the first part is empty.
    """
    if text.isascii() and before.isascii():
        return [text]
    parts, start = [], 0
    for place, character in enumerate(text):
        if (
            before
            and (_is_ideograph(before) or _is_ideograph(character))
            and unicodedata.category(before) not in _OPENING_CATEGORIES
            and unicodedata.category(character) not in _CLOSING_CATEGORIES
            and character not in _NOT_FIRST
            and not attaches(character, before)
        ):
            parts.append(text[start:place])
            start = place
        before = character
    return [*parts, text[start:]]


_THAI = re.compile("[\u0e00-\u0e7f]{2,}")


def split_words(text: str) -> list[str]:
    """Return the words of a text in Thai, which puts no spaces between them.

    Without the extra `phrases`, and in other scripts, the text stays whole.
    """
    thai = None if text.isascii() or not _THAI.search(text) else _thai_parser()
    if thai is None:
        return [text]
    words: list[str] = thai.parse(text)
    return words


def lacks_words(text: str) -> bool:
    """Return whether a text is divided less well because the extra `phrases` is missing."""
    return _THAI.search(text) is not None and _thai_parser() is None


@cache
def _thai_parser() -> Any:  # budoux has no types
    try:
        import budoux  # an extra
    except ModuleNotFoundError:
        return None
    return budoux.load_default_thai_parser()


def _is_ideograph(character: str) -> bool:
    """Return whether a character is full-width, as in Chinese and Japanese."""
    return (
        character >= _FIRST_IDEOGRAPH
        and unicodedata.east_asian_width(character) in "WF"
        and not any(first <= character <= last for first, last in _HANGUL)
    )


_DIGITS = re.compile(r"\d")
_NUMBERS = re.compile(r"(\d?)\D?")
_SPELLING = re.compile(r"/.*=.*")
_SIGN = re.compile(r"\^\^([0-9a-f]{2})")
_SETTINGS = ("%", "#", "LEFTHYPHENMIN", "RIGHTHYPHENMIN", "COMPOUND")


class HyphenPatterns:
    """The hyphenation patterns of a dictionary (Liang's algorithm).

    A pattern is a few letters with numbers between them; a word may be divided where the highest
    number of all matching patterns is odd. A dot marks an end of the word.
    """

    def __init__(self, path: Path) -> None:
        """Read a dictionary in Hunspell's format."""
        encoding, _, rest = path.read_bytes().partition(b"\n")
        name = encoding.decode().strip()
        content = rest.decode("cp1251" if name.lower() == "microsoft-cp1251" else name)
        if "^^" in content:
            content = _SIGN.sub(lambda match: chr(int(match[1], 16)), content)
        if "=" in content:  # a slash introduces the spelling of a divided word
            content = _SPELLING.sub("", content)
        lines = map(str.strip, content.split("\n"))
        patterns = [line for line in lines if line and not line.startswith(_SETTINGS)]
        letters = _DIGITS.sub("", "\n".join(patterns)).split("\n")
        found = zip(letters, patterns, strict=True)
        self._patterns = {word: pattern for word, pattern in found if word != pattern}
        self._longest = max(map(len, self._patterns))
        self._cache: dict[str, list[int]] = {}

    def positions(self, word: str) -> list[int]:
        """Return where a lower-case word may be divided."""
        known = self._cache.get(word)
        if known is not None:
            return known
        whole = f".{word}."
        highest = [0] * (len(whole) + 1)
        for start in range(len(whole)):
            for end in range(start + 1, min(start + self._longest, len(whole)) + 1):
                pattern = self._patterns.get(whole[start:end])
                if pattern is not None:
                    for place, number in enumerate(_NUMBERS.findall(pattern), start):
                        highest[place] = max(highest[place], int(number or 0))
        odd = [place - 1 for place, number in enumerate(highest) if number % 2]
        self._cache[word] = odd
        return odd


@cache
def load_patterns(language: str) -> HyphenPatterns | None:
    """Return the patterns of a language, or None."""
    import pyphen  # lists the dictionaries as it is imported

    name = pyphen.language_fallback(language.replace("-", "_"))
    return HyphenPatterns(pyphen.LANGUAGES[name]) if name else None


MIN_FRAGMENT = 3
"""The least number of letters before and after a hyphen."""
_LETTERS = re.compile(rf"[^\W\d_]{{{2 * MIN_FRAGMENT},}}")
_MAX_WORD_LENGTH = 100
"""Longer words are not hyphenated, in letters."""


class Hyphenator:
    """Hyphenates a language. Its dictionary is loaded for the first word that needs it."""

    def __init__(self, language: str, exceptions: Iterable[str] = ()) -> None:
        """Use the patterns of `language`, if there are any.

        Args:
            language: a code such as "de" or "en-GB".
            exceptions: words with all their hyphens, such as "Provi-ant". They also apply to longer
                words that start or end with them.
        """
        self.language = language
        self._exceptions = {
            lower(word.replace("-", ""), language): [*accumulate(map(len, word.split("-")[:-1]))]
            for word in exceptions
        }

    def positions(self, text: str) -> Iterator[int]:
        """Yield where a hyphen may be inserted in a text, from the left.

        At least `MIN_FRAGMENT` letters of a word remain on each side.
        """
        for match in _LETTERS.finditer(text):
            word, start = match.group(), match.start()
            if len(word) > _MAX_WORD_LENGTH:
                continue
            for place in self._divide(lower(word, self.language)):
                if MIN_FRAGMENT <= place <= len(word) - MIN_FRAGMENT:
                    yield start + place

    def _divide(self, word: str) -> list[int]:
        if word in self._exceptions:
            return self._exceptions[word]
        patterns = load_patterns(self.language)
        places = set(patterns.positions(word) if patterns else ())
        for part, own in self._exceptions.items():
            for start in (0, len(word) - len(part)):
                if word.startswith(part, start):
                    places = {p for p in places if not start < p < start + len(part)}
                    places |= {start + place for place in own}
        return sorted(places)
