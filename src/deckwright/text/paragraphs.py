"""Break text into lines, and find the size at which it fits. Millimetres.

Widths grow with the type size in proportion, so words are measured once, in ems.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.units import MM_PER_UNIT, TOLERANCE, Mm
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.breaking import TextRun, Wrap, break_lines, choose_width, shape_word
from deckwright.text.words import (
    Paragraph,
    Piece,
    RichText,
    find_complex_characters,
    find_missing,
    mark_of,
)

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics

_SHRINK_STEP: Mm = 0.1 * MM_PER_UNIT["pt"]
"""By how much text shrinks at a time."""

MARK_GAP = 0.45
"""The space between the mark of an item and its text, in ems."""
MAX_MISSING = 12
"""How many characters that a font lacks are reported."""


class TextStyle(NamedTuple):
    """How a text is set.

    Attributes:
        family: the font family's id.
        size: the em in mm.
        line_height: distance of baselines, in ems.
        paragraph_gap: more distance between paragraphs, in mm.
        hyphenate: whether words are hyphenated to fill lines.
        wrap: how the lines of a paragraph are broken.
        anywhere: whether a word that fits in no other way may break between any letters.
    """

    family: str
    size: Mm
    color: str
    line_height: float = 1.2
    paragraph_gap: Mm = 0
    hyphenate: bool = False
    wrap: Wrap = "wrap"
    anywhere: bool = False

    def with_size(self, size: Mm) -> TextStyle:
        """Return the same style at another size."""
        return self._replace(size=size)


class TextLine(NamedTuple):
    """A line of text.

    Attributes:
        width: in ems.
        first: whether it begins a paragraph other than the first, which is no further item of a
            list.
        last: whether it ends a paragraph or a hard line.
        indent: how far in it begins, in ems; its width includes that.
        mark: what hangs in that space, for the first line of an item of a list.
    """

    runs: tuple[TextRun, ...]
    width: float
    first: bool
    last: bool = True
    indent: float = 0
    mark: TextRun | None = None


class TextBlock(NamedTuple):
    """Laid-out text.

    Attributes:
        size: the em in mm.
        width, height: what it takes up, in mm.
        ascent, cap_height: of the font, in mm.
    """

    lines: tuple[TextLine, ...]
    size: Mm
    width: Mm
    height: Mm
    ascent: Mm
    cap_height: Mm


def missing_characters(rich: RichText, family: str, metrics: Metrics) -> list[str]:
    """Return the characters that the family's fonts lack, each once; of very many the first."""
    missing: dict[str, None] = {}
    for piece in _pieces(rich):
        missing.update(dict.fromkeys(find_missing(piece, family, metrics)))
        if len(missing) >= MAX_MISSING:
            break
    return list(missing)[:MAX_MISSING]


def describe_missing(family: str, missing: Iterable[str], metrics: Metrics) -> tuple[str, str]:
    """Return that a family's fonts lack characters, and what to do about it."""
    shown = format_characters(missing)
    others = ", ".join(f"`{other}`" for other in metrics.chain(f"{family}-regular"))
    if others:
        hint = "write it another way, or add a font that has it to the `fallback` in game.xml"
        return f"neither the font `{family}` nor its fallback {others} has {shown}", hint
    hint = "write it another way, or give the font a `fallback` in game.xml that has it"
    return f"the font `{family}` has no {shown}", hint


def find_unsupported(rich: RichText) -> list[str]:
    """Return the characters of scripts that print cannot set, each once; of very many the first."""
    text = "".join(piece.text for piece in _pieces(rich))
    return find_complex_characters(text)[:MAX_MISSING]


def describe_unsupported(characters: Iterable[str]) -> tuple[str, str]:
    """Return that characters cannot be set, and what to do about it."""
    message = (
        f"print cannot set {format_characters(characters)}: letters that run from right to left, "
        f"join or "
        "change places"
    )
    return message, "write it in another script, or show it as a picture"


def format_characters(characters: Iterable[str]) -> str:
    """Return characters with their numbers."""
    return ", ".join(f"`{character}` (U+{ord(character):04X})" for character in characters)


def _pieces(rich: RichText) -> Iterator[Piece]:
    """Yield the pieces of all words."""
    return (piece for part in rich for line in part for word in line for piece in word)


def fit_text(
    rich: RichText,
    style: TextStyle,
    metrics: Metrics,
    *,
    width: Mm | None,
    height: Mm | None,
    smallest: Mm,
    hyphens: Hyphenator,
) -> TextBlock | None:
    """Return the text at the largest size, from the style's down to `smallest`, that fits.

    Unless the style hyphenates, words are hyphenated only where that is the one way to fit; where
    they may break anywhere, that is the last way. None if nothing fits.
    """
    whole = style._replace(anywhere=False)
    ways = [(whole, hyphens)] if style.hyphenate else [(whole, None), (whole, hyphens)]
    ways += [(style, hyphens)] if style.anywhere else []
    steps = max(0, math.ceil(round((style.size - smallest) / _SHRINK_STEP, 6)))
    for way, divided in ways:
        low, high = 0, steps
        best = None
        while low <= high:
            middle = (low + high) // 2 if best or low else 0
            size = max(smallest, style.size - middle * _SHRINK_STEP)
            lines = _lines(rich, way.with_size(size), metrics, width, divided)
            block = _fit_lines(lines, way.with_size(size), metrics, width, height)
            if block is not None:
                best, high = block, middle - 1
            else:
                low = middle + 1
        if best or width is None:
            return best
    return None


def lay_out(
    rich: RichText,
    style: TextStyle,
    metrics: Metrics,
    *,
    width: Mm | None,
    hyphens: Hyphenator | None = None,
    most: int | None = None,
) -> TextBlock:
    """Return the text at the style's size, broken to `width`.

    Args:
        width: None not to break at all.
        hyphens: divides words that are wider than the line; None not to.
        most: how many lines to lay out; None for all.
    """
    lines = islice(_lines(rich, style, metrics, width, hyphens), most)
    return _block(tuple(lines), style, metrics)


def _fit_lines(
    lines: Iterator[TextLine],
    style: TextStyle,
    metrics: Metrics,
    width: Mm | None,
    height: Mm | None,
) -> TextBlock | None:
    """Return the block of lines; None as soon as it does not fit, for there may be very many."""
    fitting: list[TextLine] = []
    gaps = 0
    for line in lines:
        fitting.append(line)
        gaps += line.first
        if width is not None and line.width * style.size > width + TOLERANCE:
            return None
        if height is not None and _height(len(fitting), gaps, style) > height + TOLERANCE:
            return None
    block = _block(tuple(fitting), style, metrics)
    return block if height is None or block.height <= height + TOLERANCE else None


def _lines(
    rich: RichText, style: TextStyle, metrics: Metrics, width: Mm | None, hyphens: Hyphenator | None
) -> Iterator[TextLine]:
    """Yield the lines of a text, one after the other."""
    whole = math.inf if width is None else width / style.size
    before = 0.0
    for number, (paragraph, mark, indent) in enumerate(_hang_marks(rich, style.family, metrics)):
        first = number > 0 and not (indent and before)
        before = indent
        for said in paragraph:
            waiting: TextLine | None = None
            words, limit = said[1:] if mark else said, whole - indent
            room = limit
            if style.wrap != "wrap":
                room = choose_width(words, limit, style.family, metrics, style.wrap)
            for runs, total in break_lines(
                words,
                room,
                style.family,
                metrics,
                hyphens,
                fill=style.hyphenate,
                anywhere=style.anywhere,
            ):
                if waiting is not None:
                    yield waiting
                waiting = TextLine(
                    runs, total + indent, first, last=False, indent=indent, mark=mark
                )
                first, mark = False, None  # noqa: PLW2901 - that of the paragraph's first line
            if waiting is not None:
                yield waiting._replace(last=True)


def _hang_marks(
    rich: RichText, family: str, metrics: Metrics
) -> Iterator[tuple[Paragraph, TextRun | None, float]]:
    """Yield paragraphs with their marks, and how far in they begin: alike for those of a list."""
    for is_list, some in groupby(rich, lambda paragraph: mark_of(paragraph) is not None):
        paragraphs = list(some)
        if not is_list:
            yield from ((paragraph, None, 0) for paragraph in paragraphs)
            continue
        marks = [shape_word(paragraph[0][0], family, metrics)[0] for paragraph in paragraphs]
        indent = max(mark.width for mark in marks) + MARK_GAP
        yield from ((*item, indent) for item in zip(paragraphs, marks, strict=True))


def _block(lines: tuple[TextLine, ...], style: TextStyle, metrics: Metrics) -> TextBlock:
    vertical = metrics.vertical(f"{style.family}-regular")
    return TextBlock(
        lines=lines,
        size=style.size,
        width=max((line.width for line in lines), default=0) * style.size,
        height=_height(len(lines), sum(line.first for line in lines), style),
        ascent=vertical.ascent * style.size,
        cap_height=vertical.cap_height * style.size,
    )


def _height(lines: int, gaps: int, style: TextStyle) -> Mm:
    """Return the height of lines with gaps between some of them."""
    return (1 + (lines - 1) * style.line_height) * style.size + gaps * style.paragraph_gap
