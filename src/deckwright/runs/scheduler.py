"""Run a plan: which decks are missing, which shard is next, and when a deck is done.

The disk is authoritative: a deck is printed if its line in the manifest lists files that exist and
have the recorded checksums. So a run can be interrupted at any point and restarted, and ends with
the same bytes as an uninterrupted one.
"""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from hashlib import file_digest
from itertools import chain, islice
from pathlib import Path
from typing import IO, NamedTuple

from deckwright.base.files import open_file, write_bytes, written_files
from deckwright.base.findings import Diagnostic, Location
from deckwright.base.output import OutputError, write_failure
from deckwright.base.processes import report_progress
from deckwright.base.units import format_bytes, pluralize
from deckwright.runs.archive import unpack_temporarily
from deckwright.runs.engine import Engine, PrintedShard, Shard, WorkerSetup
from deckwright.runs.lines import parse_line
from deckwright.runs.manifest import (
    ManifestRecord,
    lock_folder,
    parse_record,
    read_records,
)
from deckwright.runs.plan import (
    BACKS,
    BOXES,
    DECKS,
    E121,
    WORK,
    EngineError,
    RunPlan,
    read_deck_ids,
    require_usable,
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
    *,
    retry: bool = False,
    warn: Callable[[str], None] | None = None,
) -> RunResult:
    """Implement `Run.start`.

    Raises:
        ChoiceError: if another process prints the run.
        OutputError: if nothing can be printed.
    """
    require_usable(plan)
    ids = read_deck_ids(plan)
    try:
        with lock_folder(plan.folder), unpack_temporarily(plan.game, plan.folder / WORK) as game:
            return _Scheduler(plan, ids, warn, retry=retry).start(game, engines)
    except EngineError as error:
        if not isinstance(error.__cause__, OSError):
            finding = E121.at(Location(plan.folder), str(error), _RESTART_HINT)
            raise OutputError(finding) from error
        failure = error.__cause__
    except OSError as error:
        failure = error
    raise OutputError(write_failure(plan.folder, failure)._replace(hint=_RESTART_HINT))


class _Scheduler:
    """Prints a run: distributes shards and writes the manifest."""

    def __init__(
        self, plan: RunPlan, ids: list[str], warn: Callable[[str], None] | None, *, retry: bool
    ) -> None:
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
        folder, facts = self._plan.folder, self._plan.facts
        (folder / DECKS).mkdir(exist_ok=True)
        for name in (DECKS, BACKS, BOXES):
            for path in (folder / name).rglob(".*.tmp"):  # incomplete files of killed workers
                path.unlink()
        todo = self._missing_decks()
        first = next(todo, None)
        if first is not None:
            with self._plan.manifest.open("ab") as manifest:
                manifest.truncate(self._end)  # after the last complete line
                written_files.append(folder / DECKS)  # by workers, at any time
                with engines((str(game), facts.options, str(folder), facts.date)) as engine:
                    self._print(chain([first], todo), engine, manifest)
        if not self._in_order:
            # Sort the manifest by deck, with one line for each.
            latest: dict[int, str] = {}
            for _, record in read_records(self._plan.manifest):
                if record is not None and 0 < record.number <= facts.decks:
                    latest[record.number] = record.to_json()
            whole = "".join(f"{text}\n" for _, text in sorted(latest.items()))
            write_bytes(self._plan.manifest, whole.encode())
        aside = tuple(record for _, record in sorted(self._aside.items()))
        return RunResult(facts.decks, self._printed, self._pages, self._before, aside)

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
        self, todo: Iterator[tuple[int, str, str]], engine: Engine, manifest: IO[bytes]
    ) -> None:
        """Print decks in shards; write their records in order. Shards of lost workers come first.

        Lost shards are halved; a single deck is retried, then set aside.
        """
        lost, more = deque[Shard](), True
        order = deque[int]()  # the submitted decks that are not in the manifest yet
        waiting: dict[int, ManifestRecord] = {}
        while more or order:
            while engine.has_room() and (lost or more):
                if lost:
                    engine.submit(lost.popleft())
                elif decks := tuple(islice(todo, SHARD_SIZE)):
                    order.extend(number for number, _, _ in decks)
                    engine.submit(Shard(decks))
                else:
                    more = False
            for result in engine.results():
                shard = result.shard
                if isinstance(result, PrintedShard):
                    records = [parse_record(line) for line in result.lines]
                    files = (name for record in records for name, _, _ in record.files)
                    written_files.extend(map(self._plan.folder.joinpath, files))  # by a worker
                elif len(shard.decks) > 1:
                    middle = len(shard.decks) // 2
                    lost.extendleft((Shard(shard.decks[middle:]), Shard(shard.decks[:middle])))
                    continue
                elif shard.tries + 1 < _MAX_TRIES:
                    lost.appendleft(shard._replace(tries=shard.tries + 1))
                    continue
                else:
                    ((number, key, text),) = shard.decks
                    line, reasons = parse_line(text), ({"message": result.reason},)
                    records = [
                        ManifestRecord(line.id, number, key, (), values=line.values, aside=reasons)
                    ]
                waiting.update((record.number, record) for record in records)
            ready = []
            while order and order[0] in waiting:
                ready.append(waiting.pop(order.popleft()))
            if ready:
                manifest.write("".join(f"{record.to_json()}\n" for record in ready).encode())
                manifest.flush()
                os.fsync(manifest.fileno())
                self._count(ready)

    def _count(self, records: list[ManifestRecord]) -> None:
        """Count records; warn after the first prints if the rest will not fit on the disk."""
        is_first = not self._printed
        for record in records:
            if record.is_printed:
                self._printed += 1
                self._pages += len(record.pages)
                self._size += sum(size for _, size, _ in record.files)
            else:
                self._aside[record.number] = record
        decks = self._plan.facts.decks
        done = self._before + self._printed + len(self._aside)
        report_progress("printing decks", done, decks)
        if is_first and self._printed and self._warn is not None:
            needed = self._size / self._printed * (decks - done)
            free = shutil.disk_usage(self._plan.folder).free
            if needed > free:
                self._warn(
                    f"the rest of the run, {pluralize(decks - done, 'deck')}, needs about "
                    f"{format_bytes(needed)}, and only {format_bytes(free)} are free: free some "
                    "space, or the run stops when the disk is full; starting it again resumes it"
                )


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
