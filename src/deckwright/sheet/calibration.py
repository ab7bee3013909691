"""A two-sided page that shows how far off a printer's second side is, and where it prints.

One side has crosses, the other has scales at the places that lie behind them. Against the light
the lines of a cross are seen to cut the scales: at zero if the printer is true. Where they do is
what moves a back to its place, so the numbers that are read are those of `--back-offset`. At the
edges of the paper a stair of lines shows how much of it the printer leaves white.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.geometry import Box, shifted
from deckwright.base.units import Mm
from deckwright.ops.model import DrawGlyphs, Group, Op, StrokePath, Tag
from deckwright.ops.outlines import line
from deckwright.sheet.grid import Flip, SheetFormat
from deckwright.sheet.pages import RULER, Page, ruler_ops
from deckwright.text.paragraphs import Style, lay_out
from deckwright.text.placing import place
from deckwright.text.richtext import parse
from deckwright.text.shaping import Metrics

_WORDS = Path(__file__).with_suffix(".json")
OFFSET_COMMAND = "deckwright calibrate --printer NAME --back-offset Xmm,Ymm"
MARGINS_COMMAND = "deckwright calibrate --printer NAME --margins Amm,Bmm,Cmm,Dmm"


class CalibrationWords(NamedTuple):
    """The texts of the page.

    Attributes:
        title: of the file.
        sides: what the two sides are called.
        print: how to print it; braces stand for the edge to turn it over.
        edges: what those are called.
        margins: how to read the scales at the edges of the paper.
        read: how to read the second side.
        after: what the numbers mean.
    """

    title: str
    sides: Sequence[str]
    print: str
    edges: Mapping[str, str]
    margins: str
    read: str
    after: str


def calibration_words(language: str) -> CalibrationWords:
    """Return the words in a language such as "de" or "de-AT", in English where there are none."""
    known = json.loads(_WORDS.read_text(encoding="utf-8"))
    words = known.get(language.partition("-")[0].partition("_")[0].lower(), known["en"])
    return CalibrationWords(**words)


_INK = "#000000"
_REACH: Mm = 6
"""How far scales reach from their middle; no printer is farther off that is not broken."""
_STEP: Mm = 0.5
_AWAY: Mm = 10
"""How far scales are from the place that they measure at."""
_ARM: Mm = 15
_TICKS = (2.4, 1.6, 0.9)
"""How long the ticks are of those with a number, of whole and of half millimetres."""
_EDGE: Mm = 40
_HAIRLINE: Mm = 0.12
_TYPE: Mm = 3.4
_SMALL: Mm = 2.1

_LABELS = 6
"""Every how many ticks have a number: so far apart, numbers do not touch."""
_GAP: Mm = 0.8
"""Between a number and its tick."""
_WIDEST_EDGE, _STAIR = 15, 4.6
"""How far from the edge of the paper margins are measured, and how long the lines for that are."""


def calibration_pages(
    width: Mm, height: Mm, flip: Flip, family: str, metrics: Metrics, language: str = "en"
) -> tuple[Page, Page]:
    """Return the two sides of the page for paper of this size.

    Args:
        language: of what the page says, such as "de"; English if there is nothing in that.
    """
    sheet = SheetFormat("", width, height, 1, 1, width, height, flip=flip)
    words = calibration_words(language)
    letters = _Letters(family, metrics)
    centres = [
        (width / 2, height / 2),
        *((x, y) for y in (_EDGE, height - _EDGE) for x in (_EDGE, width - _EDGE)),
    ]
    front: list[Op] = []
    for x, y in centres:
        front += [_line(x - _ARM, y, x + _ARM, y), _line(x, y - _ARM, x, y + _ARM)]
    front += _edges(width, height, letters)
    front += ruler_ops((width - RULER) / 2, height * 0.7, family)
    upper, lower = max(_EDGE + _ARM + 3, height * 0.25), height / 2 + _ARM + 3
    print_it = words.print.format(words.edges[flip.value])
    front += letters.paragraphs([words.sides[0], print_it], upper, width)
    front += letters.paragraphs([words.margins, MARGINS_COMMAND], lower, width)
    back: list[Op] = []
    for x, y in centres:
        behind = sheet.behind(Box(x, y, 0, 0))
        back += _scales(behind.x, behind.y, letters)
    back += letters.paragraphs([words.sides[1], words.read], upper, width)
    back += letters.paragraphs([OFFSET_COMMAND, words.after], lower, width)
    return Page(width, height, ops=tuple(front)), Page(width, height, ops=tuple(back))


def _scales(x: Mm, y: Mm, letters: _Letters) -> Iterator[Op]:
    """Yield a level scale above the place x, y and an upright one to the left of it."""
    left, top = x - _AWAY, y - _AWAY
    yield _line(x - _REACH, top, x + _REACH, top)
    yield _line(left, y - _REACH, left, y + _REACH)
    for step in range(-round(_REACH / _STEP), round(_REACH / _STEP) + 1):
        at = step * _STEP
        tick = _TICKS[0 if step % _LABELS == 0 else 1 if step % 2 == 0 else 2]
        yield _line(x + at, top - tick, x + at, top)
        yield _line(left - tick, y + at, left, y + at)
        if step % _LABELS == 0:
            number = f"{at:+.0f}".replace("-", "−") if step else "0"
            yield letters.word(number, x + at, top - _TICKS[0] - _GAP, anchor="middle")
            yield letters.word(
                number, left - _TICKS[0] - _GAP, y + at + 0.35 * _SMALL, anchor="end"
            )
    yield letters.word("X", x + _REACH + 3, top + 0.4, size=_TYPE, bold=True)
    yield letters.word("Y", left, y + _REACH + 4.4, size=_TYPE, bold=True)


def _edges(width: Mm, height: Mm, letters: _Letters) -> Iterator[Op]:
    """Yield a stair of lines at the middle of each edge, a millimetre farther in with each step."""
    x, y = width / 2, height / 2
    for name, matrix in (
        ("A", shifted(x, 0)),
        ("B", (0, 1, -1, 0, width, y)),
        ("C", (-1, 0, 0, -1, x, height)),
        ("D", (0, -1, 1, 0, 0, y)),
    ):
        stair: list[Op] = []
        for step in range(1, _WIDEST_EDGE + 1):
            start = (step - (_WIDEST_EDGE + 1) / 2 - 0.5) * _STAIR
            stair.append(_line(start, step, start + _STAIR, step))
            below = step + _GAP + 0.7 * _SMALL
            stair.append(letters.word(str(step), start + _STAIR / 2, below, anchor="middle"))
        end = (_WIDEST_EDGE / 2) * _STAIR
        stair.append(letters.word(name, end + 3, _WIDEST_EDGE + 1, size=_TYPE, bold=True))
        yield Group(tuple(stair), matrix)


class _Letters:
    """Sets the words of the page."""

    def __init__(self, family: str, metrics: Metrics) -> None:
        """Set them in this family."""
        self._family, self._metrics = family, metrics

    def word(
        self,
        text: str,
        x: Mm,
        y: Mm,
        *,
        size: Mm = _SMALL,
        bold: bool = False,
        anchor: str = "middle",
    ) -> Op:
        """Return a word on the baseline `y` with its middle or its end at `x`."""
        font = f"{self._family}-{'bold' if bold else 'regular'}"
        shaped = self._metrics.shape(font, text)
        left = x - shaped.width * size / (2 if anchor == "middle" else 1)
        return DrawGlyphs(font, size, left, y, shaped.text, shaped.kerns, _INK)

    def paragraphs(self, paragraphs: list[str], y: Mm, page_width: Mm) -> Iterator[Op]:
        """Yield paragraphs from `y` down; titles and commands are bold and centred."""
        width = min(150.0, page_width - _EDGE)
        for paragraph in paragraphs:
            title = paragraph.startswith("Deckwright: ")
            style = Style(self._family, _TYPE * (1.5 if title else 1), _INK, 1.35)
            bold = title or paragraph in {OFFSET_COMMAND, MARGINS_COMMAND}
            block = lay_out(parse(paragraph, bold=bold), style, self._metrics, width=width)
            box = Box((page_width - width) / 2, y, width, 0)
            ops = place(block, box, style, anchor="middle" if bold else "start")
            yield Group(tuple(ops), tag=Tag("H1" if title else "P"))
            y += block.height + 2.4


def _line(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Op:
    return StrokePath(line(x1, y1, x2, y2), _INK, _HAIRLINE)
