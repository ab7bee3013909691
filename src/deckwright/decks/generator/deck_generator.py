"""Generate a deck as a function of the seed, its number and the attempt."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from deckwright.base.findings import Code, Diagnostic, Report, Severity, is_error
from deckwright.base.output import OutputError
from deckwright.base.units import pluralize, round_number
from deckwright.checks.counting import DeckRules, LimitCount, LimitCounter, amount_of, zone_of
from deckwright.checks.limits import check_limits, resolve_deck_rules
from deckwright.decks.generator.card_pools import (
    CardDemand,
    CardPool,
    PartPool,
    SeededRandom,
    WeightedItems,
)
from deckwright.game.deck_rules import Limit
from deckwright.game.decklist import empty_deck
from deckwright.game.generator import MILLION, Generator
from deckwright.game.model import Card, Deck, DeckEntry, Game


class LimitTracker:
    """The limits of a faction's decks, counted while cards are drawn for one deck after another.

    Cards go by their numbers. Unless `is_complete`, some limits are only checked at the end.
    """

    def __init__(
        self, game: Game, generator: Generator, faction_id: str, cards: Sequence[Card]
    ) -> None:
        """Set all possible cards. Their positions are their numbers."""
        self._game, self._cards = game, cards
        self._empty = empty_deck(game, faction_id, format_id=generator.format)
        self.deck_rules: DeckRules = resolve_deck_rules(game, self._empty, generator.format, {})
        self.is_complete = True
        # A row is a total: of a limit, or of one value of its `per`. For each card: the row, what a
        # copy adds to it, and the most that it may be. Asking each limit for its room is slower.
        self._shares: list[list[tuple[int, int, float]]] = [[] for _ in cards]
        self._lower = [-math.inf]
        zones = [zone_of(game, card) for card in cards]
        tally = LimitCounter(game, self._empty, self.deck_rules)
        for limit in self.deck_rules.limits:
            if limit.warning:
                continue
            count = LimitCount(limit, tally)
            counted = [
                (at, card, groups)
                for at, (card, zone) in enumerate(zip(cards, zones, strict=True))
                if zone is not None and zone.id == limit.zone and (groups := count.groups_of(card))
            ]
            amounts = [round_number(amount_of(limit, card)) for _, card, _ in counted]
            natural = [amount for amount in amounts if isinstance(amount, int) and amount >= 0]
            alone = limit.is_fixed and limit.distinct is None and not limit.exemptions
            if not alone or len(natural) < len(amounts):
                self.is_complete = False
                continue
            foreign = (at for at, card, _ in counted if count.is_foreign(card))
            for at in foreign:
                self._shares[at].append((0, 0, -math.inf))
            if limit.per and count.bounds.lower > -math.inf:
                self.is_complete = False
            elif limit.bound is not None:
                values = dict.fromkeys(chain(count.totals, *(groups for _, _, groups in counted)))
                rows = {value: row for row, value in enumerate(values, len(self._lower))}
                self._lower += [count.bounds.lower] * len(rows)
                upper = count.bounds.upper
                for (at, _, groups), amount in zip(counted, natural, strict=True):
                    self._shares[at] += [(rows[group], amount, upper) for group in groups]
        if generator.copies is not None:
            for row, shares in enumerate(self._shares, len(self._lower)):
                shares.append((row, 1, generator.copies))
            self._lower += [-math.inf] * len(cards)
        self.clear()

    def clear(self) -> None:
        """Start with an empty deck."""
        self._totals = [0] * len(self._lower)

    def add(self, card: int, copies: int = 1) -> None:
        """Count more copies of a card, or fewer if negative."""
        for row, amount, _ in self._shares[card]:
            self._totals[row] += copies * amount

    def allows(self, card: int) -> bool:
        """Return whether no maximum forbids another copy of a card."""
        for row, amount, upper in self._shares[card]:  # noqa: SIM110 - faster than `all`
            if self._totals[row] + amount > upper:
                return False
        return True

    def has_shortage(self) -> bool:
        """Return whether the deck falls short of a minimum."""
        return any(map(operator.lt, self._totals, self._lower))

    def deck(self, copies: Iterable[tuple[int, int]]) -> Deck:
        """Return the deck list for cards with their numbers of copies."""
        drawn, source = ((self._cards[at], number) for at, number in copies), self._empty.source
        entries = (DeckEntry(card.faction_id, card.id, number, source) for card, number in drawn)
        return self._empty._replace(entries=tuple(entries))

    def findings(self, deck: Deck) -> list[Diagnostic]:
        """Return the errors for limits that a deck breaks."""
        report: Report = []
        check_limits(self._game, deck, self.deck_rules, report)
        return [finding for finding in report if is_error(finding)]


E110 = Code("E110", Severity.ERROR, "decks that cannot be generated")

_MAX_DRAWINGS = 40
"""The number of random decks that are tried before the solver repairs one."""
_MAX_REDRAWS = 16
"""The number of random redraws before the remaining allowed cards are enumerated."""
_SOLVER_SECONDS = 60.0
"""The solver's time limit for a deck. Most decks take less than a tenth of a second."""
_MAX_EXCHANGES = 200
"""The most exchanges of cards to meet a deck's demands."""

MAVERICK, LEGACY = "maverick", "legacy"


class CopyMark(NamedTuple):
    """The mark of a special copy: a maverick, with the id of its house, or a legacy."""

    what: str
    house: str


class DrawnCard(NamedTuple):
    """A drawn card, and the pool that its place is drawn from."""

    card: int
    pool: PartPool
    mark: CopyMark | None


class DeckContent(NamedTuple):
    """The cards of a generated deck.

    Attributes:
        houses: the ids of the factions of its first part; the first one is the deck's faction.
        lines: the number, mark and copies of each card, in the order of the files.
        repaired: whether the solver repaired the deck.
    """

    houses: tuple[str, ...]
    lines: tuple[tuple[int, CopyMark | None, int], ...]
    repaired: bool = False


class DeckGenerator:
    """Generates the cards of decks."""

    def __init__(self, game: Game, generator: Generator) -> None:
        """Raise an OutputError if the cards do not suffice for a deck."""
        self.game, self.generator = game, generator
        self.pool = CardPool(game, generator)
        self._limit_trackers: dict[str, LimitTracker] = {}
        if not generator.parts:
            raise generation_error(generator, "`generator` has no `part`, so it makes no decks",
                         'define the parts of decks: `<part cards="30"/>`')  # fmt: skip
        for part, pools in zip(generator.parts, self.pool.pools, strict=True):
            if len(pools) < part.houses:
                have = "has" if len(pools) == 1 else "have"
                message = (
                    f"a part of decks has {pluralize(part.houses, 'faction')}, but {len(pools)} "
                    f"{have} cards that can be drawn for it"
                )
                hint = "check its `where`, `only` and `except`, and the weights of rarities"
                raise OutputError(E110.at(part.source.at(), message, hint))

    def generate(self, seed: str, number: int, attempt: int) -> DeckContent:
        """Return the cards of a deck.

        Args:
            number: the number of the deck, from 1.
            attempt: the attempt, from 1; further ones replace duplicates.

        Raises:
            OutputError: if no legal deck is found.
            ChoiceError: if the solver is needed but not installed.
        """
        draws = SeededRandom(seed, number, attempt, "cards")
        of_part = [
            draws.sample(list(pools), part.houses)
            for part, pools in zip(self.generator.parts, self.pool.pools, strict=True)
        ]
        for _ in range(_MAX_DRAWINGS):
            drawing = _Drawing(self, draws, of_part)
            if drawing.draw():
                return drawing.content()
        return self._repair(drawing)

    def limit_tracker(self, faction_id: str) -> LimitTracker:
        """Return the limits of a faction's decks."""
        if faction_id not in self._limit_trackers:
            self._limit_trackers[faction_id] = LimitTracker(
                self.game, self.generator, faction_id, self.pool.cards
            )
        return self._limit_trackers[faction_id]

    @cached_property
    def _size_limits(self) -> tuple[Limit, ...]:
        """The sizes of zones that follow from the parts, as limits for the solver."""
        copies = Counter[str]()
        for part, pools in zip(self.generator.parts, self.pool.pools, strict=True):
            cards = (self.pool.cards[at] for pool in pools.values() for at in pool.cards)
            zones = {zone.id for card in cards if (zone := zone_of(self.game, card))}
            if len(zones) > 1:
                return ()
            copies[zones.pop()] += part.houses * part.cards
        source = self.generator.source
        return tuple(
            Limit("generator", "cards", zone, source, exactly=number)
            for zone, number in copies.items()
        )

    def _repair(self, drawing: _Drawing) -> DeckContent:
        """Return the nearest legal deck, which the solver finds."""
        from deckwright.decks.solver.highs import require_installed  # seldom
        from deckwright.decks.solver.solving import SolveOptions, solve

        require_installed()
        deck, deck_rules = drawing.deck(), drawing.limit_tracker.deck_rules
        cards = (self.pool.cards[at] for at in sorted(drawing.possible_cards()))
        game = self.game._replace(cards={(c.faction_id, c.id): c for c in cards})
        deck_rules = deck_rules._replace(limits=(*deck_rules.limits, *self._size_limits))
        options = SolveOptions(nearest=deck, seconds=_SOLVER_SECONDS)
        answers = solve(game, deck.faction_id, deck_rules, options, self.generator.format).answers
        # An unproven answer depends on the speed of the machine.
        if answers and answers[0].proven and answers[0].settled:
            numbers = {(c.faction_id, c.id): at for at, c in enumerate(self.pool.cards)}
            copies = Counter[int]()
            for entry in answers[0].deck.entries:
                copies[numbers[entry.faction_id, entry.card_id]] += entry.copies
            most, parts = self.generator.copies, self.generator.parts
            whole = copies.total() == sum(part.houses * part.cards for part in parts)
            too_many = most is not None and max(copies.values(), default=0) > most
            if whole and not too_many and find_unmet_demand(self.pool, copies) is None:
                lines = _deck_lines(copies, drawing.places)
                return DeckContent(drawing.houses, lines, repaired=True)
        message = f"no deck of `{deck.faction_id}` could be made with `generator`; the last one "
        hint = "change the numbers of cards of parts, or relax the demands"
        if drawing.failure:
            raise generation_error(self.generator, message + drawing.failure, hint)
        lacking = find_unmet_demand(self.pool, drawing.copies)
        if lacking is not None:
            place = self.generator.demands[self.pool.demands.index(lacking)].source.at()
            raise OutputError(E110.at(place, f"{message}lacks this", hint))
        broken = drawing.limit_tracker.findings(deck)
        reason = f": {broken[0].message}" if broken else ""
        raise generation_error(self.generator, f"{message}was not legal{reason}", hint)


def generation_error(generator: Generator, message: str, hint: str) -> OutputError:
    """Return the error that decks cannot be generated."""
    return OutputError(E110.at(generator.source.at(), message, hint))


def _count_demanded(pool: CardPool, copies: Counter[int]) -> Iterator[tuple[CardDemand, int]]:
    """Yield the demands that apply to a deck, each with the number of its cards in it."""
    there = +copies if pool.demands else copies
    for demand in pool.demands:
        if demand.when is None or not demand.when.isdisjoint(there):
            yield demand, sum(number for at, number in there.items() if at in demand.cards)


def find_unmet_demand(pool: CardPool, copies: Counter[int]) -> CardDemand | None:
    """Return the first demand that a deck does not meet, None if it meets all."""
    counts = _count_demanded(pool, copies)
    return next((demand for demand, number in counts if number < demand.min), None)


class _Drawing:
    """A deck that is being drawn; `failure` is why it is not complete, "" if it is."""

    def __init__(
        self, maker: DeckGenerator, draws: SeededRandom, of_part: Sequence[Sequence[str]]
    ) -> None:
        """Start with an empty deck; `of_part` has the ids of the chosen factions of each part."""
        self._pool, self._generator, self._draws = maker.pool, maker.generator, draws
        self.places: list[DrawnCard] = []
        self.failure = ""
        self.copies = Counter[int]()
        self._part_factions = of_part
        self.houses = tuple(of_part[0])
        self._own_factions = {name for names in of_part for name in names}
        self.limit_tracker = maker.limit_tracker(self.houses[0])
        self.limit_tracker.clear()

    def draw(self) -> bool:
        """Draw all cards; return whether the deck is legal."""
        parts = zip(self._generator.parts, self._pool.pools, self._part_factions, strict=True)
        for part, pools, houses in parts:
            for house in houses:
                for _ in range(part.cards):
                    if not self._draw_place(pools, house):
                        cards = f"had {pluralize(len(self.places), 'card')}"
                        self.failure = f"{cards}, and no other card of `{house}` fits its limits"
                        # Continue with the other houses, so that the solver has less to repair.
                        break
        if self.failure or not self._meet_demands() or self.limit_tracker.has_shortage():
            return False
        return self.limit_tracker.is_complete or not self.limit_tracker.findings(self.deck())

    def possible_cards(self) -> set[int]:
        """Return the cards that a deck of its factions may contain."""
        parts = zip(self._pool.pools, self._part_factions, strict=True)
        pools = (pools[house] for pools, houses in parts for house in houses)
        return {card for pool in pools for card in pool.cards} | {p.card for p in self.places}

    def deck(self) -> Deck:
        """Return the drawn cards as a deck list."""
        return self.limit_tracker.deck(sorted((+self.copies).items()))

    def content(self) -> DeckContent:
        """Return the drawn cards."""
        return DeckContent(self.houses, _deck_lines(self.copies, self.places))

    def _draw_place(self, pools: dict[str, PartPool], house: str) -> bool:
        """Draw a card for a place; return whether there is one."""
        pool, mark, card = pools[house], None, None
        for what, special in ((MAVERICK, self._generator.maverick),
                              (LEGACY, self._generator.legacy)):  # fmt: skip
            if card is None and special and self._draws.below(MILLION) < special.chance:
                lots = [pool.legacy]
                if what == MAVERICK:
                    others = (
                        each for name, each in pools.items() if name not in self._own_factions
                    )
                    lots = [each.maverick for each in others if each.maverick.items]
                lot = lots[self._draws.below(len(lots))] if lots else None
                if lot is not None and lot.items:
                    card, mark = self._draw_card(lot), CopyMark(what, house)
        if card is None:
            card, mark = self._draw_card(pool.usual), None
        if card is None:
            return False
        self.places.append(DrawnCard(card, pool, mark))
        self._count(card, 1)
        return True

    def _draw_card(self, lot: WeightedItems) -> int | None:
        """Draw a card that the limits allow; None if there is none."""
        allows = self.limit_tracker.allows
        for _ in range(_MAX_REDRAWS):
            card = lot.draw(self._draws)
            if allows(card):
                return card
        left = lot.only_allowed(map(allows, lot.items))
        return left.draw(self._draws) if left.items else None

    def _count(self, card: int, copies: int) -> None:
        self.copies[card] += copies
        self.limit_tracker.add(card, copies)

    def _meet_demands(self) -> bool:
        """Exchange unneeded cards for demanded ones; return whether all demands are met."""
        allows = self.limit_tracker.allows
        for _ in range(_MAX_EXCHANGES):
            demand = find_unmet_demand(self._pool, self.copies)
            if demand is None:
                return True
            for at in self._draws.shuffle(range(len(self.places))):
                place = self.places[at]
                # A card stays if its removal would break a demand, or change which ones apply.
                is_needed = any(
                    place.card in (each.when or ())
                    or (place.card in each.cards and number <= each.min)
                    for each, number in _count_demanded(self._pool, self.copies)
                )
                if place.mark is not None or is_needed:
                    continue
                self._count(place.card, -1)
                fitting = [c for c in place.pool.cards if c in demand.cards and allows(c)]
                card = fitting[self._draws.below(len(fitting))] if fitting else place.card
                self.places[at] = place._replace(card=card)
                self._count(card, 1)
                if fitting:
                    break
            else:
                return False
        return False


def _deck_lines(
    copies: Counter[int], places: list[DrawnCard]
) -> tuple[tuple[int, CopyMark | None, int], ...]:
    """Return the lines of a deck; marked copies have lines of their own."""
    marked = Counter((place.card, place.mark) for place in places if place.mark)
    lines = Counter[tuple[int, CopyMark | None]]()
    for (card, mark), number in marked.items():
        lines[card, mark] = min(number, copies[card])
    for card, number in copies.items():
        lines[card, None] = number - sum(n for (c, m), n in lines.items() if c == card and m)
    return tuple(
        (card, mark, number)
        for (card, mark), number in sorted(lines.items(), key=lambda i: (i[0][0], i[0][1] or ()))
        if number > 0
    )
