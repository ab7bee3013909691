"""The fonts of a text: characters that a font lacks are printed in those it falls back on."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics
    from deckwright.text.words import Piece


def in_fonts(piece: Piece, family: str, metrics: Metrics) -> list[Piece]:
    """Return the parts of a text that are in one font each; what no font has stays in the first.

    Args:
        family: that of the text which it is a piece of.
    """
    font = piece.font(family)
    chain = metrics.chain(font)
    if not chain or not metrics.shape(font, piece.text).missing:
        return [piece]
    families = (piece.family, *chain)

    def first(cluster: str) -> str | None:
        for name in families:
            if not metrics.shape(piece._replace(family=name).font(family), cluster).missing:
                return name
        return piece.family

    return [
        piece._replace(text="".join(some), family=name)
        for name, some in groupby(clusters(piece.text), first)
    ]


def lacking_of(piece: Piece, family: str, metrics: Metrics) -> str:
    """Return the characters of a text that none of its fonts has."""
    font = piece.font(family)
    # Words with a character that is missing when it stands alone are looked at as a whole, for
    # there it may be part of another one.
    if piece.drawn or not any(metrics.shape(font, one).missing for one in set(piece.text)):
        return ""
    parts = in_fonts(piece, family, metrics)
    return "".join(metrics.shape(part.font(family), part.text).missing for part in parts)


def clusters(text: str) -> Iterator[str]:
    """Yield characters with the marks that stand on them."""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not unicodedata.combining(text[end]):
            yield text[start:end]
            start = end
