"""Read `generator` of `game.xml`."""

from __future__ import annotations

from decimal import Decimal

from deckwright.game.conditions import read_where
from deckwright.game.generator import (
    MILLION,
    Booster,
    BoosterSlot,
    Demand,
    Generator,
    Names,
    Part,
    Pattern,
    Sheet,
    Special,
    WordFile,
)
from deckwright.game.read_field import audience, number, text
from deckwright.xmlio.node import Node

_BOX = 24


def read_generator(root: Node) -> Generator | None:
    """Return how a game makes decks, None if it does not say."""
    node = next(root.named("generator"), None)
    if node is None:
        return None
    pairs = (_demand(child, "where", "with") for child in node.named("pair"))
    musts = (_demand(child, "", "where") for child in node.named("must"))
    return Generator(
        prefix=node.get("prefix") or "D",
        format=node.get("format"),
        copies=number(node, "copies"),
        parts=tuple(map(_part, node.named("part"))),
        rarity=node.get("rarity"),
        weights={text(n, "is"): number(n, "weight", 1) or 0 for n in node.named("rarity")},
        maverick=next(map(_special, node.named("maverick")), None),
        legacy=next(map(_special, node.named("legacy")), None),
        demands=(*pairs, *musts),
        names=next(map(_names, node.named("names")), None),
        boosters={b.id: b for b in map(_booster, node.named("booster"))},
        source=node.source,
    )


def _part(node: Node) -> Part:
    where = read_where(text(node, "where"))
    houses, cards = number(node, "houses", 1) or 1, number(node, "cards", 1) or 1
    return Part(houses, cards, audience(node), where, node.source)


def _special(node: Node) -> Special:
    return Special(int(Decimal(text(node, "chance")) * MILLION), read_where(text(node, "where")))


def _demand(node: Node, when: str, where: str) -> Demand:
    least = number(node, "min", 1) or 1
    wanted = read_where(text(node, when)) if when else ()
    return Demand(wanted, read_where(text(node, where)), least, node.source)


def _names(node: Node) -> Names:
    return Names(
        tuple(map(_file, node.named("list"))),
        tuple(Pattern(text(n, "is"), number(n, "weight", 1) or 1, n.source)
              for n in node.named("pattern")),
        tuple(map(_file, node.named("forbidden"))),
        unique=node.get("unique") != "false",
    )  # fmt: skip


def _file(node: Node) -> WordFile:
    return WordFile(text(node, "id"), text(node, "file"), node.source)


def _booster(node: Node) -> Booster:
    return Booster(
        text(node, "id"),
        text(node, "name"),
        node.get("format"),
        number(node, "box", _BOX) or _BOX,
        tuple(map(_slot, node.named("slot"))),
        node.source,
    )


def _slot(node: Node) -> BoosterSlot:
    sheets = (
        Sheet(read_where(text(child, "where")), number(child, "copies", 1) or 1)
        for child in node.named("sheet")
    )
    cards, balanced = number(node, "cards", 1) or 1, node.get("balanced") == "true"
    return BoosterSlot(cards, tuple(sheets), balanced, node.source)
