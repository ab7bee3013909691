"""Reports on a whole game: balance, and runs of generated decks."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypedDict

from deckwright.api.options import BalanceOptions, resolve_limits
from deckwright.api.session import GameSession
from deckwright.base.findings import ChoiceError, Diagnostic, Report, require_known
from deckwright.base.output import write_file
from deckwright.base.processes import report_progress
from deckwright.checks.loading import load_checked_game
from deckwright.decks.stats import require_measure

if TYPE_CHECKING:
    from deckwright.decks.balance.model import Balance
    from deckwright.decks.generator.boosters import RunStatistics
    from deckwright.game.generator import Generator
    from deckwright.game.model import Game


def survey_game(game: GameSession, options: BalanceOptions, report: Report) -> Balance:
    """Implement `Game.balance`."""
    from deckwright.decks.balance.model import SearchOptions, add_best_decks, survey
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
    from deckwright.decks.generator.boosters import BoosterGenerator, RunStatistics
    from deckwright.decks.generator.deck_lines import RunGenerator

    booster, players, rounds = packs.get("booster"), packs.get("players"), packs.get("rounds", 1)

    def make(report: Report) -> GeneratedFile:
        game, generator = _load_generator(opened, report)
        total = count
        if booster is None:
            decks = RunGenerator(game, generator, opened.folder, report)
            lines, pool = decks.run(seed, count), decks.deck_generator.pool
        else:
            require_known(booster, generator.boosters, "booster", " in game.xml")
            boosters = BoosterGenerator(game, generator, generator.boosters[booster])
            lines, pool = boosters.generate(seed, count, players, rounds), boosters.pool
            total = count if players is None else count * players * rounds
        statistics = RunStatistics(game, pool, seed) if with_statistics else None
        number = 0

        def write(stream: IO[bytes]) -> None:
            nonlocal number
            for number, line in enumerate(lines, 1):
                stream.write(line.text.encode() + b"\n")
                if statistics is not None:
                    statistics.add(line)
                report_progress("making decks", number, total)

        write_file(target, write)
        return GeneratedFile(target, number, statistics)

    return opened.produce(make)


def generate_line(opened: GameSession, seed: str, number: int, attempt: int) -> str:
    """Implement `Game.generate_one`."""
    from deckwright.decks.generator.deck_lines import RunGenerator  # only to generate

    def make(report: Report) -> str:
        game, generator = _load_generator(opened, report)
        return RunGenerator(game, generator, opened.folder, report).deck(seed, number, attempt).text

    return opened.load(make)


def _load_generator(opened: GameSession, report: Report) -> tuple[Game, Generator]:
    """Return the game and its generator."""
    game = load_checked_game(opened.folder, report)
    if game.setup.generator is None:
        message = "game.xml does not say how decks are generated"
        raise ChoiceError(
            message, 'add `<generator><part cards="30"/></generator>` to its element `game`'
        )
    return game, game.setup.generator
