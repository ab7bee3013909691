"""What can be edited: cards, rules, factions, and the names and words of `game.xml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.game.model import Game, Printed

KINDS = ("card", "new", "rule", "faction", "texts")
LONGEST_ID = 200


class Thing(NamedTuple):
    """What is edited, as the page names it.

    Attributes:
        of: one of `KINDS`.
        id: its id; that of a new card may be "".
        faction: of a card, the one that prints it.
        kind: of a new card, the tag of its kind.
        like: of a new card, the id of the one that it is a copy of, or "".
    """

    of: str
    id: str = ""
    faction: str = ""
    kind: str = ""
    like: str = ""

    def told(self) -> dict[str, str]:
        """Return it as the page names it."""
        return {name: value for name, value in self._asdict().items() if value}


def thing_of(said: Mapping[str, object]) -> Thing:
    """Return the thing that a request is about.

    Raises:
        ChoiceError: if it is about none.
    """
    given = {name: said.get(name) or "" for name in Thing._fields}
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    if len(texts) < len(given) or any(len(text) > LONGEST_ID for text in texts.values()):
        raise ChoiceError("this names nothing that can be edited")
    thing = Thing(**texts)
    if thing.of not in KINDS:
        raise ChoiceError(f"there is no form of `{thing.of}`", f"name one of {', '.join(KINDS)}")
    return thing


def missing(what: str) -> ChoiceError:
    """Return what is raised where there is no such thing."""
    return ChoiceError(f"there is no {what}", "look at the wall again, it may be gone")


def printed(game: Game, faction: str, card_id: str) -> Printed:
    """Return a card or token as a faction prints it.

    Raises:
        ChoiceError: if there is none.
    """
    for each in game.printed():
        if each.faction_id == faction and each.card.id == card_id:
            return each
    raise missing(f"card `{card_id}` of `{faction}`")


def users(game: Game, rule_id: str) -> list[Printed]:
    """Return the cards and tokens that show a rule."""
    return [each for each in game.printed() if each.faction_id and rule_id in each.card.rule_ids()]


def first_of(game: Game, faction: str) -> list[Printed]:
    """Return the cards that a faction prints."""
    return [each for each in game.printed() if each.faction_id == faction]


def is_taken(game: Game, faction: str, card_id: str) -> bool:
    """Return whether a faction has a card of this id, or one that could not be read."""
    key = faction, card_id
    return key in game.cards or key in game.stubs or game.may_have(*key)
