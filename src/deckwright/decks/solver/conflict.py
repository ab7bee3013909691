"""Why no deck keeps all limits: a set of limits and wishes that conflict, as small as it gets.

One after the other is left aside; if there is still no deck without it, it is not needed to
explain that. What remains conflicts, and any of it left aside makes a deck possible. Solvers find
such sets only for programs without whole numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from deckwright.checks.counting import Held
from deckwright.decks.solver.building import Built, build
from deckwright.decks.solver.highs import Highs, Outcome, Status
from deckwright.decks.solver.program import Linear, total_of
from deckwright.game.model import Game
from deckwright.game.setup import Limit
from deckwright.game.words import WORDS, bound_words


class Question(NamedTuple):
    """Whether there is a deck.

    Attributes:
        wishes: what the deck is to keep besides limits, as it was asked for ("include HK3=2"): each
            adds its rows to a program.
        end: until when, in `time.monotonic`, it may be thought about.
    """

    game: Game
    faction_id: str
    held: Held
    wishes: Mapping[str, Callable[[Built], object]] = MappingProxyType({})
    end: float = math.inf

    def built(self, yielding: str | None = None) -> Built:
        """Return its program."""
        built = build(self.game, self.faction_id, self.held, yielding=yielding)
        for add in self.wishes.values():
            add(built)
        return built

    def without(self, name: str) -> Question:
        """Return it without the limit of this id, or without this wish."""
        limits = tuple(limit for limit in self.held.limits if limit.id != name)
        wishes = {wish: add for wish, add in self.wishes.items() if wish != name}
        return self._replace(held=self.held._replace(limits=limits), wishes=wishes)

    @property
    def impossible(self) -> bool:
        """Whether there is surely no deck."""
        return self._solved(self.built(), Linear()).status is Status.INFEASIBLE

    def yielded(self, limit: Limit) -> Limit | None:
        """Return a limit with the nearest number that makes a deck possible, None if none does."""
        numbers = {name: getattr(limit, name) for name in ("min", "max", "exactly")}
        fixed = {name: number for name, number in numbers.items() if isinstance(number, int)}
        if not fixed:
            return None
        built = self.built(limit.id)
        values = self._solved(built, total_of((-1, part) for part in built.gap)).values
        if values is None:
            return None
        under, over = (int(part.value(values)) for part in built.gap)
        moves = {"min": -under, "max": over, "exactly": over - under}
        changes: dict[str, Any] = {name: n + moves[name] for name, n in fixed.items()}
        return limit._replace(**changes)

    def _solved(self, built: Built, aim: Linear) -> Outcome:
        return Highs(built.program, self.end - time.monotonic()).most(aim)


class Conflicting(NamedTuple):
    """A limit or a wish that cannot be kept with others.

    Attributes:
        name: the limit's id, or the wish.
        limit: None for a wish.
        possible: the limit with the nearest number that makes a deck possible while all others are
            kept as they are; None if there is no such number.
    """

    name: str
    limit: Limit | None = None
    possible: Limit | None = None

    @property
    def change(self) -> str | None:
        """What `--limit` takes so that there is a deck; None if that is not one number."""
        if self.limit is None or self.possible is None or (bound := self.limit.bound) is None:
            return None
        number = getattr(self.possible, bound)
        alone = self.limit.with_value(number) == self.possible
        return f"{self.name}={number}" if alone else None

    def __str__(self) -> str:
        """Return it in English, with what it asks for."""
        return (
            f"`{self.name}` ({bound_words(WORDS, self.limit)})" if self.limit else f"`{self.name}`"
        )


def conflict_of(question: Question) -> tuple[Conflicting, ...]:
    """Return what conflicts where there is no deck: limits in their order, then wishes.

    Limits are left aside in the order of the file from its end, for what stands first is mostly
    what a deck is about; wishes are left aside last.
    """
    kept = question
    ids = [limit.id for limit in question.held.limits if not limit.warning]
    for name in (*reversed(ids), *reversed([*question.wishes])):
        if kept.without(name).impossible:
            kept = kept.without(name)
    return (
        *(
            # If there is more than this that conflicts, a number can only settle this.
            Conflicting(limit.id, limit, question.yielded(limit) or kept.yielded(limit))
            for limit in kept.held.limits
            if not limit.warning
        ),
        *map(Conflicting, kept.wishes),
    )


def names(conflict: Iterable[Conflicting]) -> str:
    """Return in English what conflicts: "`size` (at least 25) and `provisions` (at most 200)"."""
    *others, last = map(str, conflict)
    return f"{', '.join(others)} and {last}" if others else last


def numbers(conflict: Iterable[Conflicting]) -> str:
    """Return in English the numbers of which each one would do, "" if there are none."""
    return " or ".join(
        f"`{each.name}` {bound_words(WORDS, each.possible._replace(per=None, own_faction=False))}"
        for each in conflict
        if each.possible is not None
    )


def sentence(conflict: Sequence[Conflicting]) -> str:
    """Return in English what conflicts, and which numbers would do."""
    verb = "cannot all hold" if len(conflict) > 1 else "cannot be kept"
    would_do = numbers(conflict)
    return f"{names(conflict)} {verb}" + (f"; possible with {would_do}" if would_do else "")
