"""Why there is no deck, or which limits keep the best one from being better."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from deckwright.decks.solver.conflict import Conflict, conflict_of
from deckwright.decks.solver.highs import Highs
from deckwright.decks.solver.program import Factor, total_of
from deckwright.decks.solver.search import unlimited
from deckwright.decks.solver.solving import Solved, SolveOptions, aims_of
from deckwright.game.deck_rules import Limit
from deckwright.game.words import WORDS, bound_words


class Gain(NamedTuple):
    """What could be reached without a limit.

    Attributes:
        aim: what is sought first, such as "maximize strength".
        value: what it could be, None if there would be no end to it.
    """

    limit: Limit
    aim: str
    value: Factor | None

    def __str__(self) -> str:
        """Return in English what is left aside."""
        return f"without `{self.limit.id}` ({bound_words(WORDS, self.limit)})"


def why_none(found: Solved, options: SolveOptions) -> Conflict | None:
    """Return what conflicts if there is surely no deck.

    Args:
        options: as they were when it was found; it may take as long again.
    """
    if found.answers or not found.impossible:
        return None
    return conflict_of(found.question._replace(end=time.monotonic() + options.seconds))


def gains(found: Solved, options: SolveOptions) -> list[Gain]:
    """Return the limits without which the first deck could be better, the most telling ones first.

    That is by what was sought first.

    Args:
        options: as they were when it was found; it may take as long again.
    """
    if not found.answers or not found.answers[0].values:
        return []
    better = list(_better(found, options))
    return [gain for _, gain in sorted(better, key=lambda each: -each[0])]


def _better(found: Solved, options: SolveOptions) -> Iterator[tuple[float, Gain]]:
    """Yield gains, each with how large it is."""
    end = time.monotonic() + options.seconds
    (reached, *_), question = found.answers[0].values, found.question
    for limit in question.held.limits:
        built = question.without(limit.id).built()
        aim = aims_of(built, question.game, options)[0]
        sign = -1 if aim.smallest else 1
        outcome = Highs(built.program, end - time.monotonic()).most(total_of([(sign, aim.linear)]))
        if limit.warning or outcome.values is None:
            continue
        value = aim.linear.value(outcome.values)
        gain = sign * (float(value) - reached.value)
        if unlimited(built.program, built.slots, outcome.values) and gain > 0:
            yield float("inf"), Gain(limit, aim.text, None)
        elif gain > 0:
            yield gain, Gain(limit, aim.text, value)
