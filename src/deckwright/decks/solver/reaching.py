"""Of which cards decks can have more copies: each deck that is found tells as many as can be."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TypeVar

from deckwright.decks.solver.building import Built
from deckwright.decks.solver.contents import Slot, copies_of
from deckwright.decks.solver.exchanges import Exchanges
from deckwright.decks.solver.highs import Highs, Status
from deckwright.decks.solver.program import total_of

K = TypeVar("K")


class OutOfTimeError(Exception):
    """There is no time to be sure of anything more."""


def reach(
    built: Built, slots: Mapping[K, Sequence[Slot]], had: Mapping[K, int], end: float, used: set[K]
) -> bool:
    """Note in `used` of which cards decks can have more copies than they have now.

    What can be exchanged for one of the cards of a deck that was found need not be looked for.

    Args:
        slots: where the cards can be, by what they are called.
        had: how many copies there are now; 0 where that is not said.
        end: until when, in `time.monotonic`, it may be thought about.

    Returns:
        whether there is any deck.

    Raises:
        OutOfTimeError: if there may be more such cards.
    """
    there = {key: built.program.binary("there") for key in slots}
    for key, one in there.items():
        built.program.keep(copies_of(slots[key]).plus(one, -1), least=had.get(key, 0))
    solver = Highs(built.program, end - time.monotonic())
    alone = {at for one in there.values() for at in one.terms}
    while True:
        left = [key for key in slots if key not in used]
        found = solver.most(total_of((1, there[key]) for key in left))
        if found.status is Status.STOPPED:
            raise OutOfTimeError
        if found.values is None:
            return False
        values = [0 if at in alone else value for at, value in enumerate(found.values)]
        more = {key for key in left if copies_of(slots[key]).value(values) > had.get(key, 0)}
        if not more:
            return True
        used |= more
        near = Exchanges(built.program, values)
        others = [slot.number for slot in built.slots if values[slot.number]]
        used |= {key for key in left if any(near.allow(slot.number, others) for slot in slots[key])}
