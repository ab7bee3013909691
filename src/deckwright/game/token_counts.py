"""How many tokens the cards of a deck can create in the turns that a game counts.

Each turn one more card is played, in the order that creates most, and every card in play spends
what it has. Between two turns its own rules refill it, up to what it prints; the rules of others
add to what it can spend. Both is said of rules in rules.xml, by `refills` and `adds`. The
first card is one that creates, for others have nobody to help before.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Player(NamedTuple):
    """A card that creates tokens of a rule, or helps those that do.

    Attributes:
        creates: whether it creates them itself.
        budget: what it can spend when it is played.
        refill: how much of that comes back from one turn to the next.
        cost: what it spends at a time.
        gain: what that brings to the creation of tokens, in what tokens cost.
    """

    creates: bool
    budget: int
    refill: int
    cost: int
    gain: int

    def worth(self, turns: int) -> int:
        """Return what it brings if it is in play for so many turns."""
        have, uses = self.budget, 0
        for _ in range(turns):
            now = have // self.cost
            uses += now
            have = min(self.budget, have - now * self.cost + self.refill)
        return uses * self.gain


def most_created(players: Iterable[tuple[Player, int]], cost: int, turns: int) -> int:
    """Return how many tokens can be created.

    Args:
        players: those who take part, with their copies.
        cost: what a token costs, above 0.
        turns: how many turns there are; a card that is played in the first has them all.
    """
    pool = [player for player, copies in players for _ in range(min(copies, turns))]
    worths = {player: [player.worth(n) for n in range(turns + 1)] for player in set(pool)}

    def best(among: Iterable[int], number: int) -> list[int]:
        return heapq.nlargest(turns, among, key=lambda index: worths[pool[index]][number])

    # For no turn more than the best few come into question: the others cannot all be taken.
    firsts = best((i for i, player in enumerate(pool) if player.creates), turns)
    others = {index for number in range(1, turns) for index in best(range(len(pool)), number)}
    # Who gains most from each turn more is played earlier.
    order = sorted(others, key=lambda i: worths[pool[i]][1] - worths[pool[i]][turns])
    most = 0
    for first in firsts:
        rest = [worths[pool[index]] for index in order if index != first]
        most = max(most, worths[pool[first]][turns] + _most(rest, turns - 1))
    return most // cost


def _most(worths: Sequence[Sequence[int]], turns: int) -> int:
    """Return the most that can be brought in some turns by playing one a turn, in this order.

    Args:
        worths: what each brings, by the number of turns that it is in play.
    """
    best = [0, *[-1] * turns]
    for worth in worths:
        for played in range(turns, 0, -1):
            if best[played - 1] >= 0:
                best[played] = max(best[played], best[played - 1] + worth[turns - played + 1])
    return max(best)
