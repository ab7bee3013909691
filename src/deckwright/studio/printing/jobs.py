"""Print jobs: a queue of exports, each run in a child process, a few at a time."""

from __future__ import annotations

import asyncio
import json
import mimetypes
import os
import secrets
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from deckwright.studio.answers import LocalizedError, RefusedError, pick, serialize_error
from deckwright.studio.processes import start_process

Json = dict[str, Any]

_MAX_LINE_BYTES = 2**28
"""The maximum length of a line, in bytes: the picture of a page as text."""
_TERMINATE_SECONDS = 5
"""The time, in seconds, after which a process that does not terminate is killed."""
_TERMINATE_TRIES = 5
"""The number of signals to terminate that it gets within this time."""


class WorkerProcess:
    """A child process that answers one question at a time."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> WorkerProcess:
        """Start a process in a session of its own, so that Ctrl-C only reaches the studio."""
        return cls(
            await start_process(
                "deckwright.studio.printing.worker", limit=_MAX_LINE_BYTES, start_new_session=True
            )
        )

    async def ask(
        self, question: Json, on_progress: Callable[[Json], None] = lambda _: None
    ) -> Any:  # what JSON may be
        """Return the answer to a question.

        Args:
            on_progress: called with each report of progress.

        Raises:
            RefusedError: if the process refuses the question, or has ended.
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
                on_progress(answer["told"])
            elif "refused" in answer:
                raise RefusedError(answer["status"], answer["refused"])
            else:
                return answer["reply"]
        message = "the work stopped before it was done; the terminal may say why"
        raise RefusedError(500, serialize_error(LocalizedError("print-ended", message=message)))

    def cancel_question(self) -> None:
        """Cancel the current question; the process keeps running with its caches."""
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(b"\n")

    def terminate(self) -> None:
        """Ask the process to end."""
        if self.is_alive:
            self._signal(signal.SIGTERM)

    @property
    def pid(self) -> int:
        """The process id, which is also that of its group."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """True while the process runs."""
        return self._process.returncode is None

    async def end(self) -> None:
        """End the process and its children; files that it was writing stay unchanged."""
        process = self._process
        if process.returncode is not None:
            return
        # A signal's exception is lost while a worker is being forked, so there are several.
        for _ in range(_TERMINATE_TRIES):
            self._signal(signal.SIGTERM)
            with suppress(TimeoutError):
                async with asyncio.timeout(_TERMINATE_SECONDS / _TERMINATE_TRIES):
                    await process.wait()
                    with suppress(ProcessLookupError):  # its children have ended, too
                        while sys.platform != "win32":
                            os.killpg(self.pid, 0)
                            await asyncio.sleep(0.01)
                return
        self._signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        await process.wait()

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and its workers, which would not end by themselves."""
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                self._process.terminate()
            else:  # it leads a group of its own
                os.killpg(self.pid, number)


class PreviewWorker:
    """The child process for previews, started on first use and kept running."""

    def __init__(self) -> None:
        self._process: WorkerProcess | None = None
        self._lock = asyncio.Lock()
        self._closed = False

    async def ask(self, question: Json) -> Any:  # what JSON may be
        """Return the answer to a question; cancelling this cancels the question.

        The process keeps running, since pages it has laid out before are still in use.

        Raises:
            RefusedError: if the process refuses the question.
        """
        async with self._lock:
            if self._closed:
                raise RefusedError(503, {"message": "the studio is closing", "hint": None})
            if self._process is None or not self._process.is_alive:
                self._process = await WorkerProcess.start()
            answer = asyncio.ensure_future(self._process.ask(question))
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError:
                self._process.cancel_question()
                # Otherwise its answer would be taken for the answer to the next question.
                done, _ = await asyncio.wait((answer,), timeout=_TERMINATE_SECONDS)
                if not done:
                    await self._process.end()
                await asyncio.gather(answer, return_exceptions=True)
                raise

    def close(self) -> None:
        """Refuse all questions from now on and terminate the process, at shutdown."""
        self._closed = True
        if self._process is not None:
            self._process.terminate()

    async def end(self) -> None:
        """End the process."""
        if self._process is not None:
            await self._process.end()


JobState = Literal["waiting", "running", "done", "failed", "cancelled"]

_MAX_RUNNING = 2
_MAX_WAITING = 20
"""The maximum number of waiting jobs."""
_MAX_FINISHED = 50
"""The number of finished jobs to keep in the list."""
_MANIFEST_SUFFIX = ".manifest.json"
"""The ending of manifests, which are not offered as downloads."""


@dataclass(slots=True)
class JobFile:
    """A file written by a job.

    Attributes:
        mtime_ns: the modification time, to detect that the file was replaced.
    """

    id: str
    path: Path
    name: str
    bytes: int
    mtime_ns: int

    @property
    def type(self) -> str:
        """Its media type."""
        return mimetypes.guess_type(self.path.name)[0] or "application/octet-stream"

    @property
    def is_unchanged(self) -> bool:
        """True if the file is still as the job wrote it."""
        try:
            status = self.path.lstat()
        except OSError:
            return False
        return (status.st_mtime_ns, status.st_size) == (self.mtime_ns, self.bytes)


@dataclass(slots=True)
class Job:
    """A print job.

    Attributes:
        question: the question for its process.
        progress: the number and name of the current step, and how much of it is done.
        error: the serialized error if the whole job has failed, else empty.
    """

    id: str
    question: Json
    started: str
    state: JobState = "waiting"
    ended: str | None = None
    progress: Json = field(default_factory=dict)
    files: list[JobFile] = field(default_factory=list)
    pages: int = 0
    findings: list[Json] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    error: Json = field(default_factory=dict)

    @property
    def is_finished(self) -> bool:
        """True if it is done, failed or cancelled."""
        return self.state not in {"waiting", "running"}

    def serialize(self) -> Json:
        """Return it as plain data."""
        return {
            **{key: self.question[key] for key in ("thing", "of", "options")},
            "folder": self.question["where"],
            **pick(self, "id", "state", "started", "ended", "pages", "findings", "failed"),
            "progress": self.progress or None,
            "files": [pick(file, "id", "name", "bytes", "type") for file in self.files],
            "message": None,
            "hint": None,
            **self.error,
        }


class JobQueue:
    """The jobs of a studio. For the event loop's thread only."""

    def __init__(self, on_change: Callable[[Json], None]) -> None:
        """Start empty; `on_change` is called with each change of a job."""
        self._on_change = on_change
        self._jobs: dict[str, Job] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(_MAX_RUNNING)

    def serialize_all(self) -> list[Json]:
        """Return all jobs as plain data, newest first."""
        return [job.serialize() for job in reversed(self._jobs.values())]

    def begin(self, question: Json) -> Job:
        """Queue a job.

        Raises:
            LocalizedError: if too many jobs are waiting.
        """
        if sum(job.state == "waiting" for job in self._jobs.values()) >= _MAX_WAITING:
            hint = "wait until some are done, or cancel some"
            raise LocalizedError("print-too-many", message="too many jobs wait", hint=hint)
        job = Job(secrets.token_urlsafe(16), {**question, "call": "make"}, _now())
        self._jobs[job.id] = job
        finished = [each.id for each in self._jobs.values() if each.is_finished]
        for old in finished[:-_MAX_FINISHED]:
            self.forget(old)
        self._tasks[job.id] = asyncio.create_task(self._run(job))
        self._notify(job)
        return job

    def job(self, name: str) -> Job | None:
        """Return the job with an id, None if there is none."""
        return self._jobs.get(name)

    async def cancel(self, job: Job) -> None:
        """Cancel a job, if it has not ended; finished files remain."""
        task = self._tasks.get(job.id)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def forget(self, name: str) -> None:
        """Remove a finished job from the list; its files remain."""
        if self._jobs[name].is_finished:
            del self._jobs[name]
            self._on_change({"kind": "job", "gone": name})

    def file(self, name: str) -> JobFile | None:
        """Return the file with an id, None if no listed job has it."""
        files = (file for job in self._jobs.values() for file in job.files)
        return next((file for file in files if file.id == name), None)

    async def end(self) -> None:
        """Cancel all jobs."""
        await asyncio.gather(*(self.cancel(job) for job in [*self._jobs.values()]))

    async def _run(self, job: Job) -> None:
        def on_progress(progress: Json) -> None:
            if "files" in progress:
                where = Path(job.question["where"]).resolve()
                known = {file.path for file in job.files}
                for path in map(Path, progress["files"]):
                    if path not in known and not path.name.endswith(_MANIFEST_SUFFIX):
                        status, name = path.lstat(), path.relative_to(where).as_posix()
                        size, time = status.st_size, status.st_mtime_ns
                        file_id = secrets.token_urlsafe(24)
                        job.files.append(JobFile(file_id, path, name, size, time))
                return
            if "step" in progress:
                job.progress = {"what": "", "done": 0, "total": 0}
            job.progress = {**job.progress, **progress}
            self._notify(job)

        try:
            async with self._slots:
                job.state = "running"
                self._notify(job)
                child = await WorkerProcess.start()
                try:
                    result = await child.ask(job.question, on_progress)
                finally:
                    await asyncio.shield(child.end())
                job.pages, job.findings = result["pages"], result["findings"]
                job.failed = result["failed"]
                self._finish(job, "failed" if job.failed else "done")
        except asyncio.CancelledError:
            self._finish(job, "cancelled")
        except RefusedError as error:
            job.error = {**error.answer}
            job.findings = job.error.pop("findings", [])
            self._finish(job, "failed")
        except OSError as error:  # the process cannot be started
            why = error.strerror or ""
            message = f"it cannot be made: {why}"
            job.error = serialize_error(LocalizedError("print-no-process", why, message=message))
            self._finish(job, "failed")
        finally:
            self._tasks.pop(job.id, None)

    def _finish(self, job: Job, state: JobState) -> None:
        job.state, job.ended, job.progress = state, _now(), {}
        self._notify(job)

    def _notify(self, job: Job) -> None:
        self._on_change({"kind": "job", "job": job.serialize()})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
