"""Map the columns of tables: those of our own exports, and those of spreadsheets made elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from deckwright.base.files import make_unique, to_letters
from deckwright.base.findings import Report, find_nearest, known_hint
from deckwright.game.folder import AMOUNT, CardTable, TableColumn
from deckwright.game.kinds import CROP_TYPES, ChildSpec, Field, Kind, shape_of
from deckwright.game.model import Game
from deckwright.game.setup import Setup
from deckwright.game.shapes import KnownIds, collect_known_ids, kind_shape
from deckwright.game.title_words import (
    find_concepts,
    normalize_title,
    synonyms_of,
    title_variants,
)
from deckwright.grids.cells import E015, cell_at, read_value
from deckwright.grids.table import (
    Cell,
    CellError,
    CellGrid,
    Column,
    TitledRows,
    normalize_text,
)
from deckwright.xmlio.shape import MAX_NUMBER, Occurs, Shape, Terms

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
    plans = []
    for kind in setup.kinds.values():
        shape = kind_shape(setup, kind, known)
        columns = _build_columns(setup, kind, shape)
        plans.append(KindTable(titles.kinds[kind.tag], kind, shape, columns))
    return plans


def columns_of_kind(setup: Setup, kind: Kind) -> tuple[Column, ...]:
    """Return the columns of a kind, independent of the game's factions and rules."""
    return _build_columns(setup, kind, kind_shape(setup, kind, KnownIds()))


def _build_columns(setup: Setup, kind: Kind, shape: Shape) -> tuple[Column, ...]:
    return tuple(_iter_columns(setup, kind, shape))


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
            yield Column(field.name, note=note, computed=shape_of(field))
        elif not field.ignored:
            attribute = shape.attribute(field.name)
            assert attribute is not None
            yield Column(
                field.name,
                attribute=attribute,
                terms=attribute.value.terms,
                note=_describe_field(setup, field),
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
        yield _list_column(setup, children, occurs, title, aliases)


def _list_column(
    setup: Setup, children: ChildSpec, occurs: Occurs, title: str, aliases: tuple[str, ...]
) -> Column:
    names = tuple(field.name for field in children.fields)
    terms: Terms = ()
    first = children.fields[0]
    if children.single:
        attribute = occurs.shape.attribute(first.name)
        terms = attribute.value.terms if attribute else ()
        what = _describe_field(setup, first) or f"Each is a `{children.tag}`."
        note = f"{what} Separate several with `; `."
    else:
        pairs = " ".join(f"{name}=…" for name in names)
        note = f"Each is `{pairs}`, separate several with `; `."
    return Column(title, aliases, None, occurs, names, terms, note)


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
        number = "A whole number" if field.type == "integer" else "A number"
        unit = f", in {field.unit}" if field.unit else ""
        bounds = f" from {field.minimum} to {field.maximum}"
        if field.maximum >= MAX_NUMBER:
            bounds = f", at least {field.minimum}"
        parts.append(f"{number}{bounds}{unit}.")
    elif field.type == "term":
        vocabulary = setup.vocabularies[field.vocabulary or ""]
        terms = vocabulary.terms.values()
        parts.append(_join_terms(f"{t.id}: {t.name}" if t.name else t.id for t in terms))
    elif field.type in _NOTES:
        parts.append(_NOTES[field.type])
    if field.default not in {None, "", ()} and field.type != "flag":
        default = field.default if isinstance(field.default, tuple) else (field.default,)
        parts.append(f"{', '.join(map(str, default))} where it is empty.")
    return " ".join(part for part in parts if part)


def _join_terms(words: Iterable[str], at_most: int = 12) -> str:
    words = list(words)
    more = f", and {len(words) - at_most} more" if len(words) > at_most else ""
    return ", ".join(words[:at_most]) + more + "."


_MIN_ACCEPTED_SHARE = 0.6
"""The share of sample values that a field must accept before its column is proposed."""


class ColumnTarget(NamedTuple):
    """A column of the game with all names that a spreadsheet may use for it."""

    column: Column
    names: tuple[str, ...]


def propose_columns(
    targets: Sequence[ColumnTarget], titles: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Return proposals for columns, by title; each target is proposed at most once.

    Args:
        titles: the titles, each with sample values from its column.
    """
    result: dict[str, str] = {}
    for matches in (_match_exactly, _match_synonyms, _match_similar):
        taken = {*result.values()}
        for want in targets:
            if want.column.title in taken:
                continue
            free = [title for title in titles if title not in result]
            for title in matches(want, free):
                if _may_hold(want.column, titles[title]) and not (
                    matches is _match_similar
                    and want.column.title == "name"
                    and _is_numeric(titles[title])
                ):
                    result[title] = want.column.title
                    break
    return result


def _match_exactly(want: ColumnTarget, titles: Iterable[str]) -> Iterator[str]:
    """Yield the titles that equal one of the target's names."""
    names = {*map(normalize_title, want.names)}
    exact = [title for title in titles if normalize_title(title) in names]
    yield from exact
    yield from (t for t in titles if t not in exact and not names.isdisjoint(title_variants(t)))


def _match_synonyms(want: ColumnTarget, titles: Iterable[str]) -> Iterator[str]:
    """Yield the titles that are synonyms of the target."""
    names = frozenset[str]().union(*map(synonyms_of, want.names))
    exact = [title for title in titles if normalize_title(title) in names]
    yield from exact
    yield from (t for t in titles if t not in exact and not names.isdisjoint(title_variants(t)))


def _match_similar(want: ColumnTarget, titles: Iterable[str]) -> Iterator[str]:
    """Yield the titles that are spelled almost like the target, and mean nothing else.

    `Coût` is the cost, however near it is to `Count`.
    """
    by_word = {normalize_title(title): title for title in titles if not find_concepts(title)}
    for name in want.names:
        yield from (by_word[word] for word in find_nearest(normalize_title(name), by_word))


def _is_numeric(samples: Sequence[str]) -> bool:
    """Return whether all samples are whole numbers."""
    return all(text.strip().lstrip("-").isdecimal() for text in samples if text.strip())


def _may_hold(column: Column, samples: Sequence[str]) -> bool:
    """Return whether samples may be values of a column."""
    given = [text for text in samples if text.strip()]
    if column.attribute is None or column.attribute.name in {"id", "name"} or not given:
        return True
    return sum(_accepts(column, text) for text in given) >= _MIN_ACCEPTED_SHARE * len(given)


def _accepts(column: Column, text: str) -> bool:
    assert column.attribute is not None
    try:
        read_value(column.attribute, text)
    except CellError:
        return False
    return True


_MAX_SAMPLES = 20
"""The number of cells examined to propose what a column holds."""

KIND = "kind"
"""The target of a column that gives the kind of each card."""


class ColumnMapping(NamedTuple):
    """The mapping from a table's columns to the attributes of one kind of card.

    Attributes:
        grid: the table.
        columns: the game's columns with their positions in the table.
        titles: their titles in the table, by the names of attributes, tags and plurals.
        constants: attributes with one value for all cards.
        amounts: the position of each deck's amounts; None for one copy of each card.
        separators: the separator between several values of a cell, by position.
        html: the positions of columns whose texts are in HTML.
        missing: required attributes without a column.
        unmapped: unmapped columns, by position.
    """

    kind: Kind
    grid: CellGrid
    columns: tuple[tuple[Column, int], ...]
    titles: Mapping[str, str]
    constants: Mapping[str, str]
    amounts: Mapping[str, int | None]
    separators: Mapping[int, str]
    html: Collection[int]
    missing: tuple[str, ...]
    unmapped: Mapping[int, Cell]
    targets: tuple[ColumnTarget, ...]

    def cell(self, at: int, row: Sequence[Cell]) -> Cell:
        """Return the cell at a position, an empty one if the row is too short."""
        return cell_at(row, at, self.grid, row[0].place.line)

    def named_cell(self, title: str, row: Sequence[Cell]) -> Cell | None:
        """Return the cell of the game's column with this title, None if the table has none."""
        at = next((at for column, at in self.columns if column.title == title), None)
        return None if at is None else self.cell(at, row)

    def propose(self, names: Collection[str], rows: Sequence[Sequence[Cell]]) -> dict[str, str]:
        """Return proposals for unmapped columns.

        Args:
            names: the titles of the missing columns.
            rows: the rows below the titles.
        """
        titles = {
            normalize_text(cell.text): [self.cell(at, row).text for row in rows[:_MAX_SAMPLES]]
            for at, cell in self.unmapped.items()
        }
        return propose_columns(
            [want for want in self.targets if want.column.title in names], titles
        )


def list_targets(setup: Setup, kind: Kind) -> tuple[ColumnTarget, ...]:
    """Return the columns that a table of this kind may have, with all their names."""
    words = {field.name: field.text for field in kind.fields if field.text}
    return tuple(
        ColumnTarget(
            column, tuple(filter(None, (column.title, *column.aliases, words.get(column.title))))
        )
        for column in columns_of_kind(setup, kind)
    )


_MAX_ABOVE = 10
"""The most rows above the titles."""


def titles_hint(rows: TitledRows, names: Collection[str]) -> str | None:
    """Return a hint where the titles are, if a row below the supposed ones has these names."""
    wanted = {*map(normalize_title, names)}
    for row in rows.body[:_MAX_ABOVE]:
        if len(wanted & {normalize_title(cell.text) for cell in row}) > 1:
            line = row[0].place.line
            return (
                f"the titles seem to be in row {line}: delete what is above, "
                f'or write `titles="{line}"` in `table` of game.xml'
            )
    return None


def map_columns(
    setup: Setup,
    table: CardTable,
    kind: Kind,
    grid: CellGrid,
    rows: TitledRows,
    report: Report,
) -> ColumnMapping:
    """Return the mapping of a table's columns; report faulty ones."""
    reader = _ColumnMapper(setup, table, kind, report)
    place = rows.head[0].place if rows.head else rows.body[0][0].place
    for at, name in enumerate(rows.names):
        blank = Cell("", place, name)
        reader.read(at, rows.head[at] if at < len(rows.head) else blank, name)
    reader.report_missing(rows)
    return reader.mapping(grid)


class _ColumnMapper:
    """Maps the columns of a table, title by title."""

    def __init__(self, setup: Setup, table: CardTable, kind: Kind, report: Report) -> None:
        self._table = table
        self._kind = kind
        self._report = report
        self._wanted = list_targets(setup, kind)
        self._targets = {
            normalize_title(name): want.column
            for want in self._wanted[::-1]
            for name in want.names[::-1]
        }
        self._columns = {
            name: column
            for column, _ in self._wanted
            for name in (*column.aliases, *_column_names(column))
        }
        self._maps = {
            normalize_title(item.name): item for item in table.columns if item.name is not None
        }
        self._matches: list[tuple[Column, int]] = []
        self._titles: dict[str, str] = {}
        self._amounts: dict[str, int | None] = {}
        self._separators: dict[int, str] = {}
        self._html: set[int] = set()
        self._free: dict[int, Cell] = {}

    def read(self, at: int, cell: Cell, name: str) -> None:
        """Map a column.

        Args:
            cell: the cell of its title.
            name: its title, or its letter if that is blank or repeats another.
        """
        title = normalize_title(cell.text)
        item = self._maps.pop(normalize_title(name), None)
        if item is None:
            column, what = self._targets.get(title), title
        else:
            column, what = self._columns.get(item.to or ""), item.to or ""
            if item.separator:
                self._separators[at] = item.separator
        if ((item and item.markup) or self._table.markup) == "html":
            self._html.add(at)
        if column is not None:
            self._add(column, at, cell)
        elif what == AMOUNT and self._table.deck_names():
            deck = item.deck if item else None
            self._amounts[deck or self._table.deck_name] = at
        elif what == KIND:
            self._add(_KIND, at, cell)
        elif name and (item is None or item.to is not None):
            self._free[at] = cell if cell.text.strip() else cell._replace(text=name)

    def _add(self, column: Column, at: int, cell: Cell) -> None:
        if column.items is None and column.title in self._titles:
            message = f"there are two columns for `{column.title}`"
            self._report.append(E015.at(cell.place, message, "remove one of them"))
            return
        self._matches.append((column, at))
        for name in _column_names(column):
            self._titles.setdefault(name, normalize_text(cell.text) or to_letters(at + 1))

    def report_missing(self, rows: TitledRows) -> None:
        """Report titles from `game.xml` that the table does not have."""
        below = titles_hint(rows, [item.name or "" for item in self._maps.values()])
        for item in self._maps.values():
            message = f"the table `{self._table.path.name}` has no column `{item.name}`"
            hint = below or known_hint(item.name or "", rows.names)
            self._report.append(E015.at(item.source.at("name"), message, hint))

    def mapping(self, grid: CellGrid) -> ColumnMapping:
        """Return the mapping of the columns read so far."""
        constants = dict(_read_constants(self._table.columns, self._columns))
        titles = {**dict.fromkeys(constants, ""), **self._titles}
        if self._table.deck and not self._amounts:
            self._amounts[self._table.deck] = None
        return ColumnMapping(
            kind=self._kind,
            grid=grid,
            columns=tuple(self._matches),
            titles=titles,
            constants=constants,
            amounts=self._amounts,
            separators=self._separators,
            html=self._html,
            missing=tuple(_missing_columns(self._wanted, titles)),
            unmapped=self._free,
            targets=self._wanted,
        )


def _column_names(column: Column) -> tuple[str, ...]:
    """Return the names of a column in `game.xml`: its title, and the tag of its children."""
    tag = (column.items.shape.tag,) if column.items is not None else ()
    return (column.title, *tag)


_KIND = Column(KIND)


def _read_constants(
    maps: Sequence[TableColumn], columns: Mapping[str, Column]
) -> Iterator[tuple[str, str]]:
    for item in maps:
        column = columns.get(item.to or "")
        if item.name is None and item.value is not None and column and column.attribute:
            yield column.attribute.name, item.value


def _missing_columns(targets: Sequence[ColumnTarget], titles: Collection[str]) -> Iterator[str]:
    """Yield required columns that the table lacks; a missing id is made from the name."""
    for column, _ in targets:
        if column.attribute is not None:
            needed = column.attribute.required and column.title != "id"
        else:
            needed = column.items is not None and column.items.minimum > 0
        if needed and column.title not in titles:
            yield column.title
