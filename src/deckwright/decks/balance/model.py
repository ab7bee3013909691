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
"""Points more standard deviations than this away from the line are outliers."""
_MIN_POINTS = 3
"""Two points always lie on a line, so a fit would be meaningless."""

Point = tuple[Fraction, Fraction]


class FittedLine(NamedTuple):
    """A fitted line: `y = base + slope * x`.

    The sums are exact, so that every machine finds the same line and the same outliers.

    Attributes:
        r2: the coefficient of determination, from 0 to 1.
        spread: the residual standard deviation, with n - 2 degrees of freedom.
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
        """Return the residual of a point: positive above the line, negative below."""
        return point[1] - self.at(point[0])

    def far(self, point: Point) -> bool:
        """Return whether a point is an outlier."""
        return abs(self.above(point)) > OUTLIER_DEVIATIONS * self.spread > 0


def fit_line(points: Sequence[Point]) -> FittedLine | None:
    """Return the least-squares line; None for fewer than three points, or if all have one `x`."""
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
    """A deck found by the solver.

    Attributes:
        worth, cost: its worth and cost by the measures of the report; None without a cost.
        proven: whether it is proven to be the best; false if time ran out.
    """

    copies: tuple[tuple[Card, int], ...]
    worth: Decimal
    cost: Decimal | None
    proven: bool

    @property
    def cards(self) -> int:
        """The total number of copies."""
        return sum(number for _, number in self.copies)

    def of(self, card: Card) -> int:
        """Return the number of copies of a card."""
        return sum(number for each, number in self.copies if each is card)


class PricedCard(NamedTuple):
    """A card with its worth and cost, and the worth in excess of the line at this cost."""

    card: Card
    worth: Decimal
    cost: Decimal
    above: float
    is_outlier: bool

    @property
    def point(self) -> Point:
        """Its cost and its worth."""
        return Fraction(self.cost), Fraction(self.worth)


class ForcedCard(NamedTuple):
    """A card that none of the best decks contains.

    Attributes:
        loss: what the strongest deck loses if it must contain a copy; None if no deck can.
    """

    card: Card
    loss: Decimal | None


class FactionBalance(NamedTuple):
    """The balance of a faction: its best decks and its cards.

    Attributes:
        priced: its own cards by cost and worth.
        best: the strongest decks, each different from all before it by a number of copies.
        cheapest: the cheapest deck, None if there is none or it is unknown.
        left_out: the ids of the limits that the solver cannot handle.
        forced: its own cards that none of the best decks contains.
        failure: the reason why there is no best deck, "" if there is one or none was searched.
    """

    pool: FactionPool
    priced: tuple[PricedCard, ...]
    dominances: tuple[Dominance, ...]
    best: tuple[BestDeck, ...] = ()
    cheapest: BestDeck | None = None
    left_out: tuple[str, ...] = ()
    forced: tuple[ForcedCard, ...] = ()
    failure: str = ""

    @property
    def faction(self) -> Faction:
        """The faction."""
        return self.pool.faction

    @property
    def strongest(self) -> BestDeck | None:
        """The deck with the highest worth, None if there is none."""
        return self.best[0] if self.best else None

    @property
    def above(self) -> float:
        """The mean worth of its cards in excess of the line."""
        return round_number(sum(each.above for each in self.priced) / max(1, len(self.priced)))

    @property
    def cards(self) -> tuple[Card, ...]:
        """Its own cards, followed by other cards in its best decks."""
        decks = [*self.best, *([self.cheapest] if self.cheapest else [])]
        own = [card for card in self.pool.cards if card.faction_id == self.faction.id]
        others = [card for card in self.pool.cards if card.faction_id != self.faction.id]
        return (*own, *(card for card in others if any(deck.of(card) for deck in decks)))

    def find_price(self, card: Card) -> PricedCard | None:
        """Return a card with its worth and cost, None if it lacks a field."""
        return next((each for each in self.priced if each.card is card), None)

    @property
    def never_taken(self) -> tuple[Card, ...]:
        """The dominated cards that no best deck contains and that only weaken decks."""
        beaten = {id(each.worse) for each in self.dominances if not each.rules}
        return tuple(e.card for e in self.forced if id(e.card) in beaten and e.loss != 0)

    def decks_with(self, card: Card) -> int:
        """Return the number of best decks that contain a card."""
        return sum(deck.of(card) > 0 for deck in self.best)


class Balance(NamedTuple):
    """A report on the balance of a whole game.

    Attributes:
        cost: the measure of cost, None if the game defines none; then there is no line, and cards
            are not compared.
        compared: the sign of each numeric field: 1 if more is better, -1 if less is better, 0 if
            neither.
        cards: the worth and cost of the cards of all factions, including those not reported on.
        line: the fit of worth by cost over these cards; None if there are too few.
        solved: whether decks were searched; false without a solver.
        wanted, apart: the number of decks searched, and the minimum number of copies in which they
            differ.
    """

    game: Game
    worth: Measure
    cost: Measure | None
    compared: tuple[tuple[str, int], ...]
    cards: tuple[PricedCard, ...]
    line: FittedLine | None
    factions: tuple[FactionBalance, ...]
    solved: bool = False
    requested: int = 0
    apart: int = 0
    findings: tuple[Diagnostic, ...] = ()

    @property
    def outliers(self) -> tuple[PricedCard, ...]:
        """The outliers, the farthest from the line first."""
        far = [each for look in self.factions for each in look.priced if each.is_outlier]
        return tuple(sorted(far, key=lambda each: -abs(each.above)))


def survey(
    game: Game,
    rules: LimitOptions,
    worth: Measure,
    cost: Measure | None,
    only: Collection[str] = (),
    *,
    compares: bool = True,
) -> Balance:
    """Return the balance of a game without best decks.

    Args:
        only: the ids of the factions to report on, all if empty. The line is always fitted to all
            cards.
        compares: whether to look for cards that others beat.
    """
    every = [*faction_pools(game, rules)]
    cards: list[PricedCard] = []
    if cost is not None:
        fields = {part.field for measure in (worth, cost) for part in measure.parts} - {CARDS}
        own = (card for pool in every for card in pool.cards if card.faction_id == pool.faction.id)
        for card in own:
            if all(card.fields.get(field) is not None for field in fields):
                zone = next(zones_of(game, card)).id
                its_worth = worth.evaluate(card.fields, zone)
                its_cost = cost.evaluate(card.fields, zone)
                cards.append(PricedCard(card, its_worth, its_cost, 0, is_outlier=False))
    line = fit_line([each.point for each in cards])
    if line is not None:
        distances = [line.above(each.point) for each in cards]
        cards = [
            each._replace(above=round_number(float(above)), is_outlier=line.far(each.point))
            for each, above in zip(cards, distances, strict=True)
        ]
    looks: list[FactionBalance] = []
    compared: dict[str, int] = {}
    for pool in every:
        comparing = CardComparer([*game.cards.values()], pool.deck_rules, worth, cost)
        compared |= comparing.better
        if not only or pool.faction.id in only:
            all_dominances = find_dominances(game, pool, comparing) if cost and compares else ()
            dominances = (d for d in all_dominances if d.worse.faction_id == pool.faction.id)
            priced = (each for each in cards if each.card.faction_id == pool.faction.id)
            looks.append(FactionBalance(pool, tuple(priced), tuple(dominances)))
    return Balance(game, worth, cost, tuple(compared.items()), tuple(cards), line, tuple(looks))


class SearchOptions(NamedTuple):
    """The options of the search for best decks; `seconds` is the time limit for each faction.

    Attributes:
        apart: the minimum number of copies of each deck that an earlier one lacks.
    """

    per_faction: int = 10
    apart: int = DEFAULT_APART
    seconds: float = DEFAULT_SECONDS


def add_best_decks(balance: Balance, search: SearchOptions) -> Balance:
    """Add the best decks of its factions to a game's balance.

    The strongest deck is the one that `solve` finds: the one with the highest worth and, of these,
    the cheapest. Without a solver each faction reports a failure.
    """
    looks = tuple(_add_best_decks(balance, look, search) for look in balance.factions)
    return balance._replace(
        factions=looks, solved=True, requested=search.per_faction, apart=search.apart
    )


def _add_best_decks(
    balance: Balance, look: FactionBalance, search: SearchOptions
) -> FactionBalance:
    end = time.monotonic() + search.seconds
    strong = [Objective(_format_measure(balance.worth))]
    cheap = [Objective(_format_measure(balance.cost), smallest=True)] if balance.cost else []

    def search_decks(objectives: list[Objective], number: int) -> SolveResult:
        left = end - time.monotonic()
        options = SolveOptions(objectives, different=number, apart=search.apart, seconds=left)
        return solve(balance.game, look.faction.id, look.pool.deck_rules, options)

    try:
        cheapest = search_decks(cheap + strong, 1).answers if cheap else ()
        best = search_decks(strong + cheap, search.per_faction)
    except ChoiceError as error:
        return look._replace(failure=error.message)
    failure = "no deck meets all limits" if best.impossible else "time ran out"
    look = look._replace(
        best=tuple(_make_best_deck(balance, answer) for answer in best.answers),
        cheapest=_make_best_deck(balance, cheapest[0]) if cheapest else None,
        left_out=tuple(each.limit for each in best.left_out),
        failure=failure if not best.answers else "",
    )
    return look._replace(forced=tuple(_find_forced_cards(balance, look, end)))


def _make_best_deck(balance: Balance, answer: Answer) -> BestDeck:
    game, worth, cost = balance.game, Decimal(0), Decimal(0)
    copies: list[tuple[Card, int]] = []
    for line in assign_zones(game, answer.deck):
        zone, number = line.zone.id if line.zone else None, line.entry.copies
        copies.append((line.card, number))
        worth += number * balance.worth.evaluate(line.card.fields, zone)
        cost += number * balance.cost.evaluate(line.card.fields, zone) if balance.cost else 0
    return BestDeck(tuple(copies), worth, cost if balance.cost else None, answer.proven)


def _find_forced_cards(balance: Balance, look: FactionBalance, end: float) -> Iterator[ForcedCard]:
    """Yield the loss of the strongest deck for each card that no best deck contains."""
    unused = [card for card in look.cards if not look.decks_with(card)]
    strongest = look.strongest
    if strongest is None or not strongest.proven:
        return
    built = build_program(balance.game, look.faction.id, look.pool.deck_rules)
    worth = make_aim(balance.worth, built, smallest=False).linear
    highs = HighsSolver(built.program, end - time.monotonic())
    for card in unused:
        copies = sum_of_products((1, slot.copies) for slot in built.slots if slot.card is card)
        row = highs.add(make_row(copies, 1, None))
        outcome = highs.maximize(worth)
        highs.free_row(row)
        if outcome.status is SolverStatus.STOPPED:
            return
        value = None if outcome.value is None else Decimal(str(round_number(float(outcome.value))))
        yield ForcedCard(card, None if value is None else strongest.worth - value)


def _format_measure(measure: Measure) -> str:
    """Return a measure as parseable text, including the zones of its parts."""
    return " ".join(
        f"{'-' if part.factor < 0 else '+'} {abs(part.factor)}*"
        f"{part.zone + '.' if part.zone else ''}{part.field}"
        for part in measure.parts
    ).removeprefix("+ ")
