"""What else is asked of a deck that is sought: cards in it and out of it, how near it is to others.

A wish is rows, whose origin is the wish as it is written, or something to aim at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.checks.zoning import zoned
from deckwright.decks.solver.building import Built
from deckwright.decks.solver.contents import copies_of
from deckwright.decks.solver.named import read_wanted, slots_of
from deckwright.decks.solver.program import Factor, Linear, total_of
from deckwright.decks.solver.search import Aim, Reached
from deckwright.game.deck_rules import Zone
from deckwright.game.measures import Measure
from deckwright.game.model import Card, CardKey, Deck, Game

_MOST_STEPS = 12
"""Up to so many copies, each is a variable where several decks are compared: that is quickest."""


def aim_at(measure: Measure, built: Built, *, smallest: bool) -> Aim:
    """Return the aim to have most of something, or least."""
    parts = ((measure.of(slot.card.fields, slot.zone.id), slot) for slot in built.slots)
    terms: dict[int, Factor] = {s.number: Fraction(value) for value, s in parts if value}
    verb = "minimize" if smallest else "maximize"
    return Aim(f"{verb} {measure}", Linear(terms), smallest)


class Wish(NamedTuple):
    """How many copies of a card there are to be.

    Attributes:
        text: as it was asked for: "include HK3=2".
        cards: all of this name.
        least, most: how many copies of them in all, None where that does not matter.
        zone: the id of the zone that they are counted in, None for all.
    """

    text: str
    cards: frozenset[CardKey]
    least: int | None = None
    most: int | None = None
    zone: str | None = None

    def add_to(self, built: Built) -> None:
        """Add its row to a program."""
        slots = (slot for slot in built.slots if self._counts(slot.card, slot.zone))
        built.program.keep(copies_of(slots), self.least, self.most, self.text)

    def granted_by(self, game: Game, deck: Deck) -> bool:
        """Return whether a deck has so many copies."""
        lines = zoned(game, deck)
        copies = sum(line.entry.copies for line in lines if self._counts(line.card, line.zone))
        return (self.least or 0) <= copies and (self.most is None or copies <= self.most)

    def _counts(self, card: Card, zone: Zone | None) -> bool:
        if (card.faction_id, card.id) not in self.cards:
            return False
        return self.zone is None or (zone is not None and zone.id == self.zone)


def include(text: str, built: Built, game: Game) -> Wish:
    """Return the wish for a card: `HK3` is at least one, `HK3=2` two, `HK3>=2` two or more.

    Raises:
        ChoiceError: if there is no such card.
    """
    wanted = read_wanted(text)
    cards = _cards(wanted.card, built, game)
    return Wish(f"include {text.strip()}", cards, wanted.least, wanted.most)


def exclude(text: str, built: Built, game: Game) -> Wish:
    """Return the wish to have no copy of a card.

    Raises:
        ChoiceError: if there is no such card, or a number of copies.
    """
    wanted = read_wanted(text)
    if (wanted.least, wanted.most) != (1, None):
        message = f"`{text.strip()}` has a number, but no copy of an excluded card is left"
        raise ChoiceError(message, f"have at most so many with `--include '{wanted.card}<=2'`")
    cards = _cards(wanted.card, built, game)
    return Wish(f"exclude {text.strip()}", cards, most=0)


def _cards(name: str, built: Built, game: Game) -> frozenset[CardKey]:
    slots = slots_of(name, built, game)
    return frozenset((slot.card.faction_id, slot.card.id) for slot in slots)


def near_to(deck: Deck, built: Built, game: Game) -> Aim:
    """Return the aim to be as near to a deck as can be: copies that are added or taken out."""
    had: dict[tuple[str, str, str], int] = {}
    for line in zoned(game, deck):
        key = line.card.faction_id, line.card.id, line.zone.id if line.zone else ""
        had[key] = had.get(key, 0) + line.entry.copies
    parts: list[tuple[Factor, Linear]] = []
    for slot in built.slots:
        copies = had.pop((slot.card.faction_id, slot.card.id, slot.zone.id), 0)
        parts.append((1, slot.copies.plus(Linear(constant=copies), -1)))
        if copies:
            fewer = built.program.variable(f"fewer {slot.card.id}", 0, copies)
            built.program.keep(fewer.plus(slot.copies), least=copies)
            parts.append((2, fewer))
    lost = Linear(constant=sum(had.values()))
    return Aim(f"changes to {deck.stem}", total_of([*parts, (1, lost)]), smallest=True)


def keep_apart(had: Mapping[int, int], built: Built, least: int) -> None:
    """Have at least so many copies that another answer does not have.

    Args:
        had: the copies of the other one, by the numbers of slots; only those that it has.
    """
    program = built.program
    parts: list[tuple[Factor, Linear]] = []
    for slot in built.slots:
        copies = had.get(slot.number, 0)
        most = program.variables[slot.number].most - copies
        if not copies:
            parts.append((1, slot.copies))
        elif copies + most <= _MOST_STEPS:
            steps = built.contents.logic.steps(slot.number)[copies:]
            parts += ((1, step) for step in steps)
        elif most > 0:
            # `more` is at most what there is above `copies`, and only where there is anything.
            above = program.binary(f"more {slot.card.id}")
            more = program.variable(f"more {slot.card.id}", 0, most)
            program.keep(more.plus(above, -most), most=0)
            program.keep(more.plus(slot.copies, -1).plus(above, copies), most=0)
            parts.append((1, more))
    program.keep(total_of(parts), least, origin="different")


def no_better(reached: Sequence[Reached], built: Built) -> None:
    """Say that no further answer is better than one that is known to be best: it is quicker so."""
    for (_, linear, smallest), value, bound in reached[:1]:
        if value == bound:
            built.program.keep(
                linear, value if smallest else None, None if smallest else value, origin="different"
            )
