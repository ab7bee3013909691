"""A two-sided page that measures a printer's duplex offset and its unprintable margins.

The front has crosses, the back has scales behind them. Held against the light, the lines of a cross
cross the scales, at zero for a perfect printer. The readings are the values of `--back-offset`. At
each edge of the paper, stepped lines show the margin that the printer leaves white.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deckwright.base.geometry import Box, translation
from deckwright.base.strings import base_language
from deckwright.base.units import Mm
from deckwright.ops.model import DrawGlyphs, Group, Op, StrokePath, Tag
from deckwright.ops.outlines import line
from deckwright.sheet.grid import Flip, SheetFormat
from deckwright.sheet.pages import RULER_LENGTH, Page, draw_ruler
from deckwright.text.paragraphs import TextStyle, lay_out
from deckwright.text.placing import place_text
from deckwright.text.richtext import parse_rich_text
from deckwright.text.shaping import Metrics
from deckwright.text.words import Piece

_WORDS = Path(__file__).with_suffix(".json")
OFFSET_COMMAND = "deckwright calibrate --printer NAME --back-offset Xmm,Ymm"
MARGINS_COMMAND = "deckwright calibrate --printer NAME --margins Amm,Bmm,Cmm,Dmm"


class CalibrationWords(NamedTuple):
    """The texts of the page.

    Attributes:
        title: the title of the file.
        sides: the names of the two sides.
        print: how to print it, with braces for the edge to flip it on.
        edges: the names of these edges.
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


def load_calibration_words(language: str) -> CalibrationWords:
    """Return the texts in a language such as "de" or "de-AT", in English if not translated."""
    known = json.loads(_WORDS.read_text(encoding="utf-8"))
    words = known.get(base_language(language).lower(), known["en"])
    return CalibrationWords(**words)


_INK = "#000000"
_SCALE_REACH: Mm = 6
"""The length of a scale from its middle; a larger offset means a broken printer."""
_STEP: Mm = 0.5
_SCALE_DISTANCE: Mm = 10
"""The distance of scales from the center of the cross."""
_ARM: Mm = 15
_TICKS = (2.4, 1.6, 0.9)
"""The lengths of numbered ticks, and of those at whole and half millimetres."""
_CROSS_INSET: Mm = 40
_HAIRLINE: Mm = 0.12
_TEXT_SIZE, _NUMBER_SIZE = 3.4, 2.1
_TICKS_PER_LABEL = 6
"""Every sixth tick has a number, so that numbers do not touch."""
_GAP: Mm = 0.8
"""The gap between a number and its tick."""
_MAX_EDGE, _STAIR_STEP = 15, 4.6
"""The largest margin that can be measured, and the length of each step."""


def make_calibration_pages(
    width: Mm, height: Mm, flip: Flip, family: str, metrics: Metrics, language: str = "en"
) -> tuple[Page, Page]:
    """Return the front and back of the page for paper of this size, in English or translated."""
    sheet = SheetFormat("", width, height, 1, 1, width, height, flip=flip)
    words = load_calibration_words(language)

    def set_word(
        text: str, x: Mm, y: Mm, *, size: Mm = _NUMBER_SIZE, bold: bool = False, share: float = 0.5
    ) -> Op:
        """Return a word on the baseline `y`, with a `share` of its width left of `x`."""
        font = f"{family}-{'bold' if bold else 'regular'}"
        shaped = metrics.shape(font, text)
        left = x - shaped.width * size * share
        return DrawGlyphs(font, size, left, y, shaped.text, shaped.kerns, _INK)

    def set_paragraphs(paragraphs: Sequence[str], y: Mm) -> Iterator[Op]:
        """Yield paragraphs from `y` down; titles and commands are bold and centered."""
        measure = min(150.0, width - _CROSS_INSET)
        for paragraph in paragraphs:
            title = paragraph.startswith("Deckwright: ")
            style = TextStyle(family, _TEXT_SIZE * (1.5 if title else 1), _INK, 1.35)
            bold = title or paragraph in {OFFSET_COMMAND, MARGINS_COMMAND}
            rich = parse_rich_text(paragraph, Piece(bold=bold))
            block = lay_out(rich, style, metrics, width=measure)
            box = Box((width - measure) / 2, y, measure, 0)
            ops = place_text(block, box, style, anchor="middle" if bold else "start")
            yield Group(tuple(ops), tag=Tag("H1" if title else "P"))
            y += block.height + 2.4

    inset = _CROSS_INSET
    corners = [(x, y) for y in (inset, height - inset) for x in (inset, width - inset)]
    front: list[Op] = []
    back: list[Op] = []
    for x, y in ((width / 2, height / 2), *corners):
        front += [_line(x - _ARM, y, x + _ARM, y), _line(x, y - _ARM, x, y + _ARM)]
        box = sheet.mirrored(Box(x, y, 0, 0))
        back += _draw_scales(box.x, box.y, set_word)
    # Stepped lines at the middle of each edge, one millimetre further in with each step.
    for name, matrix in (
        ("A", translation(width / 2, 0)),
        ("B", (0, 1, -1, 0, width, height / 2)),
        ("C", (-1, 0, 0, -1, width / 2, height)),
        ("D", (0, -1, 1, 0, 0, height / 2)),
    ):
        stair: list[Op] = []
        for step in range(1, _MAX_EDGE + 1):
            start = (step - (_MAX_EDGE + 1) / 2 - 0.5) * _STAIR_STEP
            below = step + _GAP + 0.7 * _NUMBER_SIZE
            stair.append(_line(start, step, start + _STAIR_STEP, step))
            stair.append(set_word(str(step), start + _STAIR_STEP / 2, below))
        end = (_MAX_EDGE / 2) * _STAIR_STEP
        stair.append(set_word(name, end + 3, _MAX_EDGE + 1, size=_TEXT_SIZE, bold=True))
        front.append(Group(tuple(stair), matrix))
    front += draw_ruler((width - RULER_LENGTH) / 2, height * 0.7, family)
    upper, lower = max(_CROSS_INSET + _ARM + 3, height * 0.25), height / 2 + _ARM + 3
    print_it = words.print.format(words.edges[flip.value])
    front += set_paragraphs([words.sides[0], print_it], upper)
    front += set_paragraphs([words.margins, MARGINS_COMMAND], lower)
    back += set_paragraphs([words.sides[1], words.read], upper)
    back += set_paragraphs([OFFSET_COMMAND, words.after], lower)
    return Page(width, height, ops=tuple(front)), Page(width, height, ops=tuple(back))


def _draw_scales(x: Mm, y: Mm, set_word: Callable[..., Op]) -> Iterator[Op]:
    """Yield a horizontal scale above the point x, y and a vertical one to its left."""
    left, top = x - _SCALE_DISTANCE, y - _SCALE_DISTANCE
    yield _line(x - _SCALE_REACH, top, x + _SCALE_REACH, top)
    yield _line(left, y - _SCALE_REACH, left, y + _SCALE_REACH)
    for step in range(-round(_SCALE_REACH / _STEP), round(_SCALE_REACH / _STEP) + 1):
        at = step * _STEP
        tick = _TICKS[0 if step % _TICKS_PER_LABEL == 0 else 1 if step % 2 == 0 else 2]
        yield _line(x + at, top - tick, x + at, top)
        yield _line(left - tick, y + at, left, y + at)
        if step % _TICKS_PER_LABEL == 0:
            number = f"{at:+.0f}".replace("-", "−") if step else "0"
            yield set_word(number, x + at, top - _TICKS[0] - _GAP)
            beside = left - _TICKS[0] - _GAP
            yield set_word(number, beside, y + at + 0.35 * _NUMBER_SIZE, share=1)
    yield set_word("X", x + _SCALE_REACH + 3, top + 0.4, size=_TEXT_SIZE, bold=True)
    yield set_word("Y", left, y + _SCALE_REACH + 4.4, size=_TEXT_SIZE, bold=True)


def _line(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Op:
    return StrokePath(line(x1, y1, x2, y2), _INK, _HAIRLINE)
