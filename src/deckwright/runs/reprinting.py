"""Reprint, merge, sign and verify decks of a run."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.api.decks import D013
from deckwright.base.files import write_atomically, write_bytes, written_files
from deckwright.base.findings import ChoiceError, Diagnostic, Location, Report, require_known
from deckwright.base.output import OutputError, stop_on_errors, write_data, write_failure
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
from deckwright.runs.archive import unpack_temporarily
from deckwright.runs.lines import DeckLine, parse_line, read_lines
from deckwright.runs.manifest import ManifestRecord, read_records
from deckwright.runs.plan import RunPlan, read_deck_ids, require_intact, require_usable
from deckwright.runs.worker import RunPrinter, cached_printer

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


_DeckGroup = list[tuple[int, str, ManifestRecord]]
"""The number, line and record of each deck of a merged file."""


def merge_run(
    plan: RunPlan, by: int, target: Path, *, separators: bool | None = None
) -> MergeResult:
    """Implement `Run.merge`.

    Raises:
        ChoiceError: if separators are requested for a print service, or the service takes pictures.
        OutputError: if decks cannot be printed or files cannot be written.
    """
    service = json.loads(plan.facts.options).get("service")
    if service and separators:
        raise ChoiceError(
            "--separators is for sheets, not for print services",
            "the service would print them as cards; document parts separate the decks instead",
        )
    separators = not service if separators is None else separators
    require_usable(plan)
    ids = read_deck_ids(plan)
    records = {
        record.number: record
        for _, record in read_records(plan.manifest)
        if record is not None and record.is_printed
    }
    decks: _DeckGroup = []
    for line, text in plan.numbered_lines():
        record = records.get(line)
        if record is not None and (record.deck, record.key) == (ids[line - 1], plan.key(text)):
            decks.append((line, text, record._replace(faces={})))
    if not all(record.files[0][0].endswith(".pdf") for _, _, record in decks):
        message = "the decks of the run are pictures, and only PDFs can be merged"
        raise ChoiceError(message, "deliver them deck by deck, as in decks/")
    groups = [*enumerate((decks[at : at + by] for at in range(0, len(decks), by)), 1)]

    with unpack_temporarily(plan.game) as game:
        make = partial(_print_group, plan=plan, game=game, target=target, separators=separators)
        files, pages = list[Path](), 0
        try:
            for done, (paths, count) in enumerate(map_parallel(make, groups), 1):
                files += paths
                written_files.extend(paths)  # by another process
                pages += count
                report_progress("merging decks", min(done * by, len(decks)), len(decks))
        except OSError as error:
            raise OutputError(write_failure(target, error)) from error
        finally:
            cached_printer.cache_clear()  # its game is removed
    return MergeResult(tuple(files), len(decks), pages)


def _print_group(
    numbered: tuple[int, _DeckGroup], *, plan: RunPlan, game: Path, target: Path, separators: bool
) -> tuple[list[Path], int]:
    """Print the decks of a file of a number, from 1; return its paths and its number of pages."""
    file, group = numbered
    with freeze_date(plan.facts.date):
        printer = cached_printer(game, plan.facts.options, plan.folder)
        separated = ([record for _, _, record in group], file) if separators else None
        decks = [(number, text) for number, text, _ in group]
        files, pages = printer.render_many(decks, separated)
    paths = [
        write_bytes(target / (f"{file:04}_{name}" if name else f"{file:04}.pdf"), data)
        for name, data in files.items()
    ]
    return paths, pages


_MAX_KNOWN_IDS = 1000
"""The number of ids that are searched for suggestions."""


class ReprintResult(NamedTuple):
    """A reprint: its files or folder of pictures, and the numbers of pages and copies."""

    files: tuple[Path, ...]
    pages: int
    copies: int
    findings: tuple[Diagnostic, ...] = ()


def reprint(plan: RunPlan, deck_id: str, card: str | None, target: Path) -> ReprintResult:
    """Implement `Run.reprint`.

    Raises:
        ChoiceError: if the run lacks the deck, or the deck lacks the card.
        OutputError: if it cannot be printed or written.
    """
    require_usable(plan)
    number, line = find_line(plan, deck_id)
    if card is not None:
        require_known(
            card, dict.fromkeys(each.id for each in line.cards), "card", f" in deck `{line.id}`"
        )

    with freeze_date(plan.facts.date), unpack_temporarily(plan.game) as game:
        printer = RunPrinter(game, plan.facts.options, plan.folder)
        printed = printer.render(line, number, only=card)
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
    """Find a deck by its id; return the number of its line and the deck, or raise a ChoiceError."""
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


def sign_lines(
    folder: GameFolder, source: Path, target: Path, key: Ed25519PrivateKey, report: Report
) -> int:
    """Implement `sign_run`, and return the number of decks.

    Raises:
        ChoiceError: if the key does not match the game's public key.
        OutputError: after reporting errors, or if the file cannot be written.
    """
    setup = load.load_setup(folder, report)
    if setup is None:
        raise OutputError
    if setup.public_key != format_public_key(key):
        own = f"`{setup.public_key}`" if setup.public_key else "nothing"
        hint = f'the public key of this key is public-key="{format_public_key(key)}"'
        raise ChoiceError(f"game.xml has {own} as its `public-key`", hint)
    try:
        with write_atomically(target) as stream:
            number = 0
            for line in read_lines(source, report):
                code = make_code(SignedContent.of(line.id, line.deck(source, 0)), key)
                signed = line._replace(values={**line.values, PROOF_VALUE: code})
                stream.write(f"{signed.to_json()}\n".encode())
                number += 1
            stop_on_errors(report)
    except OSError as error:
        raise OutputError(write_failure(target, error)) from error
    return number


def find_proven_deck(plan: RunPlan, code: str, report: Report) -> DeckLine:
    """Implement `Run.prove`.

    Raises:
        ChoiceError: if the run lacks the deck, or its game lacks a public key.
        OutputError: if it proves none, or after reporting errors.
    """
    require_intact(plan)
    number, line = find_line(plan, code_deck_id(code))
    with unpack_temporarily(plan.game) as game:
        setup = load.load_setup(GameFolder(game), report)
    if setup is None:
        raise OutputError
    if not setup.public_key:
        raise ChoiceError("the game of the run has no `public-key` in game.xml")
    signed = SignedContent.of(line.id, line.deck(plan.lines, number))
    if is_valid_code(code, signed, parse_public_key(setup.public_key)):
        return line
    message = f"the code of `{line.id}` was not made for this deck with this key"
    place = Location(plan.lines, number, 1)
    raise OutputError(D013.at(place, message, "compare the printed code"))
