"""The mask of a QR code, chosen as ISO/IEC 18004:2015, 7.8.3 asks for, for many codes at a time.

segno looks at the modules one by one, eight times, which takes three quarters of the time that a
code takes. Here the modules of a code are the bits of one number, and each rule is a few operations
on it. The codes are those of segno.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from segno import QRCode

_MASKS = 8
_GUARD = 4
"""Light modules between two lines of a code: none of the patterns goes on in the next line."""
_FORMAT, _TIMING = 8, 6
"""The line and the column that tell of the format, and where these cross the timing patterns."""
_FINDER, _LIGHT = "1011101", "0000"
_LONG, _BLOCK, _LIKE_FINDER, _UNEVEN = 2, 3, 40, 10
"""What is added to the penalties, beside the length, for lines of modules of one color, for blocks
of four, for what looks like a part of the finders, and for each 5 % of dark modules too few or too
many."""


class _Plan(NamedTuple):
    """What codes of one size have in common, each as bits by lines, and by columns.

    Attributes:
        size: how many modules a line has.
        masks: what differs between the first mask and each.
        kept: the modules that count: all but those of the format and the version.
        inner: the modules that have a neighbour before them in their line.
    """

    size: int
    masks: tuple[tuple[int, int], ...]
    kept: tuple[int, int]
    inner: int


def best_mask(code: QRCode) -> int:
    """Return the mask, from 0, that a QR code should have.

    Args:
        code: no Micro QR code, with mask 0.
    """
    plan = _plan(int(code.version))
    rows = [*code.matrix]
    seen = (_bits(rows) & plan.kept[0], _bits(zip(*rows, strict=True)) & plan.kept[1])
    penalties = [_penalty(seen[0] ^ across, seen[1] ^ down, plan) for across, down in plan.masks]
    return penalties.index(min(penalties))


@lru_cache(maxsize=40)
def _plan(version: int) -> _Plan:
    """Return what codes of a version have in common; a code without content shows where that is."""
    import segno  # noqa: PLC0415 - only for codes
    from segno import consts  # noqa: PLC0415

    codes = [segno.make("0", version=version, mask=mask) for mask in range(_MASKS)]
    usual = codes[0].matrix
    size = len(usual)
    lines = range(size)
    # Along the finders is the format (7.9.1), which is not there yet when the mask is chosen.
    told = {*range(_FORMAT + 1), *range(size - _FORMAT, size)} - {_TIMING}
    kinds = [[*row] for row in codes[0].matrix_iter(border=0, verbose=True)]
    fixed = {consts.TYPE_VERSION_DARK, consts.TYPE_VERSION_LIGHT}

    def is_told(line: int, column: int) -> bool:
        of_format = (line == _FORMAT and column in told) or (column == _FORMAT and line in told)
        return of_format or kinds[line][column] in fixed

    kept = [[not is_told(line, column) for column in lines] for line in lines]
    masks = [
        [[kept[i][j] and usual[i][j] != code.matrix[i][j] for j in lines] for i in lines]
        for code in codes
    ]
    inner = _bits([[column > 0 for column in lines]] * size)
    return _Plan(size, (*map(_both, masks),), _both(kept), inner)


def _both(rows: Sequence[Sequence[int]]) -> tuple[int, int]:
    return _bits(rows), _bits(zip(*rows, strict=True))


def _bits(rows: Iterable[Iterable[int]]) -> int:
    """Return modules as the bits of a number, with light ones after each row."""
    return int("".join("".join("1" if dark else "0" for dark in row) + _LIGHT for row in rows), 2)


def _penalty(across: int, down: int, plan: _Plan) -> int:
    """Return the penalty of modules, by lines and by columns."""
    size, width = plan.size, plan.size + _GUARD
    total = 0
    for bits in (across, down):
        same = ~(bits ^ bits >> 1) & plan.inner
        fifth = same & same >> 1 & same >> 2 & same >> 3
        total += fifth.bit_count() + _LONG * (fifth & ~(fifth >> 1)).bit_count()
        total += _like_finders(f"{_LIGHT}{bits:0{size * width}b}")
    same = ~(across ^ across >> 1) & plan.inner
    total += _BLOCK * (same & same >> width & ~(across ^ across >> width)).bit_count()
    dark = across.bit_count() / size**2
    return total + _UNEVEN * int(abs(dark * 100 - 50) / 5)


def _like_finders(modules: str) -> int:
    """Return the penalty of what looks like a part of a finder, beside light modules."""
    total, at = 0, modules.find(_FINDER)
    while at >= 0:
        after = at + len(_FINDER)
        if modules[at - _GUARD : at] == _LIGHT or modules[after : after + _GUARD] == _LIGHT:
            total += _LIKE_FINDER
        else:
            after = at + _GUARD
        at = modules.find(_FINDER, after)
    return total
