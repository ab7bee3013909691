"""Runs for programs; the commands of `deckwright run` are the first of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeVar, Unpack

from deckwright.api.options import GameError, RunPrint
from deckwright.base.findings import Diagnostic, Report, sort_findings
from deckwright.base.output import write_failure
from deckwright.base.processes import count_cores
from deckwright.base.units import pluralize
from deckwright.game.folder import GameFolder
from deckwright.runs.engine import EngineError
from deckwright.runs.plan import E121, MERGED, REPRINTS, RunPlan, make_plan, read_plan

if TYPE_CHECKING:
    from deckwright.runs.lines import DeckLine
    from deckwright.runs.manifest import RunStatus
    from deckwright.runs.reprinting import MergeResult, ReprintResult
    from deckwright.runs.running import EngineFactory, RunResult

TIMEOUT: float = 120
"""How many seconds a deck may take."""


class _HasFindings(Protocol):
    """What is made, with what was found meanwhile."""

    @property
    def findings(self) -> tuple[Diagnostic, ...]: ...

    def _replace(self, *, findings: tuple[Diagnostic, ...]) -> Self: ...


T = TypeVar("T")
M = TypeVar("M", bound=_HasFindings)


class SignedRun(NamedTuple):
    """A run's file whose decks have got codes: the file, and how many decks are in it."""

    path: Path
    decks: int
    findings: tuple[Diagnostic, ...] = ()


class Run:
    """A run of very many decks in a folder: planned, printed, or something between.

    Each deck is printed exactly once, however often the run is ended and started again.

    Attributes:
        plan: what it is to print.
    """

    def __init__(self, plan: RunPlan) -> None:
        """Take what was planned; `open_run` and `plan_run` do that."""
        self.plan = plan

    def __repr__(self) -> str:
        return f"<Run {self.folder} of {pluralize(self.decks, 'deck')}>"

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self.plan.folder

    @property
    def decks(self) -> int:
        """How many decks it has."""
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
        """Print the decks that are not yet printed.

        Args:
            workers: how many processes print; one a core if it is left out.
            timeout: how many seconds a deck may take before it is set aside.
            retry: whether decks that were set aside are tried again.
            engines: makes other workers than processes of this machine.
            warn: is told at once if the disk has no room for what is still to be printed.

        Raises:
            GameError: if nothing can be printed.
            ValueError: if another process prints the run.
        """
        from deckwright.runs.local import LocalEngine  # noqa: PLC0415 - only to print
        from deckwright.runs.running import start_run  # noqa: PLC0415

        number = workers or count_cores()
        made = engines or partial(LocalEngine, number, seconds=timeout)
        return _make_with_findings(
            lambda report: start_run(self.plan, made, report, retry=retry, warn=warn)
        )

    def status(self) -> RunStatus:
        """Return how far it has come, as its manifest says.

        Raises:
            GameError: if the manifest cannot be read.
        """
        from deckwright.runs.manifest import read_status  # noqa: PLC0415 - only to look

        return read_status(self.plan)

    def verify(self) -> tuple[Diagnostic, ...]:
        """Return all that is not as it was planned and printed: every file is read.

        Raises:
            GameError: if the manifest cannot be read.
        """
        from deckwright.runs.manifest import verify_run  # noqa: PLC0415 - only to look

        report: Report = []
        verify_run(self.plan, report)
        return tuple(sort_findings(report))

    def merge(
        self, by: int = 50, folder: Path | str | None = None, *, separators: bool | None = None
    ) -> MergeResult:
        """Print the decks that are printed into files of many.

        Args:
            by: how many decks a file has.
            folder: that of the files; `merged` of the run if it is left out.
            separators: whether a page before each deck names it; as sheets and print services want
                it if it is left out.

        Raises:
            GameError: if that cannot be done.
            ValueError: if a print service takes pictures, or no pages between decks.
        """
        from deckwright.runs.reprinting import merge_run  # noqa: PLC0415 - only to print

        target = self.folder / MERGED if folder is None else Path(folder)
        return _make_with_findings(
            lambda report: merge_run(self.plan, by, target, report, separators=separators)
        )

    def reprint(
        self, deck: str, card: str | None = None, path: Path | str | None = None
    ) -> ReprintResult:
        """Print a deck again, or all copies of one of its cards.

        Args:
            deck, card: their ids; None for all cards.
            path: the file to write; one in `reprints` of the run if it is left out.

        Raises:
            GameError: if that cannot be done.
            ValueError: if the run has no such deck, or the deck no such card.
        """
        from deckwright.runs.reprinting import reprint  # noqa: PLC0415 - only to print

        name = f"{deck}{'_' if card else ''}{card or ''}.pdf"
        target = self.folder / REPRINTS / name if path is None else Path(path)
        return _make_with_findings(lambda report: reprint(self.plan, deck, card, target, report))

    def prove(self, code: str) -> DeckLine:
        """Return the deck that a code proves.

        Args:
            code: what `sign_run` has made of it, as it is read from a card.

        Raises:
            GameError: if it proves none.
            ValueError: if the run has no such deck, or its game no public key.
        """
        from deckwright.runs.reprinting import find_proven_deck  # noqa: PLC0415 - an extra

        return _make_or_raise(lambda report: find_proven_deck(self.plan, code, report))[0]


def plan_run(
    game: Path | str, source: Path | str, folder: Path | str, **how: Unpack[RunPrint]
) -> Run:
    """Plan to print the decks of a file, one a line; nothing is printed yet.

    If the same run has been planned there before, it stays as it is, with all that it has printed.

    Args:
        game: the folder of the game, of which the run keeps a copy.
        source: JSON lines, CSV or Parquet.
        folder: that of the run.
        how: as `RunPrint` has it.

    Raises:
        GameError: if there are mistakes in the file, or in what is asked for.
        ValueError: if an option is not for runs, or the folder has something else in it.
        OSError: if a file cannot be read.
    """
    report: Report = []
    plan = make_plan(GameFolder(Path(game)), Path(source), Path(folder), how, report)
    if plan is None:
        raise GameError(report)
    return Run(plan)


def open_run(folder: Path | str) -> Run:
    """Return the run in a folder.

    Raises:
        GameError: if there is none.
    """
    report: Report = []
    plan = read_plan(Path(folder), report)
    if plan is None:
        raise GameError(report)
    return Run(plan)


def sign_run(game: Path | str, source: Path | str, path: Path | str, key: Path | str) -> SignedRun:
    """Write the decks of a run's file with codes that prove what each consists of.

    Args:
        game: the folder of the game, whose `public_key` is that of the key.
        source: the run's file.
        path: the file to write, as JSON lines; each deck has its code as the value `proof`.
        key: the file of the private key.

    Raises:
        GameError: if there are mistakes in the file, or nothing can be written.
        ValueError: if the file has no key, or the key is not the game's.
        OSError: if a file cannot be read.
    """
    from deckwright.api.packaging import load_key  # noqa: PLC0415 - an extra
    from deckwright.runs.reprinting import sign_lines  # noqa: PLC0415

    private, target = load_key(Path(key)), Path(path)

    def make(report: Report) -> SignedRun | None:
        number = sign_lines(GameFolder(Path(game)), Path(source), target, private, report)
        return None if number is None else SignedRun(target, number)

    return _make_with_findings(make)


def _make_with_findings(make: Callable[[Report], M | None]) -> M:
    """Return what a function makes, with what it has found.

    Raises:
        GameError: if it makes nothing.
    """
    made, report = _make_or_raise(make)
    return made._replace(findings=tuple(sort_findings(report)))


def _make_or_raise(make: Callable[[Report], T | None]) -> tuple[T, Report]:
    """Return what a function makes, and what it has found.

    Raises:
        GameError: if it makes nothing.
    """
    report: Report = []
    made = None
    try:
        made = make(report)
    except EngineError as error:
        report.append(E121.at(None, str(error), "do it again"))
    except OSError as error:  # as from a full disk, when the game is unpacked
        report.append(write_failure(Path(error.filename or gettempdir()), error))
    if made is None:
        raise GameError(report)
    return made, report
