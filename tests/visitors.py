"""The studio of a small game in this process, and who visits it; no network is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.testclient import TestClient

from deckwright import open_game
from deckwright.studio.app import create_app
from deckwright.studio.guard import Guard
from deckwright.studio.session import StudioSession
from support import card, write_game

PORT = 8765
TOKEN = "t" * 43
ORIGIN = f"http://127.0.0.1:{PORT}"


def small_session(folder: Path) -> StudioSession:
    """Return a studio for a game of three cards, which checks nothing by itself."""
    cards = [card("A1", "Ant", level=2), card("A2", "Queen"), card("B1", "Bee", "BB")]
    return StudioSession(open_game(write_game(folder, cards)), check=False)


def stranger_of(desk: StudioSession) -> TestClient:
    """Return one who knows the address of a studio, but no token; within a block it is running."""
    return TestClient(create_app(desk, PORT, TOKEN), base_url=ORIGIN, follow_redirects=False)


@contextmanager
def page_of(desk: StudioSession) -> Iterator[TestClient]:
    """Give the page of a studio that runs within the block; it may change what can be changed."""
    with stranger_of(desk) as client:
        client.headers["origin"] = ORIGIN
        yield authorize(client)


def authorize(stranger: TestClient) -> TestClient:
    """Make a stranger the studio's own page."""
    guard = stranger.app
    assert isinstance(guard, Guard)
    stranger.headers["x-deckwright-token"] = guard.keys.page
    return stranger
