"""A running studio: the game's thread, the file watcher, the check and the event streams."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from watchfiles import awatch

from deckwright.api import Game
from deckwright.base.files import is_folder
from deckwright.base.findings import ChoiceError
from deckwright.game.folder import GameFolder
from deckwright.studio.answers import FolderWriter, Json, fingerprint_of
from deckwright.studio.described import FindingData, parse_check_report
from deckwright.studio.faces import ChangeEvent
from deckwright.studio.live_game import LiveGame, UnsettledError
from deckwright.studio.processes import run_process

HEARTBEAT_SECONDS: Final = 15.0
"""The interval of keep-alive comments, in seconds, which detect dead connections."""
_MAX_LISTENERS = 12
"""The maximum number of open event streams; a page needs one."""
_MAX_QUEUED_EVENTS = 200
"""The maximum number of queued events; slower listeners are disconnected."""


class TooManyListenersError(Exception):
    """Too many event streams are open."""


class EventStreams:
    """The open event streams (server-sent events)."""

    def __init__(
        self, max_listeners: int = _MAX_LISTENERS, heartbeat: float = HEARTBEAT_SECONDS
    ) -> None:
        """Start without listeners; `heartbeat` is the interval of keep-alive comments."""
        self._max_listeners, self._heartbeat = max_listeners, heartbeat
        self._queues: set[asyncio.Queue[str | None]] = set()

    def send(self, event: Mapping[str, object]) -> None:
        """Send an event to all listeners."""
        line = format_event(event)
        for queue in [*self._queues]:
            try:
                queue.put_nowait(line)
            except asyncio.QueueFull:
                self._dismiss(queue)

    def close(self) -> None:
        """End all streams."""
        for queue in [*self._queues]:
            self._dismiss(queue)

    def subscribe(self, first: Mapping[str, object]) -> AsyncGenerator[str, None]:
        """Open a stream that begins with the event `first`.

        Raises:
            TooManyListenersError: if too many streams are open.
        """
        if len(self._queues) >= self._max_listeners:
            raise TooManyListenersError
        queue: asyncio.Queue[str | None] = asyncio.Queue(_MAX_QUEUED_EVENTS)
        queue.put_nowait(format_event(first))
        self._queues.add(queue)
        return self._lines(queue)

    async def _lines(self, queue: asyncio.Queue[str | None]) -> AsyncGenerator[str, None]:
        try:
            while True:
                try:
                    line = await asyncio.wait_for(queue.get(), self._heartbeat)
                except TimeoutError:
                    line = ": still here\n\n"
                if line is None:
                    return
                yield line
        finally:
            self._queues.discard(queue)

    def _dismiss(self, queue: asyncio.Queue[str | None]) -> None:
        self._queues.discard(queue)
        while queue.full():
            queue.get_nowait()
        queue.put_nowait(None)


def format_event(event: Mapping[str, object]) -> str:
    """Return an event as the text of a server-sent event."""
    return f"data: {json.dumps(event)}\n\n"


_SETTLE_MS = 10
"""Changes are read after this many milliseconds without another change."""
_MAX_DEBOUNCE_MS = 400
"""The longest time, in milliseconds, to wait for a pause between changes."""
_FOLDER_CHECK_MS = 1_000
"""The interval, in milliseconds, at which watched folders are checked for replacement."""
_POLL_MS = 300
"""The polling interval, in milliseconds, where the system reports no changes."""


async def watch_changes(
    folder: GameFolder, stop: asyncio.Event, *, poll: bool
) -> AsyncIterator[None]:
    """Yield after files in the game's folders have changed and settled.

    Folders may appear, vanish and be replaced, as when another branch is checked out.

    Args:
        stop: ends the watch.
        poll: whether to poll, for drives that report no changes; also the fallback if the system
            cannot watch that many files.
    """
    while not stop.is_set():
        before = _watched_folders(folder)
        if not before:
            await _wait_for_stop(stop, _FOLDER_CHECK_MS / 1000)
            if _watched_folders(folder):
                yield
            continue
        fresh = True  # changes before the watch began go unreported
        try:
            async for changed in awatch(
                *before,
                watch_filter=None,
                debounce=_MAX_DEBOUNCE_MS,
                step=_SETTLE_MS,
                stop_event=stop,
                rust_timeout=_FOLDER_CHECK_MS,
                yield_on_timeout=True,
                force_polling=poll,
                poll_delay_ms=_POLL_MS,
                ignore_permission_denied=True,
            ):
                same = _watched_folders(folder) == before
                if changed or fresh or not same:
                    yield
                fresh = False
                if not same:
                    break
        except (OSError, RuntimeError) as error:
            # A watched folder has vanished, or the system's limit on watches is reached.
            poll = poll or not isinstance(error, FileNotFoundError)
            await _wait_for_stop(stop, _SETTLE_MS / 1000)
            yield


def _watched_folders(folder: GameFolder) -> dict[Path, tuple[int, int]]:
    """Return the folders to watch, with device and inode to detect replacement."""
    folders = {}
    for path in (folder.xml, folder.images, *folder.template_folders):
        if is_folder(path):
            try:
                status = path.stat()
            except OSError:
                continue
            folders[path] = status.st_dev, status.st_ino
    return folders


async def _wait_for_stop(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


_MAX_ITEMS, _MAX_CHARACTERS = 10_000, 200


class UnsavedChanges:
    """The unsaved changes that pages have reported, which only the browser's storage keeps."""

    def __init__(self) -> None:
        self._items: dict[str, str] = {}

    @property
    def items(self) -> tuple[str, ...]:
        """Descriptions of the unsaved changes."""
        return tuple(self._items.values())

    def note(self, item: str, text: str | None) -> None:
        """Record the description of an unsaved change, or None once it is saved.

        Raises:
            ChoiceError: if there are too many changes.
        """
        item = fingerprint_of(item.encode(errors="replace"))  # ids may be of any length
        self._items.pop(item, None)
        if not text:
            return
        if len(self._items) >= _MAX_ITEMS:
            raise ChoiceError(f"there are more than {_MAX_ITEMS:,} unsaved changes")
        line = "".join(filter(str.isprintable, text))
        self._items[item] = line[:_MAX_CHARACTERS]


_CHECK_NICENESS = 15
"""The niceness of the check, over which previews have priority."""


async def run_check(folder: Path, *, untrusted: bool = False) -> tuple[FindingData, ...] | None:
    """Check the game in a folder in a child process; return its findings, None if that fails.

    Cancelling this ends the process.

    Args:
        untrusted: whether to check with limits of time and memory.
    """
    words = ["deckwright", "check", "--format", "json", *(["--untrusted"] if untrusted else [])]
    try:
        return parse_check_report(
            await run_process(*words, folder=folder, niceness=_CHECK_NICENESS)
        )
    except (OSError, ValueError):  # the folder is gone, or the check has failed
        return None


P = ParamSpec("P")
R = TypeVar("R")

_COMPOSE_SECONDS = 0.04
"""The time slice, in seconds, for composing faces between requests."""
_RETRY_SECONDS = 0.12
"""The delay, in seconds, before a new error is shown: a file may have been half-written."""
_QUIET_SECONDS = 1.0
"""The quiet time, in seconds, before a full check starts."""
_RESTART_SECONDS = 1.0
"""The delay, in seconds, before a background task is restarted after an internal error."""


class StudioSession:
    """A running studio.

    Attributes:
        live_game: the game; use it only through `call`.
        streams: the open event streams.
        folder: the game's folder.
        writer: writes to it.
        unsaved: the changes that pages have not saved yet.
        after_reload: callbacks for when changed files of the game were read.
        on_end: coroutines to await at the end of shutdown.
        on_closing: callbacks for the start of shutdown, before running requests are awaited.
    """

    def __init__(
        self,
        game: Game,
        *,
        poll: bool = False,
        check: bool = True,
        read_only: bool = False,
        untrusted: bool = False,
    ) -> None:
        """Take an open game.

        Args:
            poll: whether to poll files, for network drives.
            check: whether to check the whole game after each change.
            read_only: whether writing is refused.
            untrusted: whether changes are only read after a check with limits of time and memory
                finds no error.
        """
        self.live_game = LiveGame(game)
        self.streams = EventStreams()
        self.folder, self._poll, self._runs_checks = game.folder, poll, check
        self._untrusted = untrusted
        self.writer = FolderWriter(game.folder, read_only=read_only)
        self.unsaved = UnsavedChanges()
        self.after_reload: list[Callable[[], None]] = []
        self.on_end: list[Callable[[], Awaitable[None]]] = []
        self.on_closing: list[Callable[[], None]] = []
        self._thread = ThreadPoolExecutor(1, "game")
        self._stop = asyncio.Event()
        self._pending = asyncio.Event()
        self._unchecked = asyncio.Event()

    async def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function in the game's thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: function(*args, **kwargs))

    async def face_grid(self, style: str | None) -> Json:
        """Return the face grid of a style; its faces are composed in the background and sent later.

        Raises:
            ChoiceError: if there is no such style.
        """
        grid = await self.call(self.live_game.face_grid, style)
        self._pending.set()
        return grid

    async def switch_language(self, language: str) -> None:
        """Show the game in a language, "" for its own; see `LiveGame.switch_language`."""
        await self._broadcast(await self.call(self.live_game.switch_language, language))
        self.streams.send({"kind": "files"})  # sheets and previews follow
        self._pending.set()

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Watch, compose and check in the background within the block."""
        self._unchecked.set()
        jobs = [self._watch, self._compose]
        if self._runs_checks:
            jobs.append(self._check)
        tasks = [asyncio.create_task(_keep_running(work)) for work in jobs]
        try:
            yield
        finally:
            self.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, *(end() for end in self.on_end), return_exceptions=True)
            self.end()

    def close(self) -> None:
        """Begin shutdown: end the streams, the watcher and long-running work."""
        self._stop.set()
        self.streams.close()
        for call in self.on_closing:
            call()

    @property
    def is_closing(self) -> bool:
        """True once shutdown has begun."""
        return self._stop.is_set()

    def end(self) -> None:
        """End the game's thread, after the last call."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def reload(self, *, patient: bool = False) -> None:
        """Read changed files and send the changes to all listeners.

        Args:
            patient: whether a new error is only shown if it is still there a moment later.
        """
        if self._untrusted:
            findings = await run_check(self.folder.path, untrusted=True)
            if findings is None:
                return
            await self._broadcast(await self.call(self.live_game.note_check, findings))
            if any(each.is_error for each in findings):
                return
        try:
            event = await self.call(
                self.live_game.reload, patient=patient, seconds=_COMPOSE_SECONDS
            )
        except UnsettledError:
            await asyncio.sleep(_RETRY_SECONDS)
            await self.reload()
            return
        if event is not None:
            await self._broadcast(event)
            self.streams.send({"kind": "files"})  # more than faces may depend on them
            self._unchecked.set()
        for call in self.after_reload:
            call()
        self._pending.set()

    async def _broadcast(self, event: ChangeEvent | None) -> None:
        """Send an event, if there is one, and paint the pictures that the pages will request."""
        if event is not None:
            self.streams.send(event)
            await self.call(self.live_game.paint_visible)

    async def _watch(self) -> None:
        async for _ in watch_changes(self.folder, self._stop, poll=self._poll):
            await self.reload(patient=True)

    async def _compose(self) -> None:
        self._pending.set()  # after a restart, faces may be left
        while True:
            await self._pending.wait()
            self._pending.clear()
            left = True
            while left:
                event, left = await self.call(self.live_game.compose, _COMPOSE_SECONDS)
                await self._broadcast(event)

    async def _check(self) -> None:
        while True:
            await self._unchecked.wait()
            while self._unchecked.is_set():
                self._unchecked.clear()
                await asyncio.sleep(_QUIET_SECONDS)
            check = asyncio.create_task(run_check(self.folder.path, untrusted=self._untrusted))
            newer = asyncio.create_task(self._unchecked.wait())
            try:
                await asyncio.wait((check, newer), return_when=asyncio.FIRST_COMPLETED)
            finally:
                newer.cancel()
                if not check.done():
                    check.cancel()
                    await asyncio.gather(check, return_exceptions=True)
            findings = None if check.cancelled() else check.result()
            if findings is not None and not self._unchecked.is_set():
                event = await self.call(self.live_game.note_check, findings)
                self._pending.set()
                await self._broadcast(event)


async def _keep_running(work: Callable[[], Awaitable[None]]) -> None:
    """Run a background task until it ends; on an internal error print it and start again."""
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 - the next change may fix any error
            traceback.print_exc(file=sys.stderr)
            await asyncio.sleep(_RESTART_SECONDS)
        else:
            return
