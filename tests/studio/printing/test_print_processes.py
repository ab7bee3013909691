"""The processes that make files: they end with all that they have begun."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from deckwright.api import open_game
from deckwright.base.workers import count_cores
from deckwright.studio.answers import RefusedError
from deckwright.studio.printing import jobs
from deckwright.studio.printing.jobs import PreviewWorker, WorkerProcess
from deckwright.studio.printing.options import GameSource, list_products, read_values
from support import card, write_decks, write_game

_PATIENCE = 60
"""So many seconds are enough on any machine; it takes less than one."""


def question(folder: Path, thing: str, **given: object) -> dict[str, Any]:
    game = open_game(folder)
    options = read_values(list_products(GameSource(game.model, game.folder))[thing].options, given)
    out = str(folder / "out")
    return {"call": "make", "folder": str(folder), "thing": thing, "of": [],
            "options": options, "where": out, "prints": [out]}  # fmt: skip


def group_of(leader: int) -> list[int]:
    """Return the processes of a group."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == leader and fields[0] != "Z":
            found.append(int(path.name))
    return found


@pytest.mark.skipif(
    sys.platform != "linux" or count_cores() < 2, reason="asks /proc, and needs workers"
)
@pytest.mark.parametrize("hangs", [False, True])
def test_workers_end_with_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, hangs: bool
) -> None:
    monkeypatch.setattr(jobs, "_TERMINATE_SECONDS", 0.1 if hangs else _PATIENCE)
    write_game(tmp_path, [card(f"A{number}", f"Ant {number}") for number in range(150)])

    async def cancelled() -> int:
        child = await WorkerProcess.start()
        leader = child.pid
        work = asyncio.create_task(child.ask(question(tmp_path, "pictures", dpi=1200)))
        while len(group_of(leader)) < 2:
            assert not work.done()
            await asyncio.sleep(0.01)
        if hangs:
            os.kill(leader, signal.SIGSTOP)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        await asyncio.wait_for(child.end(), _PATIENCE)
        return leader

    leader = asyncio.run(cancelled())
    assert group_of(leader) == []
    assert hangs or [*tmp_path.rglob("*.tmp")] == []


def test_a_process_that_died_says_so(tmp_path: Path) -> None:
    write_game(tmp_path, [card("A1", "Ant")])

    async def asked() -> RefusedError:
        child = await WorkerProcess.start()
        os.kill(child.pid, signal.SIGKILL)
        with pytest.raises(RefusedError) as refused:
            await child.ask(question(tmp_path, "overview"))
        await child.end()
        return refused.value

    assert asyncio.run(asked()).status == 500


def test_work_that_nobody_waits_for_is_stopped(tmp_path: Path) -> None:
    write_decks(tmp_path)

    async def stopped() -> RefusedError:
        child = await WorkerProcess.start()
        asked = question(tmp_path, "decks") | {"call": "preview", "of": ["good"]}
        work = asyncio.create_task(child.ask(asked))
        await asyncio.sleep(0)  # it has been asked now
        child.cancel_question()
        with pytest.raises(RefusedError) as refused:
            await work
        told = await child.ask(asked)
        assert told["documents"]
        await child.end()
        return refused.value

    assert asyncio.run(stopped()).answer["message"] == "this was cancelled"


def test_what_was_laid_out_is_still_drawn_when_later_work_is_cancelled(tmp_path: Path) -> None:
    write_game(tmp_path, [card("A1", "Ant")])

    async def drawn() -> Any:
        press = PreviewWorker()
        asked = question(tmp_path, "overview") | {"call": "preview"}
        told = await press.ask(asked)
        for _ in range(3):
            later = asyncio.create_task(press.ask(asked))
            await asyncio.sleep(0)
            later.cancel()
            await asyncio.gather(later, return_exceptions=True)
        name = told["documents"][0]["pages"][0]["picture"].rpartition("/")[2]
        picture = await press.ask({**asked, "call": "picture", "name": name})
        await press.end()
        return picture

    assert asyncio.run(drawn())
