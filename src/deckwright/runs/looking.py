"""How far a run has come, and whether what it has printed is as it should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import file_digest
from typing import NamedTuple

from deckwright.base.files import open_file
from deckwright.base.findings import Code, Location, Report, Severity
from deckwright.base.numbers import counted
from deckwright.base.progress import tell
from deckwright.runs.lock import is_held
from deckwright.runs.manifest import Record, read_records
from deckwright.runs.plan import DECKS, Plan, demand_decks, demand_sound

E122 = Code("E122", Severity.ERROR, "a deck of a run that is not as it was printed")

_TOLD = 20
"""So many findings are told of what is not yet printed or too much."""


class Status(NamedTuple):
    """How far a run has come.

    Attributes:
        decks: how many it has.
        printed, pages, size: what of it was printed; the size of the files in bytes.
        aside: the decks that were set aside, with their reasons.
        at_work: whether a process is printing it.
        copies: how often each card was printed, by FACTION:ID; fronts alone.
    """

    decks: int
    printed: int
    pages: int
    size: int
    aside: tuple[Record, ...]
    at_work: bool
    copies: Mapping[str, int]

    @property
    def missing(self) -> int:
        """How many decks are still to be printed."""
        return self.decks - self.printed - len(self.aside)


def status_of(plan: Plan) -> Status:
    """Return how far a run has come, as its manifest says; files are not looked at.

    Raises:
        GameError: if the manifest cannot be read.
    """
    printed, pages, size = 0, 0, 0
    aside: dict[int, Record] = {}
    seen: set[int] = set()
    copies: Counter[str] = Counter()
    for _, record in read_records(plan.manifest):
        if record is None or record.number > plan.facts.decks:
            continue
        if record.number in seen and record.number not in aside:
            continue
        seen.add(record.number)
        aside.pop(record.number, None)
        if not record.printed:
            aside[record.number] = record
            continue
        printed, pages = printed + 1, pages + len(record.pages)
        size += sum(each for _, each, _ in record.files)
        copies.update(
            slot for page in record.pages for slot in page if not slot.endswith((" back", "#2"))
        )
    left = tuple(record for _, record in sorted(aside.items()))
    return Status(plan.facts.decks, printed, pages, size, left, is_held(plan.folder), copies)


def verify_run(plan: Plan, report: Report) -> None:
    """Report whatever of a run is not as it was planned and printed.

    Each file is read; decks that are not yet printed are findings, too.
    """
    ids = demand_decks(plan, report) if demand_sound(plan, report) else None
    if ids is None:
        return
    records = {record.number: record for record in _records(plan, report)}
    files, missing = set[str](), list[str]()
    for number, text in plan.texts():
        tell("verifying decks", number, plan.facts.decks)
        record = records.pop(number, None)
        if record is None or (record.deck, record.key) != (ids[number - 1], plan.key(text)):
            missing.append(f"the deck of line {number}")
        elif record.printed:
            files.update(name for name, _, _ in record.files)
            _verify(plan, record, report)
    if missing:
        are = "is" if len(missing) == 1 else "are"
        decks = counted(plan.facts.decks, "deck")
        message = f"{len(missing)} of {decks} {are} not printed, first {missing[0]}"
        hint = f"print them with `deckwright run start {plan.folder}`"
        report.append(E122.at(Location(plan.manifest), message, hint))
    if records:
        message = f"the manifest has decks that the run has not, first line {min(records)}"
        report.append(E122.at(Location(plan.manifest), message))
    _find_strangers(plan, files, report)


def _records(plan: Plan, report: Report) -> Iterator[Record]:
    for number, (_, record) in enumerate(read_records(plan.manifest), 1):
        if record is None:
            hint = f"mend it with `deckwright run start {plan.folder}`"
            report.append(
                E122.at(Location(plan.manifest, number, 1), "the line cannot be read", hint)
            )
        else:
            yield record._replace(pages=(), faces={}, values={}, aside=())


def _verify(plan: Plan, record: Record, report: Report) -> None:
    hint = f"print it again with `deckwright run start {plan.folder}`"
    for name, _, checksum in record.files:
        path = plan.folder / name
        try:
            with open_file(path) as stream:
                found = file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            why = error.strerror or str(error)
            message = f"deck `{record.deck}` cannot be read: {why}"
        else:
            if found == checksum:
                continue
            message = f"deck `{record.deck}` is not as it was printed"
        report.append(E122.at(Location(path), message, hint))


def _find_strangers(plan: Plan, files: set[str], report: Report) -> None:
    """Report files beside the decks that the run has not printed."""
    folder = plan.folder / DECKS
    found = sorted(
        path
        for path in folder.rglob("*")
        if not path.is_dir() and path.relative_to(plan.folder).as_posix() not in files
    )
    for path in found[:_TOLD]:
        report.append(E122.at(Location(path), "the run has not printed this file", "remove it"))
