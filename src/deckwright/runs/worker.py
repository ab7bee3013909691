"""Print the decks of a shard, with separator pages, and return their records."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from deckwright.api.options import GameError, RunPrint
from deckwright.base.files import files_below, write_bytes
from deckwright.base.findings import ChoiceError, Diagnostic, Location, Report, Severity
from deckwright.base.output import OutputError
from deckwright.base.units import Mm
from deckwright.diff.manifest import Manifest
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.language import Language, use_language
from deckwright.game.model import Deck, FaceKey
from deckwright.languages.catalog import find_language
from deckwright.ops.model import FillPath, Group, Op, Tag
from deckwright.ops.outlines import rectangle, trace_cells
from deckwright.outputs.deck_printer import DeckPrinter, PrintedDecks
from deckwright.runs.lines import DeckLine, parse_line
from deckwright.runs.manifest import ManifestRecord
from deckwright.runs.options import LANGUAGE, resolve_box_paper, resolve_run_order, resolve_sheets
from deckwright.runs.plan import BACKS_FILE, BOXES_FILE, E121, FACTS, LINES, EngineError, deck_path
from deckwright.sheet.pages import Page
from deckwright.templates.barcodes import encode
from deckwright.text.paragraphs import TextStyle
from deckwright.text.placing import label_ops, lay_out_label
from deckwright.text.shaping import Metrics

if TYPE_CHECKING:
    from deckwright.outputs.services.order_printer import OrderPrinter


_INK = "#000000"
_GREY = "#555555"
_MARGIN: Mm = 20
_CODE_SIZE: Mm = 40
_BAR_WIDTH: Mm = 8
"""The width of the bar along the right edge that marks the page in a stack."""
_NAME_SIZE: Mm = 12
_LINE_SIZE: Mm = 5


Separated = tuple[Sequence[ManifestRecord], int]
"""The records of decks with pages before them, and the number of their file."""


def separator_pages(
    separated: Separated,
    names: Sequence[str],
    size: tuple[Mm, Mm],
    metrics: Metrics,
    families: tuple[str, str],
    words: Mapping[str, str],
) -> list[list[Page]]:
    """Return the separator pages before each deck of a merged file.

    In double-sided prints a separator is a whole leaf, and each deck begins on a new leaf.

    Args:
        names: the names of the decks.
        size: the size of the paper.
        families: the fonts of titles and of text.
    """
    (records, file), (width, height) = separated, size
    # Double-sided decks have backs on their pages, and a single file.
    is_two_sided = any(
        len(record.files) == 1
        and any(slot.endswith(" back") for page in record.pages for slot in page)
        for record in records
    )
    blanks = [Page(*size)] if is_two_sided else []

    def draw_text(text: str, high: Mm, y: Mm, family: str, ink: str = _INK) -> tuple[Op, ...]:
        """Draw a line of text, shrunk to fit beside the bar."""
        line = lay_out_label(text, family, metrics)
        room = width - _MARGIN - _BAR_WIDTH - _LINE_SIZE
        high = min(high, room / max(line.width, 1e-9))
        return label_ops(line, _MARGIN, y, TextStyle(family, high, ink))

    separators = []
    odd = 0
    for number, (record, name) in enumerate(zip(records, names, strict=True), 1):
        # People compare the first halves of checksums, in groups.
        sums = (
            " ".join(checksum[at : at + 8] for at in range(0, 32, 8))
            for _, _, checksum in record.files
        )
        values = record.values.items()
        lines = [
            f"{record.deck} · {number}/{len(records)} · {file:04}.pdf",
            f"{words['pages']}: {len(record.pages)}",
            *(f"{key}: {text}" for key, text in values if text not in (record.deck, name)),
            *(f"SHA-256 {checksum}" for checksum in sums),
        ]
        symbol = encode("qr", record.deck, "M", None)
        module = _CODE_SIZE / len(symbol.rows[0])
        code = FillPath(trace_cells(symbol.rows, _MARGIN, _MARGIN, module, module), _INK)
        bar = FillPath(rectangle(width - _BAR_WIDTH, 0, _BAR_WIDTH, height), _INK)
        y = _MARGIN + _CODE_SIZE + 22
        ops: list[Op] = [Group((code,), alt=record.deck), bar]
        ops += draw_text(name, _NAME_SIZE, y, families[0])
        y += _NAME_SIZE
        for line in lines:
            ops += draw_text(line, _LINE_SIZE, y, families[1], _GREY)
            y += _LINE_SIZE * 1.6
        page = Page(*size, ops=tuple(ops), bookmark=name, tag=Tag("P"))
        separators.append([*blanks * odd, page, *blanks])
        odd = len(record.pages) % 2
    return separators


class DeckOutput(NamedTuple):
    """The print of a single deck.

    Attributes:
        files: the contents of its files by name; "" for a single file of cards.
        pages: the cards in the slots of each page or picture, named as in the manifest.
        faces: the digests of the faces by the same names.
        cards: the ids of its cards, one per copy.
    """

    files: Mapping[str, bytes]
    pages: tuple[tuple[str, ...], ...]
    faces: Mapping[str, str]
    cards: tuple[str, ...]


MergedOutput = tuple[Mapping[str, bytes], int]
"""The print of several decks in common files by name, and its number of pages."""


class _SheetBackend:
    def __init__(self, printer: DeckPrinter, paper: str | None) -> None:
        """Set the paper of tuck boxes, None for no boxes."""
        self._printer, self._paper = printer, paper

    def print_one(self, deck: Deck, only: str | None) -> DeckOutput:
        report: Report = []
        result = self._printer.print_many([deck], report, only=only)
        if result is None:
            raise OutputError(*report)
        files = self._files(result, [deck] if only is None else ())
        (printed,) = result.decks
        pages = tuple(
            tuple(
                manifest_face_name(placed.face_key, back=placed.is_back)
                for placed in page.faces
                if placed.face_key is not None
            )
            for page in (*printed.pages, *printed.back_pages)
        )
        cards = (*(copy.card.id for copy in printed.copies),)
        return DeckOutput(files, pages, _face_digests(printed.manifest), cards)

    def print_many(self, decks: Sequence[Deck], separated: Separated | None) -> MergedOutput:
        report: Report = []
        before: list[list[Page]] = [[] for _ in decks]
        if separated is not None:
            names = [deck.name for deck in decks]
            before = separator_pages(separated, names, *self._printer.typography)
        printed = self._printer.print_many(decks, report, pages_before=before.__getitem__)
        if printed is None:
            raise OutputError(*report)
        pages = sum(len(deck.pages) for deck in printed.decks) + sum(map(len, before))
        return self._files(printed, decks), pages

    def _files(self, printed: PrintedDecks, boxed: Sequence[Deck]) -> dict[str, bytes]:
        """Return the files of a print by name, with the tuck boxes of decks."""
        files = {"": printed.pdf}
        if printed.backs is not None:
            files[BACKS_FILE] = printed.backs
        if boxed and self._paper is not None:
            report: Report = []
            boxes = self._printer.print_boxes(boxed, self._paper, report)
            if boxes is None:
                raise OutputError(*report)
            files[BOXES_FILE] = boxes
        return files


class _ServiceBackend:
    def __init__(self, printer: OrderPrinter) -> None:
        self._printer = printer

    def print_one(self, deck: Deck, only: str | None) -> DeckOutput:
        printed = self._printer.print_many([deck], only=only)
        (ready,) = printed.decks
        pages = tuple((manifest_face_name(key, back=back),) for key, back in ready.slots)
        cards = (*(copy.card.id for copy in ready.copies),)
        return DeckOutput(printed.files, pages, _face_digests(ready.manifest), cards)

    def print_many(self, decks: Sequence[Deck], separated: Separated | None) -> MergedOutput:
        assert separated is None, "a page between decks would be printed as a card"
        printed = self._printer.print_many(decks)
        return printed.files, sum(len(deck.slots) for deck in printed.decks)


PrintBackend = _SheetBackend | _ServiceBackend
"""Prints decks of an open game; raises an OutputError if they have errors."""


def _face_digests(manifest: Manifest) -> Mapping[str, str]:
    """Return the digests of a deck's faces and backs by name."""
    digests: dict[str, str] = {}
    for entry in manifest.entries:
        digests.setdefault(manifest_face_name(entry.key, back=False), entry.face)
        if entry.back is not None:
            digests.setdefault(manifest_face_name(entry.key, back=True), entry.back)
    return digests


def manifest_face_name(key: FaceKey, *, back: bool) -> str:
    """Return the name of a face or its back in the manifest."""
    faction, card, number = key
    second = f" #{number}" if number > 1 else ""
    return f"{faction}:{card}{second}{' back' if back else ''}"


@cache
def cached_printer(game: Path, options: str, target: Path) -> RunPrinter:
    """Return this process's printer of a run."""
    return RunPrinter(game, options, target)


class RunPrinter:
    """Prints decks of one run in turn, reading the game once.

    Attributes:
        findings: the findings in the game; with errors, no deck can be printed.
    """

    def __init__(self, game: Path, options: str, target: Path) -> None:
        """Read a game, given the options and the folder of the run."""
        self._game, self._target = game, target
        report: Report = []
        self._files = frozenset(files_below(game))
        folder = GameFolder(game)
        self._backend: PrintBackend | None = None
        self._language: Language | None = None
        how = json.loads(options)
        try:
            if code := how.pop(LANGUAGE, None):
                self._language = find_language(folder, code)
            with use_language(self._language):
                self._backend = self._open(folder, how, report)
        except ChoiceError as error:
            report.append(E121.at(Location(target / FACTS), error.message, error.hint))
        except (GameError, OutputError) as error:
            report.extend(error.findings)
        self.findings = tuple(report)

    @staticmethod
    def _open(folder: GameFolder, how: RunPrint, report: Report) -> PrintBackend | None:
        setup = load.load_setup(folder, report)
        if setup is None:
            return None
        game = load.load_game(folder, setup, report)
        if how.get("service") is None:
            decks = DeckPrinter(game, folder, report, resolve_sheets(how, folder))
            return _SheetBackend(decks, resolve_box_paper(how)) if decks.usable else None
        from deckwright.outputs.services.order_printer import open_printer  # heavy

        service, order = resolve_run_order(how, folder)
        work = folder.path.with_name(f"{folder.path.name}-{os.getpid()}")
        return _ServiceBackend(open_printer(game, folder, report, service, order, work))

    @property
    def usable(self) -> bool:
        """True if decks can be printed."""
        return self._backend is not None

    def print(self, number: int, key: str, text: str) -> ManifestRecord:
        """Print a deck, given by number, key and line, and return its record for the manifest.

        Raises:
            EngineError: if files of the game have been removed.
            OSError: if a file cannot be written.
        """
        line = parse_line(text)
        record = ManifestRecord(line.id, number, key, values=line.values)
        try:
            printed = self.render(line, number)
        except (EngineError, OSError, MemoryError):
            raise  # caused by the machine, not the deck: another try may succeed
        except OutputError as error:
            reasons = (_finding_json(finding, self._game) for finding in error.findings)
            return record._replace(aside=tuple(reasons))
        except Exception as error:  # noqa: BLE001 - a bug with one deck must not stop the rest
            place = traceback.extract_tb(error.__traceback__)[-1]
            message = (
                f"Deckwright itself failed: {type(error).__name__} at {place.name}:{place.lineno}"
            )
            return record._replace(aside=({"message": message, "hint": "please report it"},))
        files = []
        for name, data in printed.files.items():
            file = deck_path(line.id, name)
            write_bytes(self._target / file, data)
            files.append((file, len(data), sha256(data).hexdigest()))
        return record._replace(files=tuple(files), pages=printed.pages, faces=printed.faces)

    def render(self, line: DeckLine, number: int, *, only: str | None = None) -> DeckOutput:
        """Print a deck, or only its copies of one card, in memory.

        Raises:
            EngineError: if files of the game have been removed.
            OutputError: if the deck or the game has errors.
        """
        with self._open_backend() as backend:
            return backend.print_one(line.deck(Path(LINES), number), only)

    def render_many(
        self, decks: Iterable[tuple[int, str]], separated: Separated | None
    ) -> MergedOutput:
        """Print decks, given by number and line, to one file in memory.

        Raises:
            EngineError: if files of the game have been removed.
            OutputError: if the decks or the game have errors.
        """
        with self._open_backend() as backend:
            read = [parse_line(text).deck(Path(LINES), number) for number, text in decks]
            return backend.print_many(read, separated)

    @contextmanager
    def _open_backend(self) -> Iterator[PrintBackend]:
        """Raise an EngineError if files of the game have disappeared within the block.

        A card without its picture would silently get the default one.
        """
        if self._backend is None:
            raise OutputError(*self.findings)
        try:
            with use_language(self._language):
                yield self._backend
        finally:
            if not self._files.issubset(files_below(self._game)):
                raise EngineError("the copy of the game that the run prints is missing")


def _finding_json(finding: Diagnostic, game: Path) -> Mapping[str, Any]:
    data: dict[str, Any] = {"code": finding.code.id, "message": finding.message}
    if finding.severity is not Severity.ERROR:
        data["severity"] = finding.severity.value
    if finding.location is not None and finding.location.path.is_relative_to(game):
        # Absolute paths differ from machine to machine.
        data["file"] = finding.location.path.relative_to(game).as_posix()
        data["line"] = finding.location.line
    if finding.hint:
        data["hint"] = finding.hint
    return data
