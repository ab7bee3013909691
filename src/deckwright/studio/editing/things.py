"""What can be edited: cards, rules, factions, and the names and words of `game.xml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.game.model import Game, Printed
from deckwright.studio.saying import SaidError

KINDS = ("card", "rule", "faction", "texts")
LONGEST_ID = 200


class Thing(NamedTuple):
    """What is edited, as the page names it.

    Attributes:
        of: one of `KINDS`; tokens are cards.
        id: its id; that of a new thing may be "".
        faction: of a card, the one that prints it; "" for tokens that no card needs.
        new: whether it is only begun, and stands in no file yet.
        kind: of a new card, the tag of its kind.
        like: of a new thing, the id of the one that it is a copy of, or "".
        rule: of a new token, the id of the rule that creates it.
    """

    of: str
    id: str = ""
    faction: str = ""
    new: bool = False
    kind: str = ""
    like: str = ""
    rule: str = ""

    def told(self) -> dict[str, object]:
        """Return it as the page names it."""
        return {name: value for name, value in self._asdict().items() if value}

    def saved(self) -> Thing:
        """Return what it is as soon as it stands in its file."""
        return Thing(self.of, self.id, self.faction)


def thing_of(said: Mapping[str, object]) -> Thing:
    """Return the thing that a request is about.

    Raises:
        ChoiceError: if it is about none.
    """
    new = said.get("new") in (True, "true")
    given = {name: said.get(name) or "" for name in Thing._fields if name != "new"}
    texts = {name: value for name, value in given.items() if isinstance(value, str)}
    if len(texts) < len(given) or any(len(text) > LONGEST_ID for text in texts.values()):
        raise ChoiceError("this names nothing that can be edited")
    thing = Thing(**texts, new=new)
    if thing.of not in KINDS:
        raise ChoiceError(f"there is no form of `{thing.of}`", f"name one of {', '.join(KINDS)}")
    return thing


def missing(what: str) -> ChoiceError:
    """Return what is raised where there is no such thing."""
    message, hint = f"there is no {what}", "look at the wall again, it may be gone"
    return SaidError("failed-missing", message=message, hint=hint)


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


def printer_of(game: Game, rule_id: str) -> str:
    """Return the faction that prints the tokens of a rule, "" if none does."""
    cards = (*game.cards.values(), *game.stubs.values())
    return next((card.faction_id for card in cards if rule_id in card.rule_ids()), "")


def first_of(game: Game, faction: str) -> list[Printed]:
    """Return the cards that a faction prints."""
    return [each for each in game.printed() if each.faction_id == faction]


def is_taken(game: Game, thing: Thing, wanted: str) -> bool:
    """Return whether an id that a new thing is to have is another one's, if that can be told."""
    if thing.of == "rule":
        return wanted in game.rules or wanted in game.gaps.rules.ids
    if thing.of == "faction":
        return wanted in game.factions or wanted in game.gaps.factions.ids
    key, gap = (thing.faction, wanted), game.gaps.cards.get(thing.faction)
    left_out = gap is not None and wanted in gap.ids
    return key in game.cards or key in game.stubs or left_out
