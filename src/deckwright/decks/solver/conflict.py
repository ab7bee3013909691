"""Why no deck keeps all limits: a set of limits and wishes that conflict, as small as it gets.

One after the other is left aside; if there is still no deck without it, it is not needed to
explain that. What remains conflicts, and any of it left aside makes a deck possible. Solvers find
such sets only for programs without whole numbers.
"""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

from deckwright.checks.counting import Held
from deckwright.decks.solver.building import Built, build
from deckwright.decks.solver.contents import copies_of
from deckwright.decks.solver.highs import Highs, Outcome, Status
from deckwright.decks.solver.program import Linear, total_of
from deckwright.decks.solver.wishes import Wish
from deckwright.game.deck_rules import Limit
from deckwright.game.model import Game
from deckwright.game.words import WORDS, bound_words


class Question(NamedTuple):
    """Whether there is a deck with any cards.

    Attributes:
        wishes: what the deck is to keep besides limits.
        end: until when, in `time.monotonic`, it may be thought about.
    """

    game: Game
    faction_id: str
    held: Held
    wishes: tuple[Wish, ...] = ()
    end: float = math.inf

    def built(self, yielding: str | None = None) -> Built:
        """Return its program.

        Args:
            yielding: the id of a limit that gives way.
        """
        built = build(self.game, self.faction_id, self.held, yielding=yielding)
        built.program.keep(copies_of(built.slots), least=1, origin="a card")
        for wish in self.wishes:
            wish.add_to(built)
        return built

    def without(self, name: str) -> Question:
        """Return it without the limit of this id, or without this wish."""
        limits = tuple(limit for limit in self.held.limits if limit.id != name)
        wishes = tuple(wish for wish in self.wishes if wish.text != name)
        return self._replace(held=self.held._replace(limits=limits), wishes=wishes)

    @property
    def possible(self) -> bool | None:
        """Whether there is a deck; None if there was no time to be sure."""
        if time.monotonic() > self.end:
            return None
        found = self._solved(self.built(), Linear())
        if found.status is Status.INFEASIBLE:
            return False
        return None if found.values is None else True

    @property
    def impossible(self) -> bool:
        """Whether there is surely no deck."""
        return self.possible is False

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
        possible: the limit with the nearest number that settles the conflict while all others are
            kept as they are; None if there is no such number.
    """

    name: str
    limit: Limit | None = None
    possible: Limit | None = None

    @property
    def change(self) -> str | None:
        """That number as `--limit` takes it; None if there is none, or more than one."""
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


class Conflict(NamedTuple):
    """What cannot all hold.

    Attributes:
        parts: limits in their order, then wishes; without any of them there is no conflict.
        only: whether there is a deck if a certain one of them gives way.
    """

    parts: tuple[Conflicting, ...]
    only: bool

    def __str__(self) -> str:
        """Return in English what conflicts, and which numbers would do."""
        return f"{self.clash}; {self.way}" if self.way else self.clash

    @property
    def limits(self) -> Conflict:
        """The same without wishes."""
        return self._replace(parts=tuple(part for part in self.parts if part.limit is not None))

    @property
    def names(self) -> str:
        """Its parts in English: "`size` (at least 25) and `provisions` (at most 200)"."""
        if not self.parts:
            return "that a deck has a card"
        *others, last = map(str, self.parts)
        return f"{', '.join(others)} and {last}" if others else last

    @property
    def clash(self) -> str:
        """That they conflict, in English."""
        return f"{self.names} cannot {'all hold' if len(self.parts) > 1 else 'be kept'}"

    @property
    def way(self) -> str:
        """The numbers of which each one would do, in English; "" if there are none."""
        limits = [part.possible for part in self.parts if part.possible is not None]
        ways = [
            f"`{each.id}` {bound_words(WORDS, each._replace(per=None, own_faction=False))}"
            for each in limits
        ]
        what = "possible with" if self.only else "there are other conflicts; this one ends with"
        return f"{what} {' or '.join(ways)}" if ways else ""


def conflict_of(question: Question) -> Conflict:
    """Return what conflicts where there is no deck.

    Limits are left aside in the order of the file from its end, for what stands first is mostly
    what a deck is about; wishes are left aside last.
    """
    kept = question
    ids = [limit.id for limit in question.held.limits if not limit.warning]
    for name in (*reversed(ids), *(wish.text for wish in reversed(question.wishes))):
        if kept.without(name).impossible:
            kept = kept.without(name)
    limits = [limit for limit in kept.held.limits if not limit.warning]
    wishes = [Conflicting(wish.text) for wish in kept.wishes]
    names = [*(limit.id for limit in limits), *(wish.name for wish in wishes)]
    only = any(question.without(name).possible for name in names)
    asked = question if only else kept
    parts = [Conflicting(limit.id, limit, asked.yielded(limit)) for limit in limits]
    return Conflict((*parts, *wishes), only)
