"""What fields can refer to: rules, cards, pictures and symbols; and what can be edited at all."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.files import is_there
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Field, Kind
from deckwright.game.model import Game
from deckwright.studio.editing.files import listed, picture_data
from deckwright.studio.editing.homes import home_of_cards
from deckwright.studio.editing.words import sections

Json = dict[str, object]


def choices(game: Game, folder: GameFolder, faction_id: str) -> Json:
    """Return what fields can refer to.

    Args:
        faction_id: whose cards they are; rules are called as for its race.
    """
    faction = game.factions.get(faction_id)
    race = faction.race if faction else ""
    return {
        "rules": [
            {
                "id": rule.id,
                "label": rule.any_label(race),
                "text": rule.effect,
                "type": rule.type,
                "fits": faction is None or rule.label(race) is not None,
            }
            for rule in game.rules.values()
        ],
        "cards": [
            {"faction": card.faction_id, "id": card.id, "name": card.name}
            for card in game.cards.values()
        ],
        "pictures": [picture_data(*each) for each in listed(folder.images)],
        "symbols": [
            {"id": symbol.id, "name": symbol.name} for symbol in game.setup.symbols.values()
        ],
    }


def _all_fields(kind: Kind) -> Iterator[Field]:
    yield from kind.fields
    for spec in kind.children:
        yield from spec.fields


def editable(game: Game, folder: GameFolder, *, read_only: bool) -> Json:
    """Return what can be edited besides the cards of the wall, and where new cards can stand."""
    fields = [field for kind in game.setup.kinds.values() for field in _all_fields(kind)]
    return {
        "readOnly": read_only,
        "kinds": [{"kind": kind.tag, "name": kind.name} for kind in game.setup.card_kinds],
        "begins": {
            "rule": any(field.one.type == "rule" for field in fields),
            "faction": is_there(folder.factions_file),
        },
        "factions": [
            {
                "id": each.id,
                "name": each.name,
                "editable": not each.cards_of and not home_of_cards(each.id, folder).why,
            }
            for each in game.factions.values()
        ],
        "rules": [
            {
                "id": rule.id,
                "label": " / ".join(dict.fromkeys(rule.labels.values())),
                "text": rule.effect,
            }
            for rule in game.rules.values()
        ],
        "texts": [
            {"id": name, "title": title}
            for name, title in (sections(game) if folder.has_own_setup else ())
        ],
    }
