"""The running studio: one thread for the game, the watcher, the check, and those who listen."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from watchfiles import awatch

from deckwright.api import Game
from deckwright.base.files import is_folder
from deckwright.base.findings import ChoiceError
from deckwright.game.folder import GameFolder
from deckwright.studio.answers import FolderWriter, fingerprint_of
from deckwright.studio.described import FindingData, parse_check_report
from deckwright.studio.faces import ChangeEvent
from deckwright.studio.live_game import LiveGame, UnsettledError

HEARTBEAT_SECONDS: Final = 15.0
"""After so many seconds of silence a comment is sent, so that a dead connection is noticed."""
_MAX_LISTENERS = 12
"""How many may listen: browsers that are well-behaved need one."""
_MAX_QUEUED_EVENTS = 200
"""How many events may wait for a listener; one that is further behind is sent away."""


class TooManyListenersError(Exception):
    """More want to listen than may."""


class EventStreams:
    """Who listens."""

    def __init__(self, most: int = _MAX_LISTENERS, pulse: float = HEARTBEAT_SECONDS) -> None:
        """Begin with nobody.

        Args:
            most: how many may listen.
            pulse: the longest silence, in seconds.
        """
        self._most, self._heartbeat = most, pulse
        self._waiting: set[asyncio.Queue[str | None]] = set()

    def send(self, event: Mapping[str, object]) -> None:
        """Tell everybody."""
        line = format_event(event)
        for queue in [*self._waiting]:
            try:
                queue.put_nowait(line)
            except asyncio.QueueFull:
                self._dismiss(queue)

    def close(self) -> None:
        """Send everybody away."""
        for queue in [*self._waiting]:
            self._dismiss(queue)

    def join(self, first: Mapping[str, object]) -> AsyncGenerator[str, None]:
        """Return what one more listener is told, from `first` on.

        Raises:
            TooManyError: if too many listen.
        """
        if len(self._waiting) >= self._most:
            raise TooManyListenersError
        queue: asyncio.Queue[str | None] = asyncio.Queue(_MAX_QUEUED_EVENTS)
        queue.put_nowait(format_event(first))
        self._waiting.add(queue)
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
            self._waiting.discard(queue)

    def _dismiss(self, queue: asyncio.Queue[str | None]) -> None:
        self._waiting.discard(queue)
        while queue.full():
            queue.get_nowait()
        queue.put_nowait(None)


def format_event(event: Mapping[str, object]) -> str:
    """Return an event as a stream has it."""
    return f"data: {json.dumps(event)}\n\n"


_SETTLE_MS = 10
"""So many milliseconds without another change, and what was saved is read."""
_MAX_DEBOUNCE_MS = 400
"""So many milliseconds of changes without a pause are not waited for any longer."""
_FOLDER_CHECK_MS = 1_000
"""Every so many milliseconds it is seen whether folders are still the same ones."""
_POLL_MS = 300
"""How often all files are looked at where the system tells of no changes, in milliseconds."""


async def watch_changes(
    folder: GameFolder, stop: asyncio.Event, *, poll: bool
) -> AsyncIterator[None]:
    """Yield when something in the game's folders has changed and come to rest.

    Folders may come, go and be replaced, as when another branch is checked out.

    Args:
        stop: ends it.
        poll: whether files are looked at again and again, for drives that tell of no changes; so
            they are where the system cannot watch as many.
    """
    while not stop.is_set():
        before = _watched_folders(folder)
        if not before:
            await _wait_for_stop(stop, _FOLDER_CHECK_MS / 1000)
            if _watched_folders(folder):
                yield
            continue
        fresh = True  # what changed before the watch began is not told
        try:
            async for found in awatch(
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
                if found or fresh or not same:
                    yield
                fresh = False
                if not same:
                    break
        except (OSError, RuntimeError) as error:
            # A folder went away while it was being watched, or the system watches no more files.
            poll = poll or not isinstance(error, FileNotFoundError)
            await _wait_for_stop(stop, _SETTLE_MS / 1000)
            yield


def _watched_folders(folder: GameFolder) -> dict[Path, tuple[int, int]]:
    """Return the folders that are watched, with what tells them from others of their names."""
    found = {}
    for path in (folder.xml, folder.images, *folder.template_folders):
        if is_folder(path):
            try:
                status = path.stat()
            except OSError:
                continue
            found[path] = status.st_dev, status.st_ino
    return found


async def _wait_for_stop(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


_MAX_ITEMS, _MAX_CHARACTERS = 200, 200


class UnsavedChanges:
    """Works by their ids. They stay in the browser, whichever of its tabs is closed."""

    def __init__(self) -> None:
        """Begin with none."""
        self._works: dict[str, str] = {}

    @property
    def works(self) -> tuple[str, ...]:
        """What is not saved, in words."""
        return tuple(self._works.values())

    def note(self, work: object, text: object) -> None:
        """Note that a work is not saved, in words; or that it is, by None.

        Raises:
            ChoiceError: if this is no such note.
        """
        if not isinstance(work, str) or not isinstance(text, str | None):
            raise ChoiceError("a note needs the id of a work, and words or null")
        work = fingerprint_of(work.encode(errors="replace"))  # however long it is
        self._works.pop(work, None)
        if not text:
            return
        if len(self._works) >= _MAX_ITEMS:
            raise ChoiceError(f"no more than {_MAX_ITEMS} works are kept")
        line = "".join(filter(str.isprintable, text))
        self._works[work] = line[:_MAX_CHARACTERS]


_CHECK_NICENESS = 15


async def run_check(folder: Path, *, untrusted: bool = False) -> tuple[FindingData, ...] | None:
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
            os.setpriority(os.PRIO_PROCESS, process.pid, _CHECK_NICENESS)
    try:
        report, _ = await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()  # else asyncio complains of it when the studio has ended
    try:
        return parse_check_report(report)
    except ValueError:
        return None


P = ParamSpec("P")
R = TypeVar("R")

_COMPOSE_SECONDS = 0.04
"""For so many seconds faces are composed before the next request has its turn."""
_RETRY_SECONDS = 0.12
"""So many seconds after a mistake has come it is believed: a file may have been half-written."""
_QUIET_SECONDS = 1.0
"""So many seconds nothing changes before the whole game is checked."""
_RESTART_SECONDS = 1.0
"""So many seconds after work has failed for a reason of our own it is begun again."""


class StudioSession:
    """The studio while it runs.

    Attributes:
        gallery: the game; only what `ask` calls may use it.
        streams: who listens.
        folder: the game's.
        saving: what writes to it.
        unsaved: what pages have not saved yet.
        after_look: is called whenever files of the game have changed and were read.
        at_end: what is awaited when the studio ends.
        closing: is called when it is to end, before answers that are worked on are waited for.
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
            read_only: whether nothing is written.
            poll: whether files are looked at again and again, for network drives.
            check: whether the whole game is checked after each change.
            untrusted: whether what has changed is read only when a check within limits of time and
                memory finds no error in it.
        """
        self.gallery = LiveGame(game)
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

    async def ask(self, call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call something of the gallery in the game's thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: call(*args, **kwargs))

    async def wall(self, style: str | None) -> dict[str, object]:
        """Return a wall; its faces are composed one after the other, with events.

        Raises:
            ChoiceError: if there is no such style.
        """
        made = await self.ask(self.gallery.wall, style)
        self._pending.set()
        return made

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Watch, compose and check within the block."""
        self._unchecked.set()
        works = [self._watch, self._compose]
        if self._runs_checks:
            works.append(self._check)
        tasks = [asyncio.create_task(_keep_running(work)) for work in works]
        try:
            yield
        finally:
            self.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, *(end() for end in self.on_end), return_exceptions=True)
            self.end()

    def close(self) -> None:
        """End the streams, the watcher, and what takes long."""
        self._stop.set()
        self.streams.close()
        for call in self.on_closing:
            call()

    @property
    def is_closing(self) -> bool:
        """Whether nobody is answered any more who has to wait."""
        return self._stop.is_set()

    def end(self) -> None:
        """End the game's thread, when nothing is asked any more."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def look(self, *, patient: bool = False) -> None:
        """Read what has changed, and tell everybody.

        Args:
            patient: whether a mistake that has come is believed only when it is still there a
                moment later.
        """
        if self._untrusted and not await self._passes_check():
            return
        try:
            event = await self.ask(self.gallery.reload, patient=patient, seconds=_COMPOSE_SECONDS)
        except UnsettledError:
            await asyncio.sleep(_RETRY_SECONDS)
            await self.look()
            return
        if event is not None:
            await self._tell(event)
            self.streams.send({"kind": "files"})  # more may hang on them than faces
            self._unchecked.set()
        for call in self.after_reload:
            call()
        self._pending.set()

    async def _passes_check(self) -> bool:
        """Return whether a check within limits finds no error in what is there now; tell what."""
        found = await run_check(self.folder.path, untrusted=True)
        if found is None:
            return False
        event = await self.ask(self.gallery.note, found)
        if event is not None:
            await self._tell(event)
        return not any(each.is_error for each in found)

    async def _tell(self, event: ChangeEvent) -> None:
        """Tell everybody, and paint what they will ask for."""
        self.streams.send(event)
        await self.ask(self.gallery.paint)

    async def _watch(self) -> None:
        async for _ in watch_changes(self.folder, self._stop, poll=self._poll):
            await self.look(patient=True)

    async def _compose(self) -> None:
        self._pending.set()  # where it is begun again, some may be left
        while True:
            await self._pending.wait()
            self._pending.clear()
            left = True
            while left:
                event, left = await self.ask(self.gallery.compose, _COMPOSE_SECONDS)
                if event is not None:
                    await self._tell(event)

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
            found = None if check.cancelled() else check.result()
            if found is not None and not self._unchecked.is_set():
                event = await self.ask(self.gallery.note, found)
                self._pending.set()
                if event is not None:
                    await self._tell(event)


async def _keep_running(work: Callable[[], Awaitable[None]]) -> None:
    """Do work until it ends; where it fails for a reason of our own, tell, and begin again."""
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 - whatever it is, the next change may mend it
            traceback.print_exc(file=sys.stderr)
            await asyncio.sleep(_RESTART_SECONDS)
        else:
            return
