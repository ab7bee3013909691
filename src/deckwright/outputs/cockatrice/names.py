"""What Cockatrice calls the cards of a game: each has a name of its own, and pictures go by names.

https://github.com/Cockatrice/Cockatrice
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from deckwright.faces.copies import called
from deckwright.game.model import Card, FaceKey, Game

_REMOVED = re.compile(r' // |[*<>:"\\?\x00-\x08\x10-\x1f]')
_SPACED = re.compile(r"[/\t-\x0f]")


class Entry(NamedTuple):
    """A card of Cockatrice: a card or token, or one of the parts that a copy of it has.

    Attributes:
        name: no other has it, nor would one have the same picture.
        faction_id: the faction that prints it.
        part: which of the card's faces it has, from 1.
        back: what its other side is called, which no other has; None if others have the same.
    """

    name: str
    card: Card
    faction_id: str
    part: int = 1
    back: str | None = None

    @property
    def key(self) -> FaceKey:
        """What tells it from others: faction, "" for tokens, id and part."""
        return ("" if self.card.kind.token else self.faction_id, self.card.id, self.part)


def picture_name(name: str) -> str:
    """Return the name of a card's picture, without an ending, as Cockatrice looks for it."""
    return _SPACED.sub(" ", _REMOVED.sub("", name))


def entries_of(game: Game) -> list[Entry]:
    """Return what Cockatrice has of a game: the cards, and the tokens that they can create."""
    return _distinct(_entries(game), game.setup.words["token"])


def with_backs(entries: list[Entry], word: str, has_back: Callable[[Entry], bool]) -> list[Entry]:
    """Return entries with the names of their backs.

    Args:
        word: what a back is called.
        has_back: tells whether the back of a card is its own.
    """
    taken = {_likeness(entry.name) for entry in entries}
    named = []
    for entry in entries:
        if has_back(entry):
            back, number = f"{entry.name} ({word})", 1
            while _likeness(back) in taken:
                number += 1
                back = f"{entry.name} ({word} {number})"
            taken.add(_likeness(back))
            entry = entry._replace(back=back)  # noqa: PLW2901
        named.append(entry)
    return named


def _entries(game: Game) -> list[Entry]:
    first = next(iter(game.factions), "")
    return [
        Entry(called(card, part), card, faction_id or first, part)
        for card, faction_id, _ in game.printed()
        for part in range(1, card.parts + 1)
        if faction_id or first
    ]


def _distinct(entries: list[Entry], token: str) -> list[Entry]:
    """Return entries with different names: those that have the same one get more behind it."""
    ends: tuple[Callable[[Entry], str], ...] = (
        lambda entry: f" ({token if entry.card.kind.token else entry.faction_id})",
        lambda entry: f" ({entry.card.id})",
        lambda entry: f" ({entry.faction_id} {entry.card.id} {entry.part})",
    )
    names = [entry.name for entry in entries]
    for end in ends:
        counts = Counter(map(_likeness, names))
        for index, entry in enumerate(entries):
            likeness = _likeness(names[index])
            if counts[likeness] > 1 or not likeness:
                names[index] = entry.name + end(entry)
    return [entry._replace(name=name) for name, entry in zip(names, entries, strict=True)]


def _likeness(name: str) -> str:
    """Return what two names have in common whose pictures would be the same file."""
    return picture_name(name).strip().casefold()
