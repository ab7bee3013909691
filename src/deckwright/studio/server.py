"""The running studio: its port, its address, the browser it opens, its end."""

from __future__ import annotations

import html
import http.client
import json
import logging
import os
import re
import secrets
import socket
import sys
import time
import webbrowser
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from types import FrameType
from typing import NamedTuple

import uvicorn

from deckwright.api import Game, open_game
from deckwright.base.files import read_file, write_bytes
from deckwright.base.findings import ChoiceError
from deckwright.studio.app import create_app
from deckwright.studio.guard import (
    HOST,
    PROOF_PATH,
    GuardedConnection,
    build_url,
    is_same_key,
    sign,
)
from deckwright.studio.session import StudioSession

_REDIRECT_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Deckwright</title>
<a href="{address}">Deckwright</a>
"""
_BROWSER_READ_SECONDS = 5
"""After so many seconds a browser has read the file."""


class BrowserOpener:
    """What opens addresses in the browser."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that only we can read."""
        self._file = folder / "studio.html"

    def __call__(self, address: str) -> None:
        """Open an address. Some browsers do not return until they are closed."""
        self._file.touch(mode=0o600)
        self._file.write_text(_REDIRECT_PAGE.format(address=html.escape(address)), encoding="utf-8")
        Thread(target=webbrowser.open, args=(self._file.as_uri(),), daemon=True).start()

    def wait(self) -> None:
        """Give the browser time to read the file, for somebody who ends at once."""
        time.sleep(_BROWSER_READ_SECONDS)


@contextmanager
def browser_opener() -> Iterator[BrowserOpener]:
    """Give what opens the browser; what it leads by is gone after the block."""
    with TemporaryDirectory(prefix="deckwright-") as folder:  # for its owner alone: mkdtemp
        yield BrowserOpener(Path(folder))


_ADDRESS = re.compile(rf"http://{re.escape(HOST)}:([0-9]{{4,5}})/#([\w-]{{16,99}})", re.ASCII)
_MAX_BYTES = 1000
_ANSWER_TIMEOUT = 3
"""For so many seconds an answer is waited for."""


class RunningStudio(NamedTuple):
    """A studio that is or was open."""

    port: int
    token: str

    @property
    def address(self) -> str:
        """What the browser is opened with."""
        return build_url(self.port, self.token)

    @property
    def answers(self) -> bool:
        """Whether it is there: whether the token is known at its port."""
        nonce = secrets.token_hex(16)
        connection = http.client.HTTPConnection(HOST, self.port, timeout=_ANSWER_TIMEOUT)
        try:
            connection.request("GET", f"{PROOF_PATH}?nonce={nonce}")
            said = json.loads(connection.getresponse().read(_MAX_BYTES))
            run, proof = str(said["run"]), str(said["proof"])
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
            return False
        finally:
            connection.close()
        return is_same_key(proof, sign(self.token, self.port, run, "proof", nonce))


def find_running_studio(folder: Path) -> RunningStudio | None:
    """Return where the studio of the game in a folder was opened last, None if nobody knows."""
    path = _state_file(folder)
    try:
        if not _is_private(path):
            return None
        found = _ADDRESS.fullmatch(read_file(path, _MAX_BYTES).decode("ascii"))
    except (OSError, ValueError):
        return None
    return RunningStudio(int(found[1]), found[2]) if found else None


def remember_studio(folder: Path, address: str) -> None:
    """Note where the studio of a game is open; where that cannot be written, nobody knows."""
    path = _state_file(folder)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
        if _is_private(path):
            write_bytes(path, address.encode())


def _is_private(path: Path) -> bool:
    """Return whether a file is ours, and read by nobody else."""
    status = path.lstat()
    return not hasattr(os, "geteuid") or (
        status.st_uid == os.geteuid() and not status.st_mode & 0o077
    )


def _state_file(folder: Path) -> Path:
    import platformdirs  # noqa: PLC0415 - only for the studio

    name = blake2b(os.fsencode(folder.resolve()), digest_size=16).hexdigest()
    return platformdirs.user_state_path("deckwright") / "studio" / name


_FIRST_PORT, _LAST_PORT = 49152, 65535
"""The ports that nobody owns: https://www.rfc-editor.org/rfc/rfc6335#section-6."""
_SWITCH_INTERVAL = 0.001
"""After so many seconds of composing the thread that answers has its turn, if it has something."""
_SHUTDOWN_SECONDS = 2
"""How many seconds answers that are being sent have when the studio ends."""


class _Server(uvicorn.Server):
    """Sends those away who listen to events when it ends, for they would stay for ever."""

    def __init__(
        self, config: uvicorn.Config, desk: StudioSession, begin: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._desk, self._begin = desk, begin

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._begin()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._desk.close()
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # of what is cut off: no news
        super().handle_exit(sig, frame)


def serve(  # noqa: PLR0913 - as many as the command has options
    game: Game | Path | str,
    *,
    port: int = 0,
    token: str | None = None,
    poll: bool = False,
    read_only: bool = False,
    untrusted: bool = False,
    tell: Callable[[str], None] = print,
    left: Callable[[Sequence[str]], None] | None = None,
) -> None:
    """Run the studio of a game until the program is interrupted.

    Args:
        game: an open game, or its folder.
        port: where it listens; any free one if 0.
        token: what the page must know; a new one if None.
        poll: whether files are looked at again and again, for drives that tell of no changes.
        read_only: whether nothing is written to the game's folder.
        untrusted: whether changes are read only after a check within limits finds no error.
        tell: is told the address when the studio can be reached.
        left: is told, when it has ended, what was not saved, if there is anything.

    Raises:
        ChoiceError: if the port is taken.
        GameError: if there is no game in the folder.
        KeyboardInterrupt: when it was interrupted; it has ended in order.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL)
    opened = game if isinstance(game, Game) else open_game(game)
    with bind_port(port) as bound:
        number: int = bound.getsockname()[1]
        desk = StudioSession(opened, poll=poll, read_only=read_only, untrusted=untrusted)
        guard = create_app(desk, number, token)
        config = uvicorn.Config(
            guard,
            http=GuardedConnection,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            log_level="error",  # what strangers send is no news
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
        address = build_url(number, guard.keys.token)
        try:
            _Server(config, desk, lambda: tell(address)).run(sockets=[bound])
        finally:
            if left and desk.unsaved.works:
                left(desk.unsaved.works)


def preferred_port(folder: Path) -> int:
    """Return a port that is free, for the same game the same one where it can be had.

    Browsers remember what a page keeps by its port.
    """
    span = _LAST_PORT - _FIRST_PORT + 1
    port = _FIRST_PORT + zlib.crc32(str(folder.resolve()).encode(errors="replace")) % span
    try:
        bind_port(port).close()
    except ChoiceError:
        return 0
    return port


def bind_port(port: int) -> socket.socket:
    """Return a socket that is bound to a port of this machine's own address.

    Raises:
        ChoiceError: if the port is taken.
    """
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # where it would take a port from another program
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((HOST, port))
        bound.listen()
    except OSError as error:
        bound.close()
        hint = "name another port, or leave out --port for a free one"
        raise ChoiceError(f"the port {port} cannot be had: {error.strerror}", hint) from None
    return bound
