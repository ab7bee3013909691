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

from deckwright.studio.answering import while_wanted
from deckwright.studio.saying import SaidError, mistake

Json = dict[str, object]


async def solved(folder: Path, question: str, said: Mapping[str, object], request: Request) -> Json:
    """Return what the solver says; nothing is said to a page that waits no longer.

    Raises:
        ChoiceError: if it has no answer.
    """
    found = await while_wanted(request, _run(folder, question, said))
    if found is None:
        return {}
    answer = found.get("answer")
    if isinstance(answer, dict):
        return answer
    if "message" not in found:
        raise SaidError("decks-solver-failed", message="the solver has failed")
    raise mistake(found)


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
