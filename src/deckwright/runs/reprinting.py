"""Reprint, merge, sign and verify decks of a run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.api.packaging import D013
from deckwright.base.files import write_atomically, write_bytes, written_files
from deckwright.base.findings import (
    ChoiceError,
    Diagnostic,
    Location,
    Report,
    has_errors,
    require_known,
)
from deckwright.base.output import write_data, write_failure
from deckwright.base.processes import report_progress
from deckwright.base.units import freeze_date
from deckwright.base.workers import map_parallel
from deckwright.decks.signing import (
    SignedContent,
    code_deck_id,
    format_public_key,
    is_valid_code,
    make_code,
    parse_public_key,
)
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import CardKey
from deckwright.runs.archive import unpack_temporarily
from deckwright.runs.lines import DeckLine, parse_line, read_lines
from deckwright.runs.manifest import ManifestRecord, read_records
from deckwright.runs.plan import RunPlan, check_intact, check_usable, read_deck_ids
from deckwright.runs.worker import RunPrinter, Separators, cached_printer, forget_printers

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class MergeResult(NamedTuple):
    """The files of merged decks.

    Attributes:
        files: in the order of the decks.
        decks, pages: the total numbers of decks and pages, including separators.
        findings: the warnings.
    """

    files: tuple[Path, ...]
    decks: int
    pages: int
    findings: tuple[Diagnostic, ...] = ()


class _DeckGroup(NamedTuple):
    """A merged file: its number from 1, and the number, line and record of each of its decks."""

    number: int
    decks: tuple[tuple[int, str, ManifestRecord], ...]


def merge_run(
    plan: RunPlan, by: int, target: Path, report: Report, *, separators: bool | None = None
) -> MergeResult | None:
    """Merge the printed decks of a run into larger files; None after reporting errors.

    The pages are those of the decks' own files, but printed again from the same lines, so that a
    file contains each face once, however many of its decks use it.

    Args:
        by: the number of decks in a file.
        target: the folder of the files.
        separators: whether a page before each deck names it; by default only on sheets.

    Raises:
        ChoiceError: if separators are requested for a print service, or the service takes pictures.
    """
    service = json.loads(plan.facts.options).get("service")
    if service and separators:
        raise ChoiceError(
            "--separators is for sheets, not for print services",
            "the service would print them as cards; document parts separate the decks instead",
        )
    separators = not service if separators is None else separators
    ids = read_deck_ids(plan, report) if check_usable(plan, report) else None
    if ids is None:
        return None
    groups = list(_group_decks(plan, ids, by))
    decks = sum(len(group.decks) for group in groups)
    if not all(_has_pdfs(group) for group in groups):
        message = "the decks of the run are pictures, and only PDFs can be merged"
        raise ChoiceError(message, "deliver them deck by deck, as in decks/")

    with unpack_temporarily(plan.game) as game:
        make = partial(_print_group, plan=plan, game=game, target=target, separators=separators)
        files, pages = list[Path](), 0
        try:
            for done, (paths, count, findings) in enumerate(map_parallel(make, groups), 1):
                if not paths:
                    report.extend(findings)
                    return None
                files += paths
                written_files.extend(paths)  # by another process
                pages += count
                report_progress("merging decks", min(done * by, decks), decks)
        except OSError as error:
            report.append(write_failure(target, error))
            return None
        finally:
            forget_printers()
    return MergeResult(tuple(files), decks, pages)


def _group_decks(plan: RunPlan, ids: list[str], by: int) -> Iterator[_DeckGroup]:
    records = {
        record.number: record
        for _, record in read_records(plan.manifest)
        if record is not None and record.is_printed
    }
    group: list[tuple[int, str, ManifestRecord]] = []
    number = 0
    for line, text in plan.numbered_lines():
        record = records.get(line)
        if record is None or (record.deck, record.key) != (ids[line - 1], plan.key(text)):
            continue
        group.append((line, text, record._replace(faces={})))
        if len(group) == by:
            number += 1
            yield _DeckGroup(number, tuple(group))
            group = []
    if group:
        yield _DeckGroup(number + 1, tuple(group))


def _has_pdfs(group: _DeckGroup) -> bool:
    """Return whether the decks of a group are PDF files."""
    return all(record.files[0][0].endswith(".pdf") for _, _, record in group.decks)


def _print_group(
    group: _DeckGroup, *, plan: RunPlan, game: Path, target: Path, separators: bool
) -> tuple[list[Path], int, Report]:
    """Print a group; return its files, their number of pages, and the findings."""
    with freeze_date(plan.facts.date):
        printer = cached_printer(game, plan.facts.options, plan.folder)
        records = [record for _, _, record in group.decks]
        between = Separators(records, group.number) if separators else None
        decks = [(number, text) for number, text, _ in group.decks]
        printed, findings = printer.render_many(decks, between)
    if printed is None:
        return [], 0, findings
    stem = f"{group.number:04}"
    paths = [
        write_bytes(target / (f"{stem}_{name}" if name else f"{stem}.pdf"), data)
        for name, data in printed.files.items()
    ]
    return paths, printed.pages, findings


_MAX_KNOWN_IDS = 1000
"""The number of ids that are searched for suggestions."""


class ReprintResult(NamedTuple):
    """A reprint: its files or folder of pictures, and the numbers of pages and copies."""

    files: tuple[Path, ...]
    pages: int
    copies: int
    findings: tuple[Diagnostic, ...] = ()


def reprint(
    plan: RunPlan, deck_id: str, card: str | None, target: Path, report: Report
) -> ReprintResult | None:
    """Print a deck again, or all copies of one of its cards; None after reporting errors.

    Args:
        card: the id of the card; None for the whole deck, which gives the same bytes as in the run.

    Raises:
        ChoiceError: if the run lacks the deck, or the deck lacks the card.
    """
    if not check_usable(plan, report):
        return None
    number, line = find_line(plan, deck_id)
    if card is not None:
        require_known(
            card, dict.fromkeys(each.id for each in line.cards), "card", f" in deck `{line.id}`"
        )

    with freeze_date(plan.facts.date), unpack_temporarily(plan.game) as game:
        printer = RunPrinter(game, plan.facts.options, plan.folder)
        printed, findings = printer.render(line, number, only=card)
    report.extend(findings)
    if printed is None:
        return None
    if all(not name or name.endswith(".pdf") for name in printed.files):
        parts = {
            target.with_name(f"{target.stem}_{name}") if name else target: data
            for name, data in printed.files.items()
        }
        written = tuple(parts)
    else:
        folder = target.with_suffix("")
        parts = {folder / name: data for name, data in printed.files.items()}
        written = (folder,)
    for path, data in parts.items():
        write_data(path, data)
    chosen = [each for each in printed.cards if card in {None, each}]
    return ReprintResult(written, len(printed.pages), len(chosen))


def find_line(plan: RunPlan, deck_id: str) -> tuple[int, DeckLine]:
    """Find a deck by its id; return the number of its line, and the deck.

    Raises:
        ChoiceError: if the run has no such deck.
    """
    ids: list[str] = []
    for number, text in plan.numbered_lines():
        if deck_id not in text and len(ids) == _MAX_KNOWN_IDS:
            continue
        with suppress(ValueError):
            line = parse_line(text)
            if line.id == deck_id:
                return number, line
            ids = [*ids, line.id][:_MAX_KNOWN_IDS]
    require_known(deck_id, ids, "deck", " in the run")
    raise ChoiceError(deck_id)


PROOF_VALUE = "proof"
"""The name of the value with a deck's code."""


def signed_content(line: DeckLine) -> SignedContent:
    """Return the signed content of a deck."""
    cards: Counter[CardKey] = Counter()
    for card in line.cards:
        cards[card.faction or line.faction, card.id] += card.amount
    return SignedContent(line.id, line.faction, cards)


def sign_lines(
    folder: GameFolder, source: Path, target: Path, key: Ed25519PrivateKey, report: Report
) -> int | None:
    """Write the decks of a run's file with their codes as the value `proof`.

    Returns:
        the number of decks; None after reporting errors.

    Raises:
        ChoiceError: if the key does not match the game's public key.
        OSError: if `source` cannot be read.
    """
    setup = load.load_setup(folder, report)
    if setup is None:
        return None
    if setup.public_key != format_public_key(key):
        own = f"`{setup.public_key}`" if setup.public_key else "nothing"
        hint = f'the public key of this key is public_key="{format_public_key(key)}"'
        raise ChoiceError(f"game.xml has {own} as its `public_key`", hint)
    try:
        with write_atomically(target) as stream:
            number = 0
            for line in read_lines(source, report):
                code = make_code(signed_content(line), key)
                signed = line._replace(values={**line.values, PROOF_VALUE: code})
                stream.write(f"{signed.to_json()}\n".encode())
                number += 1
            _abort_on_errors(report)
    except _AbortError:
        return None
    except OSError as error:
        report.append(write_failure(target, error))
        return None
    return number


class _AbortError(Exception):
    """Aborts writing after errors were reported."""


def _abort_on_errors(report: Report) -> None:
    if has_errors(report):
        raise _AbortError


def find_proven_deck(plan: RunPlan, code: str, report: Report) -> DeckLine | None:
    """Return the deck that a code proves; None after reporting errors.

    Raises:
        ChoiceError: if the run lacks the deck, or its game lacks a public key.
    """
    if not check_intact(plan, report):
        return None
    number, line = find_line(plan, code_deck_id(code))
    with unpack_temporarily(plan.game) as game:
        setup = load.load_setup(GameFolder(game), report)
    if setup is None:
        return None
    if not setup.public_key:
        raise ChoiceError("the game of the run has no `public_key` in game.xml")
    if is_valid_code(code, signed_content(line), parse_public_key(setup.public_key)):
        return line
    message = f"the code of `{line.id}` was not made for this deck with this key"
    report.append(D013.at(Location(plan.lines, number, 1), message, "compare the printed code"))
    return None
