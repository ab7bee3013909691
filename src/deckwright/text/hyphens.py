"""Where words may be divided: by the patterns of a language, and by a game's own exceptions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from deckwright.base.casing import lower
from deckwright.text.patterns import patterns_of

LEAST = 3
"""The fewest letters before and after a hyphen."""
_LETTERS = re.compile(rf"[^\W\d_]{{{2 * LEAST},}}")
_LONGEST = 100
"""The longest word that a dictionary is asked about, in letters."""


class Hyphens:
    """Divides the words of a language. Its dictionary is loaded for the first word to divide."""

    def __init__(self, language: str, exceptions: Iterable[str] = ()) -> None:
        """Divide as the patterns of `language` say, where there are any.

        Args:
            language: a code such as "de" or "en-GB".
            exceptions: words with hyphens where they alone may be divided, such as "Provi-ant".
                They hold for longer words that begin or end with them, too.
        """
        self.language = language
        self._exceptions = {
            lower(e.replace("-", ""), language): tuple(_hyphens(e)) for e in exceptions
        }

    def positions(self, text: str) -> Iterator[int]:
        """Yield the places in a text where a hyphen may stand, from the left.

        At least three letters of a word stand on each side of it.
        """
        for match in _LETTERS.finditer(text):
            word, start = match.group(), match.start()
            for place in self._divided(lower(word, self.language)) if len(word) <= _LONGEST else ():
                if LEAST <= place <= len(word) - LEAST:
                    yield start + place

    def _divided(self, word: str) -> list[int]:
        if word in self._exceptions:
            return list(self._exceptions[word])
        patterns = patterns_of(self.language)
        places = set(patterns.positions(word) if patterns else ())
        for part, own in self._exceptions.items():
            for start in (0, len(word) - len(part)):
                if word.startswith(part, start):
                    places = {p for p in places if not start < p < start + len(part)}
                    places |= {start + place for place in own}
        return sorted(places)


def _hyphens(exception: str) -> Iterator[int]:
    """Yield the places of the hyphens in a word, counted in letters."""
    place = 0
    for part in exception.split("-")[:-1]:
        place += len(part)
        yield place
