"""The best decks of each faction, as a solver finds them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.numbers import exact
from deckwright.checks.zoning import zoned
from deckwright.decks.balance.model import Balance, BestDeck, FactionLook, Forced
from deckwright.decks.solver.answers import Answer
from deckwright.decks.solver.building import build
from deckwright.decks.solver.highs import Highs, Status
from deckwright.decks.solver.program import row_of, total_of
from deckwright.decks.solver.solving import (
    APART,
    SECONDS,
    Objective,
    Solved,
    SolveOptions,
    solve,
)
from deckwright.decks.solver.wishes import aim_at
from deckwright.game.measures import Measure
from deckwright.game.model import Card

_NONE = "no deck keeps all limits"
_NO_TIME = "there was not enough time"


class Search(NamedTuple):
    """What is looked for.

    Attributes:
        decks: how many of the best decks of each faction.
        apart: how many copies each has at least that an earlier one does not have.
        seconds: how long the search may take for each faction.
    """

    decks: int = 10
    apart: int = APART
    seconds: float = SECONDS


def with_best(balance: Balance, search: Search) -> Balance:
    """Return a look at a game with the best decks of its factions.

    The strongest deck is the one that `solve` finds: worth most, and of such decks the cheapest.
    Without a solver, each says that it is lacking.
    """
    looks = tuple(_with_best(balance, look, search) for look in balance.factions)
    return balance._replace(factions=looks, solved=True, wanted=search.decks, apart=search.apart)


def _with_best(balance: Balance, look: FactionLook, search: Search) -> FactionLook:
    end = time.monotonic() + search.seconds
    strong = [Objective(_text(balance.worth))]
    cheap = [Objective(_text(balance.cost), smallest=True)] if balance.cost else []

    def found(objectives: list[Objective], number: int) -> Solved:
        left = end - time.monotonic()
        options = SolveOptions(objectives, different=number, apart=search.apart, seconds=left)
        return solve(balance.game, look.faction.id, look.pool.held, options)

    try:
        cheapest = found(cheap + strong, 1).answers if cheap else ()
        best = found(strong + cheap, search.decks)
    except ChoiceError as error:
        return look._replace(lacking=error.message)
    look = look._replace(
        best=tuple(_deck(balance, answer) for answer in best.answers),
        cheapest=_deck(balance, cheapest[0]) if cheapest else None,
        left_out=tuple(each.limit for each in best.left_out),
        lacking="" if best.answers else _NONE if best.impossible else _NO_TIME,
    )
    return look._replace(forced=tuple(_forced(balance, look, end)))


def _deck(balance: Balance, answer: Answer) -> BestDeck:
    game, worth, cost = balance.game, Decimal(0), Decimal(0)
    copies: list[tuple[Card, int]] = []
    for line in zoned(game, answer.deck):
        zone, number = line.zone.id if line.zone else None, line.entry.copies
        copies.append((line.card, number))
        worth += number * balance.worth.of(line.card.fields, zone)
        cost += number * balance.cost.of(line.card.fields, zone) if balance.cost else 0
    return BestDeck(tuple(copies), worth, cost if balance.cost else None, answer.proven)


def _forced(balance: Balance, look: FactionLook, end: float) -> Iterator[Forced]:
    """Yield what the strongest deck loses if a card must be in that none of the best has."""
    unused = [card for card in look.cards if not look.decks_with(card)]
    strongest = look.strongest
    if strongest is None or not strongest.proven:
        return
    built = build(balance.game, look.faction.id, look.pool.held)
    worth = aim_at(balance.worth, built, smallest=False).linear
    highs = Highs(built.program, end - time.monotonic())
    for card in unused:
        copies = total_of((1, slot.copies) for slot in built.slots if slot.card is card)
        row = highs.add(row_of(copies, 1, None))
        found = highs.most(worth)
        highs.change(row, None, None)
        if found.status is Status.STOPPED:
            return
        value = None if found.value is None else Decimal(str(exact(float(found.value))))
        yield Forced(card, None if value is None else strongest.worth - value)


def _text(measure: Measure) -> str:
    """Return a measure as it can be read again, with the zones of its parts."""
    return " ".join(
        f"{'-' if part.factor < 0 else '+'} {abs(part.factor)}*"
        f"{part.zone + '.' if part.zone else ''}{part.field}"
        for part in measure.parts
    ).removeprefix("+ ")
