"""How decks are built: zones, limits, formats, and the hand to begin with; as `game.xml` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from deckwright.game.conditions import Where, references_in
from deckwright.game.formulas import CARDS, Formula, Number, Reference
from deckwright.game.kinds import Audience
from deckwright.xmlio.node import Source


class Zone(NamedTuple):
    """A part of a deck, for example the main deck. A card goes to the first zone that admits it.

    Attributes:
        where: admits only cards for which this holds.
        back: the template of the one back of all its cards, None for those of groups and kinds.
        main: whether it is the main deck, for programs that have one and a sideboard.
    """

    id: str
    name: str
    audience: Audience
    source: Source
    where: Where = ()
    back: str | None = None
    main: bool = False


Bound = Literal["min", "max", "exactly"]


RESTRICTION = "restriction"
"""What conditions of limits call the words by which the list in force restricts a card."""


class Exemption(NamedTuple):
    """Cards that a limit does not count while a deck has enough other cards.

    For solvers it is a binary variable for each value of `same`.

    Attributes:
        where: for which cards it is.
        others: which other cards it takes; others have another name.
        same: a field in which they must be like the card, None if they need not.
        min: how many copies of them it takes.
    """

    where: Where
    others: Where
    same: str | None
    min: int


class Limit(NamedTuple):
    """A limit that a deck must keep.

    What it counts is linear in the copies of each card, and so are its numbers where they are fixed
    or refer to the deck without `//` and comparisons (see `formulas`). Conditions that refer to the
    cards of a zone are settled once these are chosen. `distinct` takes a binary variable for each
    of the values, and each exemption one as well.

    Attributes:
        zone: the id of the zone that it counts in.
        where: counts only copies of cards for which this holds.
        sum: adds up this field instead of counting copies.
        distinct: counts the different values of this field instead of copies.
        exemptions: cards that it does not count while there are enough others.
        per: holds for each group of cards with the same value of this field on its own.
        own_faction: cards must be of the deck's main faction.
        decks: holds only for decks of the factions with these ids; for all if empty.
        min, max, exactly: the bounds, None where there is none.
        warning: whether breaking it is a warning only.
        source: where game.xml says so.
    """

    id: str
    name: str
    zone: str
    source: Source
    where: Where = ()
    sum: str | None = None
    distinct: str | None = None
    per: str | None = None
    own_faction: bool = False
    decks: tuple[str, ...] = ()
    min: Number | None = None
    max: Number | None = None
    exactly: Number | None = None
    warning: bool = False
    exemptions: tuple[Exemption, ...] = ()

    @property
    def counts_copies(self) -> bool:
        """Whether it counts all copies of its zone, and nothing else."""
        return not (self.where or self.sum or self.distinct or self.per or self.exemptions)

    @property
    def conditions(self) -> Where:
        """All conditions that it has, those of its exemptions too."""
        inner = (group for each in self.exemptions for group in (*each.where, *each.others))
        return (*self.where, *inner)

    def references(self) -> Iterator[Reference]:
        """Yield what it takes from the deck, in its conditions and in its numbers."""
        yield from references_in(self.conditions)
        for number in (self.min, self.max, self.exactly):
            if isinstance(number, Formula):
                yield from number.references()

    @property
    def zones_needed(self) -> frozenset[str]:
        """The zones whose cards must be known before it means anything."""
        return frozenset(zone for zone, field in self.references() if field != CARDS)

    @property
    def fixed(self) -> bool:
        """Whether it means the same for every deck and at every date."""
        return not self.restricts and next(self.references(), None) is None

    @property
    def restricts(self) -> bool:
        """Whether it asks by what words the list in force restricts cards."""
        return any(each.field == RESTRICTION for group in self.conditions for each in group)

    @property
    def bound(self) -> Bound | None:
        """The bound that a single new value goes to; None if the limit has no number."""
        bounds: tuple[Bound, ...] = ("exactly", "max", "min")
        for name in bounds:
            if getattr(self, name) is not None:
                return name
        return None

    def with_value(self, value: Number) -> Limit:
        """Return the limit with `value` for its number.

        Raises:
            ValueError: if it has no number.
        """
        if self.bound is None:
            raise ValueError(f"the limit `{self.id}` has no number, so it can only be switched off")
        changes: dict[str, Any] = {self.bound: value}
        return self._replace(**changes)


class Format(NamedTuple):
    """A named way to build decks: changes to the limits. None switches a limit off."""

    id: str
    name: str
    changes: Mapping[str, Number | None]


class Opening(NamedTuple):
    """With how many cards a player begins, and how they are drawn.

    Attributes:
        zone: the id of the zone that they are drawn from, None for the main deck.
        hand: how many are drawn.
        redraws: how many of these a player may lay aside, once, for as many others; these are then
            shuffled back.
        mulligans: how often a player may instead shuffle all of them back and draw as many again.
        draws: how many more are drawn each turn.
    """

    zone: str | None
    hand: int
    redraws: int = 0
    mulligans: int = 0
    draws: int = 0
