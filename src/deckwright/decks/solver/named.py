"""Which cards are named to whoever looks for decks."""

from __future__ import annotations

import re
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.base.findings import known_hint, listed
from deckwright.base.names import composed
from deckwright.decks.solver.building import Built
from deckwright.decks.solver.contents import Slot
from deckwright.game.model import Card, Game

_WISH = re.compile(r"\s*(.*?)\s*(?:(>=|<=|=)\s*([0-9]{1,4})\s*)?", re.DOTALL)


class Wanted(NamedTuple):
    """How many copies of a card are wanted.

    Attributes:
        card: its id or name, or its faction and its id or name, with a colon between them.
        least, most: how many copies, None where that does not matter.
    """

    card: str
    least: int | None
    most: int | None


def read_wanted(text: str) -> Wanted:
    """Return what a text such as `HK3`, `HK3=2`, `HK3>=2` or `HK3<=2` asks for."""
    found = _WISH.fullmatch(text)
    assert found is not None  # it matches any text
    number = int(found[3]) if found[3] else 1
    least = None if found[2] == "<=" else number
    most = number if found[2] in {"=", "<="} else None
    return Wanted(composed(found[1]), least, most)


def slots_of(name: str, built: Built, game: Game) -> list[Slot]:
    """Return where a card may be in a deck.

    Of cards of several factions those of the deck's own are meant. A name that several cards have
    means all of them.

    Args:
        name: its id or name, or with a colon before it that of its faction.

    Raises:
        ChoiceError: if there is no such card, none that decks may have, or more than one.
    """
    faction, colon, rest = name.partition(":")
    owner = faction if colon and faction in game.factions else None
    wanted = rest if owner is not None else name
    found = [slot for slot in built.slots if _is(slot.card, wanted, owner)]
    if not found:
        raise _missing(name, wanted, owner, built, game)
    found = [slot for slot in found if slot.card.id == wanted] or found
    own = [slot for slot in found if slot.card.faction_id == built.faction_id]
    found = own or found
    owners = list(dict.fromkeys(slot.card.faction_id for slot in found))
    if len(owners) > 1:
        message = f"several factions have a card `{name}`"
        raise ChoiceError(message, f"say which: {listed(f'{each}:{wanted}' for each in owners)}")
    return found


def _is(card: Card, name: str, owner: str | None) -> bool:
    return owner in {None, card.faction_id} and name in {card.id, card.name}


def _missing(name: str, wanted: str, owner: str | None, built: Built, game: Game) -> ChoiceError:
    if any(_is(card, wanted, owner) for card in game.cards.values()):
        message = f"decks of `{built.faction_id}` cannot have the card `{name}`"
        own = [limit.id for limit in game.setup.limits if limit.own_faction]
        return ChoiceError(message, f"allow it with `--limit {own[0]}=off`" if own else None)
    cards = [slot.card for slot in built.slots if owner in {None, slot.card.faction_id}]
    known = dict.fromkeys([*(card.id for card in cards), *(card.name for card in cards)])
    hint = "write a number of copies as in `HK3=2`" if "=" in name else known_hint(wanted, known)
    return ChoiceError(f"there is no card `{name}`", hint)
