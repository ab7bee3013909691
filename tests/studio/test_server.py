"""The studio as a process of its own, asked over a real connection."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.request import urlopen

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from conftest import edit
from deckwright.base.findings import ChoiceError
from deckwright.studio.guard import HOST, Guard, GuardedConnection, build_url, sign
from deckwright.studio.server import bind_port, find_running_studio, preferred_port, remember_studio
from support import card, line, write_game


class Running(NamedTuple):
    """A studio that runs, and the connections to it that are open."""

    process: subprocess.Popen[str]
    port: int
    token: str
    key: str
    connections: list[http.client.HTTPConnection]

    def ask(self, method: str, path: str, body: str = "") -> http.client.HTTPResponse:
        """Ask as the page does."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=30)
        self.connections.append(connection)
        headers = {
            "Origin": f"http://{HOST}:{self.port}",
            "Content-Type": "application/json",
            "X-Deckwright-Token": self.key,
        }
        connection.request(method, path, body or None, headers)
        return connection.getresponse()

    def end(self, by: signal.Signals) -> tuple[str, str]:
        """End it, and return what it has said since it could be reached."""
        self.process.send_signal(by)
        return self.process.communicate(timeout=30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game", [card("A1", "Ant"), card("B1", "Bee", "BB")])


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Running]:
    """Run the studio of a game as the command does."""
    command = [sys.executable, "-m", "deckwright", "studio", "--no-browser", *options]
    process = subprocess.Popen(
        command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    said = "".join(process.stdout.readline() for _ in range(3))
    found = re.search(rf"^http://{re.escape(HOST)}:(\d+)/#(\S{{43}})$", said, re.MULTILINE)
    assert found, said
    port, token = int(found[1]), found[2]
    with urlopen(f"http://{HOST}:{port}/api/session?nonce={'0' * 32}", timeout=30) as answer:
        run = json.load(answer)["run"]
    studio = Running(process, port, token, sign(token, port, run, "page"), [])
    try:
        yield studio
    finally:
        for connection in studio.connections:
            connection.close()
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture(params=[(), ("--poll",)], ids=["told", "polled"])
def studio(folder: Path, request: pytest.FixtureRequest) -> Iterator[Running]:
    with running(folder, *request.param) as started:
        yield started


def next_event(stream: http.client.HTTPResponse) -> dict[str, Any]:
    while True:
        line = stream.readline().decode()
        assert line, "the stream has ended"
        if line.startswith("data: "):
            event: dict[str, Any] = json.loads(line.removeprefix("data: "))
            if "kind" not in event:  # of the wall
                return event


def until_changed(stream: http.client.HTTPResponse, key: str) -> dict[str, Any]:
    while key not in pictures(event := next_event(stream)) and not event["whole"]:
        pass
    return event


def pictures(event: dict[str, Any]) -> dict[str, str]:
    """Return the hashes that an event tells of, by the keys of their faces."""
    return {face["key"]: face["hash"] for face in event["faces"].get("", ()) if "hash" in face}


def test_a_story_from_start_to_end(studio: Running, folder: Path) -> None:
    stream = studio.ask("GET", "/api/events")
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert next_event(stream)["version"] == 1
    wall = json.load(studio.ask("GET", "/api/wall"))
    assert [face["card"] for face in wall["faces"]] == ["A1", "B1"]
    composed: dict[str, str] = {}
    while len(composed) < 2:
        composed |= pictures(next_event(stream))

    cards = folder / "xml" / "Factions" / "AA_cards.xml"
    edit(cards, 'name="Ant"', 'name="Anteater"')
    assert [*pictures(until_changed(stream, "AA:A1:1:face"))] == ["AA:A1:1:face"]
    face = json.load(studio.ask("GET", "/api/wall"))["faces"][0]
    assert face["name"] == "Anteater"
    assert face["hash"] != composed["AA:A1:1:face"]
    svg = studio.ask("GET", f"/faces/{face['hash']}.svg")
    assert b"<svg" in svg.read()

    # Another state of all files comes in place of this one, as with another branch.
    other = write_game(folder.parent / "other", [card("A1", "Aphid"), card("A2", "Queen")])
    (folder / "xml").rename(folder / "before")
    (other / "xml").rename(folder / "xml")
    until_changed(stream, "AA:A1:1:face")
    names = [face["name"] for face in json.load(studio.ask("GET", "/api/wall"))["faces"]]
    assert names == ["Aphid", "Queen"]

    edit(cards, "</data>", "")
    while (next_event(stream)["state"] or {"ok": True})["ok"]:
        pass
    wall = json.load(studio.ask("GET", "/api/wall"))
    assert [face["name"] for face in wall["faces"]] == ["Aphid", "Queen"]
    assert not wall["state"]["ok"]
    assert wall["state"]["findings"][0]["path"] == "xml/Factions/AA_cards.xml"

    out, err = studio.end(signal.SIGINT)
    assert (studio.process.returncode, err) == (0, "")
    assert out == "\nThe studio has stopped.\n"


def test_what_is_not_saved_is_told_at_the_end(folder: Path) -> None:
    with running(folder, "--read-only") as studio:
        assert json.load(studio.ask("GET", "/api/game"))["readOnly"]
        for works in ({"deck:1": "the deck Ants", "edit:1": "the card Ant"}, {"edit:1": None}):
            note = json.dumps({"works": works})
            assert studio.ask("POST", "/api/unsaved", note).status == 200
        out, err = studio.end(signal.SIGINT)
    assert (studio.process.returncode, err) == (0, "")
    assert out == (
        "\nNot saved:\n- the deck Ants\n"
        "It stays in the browser: start the studio again to save it.\n"
        "\nThe studio has stopped.\n"
    )


def test_of_very_much_that_is_not_saved_the_beginning_is_told(folder: Path) -> None:
    with running(folder, "--read-only") as studio:
        note = json.dumps({"works": {f"edit:{n}": f"the card {n}" for n in range(52)}})
        assert studio.ask("POST", "/api/unsaved", note).status == 200
        out, _ = studio.end(signal.SIGINT)
    assert "- the card 49\n- and 2 more\n" in out


def test_only_this_machine_can_reach_it(folder: Path) -> None:
    with running(folder) as studio:
        assert studio.ask("GET", "/").status == 200
        for family, address in ((socket.AF_INET, "127.0.0.2"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as other, pytest.raises(OSError, match=r"refused|assign"):
                other.connect((address, studio.port))
    with bind_port(0) as bound:
        assert bound.getsockname()[0] == HOST


def test_the_check_of_the_whole_game_is_told(folder: Path) -> None:
    edit(folder / "templates" / "card.xml", 'width="55" height="20"', 'width="3" height="2"')
    with running(folder) as studio:
        stream = studio.ask("GET", "/api/events")
        while next_event(stream)["version"] == 1:
            pass
        wall = json.load(studio.ask("GET", "/api/wall"))
        assert {finding["code"][0] for finding in wall["state"]["findings"]} == {"L"}
        studio.end(signal.SIGTERM)
        assert studio.process.returncode == 0


def test_who_says_nothing_keeps_nobody_waiting(folder: Path) -> None:
    with running(folder) as studio, socket.create_connection((HOST, studio.port)) as silent:
        silent.sendall(b"GET / HTTP/1.1\r\n")
        assert studio.ask("GET", "/").status == 200
        studio.end(signal.SIGINT)
        assert studio.process.returncode == 0


@pytest.mark.parametrize(
    ("number", "said"), [(400, b""), (70, b"GET / HTTP/1.1\r\nHost:")], ids=["idle", "half"]
)
def test_strangers_shut_nobody_out(folder: Path, number: int, said: bytes) -> None:
    with running(folder) as studio, ExitStack() as strangers:
        stream = studio.ask("GET", "/api/events")
        opened = [
            strangers.enter_context(socket.create_connection((HOST, studio.port), timeout=30))
            for _ in range(number)
        ]
        for stranger in opened:
            with suppress(ConnectionError):
                stranger.sendall(said)
        for path in ("/", "/assets/studio.js", "/api/wall"):
            assert studio.ask("GET", path).status == 200
        assert next_event(stream)["version"] == 1
        with suppress(ConnectionError):
            assert opened[0].recv(9) == b""  # it made room
        out, err = studio.end(signal.SIGINT)
        assert (studio.process.returncode, err) == (0, "")
        assert out == "\nThe studio has stopped.\n"


def test_wrong_keys_shut_nobody_out(folder: Path) -> None:
    with running(folder) as studio:
        wrong = studio._replace(key="x" * 43)
        assert {wrong.ask("GET", "/api/wall").status for _ in range(60)} == {401}
        assert studio.ask("GET", "/api/wall").status == 200


def test_who_does_not_ask_to_the_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it says nothing, half a request, or one after the other that has an answer."""
    monkeypatch.setattr("deckwright.studio.guard.REQUEST_TIMEOUT", 0.2)
    monkeypatch.setattr("deckwright.studio.guard._MAX_UNAUTHENTICATED", 5)

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.5)  # longer than anybody may say nothing
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    async def visit(port: int, said: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(said)
        try:
            return await asyncio.wait_for(reader.read(), 30)
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async def story() -> list[bytes]:
        with bind_port(0) as bound:
            port = bound.getsockname()[1]
            config = uvicorn.Config(
                Guard(app, port), http=GuardedConnection, log_config=None, log_level="error"
            )
            server = uvicorn.Server(config)
            running = asyncio.create_task(server.serve(sockets=[bound]))
            host = f"Host: {HOST}:{port}\r\n".encode()
            post = b"POST /api/unsaved HTTP/1.1\r\n" + host + b"Content-Length: 9\r\n\r\n{"
            found = await asyncio.gather(
                *(visit(port, said) for said in (b"", b"GET / HTTP/1.1\r\n", post)),
                visit(port, b"GET / HTTP/1.1\r\n" + host + b"\r\n"),
            )
            server.should_exit = True
            await running
            return found

    silent, half, bodiless, whole = asyncio.run(story())
    assert (silent, half) == (b"", b"")
    assert b"200" not in bodiless
    assert b"done" in whole


def test_ctrl_c_ends_it_while_sheets_are_laid_out(folder: Path) -> None:
    lines = [card(f"A{number}", f"Ant {number}") for number in range(400)]
    write_game(folder.parent / "large", lines, decks={"ants": [line("A1", 3)]})
    with running(folder.parent / "large") as studio:
        asked = {"thing": "overview", "of": [], "options": {}}
        connection = http.client.HTTPConnection(HOST, studio.port, timeout=60)
        studio.connections.append(connection)
        headers = {
            "Origin": f"http://{HOST}:{studio.port}",
            "Content-Type": "application/json",
            "X-Deckwright-Token": studio.key,
        }
        connection.request("POST", "/api/print/preview", json.dumps(asked), headers)
        time.sleep(1)
        out, err = studio.end(signal.SIGINT)
    assert (studio.process.returncode, err) == (0, "")
    assert out == "\nThe studio has stopped.\n"


def start_again(folder: Path, *options: str) -> tuple[int, str, str]:
    """Start the studio of a game that is open already, or that must not be opened."""
    command = [sys.executable, "-m", "deckwright", "studio", "--no-browser", *options]
    done = subprocess.run(
        command, cwd=folder, text=True, capture_output=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_second_start_leads_to_the_first(folder: Path) -> None:
    with running(folder) as studio:
        address = f"http://{HOST}:{studio.port}/#{studio.token}"
        code, out, err = start_again(folder)
        assert (code, err) == (0, "")
        assert out.endswith(f" is already open at\n{address}\n")
        notes = Path(os.environ["XDG_STATE_HOME"]) / "deckwright" / "studio"
        assert {stat.S_IMODE(note.stat().st_mode) for note in notes.iterdir()} == {0o600}
        assert stat.S_IMODE(notes.stat().st_mode) == 0o700
        studio.end(signal.SIGINT)
    with running(folder) as again:  # old pages know its token, and its keys are new
        assert (again.token, again.key != studio.key) == (studio.token, True)


@pytest.mark.parametrize("said", [b"", b"{", b'{"run": "x", "proof": "x"}', b"x" * 10_000])
def test_another_program_on_the_port_is_not_the_studio(folder: Path, said: bytes) -> None:
    """As after a kill: the note is old, and somebody else has the port by now."""

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: object) -> None: ...

    with HTTPServer((HOST, 0), Other) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        remember_studio(folder, build_url(other.server_port, "t" * 43))
        assert find_running_studio(folder) == (other.server_port, "t" * 43)
        with running(folder) as studio:
            assert studio.port != other.server_port
        other.shutdown()


@pytest.mark.parametrize("damage", ["text", "mode", "folder"])
def test_a_note_that_is_no_note_is_left_alone(folder: Path, damage: str) -> None:
    remember_studio(folder, build_url(50_000, "t" * 43))
    assert find_running_studio(folder)
    (note,) = (
        path
        for path in (Path(os.environ["XDG_STATE_HOME"]) / "deckwright" / "studio").iterdir()
        if path.is_file() and b":50000/" in path.read_bytes()
    )
    if damage == "text":
        note.write_bytes(b"\xff http://elsewhere.example/")
    elif damage == "mode":
        note.chmod(0o644)
    else:
        note.unlink()
        note.mkdir()
    assert find_running_studio(folder) is None
    remember_studio(folder, build_url(50_001, "t" * 43))
    shutil.rmtree(note, ignore_errors=True) if note.is_dir() else note.unlink()


def test_a_game_that_is_not_trusted_opens_only_without_an_error(folder: Path) -> None:
    with running(folder, "--untrusted") as studio:
        stream = studio.ask("GET", "/api/events")
        edit(folder / "xml" / "Factions" / "AA_cards.xml", 'name="Ant"', 'name="Anteater"')
        edit(folder / "templates" / "card.xml", "</face>", "<nothing/></face>")
        while (next_event(stream)["state"] or {"findings": []})["findings"] == []:
            pass
        faces = json.load(studio.ask("GET", "/api/wall"))["faces"]
        assert [face["name"] for face in faces] == ["Ant", "Bee"]
        edit(folder / "templates" / "card.xml", "<nothing/>", "")
        until_changed(stream, "AA:A1:1:face")
        studio.end(signal.SIGINT)
    edit(folder / "templates" / "card.xml", "</face>", "<nothing/></face>")
    code, out, err = start_again(folder, "--untrusted")
    assert (code, out) == (1, "")
    assert "error" in err


def test_a_port_that_is_taken_is_told() -> None:
    with bind_port(0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ChoiceError, match=f"the port {port} cannot be used"):
            bind_port(port)


def test_a_game_has_the_same_port_each_time_while_it_is_free(tmp_path: Path) -> None:
    port = preferred_port(tmp_path)
    assert preferred_port(tmp_path) == port
    assert preferred_port(tmp_path / "other") != port
    with bind_port(port):
        assert preferred_port(tmp_path) == 0
