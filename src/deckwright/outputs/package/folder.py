"""The folder of a package: its checksums, and whether another may take its place."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from deckwright.base.files import files_below, is_folder, is_there, read_file
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.outputs.package.model import LARGEST, SUMS, TICKET_JSON

E100 = Code("E100", Severity.ERROR, "a folder that is no package of Deckwright")

_LINE = re.compile(r"([0-9a-f]{64}) [ *]([^\0]+)")


def sums(files: Mapping[str, Path]) -> bytes:
    """Return the checksums of files by their names in the package, as `sha256sum -c` reads them."""
    lines = []
    for name, path in files.items():
        with path.open("rb") as stream:
            lines.append(f"{hashlib.file_digest(stream, 'sha256').hexdigest()}  {name}\n")
    return "".join(lines).encode()


def read_sums(text: str) -> dict[str, tuple[int, str]]:
    """Return the lines and checksums of files by their names.

    Raises:
        ValueError: if it is no such list.
    """
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        matched = _LINE.fullmatch(line)
        if matched is None:
            raise ValueError(f"line {number} is not a checksum and the name of a file")
        found[matched.group(2)] = number, matched.group(1)
    return found


def usable(target: Path, report: Report) -> bool:
    """Return whether a package may be put at `target`: nothing of the user's is lost by that."""
    place = Location(target)
    hint = "name another folder with `--out`"
    if not is_there(target):
        return True
    if not is_folder(target):
        report.append(E100.at(place, "a package is a folder, and this is a file", hint))
        return False
    there = {path.relative_to(target).as_posix() for path in files_below(target)}
    if not there and not any(target.iterdir()):
        return True
    try:
        ours = {SUMS, *read_sums(read_file(target / SUMS, LARGEST).decode())}
    except (OSError, ValueError):
        ours = set()
    if TICKET_JSON not in ours:
        report.append(E100.at(place, "the folder is not empty, and it is no package", hint))
        return False
    others = sorted(there - ours)
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        message = f"the package has a file that is not part of it, `{others[0]}`{more}"
        report.append(E100.at(place, message, f"move it away, or {hint}"))
        return False
    return True
