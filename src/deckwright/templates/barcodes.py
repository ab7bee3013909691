"""Encode QR codes (by segno) and bar codes (by python-barcode) as rows of modules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from deckwright.ops.model import ElementError

if TYPE_CHECKING:
    from segno import QRCode

_MASKS = 8
_GUARD = 4
"""Light modules between two lines in the bit pattern, so that no pattern crosses lines."""
_FORMAT, _TIMING = 8, 6
"""The index of the line and column of the format, and that of the timing patterns."""
_FINDER, _LIGHT = "1011101", "0000"
_RUN_PENALTY, _BLOCK_PENALTY, _FINDER_PENALTY, _BALANCE_PENALTY = 2, 3, 40, 10
"""The penalties of ISO/IEC 18004, 7.8.3: for runs of one color (besides their length), for 2 × 2
blocks, for patterns like finders, and for each 5 % by which the share of dark modules is off."""


def choose_mask(code: QRCode) -> int:
    """Return the mask with the lowest penalty for a QR code (no Micro QR code) made with mask 0."""
    size, masks, counted, inner = _mask_plan(int(code.version))
    by_line, by_column = _pack_both_ways([*code.matrix])
    by_line, by_column = by_line & counted[0], by_column & counted[1]
    width = size + _GUARD
    penalties = []
    for line_mask, column_mask in masks:
        across, penalty = by_line ^ line_mask, 0
        for bits in (across, by_column ^ column_mask):
            same = ~(bits ^ bits >> 1) & inner
            fifth = same & same >> 1 & same >> 2 & same >> 3
            penalty += fifth.bit_count() + _RUN_PENALTY * (fifth & ~(fifth >> 1)).bit_count()
            # Patterns like finders next to light modules.
            modules = f"{_LIGHT}{bits:0{size * width}b}"
            at = modules.find(_FINDER)
            while at >= 0:
                after = at + len(_FINDER)
                if modules[at - _GUARD : at] == _LIGHT or modules[after : after + _GUARD] == _LIGHT:
                    penalty += _FINDER_PENALTY
                else:
                    after = at + _GUARD
                at = modules.find(_FINDER, after)
        same = ~(across ^ across >> 1) & inner
        blocks = same & same >> width & ~(across ^ across >> width)
        off_balance = abs(across.bit_count() / size**2 * 100 - 50)
        penalty += _BLOCK_PENALTY * blocks.bit_count() + _BALANCE_PENALTY * int(off_balance / 5)
        penalties.append(penalty)
    return penalties.index(min(penalties))


@lru_cache(maxsize=40)
def _mask_plan(version: int) -> tuple[int, tuple[tuple[int, int], ...], tuple[int, int], int]:
    """Return what choosing the mask of codes of a version takes, as bits by lines and by columns.

    That is derived from codes with the same content: the number of modules in a line, the
    difference of each mask to the first one, the modules that count (all except format and
    version), and the modules with a predecessor in their line.
    """
    import segno  # only for codes
    from segno import consts

    codes = [segno.make("0", version=version, mask=mask) for mask in range(_MASKS)]
    usual = codes[0].matrix
    size = len(usual)
    lines = range(size)
    # The format along the finders (7.9.1) is not known yet when the mask is chosen.
    format_places = {*range(_FORMAT + 1), *range(size - _FORMAT, size)} - {_TIMING}
    kinds = [[*row] for row in codes[0].matrix_iter(border=0, verbose=True)]
    fixed = {consts.TYPE_VERSION_DARK, consts.TYPE_VERSION_LIGHT}

    def is_reserved(line: int, column: int) -> bool:
        of_format = (line == _FORMAT and column in format_places) or (
            column == _FORMAT and line in format_places
        )
        return of_format or kinds[line][column] in fixed

    counted = [[not is_reserved(line, column) for column in lines] for line in lines]
    masks = [
        [[counted[i][j] and usual[i][j] != code.matrix[i][j] for j in lines] for i in lines]
        for code in codes
    ]
    inner = _pack_bits([[column > 0 for column in lines]] * size)
    return size, (*map(_pack_both_ways, masks),), _pack_both_ways(counted), inner


def _pack_both_ways(rows: Sequence[Sequence[int]]) -> tuple[int, int]:
    return _pack_bits(rows), _pack_bits(zip(*rows, strict=True))


def _pack_bits(rows: Iterable[Iterable[int]]) -> int:
    """Return modules as the bits of an integer, with light ones after each row."""
    return int("".join("".join("1" if dark else "0" for dark in row) + _LIGHT for row in rows), 2)


MATRIX_KINDS = ("qr", "micro-qr")
CODE_KINDS = (*MATRIX_KINDS, "code128", "ean13", "ean8", "upca")
ERROR_LEVELS = ("L", "M", "Q", "H")
_QUIET_ZONES = {"qr": 4, "micro-qr": 2, "code128": 10, "ean13": 11, "ean8": 7, "upca": 9}
"""The width of the quiet zone around codes, in modules, as their standards require."""


class ModuleGrid(NamedTuple):
    """A code: its rows of modules (True for dark), and the width of its quiet zone in modules.

    Bar codes have one row and no quiet zone above and below.
    """

    rows: tuple[tuple[bool, ...], ...]
    quiet_zone: int


def encode(kind: str, value: str, level: str, version: int | None) -> ModuleGrid:
    """Return the code of a value.

    Args:
        level: the error correction of a QR code, of `ERROR_LEVELS`; raised if there is room.
        version: the size of a QR code, 1 to 40, or 1 to 4 for a Micro QR code; None for the
            smallest possible.

    Raises:
        ElementError: if the value cannot be encoded.
    """
    if not value:
        raise ElementError("value", "a code needs a value", None, "value")
    if kind not in MATRIX_KINDS:
        return ModuleGrid((_encode_bars(kind, value),), _QUIET_ZONES[kind])
    import segno  # only for codes

    micro = kind == "micro-qr"
    size = f"M{version}" if micro and version else version
    try:
        make = partial(segno.make, value, error=level, version=size, micro=micro)
        code = make(mask=None if micro else 0)
    except ValueError as error:
        room = f"version {version}" if version else "any size"
        message = f"a {'Micro ' * micro}QR code of {room} and level {level} cannot hold `{value}`"
        raise ElementError("value", message, "shorten it", "value") from error
    mask = 0 if micro else choose_mask(code)
    if mask:
        code = make(mask=mask)
    return ModuleGrid(tuple(tuple(map(bool, row)) for row in code.matrix), _QUIET_ZONES[kind])


def _encode_bars(name: str, value: str) -> tuple[bool, ...]:
    import barcode  # only for bar codes
    from barcode.errors import BarcodeError

    try:
        symbol = barcode.get(name, value)
        bars = symbol.build()[0]
    except BarcodeError as error:
        message = f"`{name}` cannot hold `{value}`: {error}"
        raise ElementError("value", message, None, "value") from error
    full_code = symbol.get_fullcode()
    if name != "code128" and len(value) == len(full_code) and value != full_code:
        message = f"the check digit of `{value}` is wrong: it must be {full_code[-1]}"
        raise ElementError("value", message, "leave it out, and Deckwright calculates it", "value")
    return tuple(bar == "1" for bar in bars)
