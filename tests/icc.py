"""A small ICC profile of an imaginary press, so that tests need none of the system's.

Version 2 of ICC.1, class `prtr`, CMYK to and from Lab through 16-bit tables. Dark colors use all
four inks in full, so that every ink limit takes effect.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from itertools import product

Triple = tuple[float, float, float]

_WHITE = (0.9642, 1.0, 0.8249)
"""The white of the profile connection space, D50."""
_TO_XYZ = ((0.4361, 0.3851, 0.1431), (0.2225, 0.7169, 0.0606), (0.0139, 0.0971, 0.7141))
"""sRGB, linear, as XYZ at D50."""
_FROM_XYZ = ((3.1339, -1.6169, -0.4906), (-0.9788, 1.9161, 0.0335), (0.0719, -0.2290, 1.4052))
_GRID = 9
_ENTRIES = 257


def press_profile(name: str = "Press for tests") -> bytes:
    """Return the profile as a file."""
    description = name.encode("ascii") + b"\0"
    tags = {
        b"desc": b"desc" + struct.pack(">4xI", len(description)) + description + b"\0" * 78,
        b"cprt": b"text" + bytes(4) + b"none\0",
        b"wtpt": b"XYZ " + bytes(4) + b"".join(map(_fixed, _WHITE)),
        b"A2B0": _table(4, 3, 2, _paper_colors(), scaled=False),
        b"B2A0": _table(3, 4, _GRID, _ink_values(), scaled=True),
    }
    start = 128 + 4 + 12 * len(tags)
    directory, body = struct.pack(">I", len(tags)), b""
    for signature, data in tags.items():
        padded = data + bytes(-len(data) % 4)
        directory += signature + struct.pack(">II", start + len(body), len(data))
        body += padded
    header = struct.pack(
        ">I4sI4s4s4s6H4s4sI4s4sQI12s4s44x",
        start + len(body),
        b"test",
        0x02100000,
        b"prtr",
        b"CMYK",
        b"Lab ",
        *(2026, 1, 1, 0, 0, 0),
        b"acsp",
        bytes(4),
        0,
        bytes(4),
        bytes(4),
        0,
        0,
        b"".join(map(_fixed, _WHITE)),
        b"test",
    )
    assert len(header) == 128
    return header + directory + body


def _fixed(number: float) -> bytes:
    return struct.pack(">i", round(number * 65536))


def _table(inputs: int, outputs: int, grid: int, nodes: Iterable[float], *, scaled: bool) -> bytes:
    """Return a `lut16Type`; `scaled` maps an L of 100 (0xff00) to the last node."""
    straight = [round(n * 65535 / (_ENTRIES - 1)) for n in range(_ENTRIES)]
    light = [min(65535, round(n * 65535 / 65280)) for n in straight]
    curves = [light if scaled and not n else straight for n in range(inputs)]
    identity = b"".join(_fixed(float(n % 4 == 0)) for n in range(9))
    head = b"mft2" + bytes(4) + bytes([inputs, outputs, grid, 0]) + identity
    head += struct.pack(">HH", _ENTRIES, _ENTRIES)
    return head + b"".join(
        struct.pack(f">{len(numbers)}H", *numbers)
        for numbers in (*curves, [round(node) for node in nodes], *[straight] * outputs)
    )


def _paper_colors() -> Iterable[float]:
    """Yield the color of each combination of solid inks."""
    for c, m, y, k in product((0.0, 1.0), repeat=4):
        seen = tuple((1 - ink) * (1 - k) for ink in (c, m, y))
        light, a, b = _lab((seen[0], seen[1], seen[2]))
        yield from (light * 652.8, (a + 128) * 256, (b + 128) * 256)


def _ink_values() -> Iterable[float]:
    """Yield the inks for colors: black is added to the other inks without replacing them."""
    steps = [n / (_GRID - 1) for n in range(_GRID)]
    for light, a, b in product(steps, repeat=3):
        red, green, blue = _rgb((light * 100, a * 256 - 128, b * 256 - 128))
        colored = 1 - red, 1 - green, 1 - blue
        yield from (ink * 65535 for ink in (*colored, min(colored)))


def _times(matrix: Sequence[Triple], vector: Triple) -> Triple:
    rows = [sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix]
    return rows[0], rows[1], rows[2]


def _lab(rgb: Triple) -> Triple:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    xyz = _times(_TO_XYZ, (linear[0], linear[1], linear[2]))
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
        for t in (value / white for value, white in zip(xyz, _WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _rgb(lab: Triple) -> Triple:
    y = (lab[0] + 16) / 116
    parts = [
        t**3 if t**3 > 0.008856 else (t - 16 / 116) / 7.787
        for t in (y + lab[1] / 500, y, y - lab[2] / 200)
    ]
    x, y, z = (part * white for part, white in zip(parts, _WHITE, strict=True))
    clipped = [min(1.0, max(0.0, c)) for c in _times(_FROM_XYZ, (x, y, z))]
    rgb = [12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in clipped]
    return rgb[0], rgb[1], rgb[2]
