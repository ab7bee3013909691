"""Opening hands: samples, and exact odds under best play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb, lcm, prod
from typing import NamedTuple, TypedDict, Unpack

from deckwright.base.findings import ChoiceError, known_hint, require_known
from deckwright.base.units import pluralize
from deckwright.checks.counting import DeckLine
from deckwright.decks.stats import DeckStats
from deckwright.game.deck_rules import Opening
from deckwright.game.model import Card
from deckwright.game.setup import Setup

Cards = tuple[int, ...]


def iterate_draws(pile: Cards, number: int) -> Iterator[tuple[Cards, int]]:
    """Yield what a number of cards from a pile may be, and in how many ways it comes about.

    These are the terms of the multivariate hypergeometric distribution: together they are
    `comb(sum(pile), number)`.
    """
    for drawn in iterate_choices(pile, number):
        yield drawn, prod(map(comb, pile, drawn))


def iterate_choices(pile: Cards, number: int) -> Iterator[Cards]:
    """Yield each choice of a number of cards from a pile once, by kinds."""
    if not pile:
        if number == 0:
            yield ()
        return
    least = max(0, number - sum(pile[1:]))
    for first in range(least, min(pile[0], number) + 1):
        for others in iterate_choices(pile[1:], number - first):
            yield (first, *others)


def count_choices(pile: Cards, number: int) -> int:
    """Return how many choices `iterate_choices` yields, without going through them."""
    counts = [1] + [0] * number
    for size in pile:
        sums = list(accumulate(counts, initial=0))
        counts = [sums[at + 1] - sums[max(0, at - size)] for at in range(number + 1)]
    return counts[number]


def add_cards(one: Cards, other: Cards) -> Cards:
    """Return cards together."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


def subtract_cards(one: Cards, other: Cards) -> Cards:
    """Return cards without others that are among them."""
    return tuple(a - b for a, b in zip(one, other, strict=True))


def count_groups(cards: Cards, kinds: Sequence[Cards]) -> Cards:
    """Return how many cards belong to each group.

    Args:
        kinds: for each kind, 1 for each group that it belongs to and 0 for each other.
    """
    return tuple(
        sum(n for n, belongs in zip(cards, group, strict=True) if belongs)
        for group in zip(*kinds, strict=True)
    )


class Outcome(NamedTuple):
    """What comes of a decision; whole numbers are parts of what the player counts in.

    Attributes:
        chance: to have what is asked for.
        expected: the mean number of cards of all groups.
        numbers: how likely there are how many cards of each group.
    """

    chance: int
    expected: int
    numbers: Mapping[Cards, int]

    @property
    def worth(self) -> tuple[int, int]:
        """What the player wants most of."""
        return self.chance, self.expected

    def times(self, factor: int) -> Outcome:
        """Return it in smaller parts."""
        numbers = {counts: share * factor for counts, share in self.numbers.items()}
        return Outcome(self.chance * factor, self.expected * factor, numbers)


class Player:
    """A player with hands to decide on.

    Attributes:
        whole: into how many parts a certainty is divided, so that all chances are whole numbers.
    """

    def __init__(
        self, kinds: Sequence[Cards], at_least: Cards, rest: int, redraws: int, draws: int
    ) -> None:
        """Take who may lay cards aside.

        Args:
            kinds: the groups that each kind of card belongs to, as in `count_groups`.
            at_least: how many are asked for of each group.
            rest: how many cards are in the pile.
            redraws: how many cards may be laid aside.
            draws: how many cards are drawn afterwards.
        """
        self._kinds, self._at_least, self._rest = kinds, at_least, rest
        self._redraws, self._draws = redraws, draws
        news = range(min(rest, redraws + draws) + 1)
        self.whole = lcm(*(comb(rest, new) for new in news)) * comb(rest, draws)

    def best(self, hand: Cards, pile: Cards) -> Outcome:
        """Return what comes of the best choice of cards to lay aside."""

        @cache
        def new_cards(number: int) -> dict[Cards, int]:
            """Return in how many ways so many cards of the pile have how many of each group."""
            ways: Counter[Cards] = Counter()
            for drawn, number_of_ways in iterate_draws(pile, number):
                ways[count_groups(drawn, self._kinds)] += number_of_ways
            return ways

        choices = (self._outcome(hand, laid, new_cards) for laid in self._choices(hand))
        return max(choices, key=lambda outcome: outcome.worth)

    def _choices(self, hand: Cards) -> Iterator[Cards]:
        """Yield what could be best to lay aside.

        A card of no group is never better than another one, so these go first; a card of all
        groups is never worse than another one, so these stay.
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

    def _outcome(
        self, hand: Cards, laid: Cards, new_cards: Callable[[int], Mapping[Cards, int]]
    ) -> Outcome:
        """Return what comes of laying cards aside.

        Of what is drawn in the end, some was laid aside before, and all else is any of the cards
        that were in the pile in the beginning.
        """
        kept, aside = subtract_cards(hand, laid), sum(laid)
        numbers: Counter[Cards] = Counter()
        for back in range(min(aside, self._draws) + 1):
            new = aside + self._draws - back
            if new > self._rest:
                continue
            ways = comb(self._rest - aside, self._draws - back)
            part = self.whole // comb(self._rest, self._draws) // comb(self._rest, new) * ways
            for again, ways_back in iterate_draws(laid, back):
                held = count_groups(add_cards(kept, again), self._kinds)
                for counts, ways_new in new_cards(new).items():
                    numbers[add_cards(held, counts)] += part * ways_back * ways_new
        return self._make_outcome(numbers)

    def _make_outcome(self, numbers: Mapping[Cards, int]) -> Outcome:
        good = (
            share
            for counts, share in numbers.items()
            if all(n >= least for n, least in zip(counts, self._at_least, strict=True))
        )
        expected = (sum(counts) * share for counts, share in numbers.items())
        return Outcome(sum(good), sum(expected), numbers)

    def together(self, outcomes: Iterable[tuple[int, Outcome]]) -> Outcome:
        """Return what comes of one of several outcomes, given in how many ways each comes."""
        numbers: Counter[Cards] = Counter()
        for ways, outcome in outcomes:
            for counts, share in outcome.numbers.items():
                numbers[counts] += ways * share
        return self._make_outcome(numbers)


MAX_MULLIGANS = 100
"""The most mulligans that are worked out."""
_MAX_WORK = 4_000_000
"""The most combinations of cards that are gone through: some seconds."""


class Odds(NamedTuple):
    """How likely a player has what is asked for, and how many cards.

    Attributes:
        cards: how many cards there are in all.
        groups: how many of them belong to each group.
        chance: that there are enough of every group.
        numbers: for each group, the chances to have 0, 1, 2 … of its cards, up to as many as it
            can be, when the player decides for the best `chance`; of equally good decisions, for
            the one with which more cards of the groups are expected.
    """

    cards: int
    groups: Cards
    chance: Fraction
    numbers: tuple[tuple[Fraction, ...], ...]

    @property
    def expected(self) -> tuple[Fraction, ...]:
        """How many cards of each group there are on average."""
        return tuple(
            sum((number * share for number, share in enumerate(shares)), Fraction(0))
            for shares in self.numbers
        )


def compute_odds(
    groups: Mapping[Cards, int], at_least: Cards, opening: Opening, turn: int = 0
) -> Odds:
    """Return how likely a player has enough cards of each group.

    The player sees the hand and does what is best for that: shuffles all of it back, as long as
    mulligans are left, or keeps it and lays some cards aside. With 0 for each group, the player
    wants as many cards of them as possible.

    Args:
        groups: how many cards belong to which groups: `{(1, 0): 5, (1, 1): 2, (0, 0): 18}` are
            seven cards of the first group, of which two belong to the second one as well, and 18
            others.
        at_least: how many are asked for of each group.
        opening: the hand. If there are fewer cards, the hand is all of them.
        turn: after how many turns with draws; 0 for the opening hand.

    Raises:
        ChoiceError: if there are too many possibilities to go through.
    """
    kinds = sorted({*groups, tuple(0 for _ in at_least)})
    pile = tuple(groups.get(kind, 0) for kind in kinds)
    hand = min(opening.hand, sum(pile))
    rest = sum(pile) - hand
    redraws, later = min(opening.redraws, hand, rest), min(opening.draws * turn, rest)
    if opening.mulligans > MAX_MULLIGANS:
        message = f"odds with {pluralize(opening.mulligans, 'mulligan')} are not worked out"
        raise ChoiceError(message, f"ask for at most {MAX_MULLIGANS}")
    if _estimate_work(pile, kinds, hand, redraws, later) > _MAX_WORK:
        raise ChoiceError(
            "there are too many possible hands to go through all of them",
            "ask for fewer groups, cards or turns",
        )
    player = Player(kinds, at_least, rest, redraws, later)
    hands = [
        (ways, player.best(held, subtract_cards(pile, held)))
        for held, ways in iterate_draws(pile, hand)
    ]
    all_ways = comb(sum(pile), hand)
    outcome, whole, factor = player.together(hands), player.whole * all_ways, 1
    for _ in range(opening.mulligans):
        factor *= all_ways
        kept = [(ways, each.times(factor)) for ways, each in hands]
        outcome = player.together(
            (ways, each if each.worth >= outcome.worth else outcome) for ways, each in kept
        )
        whole *= all_ways
    numbers = _split_by_group(outcome.numbers, len(at_least), whole)
    return Odds(sum(pile), count_groups(pile, kinds), Fraction(outcome.chance, whole), numbers)


def _split_by_group(
    numbers: Mapping[Cards, int], groups: int, whole: int
) -> tuple[tuple[Fraction, ...], ...]:
    """Return how likely there are 0, 1, 2 … cards of each group by itself."""
    by_group = []
    for group in range(groups):
        shares = [0] * (max(counts[group] for counts in numbers) + 1)
        for counts, share in numbers.items():
            shares[counts[group]] += share
        by_group.append(tuple(Fraction(share, whole) for share in shares))
    return tuple(by_group)


def _estimate_work(pile: Cards, kinds: Sequence[Cards], hand: int, redraws: int, later: int) -> int:
    """Return about how many combinations of cards are gone through."""
    some = tuple(n for n, kind in zip(pile, kinds, strict=True) if any(kind) and not all(kind))
    choices = sum(count_choices(some, laid) for laid in range(redraws + 1))
    new = min(redraws + later, sum(pile) - hand)
    results: int = min(count_choices(pile, new), (new + 1) ** len(kinds[0]))
    return count_choices(pile, hand) * (count_choices(pile, new) + choices * (later + 1) * results)


class OpeningOptions(TypedDict, total=False):
    """How a game is opened, where that is not as `game.xml` says; None counts as left out.

    Attributes:
        zone: the id of the zone that cards are drawn from.
        hand: how many cards a player begins with.
        redraws: how many of these may be laid aside for others, once.
        mulligans: how often all of them may be shuffled back for as many others.
        draws: how many cards are drawn each turn.
    """

    zone: str | None
    hand: int | None
    redraws: int | None
    mulligans: int | None
    draws: int | None


def resolve_opening(setup: Setup, **asked: Unpack[OpeningOptions]) -> Opening:
    """Return how a game is opened, in numbers and with its zone.

    Args:
        asked: what callers can ask for, None for what they do not.

    Raises:
        ChoiceError: if there is no such zone, or nobody says how many cards a hand has.
    """
    said = setup.opening or Opening(None, 0)
    hand = asked.get("hand")
    if hand is None and setup.opening is None:
        message = "game.xml does not say with how many cards players begin"
        hint = 'write `<opening hand="7"/>` into its element `deck`'
        raise ChoiceError(message, f"give `--hand 7`, or {hint}" if "hand" in asked else hint)
    zone = asked.get("zone") or said.zone or setup.main_zone.id
    require_known(zone, [each.id for each in setup.zones], "zone", " in game.xml")
    numbers = {
        name: value
        for name in ("hand", "redraws", "mulligans", "draws")
        if isinstance(value := asked.get(name), int)
    }
    return said._replace(zone=zone, **numbers)


def find_pile(stats: DeckStats, opening: Opening) -> tuple[DeckLine, ...]:
    """Return the lines of a deck that an opening draws from, in the order of the deck list."""
    return next((zone.lines for zone in stats.zones if zone.id == opening.zone), ())


class Hand(NamedTuple):
    """A hand that was drawn.

    Attributes:
        seed: what the pile was shuffled by.
        cards: what the player holds before the first turn, as it was drawn; in place of what was
            laid aside is what was drawn for it.
        aside: what was laid aside, and shuffled back.
        turns: what was drawn in each turn.
        left: how many cards the pile has then.
    """

    seed: int
    cards: tuple[Card, ...]
    aside: tuple[Card, ...] = ()
    turns: tuple[tuple[Card, ...], ...] = ()
    left: int = 0


def draw_hand(
    pile: Iterable[DeckLine],
    opening: Opening,
    seed: int,
    *,
    mulligans: int = 0,
    redraw: Sequence[str] = (),
    turns: int = 0,
) -> Hand:
    """Shuffle a pile and draw an opening hand, and what comes in the turns after it.

    Where the pile ends, no more is drawn.

    Args:
        mulligans: how often the hand is shuffled back for another.
        redraw: the ids or names of the cards that are laid aside, each once for each copy, with
            that of its faction and a colon before it where it must be; as many are drawn for them,
            before they are shuffled back.

    Raises:
        ChoiceError: if the opening does not allow that, or the hand does not have such cards.
    """
    _require_allowed(mulligans, opening.mulligans, "mulligan")
    _require_allowed(len(redraw), opening.redraws, "redraw")
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    cards = [line.card for line in pile for _ in range(line.entry.copies)]
    for _ in range(mulligans + 1):
        cards = _shuffle(cards, chance)
    hand, rest = cards[: opening.hand], cards[opening.hand :]
    places = _find_places(hand, redraw)[: len(rest)]
    aside = [hand[place] for place in places]
    for place in places:
        hand[place] = rest.pop(0)
    if aside:
        rest = _shuffle([*rest, *aside], chance)
    step = opening.draws
    drawn = tuple(tuple(rest[turn * step : (turn + 1) * step]) for turn in range(turns))
    left = max(0, len(rest) - turns * step)
    return Hand(seed, tuple(hand), tuple(aside), drawn, left)


def group_cards(cards: Iterable[Card], pile: Iterable[DeckLine]) -> tuple[DeckLine, ...]:
    """Return cards as lines with their numbers of copies, in the order of the pile."""
    counts = Counter((card.faction_id, card.id) for card in cards)
    lines = {(line.card.faction_id, line.card.id): line for line in pile}
    return tuple(
        line._replace(entry=line.entry._replace(copies=counts[key]))
        for key, line in lines.items()
        if key in counts
    )


def _require_allowed(wanted: int, allowed: int, what: str) -> None:
    if wanted > allowed:
        said = f"{allowed or 'no'} {what}{'s' * (allowed > 1)}"
        message = f"the game allows {said}, and {wanted} {'is' if wanted == 1 else 'are'} asked for"
        raise ChoiceError(message, f"allow more with `--{what}s {wanted}`")


def _shuffle(cards: Sequence[Card], chance: random.Random) -> list[Card]:
    """Return cards in an order by chance, each order as likely (Fisher and Yates)."""
    pile = list(cards)
    for last in range(len(pile) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        pile[last], pile[other] = pile[other], pile[last]
    return pile


def _find_places(hand: Sequence[Card], names: Iterable[str]) -> list[int]:
    """Return where in a hand cards of these ids or names are, each another one."""
    places: list[int] = []
    for name in names:
        found = (
            place for place, card in enumerate(hand) if card.is_called(name) and place not in places
        )
        place = next(found, None)
        if place is None:
            held = [word for card in hand for word in (card.id, card.name)]
            more = " more" if any(card.is_called(name) for card in hand) else ""
            hint = None if more else known_hint(name, dict.fromkeys(held))
            raise ChoiceError(f"there is no{more} card `{name}` in the hand", hint)
        places.append(place)
    return places
