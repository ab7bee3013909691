"""What is let in: requests of the studio's own page, and nothing of anybody else's.

A page of a stranger in another tab can send requests to this machine as well. It cannot forge Host,
Origin and `Sec-Fetch-Site`, and does not know the token. Names that mean this machine today may
mean another tomorrow, and the other way round: what counts is the address that we are bound to, and
Host is compared with that as it came, before anything makes a URL of it. There are no cookies:
browsers send those of one port to all others.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import secrets
import time
from asyncio import Transport
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol


class TokenBucket:
    """So many requests at once, and then so many a second."""

    def __init__(
        self, most: float, a_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin full."""
        self._most, self._rate, self._clock = most, a_second, clock
        self._left, self._then = most, clock()

    def take(self) -> bool:
        """Return whether there is leave for one more request, and take it."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


LINK_PREFIXES: Final = ("/faces/", "/sheets/", "/files/")
"""Pictures and downloads: what a page links to sends no headers, its address has a key."""
_NONCE = re.compile(r"[0-9a-f]{32,64}", re.ASCII)


class RunKeys:
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
        self._link_keys = {area: self._sign(area) for area in LINK_PREFIXES}

    def proof(self, nonce: str) -> str | None:
        """Return what proves that the token is known here, None if this is no nonce."""
        return self._sign("proof", nonce) if _NONCE.fullmatch(nonce) else None

    def link(self, path: str) -> str | None:
        """Return the key that reads what a path links to, and nothing of another kind."""
        return next((key for area, key in self._link_keys.items() if path.startswith(area)), None)

    def _sign(self, *words: str) -> str:
        return sign(self.token, self._port, self.run, *words)


def sign(token: str, port: int, run: str, *words: str) -> str:
    """Return what only those can make who know the token: HMAC-SHA256, as hexadecimal digits."""
    text = " ".join((str(port), run, *words))
    return hmac.digest(token.encode(), text.encode(), "sha256").hex()


def is_same_key(given: str, known: str) -> bool:
    """Return whether a key is the known one; how long that takes tells nothing of it."""
    return secrets.compare_digest(given.encode(errors="surrogatepass"), known.encode())


HOST: Final = "127.0.0.1"
"""The only address that the studio is bound to."""
TOKEN_HEADER: Final = "x-deckwright-token"  # noqa: S105 - the name of a header
MAX_BODY_BYTES: Final = 512 * 1024
"""The most that a request may bring."""
PICTURE_PATH: Final = "/api/edit/picture"
"""What takes a picture, which is larger than any other request."""
_MAX_PICTURE_BODY_BYTES: Final = 27 * 1024 * 1024
"""The most that a request to it may bring: 20 MB, in base64."""
PROOF_PATH: Final = "/api/session"
"""What proves to anybody who asks that the token is known here."""

_DEFAULT_HEADERS: Final = {
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
_RATE_LIMIT: Final = (200, 40)
"""How many requests are answered at once, and how many a second: nobody types that fast."""
_CLEAR_CACHE_HEADER: Final = (b"clear-site-data", b'"cache"')
"""Makes a browser forget what a program kept in its cache that had this port before us."""
_UNREGISTER_WORKER_JS: Final = b"""addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(registration.unregister()));
"""
"""What browsers get who ask for the service worker of such a program: it does away with itself."""


def build_url(port: int, token: str) -> str:
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
        self.keys = RunKeys(token or secrets.token_urlsafe(32), port)
        self._paces = {method: TokenBucket(*_RATE_LIMIT) for method in ("GET", "POST")}
        self.strangers: dict[Transport, None] = {}
        self._has_authenticated = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self.find_refusal(scope)
        if refusal is None and _Headers(scope["headers"]).one("service-worker"):
            await _send_response(200, "text/javascript", _UNREGISTER_WORKER_JS, _with_headers(send))
            return
        if refusal is None and scope["method"] == "POST":
            most = _MAX_PICTURE_BODY_BYTES if scope["path"] == PICTURE_PATH else MAX_BODY_BYTES
            body = await _read_body(receive, most)
            if body is None:
                refusal = Refusal(413, f"a request has at most {most} bytes")
            else:
                receive = _replay(body, receive)
        fresh = scope["path"] == "/" and not self._has_authenticated
        send = _with_headers(send, [_CLEAR_CACHE_HEADER] if fresh else [])
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            said = json.dumps({"message": refusal.message}).encode()
            await _send_response(refusal.status, "application/json", said, send)

    def find_refusal(self, scope: Scope) -> Refusal | None:
        """Return why a request is not let in, None if it is."""
        headers = _Headers(scope["headers"])
        if headers.all("host") not in [[host] for host in self._hosts]:
            return Refusal(421, "this is not the address of the studio")
        if headers.one("service-worker"):
            return None
        return (
            self._refuse_cross_origin(scope, headers)
            or self._unknown(scope)
            or self._refuse_excess(scope)
        )

    def _refuse_cross_origin(self, scope: Scope, headers: _Headers) -> Refusal | None:
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
        if path in {"/", PROOF_PATH} or path.startswith("/assets/"):
            return None
        if self.is_authenticated(scope):
            self._has_authenticated = True
            return None
        return Refusal(401, "open the address that the terminal shows")

    def is_authenticated(self, scope: Scope) -> bool:
        """Return whether a request has the key that it needs."""
        link = self.keys.link(scope["path"])
        if link is not None:
            given = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])
            if is_same_key(given[0], link):
                return True
        return is_same_key(_Headers(scope["headers"]).one(TOKEN_HEADER), self.keys.page)

    def _refuse_excess(self, scope: Scope) -> Refusal | None:
        """Return why somebody who may ask has asked too often. Files and pictures cost little."""
        path = scope["path"]
        if (
            not path.startswith("/api/")
            or path == PROOF_PATH
            or self._paces[scope["method"]].take()
        ):
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


async def _read_body(receive: Receive, most: int) -> bytes | None:
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


def _replay(body: bytes, receive: Receive) -> Receive:
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
                for name, value in _DEFAULT_HEADERS.items()
                if name.encode() not in names
            ]
            message = {**message, "headers": headers}
        await send(message)

    return guarded


async def _send_response(status: int, media_type: str, body: bytes, send: Send) -> None:
    headers = {"content-type": media_type, "content-length": str(len(body)), "connection": "close"}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


REQUEST_TIMEOUT: Final = 10.0
"""After so many seconds a connection without a whole request is closed."""
_MAX_UNAUTHENTICATED: Final = 64
"""How many connections may be open that have shown no key; the one idle for longest makes room."""


class GuardedConnection(H11Protocol):
    """A connection, closed when no whole request comes, or when too many others show no key."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - as uvicorn has it
        """Begin as uvicorn does."""
        super().__init__(*given, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self._guard: Guard = self.config.app  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give a new connection room, and time for its first request."""
        super().connection_made(transport)
        strangers = self._guard.strangers
        strangers[transport] = None
        if len(strangers) > _MAX_UNAUTHENTICATED:
            oldest = next(iter(strangers))
            del strangers[oldest]
            oldest.abort()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop()
        self._guard.strangers.pop(self.transport, None)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Read on; a request that is whole has all the time that its answer takes."""
        super().handle_events()
        if self.cycle is None or self.cycle.more_body or self.cycle.response_complete:
            return
        self._stop()
        strangers = self._guard.strangers
        if self.transport in strangers:
            del strangers[self.transport]
            if not self._guard.is_authenticated({**self.scope}):
                strangers[self.transport] = None  # the last to make room

    def on_response_complete(self) -> None:
        """Give time for another request."""
        self._wait()
        super().on_response_complete()

    def _wait(self) -> None:
        self._stop()
        self._deadline = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
