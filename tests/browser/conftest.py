"""A studio in a process of its own, and a browser that looks at it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from support import card, write_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request

TOKEN = "a-token-that-is-known-to-the-tests"
SERVE = """
import sys
from pathlib import Path
from deckwright.studio.server import serve
folder, port, token, looks = sys.argv[1:]
serve(
    Path(folder),
    port=int(port),
    token=token,
    read_only=looks == "True",
    on_ready=lambda url: print(url, flush=True),
)
"""
_ASKED = "session seen unsaved preview judge odds hand compare read text complete fits why"
_FORGOTTEN = tuple(f"/{name}" for name in _ASKED.split())
"""How the paths end to which is posted what only the page that asks remembers."""
_PATIENCE = 30_000
"""For so many ms a story waits for anything: other stories run beside it."""

_CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Names of the browser. Without windows, a page needs a third of the time that it needs with."""

Writes = Callable[[Path], Path]
"""Writes a game into a folder that is not there yet, and returns it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of this folder is looked at in a browser."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


class Running:
    """A studio that can be killed and started again under an open page.

    Attributes:
        folder: the game's; what is beside it belongs to the studio as well.
        url: what is opened, with the token.
        read_only: whether it only looks.
        starts: how often it was started.
        program: what runs it.
    """

    program = SERVE

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read_only = False
        self.starts = 0
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}/#{TOKEN}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        given = (self.folder, self._port, TOKEN, self.read_only)
        command = [sys.executable, "-c", self.program, *map(str, given)]
        printers = {"XDG_CONFIG_HOME": str(self.folder.parent / "config")}
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **printers}
        )
        self.starts += 1
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == self.url

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=20)
        self._process = None

    def kill(self) -> None:
        """End it as when the power fails."""
        assert self._process is not None
        self._process.kill()
        self._process.communicate(timeout=20)
        self._process = None

    def write(self, name: str, text: str) -> None:
        """Save a file as editors do: another one takes its place."""
        path = self.folder / name
        beside = path.with_suffix(".saved")
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)

    def replace(self, name: str, old: str, new: str) -> None:
        """Save a file with other words in it."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))


class Studios:
    """Those that run: what one story leaves as it was serves the next of the same game."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._begun = 0
        self._kept: dict[Writes, tuple[Running, dict[Path, int]]] = {}

    def take(self, game: Writes) -> Running:
        if game not in self._kept:
            self._begun += 1
            running = Running(game(self._folder / str(self._begun) / "game"))
            running.start()
            self._kept[game] = (running, _saved(running))
        return self._kept[game][0]

    def give_back(self, game: Writes, posted: set[str]) -> None:
        running, saved = self._kept[game]
        told = [path for path in posted if not path.endswith(_FORGOTTEN)]
        if told or running.starts > 1 or _saved(running) != saved:
            running.stop()
            del self._kept[game]

    def stop(self) -> None:
        for running, _ in self._kept.values():
            running.stop()


def _saved(running: Running) -> dict[Path, int]:
    """Return when each file of a studio was saved."""
    return {path: path.stat().st_mtime_ns for path in running.folder.parent.rglob("*")}


def ants(folder: Path) -> Path:
    """Write a game of six cards."""
    cards = [
        card("A1", "Ant", level=1, costs=3),
        card("A2", "Queen Ant", level=2, costs=9),
        card("A3", "Digger", level=1, costs=4),
        card("B1", "Bee", "BB", level=2, costs=5),
        card("B2", "Drone", "BB", level=1, costs=1),
        card("G1", "Guest", "GG", level=1, costs=2),
    ]
    return write_game(folder, cards)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests")
    found = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if found is None:
        pytest.skip("needs chromium")
    sync_api.expect.set_options(timeout=_PATIENCE)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def studios(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studios]:
    running = Studios(tmp_path_factory.mktemp("studios"))
    yield running
    running.stop()


@pytest.fixture
def game() -> Writes:
    """What is shown; stories of other games say so."""
    return ants


@pytest.fixture
def posted() -> set[str]:
    """The paths that pages of a story have told something."""
    return set()


@pytest.fixture
def studio(studios: Studios, game: Writes, posted: set[str]) -> Iterator[Running]:
    yield studios.take(game)
    studios.give_back(game, posted)


Contexts = Callable[..., "BrowserContext"]


@pytest.fixture
def contexts(chromium: Browser, posted: set[str]) -> Iterator[Contexts]:
    """Browsers of other people, as playwright's `new_context` describes them."""
    begun: list[BrowserContext] = []

    def note(request: Request) -> None:
        if request.method == "POST":
            posted.add(urlsplit(request.url).path)

    def context(**given: object) -> BrowserContext:
        seen = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
        begun.append(chromium.new_context(**{**seen, **given}))
        begun[-1].set_default_timeout(_PATIENCE)
        begun[-1].on("request", note)
        return begun[-1]

    yield context
    for one in begun:
        one.close()


@pytest.fixture
def context(contexts: Contexts) -> BrowserContext:
    return contexts()


def _bad(message: str) -> bool:
    return "Content Security Policy" in message


Opens = Callable[[], "Page"]


@pytest.fixture
def opens(context: BrowserContext, studio: Running) -> Iterator[Opens]:
    """Opens a tab, which must not complain of anything until the test is over."""
    said: list[str] = []

    def opened() -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "console", lambda message: said.append(message.text) if _bad(message.text) else None
        )
        page.goto(studio.url)
        page.wait_for_selector(".tile:not(.pending)")
        return page

    yield opened
    assert said == []


@pytest.fixture
def page(opens: Opens) -> Page:
    return opens()
