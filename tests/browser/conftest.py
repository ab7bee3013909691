"""A studio in a process of its own, and a browser that looks at it."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import card, write_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

TOKEN = "a-token-that-is-known-to-the-tests"
_SERVE = """
import sys
from pathlib import Path
from deckwright.studio.server import serve
folder, port, token, looks = sys.argv[1:]
serve(
    Path(folder),
    port=int(port),
    token=token,
    read_only=looks == "True",
    tell=lambda url: print(url, flush=True),
)
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of this folder is looked at in a browser."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.browser)


class Running:
    """A studio that can be killed and started again under an open page.

    Attributes:
        folder: the game's.
        url: what is opened, with the token.
        read_only: whether it only looks.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read_only = False
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}/#{TOKEN}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        given = (self.folder, self._port, TOKEN, self.read_only)
        command = [sys.executable, "-c", _SERVE, *map(str, given)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
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


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra browser-tests")
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("needs chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Running]:
    cards = [
        card("A1", "Ant", level=1, costs=3),
        card("A2", "Queen Ant", level=2, costs=9),
        card("A3", "Digger", level=1, costs=4),
        card("B1", "Bee", "BB", level=2, costs=5),
        card("B2", "Drone", "BB", level=1, costs=1),
        card("G1", "Guest", "GG", level=1, costs=2),
    ]
    running = Running(write_game(tmp_path / "game", cards))
    running.start()
    yield running
    running.stop()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    context.set_default_timeout(10_000)
    yield context
    context.close()


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
