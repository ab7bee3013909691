"""Generate a deck as a function of the seed, its number and the attempt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from deckwright.base.findings import Code, Diagnostic, Report, Severity, is_error
from deckwright.base.output import OutputError
from deckwright.base.units import pluralize
from deckwright.checks.counting import (
    DeckLine,
    DeckRules,
    card_matches,
    count_total,
    value_of,
    zone_of,
)
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
from deckwright.game.kinds import parts_of
from deckwright.game.model import Card, Deck, DeckEntry, Game


class LimitRow(NamedTuple):
    """The bounds of a limit, or of one value of its `per`; None where it has no bound."""

    lower: int | None
    upper: int | None


class LimitTracker:
    """The limits of a faction's decks, in a form that is quick to check card by card.

    Attributes:
        deck_rules: the limits and restrictions of such decks.
        rows: the counted totals with their bounds.
        counts: for each card, the numbers of rows, each with what a copy adds to it.
        excluded: the numbers of cards that such a deck cannot contain.
        is_complete: whether `rows` cover all limits; others are checked at the end.
    """

    def __init__(
        self, game: Game, faction_id: str, format_id: str | None, cards: Sequence[Card]
    ) -> None:
        """Set all possible cards. Their positions are their numbers."""
        self._game = game
        self._empty = empty_deck(game, faction_id, format_id=format_id)
        self._cards = cards
        self.deck_rules: DeckRules = resolve_deck_rules(game, self._empty, format_id, {})
        self.rows: list[LimitRow] = []
        self.counts: list[tuple[tuple[int, int], ...]] = []
        self.excluded: set[int] = set()
        self.is_complete = True
        self._lines = [self._make_line(card) for card in cards]
        counts: list[list[tuple[int, int]]] = [[] for _ in cards]
        for limit in self.deck_rules.limits:
            if not limit.warning and not self._add_limit(limit, counts):
                self.is_complete = False
        self.counts = [tuple(each) for each in counts]

    def _make_line(self, card: Card) -> DeckLine:
        entry = DeckEntry(card.faction_id, card.id, 1, self._empty.source)
        return DeckLine(entry, card, zone_of(self._game, card))

    def _add_limit(self, limit: Limit, found: list[list[tuple[int, int]]]) -> bool:
        """Add a limit if it can be counted card by card; return whether it can."""
        if not limit.is_fixed or limit.exemptions or limit.distinct is not None:
            return False
        counted = [
            (at, line)
            for at, line in enumerate(self._lines)
            if line.zone is not None and line.zone.id == limit.zone
            if card_matches(limit.where, line.card)
        ]
        totals = [count_total(limit, [line]) for _, line in counted]
        amounts = [total for total in totals if isinstance(total, int) and total >= 0]
        if len(amounts) < len(totals):
            return False
        if limit.own_faction:
            own = self._empty.faction_id
            self.excluded |= {at for at, line in counted if line.card.faction_id != own}
        numbers = [limit.min, limit.max, limit.exactly]
        least, most, exactly = (n if isinstance(n, int) else None for n in numbers)
        row = LimitRow(least, most) if exactly is None else LimitRow(exactly, exactly)
        if limit.per and row.lower is not None:
            return False
        if row == (None, None):
            return True
        places: dict[object, int] = {}
        if not limit.per:
            places[None] = self._add_row(row)
        for (at, line), amount in zip(counted, amounts, strict=True):
            value = value_of(line.card, limit.per) if limit.per else None
            for each in dict.fromkeys(parts_of(value)) if limit.per else (None,):
                if each not in places:
                    places[each] = self._add_row(row)
                found[at].append((places[each], amount))
        return True

    def _add_row(self, row: LimitRow) -> int:
        self.rows.append(row)
        return len(self.rows) - 1

    def has_shortage(self, totals: Sequence[int]) -> bool:
        """Return whether a deck with these totals falls short of a minimum."""
        return any(
            row.lower is not None and total < row.lower
            for row, total in zip(self.rows, totals, strict=True)
        )

    def deck(self, copies: Iterable[tuple[int, int]]) -> Deck:
        """Return the deck list for cards with their numbers of copies."""
        entries = (self._lines[at].entry._replace(copies=number) for at, number in copies)
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
        """Set a game without errors.

        Raises:
            CannotMakeError: if its cards do not suffice for a deck.
        """
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
            CannotMakeError: if no legal deck is found.
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
                self.game, faction_id, self.generator.format, self.pool.cards
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
        """Return the nearest legal deck."""
        deck = drawing.deck()
        content = self._find_nearest(drawing, deck)
        faction = deck.faction_id
        if content is None:
            message = f"no deck of `{faction}` could be made with `generator`; the last one "
            hint = "change the numbers of cards of parts, or relax the demands"
            lacking = drawing.unmet_demand()
            if lacking is not None:
                place = self.generator.demands[lacking].source.at()
                raise OutputError(E110.at(place, f"{message}lacks this", hint))
            raise generation_error(self.generator, message + drawing.describe_failure(), hint)
        return content

    def _find_nearest(self, drawing: _Drawing, deck: Deck) -> DeckContent | None:
        from deckwright.decks.solver.highs import require_installed  # seldom
        from deckwright.decks.solver.solving import SolveOptions, solve

        require_installed()
        faction, keeper = deck.faction_id, drawing.limit_tracker
        cards = (self.pool.cards[at] for at in sorted(drawing.possible_cards()))
        game = self.game._replace(cards={(c.faction_id, c.id): c for c in cards})
        options = SolveOptions(nearest=deck, seconds=_SOLVER_SECONDS)
        deck_rules = keeper.deck_rules._replace(
            limits=(*keeper.deck_rules.limits, *self._size_limits)
        )
        answers = solve(game, faction, deck_rules, options, self.generator.format).answers
        if not answers or not (answers[0].proven and answers[0].settled):
            # An unproven answer depends on the speed of the machine.
            return None
        numbers = {(c.faction_id, c.id): at for at, c in enumerate(self.pool.cards)}
        copies = Counter[int]()
        for entry in answers[0].deck.entries:
            copies[numbers[entry.faction_id, entry.card_id]] += entry.copies
        most, parts = self.generator.copies, self.generator.parts
        whole = copies.total() == sum(part.houses * part.cards for part in parts)
        too_many = most is not None and max(copies.values(), default=0) > most
        if not whole or too_many or any(unmet_demands(self.pool, copies)):
            return None
        return DeckContent(drawing.houses, repaired=True, lines=_deck_lines(copies, drawing.places))


def generation_error(generator: Generator, message: str, hint: str) -> OutputError:
    """Return the error that decks cannot be generated."""
    return OutputError(E110.at(generator.source.at(), message, hint))


def unmet_demands(stock: CardPool, copies: Counter[int]) -> Iterator[CardDemand]:
    """Yield the demands that a deck does not meet."""
    for demand in stock.demands:
        if demand.when is None or not demand.when.isdisjoint(copies):
            had = sum(number for at, number in copies.items() if at in demand.cards)
            if had < demand.min:
                yield demand


class _Drawing:
    """A deck that is being drawn."""

    def __init__(
        self, maker: DeckGenerator, draws: SeededRandom, of_part: Sequence[Sequence[str]]
    ) -> None:
        """Start with an empty deck.

        Args:
            of_part: the ids of the chosen factions of each part.
        """
        self._pool, self._generator, self._draws = maker.pool, maker.generator, draws
        self.places: list[DrawnCard] = []
        self._failure = ""
        self._copies = Counter[int]()
        self._part_factions = of_part
        self.houses = tuple(of_part[0])
        self._own_factions = {name for names in of_part for name in names}
        self.limit_tracker = maker.limit_tracker(self.houses[0])
        self._totals = [0] * len(self.limit_tracker.rows)

    def draw(self) -> bool:
        """Draw all cards; return whether the deck is legal."""
        if not (self._draw_all() and self._meet_demands()):
            return False
        if self.limit_tracker.has_shortage(self._totals):
            return False
        return self.limit_tracker.is_complete or not self.limit_tracker.findings(self.deck())

    def possible_cards(self) -> set[int]:
        """Return the cards that a deck of its factions may contain."""
        parts = zip(self._pool.pools, self._part_factions, strict=True)
        pools = (pools[house] for pools, houses in parts for house in houses)
        return {card for pool in pools for card in pool.cards} | {p.card for p in self.places}

    def unmet_demand(self) -> int | None:
        """Return the number of a demand that the complete deck does not meet, or None."""
        lack = None if self._failure else next(unmet_demands(self._pool, +self._copies), None)
        return None if lack is None else self._pool.demands.index(lack)

    def describe_failure(self) -> str:
        """Describe why the deck failed."""
        broken = self.limit_tracker.findings(self.deck())
        return self._failure or (
            f"was not legal: {broken[0].message}" if broken else "was not legal"
        )

    def deck(self) -> Deck:
        """Return the drawn cards as a deck list."""
        return self.limit_tracker.deck(sorted((+self._copies).items()))

    def content(self) -> DeckContent:
        """Return the drawn cards."""
        return DeckContent(self.houses, _deck_lines(self._copies, self.places))

    def _draw_all(self) -> bool:
        """Draw a card for every place; return whether this succeeded."""
        parts = zip(self._generator.parts, self._pool.pools, self._part_factions, strict=True)
        for part, pools, houses in parts:
            for house in houses:
                for _ in range(part.cards):
                    if not self._draw_place(pools, house):
                        cards = f"had {pluralize(len(self.places), 'card')}"
                        self._failure = f"{cards}, and no other card of `{house}` fits its limits"
                        # Continue with the other houses, so that the solver has less to repair.
                        break
        return not self._failure

    def _draw_place(self, pools: dict[str, PartPool], house: str) -> bool:
        pool = pools[house]
        for what, special in ((MAVERICK, self._generator.maverick),
                              (LEGACY, self._generator.legacy)):  # fmt: skip
            if special is not None and self._draws.below(MILLION) < special.chance:
                lots = [pool.legacy] if what == LEGACY else self._foreign_mavericks(pools)
                lot = lots[self._draws.below(len(lots))] if lots else pool.legacy
                card = self._draw_card(lot) if lot.items else None
                if card is not None:
                    self._add(DrawnCard(card, pool, CopyMark(what, house)))
                    return True
        card = self._draw_card(pool.usual)
        if card is None:
            return False
        self._add(DrawnCard(card, pool, None))
        return True

    def _foreign_mavericks(self, pools: dict[str, PartPool]) -> list[WeightedItems]:
        others = (pool.maverick for name, pool in pools.items() if name not in self._own_factions)
        return [lot for lot in others if lot.items]

    def _draw_card(self, lot: WeightedItems) -> int | None:
        """Draw a card that the limits allow; None if there is none."""
        for _ in range(_MAX_REDRAWS):
            card = lot.draw(self._draws)
            if self._admits(card):
                return card
        left = lot.only_allowed(map(self._admits, lot.items))
        return left.draw(self._draws) if left.items else None

    def _admits(self, card: int) -> bool:
        most, keeper = self._generator.copies, self.limit_tracker
        if (most is not None and self._copies[card] >= most) or card in keeper.excluded:
            return False
        for row, amount in keeper.counts[card]:
            end = keeper.rows[row].upper
            if end is not None and self._totals[row] + amount > end:
                return False
        return True

    def _add(self, place: DrawnCard) -> None:
        self.places.append(place)
        self._count(place.card, 1)

    def _count(self, card: int, copies: int) -> None:
        self._copies[card] += copies
        for row, amount in self.limit_tracker.counts[card]:
            self._totals[row] += copies * amount

    def _meet_demands(self) -> bool:
        """Exchange cards until all demands are met; return whether this succeeded."""
        if not self._pool.demands:
            return True
        for _ in range(_MAX_EXCHANGES):
            demand = next(unmet_demands(self._pool, +self._copies), None)
            if demand is None:
                return True
            if not self._exchange(demand):
                return False
        return False

    def _exchange(self, demand: CardDemand) -> bool:
        """Replace a card that is not needed with a demanded one; return whether this succeeded."""
        for at in self._draws.shuffle(range(len(self.places))):
            place = self.places[at]
            if place.mark is not None or self._is_needed(place.card):
                continue
            self._count(place.card, -1)
            fitting = [c for c in place.pool.cards if c in demand.cards and self._admits(c)]
            if fitting:
                card = fitting[self._draws.below(len(fitting))]
                self.places[at] = place._replace(card=card)
                self._count(card, 1)
                return True
            self._count(place.card, 1)
        return False

    def _is_needed(self, card: int) -> bool:
        """Return whether removing a copy would break a demand or change which demands apply."""
        copies = +self._copies
        for demand in self._pool.demands:
            if demand.when is None or not demand.when.isdisjoint(copies):
                if demand.when is not None and card in demand.when:
                    return True
                if card in demand.cards:
                    had = sum(number for at, number in copies.items() if at in demand.cards)
                    if had <= demand.min:
                        return True
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
