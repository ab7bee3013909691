"""The balance of a game: best decks, factions, outliers, dominated cards."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from deckwright.base.findings import ChoiceError, Diagnostic
from deckwright.base.units import round_number
from deckwright.checks.counting import assign_zones, zones_of
from deckwright.checks.loading import LimitOptions
from deckwright.decks.balance.dominance import (
    CardComparer,
    Dominance,
    FactionPool,
    faction_pools,
    fields_in_limits,
    find_dominances,
)
from deckwright.decks.solver.building import build_program
from deckwright.decks.solver.highs import HighsSolver, SolverStatus
from deckwright.decks.solver.program import make_row, sum_of_products
from deckwright.decks.solver.search import make_aim
from deckwright.decks.solver.solving import (
    DEFAULT_APART,
    DEFAULT_SECONDS,
    Answer,
    Objective,
    SolveOptions,
    SolveResult,
    solve,
)
from deckwright.game.deck_rules import CARDS, Measure
from deckwright.game.model import Card, Faction, Game

OUTLIER_DEVIATIONS = 2
"""A point lies far from a line if it is more standard deviations away than this."""
_MIN_POINTS = 3
"""Two points always lie on a line, so that they say nothing."""

Point = tuple[Fraction, Fraction]


class FittedLine(NamedTuple):
    """A line that was fitted: `y = base + slope * x`.

    Sums are exact, so that every machine finds the same line and the same outliers.

    Attributes:
        r2: which part of the spread of `y` it explains, from 0 to 1.
        spread: the standard deviation of the points about it, with two degrees of freedom less
            than there are points.
    """

    base: Fraction
    slope: Fraction
    r2: float
    spread: float
    points: int

    def at(self, x: Fraction) -> Fraction:
        """Return the height of the line."""
        return self.base + self.slope * x

    def above(self, point: Point) -> Fraction:
        """Return how far a point lies above the line; less than 0 if it lies below."""
        return point[1] - self.at(point[0])

    def far(self, point: Point) -> bool:
        """Return whether a point lies far from the line."""
        return abs(self.above(point)) > OUTLIER_DEVIATIONS * self.spread > 0


def fit_line(points: Sequence[Point]) -> FittedLine | None:
    """Return the line for which the squares of the distances in `y` have the least sum.

    None if there are fewer than three points, or all have the same `x`.
    """
    n = len(points)
    if n < _MIN_POINTS:
        return None
    mean_x = sum((x for x, _ in points), Fraction(0)) / n
    mean_y = sum((y for _, y in points), Fraction(0)) / n
    xx = sum(((x - mean_x) ** 2 for x, _ in points), Fraction(0))
    xy = sum(((x - mean_x) * (y - mean_y) for x, y in points), Fraction(0))
    yy = sum(((y - mean_y) ** 2 for _, y in points), Fraction(0))
    if not xx:
        return None
    slope = xy / xx
    left = yy - slope * xy
    r2 = float(1 - left / yy) if yy else 1.0
    return FittedLine(mean_y - slope * mean_x, slope, r2, math.sqrt(left / (n - 2)), n)


class BestDeck(NamedTuple):
    """A deck that a solver has found.

    Attributes:
        copies: the cards that it has, each with how often.
        worth, cost: by the measures of the look; no cost without one.
        proven: whether no other deck is better; the time may have run out before.
    """

    copies: tuple[tuple[Card, int], ...]
    worth: Decimal
    cost: Decimal | None
    proven: bool

    @property
    def cards(self) -> int:
        """How many copies it has in all."""
        return sum(number for _, number in self.copies)

    def of(self, card: Card) -> int:
        """Return how many copies of a card it has."""
        return sum(number for each, number in self.copies if each is card)


class PricedCard(NamedTuple):
    """A card that has all numbers which worth and cost are made of.

    Attributes:
        above: how much more it is worth than the line says for its cost.
        far: whether that is more than two standard deviations.
    """

    card: Card
    worth: Decimal
    cost: Decimal
    above: float
    far: bool

    @property
    def point(self) -> Point:
        """Its cost and its worth."""
        return Fraction(self.cost), Fraction(self.worth)


class ForcedCard(NamedTuple):
    """A card that none of the best decks has.

    Attributes:
        loss: how much less the best deck with a copy of it is worth than the strongest; None if no
            deck can have it.
    """

    card: Card
    loss: Decimal | None


class FactionBalance(NamedTuple):
    """A faction, its best decks and its cards.

    Attributes:
        priced: its own cards by cost and worth.
        dominances: which cards dominate which of its own.
        best: the strongest decks, each with a number of other copies than all before it.
        cheapest: the deck that costs least, None if none can be built, or nothing can be said.
        left_out: the ids of limits that the solver could not be told.
        forced: the own cards that none of the best decks has.
        lacking: why there is no best deck, "" if there is one or none was looked for.
    """

    pool: FactionPool
    priced: tuple[PricedCard, ...]
    dominances: tuple[Dominance, ...]
    best: tuple[BestDeck, ...] = ()
    cheapest: BestDeck | None = None
    left_out: tuple[str, ...] = ()
    forced: tuple[ForcedCard, ...] = ()
    lacking: str = ""

    @property
    def faction(self) -> Faction:
        """The faction."""
        return self.pool.faction

    @property
    def strongest(self) -> BestDeck | None:
        """The deck that is worth most, None if there is none."""
        return self.best[0] if self.best else None

    @property
    def above(self) -> float:
        """How much more its cards are worth than the line says, on average."""
        return round_number(sum(each.above for each in self.priced) / max(1, len(self.priced)))

    @property
    def cards(self) -> tuple[Card, ...]:
        """Its own cards, and then those of others that are in its best decks."""
        decks = [*self.best, *([self.cheapest] if self.cheapest else [])]
        own = [card for card in self.pool.cards if card.faction_id == self.faction.id]
        others = [card for card in self.pool.cards if card.faction_id != self.faction.id]
        return (*own, *(card for card in others if any(deck.of(card) for deck in decks)))

    def price(self, card: Card) -> PricedCard | None:
        """Return a card with its numbers, None if it lacks one."""
        return next((each for each in self.priced if each.card is card), None)

    def find_forced(self, card: Card) -> ForcedCard | None:
        """Return what it takes to have a card that none of the best decks has."""
        return next((each for each in self.forced if each.card is card), None)

    @property
    def never_taken(self) -> tuple[Card, ...]:
        """The cards that others beat, that no best deck has, and that only make decks weaker."""
        beaten = {id(each.worse) for each in self.dominances if not each.rules}
        return tuple(e.card for e in self.forced if id(e.card) in beaten and e.loss != 0)

    def decks_with(self, card: Card) -> int:
        """Return how many of the best decks have a card."""
        return sum(deck.of(card) > 0 for deck in self.best)


class Balance(NamedTuple):
    """A look at a whole game.

    Attributes:
        game: what was looked at.
        cost: None if the game does not say what cards cost; then there is neither a line, nor are
            cards compared.
        compared: for each field with a number 1 if more of it is better, -1 if less, 0 if neither.
        cards: those of all factions by cost and worth, also of those that are not looked at.
        line: worth by cost, over these cards; None if there are too few.
        solved: whether decks were looked for; there may be no solver.
        wanted, apart: how many decks were looked for, and in how many copies they differ at least.
        findings: the warnings.
    """

    game: Game
    worth: Measure
    cost: Measure | None
    compared: tuple[tuple[str, int], ...]
    cards: tuple[PricedCard, ...]
    line: FittedLine | None
    factions: tuple[FactionBalance, ...]
    solved: bool = False
    wanted: int = 0
    apart: int = 0
    findings: tuple[Diagnostic, ...] = ()

    @property
    def outliers(self) -> tuple[PricedCard, ...]:
        """The cards that lie far from the line, the farthest first."""
        far = [each for look in self.factions for each in look.priced if each.far]
        return tuple(sorted(far, key=lambda each: -abs(each.above)))


def survey(
    game: Game,
    rules: LimitOptions,
    worth: Measure,
    cost: Measure | None,
    only: Collection[str] = (),
) -> Balance:
    """Return a look at a game without its best decks.

    Args:
        rules: by which limits decks are built.
        only: the ids of the factions that are looked at; the line is that of all cards, though.
            All if empty.
    """
    every = [*faction_pools(game, rules)]
    unlined = [each for pool in every for each in _price_cards(game, pool, worth, cost)]
    line = fit_line([each.point for each in unlined])
    cards = _apply_line(unlined, line)
    looks: list[FactionBalance] = []
    compared: dict[str, int] = {}
    for pool in every:
        comparing = CardComparer(
            [*game.cards.values()], pool.held.limits, fields_in_limits(pool.held), worth, cost
        )
        compared |= comparing.better
        if not only or pool.faction.id in only:
            found = _own_dominances(game, pool, comparing) if cost else ()
            own = tuple(each for each in cards if each.card.faction_id == pool.faction.id)
            looks.append(FactionBalance(pool, own, found))
    return Balance(game, worth, cost, tuple(compared.items()), cards, line, tuple(looks))


def _price_cards(
    game: Game, pool: FactionPool, worth: Measure, cost: Measure | None
) -> Sequence[PricedCard]:
    """Return the own cards of a faction that have all numbers of both measures."""
    if cost is None:
        return ()
    fields = {part.field for measure in (worth, cost) for part in measure.parts} - {CARDS}
    found = []
    for card in pool.cards:
        own = card.faction_id == pool.faction.id
        if own and all(card.fields.get(field) is not None for field in fields):
            zone = next(zones_of(game, card)).id
            its_worth, its_cost = worth.of(card.fields, zone), cost.of(card.fields, zone)
            found.append(PricedCard(card, its_worth, its_cost, 0, far=False))
    return found


def _apply_line(cards: Sequence[PricedCard], line: FittedLine | None) -> tuple[PricedCard, ...]:
    if line is None:
        return tuple(cards)
    return tuple(
        each._replace(above=round_number(float(line.above(each.point))), far=line.far(each.point))
        for each in cards
    )


def _own_dominances(
    game: Game, pool: FactionPool, comparing: CardComparer
) -> tuple[Dominance, ...]:
    """Return which cards dominate which; those of other factions are left to these."""
    found = find_dominances(game, pool, comparing)
    return tuple(each for each in found if each.worse.faction_id == pool.faction.id)


_NO_DECK = "no deck keeps all limits"
_NO_TIME = "there was not enough time"


class SearchOptions(NamedTuple):
    """What is looked for.

    Attributes:
        decks: how many of the best decks of each faction.
        apart: how many copies each has at least that an earlier one does not have.
        seconds: how long the search may take for each faction.
    """

    decks: int = 10
    apart: int = DEFAULT_APART
    seconds: float = DEFAULT_SECONDS


def add_best_decks(balance: Balance, search: SearchOptions) -> Balance:
    """Return a look at a game with the best decks of its factions.

    The strongest deck is the one that `solve` finds: worth most, and of such decks the cheapest.
    Without a solver, each says that it is lacking.
    """
    looks = tuple(_add_best_decks(balance, look, search) for look in balance.factions)
    return balance._replace(factions=looks, solved=True, wanted=search.decks, apart=search.apart)


def _add_best_decks(
    balance: Balance, look: FactionBalance, search: SearchOptions
) -> FactionBalance:
    end = time.monotonic() + search.seconds
    strong = [Objective(_format_measure(balance.worth))]
    cheap = [Objective(_format_measure(balance.cost), smallest=True)] if balance.cost else []

    def found(objectives: list[Objective], number: int) -> SolveResult:
        left = end - time.monotonic()
        options = SolveOptions(objectives, different=number, apart=search.apart, seconds=left)
        return solve(balance.game, look.faction.id, look.pool.held, options)

    try:
        cheapest = found(cheap + strong, 1).answers if cheap else ()
        best = found(strong + cheap, search.decks)
    except ChoiceError as error:
        return look._replace(lacking=error.message)
    look = look._replace(
        best=tuple(_make_best_deck(balance, answer) for answer in best.answers),
        cheapest=_make_best_deck(balance, cheapest[0]) if cheapest else None,
        left_out=tuple(each.limit for each in best.left_out),
        lacking="" if best.answers else _NO_DECK if best.impossible else _NO_TIME,
    )
    return look._replace(forced=tuple(_find_forced_cards(balance, look, end)))


def _make_best_deck(balance: Balance, answer: Answer) -> BestDeck:
    game, worth, cost = balance.game, Decimal(0), Decimal(0)
    copies: list[tuple[Card, int]] = []
    for line in assign_zones(game, answer.deck):
        zone, number = line.zone.id if line.zone else None, line.entry.copies
        copies.append((line.card, number))
        worth += number * balance.worth.of(line.card.fields, zone)
        cost += number * balance.cost.of(line.card.fields, zone) if balance.cost else 0
    return BestDeck(tuple(copies), worth, cost if balance.cost else None, answer.proven)


def _find_forced_cards(balance: Balance, look: FactionBalance, end: float) -> Iterator[ForcedCard]:
    """Yield what the strongest deck loses if a card must be in that none of the best has."""
    unused = [card for card in look.cards if not look.decks_with(card)]
    strongest = look.strongest
    if strongest is None or not strongest.proven:
        return
    built = build_program(balance.game, look.faction.id, look.pool.held)
    worth = make_aim(balance.worth, built, smallest=False).linear
    highs = HighsSolver(built.program, end - time.monotonic())
    for card in unused:
        copies = sum_of_products((1, slot.copies) for slot in built.slots if slot.card is card)
        row = highs.add(make_row(copies, 1, None))
        found = highs.most(worth)
        highs.change(row, None, None)
        if found.status is SolverStatus.STOPPED:
            return
        value = None if found.value is None else Decimal(str(round_number(float(found.value))))
        yield ForcedCard(card, None if value is None else strongest.worth - value)


def _format_measure(measure: Measure) -> str:
    """Return a measure as it can be read again, with the zones of its parts."""
    return " ".join(
        f"{'-' if part.factor < 0 else '+'} {abs(part.factor)}*"
        f"{part.zone + '.' if part.zone else ''}{part.field}"
        for part in measure.parts
    ).removeprefix("+ ")
