"""Check that what `game.xml` says of tables can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from deckwright.base.findings import Diagnostic, listed
from deckwright.game.kinds import Kind
from deckwright.game.read_field import text
from deckwright.game.setup_findings import EVERY_CARD, G002, unknown
from deckwright.game.sources import AMOUNT, SUFFIXES
from deckwright.xmlio.node import Node


def check_tables(root: Node, kinds: Mapping[str, Kind]) -> Iterator[Diagnostic]:
    """Tables are of kinds of cards, and their columns hold what cards have."""
    cards = {tag: kind for tag, kind in kinds.items() if not kind.token}
    for table in root.named("table"):
        yield from unknown(table, "kind", "kind", cards)
        file, place = text(table, "file"), table.source.at("file")
        if not file.casefold().endswith(SUFFIXES):
            message = f"the table `{file}` is none that can be read"
            yield G002.at(place, message, f"name a file that ends in {listed(SUFFIXES)}")
        elif ".." in PurePath(file).parts or PurePath(file).is_absolute():
            message = f"the table `{file}` is not in xml/Factions"
            yield G002.at(place, message, "move it there")
        kind = table.get("kind") or ""
        of = [cards[kind]] if kind in cards else [*cards.values()]
        fields = (f.name for kind in of for f in kind.fields if not f.ignored)
        tags = (tag for kind in of for c in kind.children for tag in (c.tag, c.plural))
        known = {*EVERY_CARD, AMOUNT, *fields, *tags}
        for column in table.named("column"):
            yield from unknown(column, "to", "field", known)
            if column.get("name") is None and column.get("value") is None:
                hint = 'add `name="…"`, its title in the table'
                yield G002.at(column.source.at(), "a column has neither a name nor a value", hint)
