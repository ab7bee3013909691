"""Whether the cards that decks may have are free of mistakes."""

from __future__ import annotations

from deckwright.api.errors import GameError
from deckwright.api.opened import Opened
from deckwright.base.findings import is_error
from deckwright.checks.counting import Held


def demand_whole(opened: Opened, faction_id: str, held: Held) -> None:
    """Raise a GameError for mistakes in what decks of a faction may have."""
    from deckwright.decks.solver.building import lenders  # noqa: PLC0415 - only to solve

    folder, factions = opened.folder, opened.model.factions
    used = {factions[i].cards_of or i for i in lenders(opened.model, faction_id, held)}
    others = {folder.cards_file(each) for each in factions if each not in used}
    errors = [
        finding
        for finding in opened.reading.faults
        if is_error(finding) and not (finding.location and finding.location.path in others)
    ]
    if errors:
        raise GameError(errors)
