"""The manifest, the lock and the progress of a run."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.api.options import GameError
from deckwright.base.files import open_file
from deckwright.base.findings import ChoiceError, Code, Location, Report, Severity
from deckwright.base.processes import report_progress
from deckwright.base.units import pluralize
from deckwright.runs.lines import is_id, read_values
from deckwright.runs.plan import DECKS, RunPlan, belongs_to_deck, read_deck_ids, require_intact
from deckwright.xmlio.load import X006

_LOCK_TRIES, _LOCK_PAUSE = 5, 0.02
"""How often locking a folder is tried, and the pause between tries in seconds."""


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder within the block, or raise a ChoiceError if another process has locked it.

    The system releases the lock if the process is killed.
    """
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        for look in range(_LOCK_TRIES):  # `is_locked` locks the folder for a moment as well
            if _try_lock(descriptor):
                break
            time.sleep(_LOCK_PAUSE * bool(look))
        else:
            raise ChoiceError(f"the run in `{folder}` is being printed by another process")
        yield
    finally:
        os.close(descriptor)


def is_locked(folder: Path) -> bool:
    """Return whether a process has locked a folder."""
    try:
        with lock_folder(folder):
            return False
    except ChoiceError:
        return True
    except OSError:
        return False


def _try_lock(descriptor: int) -> bool:
    try:
        try:
            import fcntl  # not on every system
        except ImportError:
            import msvcrt  # Windows

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


_MAX_LINE_BYTES, _MAX_FILE_BYTES = 8_000_000, 2_000_000_000
"""The largest line and the largest file of a deck in bytes."""


class ManifestRecord(NamedTuple):
    """A line of the manifest.

    Attributes:
        deck, number, key: the id of the deck, the number of its line, and its key (`Plan.key`).
        files: the path in the run's folder, size in bytes and SHA-256 of each file; none for a deck
            that was set aside, two if backs are separate.
        pages: the cards in the slots of each page, as FACTION:ID, with ` #2` for a card's second
            face and ` back` for its back.
        faces: the digests of the faces by the same names.
        aside: the reasons why it was set aside: findings with code, message and hint.
    """

    deck: str
    number: int
    key: str
    files: tuple[tuple[str, int, str], ...] = ()
    pages: tuple[tuple[str, ...], ...] = ()
    faces: Mapping[str, str] = {}
    values: Mapping[str, str | int | float] = {}
    aside: tuple[Mapping[str, Any], ...] = ()

    @property
    def is_printed(self) -> bool:
        """True if the deck has files."""
        return bool(self.files)

    def to_json(self) -> str:
        """Return the line without its line ending. Empty fields are left out."""
        data = {name: value for name, value in self._asdict().items() if value}
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def parse_record(text: str) -> ManifestRecord:
    """Parse a line of an untrusted manifest.

    Raises:
        ValueError: if it is invalid, or lists files that cannot belong to its deck.
    """
    try:
        data = json.loads(text)
        data["files"] = tuple((name, size, str(sha)) for name, size, sha in data.get("files", ()))
        data["pages"] = tuple(tuple(map(str, page)) for page in data.get("pages", ()))
        data["aside"] = tuple(
            {**each, "message": str(each["message"])} for each in data.get("aside", ())
        )
        data["values"] = read_values(data)
        record = ManifestRecord(**data)
    except (TypeError, AttributeError, KeyError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not is_id(record.deck) or type(record.number) is not int or record.number < 1:
        raise ValueError("it does not name a deck")
    for name, size, _ in record.files:
        known = isinstance(name, str) and belongs_to_deck(record.deck, name)
        if not known or type(size) is not int or not 0 <= size <= _MAX_FILE_BYTES:
            raise ValueError(f"a deck has no file `{name}`")
    return record


def read_records(path: Path) -> Iterator[tuple[int, ManifestRecord | None]]:
    """Yield the complete lines of a manifest, None for invalid ones.

    Reading stops at a line that is too long. A missing file has no lines.

    Yields:
        The position in bytes after a line, and its record.

    Raises:
        GameError: if the file cannot be read.
    """
    try:
        with open_file(path) as stream:
            while (line := stream.readline(_MAX_LINE_BYTES)).endswith(b"\n"):
                try:
                    yield stream.tell(), parse_record(line.decode(errors="replace"))
                except ValueError:
                    yield stream.tell(), None
    except FileNotFoundError:
        return
    except OSError as error:
        message = f"cannot read the file: {error.strerror or error}"
        raise GameError([X006.at(Location(path), message)]) from None


E122 = Code("E122", Severity.ERROR, "a deck of a run that differs from what was printed")

_MAX_STRANGERS = 20
"""At most this many unknown files are reported."""


class RunStatus(NamedTuple):
    """The progress of a run.

    Attributes:
        decks: the number of decks.
        printed, pages, size: the printed decks, their pages, and the size of their files in bytes.
        aside: the decks that were set aside, with the reasons.
        at_work: whether a process is printing it.
        copies: the printed copies of each card, by FACTION:ID; fronts only.
    """

    decks: int
    printed: int
    pages: int
    size: int
    aside: tuple[ManifestRecord, ...]
    at_work: bool
    copies: Mapping[str, int]

    @property
    def missing(self) -> int:
        """The number of decks still to be printed."""
        return self.decks - self.printed - len(self.aside)


def read_status(plan: RunPlan) -> RunStatus:
    """Implement `Run.status`; raise a GameError if the manifest cannot be read."""
    printed, pages, size = 0, 0, 0
    aside: dict[int, ManifestRecord] = {}
    seen: set[int] = set()
    copies: Counter[str] = Counter()
    for _, record in read_records(plan.manifest):
        if record is None or record.number > plan.facts.decks:
            continue
        if record.number in seen and record.number not in aside:
            continue
        seen.add(record.number)
        aside.pop(record.number, None)
        if not record.is_printed:
            aside[record.number] = record
            continue
        printed, pages = printed + 1, pages + len(record.pages)
        size += sum(each for _, each, _ in record.files)
        copies.update(
            slot for page in record.pages for slot in page if not slot.endswith((" back", "#2"))
        )
    still_aside = tuple(record for _, record in sorted(aside.items()))
    return RunStatus(
        plan.facts.decks, printed, pages, size, still_aside, is_locked(plan.folder), copies
    )


def verify_run(plan: RunPlan, report: Report) -> None:
    """Implement `Run.verify`; decks that are not printed yet are findings as well."""
    require_intact(plan)
    ids = read_deck_ids(plan)
    start = f"with `deckwright run start {plan.folder}`"
    records: dict[int, ManifestRecord] = {}
    for number, (_, record) in enumerate(read_records(plan.manifest), 1):
        if record is None:
            place = Location(plan.manifest, number, 1)
            report.append(E122.at(place, "the line cannot be read", f"repair it {start}"))
        else:
            records[record.number] = record._replace(pages=(), faces={}, values={}, aside=())
    files, missing = set[str](), list[int]()
    for number, text in plan.numbered_lines():
        report_progress("verifying decks", number, plan.facts.decks)
        record = records.pop(number, None)
        if record is None or (record.deck, record.key) != (ids[number - 1], plan.key(text)):
            missing.append(number)
            continue
        for name, _, checksum in record.files:
            files.add(name)
            path = plan.folder / name
            try:
                with open_file(path) as stream:
                    digest = file_digest(stream, "sha256").hexdigest()
            except OSError as error:
                message = f"deck `{record.deck}` cannot be read: {error.strerror or error}"
            else:
                if digest == checksum:
                    continue
                message = f"deck `{record.deck}` has changed since it was printed"
            report.append(E122.at(Location(path), message, f"print it again {start}"))
    if missing:
        are = "is" if len(missing) == 1 else "are"
        decks = pluralize(plan.facts.decks, "deck")
        message = (
            f"{len(missing)} of {decks} {are} not printed, first the deck of line {missing[0]}"
        )
        report.append(E122.at(Location(plan.manifest), message, f"print them {start}"))
    if records:
        message = (
            f"the manifest has decks that are not in the run, the first in line {min(records)}"
        )
        report.append(E122.at(Location(plan.manifest), message))
    strangers = sorted(
        path
        for path in (plan.folder / DECKS).rglob("*")
        if not path.is_dir() and path.relative_to(plan.folder).as_posix() not in files
    )
    for path in strangers[:_MAX_STRANGERS]:
        report.append(E122.at(Location(path), "the run has not printed this file", "remove it"))
