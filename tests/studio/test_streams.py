"""What those hear who listen."""

from __future__ import annotations

import asyncio
import json

import pytest

from deckwright.studio.faces import ChangeEvent
from deckwright.studio.session import EventStreams, TooManyListenersError

FIRST: ChangeEvent = {
    "version": 1, "after": 1, "whole": False, "state": None, "faces": {}, "lost": {},
}  # fmt: skip
SECOND: ChangeEvent = {**FIRST, "version": 2, "lost": {"": ["AA:A1:1:face"]}}


def test_everybody_hears_everything_from_when_they_came() -> None:
    async def story() -> None:
        streams = EventStreams()
        early = streams.subscribe(FIRST)
        streams.send(SECOND)
        late = streams.subscribe(SECOND)
        assert await anext(early) == f"data: {json.dumps(FIRST)}\n\n"
        assert await anext(early) == await anext(late) == f"data: {json.dumps(SECOND)}\n\n"
        streams.close()
        assert [line async for line in early] == []

    asyncio.run(story())


def test_silence_is_broken() -> None:
    async def story() -> None:
        lines = EventStreams(heartbeat=0.001).subscribe(FIRST)
        await anext(lines)
        assert (await anext(lines)).startswith(":")
        assert (await anext(lines)).endswith("\n\n")

    asyncio.run(story())


def test_some_may_listen_and_who_goes_makes_room() -> None:
    async def story() -> None:
        streams = EventStreams(max_listeners=2)
        one, _two = streams.subscribe(FIRST), streams.subscribe(FIRST)
        with pytest.raises(TooManyListenersError):
            streams.subscribe(FIRST)
        await anext(one)
        await one.aclose()
        streams.subscribe(FIRST)

    asyncio.run(story())


def test_who_does_not_listen_is_sent_away() -> None:
    async def story() -> None:
        streams = EventStreams(max_listeners=1)
        lines = streams.subscribe(FIRST)
        for _ in range(1000):
            streams.send(SECOND)
        streams.subscribe(FIRST)
        assert 0 < len([line async for line in lines]) < 1000

    asyncio.run(story())
