"""Who is let in. Each test fails without the line of the guard that it is about."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from deckwright.studio.guard import LINK_PREFIXES, MAX_BODY_BYTES, Guard, TokenBucket, sign
from deckwright.studio.session import StudioSession
from visitors import ORIGIN, PORT, TOKEN, authorize, small_session, stranger_of

EVERYTHING = ["/", "/assets/studio.css", "/api/wall", "/api/search?q=level=1", "/api/events"]
SAID = {"works": {"x": None}}
NOTE = "/api/unsaved"
"""What takes a note that stands for all that is posted."""


@pytest.fixture(name="desk", scope="module")
def _desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioSession]:
    desk = small_session(tmp_path_factory.mktemp("game"))
    yield desk
    desk.end()


@pytest.fixture(name="stranger")
def _stranger(desk: StudioSession) -> TestClient:
    return stranger_of(desk)


@pytest.fixture(name="page")
def _page(stranger: TestClient) -> TestClient:
    return authorize(stranger)


@pytest.mark.parametrize("path", EVERYTHING)
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",  # a name that was made to mean 127.0.0.1: DNS rebinding
        "127.0.0.1",
        f"127.0.0.1:{PORT + 1}",
        f"127.0.0.1:{PORT}.evil.example",
        f"LOCALHOST.evil.example:{PORT}",
        f"[::1]:{PORT}",
        f"0.0.0.0:{PORT}",
        f"127.1:{PORT}",
        f"localhost.:{PORT}",
        f" 127.0.0.1:{PORT}",
        "",
    ],
)
def test_requests_for_another_host_are_refused(page: TestClient, path: str, host: str) -> None:
    assert page.get(path, headers={"host": host}).status_code == 421


def test_both_names_of_this_machine_are_ours(page: TestClient) -> None:
    for name in ("localhost", "127.0.0.1"):
        assert page.get("/", headers={"host": f"{name}:{PORT}"}).status_code == 200


def scope(*headers: tuple[str, str], method: str = "GET", path: str = "/") -> Scope:
    raw = [(name.encode(), value.encode()) for name, value in headers]
    return {"type": "http", "method": method, "path": path, "query_string": b"", "headers": raw}


@pytest.mark.parametrize("hosts", [[], ["evil.example"], [f"127.0.0.1:{PORT}", "evil.example"]])
def test_the_host_is_said_exactly_once(hosts: list[str]) -> None:
    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None: ...

    guard = Guard(app, PORT, TOKEN)
    refusal = guard.find_refusal(scope(*(("host", host) for host in hosts)))
    assert refusal
    assert refusal.status == 421


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "http://evil.example"},
        {"origin": f"http://evil.example:{PORT}"},
        {"origin": f"http://127.0.0.1:{PORT + 1}"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"origin": f"http://127.0.0.1:{PORT}.evil.example"},
        {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
        {"origin": ORIGIN, "sec-fetch-site": "same-site"},
        {"origin": ORIGIN, "sec-fetch-site": "none"},
    ],
)
def test_only_the_own_page_posts(page: TestClient, headers: dict[str, str]) -> None:
    assert page.post(NOTE, json=SAID, headers={"origin": ORIGIN}).status_code == 200
    assert page.post(NOTE, json=SAID, headers=headers).status_code == 403


def test_a_page_of_a_name_that_means_this_machine_cannot_post(page: TestClient) -> None:
    """Origin and Host are the same under DNS rebinding; neither is ours."""
    host = f"evil.example:{PORT}"
    headers = {"host": host, "origin": f"http://{host}", "sec-fetch-site": "same-origin"}
    assert page.post(NOTE, json=SAID, headers=headers).status_code == 421


@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
@pytest.mark.parametrize("path", [*EVERYTHING[1:], "/faces/FACE.svg"])
def test_other_sites_read_nothing_even_with_the_key(page: TestClient, site: str, path: str) -> None:
    """As with `<img>`, `<script>` or EventSource from elsewhere."""
    wall = page.get("/api/wall").json()
    path = path.replace("FACE", wall["faces"][0]["hash"] or "0" * 32)
    assert page.get(path, headers={"sec-fetch-site": site}).status_code == 403


def test_other_origins_read_nothing(page: TestClient) -> None:
    assert page.get("/api/wall", headers={"origin": "http://evil.example"}).status_code == 403
    assert page.get("/api/wall", headers={"origin": ORIGIN}).status_code == 200


@pytest.mark.parametrize(
    "kind",
    [
        "",
        "text/plain",
        "text/plain; application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json-seq",
    ],
)
def test_posts_are_json_alone(page: TestClient, kind: str) -> None:
    """All else is what forms and pages of strangers may send without being asked for leave."""
    headers = {"origin": ORIGIN, "content-type": kind}
    answer = page.post(NOTE, content=b'{"id": "x", "text": null}', headers=headers)
    assert answer.status_code == 415


def test_the_server_proves_that_it_knows_the_token(stranger: TestClient) -> None:
    """To anybody who asks, and without a word that helps to be let in."""
    nonce = "0123456789abcdef" * 2
    answer = stranger.get("/api/session", params={"nonce": nonce})
    said = answer.json()
    assert said["proof"] == sign(TOKEN, PORT, said["run"], "proof", nonce)
    assert [*said] == ["run", "proof"]
    assert sign(TOKEN, PORT + 1, said["run"], "proof", nonce) != said["proof"]
    again = stranger.get("/api/session", params={"nonce": nonce[::-1]}).json()
    assert again["run"] == said["run"]
    assert again["proof"] != said["proof"]
    for key in (said["proof"], said["run"], TOKEN):
        headers = {"x-deckwright-token": key}
        assert stranger.get("/api/wall", headers=headers).status_code == 401


@pytest.mark.parametrize("nonce", ["", "0" * 31, "0" * 65, "page", "x" * 32, "0" * 32 + "\n"])
def test_only_numbers_are_signed(stranger: TestClient, nonce: str) -> None:
    assert stranger.get("/api/session", params={"nonce": nonce}).status_code == 400


def test_each_run_has_keys_of_its_own(desk: StudioSession) -> None:
    """What an old page sends to whoever has the port now opens nothing."""
    first, second = (authorize(stranger_of(desk)) for _ in range(2))
    assert first.get("/api/wall").status_code == 200
    second.headers["x-deckwright-token"] = first.headers["x-deckwright-token"]
    assert second.get("/api/wall").status_code == 401


def test_no_cookie_is_given_or_taken(page: TestClient) -> None:
    """Browsers send those of one port to all other ports of this machine."""
    for path in (*EVERYTHING[:-1], f"/api/session?nonce={'0' * 32}"):
        assert "set-cookie" not in page.get(path).headers
    key = page.headers.pop("x-deckwright-token")
    for name, value in ((f"deckwright-{PORT}", TOKEN), ("x-deckwright-token", key)):
        assert page.get("/api/wall", headers={"cookie": f"{name}={value}"}).status_code == 401


def test_the_key_is_said_exactly_once(page: TestClient) -> None:
    key = page.headers["x-deckwright-token"]
    for given in ("t" * 42, f"{key},{key}", "", TOKEN):
        headers = {"x-deckwright-token": given}
        assert page.get("/api/wall", headers=headers).status_code == 401


def test_the_key_in_an_address_reads_what_is_linked_and_nothing_else(stranger: TestClient) -> None:
    guard = stranger.app
    assert isinstance(guard, Guard)
    for area in LINK_PREFIXES:
        path, key = f"{area}{'0' * 32}.svg", guard.keys.link_key(area) or ""
        assert stranger.get(path, params={"key": key}).status_code == 404
        assert stranger.get(path).status_code == 401
        assert stranger.get(path, params={"key": guard.keys.page_key}).status_code == 401
        assert stranger.get("/api/wall", params={"key": key}).status_code == 401
        assert stranger.get("/api/wall", headers={"x-deckwright-token": key}).status_code == 401
        for other in {*LINK_PREFIXES} - {area}:
            assert stranger.get(f"{other}x", params={"key": key}).status_code == 401


def test_what_others_left_on_the_port_goes(desk: StudioSession) -> None:
    """Their service workers ask for their script, and their files may be in the browser's cache."""
    stranger = stranger_of(desk)
    for path in ("/sw.js", "/", "/api/wall"):
        answer = stranger.get(path, headers={"service-worker": "script"})
        assert answer.headers["content-type"] == "text/javascript"
        assert "registration.unregister()" in answer.text
    assert stranger.get("/").headers["clear-site-data"] == '"cache"'
    assert "clear-site-data" not in stranger.get("/assets/studio.css").headers
    authorize(stranger).get("/api/wall")
    assert "clear-site-data" not in stranger.get("/").headers


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
def test_no_other_method_is_known(page: TestClient, method: str) -> None:
    answer = page.request(method, "/api/wall", headers={"origin": "http://evil.example"})
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/", "/assets/studio.css", "/api/wall", "/nothing", "/api/none"])
def test_every_answer_says_what_a_browser_may_do_with_it(page: TestClient, path: str) -> None:
    for host in (f"127.0.0.1:{PORT}", "evil.example"):
        headers = page.get(path, headers={"host": host}).headers
        assert headers["content-security-policy"] == (
            "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert not [name for name in headers if name.startswith("access-control")]


def test_long_bodies_are_refused(page: TestClient) -> None:
    headers = {"origin": ORIGIN, "content-type": "application/json"}
    body = b'{"id": ""}'.ljust(MAX_BODY_BYTES)
    assert page.post(NOTE, content=body, headers=headers).status_code != 413
    assert page.post(NOTE, content=body + b" ", headers=headers).status_code == 413


def test_a_body_without_an_end_is_cut_off() -> None:
    """Whatever length it says: what counts is what comes."""
    received = 0
    answers: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise AssertionError

    async def endless() -> Message:
        nonlocal received
        received += 1000
        return {"type": "http.request", "body": b"x" * 1000, "more_body": True}

    async def send(message: Message) -> None:
        answers.append(message)

    own = [
        ("host", f"127.0.0.1:{PORT}"),
        ("origin", ORIGIN),
        ("content-type", "application/json"),
        ("content-length", "5"),
    ]
    guard = Guard(app, PORT, TOKEN)
    own.append(("x-deckwright-token", guard.keys.page_key))
    asyncio.run(guard(scope(*own, method="POST", path=NOTE), endless, send))
    assert answers[0]["status"] == 413
    assert received <= MAX_BODY_BYTES + 1000


def routes(client: TestClient) -> list[tuple[str, str]]:
    """Return all that the studio answers: methods and paths, in which a name stands for any."""
    guard = client.app
    assert isinstance(guard, Guard)
    assert isinstance(guard.app, Starlette)
    return [
        (method, re.sub(r"\{\w+(:\w+)?\}", "0" * 32, route.path))
        for route in guard.app.routes
        if isinstance(route, Route)
        for method in sorted((route.methods or set()) - {"HEAD"})
    ]


def test_nothing_is_answered_to_those_who_do_not_know_the_token(stranger: TestClient) -> None:
    open_to_all = {("GET", "/"), ("GET", f"/assets/{'0' * 32}"), ("GET", "/api/session")}
    closed = [route for route in routes(stranger) if route not in open_to_all]
    assert len(closed) >= 5
    own = {"origin": ORIGIN, "content-type": "application/json", "sec-fetch-site": "same-origin"}
    for method, path in closed:
        content = b"{}" if method == "POST" else None
        answer = stranger.request(method, path, content=content, headers=own)
        assert answer.status_code == 401, path


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (415, {"origin": ORIGIN, "content-type": "text/plain"}),
        (415, {"origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"}),
        (403, {"content-type": "application/json"}),
        (403, {"origin": "http://evil.example", "content-type": "application/json"}),
        (
            403,
            {"origin": ORIGIN, "sec-fetch-site": "cross-site", "content-type": "application/json"},
        ),
        (421, {"origin": ORIGIN, "host": "evil.example", "content-type": "application/json"}),
    ],
)
def test_nothing_is_changed_by_pages_of_others(
    page: TestClient, status: int, headers: dict[str, str]
) -> None:
    """Not even where the browser sends all that it knows of us."""
    for method, path in routes(page):
        if method == "POST":
            answer = page.post(path, content=b"{}", headers=headers)
            assert answer.status_code == status, path


def test_who_asks_without_end_has_to_wait(
    page: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pace in vars(page.app)["_buckets"].values():  # time stands still, however slow this is
        monkeypatch.setattr(pace, "_clock", partial(vars(pace).__getitem__, "_last_time"))
    answers = [page.get("/api/search?q=level=1").status_code for _ in range(100)]
    assert answers == [200] * 100
    assert any(page.get("/api/search?q=level=1").status_code == 429 for _ in range(300))
    assert page.get("/").status_code == 200
    assert page.post("/api/unsaved", json={}, headers={"origin": ORIGIN}).status_code == 400


def test_strangers_do_not_use_up_what_the_page_may_ask(page: TestClient) -> None:
    key = page.headers.pop("x-deckwright-token")
    for _ in range(400):
        assert page.get("/api/wall", headers={"x-deckwright-token": "x"}).status_code == 401
        assert page.get(f"/api/session?nonce={'0' * 32}").status_code == 200
    page.headers["x-deckwright-token"] = key
    assert page.get("/api/wall").status_code == 200


def test_leave_to_ask_comes_again_with_time() -> None:
    now = 0.0
    bucket = TokenBucket(2, 1, lambda: now)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now = 1.0
    assert [bucket.take() for _ in range(2)] == [True, False]
    now = 100.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_there_are_no_websockets(page: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), page.websocket_connect("/api/events"):
        pass


@pytest.mark.parametrize(
    "path",
    [
        "/faces/..%2f..%2fxml%2fgame.xml",
        "/faces/..%2fgame.svg",
        "/faces/%2e%2e/xml/game.xml",
        "/faces/../../xml/game.svg",
        f"/faces/{'0' * 31}.svg",
        f"/faces/{'0' * 32}.svg/",
        f"/faces/{'0' * 32}%0a.svg",
        f"/faces/{'G' * 32}.svg",
        "/assets/../guard.py",
        "/assets/..%2fguard.py",
        "/assets/%2e%2e%2f%2e%2e%2fguard.py",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/assets/decks/../../guard.py",
        "/assets/decks",
        "/assets/decks/",
        "/assets/studio.html",
        "/assets/",
        "/assets",
        "/assets/studio.css%00",
        "/assets/..%5cguard.py",
        "/pages/studio.css",
        "/xml/game.xml",
        "//evil.example/",
        "/api/wall/",
    ],
)
def test_no_path_leads_anywhere_else(page: TestClient, path: str) -> None:
    answer = asyncio.run(raw(page, path))
    assert answer == 404


async def raw(page: TestClient, path: str) -> int:
    """Ask for a path as it is written; clients tidy it up."""
    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        answers.append(message)

    asked: dict[str, Any] = {
        **scope(
            ("host", f"127.0.0.1:{PORT}"),
            ("x-deckwright-token", page.headers["x-deckwright-token"]),
            path=unquote(path),
        ),
        "raw_path": path.encode(),
        "query_string": b"",
        "scheme": "http",
        "server": ("127.0.0.1", PORT),
        "root_path": "",
    }
    await page.app(asked, receive, send)
    return int(answers[0]["status"])
