"""The faces of a whole game, or of some of its cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from deckwright.base.findings import Code, Report, Severity
from deckwright.base.progress import steps
from deckwright.faces.backs import has_own_back, named_back
from deckwright.faces.copies import NamedFace
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import Card, Game, Printed

R019 = Code("R019", Severity.ERROR, "a requested card that does not exist")


def faces_of(
    factory: FaceFactory,
    report: Report,
    wanted: Collection[str] = (),
    *,
    backs: bool = False,
) -> Iterator[NamedFace]:
    """Yield the faces of cards and tokens; those that cannot be composed are reported.

    Args:
        wanted: ids or names of cards, ids of factions or of rules that create tokens; all if empty.
        backs: the backs instead, one for each stack that shares one, for each faction and kind, or
            for each card that has its own.
    """
    game, seen = factory.game, set[int]()
    asked = [each for each in game.printed() if each.faction_id and _is_wanted(each, wanted)]
    if not backs:
        factory.expect([(each.card, each.faction_id) for each in asked], report)
    for card, faction_id, rule_id in steps(asked, "composing faces"):
        if not backs:
            group = "tokens" if rule_id else faction_id
            for number, face in enumerate(factory.card_faces(card, faction_id, report), 1):
                yield NamedFace(_file_name(game, card, number), group, card, face)
            continue
        is_own = has_own_back(factory, card, faction_id, report)
        for number in range(1, card.parts + 1 if is_own else 2):
            back = factory.card_back(card, faction_id, report, number)
            if back is not None and id(back) not in seen:
                seen.add(id(back))
                own = _file_name(game, card, number) if is_own else None
                named = named_back(game, card, faction_id, back, own)
                yield named._replace(name=f"back_{named.name}")


def _is_wanted(printed: Printed, wanted: Collection[str]) -> bool:
    """Return whether a card is asked for, by its own name or by that of what it belongs to."""
    card, faction_id, rule_id = printed
    groups = {"tokens", rule_id} if rule_id else {faction_id}
    return not wanted or not groups.union((card.id, card.name)).isdisjoint(wanted)


def _file_name(game: Game, card: Card, number: int) -> str:
    """Return what the file of a face is called; factions that share cards put theirs in front."""
    faction = game.factions.get(card.faction_id)
    shared = f"{faction.id}_" if faction and faction.cards_of else ""
    part = f"_part{number}" if card.parts > 1 else ""
    return shared + (card.id.replace("/", "_") if card.kind.token else card.id) + part
