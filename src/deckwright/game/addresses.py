"""The web addresses of tables, as `deckwright pull` accepts them. Nothing here fetches them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.game.folder import CardTable

G009 = Code("G009", Severity.WARNING, "an address from which no table can be fetched")

PUBLISH_HINT = (
    "in Google Sheets, choose File > Share > Publish to web, then the sheet and CSV; on GitHub, "
    "choose Raw; in Nextcloud, add `/download` to the public link"
)


def check_addresses(tables: Mapping[Path, Sequence[CardTable]]) -> Iterator[Diagnostic]:
    """Report the addresses of tables, given by file, that cannot be right."""
    for path, entries in tables.items():
        named = [(t.url, t.source.at("url")) for t in entries if t.url and t.source]
        for url, place in named:
            if url != named[0][0]:
                yield G009.at(place, f"`{path.name}` already has another address", "keep only one")
            elif problem := find_address_problem(url):
                yield G009.at(place, *problem)


def find_address_problem(address: str) -> tuple[str, str] | None:
    """Return what is wrong with an address, and a hint; None if it may be right."""
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme != "https":
        return "the address does not begin with `https://` and a server", "copy it from a browser"
    if "@" in parts.netloc:
        message = "the address contains a user name, but `deckwright pull` logs in nowhere"
        return message, "publish the table, and use the address that anybody can open"
    if host == "docs.google.com" and parts.path.startswith("/spreadsheets/"):
        page = parts.path.rpartition("/")[2]
        if page not in {"export", "tq"} and not (page == "pub" and "output=" in parts.query):
            message = "the address shows the sheet in a browser, and publishes no table"
            hint = "choose File > Share > Publish to web, then the sheet and CSV: the address ends "
            return message, f"{hint}in `output=csv`"
    return None
