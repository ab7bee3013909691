"""Print tasks: the calls of the library that fulfil a print request, one for each output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from deckwright.api import Deck, Game, GameError
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import OutputError
from deckwright.diff.manifest import Manifest, manifest_path, read_manifest
from deckwright.outputs.pages import print_calibration
from deckwright.sheet.grid import Flip
from deckwright.studio.answers import LocalizedError
from deckwright.studio.printing.options import SERVICE_PREFIX, write_tables


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
        folders: the folders in which prints may be.
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
    product, ids = request.product, request.source_ids
    options, folder = request.options, request.target_folder
    known = {path.stem: path for path in game.folder.deck_files()}
    decks = [known.get(name, game.folder.decks_folder / f"{Path(name).name}.xml") for name in ids]

    def single(
        name: str, make: Callable[..., TaskResult], *arguments: object, **more: object
    ) -> list[PrintTask]:
        target = folder / name
        return [PrintTask(target.name, partial(make, target, *arguments, **more, **options))]

    def per_deck(name: str, make: Callable[[Deck, Path], TaskResult]) -> list[PrintTask]:
        """Return a task for each given deck, or for all if none is given."""

        def task(path: Path) -> PrintTask:
            file_name = name.replace("NAME", path.stem)
            return PrintTask(file_name, lambda: make(game.deck(str(path)), folder / file_name))

        return [*map(task, decks or game.folder.deck_files())]

    def tokens(name: str) -> PrintTask:
        target = folder / f"tokens_{name}.pdf"
        of = str(known.get(name, name))
        return PrintTask(target.name, partial(game.print_tokens, of, target, **options))

    def calibration(target: Path, *, paper: str, flip: str, language: str) -> PlainResult:
        return _run_reporting(lambda _: print_calibration(paper, Flip(flip), language, target))

    service = product.removeprefix(SERVICE_PREFIX)
    if service != product:
        return per_deck("NAME", lambda deck, _: deck.export_service(service, folder, **options))
    builders: Mapping[str, Callable[[], list[PrintTask]]] = {
        "decks": lambda: _deck_tasks(game, request, decks),
        "tokens": lambda: [*map(tokens, ids)],
        "boxes": lambda: per_deck("box_NAME.pdf", lambda deck, to: deck.print_box(to, **options)),
        "markers": lambda: single("markers.pdf", game.print_markers, only=ids),
        "overview": lambda: single(
            "_".join(["overview", *ids]) + ".pdf", game.print_overview, factions=ids
        ),
        "rulebook": lambda: single("rulebook.pdf", game.print_rulebook),
        "everything": lambda: [
            PrintTask(path.name, make) for path, make in game.everything(folder, **options)
        ],
        "pictures": lambda: single(options["form"], game.export_pictures, ids),
        "proofs": lambda: single("proof", game.export_proofs, ids),
        "cockatrice": lambda: single("cockatrice", game.export_cockatrice, [*map(str, decks)]),
        "tts": lambda: per_deck("tts/NAME.json", lambda deck, to: deck.export_tts(to, **options)),
        "tables": lambda: [
            PrintTask(
                options["form"],
                partial(_run_reporting, partial(write_tables, game.folder, folder, **options)),
            )
        ],
        "calibration": lambda: single("calibration.pdf", calibration),
    }
    return builders[product]()


def _deck_tasks(game: Game, request: PrintRequest, decks: Sequence[Path]) -> list[PrintTask]:
    options, names = dict(request.options), request.source_ids
    changed = options.pop("changed")
    part = "_changed" if changed else "_part" if options["only"] or options["copies"] else ""
    part += "_draft" if options["draft"] else ""
    if options["fill"] and not changed and len(names) > 1:
        target = request.target_folder / f"decks{part}.pdf"
        make = partial(game.print_decks, [*map(str, decks)], target, changed_since=None, **options)
        return [PrintTask(target.name, make)]
    tasks = []
    for name, path in zip(names, decks, strict=True):
        since = None
        if changed:
            report: Report = []
            last = find_previous_print(name, request.print_folders, game.name, report)
            if report:
                raise GameError(report)
            if last is None:
                message, hint = f"`{name}` was not printed yet", "print the whole deck first"
                raise LocalizedError("print-not-yet", name, message=message, hint=hint)
            since = last.path
        target = request.target_folder / f"deck_{name}{part}.pdf"
        make = partial(game.print_decks, [str(path)], target, changed_since=since, **options)
        tasks.append(PrintTask(target.name, make))
    return tasks


def _run_reporting(write: Callable[[Report], object]) -> PlainResult:
    """Call a function that writes an output; raise a GameError instead of an OutputError."""
    report: Report = []
    try:
        write(report)
    except OutputError as error:
        raise GameError([*report, *error.findings]) from error
    return PlainResult(tuple(report))
