"""Remember legal decks, so that the solver is asked only about cards that none of them proves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from deckwright.decks.solver.building import CardSlot
from deckwright.game.model import CardKey


class KnownDeck(NamedTuple):
    """A deck that was legal when it was found.

    Attributes:
        faction_id, format_id: its faction, and the format whose limits it keeps; None for none.
        copies: the copies by faction, id and zone of the card.
        digests: the digests of its cards.
        near: the digests of further cards: one copy, alone or in place of a copy of another card,
            leaves the deck legal.
    """

    faction_id: str
    format_id: str | None
    copies: Mapping[tuple[str, str, str], int]
    digests: Mapping[CardKey, str]
    near: frozenset[str]


class KnownDecks:
    """The legal decks found in earlier states of a game with the same rules.

    Only the cards of a deck decide whether it is legal, so it stays legal until they change.
    """

    def __init__(self, digests: Mapping[CardKey, str], decks: Iterable[KnownDeck] = ()) -> None:
        """Set the decks, and for each card the digest of all that limits see of it."""
        self._digests = digests
        self._keys = {digest: key for key, digest in digests.items()}
        self._decks: dict[tuple[str, str | None], list[KnownDeck]] = {}
        for deck in decks:
            self._decks.setdefault(deck[:2], []).append(deck)
        self._current: dict[tuple[str, str | None], list[KnownDeck]] = {}
        self._proven: dict[tuple[str, str | None], set[CardKey]] = {}

    @classmethod
    def decode(cls, content: bytes, digests: Mapping[CardKey, str]) -> KnownDecks:
        """Return the decks that `encode` serialized.

        Raises:
            Exception: of any type, if the content is invalid.
        """
        decks = [
            KnownDeck(
                faction_id,
                form,
                {(faction, card, zone): number for faction, card, zone, number in copies},
                {(faction, card): digest for faction, card, digest in cards},
                frozenset(near),
            )
            for faction_id, form, copies, cards, near in json.loads(content)
        ]
        return cls(digests, decks)

    def encode(self) -> str:
        """Return the decks to remember, serialized."""
        decks = [
            (
                *deck[:2],
                [(*place, number) for place, number in deck.copies.items()],
                [(*key, digest) for key, digest in deck.digests.items()],
                sorted(deck.near),
            )
            for decks in self._current.values()
            for deck in decks
        ]
        return json.dumps(decks)

    def of(self, faction_id: str, format_id: str | None) -> Sequence[KnownDeck]:
        """Return the decks of a faction in a format, legal or not."""
        current = self._current.get((faction_id, format_id))
        return self._decks.get((faction_id, format_id), ()) if current is None else [*current]

    def is_unchanged(self, deck: KnownDeck) -> bool:
        """Return whether the cards of a deck are as they were."""
        return all(self._digests.get(key) == digest for key, digest in deck.digests.items())

    def find_proven(self, deck: KnownDeck) -> set[CardKey]:
        """Return the cards that an unchanged deck proves to be in a legal one."""
        return {*deck.digests, *(self._keys[digest] for digest in deck.near & self._keys.keys())}

    def renew(
        self, deck: KnownDeck, copies: Iterable[tuple[CardSlot, int]], near: Iterable[CardSlot]
    ) -> KnownDeck:
        """Return a legal deck as it is now, and with further cards near it."""
        new = self.make_deck(deck[:2], copies, near)
        same = new.copies == deck.copies and new.digests == deck.digests
        return new._replace(near=new.near | deck.near) if same else new

    def make_deck(
        self,
        decks: tuple[str, str | None],
        copies: Iterable[tuple[CardSlot, int]],
        near: Iterable[CardSlot],
    ) -> KnownDeck:
        """Return a deck to keep.

        Args:
            decks: its faction and format.
        """
        content = {(*slot.key, slot.zone.id): number for slot, number in copies if number}
        digests = {(faction, card): self._digests[faction, card] for faction, card, _ in content}
        further = frozenset(self._digests[slot.key] for slot in near)
        return KnownDeck(*decks, content, digests, further)

    def keep(self, deck: KnownDeck) -> None:
        """Keep a legal deck, unless others prove all of its cards."""
        current = self._current.setdefault(deck[:2], [])
        proven = self._proven.setdefault(deck[:2], set())
        new = self.find_proven(deck)
        if not current or not new <= proven:
            current.append(deck)
            proven |= new
