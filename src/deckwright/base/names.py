"""Names of things and files: comparing them and making them unique.

Names are compared in Unicode's composed form, NFC. One keyboard types an ü as one character,
another system stores it as a u and a combining mark. Both look alike and mean one name:
https://www.unicode.org/reports/tr15/.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from deckwright.base.files import path_exists

UNSAFE_NAME = re.compile(r'^\.|[/\\:*?"<>|\x00-\x1f]')
"""Parts of file names that some systems do not allow."""
RESERVED_NAMES = frozenset(
    f"{name}{number}" for name in ("com", "lpt") for number in range(1, 10)
) | {
    "con",
    "prn",
    "aux",
    "nul",
}
"""Names that Windows reserves for devices, whatever the extension."""
_MAX_NAME_BYTES = 255
"""The longest file name on common file systems."""
_LONG = 1000
_PARTS = re.compile(r"\S{1,1000}|\s+")


def to_nfc(text: str) -> str:
    """Return a text in composed form, in which texts are compared."""
    if text.isascii():
        return text
    if len(text) <= _LONG:
        return unicodedata.normalize("NFC", text)
    # Normalizing a run of marks takes quadratic time, so overlong words are cut into pieces.
    return "".join(unicodedata.normalize("NFC", part) for part in _PARTS.findall(text))


def make_unique(name: str, taken: set[str], joint: str = "_", most: int = 1000) -> str:
    """Return a name that is not taken, with a number appended if needed, and mark it as taken.

    Names that differ only in case count as the same.

    Args:
        joint: stands before the number.
        most: the maximum length in characters.
    """
    free, number = name[:most], 1
    while free.casefold() in taken:
        number += 1
        end = f"{joint}{number}"
        free = name[: most - len(end)] + end
    taken.add(free.casefold())
    return free


def is_file_name(name: str) -> bool:
    """Return whether every system allows this file name."""
    short = len(name.encode(errors="replace")) <= _MAX_NAME_BYTES
    stem = name.partition(".")[0].casefold()
    return bool(name) and short and not UNSAFE_NAME.search(name) and stem not in RESERVED_NAMES


@cache
def to_letters(number: int) -> str:
    """Return the letters of a number from 1 on: A to Z, then AA, AB and so on."""
    result = ""
    while number:
        number, rest = divmod(number - 1, 26)
        result = chr(ord("A") + rest) + result
    return result


def find_existing(path: Path) -> Path:
    """Return the path of an existing file, whatever Unicode form its name has on disk.

    A path that does not exist is returned unchanged.
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
    """Return a file's name with `?` for characters that cannot be printed."""
    return "".join(char if char.isprintable() else "?" for char in name)
