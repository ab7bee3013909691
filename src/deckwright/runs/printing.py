"""A deck of a run printed: its file in its place, and its line for the manifest."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from deckwright.base.files import write_bytes
from deckwright.base.findings import Diagnostic, Report, Severity
from deckwright.diff.manifests.model import Manifest
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.game.model import FaceKey
from deckwright.outputs.deck_printer import DeckPrinter, PrintedDeck, PrintedDecks
from deckwright.runs.lines import DeckLine, parsed
from deckwright.runs.manifest import Record, reason, set_aside
from deckwright.runs.plan import BACKS, DECKS, LINES, options_in
from deckwright.runs.separators import Separators, Typed
from deckwright.sheet.pages import Page


@cache
def printer_of(game: Path, options: str, target: Path) -> Printer:
    """Return the one printer of a run that this process has."""
    return Printer(game, options, target)


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
        folder = GameFolder(game)
        setup = load.load_setup(folder, report)
        whole = load.load_game(folder, setup, report) if setup else None
        self._printer: DeckPrinter | None = None
        if whole is not None:
            printer = DeckPrinter(whole, folder, report, options_in(options, folder))
            self._printer = printer if printer.usable else None
        self.findings = tuple(report)

    @property
    def usable(self) -> bool:
        """Whether decks can be printed."""
        return self._printer is not None

    def print(self, number: int, key: str, text: str) -> Record:
        """Print a deck into its file, and return its line for the manifest.

        Args:
            number, key, text: of the deck, as `Plan` has them.

        Raises:
            OSError: if the file cannot be written.
        """
        line = parsed(text)
        try:
            printed, findings = self.printed(line, number)
        except (OSError, MemoryError):
            raise  # the fault of the machine, not of the deck: another try may do better
        except Exception as error:  # noqa: BLE001 - the fault of one deck must not stop the rest
            return set_aside(number, key, line, [_fault(error)])
        if printed is None:
            return set_aside(
                number, key, line, (_said(finding, self._game) for finding in findings)
            )
        files = [self._written(DECKS, line.id, printed.pdf)]
        if printed.backs is not None:
            files.append(self._written(BACKS, line.id, printed.backs))
        return Record(
            line.id,
            number,
            key,
            tuple(files),
            tuple(map(_slots, (*printed.pages, *printed.back_pages))),
            _faces(printed.manifest),
            line.values,
        )

    def _written(self, folder: str, name: str, data: bytes) -> tuple[str, int, str]:
        file = Path(folder, f"{name}.pdf")
        write_bytes(self._target / file, data)
        return file.as_posix(), len(data), sha256(data).hexdigest()

    def printed(
        self, line: DeckLine, number: int, *, only: str | None = None
    ) -> tuple[PrintedDeck | None, Report]:
        """Return a deck as it is printed, None if it cannot be, and what was found.

        Args:
            only: the id of a card whose copies alone are printed.
        """
        report: Report = []
        if self._printer is None:
            return None, [*self.findings]
        printed = self._printer.print(line.deck(Path(LINES), number), report, only=only)
        return printed, report

    def many(
        self, decks: Iterable[tuple[int, str]], separators: Separators | None
    ) -> tuple[PrintedDecks | None, Report]:
        """Return decks, given by number and line, as they are printed in one file.

        Args:
            separators: the pages before each deck.
        """
        report: Report = []
        if self._printer is None:
            return None, [*self.findings]
        read = [parsed(text).deck(Path(LINES), number) for number, text in decks]
        if separators is None:
            return self._printer.print_many(read, report), report
        before = separators.before(Typed(*self._printer.typed), [deck.name for deck in read])
        return self._printer.print_many(read, report, before=before), report


def _faces(manifest: Manifest) -> Mapping[str, str]:
    """Return the digests of the faces and backs of a deck."""
    found: dict[str, str] = {}
    for entry in manifest.entries:
        found.setdefault(_called(entry.key, back=False), entry.face)
        if entry.back is not None:
            found.setdefault(_called(entry.key, back=True), entry.back)
    return found


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


def _slots(page: Page) -> tuple[str, ...]:
    return tuple(
        _called(placed.of, back=placed.back) for placed in page.faces if placed.of is not None
    )


def _called(key: FaceKey, *, back: bool) -> str:
    faction, card, number = key
    second = f" #{number}" if number > 1 else ""
    return f"{faction}:{card}{second}{' back' if back else ''}"
