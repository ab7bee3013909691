"""The smallest change that makes a deck legal: what it changes, and why each of it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from deckwright.checks.counting import Held
from deckwright.checks.zoning import zone_of, zoned
from deckwright.decks.comparison import Change, compare_decks
from deckwright.decks.lines import NEW_FILE, copies_in, set_copies
from deckwright.decks.solver.wishes import Wish
from deckwright.decks.stats import deck_stats
from deckwright.game.model import Card, CardKey, Deck, DeckEntry, Game
from deckwright.xmlio.xml_text import Element, read_xml_file


class Mend(NamedTuple):
    """A change that a deck needs.

    Attributes:
        why: the ids of the limits, and the wishes, that would be broken without it; none if no zone
            takes the card.
    """

    change: Change
    why: tuple[str, ...]


def mends(
    game: Game, old: Deck, new: Deck, held: Held, wishes: Iterable[Wish] = ()
) -> Iterator[Mend]:
    """Yield the changes that make one deck of another, each with what needs it."""
    decks = [(game, deck_stats(game, deck, held)) for deck in (old, new)]
    for change in compare_decks(decks).changes():
        without = _without(change, game, new)
        states = deck_stats(game, without, held).limits
        limits = [state.id for state in states if not (state.keeps or state.limit.warning)]
        asked = [wish.text for wish in wishes if not wish.granted_by(without)]
        yield Mend(change, (*limits, *asked))


def _without(change: Change, game: Game, deck: Deck) -> Deck:
    """Return a deck without one change."""
    copies = {(*_key(change.card), change.zone): -change.copies}
    for line in zoned(game, deck):
        own = *_key(line.card), line.zone.id if line.zone else ""
        copies[own] = copies.get(own, 0) + line.entry.copies
    entries = (
        DeckEntry(faction_id, card_id, number, deck.source, zone or None)
        for (faction_id, card_id, zone), number in copies.items()
        if number
    )
    return deck._replace(entries=tuple(entries))


def rewritten(path: Path, game: Game, deck: Deck, changes: Iterable[Change]) -> bytes:
    """Return a deck list's file with changes, and all else as it stands there.

    Raises:
        OSError: if it cannot be read.
    """
    file = read_xml_file(path, NEW_FILE)
    in_zone: dict[str, list[tuple[CardKey, Element]]] = {}
    for line in sorted(zoned(game, deck), key=lambda line: line.entry.source.ordinal):
        key, element = _key(line.card), file.elements[line.entry.source.ordinal]
        in_zone.setdefault(line.zone.id if line.zone else "", []).append((key, element))
    for zone, card, copies in changes:
        lines = in_zone.setdefault(zone, [])
        own = [element for key, element in lines if key == _key(card)]
        usual = zone_of(game, card)
        named = None if usual is None or usual.id == zone else zone
        total = sum(copies_in(element) for element in own) + copies
        last = lines[-1][1] if lines else None
        changed = set_copies(file, own, _key(card), total, named, last)
        there = file.root.children("card")
        in_zone[zone] = [each for each in lines if each[1] in there]
        in_zone[zone] += [(_key(card), element) for element in changed if element not in own]
    return file.bytes()


def _key(card: Card) -> CardKey:
    return card.faction_id, card.id
