"""The check of the whole game: the command itself, in a process of its own.

It takes seconds, and must not keep the studio's own thread from showing what has changed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from pathlib import Path

from deckwright.studio.notices import Notice, notices_in

_NICE = 15


async def checked(folder: Path, *, untrusted: bool = False) -> tuple[Notice, ...] | None:
    """Return all that is wrong with the game in a folder; None if that cannot be told.

    Where this is cancelled, the process ends.

    Args:
        untrusted: whether the game is a stranger's, whose layout has limits.
    """
    # Without -P, Python would take modules from the folder that it is started in.
    command = [sys.executable, "-P", "-m", "deckwright", "check", "--format", "json"]
    command += ["--untrusted"] if untrusted else []
    try:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
        )
    except OSError:  # the folder is gone
        return None
    if hasattr(os, "setpriority"):  # what one looks at comes first
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
    try:
        report, _ = await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()  # else asyncio complains of it when the studio has ended
    try:
        return notices_in(report)
    except ValueError:
        return None
