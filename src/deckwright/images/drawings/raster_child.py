"""Turn one drawing into pixels: a program of its own, run by `rasterized.py` within limits.

It reads a line of JSON and a drawing from its input, and writes a PNG to its output. It has no
business with files but the fonts that it is told.
"""

from __future__ import annotations

import json
import sys

_MAX_CPU_SECONDS, _MAX_MEGABYTES = 20, 1024


def main() -> None:
    """Draw what the input says."""
    asked = json.loads(sys.stdin.buffer.readline())
    text = sys.stdin.buffer.read().decode()
    _limit()
    import resvg_py  # noqa: PLC0415 - within the limits

    data = resvg_py.svg_to_bytes(
        svg_string=text,
        width=asked["width"],
        dpi=96.0,
        skip_system_fonts=True,
        font_files=asked["fonts"],
        font_family=asked["family"],
        serif_family=asked["family"],
        sans_serif_family=asked["family"],
    )
    sys.stdout.buffer.write(data)


def _limit() -> None:
    """Set the limits of this process, where the system has any."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_CPU_SECONDS, _MAX_CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (_MAX_MEGABYTES << 20, _MAX_MEGABYTES << 20))


if __name__ == "__main__":
    main()
