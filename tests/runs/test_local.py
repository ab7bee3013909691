"""Workers of this machine die, hang and are left behind: the run goes on, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest
from sixty_decks import DECKS, content, plan_once, plan_twice, until

from conftest import Run
from deckwright.runs import engine as local
from deckwright.runs.engine import LocalEngine, LostShard, PrintedShard, Shard
from deckwright.runs.plan import EngineError, RunPlan

DECKWRIGHT = (sys.executable, "-m", "deckwright")


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plan_once(tmp_path_factory.mktemp("planned"))


@pytest.fixture
def plan(small: Path, planned: Path) -> RunPlan:
    """A run of the small game, twice."""
    assert small == Path.cwd()
    return plan_twice(planned)


def children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    return [int(child) for child in listed.split()]


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks at processes of Linux")
@pytest.mark.usefixtures("plan")
def test_a_run_that_is_killed_goes_on(run: Run) -> None:
    """First its workers, then the whole of it, and nobody stays behind."""
    command = [*DECKWRIGHT, "run", "start", "run", "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as killed:
        until(lambda: bool(list(Path("run/decks").glob("*.pdf"))))
        for worker in children(killed.pid):
            os.kill(worker, signal.SIGKILL)
        before = len(list(Path("run/decks").glob("*.pdf")))
        until(lambda: len(list(Path("run/decks").glob("*.pdf"))) > before)
        left = children(killed.pid)
        killed.kill()
        killed.communicate()
    until(lambda: not any(map(is_alive, left)))
    assert run("run", "start", "run", "--workers", "1").exit_code == 0
    result = run("run", "start", "other", "--workers", "2")
    assert result.exit_code == 0, result.stderr
    assert content("run") == content("other")
    assert f"{DECKS} decks verified" in run("run", "verify", "run").stdout


@pytest.mark.usefixtures("plan")
def test_decks_are_printed_again_beside_a_run_that_prints(run: Run) -> None:
    """Each command has a copy of the game that no other removes."""
    command = [*DECKWRIGHT, "run", "start", "run", "--workers", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as prints:
        until(lambda: bool(list(Path("run/decks").glob("*.pdf"))))
        again = []
        while prints.poll() is None:
            again.append(run("run", "reprint", "run", "D-0", "--out", "again.pdf").exit_code)
            again.append(run("run", "merge", "run", "--by", "2", "--out", "merged").exit_code)
        assert prints.returncode == 0, prints.stderr and prints.stderr.read()
    assert set(again) == {0}
    assert Path("again.pdf").read_bytes() == Path("run/decks/D-0.pdf").read_bytes()
    assert not Path("run/work").exists()
    assert run("run", "start", "other", "--workers", "2").exit_code == 0
    assert content("run") == content("other")


@pytest.mark.usefixtures("plan")
def test_a_worker_whose_game_is_gone_fails(run: Run) -> None:
    """It prints no deck with what is left of the game, and sets none aside for what is gone."""
    command = [*DECKWRIGHT, "run", "start", "run", "--workers", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as prints:
        until(lambda: bool(list(Path("run/decks").glob("*.pdf"))))
        shutil.rmtree("run/work", ignore_errors=True)  # the run may remove files of it, too
        _, said = prints.communicate()
    assert (prints.returncode, said.count("\n")) == (1, 2), said
    assert said.startswith("run: error E121: the copy of the game that the run prints is missing\n")
    assert '"aside"' not in Path("run/manifest.jsonl").read_text()
    assert run("run", "start", "run", "--workers", "2").exit_code == 0
    assert run("run", "start", "other", "--workers", "2").exit_code == 0
    assert content("run") == content("other")


def engine(plan: RunPlan, game: Path, seconds: float) -> LocalEngine:
    return LocalEngine(1, (str(game), "{}", str(plan.folder), 0), seconds)


def shard(plan: RunPlan) -> Shard:
    (number, text), *_ = plan.numbered_lines()
    return Shard(((number, plan.key(text), text),))


def came_back(workers: LocalEngine, given: Shard) -> list[PrintedShard | LostShard]:
    workers.submit(given)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if found := [*workers.results()]:
            return found
    raise TimeoutError


def test_a_worker_that_hangs_is_ended(plan: RunPlan, small: Path) -> None:
    (plan.folder / "decks").mkdir()
    with engine(plan, small, 0) as workers:
        found = came_back(workers, shard(plan))
    assert found == [LostShard(shard(plan), "it took more than 0 seconds")]


def test_a_shard_that_is_too_large_for_the_memory_comes_back(plan: RunPlan, small: Path) -> None:
    with engine(plan, small, 60) as workers:
        slot = workers._slots[0]  # noqa: SLF001 - no worker runs out of memory just so
        future: Future[list[str]] = Future()
        future.set_exception(MemoryError())
        slot.shards.append((shard(plan), future))
        assert [*workers.results()] == [LostShard(shard(plan), "its worker ran out of memory")]


def test_where_no_worker_can_begin_nothing_is_set_aside(plan: RunPlan, small: Path) -> None:
    (small / "xml/game.xml").write_text("<game/>")
    with engine(plan, small, 60) as workers, pytest.raises(EngineError, match=r"game\.xml"):
        came_back(workers, shard(plan))


def test_a_place_that_cannot_be_written_ends_the_run(plan: RunPlan, small: Path) -> None:
    (plan.folder / "decks").write_text("a file")
    with engine(plan, small, 60) as workers, pytest.raises(EngineError, match="cannot be written"):
        came_back(workers, shard(plan))


def test_a_worker_that_does_not_open_the_game_ends_the_run(
    plan: RunPlan, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "_MIN_OPEN_SECONDS", 0)
    with engine(plan, small, 0) as workers:
        workers.submit(shard(plan))
        workers._slots[0]._startup = Future()  # noqa: SLF001 - that is never done
        with pytest.raises(EngineError, match="has not opened the game after 0 seconds"):
            list(workers.results())
