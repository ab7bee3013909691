"""Opening hands: samples, and exact odds under best play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb, lcm, prod
from typing import Annotated, NamedTuple, TypedDict, TypeVar, Unpack

from deckwright.base.findings import ChoiceError, known_hint, require_known
from deckwright.base.options import Option
from deckwright.base.units import pluralize
from deckwright.checks.counting import DeckLine
from deckwright.decks.stats import DeckStats
from deckwright.game.deck_rules import Opening
from deckwright.game.model import Card
from deckwright.game.setup import Setup

Cards = tuple[int, ...]
T = TypeVar("T")


def iterate_draws(pile: Cards, number: int) -> Iterator[tuple[Cards, int]]:
    """Yield the possible draws of a number of cards from a pile, each with its number of ways.

    These are the terms of the multivariate hypergeometric distribution. They add up to
    `comb(sum(pile), number)`.
    """
    for drawn in iterate_choices(pile, number):
        yield drawn, prod(map(comb, pile, drawn))


def iterate_choices(pile: Cards, number: int) -> Iterator[Cards]:
    """Yield each choice of a number of cards from a pile, as numbers by kind."""
    if not pile:
        if number == 0:
            yield ()
        return
    least = max(0, number - sum(pile[1:]))
    for first in range(least, min(pile[0], number) + 1):
        for others in iterate_choices(pile[1:], number - first):
            yield (first, *others)


def count_choices(pile: Cards, number: int) -> int:
    """Return the number of choices that `iterate_choices` yields, without enumerating them."""
    counts = [1] + [0] * number
    for size in pile:
        sums = list(accumulate(counts, initial=0))
        counts = [sums[at + 1] - sums[max(0, at - size)] for at in range(number + 1)]
    return counts[number]


def add_cards(one: Cards, other: Cards) -> Cards:
    """Add numbers of cards by kind."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def subtract_cards(one: Cards, other: Cards) -> Cards:
    """Subtract numbers of cards by kind."""
    return tuple(a - b for a, b in zip(one, other, strict=True))


def count_groups(cards: Cards, kinds: Sequence[Cards]) -> Cards:
    """Return the cards in each group; each kind has 1 for the groups that it belongs to, else 0."""
    return tuple(
        sum(n for n, belongs in zip(cards, group, strict=True) if belongs)
        for group in zip(*kinds, strict=True)
    )


class Outcome(NamedTuple):
    """The outcome of a decision, in whole units of the player's denominator.

    Attributes:
        expected: the expected number of cards of all groups.
        numbers: the chances of each combination of numbers of cards by group.
    """

    chance: int
    expected: int
    numbers: Mapping[Cards, int]

    @property
    def worth(self) -> tuple[int, int]:
        """The value to maximize: first the chance, then the expected number."""
        return self.chance, self.expected


class Player:
    """A player who decides optimally which cards of a hand to redraw.

    Attributes:
        certainty: the common denominator of all chances, so that these are whole numbers.
    """

    def __init__(
        self, kinds: Sequence[Cards], at_least: Cards, other_cards: int, redraws: int, draws: int
    ) -> None:
        """Set the rules of the decision.

        Args:
            kinds: the groups that each kind of card belongs to, as in `count_groups`.
            at_least: the number of cards wanted of each group.
            other_cards: the number of cards left in the pile.
            draws: the number of cards drawn after the redraws.
        """
        self._kinds, self._at_least, self._other_cards = kinds, at_least, other_cards
        self._redraws, self._draws = redraws, draws
        news = range(min(other_cards, redraws + draws) + 1)
        self.certainty = lcm(*(comb(other_cards, new) for new in news)) * comb(other_cards, draws)

    def best_outcome(self, hand: Cards, pile: Cards) -> Outcome:
        """Return the outcome of the best choice of cards to redraw."""

        @cache
        def new_cards(number: int) -> dict[Cards, int]:
            """Return the ways to draw a number of cards from the pile, by numbers of each group."""
            ways: Counter[Cards] = Counter()
            for drawn, number_of_ways in iterate_draws(pile, number):
                ways[count_groups(drawn, self._kinds)] += number_of_ways
            return ways

        choices = (self._outcome_of(hand, laid, new_cards) for laid in self._choices(hand))
        return max(choices, key=lambda outcome: outcome.worth)

    def _choices(self, hand: Cards) -> Iterator[Cards]:
        """Yield the choices of cards to redraw that may be optimal.

        A card of no group is never better than another one, so these are redrawn first. A card of
        all groups is never worse than another one, so these are kept.
        """
        useless = [0 if any(kind) else n for kind, n in zip(self._kinds, hand, strict=True)]
        number = min(self._redraws, sum(useless))
        first = tuple(min(number, n) for n in useless)
        some = tuple(
            n if any(kind) and not all(kind) else 0
            for kind, n in zip(self._kinds, hand, strict=True)
        )
        for more in range(min(self._redraws - number, sum(some)) + 1):
            yield from (add_cards(first, laid) for laid in iterate_choices(some, more))

    def _outcome_of(
        self, hand: Cards, laid: Cards, new_cards: Callable[[int], Mapping[Cards, int]]
    ) -> Outcome:
        """Return the outcome of redrawing some cards.

        Some of the cards drawn at the end were laid aside before; all others come from the
        original pile.
        """
        kept, aside = subtract_cards(hand, laid), sum(laid)
        numbers: Counter[Cards] = Counter()
        for back in range(min(aside, self._draws) + 1):
            new = aside + self._draws - back
            if new > self._other_cards:
                continue
            ways = comb(self._other_cards - aside, self._draws - back)
            part = (
                self.certainty
                // comb(self._other_cards, self._draws)
                // comb(self._other_cards, new)
                * ways
            )
            for again, ways_back in iterate_draws(laid, back):
                own = count_groups(add_cards(kept, again), self._kinds)
                for counts, ways_new in new_cards(new).items():
                    numbers[add_cards(own, counts)] += part * ways_back * ways_new
        return self._make_outcome(numbers)

    def _make_outcome(self, numbers: Mapping[Cards, int]) -> Outcome:
        good = (
            share
            for counts, share in numbers.items()
            if all(n >= least for n, least in zip(counts, self._at_least, strict=True))
        )
        expected = (sum(counts) * share for counts, share in numbers.items())
        return Outcome(sum(good), sum(expected), numbers)

    def combine(self, outcomes: Iterable[tuple[int, Outcome]]) -> Outcome:
        """Combine several outcomes, weighted by their numbers of ways."""
        numbers: Counter[Cards] = Counter()
        for ways, outcome in outcomes:
            for counts, share in outcome.numbers.items():
                numbers[counts] += ways * share
        return self._make_outcome(numbers)


MAX_MULLIGANS = 100
"""The most mulligans that are supported."""
_MAX_WORK = 4_000_000
"""The most combinations of cards that are enumerated, which takes some seconds."""


class Odds(NamedTuple):
    """The odds of holding the wanted cards, and numbers of cards.

    Attributes:
        cards: the number of cards in the pile.
        groups: the number of cards in each group.
        chance: the chance to hold enough cards of every group.
        numbers: for each group, the chances of 0, 1, 2 … of its cards, up to the maximum, if the
            player maximizes `chance` and, among equally good decisions, the expected number of
            cards.
    """

    cards: int
    groups: Cards
    chance: Fraction
    numbers: tuple[tuple[Fraction, ...], ...]

    @property
    def expected(self) -> tuple[Fraction, ...]:
        """The expected number of cards of each group."""
        return tuple(
            sum((number * share for number, share in enumerate(shares)), Fraction(0))
            for shares in self.numbers
        )


def compute_odds(
    groups: Mapping[Cards, int], at_least: Cards, opening: Opening, turn: int = 0
) -> Odds:
    """Return the odds of holding enough cards of each group.

    The player sees the hand and decides optimally: either takes a mulligan, if any are left, or
    keeps the hand and redraws some cards. With 0 for each group, the player maximizes the number of
    their cards.

    Args:
        groups: the number of cards by membership in groups. `{(1, 0): 5, (1, 1): 2, (0, 0): 18}`
            are seven cards of the first group, two of which belong to the second group as well,
            and 18 others.
        opening: the rules for the hand. A smaller pile is drawn completely.
        turn: the number of turns with draws; 0 for the opening hand.

    Raises:
        ChoiceError: if there are too many combinations to enumerate.
    """
    kinds = sorted({*groups, tuple(0 for _ in at_least)})
    pile = tuple(groups.get(kind, 0) for kind in kinds)
    hand = min(opening.hand, sum(pile))
    rest = sum(pile) - hand
    redraws, later = min(opening.redraws, hand, rest), min(opening.draws * turn, rest)
    if opening.mulligans > MAX_MULLIGANS:
        message = f"odds with {pluralize(opening.mulligans, 'mulligan')} are not supported"
        raise ChoiceError(message, f"ask for at most {MAX_MULLIGANS}")
    # Estimate the number of combinations of cards.
    some = tuple(n for n, kind in zip(pile, kinds, strict=True) if any(kind) and not all(kind))
    choices = sum(count_choices(some, laid) for laid in range(redraws + 1))
    new = min(redraws + later, rest)
    results: int = min(count_choices(pile, new), (new + 1) ** len(kinds[0]))
    work = count_choices(pile, new) + choices * (later + 1) * results
    if count_choices(pile, hand) * work > _MAX_WORK:
        raise ChoiceError(
            "there are too many possible hands to count", "use fewer groups, cards or turns"
        )
    player = Player(kinds, at_least, rest, redraws, later)
    hands = [
        (ways, player.best_outcome(cards, subtract_cards(pile, cards)))
        for cards, ways in iterate_draws(pile, hand)
    ]
    all_ways = comb(sum(pile), hand)
    outcome, whole, factor = player.combine(hands), player.certainty * all_ways, 1
    for _ in range(opening.mulligans):
        factor *= all_ways
        outcome = player.combine(
            (ways * factor, each)
            if (each.chance * factor, each.expected * factor) >= outcome.worth
            else (ways, outcome)
            for ways, each in hands
        )
        whole *= all_ways
    numbers = []
    for group in range(len(at_least)):
        shares = [0] * (max(counts[group] for counts in outcome.numbers) + 1)
        for counts, share in outcome.numbers.items():
            shares[counts[group]] += share
        numbers.append(tuple(Fraction(share, whole) for share in shares))
    chance = Fraction(outcome.chance, whole)
    return Odds(sum(pile), count_groups(pile, kinds), chance, tuple(numbers))


class OpeningOptions(TypedDict, total=False):
    """Overrides of the opening hand in `game.xml`. None counts as missing."""

    zone: Annotated[str | None, Option("Draw from this zone instead of the game's.", "ID")]
    hand: Annotated[
        int | None, Option("Start with this many cards instead of the game's number.", None, 1, 999)
    ]
    redraws: Annotated[
        int | None, Option("Let players replace this many cards once.", None, 0, 999)
    ]
    mulligans: Annotated[
        int | None, Option("Let players shuffle their hand back this many times.", None, 0, 999)
    ]
    draws: Annotated[int | None, Option("Draw this many cards each turn.", None, 0, 999)]


def resolve_opening(
    setup: Setup, *, turns: bool = False, **openings: Unpack[OpeningOptions]
) -> Opening:
    """Return the opening of a game with all its numbers and its zone.

    Args:
        turns: whether cards are drawn in later turns.
        openings: overrides; a key with None marks an option that the caller offers.

    Raises:
        ChoiceError: if the zone does not exist, or a number of cards is unknown.
    """
    defaults = setup.opening or Opening(0)
    hand = openings.get("hand")
    if hand is None and setup.opening is None:
        message = "game.xml does not define the opening hand"
        hint = 'write `<opening hand="7"/>` into its element `deck`'
        raise ChoiceError(message, f"give `--hand 7`, or {hint}" if "hand" in openings else hint)
    zone = openings.get("zone") or defaults.zone or setup.main_zone.id
    require_known(zone, [each.id for each in setup.zones], "zone", " in game.xml")
    numbers = {
        name: value
        for name in ("hand", "redraws", "mulligans", "draws")
        if isinstance(value := openings.get(name), int)
    }
    opening = defaults._replace(zone=zone, **numbers)
    if turns and not opening.draws:
        message = "game.xml does not say how many cards are drawn each turn"
        hint = 'give `--draws 1`, or add `draws="1"` to its element `opening`'
        raise ChoiceError(message, hint)
    return opening


def find_pile(stats: DeckStats, opening: Opening) -> tuple[DeckLine, ...]:
    """Return the lines of the zone that an opening draws from, in the order of the deck list."""
    return next((zone.lines for zone in stats.zones if zone.id == opening.zone), ())


class Hand(NamedTuple):
    """A drawn hand.

    Attributes:
        seed: the seed of the shuffle.
        cards: the hand before the first turn, in the order of drawing; redrawn cards are in the
            places of those that were laid aside.
        aside: the cards that were laid aside and shuffled back.
        turns: the cards drawn in each turn.
        pile_size: the number of cards left in the pile.
    """

    seed: int
    cards: tuple[Card, ...]
    aside: tuple[Card, ...] = ()
    turns: tuple[tuple[Card, ...], ...] = ()
    pile_size: int = 0


def draw_hand(
    pile: Iterable[DeckLine],
    opening: Opening,
    seed: int,
    *,
    mulligans: int = 0,
    redraw: Sequence[str] = (),
    turns: int = 0,
) -> Hand:
    """Shuffle a pile and draw an opening hand, and the cards of the turns after it.

    Drawing stops when the pile is empty.

    Args:
        redraw: the ids or names of the cards to redraw, once for each copy, with the id of the
            faction and a colon where needed. Their replacements are drawn before they are shuffled
            back.

    Raises:
        ChoiceError: if the opening does not allow this, or the hand does not hold such cards.
    """
    _require_allowed(mulligans, opening.mulligans, "mulligan")
    _require_allowed(len(redraw), opening.redraws, "redraw")
    cards = [line.card for line in pile for _ in range(line.entry.copies)]
    hand, rest, chance = deal_hand(cards, opening.hand, seed, mulligans)
    places: list[int] = []
    for name in redraw:
        called = [place for place, card in enumerate(hand) if card.is_called(name)]
        left = [place for place in called if place not in places]
        if not left:
            words = [word for card in hand for word in (card.id, card.name)]
            hint = None if called else known_hint(name, dict.fromkeys(words))
            more = " more" if called else ""
            raise ChoiceError(f"there is no{more} card `{name}` in the hand", hint)
        places.append(left[0])
    aside, rest = redraw_cards(hand, rest, places, chance)
    step = opening.draws
    drawn = tuple(tuple(rest[turn * step : (turn + 1) * step]) for turn in range(turns))
    return Hand(seed, tuple(hand), tuple(aside), drawn, max(0, len(rest) - turns * step))


def group_cards(cards: Iterable[Card], pile: Iterable[DeckLine]) -> tuple[DeckLine, ...]:
    """Group cards into lines with numbers of copies, in the order of the pile."""
    counts = Counter((card.faction_id, card.id) for card in cards)
    lines = {(line.card.faction_id, line.card.id): line for line in pile}
    return tuple(
        line._replace(entry=line.entry._replace(copies=counts[key]))
        for key, line in lines.items()
        if key in counts
    )


def _require_allowed(number: int, allowed: int, what: str) -> None:
    if number > allowed:
        allowance = f"{allowed or 'no'} {what}{'s' * (allowed > 1)}"
        message = (
            f"the game allows {allowance}, but {number} {'is' if number == 1 else 'are'} requested"
        )
        raise ChoiceError(message, f"allow more with `--{what}s {number}`")


def deal_hand(
    cards: Sequence[T], size: int, seed: int, mulligans: int
) -> tuple[list[T], list[T], random.Random]:
    """Shuffle a pile for each mulligan once more; return the hand, the rest and the generator."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    pile = [*cards]
    for _ in range(mulligans + 1):
        pile = shuffle(pile, chance)
    return pile[:size], pile[size:], chance


def redraw_cards(
    hand: list[T], rest: Sequence[T], places: Sequence[int], chance: random.Random
) -> tuple[list[T], list[T]]:
    """Replace the cards at some places of a hand by the next of the pile, then shuffle them back.

    Returns:
        The cards that were laid aside, and the pile.
    """
    places, pile = places[: len(rest)], [*rest]
    aside = [hand[place] for place in places]
    for place in places:
        hand[place] = pile.pop(0)
    return aside, shuffle([*pile, *aside], chance) if aside else pile


def shuffle(cards: Sequence[T], chance: random.Random) -> list[T]:
    """Shuffle cards with the Fisher–Yates algorithm."""
    pile = list(cards)
    for last in range(len(pile) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        pile[last], pile[other] = pile[other], pile[last]
    return pile
