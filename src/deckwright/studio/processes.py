"""Child processes: modules of Deckwright that run apart from the studio."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Any


async def start_process(*words: str, **options: Any) -> Process:  # as asyncio has them
    """Start a module in a child process, with pipes to its input and output.

    Args:
        words: the module's name and arguments.

    Raises:
        OSError: if it cannot be started, as when its working folder is gone.
    """
    # Without -P, Python would import modules from the game's folder.
    return await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", *words, stdin=PIPE, stdout=PIPE, **options
    )


async def run_process(*words: str, folder: Path, data: bytes = b"", niceness: int = 0) -> bytes:
    """Run a module in a folder until it ends; return its output.

    Cancelling this ends the process.

    Args:
        words: the module's name and arguments.
        data: its input.

    Raises:
        OSError: if the folder is gone.
    """
    process = await start_process(*words, cwd=folder, stderr=DEVNULL)
    if niceness and hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, niceness)
    try:
        output, _ = await process.communicate(data)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()  # or asyncio warns of it at shutdown
    return output
