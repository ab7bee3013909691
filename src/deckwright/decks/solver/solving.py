"""Decks of a faction that keep all limits, and are the best of these."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from deckwright.checks.counting import Held
from deckwright.decks.solver.answers import Answer, answer_of, unlimited_error
from deckwright.decks.solver.building import Built, LeftOut
from deckwright.decks.solver.conflict import Question
from deckwright.decks.solver.highs import Status
from deckwright.decks.solver.search import Aim, best, unlimited
from deckwright.decks.solver.wishes import (
    aim_at,
    exclude,
    include,
    keep_apart,
    near_to,
    no_better,
)
from deckwright.decks.sums import measure_of
from deckwright.game.decklist import empty_deck
from deckwright.game.model import Deck, Game

SECONDS = 10.0
"""How long a search may take."""
APART = 3
"""How many copies of a deck no earlier one has, where several are sought."""


class Objective(NamedTuple):
    """What a deck is to have most of, or least.

    Attributes:
        measure: as it is written, for example "strength + 2*actions".
    """

    measure: str
    smallest: bool = False


class SolveOptions(NamedTuple):
    """What decks are sought.

    Attributes:
        objectives: in their order; those of the game if there are none and `like` is None.
        include, exclude: cards, as `wishes.include` reads them.
        like: a deck that they are as near to as the objectives allow.
        different: how many decks.
        apart: how many copies each has that an earlier one does not have.
        seconds: how long the search for all of them may take.
        name: of the decks.
        nearest: a deck that they are as near to as can be, whatever the objectives.
    """

    objectives: Sequence[Objective] = ()
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    like: Deck | None = None
    different: int = 1
    apart: int = APART
    seconds: float = SECONDS
    name: str | None = None
    nearest: Deck | None = None


class Solved(NamedTuple):
    """What a search has found.

    Attributes:
        answers: the decks, the best one first.
        impossible: whether there is none, or no further one.
        left_out: limits that the search could not regard.
        question: which was asked.
    """

    answers: tuple[Answer, ...]
    impossible: bool
    left_out: tuple[LeftOut, ...]
    question: Question


def solve(
    game: Game, faction_id: str, held: Held, options: SolveOptions, format_id: str | None = None
) -> Solved:
    """Look for the best decks of a faction.

    Args:
        format_id: the format that the decks name, None for none.

    Raises:
        ChoiceError: if a wish names what there is not, the solver is not installed, or nothing
            limits what is asked for.
    """
    end = time.monotonic() + options.seconds
    question = Question(game, faction_id, held)
    built = question.built()
    wishes = (
        *(include(text, built, game) for text in options.include),
        *(exclude(text, built, game) for text in options.exclude),
    )
    for wish in wishes:
        wish.add_to(built)
    asked = question._replace(wishes=wishes)
    aims = aims_of(built, game, options)
    name = options.name or game.factions[faction_id].name
    answers: list[Answer] = []
    for number in range(options.different):
        found = best(built.program, built.slots, aims, end - time.monotonic())
        if isinstance(found, Status):
            impossible = found is Status.INFEASIBLE
            return Solved(tuple(answers), impossible, built.left_out, asked)
        endless = unlimited(built.program, built.slots, found.values)
        if endless is not None:
            raise unlimited_error(endless, game, held)
        title = f"{name} {number + 1}" if options.different > 1 else name
        answers.append(
            answer_of(game, held, built, found, empty_deck(game, faction_id, title, format_id))
        )
        had = {slot.number: found.values[slot.number] for slot in built.slots}
        keep_apart({at: copies for at, copies in had.items() if copies}, built, options.apart)
        no_better(found.reached, built)
    return Solved(tuple(answers), impossible=False, left_out=built.left_out, question=asked)


def aims_of(built: Built, game: Game, options: SolveOptions) -> list[Aim]:
    """Return what is sought, in its order.

    Raises:
        ChoiceError: if an objective cannot be read.
    """
    setup = game.setup
    aims = [
        aim_at(measure_of(text, setup), built, smallest=smallest)
        for text, smallest in options.objectives
    ]
    if options.like is not None:
        aims.append(near_to(options.like, built, game))
    if not options.objectives:
        usual = [(setup.worth, False), (setup.cost, True)]
        if options.nearest is not None:
            usual = usual[1:]
        elif setup.worth is None:
            usual = [(measure_of("cards", setup), True), *usual]
        aims += [aim_at(m, built, smallest=s) for m, s in usual if m is not None]
    if options.nearest is not None:
        aims.insert(0, near_to(options.nearest, built, game))
    return aims
