"""With which code the program ends."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the shell is told; 70 is EX_SOFTWARE of BSD's sysexits.h, 130 is 128 and SIGINT."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    """The command line was not understood; click ends with the same code."""
    FILES = 3
    """A file cannot be read or written."""
    BUG = 70
    """A fault of Deckwright itself."""
    INTERRUPTED = 130
