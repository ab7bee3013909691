"""A look at a whole game, for `Game.balance` and `Game.print_balance`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.api.asked import Weighing, rules_of
from deckwright.api.opened import Opened
from deckwright.base.choices import ChoiceError, demand
from deckwright.base.findings import Report
from deckwright.decks.sums import measure_of

if TYPE_CHECKING:
    from deckwright.decks.balance.model import Balance
    from deckwright.outputs.printed import Print


def looked_at(game: Opened, how: Weighing, report: Report) -> Balance | None:
    """Look at a game, as `Game.balance` says; None after reporting why not."""
    from deckwright.checks.loading import load_whole  # noqa: PLC0415 - only for balance
    from deckwright.decks.balance.bests import Search, with_best  # noqa: PLC0415
    from deckwright.decks.balance.survey import survey  # noqa: PLC0415
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
    from deckwright.outputs.balance.report import (  # noqa: PLC0415 - only to print
        BALANCE_PAPERS,
        print_balance,
    )

    demand(paper, BALANCE_PAPERS, "paper")

    def make(report: Report) -> Print | None:
        balance = looked_at(game, how, report)
        if balance is None:
            return None
        return print_balance(balance, game.folder, target, paper, report)

    return game.made(make)
