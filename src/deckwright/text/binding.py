"""Numbers stay with what they count or name: "+1 Moral", "Stärke 2", "S. 4" are never parted.

The rules know no language. They look at digits, capitals and punctuation alone, and where it
cannot be told which neighbour a number belongs to, it stays with both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deckwright.text.words import Piece, Word

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
        capital: whether it begins with a capital.
        small: whether it begins with another letter.
        drawn: whether it begins with a drawing, not with text.
    """

    text: str
    capital: bool
    small: bool
    drawn: bool

    @property
    def counts(self) -> bool:
        """Whether a number may be of it: whether it begins with a letter, or is a drawing."""
        return self.capital or self.small or self.drawn or self.text.startswith(_UNITS)

    @property
    def abbreviated(self) -> bool:
        """Whether it is an abbreviation or a sign, such as "S." or "§"."""
        return bool(_ABBREVIATION.fullmatch(self.text.lstrip(_OPENING)))


def bind(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words of a line, those that must not be parted made one, with spaces inside.

    No more than three are.
    """
    bound: list[Word] = []
    owned = owns = False
    for index, word in enumerate(words):
        left, right = _sides(words, index, owned=owned)
        if bound and (owns or left):
            bound[-1] += word if word[0].close else (space(bound[-1][-1], word), *word)
        else:
            bound.append(word)
        owned, owns = owns, right
    return tuple(bound)


def space(before: Piece, word: Word) -> Piece:
    """Return the space before a word: in its style, and part of a link or code only within one."""
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
    if before.family != piece.family:
        piece = piece._replace(family=None)
    return piece


def _sides(words: Sequence[Word], index: int, *, owned: bool) -> tuple[bool, bool]:
    """Return whether a word stays with the one before it, and with the one behind it.

    Args:
        owned: whether the word before it belongs to another number already.
    """
    number = _NUMBER.fullmatch(_text(words[index]))
    if number is None:
        return False, False
    before, behind = _neighbour(words, index - 1), _neighbour(words, index + 1)
    noun = before.counts and not before.text.endswith(_ENDS_PHRASE)
    named = not owned and (before.abbreviated or noun)
    label = named and (before.drawn or (before.capital and not _opens(words, index)))
    if number["end"] or not behind.counts or (label and number["dot"]):
        return named, False
    if label and (before.drawn or behind.small):
        return True, False
    if number["sign"] or not (behind.small or label):
        return named and before.abbreviated, True
    return named, True


def _opens(words: Sequence[Word], index: int) -> bool:
    """Return whether the word before `index` is the first of a sentence."""
    return index < 2 or _text(words[index - 2]).endswith(_ENDS_SENTENCE)  # noqa: PLR2004


def _neighbour(words: Sequence[Word], index: int) -> _Neighbour:
    if not 0 <= index < len(words):
        return _Neighbour("", capital=False, small=False, drawn=False)
    text = _text(words[index])
    first = text.lstrip(_OPENING)[:1]
    capital = first.isupper()
    small = first.isalpha() and not capital
    return _Neighbour(text, capital, small, words[index][0].drawn)


def _text(word: Word) -> str:
    if len(word) == 1:
        return word[0].text
    return "".join("\ufffc" if piece.drawn else piece.text for piece in word)
