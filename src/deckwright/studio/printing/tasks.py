"""From what is asked for to calls of the library: what is made of which, and to which files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from deckwright.api import Game, GameError
from deckwright.base.findings import Diagnostic, Report
from deckwright.diff.manifest import Manifest
from deckwright.diff.manifest_changes import Changes, changed_since, changes_as_json
from deckwright.diff.manifest_file import manifest_path, read_manifest
from deckwright.game.model import CardKey
from deckwright.outputs.pages import print_calibration
from deckwright.sheet.grid import Flip
from deckwright.studio.answers import LocalizedError
from deckwright.studio.printing.options import SERVICE_PREFIX


class PreviousPrint(NamedTuple):
    """A last print: its manifest, and that manifest's file."""

    path: Path
    manifest: Manifest

    @property
    def when(self) -> str:
        """When it was printed, as text of ISO 8601."""
        return datetime.fromtimestamp(self.path.stat().st_mtime, UTC).isoformat()


def find_previous_print(
    deck: str, folders: Iterable[Path], game: str, report: Report
) -> PreviousPrint | None:
    """Return the last print of a deck; None if it was not printed, or that cannot be read.

    Args:
        deck: the name of its file, without the ending.
        folders: where prints are.
        game: the name of the game.
    """
    names = (f"deck_{deck}.pdf", f"deck_{deck}_changed.pdf")
    paths = [manifest_path(folder / name) for folder in folders for name in names]
    there = [path for path in paths if path.is_file()]
    if not there:
        return None
    path = max(there, key=lambda path: path.stat().st_mtime_ns)
    manifest = read_manifest(path, report, game)
    return None if manifest is None else PreviousPrint(path, manifest)


def serialize_changes(last: PreviousPrint, now: Manifest) -> dict[str, object]:
    """Return what has changed since a last print, as plain data."""
    before = last.manifest
    changes = changed_since(before, now)
    return {
        "last": {
            "when": last.when,
            "sheet": before.sheet,
            "style": before.style,
            "title": before.title,
            "copies": sum(entry.copies for entry in before.entries),
        },
        "to_print": sum(changes.to_print.values()),
        "cards": json.loads(changes_as_json(("", ""), changes.cards))["changes"],
    }


def changed_states(changes: Changes) -> dict[CardKey, str]:
    """Return which cards are new or look different, by their ids and those of their factions."""
    return {
        (change.faction_id, change.card_id): change.state
        for change in changes.cards
        if change.state in {"new", "changed"}
    }


class PrintRequest(NamedTuple):
    """What is asked for; its options have the names of the library's.

    Attributes:
        of: the ids of what it is made of; decks by the names of their files.
        where: the folder that is written to.
        prints: the folders that earlier prints may be in.
    """

    thing: str
    of: tuple[str, ...]
    options: Mapping[str, Any]
    where: Path
    prints: tuple[Path, ...]


class TaskResult(Protocol):
    """What was made, with the warnings."""

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The warnings."""


class PrintTask(NamedTuple):
    """Something that is made by one call.

    Attributes:
        called: what it is called in words: the name of a file or a deck.
    """

    called: str
    make: Callable[[], TaskResult]


class PlainResult(NamedTuple):
    """What was made, where the library says no more of it."""

    findings: tuple[Diagnostic, ...] = ()


def build_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    """Return the calls that make what is asked for, each to its own files.

    Raises:
        SaidError: if there is nothing to compare with.
        GameError: if a last print cannot be read.
    """
    if choice.thing.startswith(SERVICE_PREFIX):
        return _service_tasks(game, choice, choice.thing.removeprefix(SERVICE_PREFIX))
    return _TASK_BUILDERS[choice.thing](game, choice)


def _deck_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    options, groups = dict(choice.options), [choice.of[at : at + 1] for at in range(len(choice.of))]
    changed = options.pop("changed")
    part = "_changed" if changed else "_part" if options["only"] or options["copies"] else ""
    part += "_draft" if options["draft"] else ""
    if options["fill"] and not changed and len(groups) > 1:
        groups = [choice.of]

    def work(names: Sequence[str]) -> PrintTask:
        called = f"decks{part}.pdf" if len(names) > 1 else f"deck_{names[0]}{part}.pdf"
        since = _previous_manifest(game, names[0], choice.prints) if changed else None
        target = choice.where / called
        paths = [*map(str, _deck_paths(game, names))]
        return PrintTask(
            called, partial(game.print_decks, paths, target, changed_since=since, **options)
        )

    return [work(names) for names in groups]


def _previous_manifest(game: Game, deck: str, folders: Sequence[Path]) -> Path:
    """Return the manifest of a deck's last print."""
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


def _task_per_deck(
    game: Game, choice: PrintRequest, name: str, make: Callable[[Path, Path], TaskResult]
) -> list[PrintTask]:
    """Return a call for each deck, or for all if none is named, to a file of the given name."""
    paths = _deck_paths(game, choice.of) or game.folder.deck_files()
    files = ((path, name.replace("NAME", path.stem)) for path in paths)
    return [PrintTask(called, partial(make, path, choice.where / called)) for path, called in files]


def _token_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    decks = {path.stem: str(path) for path in game.folder.deck_files()}

    def work(name: str) -> PrintTask:
        called = f"tokens_{name}.pdf"
        of = decks.get(name, name)
        return PrintTask(
            called, partial(game.print_tokens, of, choice.where / called, **choice.options)
        )

    return [work(name) for name in choice.of]


def _box_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    def make(deck: Path, target: Path) -> TaskResult:
        return game.deck(str(deck)).print_box(target, **choice.options)

    return _task_per_deck(game, choice, "box_NAME.pdf", make)


def _marker_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    target = choice.where / "markers.pdf"
    make = partial(game.print_markers, target, only=choice.of, **choice.options)
    return [PrintTask(target.name, make)]


def _overview_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    target = choice.where / ("_".join(["overview", *choice.of]) + ".pdf")
    make = partial(game.print_overview, target, factions=choice.of, **choice.options)
    return [PrintTask(target.name, make)]


def _rulebook_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    target = choice.where / "rulebook.pdf"
    return [PrintTask(target.name, partial(game.print_rulebook, target, **choice.options))]


def _everything_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    made = game.everything(choice.where, **choice.options)
    return [PrintTask(path.name, make) for path, make in made]


def _service_tasks(game: Game, choice: PrintRequest, service: str) -> list[PrintTask]:
    def make(deck: Path, target: Path) -> TaskResult:
        return game.deck(str(deck)).export_service(service, target.parent, **choice.options)

    return _task_per_deck(game, choice, "NAME", make)


def _picture_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    form = choice.options["form"]
    make = partial(game.export_pictures, choice.where / form, choice.of, **choice.options)
    return [PrintTask(form, make)]


def _proof_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    make = partial(game.export_proofs, choice.where / "proof", choice.of, **choice.options)
    return [PrintTask("proof", make)]


def _cockatrice_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    decks = [*map(str, _deck_paths(game, choice.of))]
    make = partial(game.export_cockatrice, choice.where / "cockatrice", decks, **choice.options)
    return [PrintTask("cockatrice", make)]


def _tts_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    def make(deck: Path, target: Path) -> TaskResult:
        return game.deck(str(deck)).export_tts(target, **choice.options)

    return _task_per_deck(game, choice, "tts/NAME.json", make)


def _table_tasks(game: Game, choice: PrintRequest) -> list[PrintTask]:
    from deckwright.studio.printing.options import write_tables  # noqa: PLC0415 - only for tables

    def make() -> TaskResult:
        return _run_reporting(partial(write_tables, game.folder, choice.where, **choice.options))

    return [PrintTask(choice.options["form"], make)]


def _calibration_tasks(_: Game, choice: PrintRequest) -> list[PrintTask]:
    target, options = choice.where / "calibration.pdf", choice.options
    flip, language = Flip(options["flip"]), options["language"]

    def make() -> TaskResult:
        return _run_reporting(
            lambda report: print_calibration(options["paper"], flip, language, target, report)
        )

    return [PrintTask(target.name, make)]


def _run_reporting(write: Callable[[Report], bool]) -> PlainResult:
    """Write something that reports what keeps it from being written.

    Raises:
        GameError: if it was not written.
    """
    report: Report = []
    if not write(report):
        raise GameError(report)
    return PlainResult(tuple(report))


_TASK_BUILDERS: Mapping[str, Callable[[Game, PrintRequest], list[PrintTask]]] = {
    "decks": _deck_tasks,
    "tokens": _token_tasks,
    "boxes": _box_tasks,
    "markers": _marker_tasks,
    "overview": _overview_tasks,
    "rulebook": _rulebook_tasks,
    "everything": _everything_tasks,
    "pictures": _picture_tasks,
    "proofs": _proof_tasks,
    "cockatrice": _cockatrice_tasks,
    "tts": _tts_tasks,
    "tables": _table_tasks,
    "calibration": _calibration_tasks,
}
