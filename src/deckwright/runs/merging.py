"""Decks of a run in larger files, for printers, with a page before each that tells it apart."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import write_bytes
from deckwright.base.findings import Report
from deckwright.base.output import unwritable
from deckwright.base.parallel import spread
from deckwright.base.progress import tell
from deckwright.runs.manifest import Record, read_records
from deckwright.runs.plan import Plan, demand_sound, demand_version
from deckwright.runs.separators import Separators
from deckwright.runs.unpacked import unpacked


class Merged(NamedTuple):
    """Files of many decks.

    Attributes:
        files: in the order of the decks.
        decks, pages: how many are in all of them; pages with those between decks.
    """

    files: tuple[Path, ...]
    decks: int
    pages: int


class _Group(NamedTuple):
    """A file: its number from 1, and of each of its decks the number, the line and the record."""

    number: int
    decks: tuple[tuple[int, str, Record], ...]


def merge_run(
    plan: Plan, by: int, target: Path, report: Report, *, separators: bool = True
) -> Merged | None:
    """Print all decks that a run has printed into files of many; None after reporting why not.

    The pages are those of the decks' own files: they are printed again from the same lines, so that
    a file has each face once, however many of its decks show it.

    Args:
        by: how many decks a file has.
        target: the folder of the files.
        separators: whether a page before each deck names it.
    """
    archive = demand_sound(plan, report) if demand_version(plan, report) else None
    if archive is None:
        return None
    groups = list(_groups(plan, by))
    decks = sum(len(group.decks) for group in groups)
    with unpacked(plan, archive) as game:
        make = partial(_made, plan=plan, game=game, target=target, separators=separators)
        files, pages = [], 0
        try:
            for path, count, findings in spread(make, groups):
                if path is None:
                    report.extend(findings)
                    return None
                files.append(path)
                pages += count
                tell("merging decks", min(len(files) * by, decks), decks)
        except OSError as error:
            report.append(unwritable(target, error))
            return None
    return Merged(tuple(files), decks, pages)


def _groups(plan: Plan, by: int) -> Iterator[_Group]:
    records = {
        record.number: record
        for _, record in read_records(plan.manifest)
        if record is not None and record.printed
    }
    group: list[tuple[int, str, Record]] = []
    number = 0
    for line, text in plan.texts():
        record = records.get(line)
        if record is None or record.key != plan.key(text):
            continue
        group.append((line, text, record._replace(faces={})))
        if len(group) == by:
            number += 1
            yield _Group(number, tuple(group))
            group = []
    if group:
        yield _Group(number + 1, tuple(group))


def _made(
    group: _Group, *, plan: Plan, game: Path, target: Path, separators: bool
) -> tuple[Path | None, int, Report]:
    """Print a file; return it, how many pages it has, and what was found."""
    from deckwright.runs.printing import printer_of  # noqa: PLC0415 - heavy

    os.environ["SOURCE_DATE_EPOCH"] = str(plan.facts.date)
    printer = printer_of(game, plan.facts.options, plan.folder)
    records = [record for _, _, record in group.decks]
    between = Separators(records, group.number) if separators else None
    decks = [(number, text) for number, text, _ in group.decks]
    printed, findings = printer.many(decks, between)
    if printed is None:
        return None, 0, findings
    path = write_bytes(target / f"{group.number:04}.pdf", printed.pdf)
    if printed.backs is not None:
        write_bytes(target / f"{group.number:04}_backs.pdf", printed.backs)
    laid_out: Sequence[object] = [page for deck in printed.decks for page in deck.pages]
    extra = between.pages if between is not None else 0
    return path, len(laid_out) + extra, findings
