"""A deck of a run printed: its file in its place, and its line for the manifest."""

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
from deckwright.ops.outlines import cells, rectangle
from deckwright.outputs.deck_printer import DeckPrinter
from deckwright.runs.engine import EngineError
from deckwright.runs.lines import DeckLine, parsed
from deckwright.runs.manifest import Record, reason, set_aside
from deckwright.runs.options import box_paper, order, sheets
from deckwright.runs.plan import BACKS_APART, E121, FACTS, LINES, OF_BOXES, place_of
from deckwright.sheet.pages import Page
from deckwright.templates.codes import encoded
from deckwright.text.shaping import Metrics
from deckwright.text.words import without_shaped

_INK = "#000000"
_GREY = "#555555"
_MARGIN: Mm = 20
_CODE: Mm = 40
_BAR: Mm = 8
"""How wide the bar along the right edge is, by which one finds the page in a stack."""
_NAME: Mm = 12
_LINE: Mm = 5


class Typed(NamedTuple):
    """How pages of text look.

    Attributes:
        size: of the paper.
        families: the fonts of titles and of text.
        words: those of the game.
    """

    size: tuple[Mm, Mm]
    metrics: Metrics
    families: tuple[str, str]
    words: Mapping[str, str]


class Separators:
    """The pages before decks.

    Attributes:
        pages: how many were made.
    """

    def __init__(self, records: Sequence[Record], file: int) -> None:
        """Take the records of the decks of a file, and the file's number."""
        self._records, self._file = records, file
        self._leaves = any(_is_two_sided(record) for record in records)
        self.pages = 0

    def before(self, typed: Typed, names: Sequence[str]) -> Callable[[int], Iterator[Page]]:
        """Return what makes the pages before the deck of a number, from 0.

        Where paper is printed on both sides, a separator is a leaf, and each deck begins on one.

        Args:
            names: of the decks.
        """
        size, words = typed.size, typed.words
        title, text = typed.families

        def made(number: int) -> Iterator[Page]:
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
                *(f"SHA-256 {_groups(checksum)}" for _, _, checksum in record.files),
            ]
            ops = [*_code(record.deck), *_bar(size)]
            ops += _text(names[number], _NAME, _MARGIN + _CODE + 22, size, title, typed.metrics)
            y = _MARGIN + _CODE + 22 + _NAME
            for line in lines:
                ops += _text(line, _LINE, y, size, text, typed.metrics, _GREY)
                y += _LINE * 1.6
            yield Page(*size, ops=tuple(ops), bookmark=names[number], tag=Tag("P"))
            yield from blanks

        return made


def _is_two_sided(record: Record) -> bool:
    """Return whether a deck has its backs behind its faces."""
    backs = any(slot.endswith(" back") for page in record.pages for slot in page)
    return backs and len(record.files) == 1


def _groups(checksum: str) -> str:
    """Return the first half of a checksum in groups that people can compare."""
    return " ".join(checksum[at : at + 8] for at in range(0, 32, 8))


def _code(value: str) -> Iterator[Op]:
    made = encoded("qr", value, "M", None)
    module = _CODE / len(made.rows[0])
    outline = cells(made.rows, _MARGIN, _MARGIN, module, module)
    yield Group((FillPath(outline, _INK),), alt=value)


def _bar(size: tuple[Mm, Mm]) -> Iterator[Op]:
    width, height = size
    yield FillPath(rectangle(width - _BAR, 0, _BAR, height), _INK)


def _text(
    text: str, high: Mm, y: Mm, size: tuple[Mm, Mm], family: str, metrics: Metrics, ink: str = _INK
) -> Iterator[Op]:
    """Draw a line of text, as large as it fits beside the bar."""
    font = f"{family}-regular"
    shaped = metrics.shape(font, without_shaped(text))
    room = size[0] - _MARGIN - _BAR - _LINE
    high = min(high, room / max(shaped.width, 1e-9))
    yield DrawGlyphs(font, high, _MARGIN, y, shaped.text, shaped.kerns, ink)


if TYPE_CHECKING:
    from deckwright.outputs.services.order_printer import OrderPrinter


class Printed(NamedTuple):
    """A deck as it is printed by itself.

    Attributes:
        files: what is in each, by its name; "" if there is one for the cards.
        pages: for each page, or picture, the cards in its slots, as the manifest of a run has them.
        faces: the digest of each face, by the same names.
        cards: the ids of its cards, one for each copy.
    """

    files: Mapping[str, bytes]
    pages: tuple[tuple[str, ...], ...]
    faces: Mapping[str, str]
    cards: tuple[str, ...]


class PrintedTogether(NamedTuple):
    """Decks in one file, or several for cards of several sizes: as `Printed` says."""

    files: Mapping[str, bytes]
    pages: int


class Prints(Protocol):
    """Prints decks of a game that is open."""

    @property
    def usable(self) -> bool:
        """Whether anything can be printed."""

    def one(self, deck: Deck, report: Report, only: str | None) -> Printed | None:
        """Return a deck as it is printed, None after reporting why it cannot be.

        Args:
            only: the id of a card whose copies alone are printed.
        """

    def many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> PrintedTogether | None:
        """Return decks in one file, None after reporting why they cannot be printed.

        Args:
            separators: the pages before each deck.
        """


def prints_of(game: Game, folder: GameFolder, options: str, report: Report) -> Prints:
    """Return what prints the decks of a run; what is wrong with the game is reported.

    Args:
        folder: of the game; images for a press are kept beside it.
        options: those of the run.
    """
    how = json.loads(options)
    if how.get("service") is None:
        return _OnSheets(DeckPrinter(game, folder, report, sheets(how, folder)), box_paper(how))
    from deckwright.outputs.services.order_printer import (  # noqa: PLC0415 - only where it is needed
        OrderPdfs,
        OrderPictures,
    )
    from deckwright.outputs.services.profile import Files  # noqa: PLC0415

    service, ready = order(how, folder)
    kind = OrderPdfs if service.files is Files.PDF else OrderPictures
    work = folder.path.with_name(f"{folder.path.name}-{os.getpid()}")
    return _ForService(kind(game, folder, report, service, ready, work))


class _OnSheets:
    def __init__(self, printer: DeckPrinter, paper: str | None) -> None:
        """Take the paper of tuck boxes, if these are wanted."""
        self._printer, self._paper = printer, paper
        self.usable = printer.usable

    def one(self, deck: Deck, report: Report, only: str | None) -> Printed | None:
        made = self._printer.print(deck, report, only=only)
        if made is None:
            return None
        files = {"": made.pdf}
        if made.backs is not None:
            files[BACKS_APART] = made.backs
        if only is None and not self._boxed([deck], files, report):
            return None
        pages = tuple(map(_slots, (*made.pages, *made.back_pages)))
        return Printed(files, pages, _faces(made.manifest), (*(c.card.id for c in made.copies),))

    def many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> PrintedTogether | None:
        if separators is None:
            made = self._printer.print_many(decks, report)
        else:
            typed = Typed(*self._printer.typed)
            before = separators.before(typed, [deck.name for deck in decks])
            made = self._printer.print_many(decks, report, before=before)
        if made is None:
            return None
        files = {"": made.pdf}
        if made.backs is not None:
            files[BACKS_APART] = made.backs
        if not self._boxed(decks, files, report):
            return None
        extra = separators.pages if separators is not None else 0
        return PrintedTogether(files, sum(len(deck.pages) for deck in made.decks) + extra)

    def _boxed(self, decks: Sequence[Deck], files: dict[str, bytes], report: Report) -> bool:
        """Add the tuck boxes of decks to their files; return whether that went well."""
        if self._paper is None:
            return True
        boxes = self._printer.print_boxes(decks, self._paper, report)
        if boxes is not None:
            files[OF_BOXES] = boxes
        return boxes is not None


class _ForService:
    def __init__(self, printer: OrderPrinter) -> None:
        self._printer = printer
        self.usable = printer.usable

    def one(self, deck: Deck, report: Report, only: str | None) -> Printed | None:
        made = self._printer.print_many([deck], report, only=only)
        if made is None:
            return None
        (ready,) = made.decks
        pages = tuple((called(key, back=back),) for key, back in ready.slots)
        cards = (*(copy.card.id for copy in ready.copies),)
        return Printed(made.files, pages, _faces(ready.manifest), cards)

    def many(
        self, decks: Sequence[Deck], separators: Separators | None, report: Report
    ) -> PrintedTogether | None:
        assert separators is None, "a page between decks would be printed as a card"
        made = self._printer.print_many(decks, report)
        return made and PrintedTogether(made.files, sum(len(deck.slots) for deck in made.decks))


def _faces(manifest: Manifest) -> Mapping[str, str]:
    """Return the digests of the faces and backs of a deck."""
    found: dict[str, str] = {}
    for entry in manifest.entries:
        found.setdefault(called(entry.key, back=False), entry.face)
        if entry.back is not None:
            found.setdefault(called(entry.key, back=True), entry.back)
    return found


def _slots(page: Page) -> tuple[str, ...]:
    return tuple(
        called(placed.of, back=placed.back) for placed in page.faces if placed.of is not None
    )


def called(key: FaceKey, *, back: bool) -> str:
    """Return what a run's manifest calls a face or its back."""
    faction, card, number = key
    second = f" #{number}" if number > 1 else ""
    return f"{faction}:{card}{second}{' back' if back else ''}"


@cache
def printer_of(game: Path, options: str, target: Path) -> Printer:
    """Return the one printer of a run that this process has."""
    return Printer(game, options, target)


def forget_printers() -> None:
    """Forget the printers of this process: their games are there no more."""
    printer_of.cache_clear()


class Printer:
    """Prints decks of one run, one after the other; the game is read once.

    Attributes:
        findings: what is wrong with the game; if there are errors, no deck can be printed.
    """

    def __init__(self, game: Path, options: str, target: Path) -> None:
        """Open a game.

        Args:
            game: its folder.
            options: those of the run.
            target: the run's folder.
        """
        self._game, self._target = game, target
        report: Report = []
        self._files = frozenset(files_below(game))
        folder = GameFolder(game)
        setup = load.load_setup(folder, report)
        whole = load.load_game(folder, setup, report) if setup else None
        self._prints: Prints | None = None
        if whole is not None:
            try:
                prints = prints_of(whole, folder, options, report)
            except ChoiceError as error:
                report.append(E121.at(Location(target / FACTS), error.message, error.hint))
            except GameError as error:
                report.extend(error.findings)
            else:
                self._prints = prints if prints.usable else None
        self.findings = tuple(report)

    @property
    def usable(self) -> bool:
        """Whether decks can be printed."""
        return self._prints is not None

    def print(self, number: int, key: str, text: str) -> Record:
        """Print a deck into its file, and return its line for the manifest.

        Args:
            number, key, text: of the deck, as `Plan` has them.

        Raises:
            EngineError: if the game is no longer there.
            OSError: if the file cannot be written.
        """
        line = parsed(text)
        try:
            printed, findings = self.printed(line, number)
        except (EngineError, OSError, MemoryError):
            raise  # the fault of the machine, not of the deck: another try may do better
        except Exception as error:  # noqa: BLE001 - the fault of one deck must not stop the rest
            return set_aside(number, key, line, [_fault(error)])
        if printed is None:
            return set_aside(
                number, key, line, (_said(finding, self._game) for finding in findings)
            )
        files = tuple(
            self._written(place_of(line.id, name), data) for name, data in printed.files.items()
        )
        return Record(line.id, number, key, files, printed.pages, printed.faces, line.values)

    def _written(self, file: str, data: bytes) -> tuple[str, int, str]:
        write_bytes(self._target / file, data)
        return file, len(data), sha256(data).hexdigest()

    def printed(
        self, line: DeckLine, number: int, *, only: str | None = None
    ) -> tuple[Printed | None, Report]:
        """Return a deck as it is printed, None if it cannot be, and what was found.

        Args:
            only: the id of a card whose copies alone are printed.

        Raises:
            EngineError: if the game is no longer there.
        """
        report: Report = []
        if self._prints is None:
            return None, [*self.findings]
        with self._whole_game():
            return self._prints.one(line.deck(Path(LINES), number), report, only), report

    def many(
        self, decks: Iterable[tuple[int, str]], separators: Separators | None
    ) -> tuple[PrintedTogether | None, Report]:
        """Return decks, given by number and line, as they are printed in one file.

        Args:
            separators: the pages before each deck.

        Raises:
            EngineError: if the game is no longer there.
        """
        report: Report = []
        if self._prints is None:
            return None, [*self.findings]
        read = [parsed(text).deck(Path(LINES), number) for number, text in decks]
        with self._whole_game():
            return self._prints.many(read, separators, report), report

    @contextmanager
    def _whole_game(self) -> Iterator[None]:
        """Raise an EngineError, whatever else there is, if files of the game are gone at the end.

        Without its picture a card gets another one, and is no fault of its deck.
        """
        try:
            yield
        finally:
            if not self._files.issubset(files_below(self._game)):
                raise EngineError("the copy of the game that the run prints is gone")


def _said(finding: Diagnostic, game: Path) -> Mapping[str, Any]:
    said: dict[str, Any] = {"code": finding.code.id, "message": finding.message}
    if finding.severity is not Severity.ERROR:
        said["severity"] = finding.severity.value
    if finding.location is not None and finding.location.path.is_relative_to(game):
        # Where the run is printed differs from machine to machine.
        said["file"] = finding.location.path.relative_to(game).as_posix()
        said["line"] = finding.location.line
    if finding.hint:
        said["hint"] = finding.hint
    return said


def _fault(error: Exception) -> Mapping[str, Any]:
    place = traceback.extract_tb(error.__traceback__)[-1]
    message = f"Deckwright itself failed: {type(error).__name__} at {place.name}:{place.lineno}"
    return reason(message, "please report it")
