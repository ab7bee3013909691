"""What the faces of a deck show, as plain data for programs that are not Deckwright.

It is read with Deckwright's own loader, so that all programs print the same cards: the words,
colors and icons are those that `templates/card.xml` and `templates/reference.xml` ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import uharfbuzz as hb

from deckwright.base.colors import contrasting_color, mix
from deckwright.base.findings import Report, has_errors
from deckwright.checks.counting import assign_zones
from deckwright.checks.loading import LimitOptions, load_deck
from deckwright.game.context import ContextBuilder
from deckwright.game.decklist import collect_rules, count_tokens
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Deck, Game
from deckwright.text.fonts import icon_font

Data = dict[str, Any]

_PAPER = "#fcf8ee"
_STATS = ("strength", "actions", "costs")

T = TypeVar("T")


def load(stage: Callable[..., T | None], *arguments: Any) -> T:
    """Return what a stage of Deckwright returns for `arguments` and a report.

    Raises:
        ValueError: if it reports an error.
    """
    report: Report = []
    result = stage(*arguments, report)
    if result is None or has_errors(report):
        raise ValueError(report)
    return result


def face_data(folder: GameFolder, deck_name: str) -> Data:
    """Return the cards, copies and rules of a deck."""
    game, deck, _ = load(load_deck, folder, folder.deck_file(deck_name), LimitOptions(ignore=True))
    contexts, icons = ContextBuilder(game), _Icons()
    words = game.setup.words
    cards: list[Data] = []
    copies: list[int] = []
    for card, faction_id, number in _printed(game, deck):
        copies += [len(cards)] * number
        shown = contexts.card_context(card, faction_id)
        cards.append(_card(shown, contexts.base_context()["fields"], icons))
    faction = game.factions[deck.faction_id]
    return {
        "title": f"{deck.name} – {faction.name}",
        "language": game.setup.language,
        "icons": {"sword": icons.character("sword"), "star": icons.character("star")},
        "token_word": words["token"].upper(),
        "palettes": {f.id: _palette(f.color) for f in game.factions.values()},
        "cards": cards,
        "copies": copies,
        "reference": {
            "deck": deck.name,
            "faction": faction.name,
            "color": faction.color,
            "on": contrasting_color(faction.color),
            "footer": f"{game.setup.name} · {words['reference']}",
            "page": words["page"],
            "sections": list(_sections(game, deck)),
        },
    }


def _printed(game: Game, deck: Deck) -> Iterator[tuple[Card, str, int]]:
    """Yield each card and token with the faction whose colors it has and its number of copies."""
    for line in assign_zones(game, deck):
        yield line.card, line.card.faction_id, line.entry.copies
    for count in count_tokens(game, deck):
        yield count.token, deck.faction_id, count.copies


def _card(card: Data, fields: Data, icons: _Icons) -> Data:
    """Return what the face of a card shows.

    Args:
        card, fields: as templates see them.
    """
    token = card["token"]
    hidden = {"costs"} if token or "neutral" in card["groups"] else set()
    level = {"number": 0, "color": card["faction"]["color"]} if token else card["level"]
    return {
        "name": card["name"],
        "faction": card["faction"]["id"],
        "token": token,
        "image": card["image"],
        "frames": max(1, int(level["number"])),
        "stars": int(level["number"]),
        "level_color": level["color"],
        "stats": [
            {"icon": icons.character(fields[name]["icon"]), "value": str(card[name])}
            for name in _STATS
            if name not in hidden
        ],
        "rows": [icons.character(row["icon"]) for row in card["rows"]],
        "rules": [
            {"text": _called(rule["name"], rule["cost"]), "active": rule["active"]}
            for rule in card["rules"]
        ],
    }


def _sections(game: Game, deck: Deck) -> Iterator[Data]:
    """Yield the passive and the active rules of a deck, those that there are."""
    used = collect_rules(game, deck)
    for active, word in ((False, "passive"), (True, "active")):
        rules = [
            {
                "name": _called(" / ".join(item.names), item.rule.cost),
                "effect": item.rule.effect,
            }
            for item in used
            if item.rule.active == active
        ]
        if rules:
            yield {"title": game.setup.words[word], "active": active, "rules": rules}


def _called(name: str, cost: int | None) -> str:
    return name if cost is None else f"{name} ({cost})"


def _palette(color: str) -> Data:
    """Return the colors of a faction's faces, by where they stand."""
    row = mix(color, "#000000", 0.2)
    return {
        "color": color,
        "on": contrasting_color(color),
        "token_border": mix(color, "#ffffff", 0.72),
        "ground": mix(color, _PAPER, 0.88),
        "band": mix(color, _PAPER, 0.66),
        "stat": mix(color, "#000000", 0.25),
        "picture": mix(color, _PAPER, 0.62),
        "sword": mix(color, "#000000", 0.15),
        "row": row,
        "row_on": contrasting_color(row),
    }


class _Icons:
    """Finds the characters of icons, by which other programs set them."""

    def __init__(self) -> None:
        face = hb.Face(hb.Blob.from_file_path(str(icon_font().path)))
        font = hb.Font(face)
        self._characters: dict[str, str] = {}
        for code in face.unicodes:
            name = font.get_glyph_name(font.get_nominal_glyph(code) or 0)
            self._characters.setdefault(name, chr(code))

    def character(self, name: str) -> str:
        """Return the character of an icon."""
        return self._characters[name]
