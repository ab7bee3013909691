"""Reports on a whole game: its balance, and runs of generated decks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypedDict

from deckwright.api.options import GameError, Weighing, rules_of
from deckwright.api.session import Opened
from deckwright.base.findings import ChoiceError, Diagnostic, Report, demand
from deckwright.base.output import CannotMakeError, write_file
from deckwright.base.processes import tell
from deckwright.decks.stats import measure_of

if TYPE_CHECKING:
    from deckwright.decks.balance.model import Balance
    from deckwright.outputs.printed import Print


def looked_at(game: Opened, how: Weighing, report: Report) -> Balance | None:
    """Look at a game, as `Game.balance` says; None after reporting why not."""
    from deckwright.checks.loading import load_whole  # noqa: PLC0415 - only for balance
    from deckwright.decks.balance.model import (  # noqa: PLC0415
        Search,
        survey,
        with_best,
    )
    from deckwright.decks.solver.highs import installed  # noqa: PLC0415

    rules = rules_of(game.folder, how)
    whole = load_whole(game.folder, report)
    if whole is None:
        return None
    setup, given = whole.setup, [how.get("worth"), how.get("cost")]
    worth, cost = (measure_of(text, setup) if text else None for text in given)
    worth = worth or setup.worth
    if worth is None:
        message = "game.xml does not say what a card is worth"
        raise ChoiceError(message, 'say it: `<deck worth="…">`, or `--worth MEASURE`')
    factions = [*how.get("factions", ())]
    for name in factions:
        demand(name, whole.factions, "faction")
    balance = survey(whole, rules, worth, cost or setup.cost, factions)
    if not installed():
        return balance
    usual = Search()
    decks, apart = how.get("best", usual.decks), how.get("apart", usual.apart)
    return with_best(balance, Search(decks, apart, how.get("time", usual.seconds)))


def printed_balance(game: Opened, target: Path, paper: str, how: Weighing) -> Print:
    """Print a look at a game, as `Game.print_balance` says."""
    from deckwright.outputs.reports import BALANCE_PAPERS, print_balance  # noqa: PLC0415 - only to print

    demand(paper, BALANCE_PAPERS, "paper")

    def make(report: Report) -> Print | None:
        balance = looked_at(game, how, report)
        if balance is None:
            return None
        return print_balance(balance, game.folder, target, paper, report)

    return game.made(make)


if TYPE_CHECKING:
    from deckwright.decks.generator.boosters import Statistics
    from deckwright.decks.generator.runs import Line
    from deckwright.game.generator import Generator
    from deckwright.game.model import Game
    from deckwright.outputs.printed import Print


class Packs(TypedDict, total=False):
    """What boosters are made in the place of decks.

    Attributes:
        booster: the id of a booster; None for decks.
        players: how many take part in a draft; None for boosters alone.
        rounds: how many boosters each of them opens.
    """

    booster: str | None
    players: int | None
    rounds: int


class Generated(NamedTuple):
    """What was generated.

    Attributes:
        path: the file that was written, a deck a line.
        decks: how many decks are in it.
        statistics: what they are like, None if that was not asked for.
        findings: the warnings.
    """

    path: Path
    decks: int
    statistics: Statistics | None = None
    findings: tuple[Diagnostic, ...] = ()


def generated(
    opened: Opened, target: Path, seed: str, count: int, packs: Packs, *, counted: bool
) -> Generated:
    """Write a run, as `Game.generate` says."""

    def make(report: Report) -> Generated | None:
        game, generator = _whole(opened, report)
        if game is None or generator is None:
            return None
        source = _Source(opened, game, generator, packs, report)
        statistics = source.statistics(seed) if counted else None
        number = 0

        def write(stream: IO[bytes]) -> None:
            nonlocal number
            for line in source.lines(seed, count):
                stream.write(line.text.encode() + b"\n")
                number += 1
                if statistics is not None:
                    statistics.add(line)

        if not source.usable or not write_file(target, write, report):
            return None
        return Generated(target, number, statistics)

    return opened.made(make)


def printed_statistics(opened: Opened, statistics: Statistics, target: Path) -> Print:
    """Print what a run is like, as `Game.print_statistics` says."""
    from deckwright.checks.loading import load_whole  # noqa: PLC0415 - only to print
    from deckwright.outputs.reports import print_statistics  # noqa: PLC0415 - as above

    def make(report: Report) -> Print | None:
        game = load_whole(opened.folder, report)
        if game is None:
            return None
        return print_statistics(statistics, game, opened.folder, target, report)

    return opened.made(make)


def generated_one(opened: Opened, seed: str, number: int, attempt: int) -> str:
    """Return one line of a run, as `Game.generate_one` says."""
    from deckwright.decks.generator.runs import Generation  # noqa: PLC0415 - only to generate

    report: Report = []
    game, generator = _whole(opened, report)
    if game is not None and generator is not None:
        try:
            generation = Generation(game, generator, opened.folder, report)
            if generation.usable:
                return generation.deck(seed, number, attempt).text
        except CannotMakeError as error:
            report.append(error.finding)
    raise GameError(report)


def _whole(opened: Opened, report: Report) -> tuple[Game | None, Generator | None]:
    """Return the whole game and how it makes decks; nothing after reporting mistakes in it."""
    from deckwright.checks.loading import load_whole  # noqa: PLC0415 - only to generate

    game = load_whole(opened.folder, report)
    if game is None:
        return None, None
    if game.setup.generator is None:
        message = "game.xml does not say how decks are generated"
        raise ChoiceError(message, 'say it: `<generator><part cards="30"/></generator>`')
    return game, game.setup.generator


class _Source:
    """Where lines come from: decks or boosters."""

    def __init__(
        self, opened: Opened, game: Game, generator: Generator, packs: Packs, report: Report
    ) -> None:
        from deckwright.decks.generator.boosters import Boosters  # noqa: PLC0415 - as above
        from deckwright.decks.generator.runs import Generation  # noqa: PLC0415 - as above

        self._game, self._packs = game, packs
        booster = packs.get("booster")
        self._decks: Generation | None = None
        self._boosters: Boosters | None = None
        self.usable = True
        try:
            if booster is None:
                self._decks = Generation(game, generator, opened.folder, report)
                self.usable, self._stock = self._decks.usable, self._decks.maker.stock
            else:
                demand(booster, generator.boosters, "booster", " in game.xml")
                self._boosters = Boosters(game, generator, generator.boosters[booster])
                self._stock = self._boosters.stock
        except CannotMakeError as error:
            report.append(error.finding)
            self.usable = False

    def statistics(self, seed: str) -> Statistics | None:
        """Return what counts these lines."""
        from deckwright.decks.generator.boosters import Statistics  # noqa: PLC0415 - as above

        return Statistics(self._game, self._stock, seed) if self.usable else None

    def lines(self, seed: str, count: int) -> Iterator[Line]:
        """Yield the lines of a run."""
        players, rounds = self._packs.get("players"), self._packs.get("rounds", 1)
        if self._boosters is not None:
            found = self._boosters.run(seed, count, players, rounds)
            total = count if players is None else count * players * rounds
        else:
            assert self._decks is not None
            found, total = self._decks.run(seed, count), count
        for number, line in enumerate(found, 1):
            yield line
            tell("making decks", number, total)
