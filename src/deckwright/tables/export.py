"""Make the tables of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_there
from deckwright.base.findings import Report, has_errors
from deckwright.base.strings import visible_path
from deckwright.base.units import plain
from deckwright.game import load, shapes
from deckwright.game.columns import Plan, plans_of, titles_of
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import as_written
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.read import load_valid
from deckwright.game.shapes import MAX_COPIES
from deckwright.grids.cells import write_list
from deckwright.grids.table import Column, Table, as_held, normal
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Attribute, Value, said


class Record(NamedTuple):
    """A card or token with its element, and with the card itself as far as that could be read."""

    key: CardKey
    node: Node
    card: Card | None = None

    @property
    def called(self) -> str:
        """What changes call it."""
        return f"{self.key[1]} {normal(self.node.attributes['name'])}"

    def text(self, column: Column) -> str:
        """Return what stands in its cell of a column."""
        if column.items is not None:
            return write_list(items_of(self.node, column), column.names)
        if column.worked is not None:
            return self._worked(column.title)
        if column.attribute is None:
            return self.key[1]
        return shown(said(self.node, column.attribute.name), column)

    def _worked(self, name: str) -> str:
        """Return the value of a field that is worked out."""
        if self.card is None:
            return ""
        field = next(field for field in self.card.kind.fields if field.name == name)
        return as_written(field, self.card.fields[name])


def shown(value: str | None, column: Column) -> str:
    """Return an attribute as a cell shows it, "" if the card does not have it."""
    if value is None:
        return ""
    text = as_held(value, column.attribute)
    kind = "" if column.attribute is None else column.attribute.value.kind
    return plain(float(text)) if kind in {"integer", "decimal"} else text


def items_of(node: Node, column: Column) -> list[dict[str, str]]:
    """Return the values of a card's children of a column."""
    assert column.items is not None
    return [
        {name: normal(child.attributes[name]) for name in column.names if name in child.attributes}
        for child in node.named(column.items.shape.tag)
    ]


class DeckList(NamedTuple):
    """A deck list: its column's title, and its lines by the cards that they name."""

    title: str
    node: Node
    lines: Mapping[CardKey, tuple[Node, ...]]

    def amount(self, key: CardKey) -> int:
        """Return how many copies of a card it has."""
        return sum(int(node.attributes["amount"]) for node in self.lines.get(key, ()))


class Loaded(NamedTuple):
    """A game for tables.

    Attributes:
        records: the cards and tokens by the titles of their tables, in the files' order.
    """

    folder: GameFolder
    game: Game
    plans: tuple[Plan, ...]
    records: Mapping[str, tuple[Record, ...]]
    decks: tuple[DeckList, ...]

    def plan(self, title: str) -> Plan | None:
        """Return the table of this title, None if it is not one of cards."""
        return next((plan for plan in self.plans if plan.title == title), None)


def load_records(folder: GameFolder, report: Report) -> Loaded | None:
    """Return a game for tables, None after reporting what keeps its files from being read.

    What its cards refer to is not checked: tables may be used to fix that.
    """
    setup = load.load_setup(folder, report)
    game = load.load_game(folder, setup, report) if setup else None
    if setup is None or game is None or has_errors(report):
        return None
    cards = shapes.cards_shape(setup)
    roots = [load_valid(path, cards, report) for path in folder.card_files()]
    rules = None
    if is_there(folder.rules_file):
        rules = load_valid(folder.rules_file, shapes.rules_shape(setup), report)
    lists = shapes.deck_shape(setup)
    decks = [load_valid(path, lists, report) for path in folder.deck_lists()]
    if has_errors(report):
        return None
    plans = tuple(plans_of(game))
    records = {
        plan.title: tuple(
            _tokens(plan, rules, game) if plan.kind.token else _cards(plan, roots, game)
        )
        for plan in plans
    }
    return Loaded(folder, game, plans, records, tuple(_decks(node for node in decks if node)))


def _cards(plan: Plan, roots: Iterable[Node | None], game: Game) -> Iterator[Record]:
    for root in roots:
        for node in root.named(plan.kind.tag) if root else ():
            key = node.attributes["faction_id"], node.attributes["id"]
            yield Record(key, node, game.cards.get(key))


def _tokens(plan: Plan, rules: Node | None, game: Game) -> Iterator[Record]:
    tokens = {token.id: token for token in game.tokens()}
    for rule in rules.children if rules else ():
        for number, node in enumerate(rule.named(plan.kind.tag), 1):
            key = "", f"{rule.attributes['id']}/{number}"
            yield Record(key, node, tokens.get(key[1]))


_BESIDE_DECKS = ("faction_id", "faction", "id", "name")
"""The titles of the columns of the decks' table that describe the card."""


def _decks(roots: Iterable[Node]) -> Iterator[DeckList]:
    taken = set(_BESIDE_DECKS)
    for root in roots:
        path: Path = root.source.path
        lines: dict[CardKey, tuple[Node, ...]] = {}
        for node in root.named("card"):
            key = node.attributes["faction_id"], node.attributes["id"]
            lines[key] = (*lines.get(key, ()), node)
        title = normal(visible_path(Path(path.stem)))
        while title.casefold() in taken:
            title += ".xml"
        taken.add(title.casefold())
        yield DeckList(title, root, lines)


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
