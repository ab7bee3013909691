"""Print what the changelog says of a version: `python .ci/notes.py v1.2.0`.

Ends with exit code 1 if the tag is not the program's version, or the changelog has no dated section
for it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def notes(tag: str, changelog: str, program: str) -> str:
    """Return the section of a tag's version.

    Args:
        tag: the version after a `v`.
        changelog: the text of CHANGELOG.md.
        program: the text of the module that has `__version__`.

    Raises:
        ValueError: if the three do not agree.
    """
    found = re.search(r'^__version__ = "(.+)"$', program, re.MULTILINE)
    if found is None or tag != f"v{found[1]}":
        message = f"the tag is {tag}, __version__ is {found[1] if found else 'missing'}"
        raise ValueError(message)
    heading = rf"^## \[{re.escape(found[1])}\] - \d{{4}}-\d\d-\d\d$"
    section = re.search(rf"{heading}\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if section is None or not section[1].strip():
        message = f"CHANGELOG.md says nothing under ## [{found[1]}] - and a date"
        raise ValueError(message)
    return section[1].strip() + "\n"


def main(tag: str) -> None:
    """Print the section of a tag of this repository."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    program = (ROOT / "src" / "deckwright" / "__init__.py").read_text(encoding="utf-8")
    try:
        sys.stdout.buffer.write(notes(tag, changelog, program).encode())
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
