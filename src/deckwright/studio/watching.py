"""Seeing when a file of the game changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from watchfiles import awatch

from deckwright.base.files import is_folder
from deckwright.game.folder import GameFolder

_SETTLED = 10
"""So many milliseconds without another change, and what was saved is read."""
_LONGEST = 400
"""So many milliseconds of changes without a pause are not waited for any longer."""
_LOOK = 1_000
"""Every so many milliseconds it is seen whether folders are still the same ones."""
_POLL = 300
"""How often all files are looked at where the system tells of no changes, in milliseconds."""


async def changes(folder: GameFolder, stop: asyncio.Event, *, poll: bool) -> AsyncIterator[None]:
    """Yield when something in the game's folders has changed and come to rest.

    Folders may come, go and be replaced, as when another branch is checked out.

    Args:
        stop: ends it.
        poll: whether files are looked at again and again, for drives that tell of no changes; so
            they are where the system cannot watch as many.
    """
    while not stop.is_set():
        before = _folders(folder)
        if not before:
            await _wait(stop, _LOOK / 1000)
            if _folders(folder):
                yield
            continue
        fresh = True  # what changed before the watch began is not told
        try:
            async for found in awatch(
                *before,
                watch_filter=None,
                debounce=_LONGEST,
                step=_SETTLED,
                stop_event=stop,
                rust_timeout=_LOOK,
                yield_on_timeout=True,
                force_polling=poll,
                poll_delay_ms=_POLL,
                ignore_permission_denied=True,
            ):
                same = _folders(folder) == before
                if found or fresh or not same:
                    yield
                fresh = False
                if not same:
                    break
        except (OSError, RuntimeError) as error:
            # A folder went away while it was being watched, or the system watches no more files.
            poll = poll or not isinstance(error, FileNotFoundError)
            await _wait(stop, _SETTLED / 1000)
            yield


def _folders(folder: GameFolder) -> dict[Path, tuple[int, int]]:
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


async def _wait(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
