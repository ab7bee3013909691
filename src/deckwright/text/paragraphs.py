"""Break text into lines, and find the size at which it fits. Millimetres.

Widths grow with the type size in proportion, so words are measured once, in ems.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.units import HAIR, PER_UNIT, Mm
from deckwright.text.break_opportunities import Hyphens
from deckwright.text.breaking import Run, Wrap, broken, narrowed, runs_of
from deckwright.text.words import Paragraph, Piece, Rich, lacking_of, mark_of, shaped_characters

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics

_STEP: Mm = 0.1 * PER_UNIT["pt"]
"""By how much text shrinks at a time."""

GAP = 0.45
"""The space between the mark of an item and its text, in ems."""
MOST_MISSING = 12
"""How many characters that a font lacks are reported."""


class Style(NamedTuple):
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

    def sized(self, size: Mm) -> Style:
        """Return the same style at another size."""
        return self._replace(size=size)


class Line(NamedTuple):
    """A line of text.

    Attributes:
        width: in ems.
        first: whether it begins a paragraph other than the first, which is no further item of a
            list.
        last: whether it ends a paragraph or a hard line.
        indent: how far in it begins, in ems; its width includes that.
        mark: what hangs in that space, for the first line of an item of a list.
    """

    runs: tuple[Run, ...]
    width: float
    first: bool
    last: bool = True
    indent: float = 0
    mark: Run | None = None


class Block(NamedTuple):
    """Laid-out text.

    Attributes:
        size: the em in mm.
        width, height: what it takes up, in mm.
        ascent, cap_height: of the font, in mm.
    """

    lines: tuple[Line, ...]
    size: Mm
    width: Mm
    height: Mm
    ascent: Mm
    cap_height: Mm


def missing_characters(rich: Rich, family: str, metrics: Metrics) -> list[str]:
    """Return the characters that the family's fonts lack, each once; of very many the first."""
    missing: dict[str, None] = {}
    for piece in _pieces(rich):
        missing.update(dict.fromkeys(lacking_of(piece, family, metrics)))
        if len(missing) >= MOST_MISSING:
            break
    return list(missing)[:MOST_MISSING]


def lacking(family: str, missing: Iterable[str], metrics: Metrics) -> tuple[str, str]:
    """Return that a family's fonts lack characters, and what to do about it."""
    shown = listed(missing)
    others = ", ".join(f"`{other}`" for other in metrics.chain(f"{family}-regular"))
    if others:
        hint = "write it another way, or add a font that has it to the `fallback` in game.xml"
        return f"neither the font `{family}` nor its fallback {others} has {shown}", hint
    hint = "write it another way, or give the font a `fallback` in game.xml that has it"
    return f"the font `{family}` has no {shown}", hint


def unset_characters(rich: Rich) -> list[str]:
    """Return the characters of scripts that print cannot set, each once; of very many the first."""
    text = "".join(piece.text for piece in _pieces(rich))
    return shaped_characters(text)[:MOST_MISSING]


def unset(characters: Iterable[str]) -> tuple[str, str]:
    """Return that characters cannot be set, and what to do about it."""
    message = (
        f"print cannot set {listed(characters)}: letters that run from right to left, join or "
        "change places"
    )
    return message, "write it in another script, or show it as a picture"


def listed(characters: Iterable[str]) -> str:
    """Return characters with their numbers."""
    return ", ".join(f"`{character}` (U+{ord(character):04X})" for character in characters)


def _pieces(rich: Rich) -> Iterator[Piece]:
    """Yield the pieces of all words."""
    return (piece for part in rich for line in part for word in line for piece in word)


def fit(
    rich: Rich,
    style: Style,
    metrics: Metrics,
    *,
    width: Mm | None,
    height: Mm | None,
    smallest: Mm,
    hyphens: Hyphens,
) -> Block | None:
    """Return the text at the largest size, from the style's down to `smallest`, that fits.

    Unless the style hyphenates, words are hyphenated only where that is the one way to fit; where
    they may break anywhere, that is the last way. None if nothing fits.
    """
    whole = style._replace(anywhere=False)
    ways = [(whole, hyphens)] if style.hyphenate else [(whole, None), (whole, hyphens)]
    ways += [(style, hyphens)] if style.anywhere else []
    if width is None or not _is_wider(rich, style, metrics, width):
        ways = ways[:1]  # the others divide words that are wider than the line
    steps = max(0, math.ceil(round((style.size - smallest) / _STEP, 6)))
    for way, divided in ways:
        low, high = 0, steps
        best: Style | None = None
        # Lines that are narrowed are as many as full ones, which are broken much faster.
        full = way if way.hyphenate else way._replace(wrap="wrap")
        while low <= high:
            middle = (low + high) // 2 if best or low else 0
            size = max(smallest, style.size - middle * _STEP)
            lines = _lines(rich, full.sized(size), metrics, width, divided)
            if _filled(lines, full.sized(size), metrics, width, height) is not None:
                best, high = way.sized(size), middle - 1
            else:
                low = middle + 1
        if best is not None:
            return lay_out(rich, best, metrics, width=width, hyphens=divided)
    return None


def _is_wider(rich: Rich, style: Style, metrics: Metrics, width: Mm) -> bool:
    """Return whether a word is wider than the lines at the style's size."""
    return any(
        sum(run.width for run in runs_of(word, style.family, metrics)) > width / style.size - indent
        for paragraph, _, indent in _hanging(rich, style.family, metrics)
        for line in paragraph
        for word in line
    )


def lay_out(
    rich: Rich,
    style: Style,
    metrics: Metrics,
    *,
    width: Mm | None,
    hyphens: Hyphens | None = None,
    most: int | None = None,
) -> Block:
    """Return the text at the style's size, broken to `width`.

    Args:
        width: None not to break at all.
        hyphens: divides words that are wider than the line; None not to.
        most: how many lines to lay out; None for all.
    """
    lines = islice(_lines(rich, style, metrics, width, hyphens), most)
    return _block(tuple(lines), style, metrics)


def _filled(
    lines: Iterator[Line], style: Style, metrics: Metrics, width: Mm | None, height: Mm | None
) -> Block | None:
    """Return the block of lines; None as soon as it does not fit, for there may be very many."""
    fitting: list[Line] = []
    gaps = 0
    for line in lines:
        fitting.append(line)
        gaps += line.first
        if width is not None and line.width * style.size > width + HAIR:
            return None
        if height is not None and _height(len(fitting), gaps, style) > height + HAIR:
            return None
    block = _block(tuple(fitting), style, metrics)
    return block if height is None or block.height <= height + HAIR else None


def _lines(
    rich: Rich, style: Style, metrics: Metrics, width: Mm | None, hyphens: Hyphens | None
) -> Iterator[Line]:
    """Yield the lines of a text, one after the other."""
    whole = math.inf if width is None else width / style.size
    before = 0.0
    for number, (paragraph, mark, indent) in enumerate(_hanging(rich, style.family, metrics)):
        first = number > 0 and not (indent and before)
        before = indent
        for said in paragraph:
            waiting: Line | None = None
            words, limit = said[1:] if mark else said, whole - indent
            room = limit
            if style.wrap != "wrap":
                room = narrowed(words, limit, style.family, metrics, style.wrap)
            for runs, total in broken(
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
                waiting = Line(runs, total + indent, first, last=False, indent=indent, mark=mark)
                first, mark = False, None  # noqa: PLW2901 - that of the paragraph's first line
            if waiting is not None:
                yield waiting._replace(last=True)


def _hanging(
    rich: Rich, family: str, metrics: Metrics
) -> Iterator[tuple[Paragraph, Run | None, float]]:
    """Yield paragraphs with their marks, and how far in they begin: alike for those of a list."""
    for is_list, some in groupby(rich, lambda paragraph: mark_of(paragraph) is not None):
        paragraphs = list(some)
        if not is_list:
            yield from ((paragraph, None, 0) for paragraph in paragraphs)
            continue
        marks = [runs_of(paragraph[0][0], family, metrics)[0] for paragraph in paragraphs]
        indent = max(mark.width for mark in marks) + GAP
        yield from ((*item, indent) for item in zip(paragraphs, marks, strict=True))


def _block(lines: tuple[Line, ...], style: Style, metrics: Metrics) -> Block:
    vertical = metrics.vertical(f"{style.family}-regular")
    return Block(
        lines=lines,
        size=style.size,
        width=max((line.width for line in lines), default=0) * style.size,
        height=_height(len(lines), sum(line.first for line in lines), style),
        ascent=vertical.ascent * style.size,
        cap_height=vertical.cap_height * style.size,
    )


def _height(lines: int, gaps: int, style: Style) -> Mm:
    """Return the height of lines with gaps between some of them."""
    return (1 + (lines - 1) * style.line_height) * style.size + gaps * style.paragraph_gap
