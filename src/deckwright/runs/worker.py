"""Print the decks of a shard, with separator pages, and return their records."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from deckwright.api.options import GameError
from deckwright.base.files import files_below, write_bytes
from deckwright.base.findings import ChoiceError, Diagnostic, Location, Report, Severity
from deckwright.base.units import Mm
from deckwright.diff.manifest import Manifest
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import Deck, FaceKey, Game
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op, Tag
from deckwright.ops.outlines import rectangle, trace_cells
from deckwright.outputs.deck_printer import DeckPrinter
from deckwright.runs.engine import EngineError
from deckwright.runs.lines import DeckLine, parse_line
from deckwright.runs.manifest import ManifestRecord, make_aside_record, make_reason
from deckwright.runs.options import resolve_box_paper, resolve_run_order, resolve_sheets
from deckwright.runs.plan import BACKS_FILE, BOXES_FILE, E121, FACTS, LINES, deck_path
from deckwright.sheet.pages import Page
from deckwright.templates.barcodes import encode
from deckwright.text.shaping import Metrics
from deckwright.text.words import replace_complex

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


class PageTypography(NamedTuple):
    """The typography of text pages.

    Attributes:
        size: the size of the paper.
        families: the fonts of titles and of text.
        words: the words of the game.
    """

    size: tuple[Mm, Mm]
    metrics: Metrics
    families: tuple[str, str]
    words: Mapping[str, str]


class Separators:
    """The separator pages before decks in a merged file.

    Attributes:
        pages: the number of pages made.
    """

    def __init__(self, records: Sequence[ManifestRecord], file: int) -> None:
        """Set the records of the decks in a file, and the number of the file."""
        self._records, self._file = records, file
        self._leaves = any(_is_two_sided(record) for record in records)
        self.pages = 0

    def before(
        self, typed: PageTypography, names: Sequence[str]
    ) -> Callable[[int], Iterator[Page]]:
        """Return a function that makes the pages before the deck of a number, from 0.

        In double-sided prints a separator is a whole leaf, and each deck begins on a new leaf.

        Args:
            names: the names of the decks.
        """
        size, words = typed.size, typed.words
        title, text = typed.families

        def number_pages(number: int) -> Iterator[Page]:
            record = self._records[number]
            odd = number > 0 and len(self._records[number - 1].pages) % 2
            blanks = [Page(*size)] if self._leaves else []
            yield from blanks * odd
            self.pages += 1 + len(blanks) * (1 + odd)
            said = record.deck, names[number]
            lines = [
                f"{record.deck} · {number + 1}/{len(self._records)} · {self._file:04}.pdf",
                f"{words['pages']}: {len(record.pages)}",
                *(f"{name}: {value}" for name, value in record.values.items() if value not in said),
                *(f"SHA-256 {_group_digits(checksum)}" for _, _, checksum in record.files),
            ]
            ops = [*_draw_code(record.deck), *_draw_bar(size)]
            ops += _draw_text(
                names[number], _NAME_SIZE, _MARGIN + _CODE_SIZE + 22, size, title, typed.metrics
            )
            y = _MARGIN + _CODE_SIZE + 22 + _NAME_SIZE
            for line in lines:
                ops += _draw_text(line, _LINE_SIZE, y, size, text, typed.metrics, _GREY)
                y += _LINE_SIZE * 1.6
            yield Page(*size, ops=tuple(ops), bookmark=names[number], tag=Tag("P"))
            yield from blanks

        return number_pages


def _is_two_sided(record: ManifestRecord) -> bool:
    """Return whether a deck is printed double-sided."""
    backs = any(slot.endswith(" back") for page in record.pages for slot in page)
    return backs and len(record.files) == 1


def _group_digits(checksum: str) -> str:
    """Return the first half of a checksum in groups, for people to compare."""
    return " ".join(checksum[at : at + 8] for at in range(0, 32, 8))


def _draw_code(value: str) -> Iterator[Op]:
    symbol = encode("qr", value, "M", None)
    module = _CODE_SIZE / len(symbol.rows[0])
    outline = trace_cells(symbol.rows, _MARGIN, _MARGIN, module, module)
    yield Group((FillPath(outline, _INK),), alt=value)


def _draw_bar(size: tuple[Mm, Mm]) -> Iterator[Op]:
    width, height = size
    yield FillPath(rectangle(width - _BAR_WIDTH, 0, _BAR_WIDTH, height), _INK)


def _draw_text(
    text: str, high: Mm, y: Mm, size: tuple[Mm, Mm], family: str, metrics: Metrics, ink: str = _INK
) -> Iterator[Op]:
    """Draw a line of text, shrunk to fit beside the bar."""
    font = f"{family}-regular"
    shaped = metrics.shape(font, replace_complex(text))
    room = size[0] - _MARGIN - _BAR_WIDTH - _LINE_SIZE
    high = min(high, room / max(shaped.width, 1e-9))
    yield DrawGlyphs(font, high, _MARGIN, y, shaped.text, shaped.kerns, ink)


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


class MergedOutput(NamedTuple):
    """The print of several decks in common files, and its number of pages."""

    files: Mapping[str, bytes]
    pages: int


class PrintBackend(Protocol):
    """Prints decks of an open game."""

    @property
    def usable(self) -> bool:
        """True if decks can be printed."""

    def print_one(self, deck: Deck, report: Report, only: str | None) -> DeckOutput | None:
        """Print a deck; None after reporting errors.

        Args:
            only: the id of the only card to print.
        """

    def print_many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> MergedOutput | None:
        """Print decks to one file; None after reporting errors.

        Args:
            separators: the pages before each deck.
        """


def make_backend(game: Game, folder: GameFolder, options: str, report: Report) -> PrintBackend:
    """Return the backend that prints the decks of a run. Errors in the game are reported.

    Args:
        folder: the game; images for a press are written to a folder beside it.
        options: the options of the run.
    """
    how = json.loads(options)
    if how.get("service") is None:
        return _SheetBackend(
            DeckPrinter(game, folder, report, resolve_sheets(how, folder)), resolve_box_paper(how)
        )
    from deckwright.outputs.services.order_printer import (  # only where it is needed
        PdfOrderPrinter,
        PictureOrderPrinter,
    )
    from deckwright.outputs.services.profile import FileKind

    service, ready = resolve_run_order(how, folder)
    kind = PdfOrderPrinter if service.files is FileKind.PDF else PictureOrderPrinter
    work = folder.path.with_name(f"{folder.path.name}-{os.getpid()}")
    return _ServiceBackend(kind(game, folder, report, service, ready, work))


class _SheetBackend:
    def __init__(self, printer: DeckPrinter, paper: str | None) -> None:
        """Set the paper of tuck boxes, None for no boxes."""
        self._printer, self._paper = printer, paper
        self.usable = printer.usable

    def print_one(self, deck: Deck, report: Report, only: str | None) -> DeckOutput | None:
        result = self._printer.print_many([deck], report, only=only)
        if result is None:
            return None
        (printed,) = result.decks
        files = {"": result.pdf}
        if result.backs is not None:
            files[BACKS_FILE] = result.backs
        if only is None and not self._add_boxes([deck], files, report):
            return None
        pages = tuple(map(_slot_names, (*printed.pages, *printed.back_pages)))
        cards = (*(copy.card.id for copy in printed.copies),)
        return DeckOutput(files, pages, _face_digests(printed.manifest), cards)

    def print_many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> MergedOutput | None:
        if separators is None:
            result = self._printer.print_many(decks, report)
        else:
            typed = PageTypography(*self._printer.typography)
            before = separators.before(typed, [deck.name for deck in decks])
            result = self._printer.print_many(decks, report, pages_before=before)
        if result is None:
            return None
        files = {"": result.pdf}
        if result.backs is not None:
            files[BACKS_FILE] = result.backs
        if not self._add_boxes(decks, files, report):
            return None
        extra = separators.pages if separators is not None else 0
        return MergedOutput(files, sum(len(deck.pages) for deck in result.decks) + extra)

    def _add_boxes(self, decks: Sequence[Deck], files: dict[str, bytes], report: Report) -> bool:
        """Add the tuck boxes of decks to their files; return whether this succeeded."""
        if self._paper is None:
            return True
        boxes = self._printer.print_boxes(decks, self._paper, report)
        if boxes is not None:
            files[BOXES_FILE] = boxes
        return boxes is not None


class _ServiceBackend:
    def __init__(self, printer: OrderPrinter) -> None:
        self._printer = printer
        self.usable = printer.usable

    def print_one(self, deck: Deck, report: Report, only: str | None) -> DeckOutput | None:
        result = self._printer.print_many([deck], report, only=only)
        if result is None:
            return None
        (ready,) = result.decks
        pages = tuple((manifest_face_name(key, back=back),) for key, back in ready.slots)
        cards = (*(copy.card.id for copy in ready.copies),)
        return DeckOutput(result.files, pages, _face_digests(ready.manifest), cards)

    def print_many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> MergedOutput | None:
        assert separators is None, "a page between decks would be printed as a card"
        result = self._printer.print_many(decks, report)
        return result and MergedOutput(result.files, sum(len(deck.slots) for deck in result.decks))


def _face_digests(manifest: Manifest) -> Mapping[str, str]:
    """Return the digests of a deck's faces and backs by name."""
    digests: dict[str, str] = {}
    for entry in manifest.entries:
        digests.setdefault(manifest_face_name(entry.key, back=False), entry.face)
        if entry.back is not None:
            digests.setdefault(manifest_face_name(entry.key, back=True), entry.back)
    return digests


def _slot_names(page: Page) -> tuple[str, ...]:
    return tuple(
        manifest_face_name(placed.face_key, back=placed.is_back)
        for placed in page.faces
        if placed.face_key is not None
    )


def manifest_face_name(key: FaceKey, *, back: bool) -> str:
    """Return the name of a face or its back in the manifest."""
    faction, card, number = key
    second = f" #{number}" if number > 1 else ""
    return f"{faction}:{card}{second}{' back' if back else ''}"


@cache
def cached_printer(game: Path, options: str, target: Path) -> RunPrinter:
    """Return this process's printer of a run."""
    return RunPrinter(game, options, target)


def forget_printers() -> None:
    """Drop the cached printers, whose games have been removed."""
    cached_printer.cache_clear()


class RunPrinter:
    """Prints decks of one run in turn, reading the game once.

    Attributes:
        findings: the findings in the game; with errors, no deck can be printed.
    """

    def __init__(self, game: Path, options: str, target: Path) -> None:
        """Read a game.

        Args:
            game: the folder of the game.
            options: the options of the run.
            target: the folder of the run.
        """
        self._game, self._target = game, target
        report: Report = []
        self._files = frozenset(files_below(game))
        folder = GameFolder(game)
        setup = load.load_setup(folder, report)
        loaded = load.load_game(folder, setup, report) if setup else None
        self._backend: PrintBackend | None = None
        if loaded is not None:
            try:
                prints = make_backend(loaded, folder, options, report)
            except ChoiceError as error:
                report.append(E121.at(Location(target / FACTS), error.message, error.hint))
            except GameError as error:
                report.extend(error.findings)
            else:
                self._backend = prints if prints.usable else None
        self.findings = tuple(report)

    @property
    def usable(self) -> bool:
        """True if decks can be printed."""
        return self._backend is not None

    def print(self, number: int, key: str, text: str) -> ManifestRecord:
        """Print a deck to its files, and return its record for the manifest.

        Args:
            number, key, text: the number, key and line of the deck, as from `Plan`.

        Raises:
            EngineError: if files of the game have been removed.
            OSError: if a file cannot be written.
        """
        line = parse_line(text)
        try:
            printed, findings = self.render(line, number)
        except (EngineError, OSError, MemoryError):
            raise  # caused by the machine, not the deck: another try may succeed
        except Exception as error:  # noqa: BLE001 - a bug with one deck must not stop the rest
            return make_aside_record(number, key, line, [_failure_reason(error)])
        if printed is None:
            return make_aside_record(
                number, key, line, (_finding_json(finding, self._game) for finding in findings)
            )
        files = tuple(
            self._write_file(deck_path(line.id, name), data) for name, data in printed.files.items()
        )
        return ManifestRecord(
            line.id, number, key, files, printed.pages, printed.faces, line.values
        )

    def _write_file(self, file: str, data: bytes) -> tuple[str, int, str]:
        write_bytes(self._target / file, data)
        return file, len(data), sha256(data).hexdigest()

    def render(
        self, line: DeckLine, number: int, *, only: str | None = None
    ) -> tuple[DeckOutput | None, Report]:
        """Print a deck in memory; return its print, None if it has errors, and the findings.

        Args:
            only: the id of the only card to print.

        Raises:
            EngineError: if files of the game have been removed.
        """
        report: Report = []
        if self._backend is None:
            return None, [*self.findings]
        with self._require_game_files():
            return self._backend.print_one(line.deck(Path(LINES), number), report, only), report

    def render_many(
        self, decks: Iterable[tuple[int, str]], separators: Separators | None
    ) -> tuple[MergedOutput | None, Report]:
        """Print decks, given by number and line, to one file in memory.

        Args:
            separators: the pages before each deck.

        Raises:
            EngineError: if files of the game have been removed.
        """
        report: Report = []
        if self._backend is None:
            return None, [*self.findings]
        read = [parse_line(text).deck(Path(LINES), number) for number, text in decks]
        with self._require_game_files():
            return self._backend.print_many(read, separators, report), report

    @contextmanager
    def _require_game_files(self) -> Iterator[None]:
        """Raise an EngineError if files of the game have disappeared within the block.

        A card without its picture would silently get the default one.
        """
        try:
            yield
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


def _failure_reason(error: Exception) -> Mapping[str, Any]:
    place = traceback.extract_tb(error.__traceback__)[-1]
    message = f"Deckwright itself failed: {type(error).__name__} at {place.name}:{place.lineno}"
    return make_reason(message, "please report it")
