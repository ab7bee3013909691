"""What the studio does beside answering, and what becomes of it when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from conftest import edit
from deckwright import open_game
from deckwright.studio import session as desks
from deckwright.studio.live_game import LiveGame
from deckwright.studio.session import StudioSession
from support import card, write_game

CARDS = "xml/Factions/AA_cards.xml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_game(tmp_path, [card("A1", "Ant"), card("A2", "Queen")])


def run(desk: StudioSession, story: Callable[[StudioSession], Awaitable[None]]) -> None:
    async def told() -> None:
        async with desk.run():
            await asyncio.wait_for(story(desk), 20)

    asyncio.run(told())


async def name_of(desk: StudioSession, wanted: str) -> None:
    """Wait until the first face is called so."""
    while True:
        wall = await desk.face_grid(None)
        faces = wall["faces"]
        assert isinstance(faces, list)
        if faces[0]["name"] == wanted and faces[0]["hash"]:
            return
        await asyncio.sleep(0.02)


def test_work_that_fails_is_told_and_begun_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(desks, "_RESTART_SECONDS", 0.01)
    reload, times = LiveGame.reload, []

    def failing(self: LiveGame, *, patient: bool = False, seconds: float = 0.04) -> object:
        times.append(patient)
        if len(times) == 1:
            raise ZeroDivisionError("a fault of our own")
        return reload(self, patient=patient, seconds=seconds)

    monkeypatch.setattr(LiveGame, "reload", failing)

    async def story(desk: StudioSession) -> None:
        await name_of(desk, "Ant")
        edit(folder / CARDS, 'name="Ant"', 'name="Anteater"')
        await name_of(desk, "Anteater")

    run(StudioSession(open_game(folder), check=False), story)
    assert "ZeroDivisionError: a fault of our own" in capsys.readouterr().err
    assert len(times) > 1


def test_a_mistake_that_stays_is_told_after_a_moment(folder: Path) -> None:
    async def story(desk: StudioSession) -> None:
        await name_of(desk, "Ant")
        edit(folder / CARDS, "</data>", "")
        await desk.reload(patient=True)
        assert not await desk.call(lambda: desk.live_game.ok)

    run(StudioSession(open_game(folder), check=False), story)


def test_all_that_was_saved_is_told_even_where_no_face_differs(folder: Path) -> None:
    said: list[object] = []

    async def story(desk: StudioSession) -> None:
        await name_of(desk, "Ant")
        desk.streams.send = lambda event: said.append(event.get("kind"))  # type: ignore[method-assign]
        (folder / "xml" / "Decks").mkdir(exist_ok=True)
        (folder / "xml" / "Decks" / "a.xml").write_text("<data/>", encoding="utf-8")
        await desk.reload()

    run(StudioSession(open_game(folder), check=False), story)
    assert "files" in said
