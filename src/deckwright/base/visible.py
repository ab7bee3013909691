"""Make what is printed harmless: what steers a terminal or a CI becomes text that can be seen.

Names of files and values are what strangers wrote. Printed as they are, they could move the cursor,
turn the order of letters, begin lines of their own, or give orders to the program that reads the
log: GitHub takes lines that begin with `::` for commands, and GitHub, Azure and TeamCity texts such
as `##[error]` or `##vso[…]` anywhere in a line.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

_STEERING = re.compile(
    "[\0-\x08\n-\x1f\x7f-\x9f"  # C0 but for the tab, DEL and C1
    "\u2028\u2029"  # line and paragraph separators
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates of writing directions
    "\ufeff\ufff9-\ufffb"  # byte order mark, annotations
    "\ud800-\udfff]"  # what is no text: bytes of a file's name that are not UTF-8
)
_COMMAND = re.compile(r"^\s*(?=::)|#(?=#\w*\[)")


def visible(text: str) -> str:
    """Return a text as one line that does nothing but show."""
    return _COMMAND.sub(r"\g<0>\\", _STEERING.sub(_escaped, text))


def visible_path(path: Path) -> str:
    """Return a path with slashes; bytes in it that are not UTF-8 are shown as such."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def visible_json(value: object) -> str:
    """Return a value as JSON; what would do more than show is escaped, so that nothing is lost."""
    import json  # noqa: PLC0415 - every command imports this module, few write JSON

    text = json.dumps(value, ensure_ascii=False, indent=2)
    text = re.sub(r"#(?=#\w*\[)", r"\\u0023", text)
    return "\n".join(
        _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in text.split("\n")
    )


def _escaped(found: re.Match[str]) -> str:
    number = ord(found[0])
    short = {"\n": "\\n", "\r": "\\r"}.get(found[0])
    return short or (f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}")  # noqa: PLR2004
