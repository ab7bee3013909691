"""Runs on workers of Dask: the bytes of this machine, whoever is lost, and no strangers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from sixty_decks import content, plan_once, plan_twice, until

from certificates import write_certificate
from conftest import Run
from deckwright.runs.dask import Cluster, DaskEngine
from deckwright.runs.engine import LostShard, PrintedShard, Shard
from deckwright.runs.lines import parse_line as parsed_line
from deckwright.runs.plan import EngineError, RunPlan


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plan_once(tmp_path_factory.mktemp("planned"))


@pytest.fixture
def plan(small: Path, planned: Path) -> RunPlan:
    """A run of the small game, twice."""
    assert small == Path.cwd()
    return plan_twice(planned)


@contextmanager
def cluster(number: int, *tls: str) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Have a scheduler and workers, and yield its address and them."""

    def begun(what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments, *tls]
        log = stack.enter_context(Path(f"{what}.log").open("ab"))  # noqa: SIM115 - the stack is one
        process = subprocess.Popen([*command, "--no-dashboard"], stdout=log, stderr=log)
        stack.enter_context(process)
        stack.callback(process.kill)
        return process

    with ExitStack() as stack:
        said = Path("scheduler.json").absolute()
        here = ("--host", "127.0.0.1")
        web = ("--dashboard-address", "127.0.0.1:0")
        begun("scheduler", *here, "--port", "0", *web, "--scheduler-file", str(said))
        until(lambda: said.is_file() and said.read_text().endswith("}"))
        address = json.loads(said.read_text())["address"]
        own = ("--nthreads", "1", "--no-nanny", "--local-directory", "dask")
        yield address, [begun("worker", address, *here, *own) for _ in range(number)]


def test_whoever_is_lost_the_bytes_are_those_of_a_run_on_one_machine(
    run: Run, plan: RunPlan
) -> None:
    """All is encrypted, and a worker is killed while it prints."""
    names = ("--tls-ca-file", "--tls-cert", "--tls-key")
    write_certificate("127.0.0.1")
    pems = [str(Path(name).absolute()) for name in ("cert.pem", "cert.pem", "key.pem")]
    tls = [part for pair in zip(names, pems, strict=True) for part in pair]
    with cluster(3, *tls) as (address, workers):
        assert address.startswith("tls://127.0.0.1:")
        own = ["--scheduler", address, "--tls-ca", *tls[1:]]
        command = [sys.executable, "-m", "deckwright", "run", "start", "run", "--engine", "dask"]
        with subprocess.Popen([*command, *own], stderr=subprocess.PIPE, text=True) as printing:
            until(lambda: len([*plan.folder.glob("decks/*.pdf")]) > 8)
            os.kill(workers[0].pid, signal.SIGKILL)
            _, told = printing.communicate(timeout=60)
        assert printing.returncode == 0, told
        left = [*Path("dask").rglob("deckwright-*")]
    assert run("run", "start", "other", "--workers", "1").exit_code == 0
    assert content("run") == content("other")
    assert len(left) <= 1, "only the killed worker cannot tidy up"


CERTIFICATES = ("--tls-ca", "cert.pem", "--tls-cert", "cert.pem", "--tls-key", "cert.pem")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("--engine", "dask"), "--engine dask needs --scheduler"),
        (("--scheduler", "tcp://127.0.0.1:1"), "need --engine dask"),
        (("--engine", "dask", "--scheduler", "tcp://10.1.2.3:8786"), "neither encrypted nor on"),
        (("--engine", "dask", "--scheduler", "tcp://127.evil.example:1"), "neither encrypted nor"),
        (("--engine", "dask", "--scheduler", "ws://127.0.0.1:1"), "neither encrypted nor on"),
        (("--engine", "dask", "--scheduler", "tls://127.0.0.1:1"), "TLS needs certificates"),
        (("--engine", "dask", "--scheduler", "tcp://[::1]:1", *CERTIFICATES), "does not use cert"),
        (("--engine", "dask", "--scheduler", "tcp://[::1]:1", "--workers", "2"), "all workers"),
    ],
)
@pytest.mark.usefixtures("plan")
def test_strangers_are_not_talked_to(run: Run, asked: tuple[str, ...], told: str) -> None:
    Path("cert.pem").touch()
    result = run("run", "start", "run", *asked)
    assert result.exit_code == 2
    assert told in result.stderr


class Answered:
    """What Dask has when a shard has come back."""

    def __init__(self, key: str, answer: object) -> None:
        self.key, self._answer = key, answer

    def add_done_callback(self, call: Callable[[object], None]) -> None:
        call(self)

    def result(self, timeout: float) -> object:  # noqa: ARG002 - as Dask has it
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def release(self) -> None: ...


class Answering:
    """A client of Dask to which workers give one answer."""

    def __init__(self, answer: object, *workers: str) -> None:
        self._answer, self._workers = answer, workers

    def submit(self, *_: object, pure: bool) -> Answered:
        assert not pure
        return Answered("key", self._answer)

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self._workers, 1)


def answered(
    plan: RunPlan, answer: object, worker: str = "tcp://127.0.0.1:1"
) -> list[PrintedShard | LostShard]:
    engine = DaskEngine(Cluster("tcp://127.0.0.1:1"), ("", "{}", str(plan.folder), 0), 60)
    engine._client = Answering(answer, worker)  # noqa: SLF001 - in place of a network
    engine.submit(shard(plan))
    return [*engine.results()]


def shard(plan: RunPlan) -> Shard:
    number, text = next(plan.numbered_lines())
    return Shard(((number, plan.key(text), text),))


def line(plan: RunPlan, **other: object) -> str:
    ((number, key, text),) = shard(plan).decks
    said = {"deck": parsed_line(text).id, "number": number, "key": key, "files": ()}
    return json.dumps({**said, **other})


def test_only_the_files_of_a_shard_are_written(plan: RunPlan) -> None:
    """Whole ones, of the decks that were asked for, in their places."""
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # SHA-256 of b""
    good = line(plan, files=[["decks/D-0.pdf", 0, empty]])
    assert answered(plan, ([good], {"decks/D-0.pdf": b""})) == [PrintedShard(shard(plan), [good])]
    assert (plan.folder / "decks/D-0.pdf").read_bytes() == b""
    for lines, files in (
        ([good], {"decks/D-0.pdf": b"x"}),
        ([good], {}),
        ([good, good], {"decks/D-0.pdf": b""}),
        ([line(plan, files=[["run.json", 0, empty]])], {"run.json": b""}),
        ([line(plan, files=[["decks/D-1.pdf", 0, empty]])], {"decks/D-1.pdf": b""}),
        ([line(plan, key="another")], {}),
    ):
        ((lost),) = answered(plan, (lines, files))
        assert lost == LostShard(shard(plan), "its worker returned damaged data")
    assert (plan.folder / "run.json").stat().st_size > 0


def test_what_befalls_workers_is_told(plan: RunPlan) -> None:
    assert answered(plan, MemoryError()) == [LostShard(shard(plan), "its worker died")]
    assert answered(plan, TimeoutError()) == [
        LostShard(shard(plan), "its worker did not return it")
    ]
    with pytest.raises(EngineError, match="workers cannot print: no space"):
        answered(plan, OSError("no space"))
    with pytest.raises(EngineError, match="Deckwright 0"):
        answered(plan, "a worker has Deckwright 0")
    with pytest.raises(
        EngineError, match=r"10\.1\.1\.1:5` is neither encrypted nor on this machine"
    ):
        answered(plan, MemoryError(), "tcp://10.1.1.1:5")
