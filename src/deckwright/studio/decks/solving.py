"""Questions for the solver, each in a process of its own that ends with the question."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from starlette.requests import Request

from deckwright.base.choices import ChoiceError

Json = dict[str, object]
_GLANCE = 0.25
"""Every so many seconds it is looked whether somebody still waits."""


async def solved(folder: Path, question: str, said: Mapping[str, object], request: Request) -> Json:
    """Return what the solver says; nothing is said to a page that waits no longer.

    Raises:
        ChoiceError: if the solver is not installed, or has no answer.
    """
    work = asyncio.create_task(_run(folder, question, said))
    try:
        while not work.done():
            await asyncio.wait({work}, timeout=_GLANCE)
            if not work.done() and await request.is_disconnected():
                return {}
    finally:
        if not work.done():
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
    found = work.result()
    answer = found.get("answer")
    if not isinstance(answer, dict):
        hint = found.get("hint")
        message = str(found.get("message") or "the solver has failed")
        raise ChoiceError(message, hint if isinstance(hint, str) else None)
    return answer


async def _run(folder: Path, question: str, said: Mapping[str, object]) -> Json:
    command = (sys.executable, "-m", "deckwright.studio.decks.thinking", question)
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        output, _ = await process.communicate(json.dumps(said).encode())
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
    try:
        found = json.loads(output)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
