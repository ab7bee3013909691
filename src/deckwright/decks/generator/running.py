"""Runs of decks of which no two are the same.

Deck 4711 is the first attempt at it, which depends on the seed and its number alone. Where an
earlier deck of the run has the same cards, or the same name, it is the second attempt, and so on;
its id says which, so that it can be made again without the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from deckwright.base.findings import Report
from deckwright.base.numbers import counted
from deckwright.decks.generator.draws import Draws
from deckwright.decks.generator.lines import Line, Writer
from deckwright.decks.generator.making import Content, Maker, cannot
from deckwright.decks.generator.names import Namer
from deckwright.game.folder import GameFolder
from deckwright.game.generator import Generator
from deckwright.game.model import Game

ATTEMPTS = 100
"""How often a deck is tried that others are like, before it is taken that there are no more."""


class Index:
    """What there is already: hashes of 64 bits, so that a million of them take 64 MB.

    Two different decks may have the same hash; one in 20,000,000 runs of a million decks has such
    two, and the second is then only made at another attempt.
    """

    def __init__(self) -> None:
        """Nothing is there yet."""
        self._known: set[int] = set()

    def has(self, text: str) -> int | None:
        """Return the hash of a text, None if it is there already."""
        key = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
        return None if key in self._known else key

    def add(self, key: int) -> None:
        """Enter a hash."""
        self._known.add(key)


class Generation:
    """Makes the decks of a game."""

    def __init__(
        self, game: Game, generator: Generator, folder: GameFolder, report: Report
    ) -> None:
        """Take a game without mistakes; word lists that cannot be used are reported.

        Raises:
            CannotMakeError: if no decks can be made of it.
        """
        self._game, self._generator = game, generator
        self.maker = Maker(game, generator)
        self._writer = Writer(game, self.maker.stock, generator.prefix, generator.format)
        self._namer = Namer(generator.names, folder, report) if generator.names else None
        self.usable = self._namer is None or self._namer.usable

    def deck(self, seed: str, number: int, attempt: int = 1) -> Line:
        """Return one deck, whatever others are like.

        Raises:
            CannotMakeError: if it cannot be made.
            ChoiceError: if the solver is needed for it, and is not installed.
        """
        content = self.maker.content(seed, number, attempt)
        name = ""
        if self._namer is not None:
            faction = self._game.factions[content.houses[0]]
            name = self._namer.name(Draws(seed, number, attempt, "name"), faction.name)
        return self._writer.line(seed, number, attempt, name, content)

    def run(self, seed: str, count: int) -> Iterator[Line]:
        """Yield so many decks, no two of the same cards, nor of the same name where that counts.

        Raises:
            CannotMakeError: if there are not so many.
            ChoiceError: as `deck` does.
        """
        decks, names = Index(), Index()
        given = self._generator.names
        unique = given is not None and given.unique
        for number in range(1, count + 1):
            for attempt in range(1, ATTEMPTS + 1):
                line = self.deck(seed, number, attempt)
                same = decks.has(self._key(line.content))
                named = names.has(line.name.casefold()) if unique else 0
                if same is not None and named is not None:
                    decks.add(same)
                    if unique:
                        names.add(named)
                    yield line
                    break
            else:
                what = "has other cards" if same is None else "has another name"
                after = counted(number - 1, "deck")
                message = f"after {after}, none of {ATTEMPTS} more {what} than all of them"
                hint = (
                    "have fewer decks, or more cards to draw from"
                    if same is None
                    else 'have longer word lists, or `unique="false"`'
                )
                raise cannot(self._generator, message, hint)

    def _key(self, content: Content) -> str:
        """Return what tells decks apart: their cards, whatever these are marked as."""
        copies: dict[int, int] = {}
        for card, _, number in content.lines:
            copies[card] = copies.get(card, 0) + number
        return ",".join(f"{card}={number}" for card, number in copies.items())
