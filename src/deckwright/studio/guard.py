"""What is let in: requests of the studio's own page, and nothing of anybody else's.

A page of a stranger in another tab can send requests to this machine as well. It cannot forge Host,
Origin and `Sec-Fetch-Site`, and does not know the token. Names that mean this machine today may
mean another tomorrow, and the other way round: what counts is the address that we are bound to, and
Host is compared with that as it came, before anything makes a URL of it. There are no cookies:
browsers send those of one port to all others.
"""

from __future__ import annotations

import json
import secrets
from asyncio import Transport
from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deckwright.studio.keys import Keys, is_same
from deckwright.studio.pace import Bucket

HOST: Final = "127.0.0.1"
"""The only address that the studio is bound to."""
TOKEN_HEADER: Final = "x-deckwright-token"  # noqa: S105 - the name of a header
MOST_BYTES: Final = 512 * 1024
"""The most that a request may bring."""
PICTURE: Final = "/api/edit/picture"
"""What takes a picture, which is larger than any other request."""
_MOST_OF_PICTURES: Final = 27 * 1024 * 1024
"""The most that a request to it may bring: 20 MB, in base64."""
PROOF: Final = "/api/session"
"""What proves to anybody who asks that the token is known here."""

_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""What every answer says, unless it says something else itself."""
_OWN: Final = (200, 40)
"""How many requests are answered at once, and how many a second: nobody types that fast."""
_CLEAR: Final = (b"clear-site-data", b'"cache"')
"""Makes a browser forget what a program kept in its cache that had this port before us."""
_GONE: Final = b"""addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(registration.unregister()));
"""
"""What browsers get who ask for the service worker of such a program: it does away with itself."""


def address_of(port: int, token: str) -> str:
    """Return what the browser is opened with; what follows the # is sent to nobody."""
    return f"http://{HOST}:{port}/#{token}"


class Refusal(NamedTuple):
    """Why a request is not answered: a status of HTTP, and words."""

    status: int
    message: str


class Guard:
    """Stands before the application and lets in what may come in.

    Attributes:
        app: what it stands before.
        keys: what the page must know.
        strangers: connections that have shown no key, the one that is idle for longest first.
    """

    def __init__(self, app: ASGIApp, port: int, token: str | None = None) -> None:
        """Guard an application that is bound to a port.

        Args:
            token: a new one if None.
        """
        self.app = app
        self._hosts = {f"{name}:{port}".encode() for name in (HOST, "localhost")}
        self.keys = Keys(token or secrets.token_urlsafe(32), port)
        self._paces = {method: Bucket(*_OWN) for method in ("GET", "POST")}
        self.strangers: dict[Transport, None] = {}
        self._is_known = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self.refusal(scope)
        if refusal is None and _Headers(scope["headers"]).one("service-worker"):
            await _answer(200, "text/javascript", _GONE, _with_headers(send))
            return
        if refusal is None and scope["method"] == "POST":
            most = _MOST_OF_PICTURES if scope["path"] == PICTURE else MOST_BYTES
            body = await _body(receive, most)
            if body is None:
                refusal = Refusal(413, f"a request has at most {most} bytes")
            else:
                receive = _once(body, receive)
        fresh = scope["path"] == "/" and not self._is_known
        send = _with_headers(send, [_CLEAR] if fresh else [])
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            said = json.dumps({"message": refusal.message}).encode()
            await _answer(refusal.status, "application/json", said, send)

    def refusal(self, scope: Scope) -> Refusal | None:
        """Return why a request is not let in, None if it is."""
        headers = _Headers(scope["headers"])
        if headers.all("host") not in [[host] for host in self._hosts]:
            return Refusal(421, "this is not the address of the studio")
        if headers.one("service-worker"):
            return None
        return self._foreign(scope, headers) or self._unknown(scope) or self._hasty(scope)

    def _foreign(self, scope: Scope, headers: _Headers) -> Refusal | None:
        """Return why it is not the studio's own page that asks."""
        method = scope["method"]
        if method not in {"GET", "POST"}:
            return Refusal(405, f"the studio knows no {method}")
        origins, site = headers.all("origin"), headers.one("sec-fetch-site")
        own = origins in [[b"http://" + host] for host in self._hosts]
        if method == "POST":
            if not own or site not in {"", "same-origin"}:
                return Refusal(403, "only the studio's own page may change anything")
            if headers.one("content-type").partition(";")[0].strip().lower() != "application/json":
                return Refusal(415, "the studio takes JSON alone")
            return None
        # The page itself says nothing, and may be linked to.
        foreign = site not in {"", "same-origin", "none"} or (origins and not own)
        if foreign and scope["path"] != "/":
            return Refusal(403, "only the studio's own page may read this")
        return None

    def _unknown(self, scope: Scope) -> Refusal | None:
        """Return why it is not somebody who knows the token that asks."""
        path = scope["path"]
        if path in {"/", PROOF} or path.startswith("/assets/"):
            return None
        if self.knows(scope):
            self._is_known = True
            return None
        return Refusal(401, "open the address that the terminal shows")

    def knows(self, scope: Scope) -> bool:
        """Return whether a request has the key that it needs."""
        link = self.keys.link(scope["path"])
        if link is not None:
            given = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])
            if is_same(given[0], link):
                return True
        return is_same(_Headers(scope["headers"]).one(TOKEN_HEADER), self.keys.page)

    def _hasty(self, scope: Scope) -> Refusal | None:
        """Return why somebody who may ask has asked too often. Files and pictures cost little."""
        path = scope["path"]
        if not path.startswith("/api/") or path == PROOF or self._paces[scope["method"]].take():
            return None
        return Refusal(429, "too many requests at once: wait a moment")


class _Headers:
    """The headers of a request as they came."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._raw = [(name.decode("latin-1").lower(), value) for name, value in raw]

    def all(self, wanted: str) -> list[bytes]:
        """Return all values of a header."""
        return [value for name, value in self._raw if name == wanted]

    def one(self, wanted: str) -> str:
        """Return the value of a header, "" if there is none; several are none that we know."""
        return b",".join(self.all(wanted)).decode("latin-1")


async def _body(receive: Receive, most: int) -> bytes | None:
    """Return what a request brings, None if that is more than `most` bytes."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > most:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def _once(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was received already, and then what comes."""
    waiting = [body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again


def _with_headers(send: Send, more: Iterable[tuple[bytes, bytes]] = ()) -> Send:
    """Return what sends an answer with the headers that every answer has, and some more."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), *more]
            names = {name.lower() for name, _ in headers}
            headers += [
                (name.encode(), value.encode())
                for name, value in _HEADERS.items()
                if name.encode() not in names
            ]
            message = {**message, "headers": headers}
        await send(message)

    return guarded


async def _answer(status: int, media_type: str, body: bytes, send: Send) -> None:
    headers = {"content-type": media_type, "content-length": str(len(body)), "connection": "close"}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
