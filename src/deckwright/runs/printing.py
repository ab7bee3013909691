"""A deck of a run printed: its file in its place, and its line for the manifest."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from deckwright.api.errors import GameError
from deckwright.base.choices import ChoiceError
from deckwright.base.files import files_below, write_bytes
from deckwright.base.findings import Diagnostic, Location, Report, Severity
from deckwright.game import load
from deckwright.game.folder import GameFolder
from deckwright.runs.engine import EngineError
from deckwright.runs.lines import DeckLine, parsed
from deckwright.runs.manifest import Record, reason, set_aside
from deckwright.runs.plan import E121, FACTS, LINES, place_of
from deckwright.runs.prints import Printed, PrintedTogether, Prints, prints_of
from deckwright.runs.separators import Separators


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
