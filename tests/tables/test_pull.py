"""`deckwright pull`: published tables replace their files, and nothing else can come of it."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import openpyxl
import pytest
from click.testing import Result

from certificates import write_certificate
from conftest import Run
from deckwright.base.files import _confined_places
from deckwright.tables import download
from deckwright.tables.download import is_public

GAME = """<?xml version="1.0" encoding="UTF-8"?>
<game name="Orchard" language="en">
  <kind tag="card" name="Card" width="65" height="90" face="face.xml">
    <field name="cost" type="integer" max="9" text="Cost"/>
  </kind>
  {tables}
</game>
"""
CARDS = b"Name,Cost\nApple,1\nPear,2\nLadder,3\n"
FEED = "https://sheets.example/cards.csv"


class Web:
    """What the servers of the tests answer, by path: status, headers, content."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, dict[str, str], bytes]] = {}
        self.requests: list[str] = []
        self.pause = 0.0
        """How long to wait before each byte, in seconds."""
        self.polite = False
        """Whether to say goodbye, as TLS wants it."""

    def put(self, path: str, content: bytes = b"", status: str = "200", **headers: str) -> None:
        """Set an answer. An underscore in the name of a header is a hyphen."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = status, fields, content


def handler_for(web: Web) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            web.requests.append(f"{self.headers['Host']}{self.path}")
            status, headers, content = web.pages[self.path]
            lines = [f"HTTP/1.1 {status} Well", *(f"{k}: {v}" for k, v in headers.items())]
            if not {"Transfer-Encoding", "Endless"} & headers.keys():
                lines.append(f"Content-Length: {headers.get('Length', len(content))}")
            data = "\r\n".join([*lines, "", ""]).encode() + content
            for piece in [data] if not web.pause else map(bytes, zip(data, strict=True)):
                try:
                    self.wfile.write(piece)
                except OSError:
                    return
                time.sleep(web.pause)
            self.close_connection = True
            if web.polite:
                with suppress(OSError):
                    self.connection.unwrap()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game without tables, as the working folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("xml/Factions", "templates"):
        Path(name).mkdir(parents=True)
    Path("templates/face.xml").write_text(
        '<face><text x="4" y="4" width="55" height="10">{{ card.name }}</text></face>'
    )
    name_tables(f'<table file="cards.csv" faction="RED" url="{FEED}"/>')
    return tmp_path


@pytest.fixture
def web(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """All servers of the internet, on this machine, with `cards.csv`."""
    web = Web()
    web.put("/cards.csv", CARDS)
    write_certificate("sheets.example", "other.example")
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "cert.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("cert.pem", "key.pem")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler_for(web)) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        place = ("127.0.0.1", server.server_port)
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", place)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        monkeypatch.setattr(download, "is_public", lambda _: True)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield web
        server.shutdown()


@pytest.fixture(autouse=True)
def _no_places_left() -> Iterator[None]:
    yield
    _confined_places.clear()


def name_tables(*tables: str) -> None:
    Path("xml/game.xml").write_text(GAME.replace("{tables}", "\n  ".join(tables)))


def files() -> dict[str, bytes]:
    """Return all files of the folder of tables, hidden ones as well."""
    return {path.name: path.read_bytes() for path in Path("xml/Factions").iterdir()}


def refused(result: Result, message: str, hint: str) -> None:
    """Check that there is one finding, at the address in game.xml, and no new file."""
    lines = result.stderr.splitlines()
    assert lines[0].startswith("xml/game.xml:6:41: error G009: ")
    assert message in lines[0]
    assert hint in result.stderr
    assert lines[-1] == "1 error, nothing was changed"
    assert (result.exit_code, result.stdout) == (1, "")


@pytest.mark.usefixtures("web")
def test_a_table_is_fetched_and_can_be_checked(run: Run) -> None:
    result = run("pull")
    assert result.stdout.splitlines() == [
        "cards.csv: 3 rows, 3 added",
        "changed: cards.csv; now run `deckwright check`",
    ]
    assert (result.exit_code, result.stderr) == (0, "")
    assert files() == {"cards.csv": CARDS}
    assert "3 cards" in run("check").stdout


def test_the_changed_rows_are_counted(run: Run, web: Web) -> None:
    run("pull")
    web.put("/cards.csv", b"Name,Cost\nApple,1\nPear,5\nFig,3\nPlum,4\n")
    dry = run("pull", "--dry-run")
    assert dry.stdout.splitlines() == [
        "cards.csv: 4 rows, 2 added, 1 changed, 1 removed",
        "would change: cards.csv",
    ]
    assert files() == {"cards.csv": CARDS}
    assert run("pull").stdout.splitlines()[0] == dry.stdout.splitlines()[0]
    assert files() == {"cards.csv": web.pages["/cards.csv"][2]}


def test_rows_with_the_same_name_are_counted_together(run: Run, web: Web) -> None:
    web.put("/cards.csv", b"Name,Cost\nApple,1\nApple,1\nPear,1\n")
    run("pull")
    web.put("/cards.csv", b"Name,Cost\nPear,1\nApple,1\nApple,1\n")
    assert "3 rows, in another order" in run("pull", "--dry-run").stdout
    web.put("/cards.csv", b"Name,Cost\nApple,1\nPear,1\nPear,2\n")
    assert "3 rows, 1 added, 1 removed" in run("pull").stdout


def test_what_has_the_same_rows_is_unchanged(run: Run, web: Web) -> None:
    """Google writes another workbook each time."""
    run("pull")
    web.put("/cards.csv", CARDS.replace(b"Apple", b'"Apple"'))
    assert run("pull").stdout == "cards.csv: 3 rows, unchanged\n"
    assert files() == {"cards.csv": CARDS}


def test_tabs_of_a_workbook_are_read_as_the_game_reads_them(run: Run, web: Web) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Red"
    for row in (["Red cards"], [], ["Name", "Cost"], ["Apple", 1]):
        book.active.append(row)
    for row in (["Name", "Cost"], ["Pear", 2], ["Fig", 3]):
        (book["Blue"] if "Blue" in book.sheetnames else book.create_sheet("Blue")).append(row)
    book.save("book.xlsx")
    web.put("/book.xlsx", Path("book.xlsx").read_bytes())
    url = 'url="https://sheets.example/book.xlsx"'
    name_tables(
        f'<table file="cards.xlsx" tab="Red" titles="3" faction="RED" {url}/>',
        '<table file="cards.xlsx" tab="Blue" faction="BLUE"/>',
    )
    assert run("pull").stdout.startswith("cards.xlsx: 3 rows, 3 added\n")
    assert "3 cards" in run("check").stdout


def test_redirects_are_followed_to_public_addresses_alone(run: Run, web: Web) -> None:
    web.put("/cards.csv", status="302", Location="https://other.example/there?a=%C3%BC&b=1 2")
    web.put("/there?a=%C3%BC&b=1%202", status="307", Location="/end")
    web.put("/end", CARDS)
    assert run("pull").exit_code == 0
    assert [request.partition("?")[0] for request in web.requests] == [
        "sheets.example/cards.csv", "other.example/there", "other.example/end",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("http://other.example/cards.csv", "leads on to another one: the address does not begin"),
        ("https://[::1/", "the connection to `sheets.example` failed: Invalid IPv6 URL"),
        ("https://me:word@other.example/", "the address contains a user name"),
        ("file:///etc/passwd", "the address does not begin with `https://`"),
        ("/cards.csv", "the address leads on to others more than 5 times"),
    ],
)
def test_other_redirects_are_refused(run: Run, web: Web, target: str, message: str) -> None:
    web.put("/cards.csv", status="301", Location=target)
    refused(run("pull"), message, "")
    assert not files()
    assert len(web.requests) in {1, 6}


@pytest.mark.parametrize(
    ("status", "message", "hint"),
    [
        (401, "the server demands a login (HTTP 401)", "Publish to web"),
        (403, "the server demands a login (HTTP 403)", "Publish to web"),
        (404, "there is nothing at the address (HTTP 404)", "publish the table again"),
        (410, "there is nothing at the address (HTTP 410)", "publish the table again"),
        (429, "the server is overloaded or broken (HTTP 429)", "try again later"),
        (503, "the server is overloaded or broken (HTTP 503)", "try again later"),
        (418, "the server gives no table (HTTP 418)", "open the address in a browser"),
        (302, "the server gives no table (HTTP 302)", "open the address in a browser"),
    ],
)
def test_an_answer_without_a_table_is_explained(
    run: Run, web: Web, status: int, message: str, hint: str
) -> None:
    Path("xml/Factions/cards.csv").write_bytes(b"Name,Cost\nApple,1\n")
    web.put("/cards.csv", CARDS, status=str(status))
    refused(run("pull"), message, hint)
    assert files() == {"cards.csv": b"Name,Cost\nApple,1\n"}


PAGE = b"<!DOCTYPE html>\n<html><title>Sign in</title></html>"
PNG = b"\x89PNG\r\n\x1a\n\0\0"


@pytest.mark.parametrize(
    ("content", "kind", "message", "hint"),
    [
        (PAGE, "text/html; charset=utf-8", "the address gives a web page", "Publish to web"),
        (b"\xef\xbb\xbf\n" + PAGE, "text/csv", "the address gives a web page", "on GitHub"),
        (b"<p>Sorry</p>\n<p>,</p>", "text/html", "the address gives a web page", "Nextcloud"),
        (PNG, "image/png", "cannot be read as `cards.csv`: the file is not in UTF-8", "as `.csv`"),
        (b"PK\3\4\0", "", "cannot be read as `cards.csv`: the file is a workbook", "as `.csv`"),
        (b"Name,Cost\n\n", "text/csv", "has no rows below its titles", "publish the sheet"),
        (b"", "text/csv", "has no rows below its titles", "publish the sheet"),
        (b"x," * 2000 + b"\nx", "", "more than 500 columns", "remove whatever is not a card"),
    ],
)
def test_what_is_no_table_replaces_none(
    run: Run, web: Web, content: bytes, kind: str, message: str, hint: str
) -> None:
    Path("xml/Factions/cards.csv").write_bytes(CARDS)
    web.put("/cards.csv", content, Content_Type=kind)
    refused(run("pull"), message, hint)
    assert files() == {"cards.csv": CARDS}


@pytest.mark.parametrize("name", ["cards.xlsx", "cards.ods", "cards.json"])
def test_a_table_of_another_type_is_refused(run: Run, web: Web, name: str) -> None:
    name_tables(f'<table file="{name}" faction="R" url="https://sheets.example/cards.csv"/>')
    web.put("/cards.csv", CARDS)
    result = run("pull")
    assert f"cannot be read as `{name}`" in result.stderr
    assert f"publish it as `{name[5:]}`" in result.stderr
    assert not files()


def test_what_is_too_large_is_not_kept(run: Run, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deckwright.tables.pulling.MAX_BYTES", 1000)
    chunk = b"%x\r\n%b\r\n" % (600, b"x" * 600)
    for content, headers in (
        (b"x" * 1001, {}),
        (3 * chunk + b"0\r\n\r\n", {"Transfer_Encoding": "chunked"}),
    ):
        web.put("/cards.csv", content, **headers)
        refused(run("pull"), "the address gives more than 1,000 bytes", "publish only the sheet")
    web.put("/cards.csv", CARDS.ljust(1000, b"\n"))
    assert run("pull").exit_code == 0


def test_a_slow_server_is_given_up(run: Run, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, but not all of them."""
    monkeypatch.setattr(download, "MAX_SECONDS", 0.5)
    web.pause = 0.05
    start = time.monotonic()
    refused(run("pull"), "the table did not arrive within 0.5 s", "try again later")
    web.put("/cards.csv", CARDS, Endless="x" * 1000)
    refused(run("pull"), "did not arrive within", "try again later")
    assert time.monotonic() - start < 5


def test_a_silent_server_is_given_up(run: Run, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """It accepts the connection, but does not encrypt it."""
    assert not web.requests
    monkeypatch.setattr(download, "MAX_SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", silent.getsockname())]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        refused(run("pull"), "the table did not arrive within 0.2 s", "try again")


@pytest.mark.parametrize("polite", [True, False])
def test_a_broken_connection_gives_no_half_table(run: Run, web: Web, *, polite: bool) -> None:
    """Without a length, only the goodbye of TLS says that a table is whole."""
    web.polite = polite
    parts = [{"Length": "500"}, {"Transfer_Encoding": "chunked"}]
    for headers in [*parts, *([] if polite else [{"Endless": "yes"}])]:
        web.put("/cards.csv", b"ff\r\n" + CARDS, **headers)
        refused(run("pull"), "the connection to `sheets.example` failed: ", "try again later")
    assert not files()


def test_a_server_must_prove_who_it_is(run: Run, web: Web) -> None:
    name_tables('<table file="cards.csv" faction="RED" url="https://stranger.example/cards.csv"/>')
    refused(run("pull"), "to `stranger.example` failed: [SSL: CERTIFICATE_VERIFY_FAILED]", "check")
    assert not web.requests


@pytest.mark.parametrize(
    "address",
    """
    0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.168.1.1 224.0.0.1
    255.255.255.255 ::1 fe80::1%eth0 fd00::1 ::ffff:127.0.0.1 2002:7f00:1:: 64:ff9b::a01:203 ff0e::1
    """.split(),  # noqa: SIM905 - a line for each would be long
)
def test_private_addresses_are_not_connected_to(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Nor are servers of which one address is private: which one answers would be luck."""
    assert folder.is_dir()
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443))
             for each in ("1.1.1.1", address)]  # fmt: skip
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("connected"))
    message = f"the server `sheets.example` is in a private network, at {address}"
    refused(run("pull"), message, "publish the table on the internet")


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
)
def test_public_addresses_are_connected_to(address: str) -> None:
    assert is_public(address)


def test_only_the_address_that_was_looked_at_is_connected_to(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is not resolved a second time; the next address is tried if one does not answer."""
    assert folder.is_dir()
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443))
             for each in ("1.1.1.1", "8.8.8.8")]  # fmt: skip
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    places = []

    def connect(place: tuple[str, int], _seconds: float) -> socket.socket:
        places.append(place)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket, "create_connection", connect)
    refused(run("pull"), "failed: Connection refused", "try again later")
    assert places == [("1.1.1.1", 443), ("8.8.8.8", 443)]


def test_an_unknown_server_is_reported(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder.is_dir()

    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    refused(
        run("pull"), "to `sheets.example` failed: Name or service not known", "check the address"
    )


SHEET = "https://docs.google.com/spreadsheets/d/1AbC"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://sheets.example/cards.csv", "does not begin with `https://`"),
        ("sheets.example/cards.csv", "does not begin with `https://`"),
        ("https://", "does not begin with `https://`"),
        ("https://sheets.example:port/", "does not begin with `https://`"),
        ("https://me@sheets.example/cards.csv", "contains a user name"),
        (f"{SHEET}/edit#gid=0", "shows the sheet in a browser"),
        (f"{SHEET}/edit?usp=sharing", "shows the sheet in a browser"),
        (SHEET, "shows the sheet in a browser"),
        ("https://docs.google.com/spreadsheets/d/e/2PA/pubhtml", "shows the sheet in a browser"),
        ("https://docs.google.com/spreadsheets/d/e/2PA/pub", "shows the sheet in a browser"),
    ],
)
def test_check_and_pull_report_an_address_that_cannot_be_right(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, address: str, message: str
) -> None:
    assert folder.is_dir()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("looked up"))
    Path("xml/Factions/cards.csv").write_bytes(CARDS)
    name_tables(f'<table file="cards.csv" faction="RED" url="{address}"/>')
    refused(run("pull"), message, "  hint: ")
    checked = run("check")
    assert f"xml/game.xml:6:41: warning G009: the address {message}" in checked.stderr
    assert checked.exit_code == 0


@pytest.mark.parametrize(
    "address",
    [
        "https://docs.google.com/spreadsheets/d/e/2PA/pub?gid=0&amp;single=true&amp;output=csv",
        f"{SHEET}/export?format=xlsx",
        f"{SHEET}/gviz/tq?tqx=out:csv",
        "https://raw.githubusercontent.com/me/game/main/cards.csv",
        "https://cloud.example/index.php/s/AbC/download",
    ],
)
def test_addresses_of_published_tables_are_accepted(run: Run, folder: Path, address: str) -> None:
    assert folder.is_dir()
    Path("xml/Factions/cards.csv").write_bytes(CARDS)
    name_tables(f'<table file="cards.csv" faction="RED" url="{address}"/>')
    assert run("check").stderr == ""


def test_all_findings_come_together_and_good_tables_are_fetched(run: Run, web: Web) -> None:
    web.put("/gone", status="404")
    name_tables(
        '<table file="a.csv" faction="RED" url="https://sheets.example/gone"/>',
        f'<table file="cards.csv" faction="RED" url="{FEED}"/>',
        f'<table file="cards.csv" tab="x" faction="BLUE" url="{FEED}?b"/>',
        f'<table file="b.csv" faction="RED" url="{FEED}"/>',
        '<table file="c.csv" faction="RED" url="http://sheets.example/"/>',
        '<table file="d.csv" faction="RED"/>',
    )
    result = run("pull")
    assert result.stdout.splitlines()[0] == "b.csv: 3 rows, 3 added"
    assert "6:37: error G009: there is nothing at the address" in result.stderr
    assert "`cards.csv` already has another address" in result.stderr
    assert "10:37: error G009: the address does not begin with" in result.stderr
    assert "3 errors, these tables stay as they were" in result.stderr
    assert result.exit_code == 1
    assert files() == {"b.csv": CARDS}
    one = run("pull", "b.csv")
    assert (one.exit_code, one.stdout) == (0, "b.csv: 3 rows, unchanged\n")


@pytest.mark.usefixtures("web")
def test_unknown_names_and_games_without_addresses(run: Run) -> None:
    result = run("pull", "card.csv")
    assert "there is no table with an address `card.csv` in game.xml" in result.stderr
    assert "did you mean `cards.csv`?" in result.stderr
    assert result.exit_code == 2
    name_tables('<table file="cards.csv"/>')
    result = run("pull")
    assert result.stdout.startswith("no table in game.xml has an address: add `url=")
    assert result.exit_code == 0


@pytest.mark.parametrize("file", ["../../../evil.csv", "/evil.csv", "../game.xml", "face.html"])
def test_nothing_but_tables_of_the_game_is_written(run: Run, web: Web, file: str) -> None:
    name_tables(f'<table file="{file}" faction="RED" url="{FEED}"/>')
    result = run("pull")
    assert "error G002: the table" in result.stderr
    assert result.exit_code == 1
    assert not web.requests


def test_a_link_out_of_the_game_is_not_written_through(
    run: Run, web: Web, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "cards.csv"
    outside.write_bytes(b"Name\nMine\n")
    Path("xml/Factions/cards.csv").symlink_to(outside)
    result = run("pull")
    assert "error E075: cannot write the file: a link leads out of" in result.stderr
    assert result.exit_code == 3
    assert not web.requests
    assert outside.read_bytes() == b"Name\nMine\n"


def test_a_file_that_cannot_be_replaced_is_reported(run: Run, web: Web) -> None:
    Path("xml/Factions/cards.csv").mkdir()
    result = run("pull")
    assert "error E002: cannot write the file" in result.stderr
    assert result.exit_code == 3
    assert web.requests


@pytest.mark.usefixtures("web")
def test_a_table_that_is_not_there_yet_is_asked_for(run: Run) -> None:
    assert "`deckwright pull` fetches it" in run("check").stderr
    shutil.rmtree("xml/Factions")
    assert run("pull").exit_code == 0
    assert files() == {"cards.csv": CARDS}


def test_json_is_fetched(run: Run, web: Web) -> None:
    name_tables(f'<table file="cards.json" faction="RED" url="{FEED}"/>')
    web.put("/cards.csv", json.dumps([{"name": "Apple", "cost": 1}]).encode())
    assert run("pull").stdout.startswith("cards.json: 1 row, 1 added\n")
