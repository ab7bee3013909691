"""Names: how they are compared, and what comes of one that is taken.

They are compared in Unicode's composed form, NFC. One keyboard types an ü as one character, another
system stores it as a u and a mark above it. Both look alike, and both mean one name:
https://www.unicode.org/reports/tr15/.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from deckwright.base.files import path_exists

UNSAFE_NAME = re.compile(r'^\.|[/\\:*?"<>|\x00-\x1f]')
"""What the name of a file does not have on every system."""
RESERVED_NAMES = frozenset(
    f"{name}{number}" for name in ("com", "lpt") for number in range(1, 10)
) | {
    "con",
    "prn",
    "aux",
    "nul",
}
"""What Windows takes for something else than a file, whatever its ending."""
_MAX_NAME_BYTES = 255
"""How many bytes the name of a file has at most, on usual file systems."""
_LONG = 1000
_PARTS = re.compile(r"\S{1,1000}|\s+")


def to_nfc(text: str) -> str:
    """Return a text in the form in which texts are compared."""
    if text.isascii():
        return text
    if len(text) <= _LONG:
        return unicodedata.normalize("NFC", text)
    # Marks without end take time by their square, so no word is taken that is longer than any.
    return "".join(unicodedata.normalize("NFC", part) for part in _PARTS.findall(text))


def make_unique(name: str, taken: set[str], joint: str = "_", most: int = 1000) -> str:
    """Return a name, with a number behind it if it is taken, whatever its capitals; and take it.

    Args:
        joint: what stands before the number.
        most: how many characters it may have.
    """
    free, number = name[:most], 1
    while free.casefold() in taken:
        number += 1
        end = f"{joint}{number}"
        free = name[: most - len(end)] + end
    taken.add(free.casefold())
    return free


def is_file_name(name: str) -> bool:
    """Return whether a file can have this name on every system."""
    short = len(name.encode(errors="replace")) <= _MAX_NAME_BYTES
    stem = name.partition(".")[0].casefold()
    return bool(name) and short and not UNSAFE_NAME.search(name) and stem not in RESERVED_NAMES


@cache
def to_letters(number: int) -> str:
    """Return letters for a number of at least 1: A to Z, then AA, AB and so on."""
    result = ""
    while number:
        number, rest = divmod(number - 1, 26)
        result = chr(ord("A") + rest) + result
    return result


def find_existing(path: Path) -> Path:
    """Return the path of a file or folder that exists, however its name is composed on the disk.

    The path is returned as it is if there is no such thing.
    """
    if str(path).isascii() or path_exists(path):
        return path
    folder = find_existing(path.parent)
    try:
        return next(
            (other for other in folder.iterdir() if to_nfc(other.name) == to_nfc(path.name)),
            path,
        )
    except OSError:
        return path


def printable_name(name: str) -> str:
    """Return the name of a file as text that can be printed: else `?` for each character."""
    return "".join(char if char.isprintable() else "?" for char in name)
