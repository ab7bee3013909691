"""Limits that hold for the decks of some factions name factions that exist."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, known_hint
from deckwright.checks import game_check
from deckwright.game.model import Game

G004 = Code("G004", Severity.ERROR, "a limit for the decks of a faction that does not exist")


@game_check
def limit_decks(game: Game) -> Iterator[Diagnostic]:
    """All factions whose decks a limit is for are defined."""
    for limit in game.setup.limits:
        for faction_id in limit.decks:
            if not game.may_have_faction(faction_id):
                yield G004.at(
                    limit.source.at("decks"),
                    f"the limit `{limit.id}` applies to decks of the faction `{faction_id}`, "
                    "which the factions file does not define",
                    known_hint(faction_id, game.factions),
                )
