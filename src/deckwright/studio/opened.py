"""Where a game's studio was opened last: a second start finds the first, and old pages the next.

The address is kept in a file that only its owner can read, beside nobody's game. What it says is
believed when somebody at that port proves to know the token in it.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import secrets
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import read_file, write_bytes
from deckwright.studio.guard import HOST, PROOF, address_of
from deckwright.studio.keys import is_same, sign

_ADDRESS = re.compile(rf"http://{re.escape(HOST)}:([0-9]{{4,5}})/#([\w-]{{16,99}})", re.ASCII)
_MOST_BYTES = 1000
_PATIENCE = 3
"""For so many seconds an answer is waited for."""


class Opened(NamedTuple):
    """A studio that is or was open."""

    port: int
    token: str

    @property
    def address(self) -> str:
        """What the browser is opened with."""
        return address_of(self.port, self.token)

    @property
    def answers(self) -> bool:
        """Whether it is there: whether the token is known at its port."""
        nonce = secrets.token_hex(16)
        connection = http.client.HTTPConnection(HOST, self.port, timeout=_PATIENCE)
        try:
            connection.request("GET", f"{PROOF}?nonce={nonce}")
            said = json.loads(connection.getresponse().read(_MOST_BYTES))
            run, proof = str(said["run"]), str(said["proof"])
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
            return False
        finally:
            connection.close()
        return is_same(proof, sign(self.token, self.port, run, "proof", nonce))


def last_opened(folder: Path) -> Opened | None:
    """Return where the studio of the game in a folder was opened last, None if nobody knows."""
    path = _file(folder)
    try:
        if not _is_private(path):
            return None
        found = _ADDRESS.fullmatch(read_file(path, _MOST_BYTES).decode("ascii"))
    except (OSError, ValueError):
        return None
    return Opened(int(found[1]), found[2]) if found else None


def note_opened(folder: Path, address: str) -> None:
    """Note where the studio of a game is open; where that cannot be written, nobody knows."""
    path = _file(folder)
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


def _file(folder: Path) -> Path:
    import platformdirs  # noqa: PLC0415 - only for the studio

    name = blake2b(os.fsencode(folder.resolve()), digest_size=16).hexdigest()
    return platformdirs.user_state_path("deckwright") / "studio" / name
