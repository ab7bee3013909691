"""The best answer of a program, and always the same one.

Aims come one after the other: each chooses among the answers that are best by those before it. What
is left then has the fewest copies, and of these answers the one with most copies of the first card
of the card files, then of the second, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from deckwright.decks.solver.contents import Slot, copies_of
from deckwright.decks.solver.highs import Highs, Outcome, Status
from deckwright.decks.solver.program import Factor, Linear, Program, row_of, total_of
from deckwright.decks.solver.ties import first
from deckwright.game.shapes import MAX_COPIES


class Aim(NamedTuple):
    """What is sought.

    Attributes:
        text: for example "maximize strength".
        linear: the sum that is as large as can be, or with `smallest` as small.
    """

    text: str
    linear: Linear
    smallest: bool = False


class Reached(NamedTuple):
    """How far an aim was reached.

    Attributes:
        value: of its sum.
        bound: which the sum cannot pass, None if that is not known. It is the value if that is
            proven to be the best.
    """

    aim: Aim
    value: Factor
    bound: Factor | None


class Found(NamedTuple):
    """An answer.

    Attributes:
        values: of all variables of the program.
        reached: the aims, in their order.
        proven: whether there is no better answer.
        settled: whether of all answers that are as good it is the one that comes first.
    """

    values: tuple[int, ...]
    reached: tuple[Reached, ...]
    proven: bool
    settled: bool


def best(
    program: Program, slots: Sequence[Slot], aims: Sequence[Aim], seconds: float = math.inf
) -> Found | Status:
    """Return the best answer of a program, or how the search ended without any.

    Args:
        slots: the cards that decks may have, in the order of their files.
        aims: what comes first stands first.
        seconds: how long it may take.

    Raises:
        ChoiceError: if the solver is not installed.
    """
    highs = Highs(program, seconds)
    found: Outcome | None = None
    reached: list[Reached] = []
    fewest = Aim("fewest cards", copies_of(slots), smallest=True)
    for aim in (*aims, fewest):
        sign = -1 if aim.smallest else 1
        linear = total_of([(sign, aim.linear)])
        outcome = highs.most(linear)
        if outcome.values is None and found is None:
            return outcome.status
        proven = outcome.status is Status.OPTIMAL
        found = outcome if outcome.values is not None else found
        assert found is not None
        assert found.values is not None
        bound = None if outcome.bound is None else sign * outcome.bound
        reached.append(Reached(aim, aim.linear.value(found.values), bound))
        if not proven or outcome.value is None:
            told, enough = tuple(reached[: len(aims)]), len(reached) > len(aims)
            return Found(found.values, told, proven=enough, settled=False)
        highs.add(row_of(linear, outcome.value, None))
        highs.narrow(linear, outcome.value)
    assert found is not None
    assert found.values is not None
    values = first(highs, [slot.number for slot in slots], found.values)
    told, settled = tuple(reached[: len(aims)]), values is not None
    return Found(values or found.values, told, proven=True, settled=settled)


def unlimited(program: Program, slots: Sequence[Slot], values: Sequence[int]) -> Slot | None:
    """Return a card of which only deck lists limit how many copies there are, None if none is."""
    for slot in slots:
        if values[slot.number] == program.variables[slot.number].most == MAX_COPIES:
            return slot
    return None
