"""Map the columns of tables: those of our own exports, and those of spreadsheets made elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from deckwright.base.files import make_unique, to_letters
from deckwright.base.findings import Report, find_nearest, known_hint
from deckwright.game.folder import AMOUNT, CardTable, TableColumn
from deckwright.game.kinds import CROP_TYPES, Field, Kind, shape_of
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.game.shapes import KnownIds, collect_known_ids, kind_shape
from deckwright.game.title_words import find_concepts, normalize_title, synonyms_of, title_variants
from deckwright.grids.cells import E015, read_value
from deckwright.grids.table import Cell, CellGrid, Column, TitledRows, normalize_text
from deckwright.xmlio.shape import MAX_NUMBER, Shape, Terms

_MAX_TITLE = 31
"""Spreadsheet programs limit the title of a tab to 31 characters."""


class KindTable(NamedTuple):
    """The table of a kind of card.

    Attributes:
        title: the title of the tab: the kind's tag, shortened if necessary.
        shape: the shape of the kind's elements.
    """

    title: str
    kind: Kind
    shape: Shape
    columns: tuple[Column, ...]

    @property
    def attribute_order(self) -> tuple[str, ...]:
        """The names of the attributes in the order in which files write them."""
        return tuple(attribute.name for attribute in self.shape.attributes)


class TableTitles(NamedTuple):
    """The titles of a game's tables, all different even if case is ignored.

    Attributes:
        kinds: the titles of the card tables, by the tag of the kind.
        decks: the title of the table of deck lists.
        lists: the title of the table of allowed cell values.
    """

    kinds: dict[str, str]
    decks: str
    lists: str


def assign_titles(setup: Setup) -> TableTitles:
    """Return the titles of a game's tables."""
    taken: set[str] = set()
    free = partial(make_unique, used=taken, max_length=_MAX_TITLE)
    return TableTitles({tag: free(tag) for tag in setup.kinds}, free("decks"), free("lists"))


def list_kind_tables(game: Game) -> list[KindTable]:
    """Return a table for each kind of card."""
    setup, known, titles = game.setup, collect_known_ids(game), assign_titles(game.setup)
    shapes = [(kind, kind_shape(setup, kind, known)) for kind in setup.kinds.values()]
    return [
        KindTable(titles.kinds[kind.tag], kind, shape, tuple(_iter_columns(setup, kind, shape)))
        for kind, shape in shapes
    ]


def columns_of_kind(setup: Setup, kind: Kind) -> tuple[Column, ...]:
    """Return the columns of a kind, independent of the game's factions and rules."""
    return tuple(_iter_columns(setup, kind, kind_shape(setup, kind, KnownIds())))


def _iter_columns(setup: Setup, kind: Kind, shape: Shape) -> Iterator[Column]:
    """Yield the columns of a kind: common attributes, fields, children."""
    if kind.token:
        note = "The id of the rule that creates the token, and its number there."
        yield Column("id", note=note)
    else:
        yield Column("id", attribute=shape.attribute("id"), note="The card's id in its faction.")
        factions = shape.attribute("faction_id")
        assert factions is not None
        note = "The faction whose card file has it."
        yield Column("faction_id", ("faction",), factions, terms=factions.value.terms, note=note)
    yield Column("name", attribute=shape.attribute("name"), note="The name in print.")
    for field in kind.fields:
        if field.value is not None:
            note = f"{_describe_field(setup, field)} It is computed, and not read back."
            yield Column(field.name, note=note, computed=shape_of(field), caption=field.text)
        elif not field.ignored:
            attribute = shape.attribute(field.name)
            assert attribute is not None
            yield Column(
                field.name,
                attribute=attribute,
                terms=attribute.value.terms,
                note=_describe_field(setup, field),
                caption=field.text,
                omit_if_empty=field.type in CROP_TYPES,
            )
    taken = {"id", "faction_id", "name", *(field.name for field in kind.fields)}
    plurals = [children.plural for children in kind.children]
    for children in kind.children:
        occurs = shape.child(children.tag)
        assert occurs is not None
        unique = plurals.count(children.plural) == 1 and children.plural not in taken
        title = children.plural if unique else f"<{children.tag}>"
        aliases = () if children.tag in {*taken, *plurals} else (children.tag,)
        names = tuple(field.name for field in children.fields)
        terms: Terms = ()
        if children.single:
            attribute = occurs.shape.attribute(names[0])
            terms = attribute.value.terms if attribute else ()
            note = _describe_field(setup, children.fields[0]) or f"Each is a `{children.tag}`."
            note += " Separate several with `; `."
        else:
            pairs = " ".join(f"{name}=…" for name in names)
            note = f"Each is `{pairs}`, separate several with `; `."
        yield Column(title, aliases, None, occurs, names, terms, note)


_MAX_LISTED_TERMS = 12
_NOTES = {
    "rule": "The id of a rule.",
    "card": "The id of a card.",
    "image": "A file in the folder img.",
    "focus": "The point of the picture that stays in the middle, such as 0.5 0.2.",
    "zoom": "How many times larger the picture is shown.",
    "flag": "true or false.",
}


def _describe_field(setup: Setup, field: Field) -> str:
    """Return a description of a field for the note of its column."""
    parts = [f"{field.text}." if field.text else ""]
    if field.item is not None:
        each = _describe_field(setup, field.item._replace(text="", default=None))
        parts += [each, f"Separate several with `{field.separator}`."]
    elif field.numeric:
        unit = f", in {field.unit}" if field.unit else ""
        bounds = f" from {field.minimum} to {field.maximum}"
        if field.maximum >= MAX_NUMBER:
            bounds = f", at least {field.minimum}"
        number = "A whole number" if field.type == "integer" else "A number"
        parts.append(f"{number}{bounds}{unit}.")
    elif field.type == "term":
        vocabulary = setup.vocabularies[field.vocabulary or ""]
        words = [f"{t.id}: {t.name}" if t.name else t.id for t in vocabulary.terms.values()]
        more = [f"and {len(words) - _MAX_LISTED_TERMS} more"] if words[_MAX_LISTED_TERMS:] else []
        parts.append(f"{', '.join([*words[:_MAX_LISTED_TERMS], *more])}.")
    elif field.type in _NOTES:
        parts.append(_NOTES[field.type])
    if field.default not in {None, "", ()} and field.type != "flag":
        default = field.default if isinstance(field.default, tuple) else (field.default,)
        parts.append(f"{', '.join(map(str, default))} where it is empty.")
    return " ".join(part for part in parts if part)


_MIN_ACCEPTED_SHARE = 0.6
"""The share of sample values that a field must accept before its column is proposed."""
_SIMILAR = 2
"""How far-fetched a title is that is merely spelt like a name."""
_MAX_SAMPLES = 20
"""The number of cells examined to propose what a column holds."""

KIND = "kind"
"""The title of a column that gives the kind of each card."""
KIND_COLUMN = Column(KIND)

_MAX_ABOVE = 10
"""The most rows above the titles."""


class ColumnMapping:
    """The mapping from a table's columns to the attributes of one kind of card.

    Attributes:
        tag: the tag of the cards.
        table: what `game.xml` says about the table.
        rows: the rows of the table.
        columns: the game's columns with their positions in the table.
        titles: their titles in the table, by the names of attributes, tags and plurals.
        constants: attributes with one value for all cards.
        amounts: the position of each deck's amounts; None for one copy of each card.
        separators: the separator between several values of a cell, by position.
        html: the positions of columns whose texts are in HTML.
        unmapped: the titles of unmapped columns, by position.
    """

    def __init__(
        self,
        tag: str,
        known: Sequence[Column],
        table: CardTable,
        grid: CellGrid,
        rows: TitledRows,
        report: Report,
        *,
        several: bool = True,
    ) -> None:
        """Map the columns of a table; report faulty ones.

        Args:
            known: the game's columns.
            several: whether children may be in several columns.
        """
        self.tag, self.table, self.grid, self.rows = tag, table, grid, rows
        self.columns: list[tuple[Column, int]] = []
        self.titles: dict[str, str] = {}
        self.amounts: dict[str, int | None] = {}
        self.separators: dict[int, str] = {}
        self.html: set[int] = set()
        self.unmapped: dict[int, Cell] = {}
        self._known, self._report, self._several = known, report, several
        # What tables may call them: titles before aliases, as written before not.
        exact = [(column.title.casefold(), column) for column in known]
        alike = [(normalize_title(column.title), column) for column in known]
        others = [(normalize_title(name), column) for column in known for name in column.words]
        self._names = dict([*exact, *alike, *others][::-1])
        self._targets = {name: column for column in known[::-1] for name in column.all_titles}
        self._written = {normalize_text(name).casefold() for name in rows.names}
        items = {normalize_title(item.name): item for item in table.columns if item.name}
        for at, name in enumerate(rows.names):
            cell = rows.head[at] if at < len(rows.head) else Cell("", rows.first.place, name)
            self._map(at, cell, name, items.pop(normalize_title(name), None))
        below = self.find_titles([item.name or "" for item in items.values()])
        for item in items.values():
            of, place = f" `{table.path.name}`", grid.place
            if item.source is not None:
                place = item.source.at("name")
            message = f"the table{of if item.source else ''} has no column `{item.name}`"
            report.append(E015.at(place, message, below or known_hint(item.name or "", rows.names)))
        targets = ((item, self._targets.get(item.to or "")) for item in table.columns)
        self.constants = {
            column.attribute.name: item.value
            for item, column in targets
            if item.name is None and item.value is not None and column and column.attribute
        }
        self.titles = {**dict.fromkeys(self.constants, ""), **self.titles}
        if table.deck and not self.amounts:
            self.amounts[table.deck] = None

    def _map(self, at: int, cell: Cell, name: str, item: TableColumn | None) -> None:
        """Map a column.

        Args:
            cell: the cell of its title.
            name: its title, or its letter if that is blank or repeats another.
            item: what `game.xml` says about it.
        """
        if item is None:
            what = normalize_title(cell.text)
            word = normalize_text(cell.text).casefold()
            column = self._names.get(word) or self._names.get(what)
            title = column.title.casefold() if column and not column.items else word
            if title != word and title in self._written:
                column = None  # another column has the very title
        else:
            what = item.to or ""
            column = self._targets.get(what)
            if item.separator:
                self.separators[at] = item.separator
        if ((item and item.markup) or self.table.markup) == "html":
            self.html.add(at)
        if column is not None:
            if column.title in self.titles and not (self._several and column.items):
                message = f"there are two columns for `{column.title}`"
                self._report.append(E015.at(cell.place, message, "remove one of them"))
                return
            self.columns.append((column, at))
            tags = (column.items.shape.tag,) if column.items is not None else ()
            for target in (column.title, *tags):
                self.titles.setdefault(target, normalize_text(cell.text) or to_letters(at + 1))
        elif what == AMOUNT and self.table.deck_names():
            self.amounts[(item and item.deck) or self.table.deck_name] = at
        elif name and (item is None or item.to is not None):
            self.unmapped[at] = cell if cell.text.strip() else cell._replace(text=name)

    @property
    def missing(self) -> list[str]:
        """The required columns that the table lacks; a missing id is made from the name."""
        absent = [column for column in self._known if column.title not in self.titles]
        return [
            column.title
            for column in absent
            if column.is_required
            or (column.attribute and column.attribute.required and column.title != "id")
        ]

    def cell(self, at: int, row: Sequence[Cell]) -> Cell:
        """Return the cell at a position, an empty one if the row is too short."""
        if at < len(row):
            return row[at]
        place, (title, _, first) = row[-1].place, row[0].name.rpartition("!")
        place = place._replace(column=at + 1) if place.sheet else place
        return Cell("", place, f"{title}!{to_letters(at + 1)}{first[1:]}")

    def named_cell(self, title: str, row: Sequence[Cell]) -> Cell | None:
        """Return the cell of the game's column with this title, None if the table has none."""
        at = next((at for column, at in self.columns if column.title == title), None)
        return None if at is None else self.cell(at, row)

    def propose(self, names: Collection[str]) -> dict[str, str]:
        """Propose fields for unmapped columns, by title: each of these missing names once."""
        sample = self.rows.body[:_MAX_SAMPLES]
        titles = {
            normalize_text(cell.text): [self.cell(at, row).text for row in sample]
            for at, cell in self.unmapped.items()
        }
        matches: list[tuple[int, int, int, str, Column]] = []
        for number, column in enumerate(each for each in self._known if each.title in names):
            words = {*map(normalize_title, column.words)}
            synonyms = frozenset[str]().union(*map(synonyms_of, column.words))
            for title in titles:
                word = normalize_title(title)
                for phase, wanted in enumerate((words, synonyms)):
                    if not wanted.isdisjoint(title_variants(title)):
                        # Titles with units come later.
                        matches.append((phase, number, word not in wanted, title, column))
                # `Coût` is the cost, however near it is to `Count`.
                if not find_concepts(title) and any(find_nearest(name, [word]) for name in words):
                    matches.append((_SIMILAR, number, 0, title, column))
        result: dict[str, str] = {}
        for phase, _, _, title, column in sorted(matches, key=lambda match: match[:3]):
            if title in result or column.title in result.values():
                continue
            given = [text for text in titles[title] if text.strip()]
            numbers = all(text.strip().lstrip("-").isdecimal() for text in given)
            attribute, accepted = column.attribute, len(given)
            if attribute is not None and attribute.name not in {"id", "name"}:
                accepted = sum(
                    attribute.value.accepts(read_value(attribute, text)) for text in given
                )
            similar = phase == _SIMILAR and column.title == "name" and numbers
            if accepted >= _MIN_ACCEPTED_SHARE * len(given) and not similar:
                result[title] = column.title
        return result

    def find_titles(self, names: Collection[str]) -> str | None:
        """Return a hint where the titles are, if a row below the supposed ones has these names."""
        wanted = {*map(normalize_title, names)}
        for row in self.rows.body[:_MAX_ABOVE]:
            if len(wanted & {normalize_title(cell.text) for cell in row}) > 1:
                line = row[0].place.line
                return (
                    f"the titles seem to be in row {line}: delete what is above, "
                    f'or write `titles="{line}"` in `table` of game.xml'
                )
        return None
