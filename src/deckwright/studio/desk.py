"""The running studio: one thread for the game, the watcher, the check, and those who listen."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeVar

from deckwright.api import Game
from deckwright.studio.checking import checked
from deckwright.studio.gallery import Gallery, UnsettledError
from deckwright.studio.saving import Saving
from deckwright.studio.streams import Streams
from deckwright.studio.told import Event
from deckwright.studio.unsaved import Unsaved
from deckwright.studio.watching import changes

P = ParamSpec("P")
R = TypeVar("R")

_TURN = 0.04
"""For so many seconds faces are composed before the next request has its turn."""
_UNSETTLED = 0.12
"""So many seconds after a mistake has come it is believed: a file may have been half-written."""
_REST = 1.0
"""So many seconds nothing changes before the whole game is checked."""
_AGAIN = 1.0
"""So many seconds after work has failed for a reason of our own it is begun again."""


class Desk:
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
        self.gallery = Gallery(game)
        self.streams = Streams()
        self.folder, self._poll, self._checks = game.folder, poll, check
        self._untrusted = untrusted
        self.saving = Saving(game.folder, read_only=read_only)
        self.unsaved = Unsaved()
        self.after_look: list[Callable[[], None]] = []
        self.at_end: list[Callable[[], Awaitable[None]]] = []
        self.closing: list[Callable[[], None]] = []
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
        if self._checks:
            works.append(self._check)
        tasks = [asyncio.create_task(_ever(work)) for work in works]
        try:
            yield
        finally:
            self.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, *(end() for end in self.at_end), return_exceptions=True)
            self.end()

    def close(self) -> None:
        """End the streams, the watcher, and what takes long."""
        self._stop.set()
        self.streams.close()
        for call in self.closing:
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
        if self._untrusted and not await self._is_good():
            return
        try:
            event = await self.ask(self.gallery.reload, patient=patient, seconds=_TURN)
        except UnsettledError:
            await asyncio.sleep(_UNSETTLED)
            await self.look()
            return
        if event is not None:
            await self._tell(event)
            self.streams.send({"kind": "files"})  # more may hang on them than faces
            self._unchecked.set()
        for call in self.after_look:
            call()
        self._pending.set()

    async def _is_good(self) -> bool:
        """Return whether a check within limits finds no error in what is there now; tell what."""
        found = await checked(self.folder.path, untrusted=True)
        if found is None:
            return False
        event = await self.ask(self.gallery.note, found)
        if event is not None:
            await self._tell(event)
        return not any(each.is_error for each in found)

    async def _tell(self, event: Event) -> None:
        """Tell everybody, and paint what they will ask for."""
        self.streams.send(event)
        await self.ask(self.gallery.paint)

    async def _watch(self) -> None:
        async for _ in changes(self.folder, self._stop, poll=self._poll):
            await self.look(patient=True)

    async def _compose(self) -> None:
        self._pending.set()  # where it is begun again, some may be left
        while True:
            await self._pending.wait()
            self._pending.clear()
            left = True
            while left:
                event, left = await self.ask(self.gallery.compose, _TURN)
                if event is not None:
                    await self._tell(event)

    async def _check(self) -> None:
        while True:
            await self._unchecked.wait()
            while self._unchecked.is_set():
                self._unchecked.clear()
                await asyncio.sleep(_REST)
            check = asyncio.create_task(checked(self.folder.path, untrusted=self._untrusted))
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


async def _ever(work: Callable[[], Awaitable[None]]) -> None:
    """Do work until it ends; where it fails for a reason of our own, tell, and begin again."""
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 - whatever it is, the next change may mend it
            traceback.print_exc(file=sys.stderr)
            await asyncio.sleep(_AGAIN)
        else:
            return
