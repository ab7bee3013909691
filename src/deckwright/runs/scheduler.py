"""Run a plan: which decks are missing, which shard is next, and when a deck is done.

The disk is authoritative: a deck is printed if its line in the manifest lists files that exist and
have the recorded checksums. So a run can be interrupted at any point and restarted, and ends with
the same bytes as an uninterrupted one.
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable, Iterator
from hashlib import file_digest
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import open_file, write_bytes, written_files
from deckwright.base.findings import Diagnostic, Location, Report
from deckwright.base.output import write_failure
from deckwright.base.processes import report_progress
from deckwright.base.units import format_bytes, pluralize
from deckwright.runs.archive import unpack_temporarily
from deckwright.runs.engine import Engine, EngineError, LostShard, PrintedShard, Shard, WorkerSetup
from deckwright.runs.lines import parse_line
from deckwright.runs.manifest import (
    ManifestRecord,
    ManifestWriter,
    lock_folder,
    make_aside_record,
    make_reason,
    parse_record,
    read_records,
)
from deckwright.runs.plan import (
    BACKS,
    BOXES,
    DECKS,
    E121,
    WORK,
    RunPlan,
    check_usable,
    read_deck_ids,
)

SHARD_SIZE = 8
"""The number of decks in a shard."""
_MAX_TRIES = 2
"""A deck is set aside after losing this many workers."""
_RESTART_HINT = "fix that, and start the run again to resume it"

EngineFactory = Callable[[WorkerSetup], Engine]
"""Makes an engine from the setup of its workers."""


class RunResult(NamedTuple):
    """The result of `start_run`.

    Attributes:
        decks: the number of decks in the run.
        printed, pages: the numbers of decks and pages printed now.
        before: the number of decks printed before.
        aside: the decks that were set aside, now or before.
        findings: the warnings.
    """

    decks: int
    printed: int
    pages: int
    before: int
    aside: tuple[ManifestRecord, ...]
    findings: tuple[Diagnostic, ...] = ()


def start_run(
    plan: RunPlan,
    engines: EngineFactory,
    report: Report,
    *,
    retry: bool = False,
    warn: Callable[[str], None] | None = None,
) -> RunResult | None:
    """Print the missing decks of a run; None after reporting errors.

    Args:
        engines: makes the engine.
        retry: whether to retry decks that were set aside.
        warn: called at once if the remaining decks will not fit on the disk.

    Raises:
        ChoiceError: if another process prints the run.
    """
    ids = read_deck_ids(plan, report) if check_usable(plan, report) else None
    if ids is None:
        return None
    try:
        with lock_folder(plan.folder), unpack_temporarily(plan.game, plan.folder / WORK) as game:
            return _Scheduler(plan, ids, warn, retry=retry).start(game, engines)
    except EngineError as error:
        cause = error.__cause__
        if isinstance(cause, OSError):
            report.append(write_failure(plan.folder, cause)._replace(hint=_RESTART_HINT))
        else:
            report.append(E121.at(Location(plan.folder), str(error), _RESTART_HINT))
    except OSError as error:
        report.append(write_failure(plan.folder, error)._replace(hint=_RESTART_HINT))
    return None


class _Scheduler:
    """Prints a run: distributes shards and writes the manifest."""

    def __init__(
        self, plan: RunPlan, ids: list[str], warn: Callable[[str], None] | None, *, retry: bool
    ) -> None:
        """Read the manifest."""
        self._plan, self._ids, self._warn = plan, ids, warn
        self._records: dict[int, ManifestRecord] = {}
        self._in_order, self._last, self._end = True, 0, 0
        for self._end, record in read_records(plan.manifest):
            if record is None or record.number <= self._last:
                self._in_order = False
            if record is not None:
                self._last = max(self._last, record.number)
                self._records[record.number] = record._replace(pages=(), faces={}, values={})
        self._retry = retry
        self._aside: dict[int, ManifestRecord] = {}
        self._printed = self._pages = self._before = self._size = 0

    def start(self, game: Path, engines: EngineFactory) -> RunResult:
        """Print the missing decks."""
        (self._plan.folder / DECKS).mkdir(exist_ok=True)
        self._sweep()
        todo = self._missing_decks()
        first = next(todo, None)
        if first is not None:
            appender = ManifestWriter(self._plan.manifest, self._end)
            written_files.append(self._plan.folder / DECKS)  # by workers, at any time
            try:
                facts = self._plan.facts
                begin = (str(game), facts.options, str(self._plan.folder), facts.date)
                with engines(begin) as engine:
                    self._print(chain([first], todo), engine, appender)
            finally:
                appender.close()
        self._sort_manifest()
        aside = tuple(record for _, record in sorted(self._aside.items()))
        return RunResult(self._plan.facts.decks, self._printed, self._pages, self._before, aside)

    def _sweep(self) -> None:
        """Remove incomplete files of killed workers."""
        for folder in (DECKS, BACKS, BOXES):
            for path in (self._plan.folder / folder).rglob(".*.tmp"):
                path.unlink()

    def _missing_decks(self) -> Iterator[tuple[int, str, str]]:
        """Yield the decks that are not printed, or differ from their record in the manifest."""
        for number, text in self._plan.numbered_lines():
            key = self._plan.key(text)
            record = self._records.pop(number, None)
            known = self._ids[number - 1], key
            if record is not None and (record.deck, record.key) == known:
                if not record.is_printed and not self._retry:
                    self._aside[number] = record
                    continue
                if record.is_printed and is_intact(self._plan.folder, record):
                    self._before += 1
                    continue
            if number <= self._last:
                self._in_order = False
            yield number, key, text
        if self._records:
            self._in_order = False

    def _print(
        self, todo: Iterator[tuple[int, str, str]], engine: Engine, appender: ManifestWriter
    ) -> None:
        shards = _ShardQueue(todo)
        waiting: dict[int, ManifestRecord] = {}
        while shards.has_more:
            while engine.has_room() and (shard := shards.next()) is not None:
                engine.submit(shard)
            for result in engine.results():
                if isinstance(result, PrintedShard):
                    records = [parse_record(line) for line in result.lines]
                    files = (name for record in records for name, _, _ in record.files)
                    written_files.extend(
                        map(self._plan.folder.joinpath, files)
                    )  # by another process
                else:
                    records = shards.take_back(result)
                waiting.update((record.number, record) for record in records)
            ready = []
            while shards.order and shards.order[0] in waiting:
                ready.append(waiting.pop(shards.order.popleft()))
            if ready:
                appender.append(ready)
                first = not self._printed
                self._count(ready)
                if first and self._printed and self._warn is not None:
                    self._check_disk_space(self._warn)

    def _count(self, records: list[ManifestRecord]) -> None:
        for record in records:
            if record.is_printed:
                self._printed += 1
                self._pages += len(record.pages)
                self._size += sum(size for _, size, _ in record.files)
            else:
                self._aside[record.number] = record
        done = self._before + self._printed + len(self._aside)
        report_progress("printing decks", done, self._plan.facts.decks)

    def _check_disk_space(self, warn: Callable[[str], None]) -> None:
        """Warn if the remaining decks, estimated from the first ones, will not fit on the disk."""
        left = self._plan.facts.decks - self._before - self._printed - len(self._aside)
        needed = self._size / self._printed * left
        free = shutil.disk_usage(self._plan.folder).free
        if needed > free:
            warn(
                f"the rest of the run, {pluralize(left, 'deck')}, needs about "
                f"{format_bytes(needed)}, and only {format_bytes(free)} are free: free some space, "
                "or the run stops when the disk is full; starting it again resumes it"
            )

    def _sort_manifest(self) -> None:
        """Sort the manifest by deck, with one line for each."""
        if self._in_order:
            return
        latest: dict[int, str] = {}
        for _, record in read_records(self._plan.manifest):
            if record is not None and 0 < record.number <= self._plan.facts.decks:
                latest[record.number] = record.to_json()
        whole = "".join(f"{text}\n" for _, text in sorted(latest.items()))
        write_bytes(self._plan.manifest, whole.encode())


class _ShardQueue:
    """A queue of decks in shards. Returned shards come first.

    Attributes:
        order: the numbers of the submitted decks that are not in the manifest yet, in order.
    """

    def __init__(self, todo: Iterator[tuple[int, str, str]]) -> None:
        self._decks, self._more = todo, True
        self._returned: deque[Shard] = deque()
        self.order: deque[int] = deque()

    @property
    def has_more(self) -> bool:
        """True if decks remain to be printed."""
        return self._more or bool(self.order)

    def next(self) -> Shard | None:
        """Return the next shard, None if there is none for now."""
        if self._returned:
            return self._returned.popleft()
        decks = tuple(islice(self._decks, SHARD_SIZE))
        if not decks:
            self._more = False
            return None
        self.order.extend(number for number, _, _ in decks)
        return Shard(decks)

    def take_back(self, lost: LostShard) -> list[ManifestRecord]:
        """Requeue a lost shard in halves; a single deck is retried, then set aside."""
        shard = lost.shard
        if len(shard.decks) > 1:
            self._returned.extendleft(reversed(shard.halves()))
            return []
        if shard.tries + 1 < _MAX_TRIES:
            self._returned.appendleft(shard._replace(tries=shard.tries + 1))
            return []
        ((number, key, text),) = shard.decks
        return [make_aside_record(number, key, parse_line(text), [make_reason(lost.reason)])]


def is_intact(folder: Path, record: ManifestRecord) -> bool:
    """Return whether a deck's files exist and match the checksums of its record."""
    for name, size, checksum in record.files:
        path = folder / name
        try:
            if path.stat().st_size != size:
                return False
            with open_file(path) as stream:
                if file_digest(stream, "sha256").hexdigest() != checksum:
                    return False
        except OSError:
            return False
    return True
