"""What codes consist of: QR codes by segno, bar codes by python-barcode, as rows of modules."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from deckwright.ops.failing import ElementError
from deckwright.templates.masks import best_mask

MATRICES = ("qr", "micro-qr")
_BARS = {"code128": "code128", "ean13": "ean13", "ean8": "ean8", "upca": "upca"}
KINDS = (*MATRICES, *_BARS)
LEVELS = ("L", "M", "Q", "H")
_QUIET = {"qr": 4, "micro-qr": 2, "code128": 10, "ean13": 11, "ean8": 7, "upca": 9}
"""How wide the zone around codes is that stays empty, in modules, as their standards ask for."""


class Code(NamedTuple):
    """A code: its rows of modules, dark or not, and the zone around it, in modules.

    Bar codes have one row, and no zone above and below.
    """

    rows: tuple[tuple[bool, ...], ...]
    quiet: int


def encoded(kind: str, value: str, level: str, version: int | None) -> Code:
    """Return the code of a value.

    Args:
        level: how much of a QR code may be unreadable, of `LEVELS`; more where there is room.
        version: the size of a QR code, from 1 to 40, or to 4 of a Micro QR code; None for the
            smallest that holds the value.

    Raises:
        ElementError: if the value cannot be in such a code.
    """
    if not value:
        raise ElementError("value", "a code needs a value", None, "value")
    rows = (
        _matrix(kind, value, level, version) if kind in MATRICES else (_bars(_BARS[kind], value),)
    )
    return Code(rows, _QUIET[kind])


def _matrix(kind: str, value: str, level: str, version: int | None) -> tuple[tuple[bool, ...], ...]:
    import segno  # noqa: PLC0415 - only for codes

    micro = kind == "micro-qr"
    size = f"M{version}" if micro and version else version
    try:
        make = partial(segno.make, value, error=level, version=size, micro=micro)
        code = make(mask=None if micro else 0)
    except ValueError as error:
        room = f"version {version}" if version else "any size"
        message = f"a {'Micro ' * micro}QR code of {room} and level {level} cannot hold `{value}`"
        raise ElementError("value", message, "shorten it", "value") from error
    mask = 0 if micro else best_mask(code)
    if mask:
        code = make(mask=mask)
    return tuple(tuple(map(bool, row)) for row in code.matrix)


def _bars(name: str, value: str) -> tuple[bool, ...]:
    import barcode  # noqa: PLC0415 - only for bar codes
    from barcode.errors import BarcodeError  # noqa: PLC0415

    try:
        made = barcode.get(name, value)
        bars = made.build()[0]
    except BarcodeError as error:
        raise ElementError(
            "value", f"`{value}` cannot be in `{name}`: {error}", None, "value"
        ) from (error)
    whole = made.get_fullcode()
    if name != "code128" and len(value) == len(whole) and value != whole:
        message = f"the last digit of `{value}` is wrong: it is to be {whole[-1]}"
        raise ElementError("value", message, "leave it out to have it calculated", "value")
    return tuple(bar == "1" for bar in bars)
