"""Work on files of strangers is done in a child, and what becomes of that is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import Run
from deckwright.base import processes
from deckwright.base.findings import LimitedReport, Location, Report
from deckwright.base.processes import WorkItem, track_work
from deckwright.checking import layout_check, sandbox, whole_layout
from deckwright.checking.sandbox import UNTRUSTED_LIMITS, Limits, run_sandboxed
from deckwright.checking.whole_layout import L006
from deckwright.templates.compose import Composer

USUAL = Limits(20, 400)
HERE = Location(Path("here.xml"), 3, 1)

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts memory")
HELD = """
import os, signal, time
from deckwright.checking import whole_layout
def hold(stage, *_, **__):
    assert stage.pictures.store._own_folder.exists()
    os.kill(os.getppid(), signal.SIGTERM)
    time.sleep(60)
whole_layout.compose_fronts = hold
from deckwright.cli import main
main()
"""
"""A check whose parent is interrupted when its child has a folder of its own."""

pytestmark = [
    pytest.mark.child,
    pytest.mark.skipif(not sandbox.CAN_FORK, reason="no child on this system"),
]


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """No child is left, dead or alive, and no open file."""
    files = sorted(Path("/proc/self/fd").iterdir())
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    before = children.read_text(encoding="ascii")
    yield
    assert children.read_text(encoding="ascii") == before
    assert sorted(Path("/proc/self/fd").iterdir()) == files


class OddError(Exception):
    """Cannot be sent from a process to another one."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} {two}")
        self.lock = threading.Lock()


def ended(work: Callable[[Report], None], limits: Limits = USUAL) -> sandbox.EarlyEnd | None:
    return run_sandboxed(work, [], limits)


def spin(_: Report) -> None:
    with track_work("card `A1`", Path("cards.xml"), 7):
        while True:
            pass


def test_what_is_found_comes_back_in_order() -> None:
    report: Report = [L006.at(HERE, "before")]

    def work(mine: Report) -> None:
        mine.append(L006.at(HERE, "one"))
        with track_work("something"):
            mine.append(L006.at(None, "two", "hint"))

    assert run_sandboxed(work, report, USUAL) is None
    assert [finding.message for finding in report] == ["before", "one", "two"]
    assert report[1] == L006.at(HERE, "one")
    assert report[1].code is L006


def test_the_child_does_not_change_its_parent() -> None:
    made: list[int] = []
    assert ended(lambda _: made.append(1)) is None
    assert made == []


@pytest.mark.parametrize("limits", [None, Limits(77, 400)])
def test_only_limits_limit_what_a_child_may_take(limits: Limits | None) -> None:
    import resource

    mine: Report = []
    run_sandboxed(
        lambda report: report.append(L006.at(None, str(resource.getrlimit(resource.RLIMIT_CPU)))),
        mine,
        limits,
    )
    expected = (77, 78) if limits else resource.getrlimit(resource.RLIMIT_CPU)
    assert [finding.message for finding in mine] == [str(expected)]


def test_what_takes_too_long_is_ended_and_told() -> None:
    over = ended(spin, Limits(1, 400))
    assert over == sandbox.EarlyEnd("time", (WorkItem("card `A1`", "cards.xml", 7),))


@linux
def test_what_takes_too_much_memory_is_ended_and_told() -> None:
    def work(_: Report) -> None:
        with track_work("outer"), track_work("inner"):
            kept = []
            while True:
                kept.append(bytearray(1_000_000))

    over = ended(work, Limits(20, 1))
    assert over is not None
    assert over.reason == "memory"
    assert [one.name for one in over.works] == ["outer", "inner"]


@linux
def test_a_lack_of_memory_that_was_dealt_with_is_forgotten() -> None:
    def work(_: Report) -> None:
        with track_work("outer"):
            try:
                with track_work("the one that is dealt with"):
                    bytearray(1 << 40)
            except MemoryError:
                pass
            with track_work("another"):
                os.kill(os.getpid(), signal.SIGKILL)

    over = ended(work)
    assert over is not None
    assert [one.name for one in over.works] == ["outer", "another"]


@pytest.mark.parametrize("end", [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(0)])
def test_a_crash_is_told_and_what_was_found_before_is_kept(end: Callable[[], None]) -> None:
    report: Report = []

    def work(mine: Report) -> None:
        mine.append(L006.at(HERE, "found"))
        with track_work("a font"):
            end()

    over = run_sandboxed(work, report, USUAL)
    assert over is not None
    assert (over.reason, [one.name for one in over.works]) == ("crash", ["a font"])
    assert [finding.message for finding in report] == ["found"]


def test_our_own_faults_are_raised_with_what_the_child_was_at() -> None:
    def work(_: Report) -> None:
        message = "2 and 2 are 5"
        raise ZeroDivisionError(message)

    with pytest.raises(ZeroDivisionError, match="2 and 2 are 5") as caught:
        ended(work)
    assert "in work" in "".join(caught.value.__notes__)


def test_a_fault_that_cannot_be_sent_keeps_its_name() -> None:
    def work(_: Report) -> None:
        message = "odd"
        raise OddError(message, "error")

    with pytest.raises(RuntimeError, match="OddError: odd error"):
        ended(work)


@pytest.fixture
def _interrupts() -> Iterator[None]:
    """Take interrupts, which a process that was started in the background does not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interrupts")
def test_an_interrupt_ends_the_child_after_it_has_tidied_up(tmp_path: Path) -> None:
    def work(_: Report) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            os.kill(os.getppid(), signal.SIGINT)
            time.sleep(60)
        finally:
            (tmp_path / "tidied").touch()

    with pytest.raises(KeyboardInterrupt):
        ended(work)
    assert (tmp_path / "tidied").exists()


@pytest.mark.usefixtures("_interrupts")
def test_a_child_that_does_not_want_to_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_GRACE_SECONDS", 0.1)

    def work(_: Report) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt):
        ended(work)


def test_how_far_the_work_has_come_is_told() -> None:
    heard: list[tuple[str, int, int]] = []
    processes.set_listener(lambda *told: heard.append(told))
    try:
        assert ended(lambda _: [*processes.track_progress([1, 2, 3], "counting")].clear()) is None
    finally:
        processes.set_listener(None)
    assert heard[-1] == ("counting", 3, 3)


def test_where_there_are_no_children_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "CAN_FORK", False)
    made: list[int] = []
    assert ended(lambda _: made.append(1)) is None
    assert made == [1]


@pytest.mark.usefixtures("_interrupts")
def test_where_there_are_no_children_the_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "CAN_FORK", False)
    over = ended(spin, Limits(1, 400))
    assert over == sandbox.EarlyEnd("time", (WorkItem("card `A1`", "cards.xml", 7),))
    with track_work("what nobody listens to"):
        pass


def test_where_there_is_no_room_for_a_child_the_work_is_done_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fork() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fork)
    made: list[int] = []
    assert ended(lambda _: made.append(1)) is None
    assert made == [1]


def test_names_of_any_length_are_told() -> None:
    def work(_: Report) -> None:
        with track_work("x" * 9000, Path("y" * 9000)), track_work("z" * 150, Path("é" * 999), 1):
            os._exit(1)

    over = ended(work)
    assert over is not None
    assert over.works[-1].name == "z" * 150


def test_a_full_report_ends_what_finds_more() -> None:
    report = LimitedReport([L006.at(HERE, "before")])
    with report.limit():
        report.extend(L006.at(HERE, str(number)) for number in range(1000))
    report.append(L006.at(HERE, "after"))
    assert [f.code.id for f in report] == ["L006"] * 101 + ["S009", "L006"]


FAULTS = {
    "ours": ZeroDivisionError("oh"),
    "file": PermissionError("no"),
    "odd": OddError("a", "b"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_while_laying_out_is_our_own(
    small: Path, run: Run, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise FAULTS[kind]

    assert small.exists()
    monkeypatch.setattr(whole_layout, "compose_fronts", fail)
    with pytest.raises(Exception, match=str(FAULTS[kind])) as caught:
        run("check")
    assert type(FAULTS[kind]).__name__ in repr(caught.value)


def test_a_layout_that_crashes_is_an_error_at_its_card(
    small: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(composer: Composer, *_: object) -> None:
        if composer.subject.name == "card `RW5`":
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Composer, "compose", crash)
    result = run("check", "--game", str(small))
    assert result.exit_code == 1
    assert "RW_cards.xml:" in result.stderr
    assert "L007: laying out card `RW5` crashes a library that Deckwright uses" in result.stderr


def test_what_went_well_in_a_child_is_not_done_again(
    small: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("check", "--game", str(small)).exit_code == 0

    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(layout_check, "run_sandboxed", fail)
    assert run("check", "--game", str(small)).exit_code == 0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], None),
        (["--untrusted"], Limits(20, 512)),
        (["--untrusted", "--max-seconds", "3"], Limits(3, 512)),
        (["--max-memory", "700"], Limits(20, 700)),
    ],
)
def test_only_a_stranger_s_game_has_limits(
    small: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    expected: Limits | None,
) -> None:
    given: list[Limits | None] = []

    def note(_work: object, _report: Report, limits: Limits | None) -> None:
        given.append(limits)

    monkeypatch.setattr(layout_check, "run_sandboxed", note)
    assert run("check", "--game", str(small), *options).exit_code == 0
    assert given == [expected]
    said = " ".join(run("check", "--help").stdout.split())
    assert (
        f"{UNTRUSTED_LIMITS.seconds} seconds of CPU time and {UNTRUSTED_LIMITS.megabytes} MB"
        in said
    )


def test_an_interrupted_check_says_so_and_leaves_nothing(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = small / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    done = subprocess.run(
        [sys.executable, "-c", HELD, "check"],
        cwd=small,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (130, "interrupted, nothing was changed")
    assert list(temporary.iterdir()) == []
