"""Of all answers that are as good, the one that comes first."""

from __future__ import annotations

from collections.abc import Sequence

from deckwright.decks.solver.highs import Highs, Status
from deckwright.decks.solver.program import Linear

_HEAVIEST = 1 << 20
"""Weights up to this are exact enough for the solver."""
_FEW = 16
"""So many variables that are 0 are first looked at together."""


def first(highs: Highs, numbers: Sequence[int], values: Sequence[int]) -> tuple[int, ...] | None:
    """Return the answer with the most of the first variable, then of the second, and so on.

    Several variables are settled at once: a few by weights, and many that are 0 by asking whether
    any of them can be more.

    Args:
        numbers: those of the variables, in their order.
        values: an answer.

    Returns:
        None if the time does not suffice.
    """
    best, waiting, many = tuple(values), list(numbers), _FEW
    while waiting := _unsettled(highs, waiting, best):
        nothing = _zeros(highs, waiting, best, many)
        weights = dict.fromkeys(nothing, 1) if nothing else _weights(highs, waiting)
        outcome = highs.most(Linear(weights))
        if outcome.status is not Status.OPTIMAL or outcome.values is None:
            return None
        best = outcome.values
        if nothing and outcome.value:
            many = max(many // 4, 1)
            continue
        many *= 4
        for number in weights:
            highs.confine(number, best[number], best[number])
    return best


def _unsettled(highs: Highs, numbers: Sequence[int], values: Sequence[int]) -> list[int]:
    """Return the variables from the first on that can be more than it is; settle those before."""
    for at, number in enumerate(numbers):
        low, high = highs.bounds(number)
        if values[number] < high:
            return list(numbers[at:])
        if low < high:
            highs.confine(number, high, high)
    return []


def _zeros(highs: Highs, numbers: Sequence[int], values: Sequence[int], most: int) -> list[int]:
    """Return the first variables as far as they are 0, if these are more than some weights hold."""
    zeros: list[int] = []
    for number in numbers:
        low, high = highs.bounds(number)
        if values[number] or len(zeros) == most:
            break
        if low < high:
            zeros.append(number)
    return zeros if len(zeros) >= _FEW else []


def _weights(highs: Highs, numbers: Sequence[int]) -> dict[int, int]:
    """Return weights for the first variables: one more of any outweighs all behind it."""
    weights: dict[int, int] = {}
    weight = 1
    for number in numbers:
        low, high = highs.bounds(number)
        if low < high:
            if weights and weight * (high - low + 1) > _HEAVIEST:
                break
            weights[number] = high - low + 1
            weight *= high - low + 1
    for number, steps in weights.items():
        weight //= steps
        weights[number] = weight
    return weights
