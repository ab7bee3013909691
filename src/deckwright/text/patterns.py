"""The patterns by which a language divides its words: Liang's method, over pyphen's dictionaries.

Pyphen reads a dictionary whole before it divides the first word, which takes most of a second for
German. Here a pattern is taken apart when a word has its letters.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_DIGITS = re.compile(r"\d")
_NUMBERS = re.compile(r"(\d?)\D?")
_SPELLING = re.compile(r"/.*=.*")
_SIGN = re.compile(r"\^\^([0-9a-f]{2})")
_SETTINGS = ("%", "#", "LEFTHYPHENMIN", "RIGHTHYPHENMIN", "COMPOUND")


class Patterns:
    """The patterns of one dictionary.

    Each is a few letters with numbers between them; where the highest number of all patterns that
    a word contains is odd, the word may be divided. A dot is an end of the word.
    """

    def __init__(self, path: Path) -> None:
        """Read a dictionary of the kind that Hunspell uses."""
        encoding, _, rest = path.read_bytes().partition(b"\n")
        name = encoding.decode().strip()
        content = rest.decode("cp1251" if name.lower() == "microsoft-cp1251" else name)
        if "^^" in content:
            content = _SIGN.sub(lambda match: chr(int(match[1], 16)), content)
        if "=" in content:  # behind a slash stands how a word is spelt when it is divided there
            content = _SPELLING.sub("", content)
        lines = map(str.strip, content.split("\n"))
        patterns = [line for line in lines if line and not line.startswith(_SETTINGS)]
        letters = _DIGITS.sub("", "\n".join(patterns)).split("\n")
        found = zip(letters, patterns, strict=True)
        self._patterns = {word: pattern for word, pattern in found if word != pattern}
        self._longest = max(map(len, self._patterns))
        self._known: dict[str, list[int]] = {}

    def positions(self, word: str) -> list[int]:
        """Return the places where a word, in small letters, may be divided."""
        if word not in self._known:
            self._known[word] = self._worked_out(word)
        return self._known[word]

    def _worked_out(self, word: str) -> list[int]:
        whole = f".{word}."
        highest = [0] * (len(whole) + 1)
        for start in range(len(whole)):
            for end in range(start + 1, min(start + self._longest, len(whole)) + 1):
                pattern = self._patterns.get(whole[start:end])
                if pattern is not None:
                    for place, number in enumerate(_NUMBERS.findall(pattern), start):
                        highest[place] = max(highest[place], int(number or 0))
        return [place - 1 for place, number in enumerate(highest) if number % 2]


@cache
def patterns_of(language: str) -> Patterns | None:
    """Return the patterns of a language, None if there are none."""
    import pyphen  # noqa: PLC0415 - lists the dictionaries as it is imported

    name = pyphen.language_fallback(language.replace("-", "_"))
    return Patterns(pyphen.LANGUAGES[name]) if name else None
