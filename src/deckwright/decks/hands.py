"""Sample hands: a pile is shuffled by a seed, and cards are drawn from it.

The same seed gives the same hand on every machine: of Python's generator only `random()` is used,
whose sequence for a seed stays the same (https://docs.python.org/3/library/random.html).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.findings import known_hint
from deckwright.checks.zoning import Line
from deckwright.game.deck_rules import Opening
from deckwright.game.model import Card


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
    pile: Iterable[Line],
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
    _demand(mulligans, opening.mulligans, "mulligan")
    _demand(len(redraw), opening.redraws, "redraw")
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    cards = [line.card for line in pile for _ in range(line.entry.copies)]
    for _ in range(mulligans + 1):
        cards = _shuffled(cards, chance)
    hand, rest = cards[: opening.hand], cards[opening.hand :]
    places = _places(hand, redraw)[: len(rest)]
    aside = [hand[place] for place in places]
    for place in places:
        hand[place] = rest.pop(0)
    if aside:
        rest = _shuffled([*rest, *aside], chance)
    step = opening.draws
    drawn = tuple(tuple(rest[turn * step : (turn + 1) * step]) for turn in range(turns))
    left = max(0, len(rest) - turns * step)
    return Hand(seed, tuple(hand), tuple(aside), drawn, left)


def lines_of(cards: Iterable[Card], pile: Iterable[Line]) -> tuple[Line, ...]:
    """Return cards as lines with their numbers of copies, in the order of the pile."""
    counts = Counter((card.faction_id, card.id) for card in cards)
    lines = {(line.card.faction_id, line.card.id): line for line in pile}
    return tuple(
        line._replace(entry=line.entry._replace(copies=counts[key]))
        for key, line in lines.items()
        if key in counts
    )


def _demand(wanted: int, allowed: int, what: str) -> None:
    if wanted > allowed:
        said = f"{allowed or 'no'} {what}{'s' * (allowed > 1)}"
        message = f"the game allows {said}, and {wanted} {'is' if wanted == 1 else 'are'} asked for"
        raise ChoiceError(message, f"allow more with `--{what}s {wanted}`")


def _shuffled(cards: Sequence[Card], chance: random.Random) -> list[Card]:
    """Return cards in an order by chance, each order as likely (Fisher and Yates)."""
    pile = list(cards)
    for last in range(len(pile) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        pile[last], pile[other] = pile[other], pile[last]
    return pile


def _places(hand: Sequence[Card], names: Iterable[str]) -> list[int]:
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
