"""What the page and the server prove to each other with a token that neither of them sends.

Ports have had other owners and will have others: what is sent to one is worth nothing there, and
nothing any more when the studio has ended. Each run has a name of its own. The server signs a
number that the page has made up, and so proves that it knows the token; only then the page sends
the key of this run.
"""

from __future__ import annotations

import hmac
import re
import secrets
from typing import Final

LINKED: Final = ("/faces/", "/sheets/", "/files/")
"""Pictures and downloads: what a page links to sends no headers, its address has a key."""
_NONCE = re.compile(r"[0-9a-f]{32,64}", re.ASCII)


class Keys:
    """The keys of one run of the studio; they tell nothing of the token.

    Attributes:
        token: what only the owner's browser knows.
        run: tells this run from others; no secret.
        page: what the page sends with each request.
    """

    def __init__(self, token: str, port: int) -> None:
        """Make the keys of a new run, which is reached at a port."""
        self.token, self.run = token, secrets.token_hex(16)
        self._port = port
        self.page = self._sign("page")
        self._links = {area: self._sign(area) for area in LINKED}

    def proof(self, nonce: str) -> str | None:
        """Return what proves that the token is known here, None if this is no nonce."""
        return self._sign("proof", nonce) if _NONCE.fullmatch(nonce) else None

    def link(self, path: str) -> str | None:
        """Return the key that reads what a path links to, and nothing of another kind."""
        return next((key for area, key in self._links.items() if path.startswith(area)), None)

    def _sign(self, *words: str) -> str:
        return sign(self.token, self._port, self.run, *words)


def sign(token: str, port: int, run: str, *words: str) -> str:
    """Return what only those can make who know the token: HMAC-SHA256, as hexadecimal digits."""
    text = " ".join((str(port), run, *words))
    return hmac.digest(token.encode(), text.encode(), "sha256").hex()


def is_same(given: str, known: str) -> bool:
    """Return whether a key is the known one; how long that takes tells nothing of it."""
    return secrets.compare_digest(given.encode(errors="surrogatepass"), known.encode())
