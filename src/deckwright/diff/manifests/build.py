"""Make the manifest of what is about to be printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from deckwright import __version__
from deckwright.diff.manifests.digest import Digests
from deckwright.diff.manifests.model import (
    CardFacts,
    Entry,
    Facts,
    Manifest,
    card_facts,
    faction_facts,
    rule_facts,
)
from deckwright.faces.copies import Copy
from deckwright.game.model import Card, CardKey, Deck, FaceKey, Game


def manifest_of(
    game: Game,
    deck: Deck,
    copies: Iterable[Copy],
    digests: Digests,
    *,
    sheet: str,
    style: str | None,
) -> Manifest:
    """Return the manifest of a deck.

    Args:
        copies: all copies to print, in order, with faces as the factory composes them: those
            that are made larger for a bleed differ with the sheet.
        sheet, style: the names of the sheet format and of the style.
    """
    entries: dict[FaceKey, Entry] = {}
    copies = list(copies)
    for copy, key in zip(copies, keys_of(copies, digests), strict=True):
        if key in entries:
            entries[key] = entries[key]._replace(copies=entries[key].copies + 1)
            continue
        face, back = digests.of(copy.face), digests.of(copy.back) if copy.back else None
        facts = facts_of(game, copy.card, copy.faction_id)
        entries[key] = Entry(*key, 1, face, back, facts)
    return manifest(game, deck.stem, deck.name, [*entries.values()], sheet=sheet, style=style)


def keys_of(copies: Iterable[Copy], digests: Digests) -> list[FaceKey]:
    """Return the keys of copies; the faces of a card count as its parts in their order."""
    parts: dict[CardKey, dict[tuple[str, str], int]] = {}
    keys: list[FaceKey] = []
    for copy in copies:
        card = (copy.faction_id, copy.card.id)
        faces = parts.setdefault(card, {})
        looks = digests.of(copy.face), digests.of(copy.back) if copy.back else ""
        keys.append((*card, faces.setdefault(looks, len(faces) + 1)))
    return keys


def facts_of(game: Game, card: Card, faction_id: str) -> CardFacts:
    """Return the facts of a card, with its rules as `faction_id` calls them."""
    faction = game.factions.get(faction_id)
    names = {
        rule_id: game.rules[rule_id].any_label(faction.race)
        for rule_id in card.rule_ids()
        if faction and rule_id in game.rules
    }
    return card_facts(card, names)


def manifest(
    game: Game, deck: str, title: str, entries: list[Entry], *, sheet: str, style: str | None
) -> Manifest:
    """Return the manifest with these entries, and with the facts that they refer to."""
    rule_ids = dict.fromkeys(rule_id for entry in entries for rule_id in entry.card.rules)
    faction_ids = dict.fromkeys(entry.faction_id for entry in entries)
    rules: Mapping[str, Facts] = {i: rule_facts(game.rules[i]) for i in rule_ids}
    factions = {i: faction_facts(game.factions[i]) for i in faction_ids if i in game.factions}
    return Manifest(
        __version__, game.setup.name, deck, title, sheet, style, tuple(entries), rules, factions
    )
