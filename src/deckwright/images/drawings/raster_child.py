"""Rasterize one drawing: a program of its own, run by `rasterize.py` with limits.

It reads a line of JSON and a drawing from its standard input, and writes a PNG to its standard
output. It opens no files but the fonts that it is given.
"""

from __future__ import annotations

import json
import sys

_MAX_CPU_SECONDS, _MAX_MEGABYTES = 20, 1024


def main() -> None:
    """Rasterize the drawing from the standard input."""
    request = json.loads(sys.stdin.buffer.readline())
    text = sys.stdin.buffer.read().decode()
    _limit()
    import resvg_py  # within the limits

    data = resvg_py.svg_to_bytes(
        svg_string=text,
        width=request["width"],
        dpi=96.0,
        skip_system_fonts=True,
        font_files=request["fonts"],
        font_family=request["family"],
        serif_family=request["family"],
        sans_serif_family=request["family"],
    )
    sys.stdout.buffer.write(data)


def _limit() -> None:
    """Set this process's limits, where the system supports them."""
    try:
        import resource  # not on every system
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_CPU_SECONDS, _MAX_CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (_MAX_MEGABYTES << 20, _MAX_MEGABYTES << 20))


if __name__ == "__main__":
    main()
