"""The studio's server: its port and URL, opening the browser, and shutdown."""

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
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from types import FrameType
from typing import NamedTuple

import uvicorn

from deckwright.api import Game, open_game
from deckwright.base.files import read_file, write_bytes
from deckwright.base.findings import ChoiceError
from deckwright.studio.answers import fingerprint_of
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
"""The time, in seconds, that a browser gets to read the file."""


class BrowserOpener:
    """Opens URLs in the browser without exposing them in the process list."""

    def __init__(self, folder: Path) -> None:
        """Take a folder that only this user can read."""
        self._file = folder / "studio.html"

    def __call__(self, address: str) -> None:
        """Open a URL in a thread, as some browsers block until they are closed."""
        self._file.touch(mode=0o600)
        self._file.write_text(_REDIRECT_PAGE.format(address=html.escape(address)), encoding="utf-8")
        Thread(target=webbrowser.open, args=(self._file.as_uri(),), daemon=True).start()

    def wait(self) -> None:
        """Give the browser time to read the file before the program exits."""
        time.sleep(_BROWSER_READ_SECONDS)


@contextmanager
def browser_opener() -> Iterator[BrowserOpener]:
    """Yield a browser opener; its redirect file is removed after the block."""
    with TemporaryDirectory(prefix="deckwright-") as folder:  # mode 0700, as mkdtemp makes it
        yield BrowserOpener(Path(folder))


_ADDRESS = re.compile(rf"http://{re.escape(HOST)}:([0-9]{{4,5}})/#([\w-]{{16,99}})", re.ASCII)
_MAX_BYTES = 1000
"""The maximum size of a record or an answer, in bytes."""
_ANSWER_TIMEOUT = 3
"""How long to wait for an answer, in seconds."""


class RunningStudio(NamedTuple):
    """The port and token of a studio that is running, or was."""

    port: int
    token: str

    @property
    def address(self) -> str:
        """The URL to open in a browser."""
        return build_url(self.port, self.token)

    @property
    def is_running(self) -> bool:
        """True if a server at its port proves that it knows the token."""
        nonce = secrets.token_hex(16)
        connection = http.client.HTTPConnection(HOST, self.port, timeout=_ANSWER_TIMEOUT)
        try:
            connection.request("GET", f"{PROOF_PATH}?nonce={nonce}")
            answer = json.loads(connection.getresponse().read(_MAX_BYTES))
            run, proof = str(answer["run"]), str(answer["proof"])
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
            return False
        finally:
            connection.close()
        return is_same_key(proof, sign(self.token, self.port, run, "proof", nonce))


def find_running_studio(folder: Path) -> RunningStudio | None:
    """Return the last recorded studio of the game in a folder, None if there is no record."""
    path = _state_file(folder)
    try:
        if not _is_private(path):
            return None
        match = _ADDRESS.fullmatch(read_file(path, _MAX_BYTES).decode("ascii"))
    except (OSError, ValueError):
        return None
    return RunningStudio(int(match[1]), match[2]) if match else None


def remember_studio(folder: Path, address: str) -> None:
    """Record the URL of a game's studio; do nothing if the record cannot be written."""
    path = _state_file(folder)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
        if _is_private(path):
            write_bytes(path, address.encode())


def _is_private(path: Path) -> bool:
    """Return whether a file belongs to this user and no other can read it."""
    status = path.lstat()
    return not hasattr(os, "geteuid") or (
        status.st_uid == os.geteuid() and not status.st_mode & 0o077
    )


def _state_file(folder: Path) -> Path:
    import platformdirs  # only for the studio

    name = fingerprint_of(os.fsencode(folder.resolve()))
    return platformdirs.user_state_path("deckwright") / "studio" / name


_FIRST_PORT, _LAST_PORT = 49152, 65535
"""The dynamic ports: https://www.rfc-editor.org/rfc/rfc6335#section-6."""
_SWITCH_INTERVAL = 0.001
"""The interpreter's switch interval, in seconds, so that composing does not delay answers."""
_SHUTDOWN_SECONDS = 2
"""The time, in seconds, that running responses get at shutdown."""


class _Server(uvicorn.Server):
    """A server that, at shutdown, closes the event streams, which would never end by themselves."""

    def __init__(
        self, config: uvicorn.Config, session: StudioSession, on_startup: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._session, self._on_startup = session, on_startup

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_startup()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._session.close()
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # do not log cut connections
        super().handle_exit(sig, frame)


def serve(  # noqa: PLR0913 - as many as the command has options
    game: Game | Path | str,
    *,
    port: int = 0,
    token: str | None = None,
    poll: bool = False,
    read_only: bool = False,
    untrusted: bool = False,
    on_ready: Callable[[str], None] = print,
    on_unsaved: Callable[[Sequence[str]], None] | None = None,
) -> None:
    """Run the studio of a game until the program is interrupted.

    Args:
        game: an open game, or its folder.
        port: the port to listen on; any free one if 0.
        token: the page's secret; a new one if None.
        poll: whether to poll files, for drives that do not report changes.
        read_only: whether writing to the game's folder is refused.
        untrusted: whether changes are only read after a sandboxed check finds no error.
        on_ready: called with the URL as soon as the studio accepts connections.
        on_unsaved: called after shutdown with the unsaved changes, if there are any.

    Raises:
        ChoiceError: if the port is taken.
        GameError: if there is no game in the folder.
        KeyboardInterrupt: after an orderly shutdown on interrupt.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL)
    opened = game if isinstance(game, Game) else open_game(game)
    with bind_port(port) as bound:
        number: int = bound.getsockname()[1]
        session = StudioSession(opened, poll=poll, read_only=read_only, untrusted=untrusted)
        guard = create_app(session, number, token)
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
            log_level="error",  # invalid requests need no log
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
        address = build_url(number, guard.keys.token)
        try:
            _Server(config, session, lambda: on_ready(address)).run(sockets=[bound])
        finally:
            if on_unsaved and session.unsaved.items:
                on_unsaved(session.unsaved.items)


def preferred_port(folder: Path) -> int:
    """Return the usual port of the game in a folder if it is free, else 0.

    Browsers key a page's storage by port, so a game should keep its port.
    """
    span = _LAST_PORT - _FIRST_PORT + 1
    port = _FIRST_PORT + zlib.crc32(str(folder.resolve()).encode(errors="replace")) % span
    try:
        bind_port(port).close()
    except ChoiceError:
        return 0
    return port


def bind_port(port: int) -> socket.socket:
    """Return a socket that is bound to a port of the loopback address.

    Raises:
        ChoiceError: if the port is taken.
    """
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # on Windows it would take over a port in use
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((HOST, port))
        bound.listen()
    except OSError as error:
        bound.close()
        hint = "name another port, or leave out --port for a free one"
        raise ChoiceError(f"the port {port} cannot be used: {error.strerror}", hint) from None
    return bound
