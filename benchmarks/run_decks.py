"""Legal decks of the shipped game, no two alike, and always the same ones."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from deckwright.game.model import Card, Game

_COPIES = {1: 4, 2: 2, 3: 1}
"""How often a card may be there, by its level."""
_MOST = {1: 99, 2: 6, 3: 3}
"""How many cards of a level a deck may have."""
_COSTS, _LEAST, _LARGEST, _SIDE = 200, 25, 30, 3
_SPREAD = 12
"""How much chance counts beside what a card costs."""

Lines = dict[tuple[str, str], int]
"""The cards of a deck with their factions, and how many of each."""


def write_decks(game: Game, folder: Path, number: int) -> list[Path]:
    """Write so many deck lists to `folder`, and return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for index, (faction, lines) in zip(range(number), _decks(game), strict=False):
        root = etree.Element("data")
        etree.SubElement(root, "meta", main_faction_id=faction, name=f"Deck {index:07}")
        for (home, card_id), amount in lines.items():
            etree.SubElement(root, "card", faction_id=home, id=card_id, amount=str(amount))
        path = folder / f"deck{index:07}.xml"
        path.write_bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))
        paths.append(path)
    return paths


def _decks(game: Game) -> Iterator[tuple[str, Lines]]:
    """Yield decks without end."""
    chance, seen = random.Random(19), set[tuple[object, ...]]()
    cards: dict[str, list[Card]] = {}
    for card in game.cards.values():
        cards.setdefault(card.faction_id, []).append(card)
    neutral = sorted(f for f, own in cards.items() if _level(own[0]) == 0)
    factions = sorted(set(cards).difference(neutral))
    while True:
        faction = chance.choice(factions)
        side = chance.choice(neutral)
        lines = _main(cards[faction], chance)
        for card in chance.sample(cards[side], _SIDE):
            lines[side, card.id] = 1
        key = tuple(sorted(lines.items()))
        if sum(lines.values()) >= _LEAST + _SIDE and key not in seen:
            seen.add(key)
            yield faction, lines


def _main(cards: list[Card], chance: random.Random) -> Lines:
    """Return as many cards of a faction as its limits allow; cheap ones are likelier."""
    pool = [card for card in cards for _ in range(_COPIES[_level(card)])]
    pool.sort(key=lambda card: chance.random() * _SPREAD + _number(card, "costs"))
    lines: Lines = {}
    names, levels, costs = Counter[str](), Counter[int](), 0.0
    for card in pool:
        level, cost = _level(card), _number(card, "costs")
        if (
            names[card.name] < _COPIES[level]
            and levels[level] < _MOST[level]
            and costs + cost <= _COSTS
            and levels.total() < _LARGEST
        ):
            key = card.faction_id, card.id
            lines[key] = lines.get(key, 0) + 1
            names[card.name] += 1
            levels[level] += 1
            costs += cost
    return dict(sorted(lines.items()))


def _level(card: Card) -> int:
    return int(str(card.fields["level"]))


def _number(card: Card, name: str) -> float:
    value = card.fields.get(name)
    return value if isinstance(value, (int, float)) else 0
