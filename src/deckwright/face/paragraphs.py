"""Break text into lines, and find the size at which it fits. Millimetres.

Widths grow with the type size in proportion, so words are measured once, in ems.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from deckwright.face.richtext import Piece, Rich, Word
from deckwright.units import PER_UNIT, Mm

if TYPE_CHECKING:
    from deckwright.face.shaping import Metrics

ICON_EM = 1.1
"""Width and height of an icon in the line, in ems."""

_LEAST = 3
"""The fewest letters before and after a hyphen."""

_STEP: Mm = 0.1 * PER_UNIT["pt"]
"""By how much text shrinks at a time."""

_HAIR: Mm = 1e-6
"""What reckoning may be off by."""

MOST_MISSING = 12
"""How many characters that a font lacks are told."""
_HYPHENATED = 100
"""The longest word that a dictionary is asked about, in letters."""


class Style(NamedTuple):
    """How a text is set.

    Attributes:
        family: the font family's id.
        size: the em in mm.
        line_height: distance of baselines, in ems.
        paragraph_gap: more distance between paragraphs, in mm.
        hyphenate: whether words are hyphenated to fill lines.
    """

    family: str
    size: Mm
    color: str
    line_height: float = 1.2
    paragraph_gap: Mm = 0
    hyphenate: bool = False

    def sized(self, size: Mm) -> Style:
        """Return the same style at another size."""
        return self._replace(size=size)


class Run(NamedTuple):
    """A stretch of a line in one font, or one icon. Widths in ems."""

    piece: Piece
    width: float
    kerns: tuple[int, ...] = ()


class Line(NamedTuple):
    """A line of text.

    Attributes:
        width: in ems.
        first: whether it begins a paragraph other than the first.
        last: whether it ends a paragraph or a hard line.
    """

    runs: tuple[Run, ...]
    width: float
    first: bool
    last: bool = True


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
        font = f"{family}-{piece.font_style}"
        # Words with a character that is missing when it stands alone are looked at as a whole, for
        # there it may be part of another one.
        if not piece.drawn and any(metrics.shape(font, one).missing for one in set(piece.text)):
            missing.update(dict.fromkeys(metrics.shape(font, piece.text).missing))
            if len(missing) >= MOST_MISSING:
                break
    return list(missing)[:MOST_MISSING]


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
    language: str,
) -> Block | None:
    """Return the text at the largest size, from the style's down to `smallest`, that fits.

    Unless the style hyphenates, words are hyphenated only where that is the one way to fit. None
    if nothing fits.
    """
    steps = max(0, math.ceil(round((style.size - smallest) / _STEP, 6)))
    for hyphenate in (language,) if style.hyphenate else (None, language):
        low, high = 0, steps
        best = None
        while low <= high:
            middle = (low + high) // 2 if best or low else 0
            size = max(smallest, style.size - middle * _STEP)
            lines = _lines(rich, style.sized(size), metrics, width, hyphenate)
            block = _filled(lines, style.sized(size), metrics, width, height)
            if block is not None:
                best, high = block, middle - 1
            else:
                low = middle + 1
        if best or width is None:
            return best
    return None


def lay_out(
    rich: Rich,
    style: Style,
    metrics: Metrics,
    *,
    width: Mm | None,
    language: str | None = None,
    most: int | None = None,
) -> Block:
    """Return the text at the style's size, broken to `width`.

    Args:
        width: None not to break at all.
        language: hyphenate words that are wider than the line; None not to.
        most: how many lines to lay out; None for all.
    """
    lines = islice(_lines(rich, style, metrics, width, language), most)
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
        if width is not None and line.width * style.size > width + _HAIR:
            return None
        if height is not None and _height(len(fitting), gaps, style) > height + _HAIR:
            return None
    block = _block(tuple(fitting), style, metrics)
    return block if height is None or block.height <= height + _HAIR else None


def _lines(
    rich: Rich, style: Style, metrics: Metrics, width: Mm | None, language: str | None
) -> Iterator[Line]:
    """Yield the lines of a text, one after the other."""
    limit = None if width is None else width / style.size
    for number, paragraph in enumerate(rich):
        first = number > 0
        for words in paragraph:
            waiting: Line | None = None
            for runs, total in _broken(words, limit, style, metrics, language):
                if waiting is not None:
                    yield waiting
                waiting = Line(runs, total, first, last=False)
                first = False
            if waiting is not None:
                yield waiting._replace(last=True)


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


def _broken(
    words: Sequence[Word], limit: float | None, style: Style, metrics: Metrics, language: str | None
) -> Iterator[tuple[tuple[Run, ...], float]]:
    """Yield the lines of `words` as runs with their width, no wider than `limit` ems if can be."""
    family = style.family
    queue = list(reversed(words))
    line: list[Run] = []
    width = 0.0
    while queue:
        word = queue.pop()
        runs = [_run(piece, family, metrics) for piece in word]
        word_width = sum(run.width for run in runs)
        space = _run(_space(line, word), family, metrics)
        if line and (limit is None or width + space.width + word_width <= limit):
            line.append(space)
            width += space.width
        elif line:
            if language and style.hyphenate and limit is not None:
                head, rest = _split(word, limit - width - space.width, family, metrics, language)
                if head is not None:
                    run = _run(head, family, metrics)
                    yield _joined([*line, space, run]), width + space.width + run.width
                    line, width = [], 0.0
                    queue.append(rest)
                    continue
            yield _joined(line), width
            line, width = [], 0.0
        if limit is not None and language and word_width > limit:
            head, rest = _split(word, limit, family, metrics, language)
            if head is not None:
                queue += [rest, (head,)]
                continue
        line.extend(runs)
        width += word_width
    yield _joined(line), width


def _space(line: Sequence[Run], word: Word) -> Piece:
    """Return the space before a word: in its style, and part of a link only within one."""
    piece = word[0]._replace(text=" ", icon=None, symbol=None, scale=1, anchors=())
    inside = line and line[-1].piece.link == piece.link
    return piece if inside else piece._replace(link=None)


def _run(piece: Piece, family: str, metrics: Metrics) -> Run:
    if piece.drawn:
        return Run(piece, ICON_EM * (piece.symbol.aspect if piece.symbol else 1))
    shaped = metrics.shape(f"{family}-{piece.font_style}", piece.text)
    return Run(piece, shaped.width * piece.scale, shaped.kerns)


def _joined(runs: list[Run]) -> tuple[Run, ...]:
    """Return the runs with neighbours of one font made one."""
    result: list[Run] = []
    for style, alike in groupby(runs, lambda run: run.piece._replace(text="")):
        group = list(alike)
        if len(group) == 1 or style.drawn:
            result += group
            continue
        kerns: tuple[int, ...] = ()
        if any(run.kerns for run in group):
            kerns = tuple(kern for run in group for kern in run.kerns or (0,) * len(run.piece.text))
        piece = style._replace(text="".join(run.piece.text for run in group))
        result.append(Run(piece, sum(run.width for run in group), kerns))
    return tuple(result)


@cache
def _dictionary(language: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    """Return pyphen's dictionary for a language, None if it has none. Loading one takes long."""
    import pyphen  # noqa: PLC0415

    name = pyphen.language_fallback(language.replace("-", "_"))
    return pyphen.Pyphen(lang=name) if name else None


def _split(
    word: Word, room: float, family: str, metrics: Metrics, language: str
) -> tuple[Piece | None, Word]:
    """Return the longest beginning of `word` that fits into `room` ems, and the rest.

    The beginning ends in a hyphen; it is None where the word cannot be divided so.
    """
    piece = word[0]
    if len(word) != 1 or piece.drawn:
        return None, word
    text = piece.text
    # No more characters than these fit, but for some that take no room.
    most = min(len(text), 20 + 8 * max(0, int(room)))
    breaks = {match.end() for match in re.finditer(r"[-–/]", text[:most])} - {len(text)}
    dictionary = _dictionary(language) if len(text) <= _HYPHENATED else None
    if dictionary is not None:
        breaks |= {p for p in dictionary.positions(text) if _LEAST <= p <= len(text) - _LEAST}

    def head(position: int) -> Piece:
        hyphen = "" if text[position - 1] in "-–/" else "-"
        return piece._replace(text=text[:position] + hyphen)

    positions = sorted(breaks)
    number = bisect_right(positions, room, key=lambda p: _run(head(p), family, metrics).width)
    if number == 0:
        return None, word
    position = positions[number - 1]
    return head(position), (piece._replace(text=text[position:]),)
