"""The studio as a program that runs: its port, its address, its end."""

from __future__ import annotations

import logging
import socket
import sys
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import uvicorn

from deckwright.api import Game, open_game
from deckwright.base.choices import ChoiceError
from deckwright.studio.app import guarded
from deckwright.studio.connections import Connection
from deckwright.studio.desk import Desk
from deckwright.studio.guard import HOST, address_of

_FIRST_PORT, _LAST_PORT = 49152, 65535
"""The ports that nobody owns: https://www.rfc-editor.org/rfc/rfc6335#section-6."""
_SWITCH = 0.001
"""After so many seconds of composing the thread that answers has its turn, if it has something."""
_GRACE = 2
"""How many seconds answers that are being sent have when the studio ends."""


class _Server(uvicorn.Server):
    """Sends those away who listen to events when it ends, for they would stay for ever."""

    def __init__(self, config: uvicorn.Config, desk: Desk, begin: Callable[[], None]) -> None:
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
    sys.setswitchinterval(_SWITCH)
    opened = game if isinstance(game, Game) else open_game(game)
    with listening(port) as bound:
        number: int = bound.getsockname()[1]
        desk = Desk(opened, poll=poll, read_only=read_only, untrusted=untrusted)
        guard = guarded(desk, number, token)
        config = uvicorn.Config(
            guard,
            http=Connection,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            log_level="error",  # what strangers send is no news
            timeout_graceful_shutdown=_GRACE,
        )
        address = address_of(number, guard.keys.token)
        try:
            _Server(config, desk, lambda: tell(address)).run(sockets=[bound])
        finally:
            if left and desk.unsaved.works:
                left(desk.unsaved.works)


def usual_port(folder: Path) -> int:
    """Return a port that is free, for the same game the same one where it can be had.

    Browsers remember what a page keeps by its port.
    """
    span = _LAST_PORT - _FIRST_PORT + 1
    port = _FIRST_PORT + zlib.crc32(str(folder.resolve()).encode(errors="replace")) % span
    try:
        listening(port).close()
    except ChoiceError:
        return 0
    return port


def listening(port: int) -> socket.socket:
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
