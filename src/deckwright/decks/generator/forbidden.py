"""Names in which nobody can read what no name may say.

A published game had to recall decks for their names, so spelling does not help here: names and what
is forbidden are compared without capitals, accents, spaces and signs, and with letters and digits
that look alike taken for each other. The skeletons of Unicode's confusable characters
(https://www.unicode.org/reports/tr39/) are the model; of these, what names are likely to hold.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_ALIKE = str.maketrans(
    {
        **dict(zip("0134578", "oleastb", strict=True)),
        **dict(zip("@$€!|¡i", "aselll" + "l", strict=True)),
        # Greek and Cyrillic letters that look like Latin ones.
        **dict(zip("αβεικνορτυχ", "abelknoptux", strict=True)),
        **dict(zip("авекмнорстухіјѕһԁԛԝ", "abekmhopctyxljshdqw", strict=True)),
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th",
        "\N{LATIN SMALL LETTER DOTLESS I}": "l",
    }
)  # fmt: skip
"""What stands for what. `l`, `i` and `1` are one letter; marks above letters are gone by then."""


def skeleton(text: str) -> str:
    """Return what is left of a text for which only what can be read in it counts."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    alike = "".join(c for c in plain if not unicodedata.combining(c)).translate(_ALIKE)
    return "".join(filter(str.isalnum, alike))


class Forbidden:
    """What no name may hold."""

    def __init__(self, words: Iterable[str]) -> None:
        """Take words; those that begin with `=` are forbidden as whole words alone."""
        whole: set[str] = set()
        inside: set[str] = set()
        for word in words:
            (whole if word.startswith("=") else inside).add(skeleton(word))
        self._whole = frozenset(whole - {""})
        inside.discard("")
        self._inside = re.compile("|".join(map(re.escape, sorted(inside)))) if inside else None

    def holds(self, name: str) -> bool:
        """Return whether a name holds anything that is forbidden."""
        if self._inside is not None and self._inside.search(skeleton(name)):
            return True
        return bool(self._whole) and any(skeleton(w) in self._whole for w in name.split())
