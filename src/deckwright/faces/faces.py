"""The faces of a whole game, or of some of its cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from deckwright.base.findings import Code, Report, Severity
from deckwright.base.progress import steps
from deckwright.faces.backs import named_back
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import Card, Game

R019 = Code("R019", Severity.ERROR, "a requested card that does not exist")


def faces_of(
    game: Game,
    factory: FaceFactory,
    report: Report,
    wanted: Collection[str] = (),
    *,
    backs: bool = False,
) -> Iterator[NamedFace]:
    """Yield the faces of cards and tokens; those that cannot be composed are reported.

    Args:
        wanted: ids or names of cards, ids of factions or of rules that create tokens; all if empty.
        backs: the backs instead, one for each stack that shares one, or faction and kind.
    """
    seen: set[int] = set()
    asked = [entry for entry in printed_cards(game) if _is_wanted(entry[0], entry[2:], wanted)]
    if not backs:
        factory.expect([(card, faction_id) for card, faction_id, _, _ in asked], report)
    for card, faction_id, name, group in steps(asked, "composing faces"):
        if not backs:
            for number, face in enumerate(factory.card_faces(card, faction_id, report), 1):
                part = f"_part{number}" if card.parts > 1 else ""
                yield NamedFace(f"{name}{part}", group, card, face)
            continue
        back = factory.card_back(card, faction_id, report)
        if back is not None and id(back) not in seen:
            seen.add(id(back))
            named = named_back(game, card, faction_id, back)
            yield named._replace(name=f"back_{named.name}")


def _is_wanted(card: Card, names: Sequence[str], wanted: Collection[str]) -> bool:
    """Return whether a card is asked for, which is called by a name and in a group."""
    name, group = names
    called = {card.id, card.name, group, name.partition("_")[0]}
    return not wanted or not called.isdisjoint(wanted)


def printed_cards(game: Game) -> Iterator[tuple[Card, str, str, str]]:
    """Yield every card and token, with the faction that prints it, its name and its group.

    A token is printed for the first faction that has a card with its rule.
    """
    for card in (*game.cards.values(), *game.stubs.values()):
        faction = game.factions.get(card.faction_id)
        shared = f"{faction.id}_" if faction and faction.cards_of else ""
        yield card, card.faction_id, f"{shared}{card.id}", card.faction_id
    users: dict[str, str] = {}
    for card in game.cards.values():
        for rule_id in card.rule_ids():
            users.setdefault(rule_id, card.faction_id)
    for rule in game.rules.values():
        if rule.id in users:
            for token in rule.tokens:
                yield token, users[rule.id], token.id.replace("/", "_"), "tokens"
