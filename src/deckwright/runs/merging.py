"""Decks of a run in larger files, for printers, with a page before each that tells it apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.dates import dated
from deckwright.base.files import write_bytes, written
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import unwritable
from deckwright.base.parallel import spread
from deckwright.base.progress import tell
from deckwright.runs.manifest import Record, read_records
from deckwright.runs.plan import Plan, demand_decks, demand_whole
from deckwright.runs.separators import Separators
from deckwright.runs.unpacked import unpacked


class Merged(NamedTuple):
    """Files of many decks.

    Attributes:
        files: in the order of the decks.
        decks, pages: how many are in all of them; pages with those between decks.
        findings: the warnings.
    """

    files: tuple[Path, ...]
    decks: int
    pages: int
    findings: tuple[Diagnostic, ...] = ()


class _Group(NamedTuple):
    """A file: its number from 1, and of each of its decks the number, the line and the record."""

    number: int
    decks: tuple[tuple[int, str, Record], ...]


def merge_run(
    plan: Plan, by: int, target: Path, report: Report, *, separators: bool | None = None
) -> Merged | None:
    """Print all decks that a run has printed into files of many; None after reporting why not.

    The pages are those of the decks' own files: they are printed again from the same lines, so that
    a file has each face once, however many of its decks show it.

    Args:
        by: how many decks a file has.
        target: the folder of the files.
        separators: whether a page before each deck names it; if it is left out, on sheets alone.

    Raises:
        ChoiceError: if the run is for a print service, and separators are wanted, or if that takes
            pictures.
    """
    service = json.loads(plan.facts.options).get("service")
    if service and separators:
        raise ChoiceError(
            "--separators is for sheets, not for print services",
            "the service would print them as cards: document parts tell decks apart",
        )
    separators = not service if separators is None else separators
    ids = demand_decks(plan, report) if demand_whole(plan, report) else None
    if ids is None:
        return None
    groups = list(_groups(plan, ids, by))
    decks = sum(len(group.decks) for group in groups)
    if not all(_has_pdfs(group) for group in groups):
        message = "the decks of the run are pictures, and only PDFs can be merged"
        raise ChoiceError(message, "hand them over deck by deck, as they are in decks/")
    from deckwright.runs.printing import forget_printers  # noqa: PLC0415 - heavy

    with unpacked(plan.game) as game:
        make = partial(_made, plan=plan, game=game, target=target, separators=separators)
        files, pages = list[Path](), 0
        try:
            for done, (paths, count, findings) in enumerate(spread(make, groups), 1):
                if not paths:
                    report.extend(findings)
                    return None
                files += paths
                written.extend(paths)  # by another process
                pages += count
                tell("merging decks", min(done * by, decks), decks)
        except OSError as error:
            report.append(unwritable(target, error))
            return None
        finally:
            forget_printers()
    return Merged(tuple(files), decks, pages)


def _groups(plan: Plan, ids: list[str], by: int) -> Iterator[_Group]:
    records = {
        record.number: record
        for _, record in read_records(plan.manifest)
        if record is not None and record.printed
    }
    group: list[tuple[int, str, Record]] = []
    number = 0
    for line, text in plan.texts():
        record = records.get(line)
        if record is None or (record.deck, record.key) != (ids[line - 1], plan.key(text)):
            continue
        group.append((line, text, record._replace(faces={})))
        if len(group) == by:
            number += 1
            yield _Group(number, tuple(group))
            group = []
    if group:
        yield _Group(number + 1, tuple(group))


def _has_pdfs(group: _Group) -> bool:
    """Return whether the decks of a group are PDFs."""
    return all(record.files[0][0].endswith(".pdf") for _, _, record in group.decks)


def _made(
    group: _Group, *, plan: Plan, game: Path, target: Path, separators: bool
) -> tuple[list[Path], int, Report]:
    """Print a group; return its files, how many pages these have, and what was found."""
    from deckwright.runs.printing import printer_of  # noqa: PLC0415 - heavy

    with dated(plan.facts.date):
        printer = printer_of(game, plan.facts.options, plan.folder)
        records = [record for _, _, record in group.decks]
        between = Separators(records, group.number) if separators else None
        decks = [(number, text) for number, text, _ in group.decks]
        printed, findings = printer.many(decks, between)
    if printed is None:
        return [], 0, findings
    stem = f"{group.number:04}"
    paths = [
        write_bytes(target / (f"{stem}_{name}" if name else f"{stem}.pdf"), data)
        for name, data in printed.files.items()
    ]
    return paths, printed.pages, findings
