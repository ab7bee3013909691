"""Test clients for a studio in this process, without a network."""

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
    """Return a studio session for a game of three cards, without automatic checks."""
    cards = [card("A1", "Ant", level=2), card("A2", "Queen"), card("B1", "Bee", "BB")]
    return StudioSession(open_game(write_game(folder, cards)), check=False)


def stranger_of(session: StudioSession) -> TestClient:
    """Return a client without a token; as a context manager it runs the studio."""
    return TestClient(create_app(session, PORT, TOKEN), base_url=ORIGIN, follow_redirects=False)


@contextmanager
def page_of(session: StudioSession) -> Iterator[TestClient]:
    """Yield a client with the page's key and origin, with the studio running within the block."""
    with stranger_of(session) as client:
        client.headers["origin"] = ORIGIN
        yield authorize(client)


def authorize(client: TestClient) -> TestClient:
    """Give a client the page's key."""
    guard = client.app
    assert isinstance(guard, Guard)
    client.headers["x-deckwright-token"] = guard.keys.page_key
    return client
