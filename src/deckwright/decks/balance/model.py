"""What a look at a whole game has found."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from deckwright.base.findings import Diagnostic
from deckwright.base.numbers import exact
from deckwright.decks.balance.dominance import Dominance
from deckwright.decks.balance.fit import Line, Point
from deckwright.decks.balance.pools import Pool
from deckwright.game.measures import Measure
from deckwright.game.model import Card, Faction, Game


class BestDeck(NamedTuple):
    """A deck that a solver has found.

    Attributes:
        copies: the cards that it has, each with how often.
        worth, cost: by the measures of the look; no cost without one.
        proven: whether no other deck is better; the time may have run out before.
    """

    copies: tuple[tuple[Card, int], ...]
    worth: Decimal
    cost: Decimal | None
    proven: bool

    @property
    def cards(self) -> int:
        """How many copies it has in all."""
        return sum(number for _, number in self.copies)

    def of(self, card: Card) -> int:
        """Return how many copies of a card it has."""
        return sum(number for each, number in self.copies if each is card)


class Priced(NamedTuple):
    """A card that has all numbers which worth and cost are made of.

    Attributes:
        above: how much more it is worth than the line says for its cost.
        far: whether that is more than two standard deviations.
    """

    card: Card
    worth: Decimal
    cost: Decimal
    above: float
    far: bool

    @property
    def point(self) -> Point:
        """Its cost and its worth."""
        return Fraction(self.cost), Fraction(self.worth)


class Forced(NamedTuple):
    """A card that none of the best decks has.

    Attributes:
        loss: how much less the best deck with a copy of it is worth than the strongest; None if no
            deck can have it.
    """

    card: Card
    loss: Decimal | None


class FactionLook(NamedTuple):
    """A faction, its best decks and its cards.

    Attributes:
        priced: its own cards by cost and worth.
        dominances: which cards dominate which of its own.
        best: the strongest decks, each with a number of other copies than all before it.
        cheapest: the deck that costs least, None if none can be built, or nothing can be said.
        left_out: the ids of limits that the solver could not be told.
        forced: the own cards that none of the best decks has.
        lacking: why there is no best deck, "" if there is one or none was looked for.
    """

    pool: Pool
    priced: tuple[Priced, ...]
    dominances: tuple[Dominance, ...]
    best: tuple[BestDeck, ...] = ()
    cheapest: BestDeck | None = None
    left_out: tuple[str, ...] = ()
    forced: tuple[Forced, ...] = ()
    lacking: str = ""

    @property
    def faction(self) -> Faction:
        """The faction."""
        return self.pool.faction

    @property
    def strongest(self) -> BestDeck | None:
        """The deck that is worth most, None if there is none."""
        return self.best[0] if self.best else None

    @property
    def above(self) -> float:
        """How much more its cards are worth than the line says, on average."""
        return exact(sum(each.above for each in self.priced) / max(1, len(self.priced)))

    @property
    def cards(self) -> tuple[Card, ...]:
        """Its own cards, and then those of others that are in its best decks."""
        decks = [*self.best, *([self.cheapest] if self.cheapest else [])]
        own = [card for card in self.pool.cards if card.faction_id == self.faction.id]
        others = [card for card in self.pool.cards if card.faction_id != self.faction.id]
        return (*own, *(card for card in others if any(deck.of(card) for deck in decks)))

    def price(self, card: Card) -> Priced | None:
        """Return a card with its numbers, None if it lacks one."""
        return next((each for each in self.priced if each.card is card), None)

    def forced_in(self, card: Card) -> Forced | None:
        """Return what it takes to have a card that none of the best decks has."""
        return next((each for each in self.forced if each.card is card), None)

    @property
    def never_taken(self) -> tuple[Card, ...]:
        """The cards that others beat, that no best deck has, and that only make decks weaker."""
        beaten = {id(each.worse) for each in self.dominances if not each.rules}
        return tuple(e.card for e in self.forced if id(e.card) in beaten and e.loss != 0)

    def decks_with(self, card: Card) -> int:
        """Return how many of the best decks have a card."""
        return sum(deck.of(card) > 0 for deck in self.best)


class Balance(NamedTuple):
    """A look at a whole game.

    Attributes:
        game: what was looked at.
        cost: None if the game does not say what cards cost; then there is neither a line, nor are
            cards compared.
        compared: for each field with a number 1 if more of it is better, -1 if less, 0 if neither.
        cards: those of all factions by cost and worth, also of those that are not looked at.
        line: worth by cost, over these cards; None if there are too few.
        solved: whether decks were looked for; there may be no solver.
        wanted, apart: how many decks were looked for, and in how many copies they differ at least.
        findings: the warnings.
    """

    game: Game
    worth: Measure
    cost: Measure | None
    compared: tuple[tuple[str, int], ...]
    cards: tuple[Priced, ...]
    line: Line | None
    factions: tuple[FactionLook, ...]
    solved: bool = False
    wanted: int = 0
    apart: int = 0
    findings: tuple[Diagnostic, ...] = ()

    @property
    def outliers(self) -> tuple[Priced, ...]:
        """The cards that lie far from the line, the farthest first."""
        far = [each for look in self.factions for each in look.priced if each.far]
        return tuple(sorted(far, key=lambda each: -abs(each.above)))
