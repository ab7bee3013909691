"""Boosters as printers fill them, and drafts of these.

A printed sheet has each of its cards so many times. Sheets are cut, and their cards put into packs
one after the other, so that a box has all cards of a sheet about equally often. Here, too, packs
take the cards of shuffled sheets in turn. A card that a pack has already waits for the next pack.
Sheets of balanced slots have the cards of each faction as far apart as can be, in one order of
factions through the whole box: this is how packs come to have cards of all colors.
Each box has sheets of its own, so it depends on the seed, the booster and its number alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from operator import itemgetter

from deckwright.base.output import CannotMakeError
from deckwright.decks.generator.draws import Draws
from deckwright.decks.generator.lines import Line, Writer
from deckwright.decks.generator.making import E110, Content
from deckwright.decks.generator.stock import Stock
from deckwright.game.generator import Booster, BoosterSlot, Generator
from deckwright.game.model import Game

_PARTS = 2**20
"""So many places there are where a faction may begin."""


class Boosters:
    """Fills boosters of one kind."""

    def __init__(self, game: Game, generator: Generator, booster: Booster) -> None:
        """Take a game without mistakes.

        Raises:
            CannotMakeError: if a sheet has too few cards for a booster without the same card twice.
        """
        self._booster, self.stock = booster, Stock(game, generator)
        self._writer = Writer(game, self.stock, f"{generator.prefix}-{booster.id}", booster.format)
        self._sheets = [self._sheet(slot) for slot in booster.slots]
        for at, (slot, sheet) in enumerate(zip(booster.slots, self._sheets, strict=True)):
            earlier = zip(booster.slots[:at], self._sheets, strict=False)
            taken = sum(min(other.cards, len({*sheet} & {*cards})) for other, cards in earlier)
            if len({*sheet}) - taken < slot.cards:
                message = (
                    f"`slot` takes {slot.cards} of {len({*sheet})} cards, of which slots before it "
                    f"may have taken {taken}, and no booster has a card twice"
                )
                hint = "take fewer of them, or have more cards on the sheet"
                raise CannotMakeError(E110.at(slot.source.at(), message, hint))

    def _sheet(self, slot: BoosterSlot) -> list[int]:
        """Return the cards of a printed sheet, each as often as it is on it."""
        return [
            card
            for sheet in slot.sheets
            for card in sorted(self.stock.where(sheet.where))
            for _ in range(sheet.copies)
        ]

    def box(self, seed: str, number: int) -> list[tuple[int, ...]]:
        """Return the boosters of a box, the first of which is 1: the numbers of their cards."""
        booster = self._booster
        packs: list[list[int]] = [[] for _ in range(booster.box)]
        for at, (slot, sheet) in enumerate(zip(booster.slots, self._sheets, strict=True)):
            factions = [self.stock.cards[card].faction_id for card in sheet]
            order = dict(zip(sheet, factions, strict=True)) if slot.balanced else {}
            stream = _Stream(sheet, order, Draws(seed, "booster", booster.id, number, at))
            for pack in packs:
                pack.extend(stream.cards(slot.cards, pack))
        return [tuple(pack) for pack in packs]

    def run(
        self, seed: str, count: int, players: int | None = None, rounds: int = 1
    ) -> Iterator[Line]:
        """Yield boosters, or those of drafts.

        Args:
            count: how many boosters; of drafts, how many of these.
            players: how many take part in a draft; None for boosters alone.
            rounds: how many boosters each of them opens.
        """
        total = count if players is None else count * players * rounds
        name = self._booster.name
        box: list[tuple[int, ...]] = []
        for number in range(1, total + 1):
            at = (number - 1) % self._booster.box
            if at == 0:
                box = self.box(seed, (number - 1) // self._booster.box + 1)
            called = f"{name} {number}"
            if players is not None:
                seat, opened = divmod((number - 1) % (players * rounds), rounds)
                draft = (number - 1) // (players * rounds) + 1
                called = f"{name} {draft}-{seat + 1}-{opened + 1}"
            cards = sorted(box[at])
            houses = dict.fromkeys(self.stock.cards[card].faction_id for card in cards)
            lines = tuple((card, None, n) for card, n in sorted(Counter(cards).items()))
            yield self._writer.line(seed, number, 1, called, Content(tuple(houses), lines))


class _Stream:
    """The cards of one sheet after the other, as a machine puts them into packs."""

    def __init__(self, sheet: list[int], factions: Mapping[int, str], draws: Draws) -> None:
        """Take a sheet.

        Args:
            factions: of its cards, if these are to lie apart.
        """
        self._sheet, self._factions, self._draws = sheet, factions, draws
        self._left: list[int] = []
        names = sorted(set(factions.values()))
        self._begin = {name: draws.below(_PARTS) / _PARTS for name in names}

    def cards(self, number: int, had: list[int]) -> list[int]:
        """Take so many cards for a pack, none of them twice and none that it has had."""
        taken: list[int] = []
        waiting: list[int] = []
        while len(taken) < number:
            if not self._left:
                self._left = self._apart(self._draws.shuffled(self._sheet))
            card = self._left.pop()
            (waiting if card in taken or card in had else taken).append(card)
        self._left += reversed(waiting)
        return taken

    def _apart(self, cards: list[int]) -> list[int]:
        """Return cards in an order in which those of each faction are evenly spaced."""
        if not self._factions:
            return cards
        number = Counter(self._factions[card] for card in cards)
        seen = Counter[str]()
        places: list[tuple[float, int]] = []
        for card in cards:
            faction = self._factions[card]
            places.append(((seen[faction] + self._begin[faction]) / number[faction], card))
            seen[faction] += 1
        return [card for _, card in sorted(places, key=itemgetter(0))]
