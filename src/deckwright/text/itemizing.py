"""Divide text by direction and script, before it is shaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from deckwright.text.bidi import Direction, base_level, resolve_levels
from deckwright.text.scripts import CONTROLS, scripts_of
from deckwright.text.words import Paragraph, Piece, RichText, Word

_DRAWING = "\ufffc"


def itemize(rich: RichText, direction: Direction = "auto") -> RichText:
    """Return a text with the levels and scripts of its pieces, which are divided by them.

    Args:
        direction: that of its paragraphs.
    """
    return tuple(_itemize_paragraph(paragraph, direction) for paragraph in rich)


def _itemize_paragraph(paragraph: Paragraph, direction: Direction) -> Paragraph:
    first = paragraph[0][0][0] if paragraph[0] else Piece()
    lines = (paragraph[0][1:], *paragraph[1:]) if first.mark else paragraph
    base = base_level(" ".join(map(_text, lines)), direction)
    divided = [tuple(_itemize_line(line, base)) for line in lines]
    if first.mark:
        divided[0] = ((first._replace(level=base, gap_level=base),), *divided[0])
    return tuple(divided)


def _text(line: Sequence[Word]) -> str:
    """Return the text of a line, with a placeholder per drawing."""
    words = (
        ("" if word[0].close else " ")
        + "".join(_DRAWING if piece.drawn else piece.text for piece in word)
        for word in line
    )
    return "".join(words)[0 if line and line[0][0].close else 1 :]


def _itemize_line(line: Sequence[Word], base: int) -> Iterator[Word]:
    """Yield the words of a line with their pieces divided by level and script."""
    text = _text(line)
    levels = resolve_levels(text, base)
    scripts = scripts_of(text, levels)
    at = 0
    for index, word in enumerate(line):
        gap = base
        if index and not word[0].close:
            gap, at = levels[at], at + 1
        pieces: list[Piece] = []
        for piece in word:
            if piece.drawn:
                pieces.append(piece._replace(level=levels[at]))
                at += 1
                continue
            places = range(at, at + len(piece.text))
            at = places.stop
            for (level, script), some in groupby(places, lambda i: (levels[i], scripts[i])):
                part = "".join(text[place] for place in some if text[place] not in CONTROLS)
                if not part:
                    continue
                spacing = 0 if script else piece.spacing  # it would tear joined letters apart
                pieces.append(
                    piece._replace(text=part, level=level, script=script, spacing=spacing)
                )
        pieces = pieces or [word[0]._replace(text="", level=base)]
        first = pieces[0]._replace(gap_level=gap)
        yield (first, *(piece._replace(close=False) for piece in pieces[1:]))
