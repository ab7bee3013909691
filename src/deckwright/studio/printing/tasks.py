"""Print tasks: translates a print request into calls of the library, one for each output."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from deckwright.api import Deck, Game, GameError
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import OutputError
from deckwright.diff.manifest import Manifest, manifest_path, read_manifest
from deckwright.diff.manifest_changes import Changes, changed_since, changes_as_json
from deckwright.game.model import CardKey
from deckwright.outputs.pages import print_calibration
from deckwright.sheet.grid import Flip
from deckwright.studio.answers import LocalizedError, pick
from deckwright.studio.printing.options import SERVICE_PREFIX


class PreviousPrint(NamedTuple):
    """The previous print of a deck: its manifest and the manifest's file."""

    path: Path
    manifest: Manifest

    @property
    def printed_at(self) -> str:
        """The time of printing in ISO 8601."""
        return datetime.fromtimestamp(self.path.stat().st_mtime, UTC).isoformat()


def find_previous_print(
    deck: str, folders: Iterable[Path], game: str, report: Report
) -> PreviousPrint | None:
    """Find the previous print of a deck; None if there is none, or its manifest is unreadable.

    Args:
        deck: the name of its file, without the ending.
        folders: the folders to search for prints.
        game: the name of the game.
    """
    names = (f"deck_{deck}.pdf", f"deck_{deck}_changed.pdf")
    paths = [manifest_path(folder / name) for folder in folders for name in names]
    there = [path for path in paths if path.is_file()]
    if not there:
        return None
    path = max(there, key=lambda path: path.stat().st_mtime_ns)
    try:
        return PreviousPrint(path, read_manifest(path, game))
    except OutputError as error:
        report.extend(error.findings)
        return None


def serialize_changes(last: PreviousPrint, now: Manifest) -> dict[str, object]:
    """Return the changes since the previous print as plain data."""
    before = last.manifest
    changes = changed_since(before, now)
    return {
        "last": {
            **pick(before, "sheet", "style", "title"),
            "when": last.printed_at,
            "copies": sum(entry.copies for entry in before.entries),
        },
        "to_print": sum(changes.to_print.values()),
        "cards": json.loads(changes_as_json(("", ""), changes.cards))["changes"],
    }


def changed_states(changes: Changes) -> dict[CardKey, str]:
    """Return the state ("new" or "changed") of the cards that differ, by key."""
    return {
        (change.faction_id, change.card_id): change.state
        for change in changes.cards
        if change.state in {"new", "changed"}
    }


class PrintRequest(NamedTuple):
    """A request to print or export a product; its options are named as in the library.

    Attributes:
        source_ids: the ids that the product is made from; decks by the names of their files.
        target_folder: the folder to write to.
        print_folders: the folders that may hold earlier prints.
    """

    product: str
    source_ids: tuple[str, ...]
    options: Mapping[str, Any]
    target_folder: Path
    print_folders: tuple[Path, ...]


class TaskResult(Protocol):
    """The result of a task, with its warnings."""

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The warnings."""


class PrintTask(NamedTuple):
    """One call of the library.

    Attributes:
        name: the name to show: that of a file or a deck.
    """

    name: str
    make: Callable[[], TaskResult]


class PlainResult(NamedTuple):
    """A result with nothing but warnings."""

    findings: tuple[Diagnostic, ...] = ()


def build_tasks(game: Game, request: PrintRequest) -> list[PrintTask]:
    """Return the tasks for a request, each writing its own files.

    Raises:
        LocalizedError: if there is no previous print to compare with.
        GameError: if the previous print cannot be read.
    """
    if request.product.startswith(SERVICE_PREFIX):
        service = request.product.removeprefix(SERVICE_PREFIX)
        return _per_deck(
            "NAME",
            lambda deck, target, r: deck.export_service(service, target.parent, **r.options),
        )(game, request)
    return _TASK_BUILDERS[request.product](game, request)


def _deck_tasks(game: Game, request: PrintRequest) -> list[PrintTask]:
    options, groups = (
        dict(request.options),
        [request.source_ids[at : at + 1] for at in range(len(request.source_ids))],
    )
    changed = options.pop("changed")
    part = "_changed" if changed else "_part" if options["only"] or options["copies"] else ""
    part += "_draft" if options["draft"] else ""
    if options["fill"] and not changed and len(groups) > 1:
        groups = [request.source_ids]

    def task(names: Sequence[str]) -> PrintTask:
        name = f"decks{part}.pdf" if len(names) > 1 else f"deck_{names[0]}{part}.pdf"
        since = _previous_manifest(game, names[0], request.print_folders) if changed else None
        target = request.target_folder / name
        paths = [*map(str, _deck_paths(game, names))]
        return PrintTask(
            name, partial(game.print_decks, paths, target, changed_since=since, **options)
        )

    return [task(names) for names in groups]


def _previous_manifest(game: Game, deck: str, folders: Sequence[Path]) -> Path:
    """Return the manifest of a deck's previous print."""
    report: Report = []
    last = find_previous_print(deck, folders, game.name, report)
    if last is None and report:
        raise GameError(report)
    if last is None:
        message = f"`{deck}` was not printed yet"
        raise LocalizedError(
            "print-not-yet", deck, message=message, hint="print the whole deck first"
        )
    return last.path


def _deck_paths(game: Game, names: Iterable[str]) -> list[Path]:
    """Return the files of decks."""
    known = {path.stem: path for path in game.folder.deck_files()}
    return [known.get(name, game.folder.decks_folder / f"{Path(name).name}.xml") for name in names]


_Builder = Callable[[Game, PrintRequest], list[PrintTask]]


def _per_deck(name: str, make: Callable[[Deck, Path, PrintRequest], TaskResult]) -> _Builder:
    """Return what builds a task for each given deck, or for all if none is given.

    Args:
        name: that of the file, with `NAME` for that of the deck.
    """

    def build(game: Game, request: PrintRequest) -> list[PrintTask]:
        def task(path: Path) -> PrintTask:
            file_name = name.replace("NAME", path.stem)
            target = request.target_folder / file_name
            return PrintTask(file_name, lambda: make(game.deck(str(path)), target, request))

        return [*map(task, _deck_paths(game, request.source_ids) or game.folder.deck_files())]

    return build


def _single_task(name: str, make: Callable[[Game, Path, PrintRequest], TaskResult]) -> _Builder:
    """Return the builder of the only task of a product.

    Args:
        name: the name of its file or folder.
    """

    def build(game: Game, request: PrintRequest) -> list[PrintTask]:
        return [PrintTask(name, lambda: make(game, request.target_folder / name, request))]

    return build


def _token_tasks(game: Game, request: PrintRequest) -> list[PrintTask]:
    decks = {path.stem: str(path) for path in game.folder.deck_files()}

    def task(name: str) -> PrintTask:
        file_name = f"tokens_{name}.pdf"
        of = decks.get(name, name)
        return PrintTask(
            file_name,
            partial(game.print_tokens, of, request.target_folder / file_name, **request.options),
        )

    return [task(name) for name in request.source_ids]


def _overview_tasks(game: Game, request: PrintRequest) -> list[PrintTask]:
    target = request.target_folder / ("_".join(["overview", *request.source_ids]) + ".pdf")
    make = partial(game.print_overview, target, factions=request.source_ids, **request.options)
    return [PrintTask(target.name, make)]


def _everything_tasks(game: Game, request: PrintRequest) -> list[PrintTask]:
    outputs = game.everything(request.target_folder, **request.options)
    return [PrintTask(path.name, make) for path, make in outputs]


def _picture_tasks(game: Game, request: PrintRequest) -> list[PrintTask]:
    form = request.options["form"]
    make = partial(
        game.export_pictures, request.target_folder / form, request.source_ids, **request.options
    )
    return [PrintTask(form, make)]


def _table_tasks(game: Game, request: PrintRequest) -> list[PrintTask]:
    from deckwright.studio.printing.options import write_tables  # only for tables

    def make() -> TaskResult:
        return _run_reporting(
            partial(write_tables, game.folder, request.target_folder, **request.options)
        )

    return [PrintTask(request.options["form"], make)]


def _calibration_tasks(_: Game, request: PrintRequest) -> list[PrintTask]:
    target, options = request.target_folder / "calibration.pdf", request.options
    flip, language = Flip(options["flip"]), options["language"]

    def make() -> TaskResult:
        return _run_reporting(lambda _: print_calibration(options["paper"], flip, language, target))

    return [PrintTask(target.name, make)]


def _run_reporting(write: Callable[[Report], object]) -> PlainResult:
    """Call a function that writes an output.

    Raises:
        GameError: if it was not written.
    """
    report: Report = []
    try:
        write(report)
    except OutputError as error:
        raise GameError([*report, *error.findings]) from error
    return PlainResult(tuple(report))


_TASK_BUILDERS: Mapping[str, _Builder] = {
    "decks": _deck_tasks,
    "tokens": _token_tasks,
    "boxes": _per_deck("box_NAME.pdf", lambda deck, target, r: deck.print_box(target, **r.options)),
    "markers": _single_task(
        "markers.pdf",
        lambda game, target, r: game.print_markers(target, only=r.source_ids, **r.options),
    ),
    "overview": _overview_tasks,
    "rulebook": _single_task(
        "rulebook.pdf", lambda game, target, r: game.print_rulebook(target, **r.options)
    ),
    "everything": _everything_tasks,
    "pictures": _picture_tasks,
    "proofs": _single_task(
        "proof", lambda game, target, r: game.export_proofs(target, r.source_ids, **r.options)
    ),
    "cockatrice": _single_task(
        "cockatrice",
        lambda game, target, r: game.export_cockatrice(
            target, [*map(str, _deck_paths(game, r.source_ids))], **r.options
        ),
    ),
    "tts": _per_deck("tts/NAME.json", lambda deck, target, r: deck.export_tts(target, **r.options)),
    "tables": _table_tasks,
    "calibration": _calibration_tasks,
}
