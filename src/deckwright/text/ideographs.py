"""Where lines of Chinese and Japanese may break: between characters, without a space.

After the requirements of Unicode's line breaking algorithm (UAX 14) for ideographs: a line does not
begin with what closes or goes on, nor end with what opens. Korean has spaces.
"""

from __future__ import annotations

import unicodedata

_FIRST = "\u2e80"
"""The first character of these scripts."""
_HANGUL = (("\u1100", "\u11ff"), ("\u3130", "\u318f"), ("\ua960", "\ua97f"), ("\uac00", "\ud7ff"))
_NOT_FIRST = frozenset(
    "!%,.:;?…‥、。，．・：；？！％〜～ー々〻ゝゞヽヾ"  # noqa: RUF001 - full width
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ"
)
_OPENING, _CLOSING = ("Ps", "Pi"), ("Pe", "Pf", "Mn", "Mc", "Lm")
"""Categories of characters; letters that modify are among those that go on."""


def parted(text: str, before: str = "") -> list[str]:
    """Return the parts of a text without spaces between which a line may break.

    Args:
        before: the character in front of it; if there may be a break behind that, the first part
            is empty.
    """
    if text.isascii() and before.isascii():
        return [text]
    parts, start = [], 0
    for place, character in enumerate(text):
        if before and _may_break(before, character):
            parts.append(text[start:place])
            start = place
        before = character
    return [*parts, text[start:]]


def _may_break(before: str, behind: str) -> bool:
    return (
        (_is_ideograph(before) or _is_ideograph(behind))
        and unicodedata.category(before) not in _OPENING
        and unicodedata.category(behind) not in _CLOSING
        and behind not in _NOT_FIRST
    )


def _is_ideograph(character: str) -> bool:
    """Return whether a character is as wide as high, as in Chinese and Japanese."""
    return (
        character >= _FIRST
        and unicodedata.east_asian_width(character) in "WF"
        and not any(first <= character <= last for first, last in _HANGUL)
    )
