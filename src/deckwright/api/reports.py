"""Reports on a whole game: balance, and runs of generated decks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypedDict

from deckwright.api.options import BalanceOptions, GameError, resolve_limits
from deckwright.api.session import GameSession
from deckwright.base.findings import ChoiceError, Diagnostic, Report, require_known
from deckwright.base.output import OutputError, write_file
from deckwright.base.processes import report_progress
from deckwright.checks.loading import load_checked_game
from deckwright.decks.stats import require_measure

if TYPE_CHECKING:
    from deckwright.decks.balance.model import Balance
    from deckwright.decks.generator.boosters import RunStatistics
    from deckwright.decks.generator.deck_lines import GeneratedLine
    from deckwright.game.generator import Generator
    from deckwright.game.model import Game
    from deckwright.outputs.printed import Print


def survey_game(game: GameSession, options: BalanceOptions, report: Report) -> Balance:
    """Implement `Game.balance`."""
    from deckwright.decks.balance.model import (
        SearchOptions,
        add_best_decks,
        survey,
    )
    from deckwright.decks.solver.highs import is_installed

    rules = resolve_limits(game.folder, options)
    checked_game = load_checked_game(game.folder, report)
    setup, measures = checked_game.setup, [options.get("worth"), options.get("cost")]
    worth, cost = (require_measure(text, setup) if text else None for text in measures)
    worth = worth or setup.worth
    if worth is None:
        message = "game.xml does not say what a card is worth"
        raise ChoiceError(message, 'add `<deck worth="…">`, or use `--worth MEASURE`')
    factions = [*options.get("factions", ())]
    for name in factions:
        require_known(name, checked_game.factions, "faction")
    balance = survey(checked_game, rules, worth, cost or setup.cost, factions)
    if not is_installed():
        return balance
    defaults = SearchOptions()
    decks, apart = options.get("best", defaults.per_faction), options.get("apart", defaults.apart)
    return add_best_decks(
        balance, SearchOptions(decks, apart, options.get("time", defaults.seconds))
    )


def print_balance_report(
    game: GameSession, target: Path, paper: str, options: BalanceOptions
) -> Print:
    """Implement `Game.print_balance`."""
    from deckwright.outputs.reports import BALANCE_PAPERS, print_balance  # only to print

    require_known(paper, BALANCE_PAPERS, "paper")

    def make(report: Report) -> Print:
        balance = survey_game(game, options, report)
        return print_balance(balance, game.folder, target, paper, report)

    return game.produce(make)


class BoosterOptions(TypedDict, total=False):
    """The boosters to generate instead of decks.

    Attributes:
        booster: the id of a booster; None for decks.
        players: the number of players in a draft; None for boosters without a draft.
        rounds: the number of boosters that each player opens.
    """

    booster: str | None
    players: int | None
    rounds: int


class GeneratedFile(NamedTuple):
    """A file of generated decks.

    Attributes:
        path: the file, one deck a line.
        decks: the number of decks in it.
        statistics: their statistics, None if not requested.
        findings: the warnings.
    """

    path: Path
    decks: int
    statistics: RunStatistics | None = None
    findings: tuple[Diagnostic, ...] = ()


def generate_run(
    opened: GameSession,
    target: Path,
    seed: str,
    count: int,
    packs: BoosterOptions,
    *,
    with_statistics: bool,
) -> GeneratedFile:
    """Implement `Game.generate`."""

    def make(report: Report) -> GeneratedFile:
        game, generator = _load_generator(opened, report)
        source = _LineSource(opened, game, generator, packs, report)
        statistics = source.statistics(seed) if with_statistics else None
        number = 0

        def write(stream: IO[bytes]) -> None:
            nonlocal number
            for line in source.lines(seed, count):
                stream.write(line.text.encode() + b"\n")
                number += 1
                if statistics is not None:
                    statistics.add(line)

        if not source.usable:
            raise OutputError
        write_file(target, write)
        return GeneratedFile(target, number, statistics)

    return opened.produce(make)


def print_run_statistics(opened: GameSession, statistics: RunStatistics, target: Path) -> Print:
    """Implement `Game.print_statistics`."""
    from deckwright.outputs.reports import print_statistics

    def make(report: Report) -> Print:
        game = load_checked_game(opened.folder, report)
        return print_statistics(statistics, game, opened.folder, target, report)

    return opened.produce(make)


def generate_line(opened: GameSession, seed: str, number: int, attempt: int) -> str:
    """Implement `Game.generate_one`."""
    from deckwright.decks.generator.deck_lines import RunGenerator  # only to generate

    report: Report = []
    try:
        game, generator = _load_generator(opened, report)
        generation = RunGenerator(game, generator, opened.folder, report)
        if generation.usable:
            return generation.deck(seed, number, attempt).text
    except OutputError as error:
        report.extend(error.findings)
    raise GameError(report)


def _load_generator(opened: GameSession, report: Report) -> tuple[Game, Generator]:
    """Return the game and its generator."""
    game = load_checked_game(opened.folder, report)
    if game.setup.generator is None:
        message = "game.xml does not say how decks are generated"
        raise ChoiceError(
            message, 'add `<generator><part cards="30"/></generator>` to its element `game`'
        )
    return game, game.setup.generator


class _LineSource:
    """Generates the lines of a run: decks or boosters."""

    def __init__(
        self,
        opened: GameSession,
        game: Game,
        generator: Generator,
        packs: BoosterOptions,
        report: Report,
    ) -> None:
        from deckwright.decks.generator.boosters import BoosterGenerator
        from deckwright.decks.generator.deck_lines import RunGenerator

        self._game, self._packs = game, packs
        booster = packs.get("booster")
        self._decks: RunGenerator | None = None
        self._boosters: BoosterGenerator | None = None
        self.usable = True
        try:
            if booster is None:
                self._decks = RunGenerator(game, generator, opened.folder, report)
                self.usable, self._pool = self._decks.usable, self._decks.deck_generator.pool
            else:
                require_known(booster, generator.boosters, "booster", " in game.xml")
                self._boosters = BoosterGenerator(game, generator, generator.boosters[booster])
                self._pool = self._boosters.pool
        except OutputError as error:
            report.extend(error.findings)
            self.usable = False

    def statistics(self, seed: str) -> RunStatistics | None:
        """Return empty statistics for these lines, None if they cannot be generated."""
        from deckwright.decks.generator.boosters import RunStatistics

        return RunStatistics(self._game, self._pool, seed) if self.usable else None

    def lines(self, seed: str, count: int) -> Iterator[GeneratedLine]:
        """Yield the lines of a run."""
        players, rounds = self._packs.get("players"), self._packs.get("rounds", 1)
        if self._boosters is not None:
            found = self._boosters.generate(seed, count, players, rounds)
            total = count if players is None else count * players * rounds
        else:
            assert self._decks is not None
            found, total = self._decks.run(seed, count), count
        for number, line in enumerate(found, 1):
            yield line
            report_progress("making decks", number, total)
