"""Download a file from a public address, within limits of size and time.

The game that names the address may be a stranger's, so it must not make this machine fetch what
only its own network shows (OWASP, "Server-Side Request Forgery"): the name of a server is resolved
once, and only public addresses are connected to. Nothing else connects to other machines.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from contextlib import closing
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from deckwright import __version__
from deckwright.game.addresses import PUBLISH_HINT, find_address_problem

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_SECONDS = 60.0
"""The longest time for a download, redirects included; Google takes up to 20 s for a sheet."""
_CONNECT_SECONDS = 10.0
"""The longest time to connect to one of a server's addresses."""
_MAX_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv4 addresses in networks that only have IPv6 (RFC 6052)."""
_WAIT_HINT = "try again later"


class DownloadError(Exception):
    """A file cannot be downloaded.

    Attributes:
        message, hint: as in findings.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Keep the message and the hint."""
        super().__init__(message)
        self.message, self.hint = message, hint


def download(address: str, max_bytes: int) -> bytes:
    """Return the content of the file at an address.

    Raises:
        DownloadError: if it cannot be fetched, is too large or takes too long.
    """
    deadline = time.monotonic() + MAX_SECONDS
    target, lead = address, ""
    for _ in range(_MAX_REDIRECTS + 1):
        if problem := find_address_problem(target):
            raise DownloadError(f"{lead}{problem[0]}", problem[1])
        host = urlsplit(target).hostname or ""
        try:
            answer = _fetch(target, deadline, max_bytes)
            if isinstance(answer, bytes):
                return answer
            lead = "the address leads on to another one: "
            target = _join(target, answer)
        except TimeoutError:
            message = f"the server `{host}` took longer than {MAX_SECONDS:g} s"
            raise DownloadError(message, _WAIT_HINT) from None
        except ssl.SSLCertVerificationError as error:
            message = f"`{host}` cannot prove who it is: {error.verify_message}"
            raise DownloadError(
                message, "check the address, and the date of this computer"
            ) from None
        except (socket.gaierror, ValueError):  # the name cannot be resolved, or is none
            message = f"the server `{host}` cannot be found"
            raise DownloadError(message, "check the address and the connection") from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            message = f"the connection to `{host}` failed: {reason}"
            raise DownloadError(message, _WAIT_HINT) from None
    raise DownloadError(f"the address leads on to others more than {_MAX_REDIRECTS} times")


def _join(address: str, redirect: str) -> str:
    """Return the address that a redirect means, "" for an invalid one."""
    try:
        return urljoin(address, redirect)
    except ValueError:
        return ""


def _fetch(address: str, deadline: float, max_bytes: int) -> bytes | str:
    """Return the content of the file at an address, or the address to which it redirects.

    Raises:
        DownloadError: if the server answers anything else.
        OSError, HTTPException: if the connection fails.
    """
    parts = urlsplit(address)
    path = quote(f"{parts.path or '/'}?{parts.query}".removesuffix("?"), safe="/?%:;=&+$,!'()*~@")
    with closing(_Connection(parts.hostname or "", parts.port, deadline)) as connection:
        connection.request("GET", path, headers={"User-Agent": f"deckwright/{__version__}"})
        response = connection.getresponse()
        if response.status in _REDIRECTS and response.headers["Location"]:
            return str(response.headers["Location"])
        if response.status != HTTPStatus.OK:
            raise DownloadError(*_explain_status(response.status))
        too_large = (response.length or 0) > max_bytes
        data = b"" if too_large else response.read(max_bytes + 1)
        if too_large or len(data) > max_bytes:
            message = f"the address gives more than {max_bytes:,} bytes"
            raise DownloadError(message, "publish only the sheet with the cards")
        if response.length:  # `read` does not report it
            raise http.client.IncompleteRead(data, response.length)
        start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        page = "html" in response.headers.get_content_type() and start.startswith(b"<")
        if page or start.startswith((b"<!doctype html", b"<html")):
            raise DownloadError("the address gives a web page, not a table", PUBLISH_HINT)
        return data


def _explain_status(status: int) -> tuple[str, str]:
    """Return the message and the hint for an answer without a file."""
    match status:
        case 401 | 403 | 407:
            return f"the server demands a login (HTTP {status})", PUBLISH_HINT
        case 404 | 410:
            return f"there is nothing at the address (HTTP {status})", "publish the table again"
        case 429:
            return f"the server has had too many requests (HTTP {status})", _WAIT_HINT
        case _ if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return f"the server failed (HTTP {status})", _WAIT_HINT
    return f"the server does not give the table (HTTP {status})", "open the address in a browser"


def _remaining_seconds(deadline: float) -> float:
    """Return the time until a deadline.

    Raises:
        TimeoutError: if it has passed.
    """
    remaining = deadline - time.monotonic()
    if remaining <= 0:
        raise TimeoutError
    return remaining


class _Socket(ssl.SSLSocket):
    """A connection that ends at its deadline, however slowly the server answers."""

    deadline = 0.0

    def recv_into(self, buffer: WriteableBuffer, nbytes: int | None = None, flags: int = 0) -> int:
        """Receive data, for no longer than until the deadline."""
        self.settimeout(_remaining_seconds(self.deadline))
        return super().recv_into(buffer, nbytes, flags)


class _Connection(http.client.HTTPSConnection):
    """A connection to a server on the public internet."""

    def __init__(self, host: str, port: int | None, deadline: float) -> None:
        self._deadline = deadline
        self._tls = ssl.create_default_context()
        self._tls.sslsocket_class = _Socket
        super().__init__(host, port, context=self._tls)

    def connect(self) -> None:
        """Connect to the first address of the server that answers."""
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        addresses = [*dict.fromkeys(str(entry[4][0]) for entry in found)]
        for address in addresses:
            if not is_public(address):
                message = f"the server `{self.host}` is in a private network, at {address}"
                raise DownloadError(message, "publish the table on the internet")
        for address in addresses:
            seconds = min(_CONNECT_SECONDS, _remaining_seconds(self._deadline))
            try:
                plain = socket.create_connection((address, self.port), seconds)
            except OSError:
                if address == addresses[-1]:
                    raise
                continue
            plain.settimeout(_remaining_seconds(self._deadline))
            secure = self._tls.wrap_socket(
                plain, server_hostname=self.host, suppress_ragged_eofs=False
            )
            assert isinstance(secure, _Socket)
            secure.deadline, self.sock = self._deadline, secure
            return


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        inner = IPv4Address(ip.packed[-4:]) if ip in _TRANSLATED else None
        ip = ip.ipv4_mapped or ip.sixtofour or inner or ip
    return ip.is_global and not ip.is_multicast
