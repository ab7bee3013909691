"""Make the tables of a game."""

from __future__ import annotations

from collections.abc import Iterable

from deckwright.game.columns import titles_of
from deckwright.game.model import CardKey
from deckwright.game.shapes import MAX_COPIES
from deckwright.grids.table import Column, Table
from deckwright.tables.records import Loaded, shown
from deckwright.xmlio.shape import Attribute, Value

AMOUNT = Attribute("amount", Value(kind="integer", maximum=MAX_COPIES))
"""An amount in the table of decks, where none may be written as 0."""


def tables_of(loaded: Loaded, titles: Iterable[str] = ()) -> list[Table]:
    """Return the tables of a game: its kinds of cards, and its deck lists if it has any.

    Args:
        titles: those of the wanted tables; all if there are none.
    """
    tables = []
    for plan in loaded.plans:
        records = loaded.records[plan.title]
        columns = tuple(c for c in plan.columns if not c.rare or any(r.text(c) for r in records))
        rows = (tuple(record.text(column) for column in columns) for record in records)
        tables.append(Table(plan.title, columns, tuple(rows)))
    if loaded.decks:
        tables.append(_decks_table(loaded))
    wanted = set(titles) or {table.title for table in tables}
    return [table for table in tables if table.title in wanted]


def deck_columns(loaded: Loaded) -> tuple[Column, ...]:
    """Return the columns of the table of deck lists."""
    return (
        Column("faction_id", ("faction",), note="The faction that has the card."),
        Column("id", note="The card's id."),
        Column("name", note="The card's name, which is not read back."),
        *(
            Column(deck.title, attribute=AMOUNT, note="How many copies the deck has.")
            for deck in loaded.decks
        ),
    )


def _decks_table(loaded: Loaded) -> Table:
    """Return the table of deck lists: a row for each card, and the amounts in each deck."""
    title = titles_of(loaded.game.setup).decks
    names = deck_names(loaded)
    rows = []
    for key, name in names.items():
        amounts = (deck.amount(key) for deck in loaded.decks)
        rows.append((*key, name, *(str(amount) if amount else "" for amount in amounts)))
    return Table(title, deck_columns(loaded), tuple(rows))


def deck_names(loaded: Loaded) -> dict[CardKey, str]:
    """Return the names of what decks have or may have, by their keys: "" for unknown cards."""
    name = Column("name", attribute=Attribute("name"))
    names = {key: shown(card.name, name) for key, card in loaded.game.cards.items()}
    for deck in loaded.decks:
        names.update({key: "" for key in deck.lines if key not in names})
    return names
