"""From the limits of a game to a program: what decks of a faction must keep, as rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deckwright.checks.counting import Held
from deckwright.checks.zoning import zones_of
from deckwright.decks.solver.contents import Contents, NotLinearError, Slot
from deckwright.decks.solver.limits import NO_GAP, Gap, add_limit
from deckwright.decks.solver.logic import Logic
from deckwright.decks.solver.program import Program
from deckwright.game.deck_rules import Limit, Zone
from deckwright.game.model import Card, Game
from deckwright.game.shapes import MAX_COPIES


class LeftOut(NamedTuple):
    """A limit that is not in a program, and why."""

    limit: str
    reason: str


class Built(NamedTuple):
    """A program for the decks of a faction.

    Attributes:
        faction_id: the main faction of the decks.
        slots: the cards that they may have, in the order of the card files; their numbers are those
            of the first variables.
        left_out: limits that could not be said in rows.
        contents: what decks have, for more rows and for what is aimed at.
        gap: by how much the limit gives way that may.
    """

    program: Program
    faction_id: str
    slots: tuple[Slot, ...]
    left_out: tuple[LeftOut, ...]
    contents: Contents
    gap: Gap = NO_GAP


def build(
    game: Game,
    faction_id: str,
    held: Held,
    *,
    yielding: str | None = None,
) -> Built:
    """Return a program whose answers are the decks that keep the limits.

    Limits that are warnings only do not count. Each limit narrows the bounds of variables, and so
    the rows of others; cards that cannot be in any deck have no variables.

    Args:
        yielding: the id of a limit whose numbers may give way.
    """
    program = Program()
    enforced = [limit for limit in held.limits if not limit.warning]
    shut = _shut(held)
    slots: list[Slot] = []
    for card, zone, usual in _places(game):
        if zone.id not in shut or card.faction_id == faction_id:
            slots.append(Slot(card, zone, usual, len(slots)))
            program.variable(f"{card.faction_id}:{card.id} {zone.id}", 0, MAX_COPIES)
    contents = Contents(game, faction_id, held, slots, Logic(program))
    gap = Gap(*(program.variable(name, 0, _WIDEST) for name in Gap._fields)) if yielding else NO_GAP
    left_out = []
    for phase in range(_LAST + 1):
        for limit in enforced:
            if _phase(limit) == phase:
                try:
                    gives = gap if limit.id == yielding else NO_GAP
                    add_limit(limit, contents, held, gap=gives)
                except NotLinearError as error:
                    program.forget(limit.id)
                    left_out.append(LeftOut(limit.id, str(error)))
        program.tighten()
    return Built(program, faction_id, tuple(slots), tuple(left_out), contents, gap)


_WIDEST = 1_000_000
"""By how much a limit can give way at most."""


def _places(game: Game) -> Iterator[tuple[Card, Zone, bool]]:
    """Yield all cards with the zones that admit them, and whether each is the first."""
    for card in game.cards.values():
        if card.faction_id in game.factions:
            for place, zone in enumerate(zones_of(game, card)):
                yield card, zone, place == 0


def lenders(game: Game, faction_id: str, held: Held) -> frozenset[str]:
    """Return the ids of the factions whose cards decks of a faction may have, its own included."""
    shut = _shut(held)
    zones = [zone for zone in game.setup.zones if zone.id not in shut]
    factions = game.factions.values()
    lending = {f.id for f in factions if any(zone.audience.admits(f.groups) for zone in zones)}
    return frozenset(lending | {faction_id})


def _shut(held: Held) -> frozenset[str]:
    """Return the ids of the zones that no card of another faction may be in."""
    return frozenset(
        limit.zone
        for limit in held.limits
        if limit.own_faction and not (limit.warning or limit.where or limit.per)
        if not (limit.exemptions or limit.zones_needed)
    )


_LAST = 2


def _phase(limit: Limit) -> int:
    """Return when to add a limit: the later the more its rows gain from bounds that are close."""
    if limit.exemptions or any(True for _ in limit.references()):
        return _LAST
    return 1 if limit.distinct else 0
