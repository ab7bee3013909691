"""Check what `generator` of `game.xml` names: fields, groups, formats, word lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from deckwright.base.findings import Diagnostic, known_hint
from deckwright.game.conditions import read_where, references_in
from deckwright.game.kinds import Kind
from deckwright.game.named import Names, names_in, unknown_in
from deckwright.game.read_field import text
from deckwright.game.setup_findings import G001, G002, unknown
from deckwright.xmlio.node import Node
from deckwright.xmlio.validate import described

IN_BRACES = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
"""An id of a list in a pattern of names."""
FACTION = "faction"
"""What patterns call the deck's faction."""


def check_generator(
    root: Node, kinds: Mapping[str, Kind], groups: Collection[str]
) -> Iterator[Diagnostic]:
    """Report what a generator names that there is not."""
    deck = next(root.named("deck"), None)
    formats = [] if deck is None else [text(node, "id") for node in deck.named("format")]
    names = names_in((), (kind for kind in kinds.values() if not kind.token))
    for node in root.named("generator"):
        yield from unknown(node, "format", "format", formats)
        yield from unknown(node, "rarity", "field", names.fields)
        yield from _check_rarity(node)
        for part in node.named("part"):
            for name in ("only", "except"):
                yield from unknown(part, name, "group", groups)
            yield from _conditions(part, names, "where")
        for tag in ("maverick", "legacy", "pair", "must"):
            for child in node.named(tag):
                yield from _conditions(child, names, "where", "with")
        for booster in node.named("booster"):
            yield from unknown(booster, "format", "format", formats)
            for slot in booster.named("slot"):
                for sheet in slot.named("sheet"):
                    yield from _conditions(sheet, names, "where")
        for holder in node.named("names"):
            yield from _check_patterns(holder)


def _check_rarity(node: Node) -> Iterator[Diagnostic]:
    """Weights are of the values of a field, and one of them is not 0."""
    weights = list(node.named("rarity"))
    if node.get("rarity") is None:
        for child in weights[:1]:
            message = f"{described(child)} is of a field that `generator` does not name"
            yield G002.at(child.source.at(), message, 'name it there: `rarity="…"`')
    elif not any(int(text(child, "weight")) for child in weights):
        message = "`generator` names a `rarity`, but no card has a weight, so none is ever drawn"
        hint = 'add `<rarity is="…" weight="…"/>` for each value of that field'
        yield G002.at(node.source.at("rarity"), message, hint)


def _conditions(node: Node, names: Names, *attributes: str) -> Iterator[Diagnostic]:
    for name in attributes:
        where, place = read_where(text(node, name)), node.source.at(name)
        fixed = True
        for reference in references_in(where):
            fixed = False
            message = f"{described(node)} asks for `{reference}`, but there is no deck yet"
            yield G002.at(place, message, "say it in a limit: those may refer to the deck")
        if fixed:
            for message, hint in unknown_in(where, names, described(node), restricts=False):
                yield G001.at(place, message, hint)


def _check_patterns(holder: Node) -> Iterator[Diagnostic]:
    """What stands in braces is a list."""
    known = sorted({FACTION, *(text(node, "id") for node in holder.named("list"))})
    for node in holder.named("pattern"):
        for name in IN_BRACES.findall(text(node, "is")):
            if name not in known:
                message = f"`is` of `pattern` names the list `{name}`, which `names` does not have"
                yield G001.at(node.source.at("is"), message, known_hint(name, known))
