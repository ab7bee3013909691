"""Download a file from a public address, within limits of size and time.

The game that names the address may be a stranger's, so it must not make this machine fetch what
only its own network shows (OWASP, "Server-Side Request Forgery"): the name of a server is resolved
once, and only public addresses are connected to. No other module uses the internet.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from concurrent.futures import Future
from contextlib import closing, suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Thread
from urllib.parse import quote, urljoin, urlsplit

from deckwright import __version__
from deckwright.game.addresses import PUBLISH_HINT, find_address_problem

MAX_SECONDS = 60.0
"""The longest time for a download, redirects included."""
_ANSWER_SECONDS = 20.0
"""The longest time to wait for a server; Google needs some seconds to write a sheet."""
_MAX_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv4 addresses in networks that only have IPv6 (RFC 6052)."""


class DownloadError(Exception):
    """A file cannot be downloaded; the arguments are message and hint, as in findings."""


def download(address: str, max_bytes: int) -> bytes:
    """Return the content of the file at an address.

    Raises:
        DownloadError: if it cannot be fetched, is too large or takes too long.
    """
    result: Future[bytes] = Future()

    def run() -> None:
        try:
            result.set_result(_follow(address, max_bytes))
        except BaseException as error:  # noqa: BLE001 - raised again by `result`
            result.set_exception(error)

    # A timeout of the socket would not end a server that sends a byte now and then.
    Thread(target=run, daemon=True).start()
    try:
        return result.result(MAX_SECONDS)
    except TimeoutError:
        message = f"the table did not arrive within {MAX_SECONDS:g} s"
        raise DownloadError(message, "try again later") from None


def _follow(address: str, max_bytes: int) -> bytes:
    """Return the content of the file at an address or where that redirects to."""
    lead = ""
    for _ in range(_MAX_REDIRECTS + 1):
        if problem := find_address_problem(address):
            raise DownloadError(f"{lead}{problem[0]}", problem[1])
        try:
            answer = _fetch(address, max_bytes)
            if isinstance(answer, bytes):
                return answer
            address, lead = urljoin(address, answer), "the address leads on to another one: "
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or error
            message = f"the connection to `{urlsplit(address).hostname}` failed: {reason}"
            raise DownloadError(message, "check the address, or try again later") from None
    raise DownloadError(f"the address leads on to others more than {_MAX_REDIRECTS} times", None)


def _fetch(address: str, max_bytes: int) -> bytes | str:
    """Return the content of the file at an address, or the address to which it redirects.

    Raises:
        DownloadError: if the server answers anything else.
        OSError, HTTPException, ValueError: if the connection fails.
    """
    parts = urlsplit(address)
    path = quote(f"{parts.path or '/'}?{parts.query}".removesuffix("?"), safe="/?%:;=&+$,!'()*~@")
    with closing(http.client.HTTPSConnection(parts.hostname or "", parts.port)) as connection:
        connection.sock = ssl.create_default_context().wrap_socket(
            _connect(connection.host, connection.port),
            server_hostname=connection.host,
            suppress_ragged_eofs=False,
        )
        connection.request("GET", path, headers={"User-Agent": f"deckwright/{__version__}"})
        with connection.getresponse() as response:
            status, target = response.status, response.headers["Location"]
            if status in _REDIRECTS and target:
                return str(target)
            if status != http.client.OK:
                message, hint = _explain_status(status)
                raise DownloadError(f"{message} (HTTP {status})", hint)
            data = response.read(max_bytes + 1)
            left, kind = response.length, response.headers.get_content_type()
    if len(data) > max_bytes:
        message = f"the address gives more than {max_bytes:,} bytes"
        raise DownloadError(message, "publish only the sheet with the cards")
    if left:  # `read` does not report it
        raise http.client.IncompleteRead(data, left)
    start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<" if kind == "text/html" else b"<html")):
        raise DownloadError("the address gives a web page, not a table", PUBLISH_HINT)
    return data


def _explain_status(status: int) -> tuple[str, str]:
    """Return the message and hint for an answer with this status of HTTP, which has no file."""
    match status:
        case 401 | 403:
            return "the server demands a login", PUBLISH_HINT
        case 404 | 410:
            return "there is nothing at the address", "publish the table again"
        case 429 | 500 | 502 | 503 | 504:
            return "the server is overloaded or broken", "try again later"
    return "the server gives no table", "open the address in a browser"


def _connect(host: str, port: int) -> socket.socket:
    """Connect to the first address of a server that answers, if all are public."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    *others, last = dict.fromkeys(str(entry[4][0]) for entry in found)
    if private := [address for address in (*others, last) if not is_public(address)]:
        message = f"the server `{host}` is in a private network, at {private[0]}"
        raise DownloadError(message, "publish the table on the internet")
    for address in others:
        with suppress(OSError):
            return socket.create_connection((address, port), _ANSWER_SECONDS)
    return socket.create_connection((last, port), _ANSWER_SECONDS)


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        inner = IPv4Address(ip.packed[-4:]) if ip in _TRANSLATED else None
        ip = ip.ipv4_mapped or ip.sixtofour or inner or ip
    return ip.is_global and not ip.is_multicast
