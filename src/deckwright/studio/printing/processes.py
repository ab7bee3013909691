"""A process that lays out pages or makes files, as the studio sees it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from deckwright.studio.saying import SaidError, said

Json = dict[str, Any]

_COMMAND = (sys.executable, "-P", "-m", "deckwright.studio.printing.child")
_LONGEST = 2**28
"""How many bytes a line may have: the picture of a page, as text."""
_PATIENCE = 5
"""After so many seconds a process that was to end is ended by force."""
_TIMES = 5
"""So often it is told to end, within these seconds."""


class RefusedError(Exception):
    """What was asked for cannot be had.

    Attributes:
        status: of HTTP.
        answer: what the page is told.
    """

    def __init__(self, status: int, answer: Json) -> None:
        """Take what a process has answered."""
        super().__init__(answer.get("message", ""))
        self.status, self.answer = status, answer


class Child:
    """A process that answers one question at a time."""

    def __init__(self, process: Process) -> None:
        """Take a process that has just begun."""
        self._process = process

    @classmethod
    async def begun(cls) -> Child:
        """Begin a process; Ctrl-C in the terminal ends the studio, which ends its processes."""
        return cls(
            await asyncio.create_subprocess_exec(
                *_COMMAND, stdin=PIPE, stdout=PIPE, limit=_LONGEST, start_new_session=True
            )
        )

    async def ask(self, question: Json, hear: Callable[[Json], None] = lambda _: None) -> Any:  # noqa: ANN401 - what JSON may be
        """Return the answer to a question.

        Args:
            hear: is told how far the work has come.

        Raises:
            RefusedError: if it cannot be answered, or the process has ended.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(ConnectionError):
            process.stdin.write(json.dumps(question).encode() + b"\n")
            await process.stdin.drain()
        while line := await process.stdout.readline():
            answer = json.loads(line)
            if "told" in answer:
                hear(answer["told"])
            elif "refused" in answer:
                raise RefusedError(answer["status"], answer["refused"])
            else:
                return answer["reply"]
        message = "the work has ended before it was done; the terminal may say why"
        raise RefusedError(500, said(SaidError("print-ended", message=message)))

    def stop(self) -> None:
        """Let it refuse the question that it is asked as soon as it can, and keep what it knows."""
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(b"\n")

    def terminate(self) -> None:
        """Tell it to end."""
        if self.lives:
            self._signal(signal.SIGTERM)

    @property
    def pid(self) -> int:
        """The number of the process, and of the group that it leads."""
        return self._process.pid

    @property
    def lives(self) -> bool:
        """Whether it can be asked."""
        return self._process.returncode is None

    async def end(self) -> None:
        """End it with those that it has begun: what it was writing is as it was before."""
        process = self._process
        if process.returncode is not None:
            return
        for _ in range(_TIMES):  # what a signal raises is swallowed where a worker is forked
            self._signal(signal.SIGTERM)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._gone(), _PATIENCE / _TIMES)
                return
        self._signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        await process.wait()

    async def _gone(self) -> None:
        """Wait until it has ended, and all that it has begun."""
        await self._process.wait()
        with suppress(ProcessLookupError):
            while sys.platform != "win32":
                os.killpg(self.pid, 0)
                await asyncio.sleep(0.01)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to it and to its workers, which would not end by themselves."""
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                self._process.terminate()
            else:  # it leads a group of its own
                os.killpg(self.pid, number)


class Press:
    """The process of previews: begun when it is first needed, and kept."""

    def __init__(self) -> None:
        """Begin with none."""
        self._child: Child | None = None
        self._turn = asyncio.Lock()
        self._closed = False

    async def ask(self, question: Json) -> Any:  # noqa: ANN401 - what JSON may be
        """Return the answer to a question; where this is cancelled, it works on it no longer.

        It is not ended for that: what it has laid out before is still looked at.

        Raises:
            RefusedError: if it cannot be answered.
        """
        async with self._turn:
            if self._closed:
                raise RefusedError(503, {"message": "the studio ends", "hint": None})
            if self._child is None or not self._child.lives:
                self._child = await Child.begun()
            answer = asyncio.ensure_future(self._child.ask(question))
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError:
                self._child.stop()
                # Its answer would be taken for that to the next question.
                done, _ = await asyncio.wait((answer,), timeout=_PATIENCE)
                if not done:
                    await self._child.end()
                await asyncio.gather(answer, return_exceptions=True)
                raise

    def close(self) -> None:
        """Have whoever waits for an answer wait no longer, for the studio ends."""
        self._closed = True
        if self._child is not None:
            self._child.terminate()

    async def end(self) -> None:
        """End it."""
        if self._child is not None:
            await self._child.end()
