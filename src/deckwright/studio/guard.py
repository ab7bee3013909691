"""Access control: only the studio's own page may send requests.

Any web page in another tab can send requests to this machine too. It cannot forge Host, Origin and
`Sec-Fetch-Site`, and does not know the token. Host names can be rebound by DNS, so the raw Host
header is compared with the address that we are bound to. There are no cookies, since browsers send
them to all ports of a host.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
import time
from asyncio import Transport
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol


class TokenBucket:
    """A token bucket: allows a burst of requests, then a steady rate per second."""

    def __init__(
        self, capacity: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._capacity, self._rate, self._clock = capacity, rate, clock
        self._tokens, self._last_time = capacity, clock()

    def take(self) -> bool:
        """Take a token; return False if none is left."""
        now = self._clock()
        self._tokens = min(self._capacity, self._tokens + (now - self._last_time) * self._rate)
        self._last_time = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


LINK_PREFIXES: Final = ("/faces/", "/sheets/", "/files/")
"""The paths of pictures and downloads, whose URLs carry a key, as links send no headers."""
_NONCE = re.compile(r"[0-9a-f]{32,64}", re.ASCII)


class RunKeys:
    """The keys of one run of the studio, derived from the token without revealing it.

    Attributes:
        token: the secret that only the owner's browser knows.
        run_id: identifies this run; not secret.
        page_key: sent by the page with each request.
    """

    def __init__(self, token: str, port: int) -> None:
        """Make the keys of a new run at a port."""
        self.token, self.run_id = token, secrets.token_hex(16)
        self._port = port
        self.page_key = self._sign("page")
        self._link_keys = {area: self._sign(area) for area in LINK_PREFIXES}

    def prove(self, nonce: str) -> str | None:
        """Return a proof that we know the token, None if the nonce is invalid."""
        return self._sign("proof", nonce) if _NONCE.fullmatch(nonce) else None

    def link_key(self, path: str) -> str | None:
        """Return the key for a linked path, which is valid for its area alone."""
        return next((key for area, key in self._link_keys.items() if path.startswith(area)), None)

    def _sign(self, *words: str) -> str:
        return sign(self.token, self._port, self.run_id, *words)


def sign(token: str, port: int, run: str, *words: str) -> str:
    """Return the HMAC-SHA256 of the words under the token, as hexadecimal digits."""
    text = " ".join((str(port), run, *words))
    return hmac.digest(token.encode(), text.encode(), "sha256").hex()


def is_same_key(key: str, known: str) -> bool:
    """Compare keys in constant time."""
    return secrets.compare_digest(key.encode(errors="surrogatepass"), known.encode())


HOST: Final = "127.0.0.1"
"""The only address that the studio binds to."""
TOKEN_HEADER: Final = "x-deckwright-token"  # noqa: S105 - the name of a header
MAX_BODY_BYTES: Final = 512 * 1024
"""The maximum size of a request's body."""
PICTURE_PATH: Final = "/api/edit/picture"
TABLE_PATH: Final = "/api/begin"
_UPLOAD_PATHS: Final = (PICTURE_PATH, TABLE_PATH)
"""The paths for uploaded files, whose requests may be larger than others."""
_MAX_UPLOAD_BODY_BYTES: Final = 27 * 1024 * 1024
"""The maximum size of an upload's body: 20 MB in base64."""
PROOF_PATH: Final = "/api/session"
"""The path that proves to any client that this server knows the token."""

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
"""The default headers of all responses."""
_CLOSE: Final = {"connection": "close"}
"""The header of responses by the guard itself, which may not have read the whole request."""
_RATE_LIMIT: Final = (200, 40)
"""The allowed burst of requests, and the rate per second: nobody types that fast."""
_CLEAR_CACHE_HEADER: Final = (b"clear-site-data", b'"cache"')
"""Clears what another program that used this port has cached in the browser."""
_UNREGISTER_WORKER_JS: Final = b"""addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(registration.unregister()));
"""
"""A service worker that unregisters itself, replacing one that such a program left behind."""


def build_url(port: int, token: str) -> str:
    """Return the URL for the browser; browsers do not send the fragment with the token."""
    return f"http://{HOST}:{port}/#{token}"


class Refusal(NamedTuple):
    """The HTTP status and message for a refused request."""

    status: int
    message: str


class Guard:
    """ASGI middleware that passes only authenticated same-origin requests to the application.

    Attributes:
        app: the guarded application.
        keys: the keys that requests must carry.
        unauthenticated: connections that have sent no valid key, longest idle first.
    """

    def __init__(self, app: ASGIApp, port: int, token: str | None = None) -> None:
        """Guard an application that is bound to a port.

        Args:
            token: a new one if None.
        """
        self.app = app
        self._hosts = {f"{name}:{port}" for name in (HOST, "localhost")}
        self.keys = RunKeys(token or secrets.token_urlsafe(32), port)
        self._buckets = {method: TokenBucket(*_RATE_LIMIT) for method in ("GET", "POST")}
        self.unauthenticated: dict[Transport, None] = {}
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
        headers = Headers(raw=scope["headers"])
        if refusal is None and _join_values(headers, "service-worker"):
            send = _with_headers(send)
            own_headers = {"content-type": "text/javascript", **_CLOSE}
            await Response(_UNREGISTER_WORKER_JS, headers=own_headers)(scope, receive, send)
            return
        if refusal is None and scope["method"] == "POST":
            most = _MAX_UPLOAD_BODY_BYTES if scope["path"] in _UPLOAD_PATHS else MAX_BODY_BYTES
            buffered = await _buffer_body(receive, most)
            if buffered is None:
                refusal = Refusal(413, f"a request has at most {most} bytes")
            else:
                receive = buffered
        fresh = scope["path"] == "/" and not self._has_authenticated
        send = _with_headers(send, [_CLEAR_CACHE_HEADER] if fresh else [])
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            answer = JSONResponse({"message": refusal.message}, refusal.status, _CLOSE)
            await answer(scope, receive, send)

    def find_refusal(self, scope: Scope) -> Refusal | None:
        """Return why a request is refused, None if it is allowed."""
        headers = Headers(raw=scope["headers"])
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return Refusal(421, "this is not the address of the studio")
        if _join_values(headers, "service-worker"):
            return None
        # Requests that do not come from the studio's own page are refused.
        path, method = scope["path"], scope["method"]
        if method not in {"GET", "POST"}:
            return Refusal(405, f"the studio does not support {method}")
        origins, site = headers.getlist("origin"), _join_values(headers, "sec-fetch-site")
        own = origins in [[f"http://{host}"] for host in self._hosts]
        if method == "POST":
            if not own or site not in {"", "same-origin"}:
                return Refusal(403, "only the studio's own page may change anything")
            media_type = _join_values(headers, "content-type").partition(";")[0].strip().lower()
            if media_type != "application/json":
                return Refusal(415, "the studio accepts only JSON")
        # The page itself holds no data, so other sites may link to it.
        elif (site not in {"", "same-origin", "none"} or (origins and not own)) and path != "/":
            return Refusal(403, "only the studio's own page may read this")
        if path not in {"/", PROOF_PATH} and not path.startswith("/assets/"):
            if not self.is_authenticated(scope):
                return Refusal(401, "open the address that the terminal shows")
            self._has_authenticated = True
        # Files and pictures are cheap, and their number is not limited.
        limited = path.startswith("/api/") and path != PROOF_PATH
        if limited and not self._buckets[method].take():
            return Refusal(429, "too many requests at once: wait a moment")
        return None

    def is_authenticated(self, scope: Scope) -> bool:
        """Return whether a request carries a valid key."""
        link = self.keys.link_key(scope["path"])
        if link is not None:
            keys = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])
            if is_same_key(keys[0], link):
                return True
        sent = _join_values(Headers(raw=scope["headers"]), TOKEN_HEADER)
        return is_same_key(sent, self.keys.page_key)


def _join_values(headers: Headers, name: str) -> str:
    """Return the value of a header, "" if there is none; a repeated one equals no single value."""
    return ",".join(headers.getlist(name))


async def _buffer_body(receive: Receive, most: int) -> Receive | None:
    """Receive a request's body, and return a receiver that replays it and then continues.

    Return None if it has more than `most` bytes.
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            break
        body += message.get("body", b"")
        if len(body) > most:
            return None
        if not message.get("more_body", False):
            break
    waiting = [bytes(body)]

    async def replay() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return replay


def _with_headers(send: Send, more: Iterable[tuple[bytes, bytes]] = ()) -> Send:
    """Return a sender that adds the default headers, and some more."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=[*message.get("headers", ()), *more])
            for name, value in _DEFAULT_HEADERS.items():
                headers.setdefault(name, value)
            message = {**message, "headers": headers.raw}
        await send(message)

    return guarded


REQUEST_TIMEOUT: Final = 10.0
"""Connections without a complete request are closed after this many seconds."""
_MAX_UNAUTHENTICATED: Final = 64
"""The maximum number of unauthenticated connections; the longest idle one is closed first."""


class GuardedConnection(H11Protocol):
    """A connection that is closed on timeout, or if too many are unauthenticated."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # as uvicorn has it
        super().__init__(*args, **kwargs)
        self._deadline: asyncio.TimerHandle | None = None
        self._guard: Guard = self.config.app  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register a new connection, closing the oldest if there are too many; start its timer."""
        super().connection_made(transport)
        strangers = self._guard.unauthenticated
        strangers[transport] = None
        if len(strangers) > _MAX_UNAUTHENTICATED:
            oldest = next(iter(strangers))
            del strangers[oldest]
            oldest.abort()
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._cancel_timer()
        self._guard.unauthenticated.pop(self.transport, None)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Parse events; stop the timer once the request is complete."""
        super().handle_events()
        if self.cycle is None or self.cycle.more_body or self.cycle.response_complete:
            return
        self._cancel_timer()
        strangers = self._guard.unauthenticated
        if self.transport in strangers:
            del strangers[self.transport]
            if not self._guard.is_authenticated({**self.scope}):
                strangers[self.transport] = None  # now the last to be closed

    def on_response_complete(self) -> None:
        """Start the timer for the next request."""
        self._start_timer()
        super().on_response_complete()

    def _start_timer(self) -> None:
        self._cancel_timer()
        self._deadline = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

    def _cancel_timer(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
