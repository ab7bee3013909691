"""The library's interface to runs, also used by the commands of `deckwright run`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, NamedTuple, Unpack

from deckwright.api.options import GameError, RunPrint
from deckwright.base.findings import Diagnostic, Report, sort_findings
from deckwright.base.output import OutputError, report_failure, write_failure
from deckwright.base.units import pluralize
from deckwright.base.workers import count_cores
from deckwright.game.folder import GameFolder
from deckwright.game.language import current_language, use_language
from deckwright.languages.catalog import find_language
from deckwright.runs.plan import E121, MERGED, REPRINTS, EngineError, RunPlan, make_plan, read_plan

if TYPE_CHECKING:
    from deckwright.runs.lines import DeckLine
    from deckwright.runs.manifest import RunStatus
    from deckwright.runs.reprinting import MergeResult, ReprintResult
    from deckwright.runs.scheduler import EngineFactory, RunResult

TIMEOUT: float = 120
"""The default time limit of a deck in seconds."""


class SignedRun(NamedTuple):
    """A run's file with signed decks, and its number of decks."""

    path: Path
    decks: int
    findings: tuple[Diagnostic, ...] = ()


class Run:
    """A run of many decks in a folder: planned, partly printed, or complete.

    Each deck is printed exactly once, however often the run is interrupted and restarted.

    Attributes:
        plan: its plan.
    """

    def __init__(self, plan: RunPlan) -> None:
        """Use `open_run` or `plan_run` to create runs."""
        self.plan = plan

    def __repr__(self) -> str:
        return f"<Run {self.folder} of {pluralize(self.decks, 'deck')}>"

    @property
    def folder(self) -> Path:
        """Its folder."""
        return self.plan.folder

    @property
    def decks(self) -> int:
        """Its number of decks."""
        return self.plan.facts.decks

    def start(
        self,
        *,
        workers: int | None = None,
        timeout: float = TIMEOUT,
        retry: bool = False,
        engines: EngineFactory | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> RunResult:
        """Print the decks that have not been printed yet.

        Args:
            workers: the number of processes, by default one per core.
            timeout: the time limit of a deck in seconds, after which it is set aside.
            retry: whether to retry decks that were set aside.
            engines: makes an engine other than processes on this machine.
            warn: called at once if the remaining decks will not fit on the disk.

        Raises:
            GameError: if nothing can be printed.
            ValueError: if another process prints the run.
        """
        from deckwright.runs.engine import LocalEngine  # only to print
        from deckwright.runs.scheduler import start_run

        number = workers or count_cores()
        engine_factory = engines or partial(LocalEngine, number, seconds=timeout)
        with _raise_game_errors():
            return start_run(self.plan, engine_factory, retry=retry, warn=warn)

    def status(self) -> RunStatus:
        """Return the progress of the run by its manifest.

        Raises:
            GameError: if the manifest cannot be read.
        """
        from deckwright.runs.manifest import read_status  # only to look

        return read_status(self.plan)

    def verify(self) -> tuple[Diagnostic, ...]:
        """Return all that differs from the plan and the manifest; every file is read.

        Raises:
            GameError: if the manifest cannot be read.
        """
        from deckwright.runs.manifest import verify_run  # only to look

        report: Report = []
        with report_failure(report):
            verify_run(self.plan, report)
        return tuple(sort_findings(report))

    def merge(
        self, by: int = 50, folder: Path | str | None = None, *, separators: bool | None = None
    ) -> MergeResult:
        """Merge the printed decks into larger files.

        The pages are those of the decks' own files, but printed again from the same lines, so that
        a file contains each face once, however many of its decks use it.

        Args:
            by: the number of decks in a file.
            folder: the folder of the files, by default `merged` in that of the run.
            separators: whether a page before each deck names it; by default only on sheets.

        Raises:
            GameError: if decks cannot be printed or files cannot be written.
            ValueError: if separators are requested for a print service, or it takes pictures.
        """
        from deckwright.runs.reprinting import merge_run  # only to print

        target = self.folder / MERGED if folder is None else Path(folder)
        with _raise_game_errors():
            return merge_run(self.plan, by, target, separators=separators)

    def reprint(
        self, deck: str, card: str | None = None, path: Path | str | None = None
    ) -> ReprintResult:
        """Print a deck again, or all copies of one of its cards.

        Args:
            deck, card: their ids; None for the whole deck, which has the same bytes as in the run.
            path: the file to write, by default one in `reprints` in the folder of the run.

        Raises:
            GameError: if it cannot be printed or written.
            ValueError: if the run has no such deck, or the deck no such card.
        """
        from deckwright.runs.reprinting import reprint  # only to print

        name = f"{deck}{'_' if card else ''}{card or ''}.pdf"
        target = self.folder / REPRINTS / name if path is None else Path(path)
        with _raise_game_errors():
            return reprint(self.plan, deck, card, target)

    def prove(self, code: str) -> DeckLine:
        """Return the deck that a code proves.

        Args:
            code: the code from `sign_run`, as read from a card.

        Raises:
            GameError: if it proves no deck.
            ValueError: if the run lacks the deck, or its game lacks a public key.
        """
        from deckwright.runs.reprinting import find_proven_deck  # an extra

        report: Report = []
        with _raise_game_errors(report):
            return find_proven_deck(self.plan, code, report)


def plan_run(
    game: Path | str,
    source: Path | str,
    folder: Path | str,
    *,
    language: str | None = None,
    **how: Unpack[RunPrint],
) -> Run:
    """Plan a run of the decks in a file, one a line, without printing it.

    If the folder already holds the same run, it is kept with everything that was printed.

    Args:
        game: the folder of the game. The run stores a copy.
        source: JSON lines, CSV or Parquet.
        folder: the folder of the run.
        language: the language to print in, a catalog in `xml/lang`; None for the current one.
        how: the options of `RunPrint`.

    Raises:
        GameError: if the file or the options have errors.
        ValueError: if an option is not for runs, the game has no such language, or the folder holds
            anything else.
        OSError: if a file cannot be read.
    """
    report: Report = []
    home = GameFolder(Path(game))
    try:
        with use_language(find_language(home, language) if language else current_language()):
            return Run(make_plan(home, Path(source), Path(folder), how, report))
    except OutputError as error:
        raise GameError([*report, *error.findings]) from error


def open_run(folder: Path | str) -> Run:
    """Open the run in a folder.

    Raises:
        GameError: if there is none.
    """
    with _raise_game_errors():
        return Run(read_plan(Path(folder)))


def sign_run(game: Path | str, source: Path | str, path: Path | str, key: Path | str) -> SignedRun:
    """Sign the decks of a run's file with codes that prove their contents.

    Args:
        game: the folder of the game, whose `public-key` must match the key.
        source: the run's file.
        path: the JSON lines to write; each deck has its code as the value `proof`.
        key: the file of the private key.

    Raises:
        GameError: if the file has errors, or nothing can be written.
        ValueError: if the file holds no key, or the key does not match the game's.
        OSError: if a file cannot be read.
    """
    from deckwright.api.decks import load_key  # an extra
    from deckwright.runs.reprinting import sign_lines

    private, target = load_key(Path(key)), Path(path)

    report: Report = []
    with _raise_game_errors(report):
        number = sign_lines(GameFolder(Path(game)), Path(source), target, private, report)
    return SignedRun(target, number, tuple(sort_findings(report)))


@contextmanager
def _raise_game_errors(report: Sequence[Diagnostic] = ()) -> Iterator[None]:
    """Raise errors within the block as a GameError, with the findings of a report."""
    try:
        yield
    except OutputError as error:
        findings = error.findings
    except EngineError as error:
        findings = (E121.at(None, str(error), "do it again"),)
    except OSError as error:  # such as a full disk while the game is unpacked
        findings = (write_failure(Path(error.filename or gettempdir()), error),)
    else:
        return
    raise GameError([*report, *findings])
