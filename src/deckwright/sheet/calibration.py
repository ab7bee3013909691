"""A page with two sides that tells how far off a printer's second side is.

One side has crosses, the other has scales at the places that lie behind them. Against the light
the lines of a cross are seen to cut the scales: at zero if the printer is true. Where they do is
what moves a back to its place, so the numbers that are read are those of `--back-offset`.
"""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.face.ops import DrawGlyphs, Op, StrokePath
from deckwright.face.paragraphs import Style, lay_out
from deckwright.face.placing import place
from deckwright.face.richtext import parse
from deckwright.face.shaping import Metrics
from deckwright.geometry import Box
from deckwright.sheet.grid import Flip, SheetFormat
from deckwright.sheet.pages import Page
from deckwright.sheet.slug import RULER, ruler_ops
from deckwright.units import Mm

_INK = "#000000"
_REACH: Mm = 6
"""How far scales reach from their middle; no printer is farther off that is not broken."""
_STEP: Mm = 0.5
_AWAY: Mm = 10
"""How far scales are from the place that they measure at."""
_ARM: Mm = 15
_TICKS = (2.4, 1.6, 0.9)
"""How long the ticks are of zero, of whole and of half millimetres."""
_EDGE: Mm = 40
_HAIRLINE: Mm = 0.12
_TYPE: Mm = 3.4
_SMALL: Mm = 2.1

_FRONT = (
    "Print both pages on one sheet of paper, on both sides, at 100 % (not “fit to page”), turned "
    "over the {} edge. This ruler must be 100 mm long. Then turn to the other side."
)
_BACK = (
    "Hold the sheet against a lamp, this side towards you. At each scale, read where the thin line "
    "from the other side cuts it: on the level scales that is X, on the upright ones Y. Take the "
    "mean of the five places. With these numbers backs come to lie behind their faces:"
)
_COMMAND = "deckwright calibrate --printer NAME --back-offset Xmm,Ymm"
_AFTER = (
    "The numbers to the right and below are positive. If the five places differ by more than half "
    "a millimetre, the printer turns or stretches the page, which no offset mends."
)


def calibration_pages(
    width: Mm, height: Mm, flip: Flip, family: str, metrics: Metrics
) -> tuple[Page, Page]:
    """Return the two sides of the page for paper of this size."""
    sheet = SheetFormat("", width, height, 1, 1, width, height, flip=flip)
    centres = [
        (width / 2, height / 2),
        *((x, y) for y in (_EDGE, height - _EDGE) for x in (_EDGE, width - _EDGE)),
    ]
    front: list[Op] = []
    for x, y in centres:
        front += [_line(x - _ARM, y, x + _ARM, y), _line(x, y - _ARM, x, y + _ARM)]
    front += ruler_ops((width - RULER) / 2, height * 0.66, family)
    front += _text(
        ["Deckwright: calibration, side 1", _FRONT.format(flip.value)], height * 0.25, width,
        family, metrics,
    )  # fmt: skip
    back: list[Op] = []
    for x, y in centres:
        behind = sheet.behind(Box(x, y, 0, 0))
        back += _scales(behind.x, behind.y, family)
    back += _text(
        ["Deckwright: calibration, side 2", _BACK, _COMMAND, _AFTER], height * 0.25, width,
        family, metrics,
    )  # fmt: skip
    return Page(width, height, ops=tuple(front)), Page(width, height, ops=tuple(back))


def _scales(x: Mm, y: Mm, family: str) -> Iterator[Op]:
    """Yield a level scale above the place x, y and an upright one to the left of it."""
    left, top, font = x - _AWAY, y - _AWAY, f"{family}-regular"
    yield _line(x - _REACH, top, x + _REACH, top)
    yield _line(left, y - _REACH, left, y + _REACH)
    for step in range(-round(_REACH / _STEP), round(_REACH / _STEP) + 1):
        at = step * _STEP
        tick = _TICKS[0 if step == 0 else 1 if step % 2 == 0 else 2]
        yield _line(x + at, top - tick, x + at, top)
        yield _line(left - tick, y + at, left, y + at)
        if step % 4 == 0:
            number = f"{at:+.0f}".replace("-", "−") if step else "0"
            yield DrawGlyphs(font, _SMALL, x + at - 0.5 * len(number), top - 3.2, number, (), _INK)
            yield DrawGlyphs(
                font, _SMALL, left - 2.8 - 0.9 * len(number), y + at + 0.7, number, (), _INK
            )
    yield DrawGlyphs(f"{family}-bold", _TYPE, x + _REACH + 2, top + 0.4, "X", (), _INK)
    yield DrawGlyphs(f"{family}-bold", _TYPE, left - 1.6, y + _REACH + 4, "Y", (), _INK)


def _text(
    paragraphs: list[str], y: Mm, page_width: Mm, family: str, metrics: Metrics
) -> Iterator[Op]:
    """Yield paragraphs from `y` down, the first one bold."""
    width = min(150.0, page_width - 2 * _EDGE)
    for number, paragraph in enumerate(paragraphs):
        style = Style(family, _TYPE if number else _TYPE * 1.5, _INK, 1.35)
        bold = number == 0 or paragraph == _COMMAND
        block = lay_out(parse(paragraph, bold=bold), style, metrics, width=width)
        box = Box((page_width - width) / 2, y, width, 0)
        yield from place(block, box, style, anchor="middle" if bold else "start")
        y += block.height + 3


def _line(x1: Mm, y1: Mm, x2: Mm, y2: Mm) -> Op:
    return StrokePath((("M", x1, y1), ("L", x2, y2)), _INK, _HAIRLINE)
