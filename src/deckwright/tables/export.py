"""Build the tables of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import path_exists
from deckwright.base.findings import Report, has_errors
from deckwright.base.output import OutputError, stop_on_errors
from deckwright.base.strings import printable_path
from deckwright.base.units import format_plain
from deckwright.game import load, shapes
from deckwright.game.columns import KindTable, assign_titles, list_kind_tables
from deckwright.game.folder import GameFolder
from deckwright.game.kinds import Field, FieldValue, format_value
from deckwright.game.language import current_language
from deckwright.game.model import Card, CardKey, Game
from deckwright.game.read import load_valid
from deckwright.game.tables import AMOUNT_ATTRIBUTE
from deckwright.grids.cells import write_list
from deckwright.grids.table import Column, Table, normalize_for, normalize_text
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import get_text


class Record(NamedTuple):
    """A card or token with its element, and the card itself if it could be read."""

    key: CardKey
    node: Node
    card: Card | None = None

    @property
    def label(self) -> str:
        """Its name in changes."""
        return f"{self.key[1]} {normalize_text(self.node.attributes['name'])}"

    def text(self, column: Column) -> str:
        """Return the text of its cell in a column."""
        if column.items is not None:
            return write_list(child_values(self.node, column), column.names)
        if column.computed is not None:
            if self.card is None:
                return ""
            field = next(field for field in self.card.kind.fields if field.name == column.title)
            return format_value(field, self.card.fields[column.title])
        if column.attribute is None:
            return self.key[1]
        value = get_text(self.node, column.attribute.name)
        text = "" if value is None else normalize_for(value, column.attribute)
        is_number = column.attribute.value.kind in {"integer", "decimal"}
        return format_plain(float(text)) if is_number and value is not None else text


def child_values(node: Node, column: Column) -> list[dict[str, str]]:
    """Return the values of a card's children in a column."""
    assert column.items is not None
    return [
        {
            name: normalize_text(child.attributes[name])
            for name in column.names
            if name in child.attributes
        }
        for child in node.children_named(column.items.shape.tag)
    ]


class DeckList(NamedTuple):
    """A deck list: the title of its column, and its lines by card."""

    title: str
    node: Node
    lines: Mapping[CardKey, tuple[Node, ...]]

    def amount(self, key: CardKey) -> int:
        """Return the number of copies of a card."""
        return sum(int(node.attributes["amount"]) for node in self.lines.get(key, ()))


class LoadedGame(NamedTuple):
    """A game loaded for tables, whose columns and records are given by the titles of tables.

    Attributes:
        plans: the tables of cards.
        records: the cards and tokens, in file order.
    """

    folder: GameFolder
    game: Game
    plans: Mapping[str, KindTable]
    columns: Mapping[str, tuple[Column, ...]]
    records: Mapping[str, tuple[Record, ...]]
    decks: tuple[DeckList, ...]


def load_records(folder: GameFolder, report: Report) -> LoadedGame:
    """Load a game for tables, or raise an OutputError after reporting errors.

    References of cards are not checked, since tables may be used to fix them.
    """
    setup = load.load_setup(folder, report)
    game = load.load_game(folder, setup, report) if setup else None
    if setup is None or game is None or has_errors(report):
        raise OutputError
    cards = shapes.cards_shape(setup)
    roots = [load_valid(path, cards, report) for path in folder.card_files()]
    rules = None
    if path_exists(folder.rules_file):
        rules = load_valid(folder.rules_file, shapes.rules_shape(setup), report)
    lists = shapes.deck_shape(setup)
    decks = [load_valid(path, lists, report) for path in folder.deck_lists()]
    stop_on_errors(report)
    plans = {plan.title: plan for plan in list_kind_tables(game)}
    records = {plan.title: tuple(_list_records(plan, roots, rules, game))
               for plan in plans.values()}  # fmt: skip
    deck_lists: list[DeckList] = []
    taken = set(_CARD_COLUMNS)
    for root in filter(None, decks):
        lines: dict[CardKey, tuple[Node, ...]] = {}
        for node in root.children_named("card"):
            key = node.attributes["faction_id"], node.attributes["id"]
            lines[key] = (*lines.get(key, ()), node)
        title = normalize_text(printable_path(Path(root.source.path.stem)))
        while title.casefold() in taken:
            title += ".xml"
        taken.add(title.casefold())
        deck_lists.append(DeckList(title, root, lines))
    columns = {plan.title: plan.columns for plan in plans.values()}
    if deck_lists:
        note = "The number of copies in the deck."
        columns[assign_titles(setup).decks] = (
            Column("faction_id", ("faction",), note="The faction of the card."),
            Column("id", note="The card's id."),
            Column("name", note="The card's name, which is not imported."),
            *(Column(deck.title, attribute=AMOUNT_ATTRIBUTE, note=note) for deck in deck_lists),
        )
    return LoadedGame(folder, game, plans, columns, records, tuple(deck_lists))


_CARD_COLUMNS = ("faction_id", "faction", "id", "name")
"""The titles of the card columns in the table of decks."""


def _list_records(
    plan: KindTable, roots: Iterable[Node | None], rules: Node | None, game: Game
) -> Iterator[Record]:
    """Yield the cards or tokens of a kind."""
    if plan.kind.token:
        tokens = {token.id: token for token in game.tokens()}
        for rule in rules.children if rules else ():
            for number, node in enumerate(rule.children_named(plan.kind.tag), 1):
                token_id = f"{rule.attributes['id']}/{number}"
                token = tokens.get(token_id)
                yield Record(("", token_id), _translate(node, token), token)
        return
    for root in filter(None, roots):
        for node in root.children_named(plan.kind.tag):
            key = node.attributes["faction_id"], node.attributes["id"]
            card = game.cards.get(key)
            yield Record(key, _translate(node, card), card)


def _translate(node: Node, card: Card | None) -> Node:
    """Return the element of a card with its texts in the current language."""
    if card is None or current_language() is None:
        return node

    def write(node: Node, fields: Iterable[Field], values: Mapping[str, FieldValue]) -> Node:
        given = ((field, values.get(field.name)) for field in fields if field.is_printed_text)
        texts = {field.name: format_value(field, value) for field, value in given if value}
        return Node(node.tag, {**node.attributes, **texts}, node.source, children=node.children)

    written = write(node, card.kind.fields, card.fields)
    written.attributes["name"] = str(card.name)
    for spec in card.kind.children:
        own = iter(card.children[spec.tag])
        written.children = [
            write(child, spec.fields, next(own).values) if child.tag == spec.tag else child
            for child in written.children
        ]
    return written


def build_tables(loaded: LoadedGame, titles: Iterable[str] = ()) -> list[Table]:
    """Build some or all tables of a game: one per kind of card, and one of deck lists."""
    tables = []
    for plan in loaded.plans.values():
        records = loaded.records[plan.title]
        columns = tuple(
            c for c in plan.columns if not c.omit_if_empty or any(r.text(c) for r in records)
        )
        rows = (tuple(record.text(column) for column in columns) for record in records)
        if language := current_language():  # translations must not be imported as the game's texts
            texts = {"name", *(field.name for field in plan.kind.fields if field.is_printed_text)}
            texts |= {s.tag for s in plan.kind.children if any(f.is_printed_text for f in s.fields)}
            columns = tuple(
                c._replace(title=f"{c.title} ({language.code})")
                if (c.items.shape.tag if c.items else c.title) in texts
                else c
                for c in columns
            )
        tables.append(Table(plan.title, columns, tuple(rows)))
    if loaded.decks:
        title, lines = assign_titles(loaded.game.setup).decks, []
        for key, name in deck_card_names(loaded).items():
            amounts = (deck.amount(key) for deck in loaded.decks)
            lines.append((*key, name, *(str(amount or "") for amount in amounts)))
        tables.append(Table(title, loaded.columns[title], tuple(lines)))
    wanted = set(titles) or {table.title for table in tables}
    return [table for table in tables if table.title in wanted]


def deck_card_names(loaded: LoadedGame) -> dict[CardKey, str]:
    """Return the names of all cards for decks by key; "" for unknown cards."""
    names = {key: normalize_text(card.name) for key, card in loaded.game.cards.items()}
    for deck in loaded.decks:
        names.update({key: "" for key in deck.lines if key not in names})
    return names
