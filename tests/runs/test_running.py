"""Exactly once: however a run is ended and whatever is lost, it ends with the same bytes."""

from __future__ import annotations

import contextlib
import errno
import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, Self

import pytest

from deckwright.api.options import DeckPrint
from deckwright.base.findings import ChoiceError, Report
from deckwright.base.output import OutputError, report_failure
from deckwright.game.folder import GameFolder
from deckwright.runs.engine import LostShard, PrintedShard, Shard, WorkerSetup
from deckwright.runs.lines import parse_line
from deckwright.runs.manifest import lock_folder, read_status, verify_run
from deckwright.runs.manifest import parse_record as record_of
from deckwright.runs.plan import EngineError, RunPlan, make_plan
from deckwright.runs.scheduler import SHARD_SIZE, RunResult, start_run
from deckwright.runs.worker import RunPrinter

DECKS = 21
BAD = 5
"""The line of a deck that breaks limits."""


@pytest.fixture
def plan(small: Path) -> RunPlan:
    """A run of the small game: 21 decks, of which one cannot be printed."""
    cards = [{"id": f"RW{number}", "amount": 1 + (number == 1)} for number in range(5, 0, -1)]
    cards.append({"id": "WF1", "faction": "WF"})
    with Path("run.jsonl").open("w", encoding="utf-8") as stream:
        for number in range(1, DECKS + 1):
            listed = cards[:1] if number == BAD else cards
            line = {"id": f"D-{number}", "faction": "RW", "cards": listed, "name": f"No. {number}"}
            stream.write(f"{json.dumps(line)}\n")
    return planned(small)


def planned(game: Path, target: str = "run", **asked: object) -> RunPlan:
    report: Report = []
    how = DeckPrint(**asked)  # type: ignore[typeddict-item]
    return make_plan(GameFolder(game), Path("run.jsonl"), Path(target), how, report)


class Here:
    """An engine in this process: shards come back in any order, or their workers are lost."""

    def __init__(
        self,
        begin: WorkerSetup,
        *,
        order: random.Random | None = None,
        bad: Callable[[Shard], bool] = lambda _: False,
        until: int = 10**9,
        error: type[BaseException] = KeyboardInterrupt,
    ) -> None:
        game, options, target, date = begin
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SOURCE_DATE_EPOCH", str(date))
            self._printer = RunPrinter(Path(game), options, Path(target))
        self._order, self._bad, self._left, self._error = order, bad, until, error
        self._shards: list[Shard] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None: ...

    def has_room(self) -> bool:
        return len(self._shards) < 3

    def submit(self, shard: Shard) -> None:
        self._shards.append(shard)

    def results(self) -> Iterator[PrintedShard | LostShard]:
        number = self._order.randrange(len(self._shards)) if self._order else 0
        shard = self._shards.pop(number)
        if self._bad(shard):
            yield LostShard(shard, "its worker died")
            return
        lines = []
        for deck in shard.decks:
            if not self._left:
                raise self._error("ended here")
            self._left -= 1
            lines.append(self._printer.print(*deck).to_json())
        yield PrintedShard(shard, lines)


def started(plan: RunPlan, **how: object) -> RunResult | None:
    retry = bool(how.pop("retry", False))
    try:
        return start_run(plan, partial(Here, **how), retry=retry)  # type: ignore[arg-type]
    except OutputError:
        return None


def content(plan: RunPlan) -> dict[str, bytes]:
    return {
        path.relative_to(plan.folder).as_posix(): path.read_bytes()
        for path in sorted(plan.folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def findings(plan: RunPlan) -> list[str]:
    report: Report = []
    with report_failure(report):
        verify_run(plan, report)
    return [f"{one.code.id} {one.message}" for one in report]


@pytest.fixture
def undisturbed(plan: RunPlan, small: Path) -> dict[str, bytes]:
    """What a run looks like that nobody disturbs."""
    other = planned(small, "undisturbed")
    ran = started(other)
    assert other.facts == plan.facts
    assert ran is not None
    assert (ran.decks, ran.printed, ran.before, len(ran.aside)) == (DECKS, DECKS - 1, 0, 1)
    assert findings(other) == []
    return content(other)


def test_decks_are_printed_once_and_one_is_set_aside(
    plan: RunPlan, undisturbed: dict[str, bytes]
) -> None:
    assert sum(name.endswith(".pdf") for name in undisturbed) == DECKS - 1
    lines = [json.loads(line) for line in undisturbed["manifest.jsonl"].splitlines()]
    assert [line["number"] for line in lines] == list(range(1, DECKS + 1))
    (aside,) = [line for line in lines if "aside" in line]
    assert aside["deck"] == f"D-{BAD}"
    assert {reason["code"] for reason in aside["aside"]} >= {"D001"}
    slots = [slot for page in lines[0]["pages"] for slot in page]
    assert [slots.count(f"RW:RW{number}") for number in range(1, 6)] == [2, 1, 1, 1, 1]
    assert set(slots) == set(lines[0]["faces"])
    again = started(plan)
    assert again is not None
    assert content(plan) == undisturbed
    whole = started(plan)
    assert whole is not None
    assert (whole.printed, whole.before, len(whole.aside)) == (0, DECKS - 1, 1)


@pytest.mark.corpus(2)
@pytest.mark.parametrize("seed", range(6))
def test_a_run_that_is_disturbed_ends_with_the_same_bytes(
    plan: RunPlan, undisturbed: dict[str, bytes], seed: int
) -> None:
    """It is ended at any deck, its files are damaged, the manifest is torn."""
    chance = random.Random(seed)
    for _ in range(4):
        with contextlib.suppress(KeyboardInterrupt):
            started(plan, order=chance, until=chance.randrange(DECKS))
        damage(plan, chance)
    assert started(plan, order=chance) is not None
    assert content(plan) == undisturbed
    assert findings(plan) == []


def damage(plan: RunPlan, chance: random.Random) -> None:
    """Do what a machine does that is switched off: files are torn, lost, or left half-written."""
    decks = sorted((plan.folder / "decks").glob("*.pdf"))
    for path in chance.sample(decks, min(2, len(decks))):
        if chance.random() < 0.5:
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[: chance.randrange(999)])
    (plan.folder / "decks" / ".D-1.pdf.0123.tmp").write_bytes(b"half")
    if plan.manifest.exists():
        data = plan.manifest.read_bytes()
        plan.manifest.write_bytes(data[: len(data) - chance.randrange(200)])
    if chance.random() < 0.3:
        shutil.rmtree(plan.folder / "work", ignore_errors=True)


def test_the_deck_that_costs_workers_is_found_and_set_aside(plan: RunPlan) -> None:
    deadly = 13

    def bad(shard: Shard) -> bool:
        return any(number == deadly for number, _, _ in shard.decks)

    ran = started(plan, order=random.Random(1), bad=bad)
    assert ran is not None
    assert [(record.deck, record.number) for record in ran.aside] == [
        (f"D-{BAD}", BAD),
        (f"D-{deadly}", deadly),
    ]
    assert ran.aside[1].aside == ({"message": "its worker died"},)
    assert findings(plan) == []
    assert read_status(plan).missing == 0
    again = started(plan, retry=True)
    assert again is not None
    assert (again.printed, [record.number for record in again.aside]) == (1, [BAD])


def test_a_full_disk_ends_the_run_and_it_goes_on(
    plan: RunPlan, undisturbed: dict[str, bytes]
) -> None:
    with pytest.raises(OutputError) as stopped:
        start_run(plan, partial(Here, until=10, error=EngineError))
    assert [finding.code.id for finding in stopped.value.findings] == ["E121"]
    assert read_status(plan).printed == 7
    assert started(plan) is not None
    assert content(plan) == undisturbed


def test_where_decks_cannot_be_written_the_reason_is_told(plan: RunPlan) -> None:
    def full(_: WorkerSetup) -> Here:
        raise EngineError("decks cannot be written") from OSError(errno.ENOSPC, "No space left")

    with pytest.raises(OutputError) as stopped:
        start_run(plan, full)
    assert [(one.code.id, one.hint) for one in stopped.value.findings] == [
        ("E002", "fix that, and start the run again to resume it")
    ]


def test_a_manifest_that_cannot_be_written_ends_the_run(
    plan: RunPlan, monkeypatch: pytest.MonkeyPatch, undisturbed: dict[str, bytes]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
        with pytest.raises(OutputError) as stopped:
            start_run(plan, Here)
        assert [finding.code.id for finding in stopped.value.findings] == ["E002"]
    assert started(plan) is not None
    assert content(plan) == undisturbed


def test_two_cannot_print_one_run(plan: RunPlan) -> None:
    with lock_folder(plan.folder):
        assert read_status(plan).at_work
        with pytest.raises(ChoiceError, match="by another process"):
            start_run(plan, Here)
    assert not read_status(plan).at_work


def test_what_was_planned_does_not_change_with_the_game(
    plan: RunPlan, small: Path, undisturbed: dict[str, bytes]
) -> None:
    shutil.rmtree(small / "templates")
    assert started(plan) is not None
    assert content(plan) == undisturbed


def test_the_same_run_is_planned_once(plan: RunPlan, small: Path) -> None:
    before = content(plan)
    assert planned(small) == plan
    assert content(plan) == before
    with pytest.raises(ChoiceError, match="has other options"):
        planned(small, backs=False)
    Path("run.jsonl").write_text(Path("run.jsonl").read_text().replace("No. 1", "No. one"))
    with pytest.raises(ChoiceError, match="has other decks"):
        planned(small)
    (small / "templates/extra.xml").write_text("<face/>")
    with pytest.raises(ChoiceError, match="an earlier state of the game"):
        planned(small)
    Path("notes").mkdir()
    Path("notes/a.txt").write_text("mine")
    with pytest.raises(ChoiceError, match="is not a run"):
        planned(small, "notes")
    assert Path("notes/a.txt").read_text() == "mine"


@pytest.mark.parametrize("option", ["copies", "draft", "only"])
def test_options_that_are_not_for_runs_are_refused(plan: RunPlan, small: Path, option: str) -> None:
    with pytest.raises(ChoiceError, match=f"--{option}"):
        planned(small, "other", **{option: 1})
    assert not Path("other").exists()
    assert plan.facts.decks == DECKS


@pytest.mark.parametrize("name", ["lines.jsonl", "game.tar"])
def test_a_plan_that_was_changed_is_not_printed(plan: RunPlan, name: str) -> None:
    path = plan.folder / name
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(OutputError) as stopped:
        start_run(plan, Here)
    assert [(one.code.id, one.message) for one in stopped.value.findings] == [
        ("E121", "the file has changed since the run was planned")
    ]
    assert findings(plan) == ["E121 the file has changed since the run was planned"]


def test_what_is_not_as_printed_is_told(plan: RunPlan) -> None:
    with pytest.raises(KeyboardInterrupt):
        started(plan, until=16)
    assert findings(plan) == [
        f"E122 {DECKS - 16} of {DECKS} decks are not printed, first the deck of line 17"
    ]
    assert started(plan) is not None
    (plan.folder / "decks/D-1.pdf").unlink()
    (plan.folder / "decks/D-2.pdf").write_bytes(b"")
    (plan.folder / "decks/mine.pdf").write_bytes(b"")
    assert findings(plan) == [
        "E122 deck `D-1` cannot be read: No such file or directory",
        "E122 deck `D-2` has changed since it was printed",
        "E122 the run has not printed this file",
    ]


def test_lines_keep_what_they_say(plan: RunPlan) -> None:
    texts = [text for _, text in plan.numbered_lines()]
    assert [parse_line(text).id for text in texts] == [
        f"D-{number}" for number in range(1, DECKS + 1)
    ]
    assert len({plan.key(text) for text in texts}) == DECKS


@pytest.mark.corpus(3)
@pytest.mark.parametrize(
    "damaged",
    [
        lambda lines: [*lines[:4], *lines[5:]],
        lambda lines: lines[1:],
        lambda lines: lines[:-1],
        lambda lines: [*lines[:7], lines[6], *lines[7:]],
        lambda lines: [*lines[:2], b"X" + lines[2], *lines[3:]],
        lambda lines: [*lines[:4], b'{"deck":"x","number":99,"key":"k"}\n', *lines[5:]],
        lambda lines: [*lines, b'{"deck":"x","number":99,"key":"k"}\n'],
        lambda lines: lines[::-1],
    ],
)
def test_a_damaged_manifest_is_mended(
    plan: RunPlan, damaged: Callable[[list[bytes]], list[bytes]]
) -> None:
    """Whatever is gone or not the run's: it ends with a line a deck, in order."""
    started(plan)
    whole = content(plan)
    lines = plan.manifest.read_bytes().splitlines(keepends=True)
    plan.manifest.write_bytes(b"".join(damaged(lines)))
    started(plan)
    assert content(plan) == whole


@pytest.mark.parametrize(
    "said",
    [
        '{"files":[["decks/a.pdf","x",""]]}',
        '{"files":[7]}',
        '{"pages":5}',
        '{"pages":[5]}',
        '{"aside":[3]}',
        '{"aside":[{"code":"D001"}]}',
        '{"another":1}',
        '{"number":"5"}',
        "[" * 100_000,
        "[1]",
    ],
)
def test_a_line_of_a_manifest_that_is_none_is_left_out(said: str) -> None:
    begin = '{"deck":"D-5","number":5,"key":"k"'
    assert record_of(begin + "}").deck == "D-5"
    with pytest.raises(ValueError, match=r".+"):
        record_of(said.replace("{", f"{begin},", 1))


@pytest.mark.parametrize("error", [OSError, MemoryError])
def test_a_deck_is_not_set_aside_for_what_its_machine_lacks(
    plan: RunPlan, error: type[Exception]
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(MemoryError):
        patch.setattr(RunPrinter, "render", fails)
        assert started(plan) is None
    ran = started(plan)
    assert ran is not None
    assert [record.number for record in ran.aside] == [BAD]


class Disk(NamedTuple):
    """What a disk has left."""

    free: int


@pytest.mark.parametrize("room", [1, 10**12])
def test_a_disk_without_room_is_told_once_and_at_once(
    plan: RunPlan, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Disk(room))
    said: list[str] = []
    seen: list[int] = []

    def warn(text: str) -> None:
        said.append(text)
        seen.append(len(plan.manifest.read_bytes().splitlines()))

    ran = start_run(plan, Here, warn=warn)
    assert ran is not None
    assert ran.printed == DECKS - 1
    if room > 1:
        assert said == []
        return
    assert re.match(
        r"the rest of the run, 1[34] decks, needs about [0-9.]+ MB, and only 0.0 MB", said[0]
    )
    assert (len(said), seen) == (1, [SHARD_SIZE])
