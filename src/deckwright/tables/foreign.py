"""Make a table that knew nothing of the game one of the game's: its columns, factions and ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deckwright.base.findings import Report, known_hint
from deckwright.game.columns import Plan
from deckwright.game.heads import wanted_of
from deckwright.game.ids import Named, new_ids
from deckwright.game.proposal import plain, proposed
from deckwright.grids.heads import E015, blank, titles_in, unread
from deckwright.grids.table import Cell, Grid, normal
from deckwright.tables.records import Loaded


class Foreign(NamedTuple):
    """What is said of a table that is not the game's own.

    Attributes:
        kind: the title of the game's table that it is taken for.
        maps: the titles of its columns, and what each holds.
        faction: the id of the faction of cards that name none.
    """

    kind: str | None = None
    maps: tuple[tuple[str, str], ...] = ()
    faction: str | None = None


def adopted(loaded: Loaded, grid: Grid, foreign: Foreign, report: Report) -> Grid:
    """Return a table as one of the game's, after reporting what cannot be done.

    Columns get the titles that they are mapped to. Where no column says it, cards are of the
    faction that is named or the game's only one, and have the ids of those of their names, or new
    ones.
    """
    plan = loaded.plan(grid.title)
    first = next((n for n, row in enumerate(grid.rows) if not blank(row)), None)
    if plan is None or first is None:
        return grid
    rows = [row for row in grid.rows[first:] if not blank(row)]
    rows[0] = tuple(_mapped(grid, rows[0], foreign, report))
    grid = grid._replace(rows=tuple(rows))
    titles = titles_in(grid)
    if plan.kind.token:
        return grid
    if titles.isdisjoint({"faction_id", "faction"}):
        owners = [f.id for f in loaded.game.factions.values() if f.cards_of is None]
        faction = foreign.faction or (owners[0] if len(owners) == 1 else None)
        if faction is not None:
            grid = _with(grid, "faction_id", [faction] * (len(rows) - 1))
    if "id" not in titles:
        grid = _with(grid, "id", list(_ids(loaded, plan, grid)))
    return grid


def only_known(loaded: Loaded, grid: Grid, plan: Plan) -> Grid:
    """Return a table without the columns that the game does not have, as exports have them.

    Those stay that may be what new cards need and the table lacks.
    """
    known = {name.casefold() for c in plan.columns for name in (c.title, *c.aliases)}
    there = titles_in(grid)
    wanted = wanted_of(loaded.game.setup, plan.kind)
    lacking = [w for w in wanted if w.column.needed and w.column.title.casefold() not in there]
    known |= {title.casefold() for title in proposed(lacking, unread(grid, plan.columns))}
    head = grid.rows[0]
    kept = [at for at, cell in enumerate(head) if normal(cell.text).casefold() in known]
    return grid._replace(rows=tuple(tuple(row[at] for at in kept) for row in grid.rows))


def _mapped(grid: Grid, head: Sequence[Cell], foreign: Foreign, report: Report) -> Iterator[Cell]:
    """Yield the titles as the game has them; report those that are mapped, and not there."""
    maps = {plain(name): what for name, what in foreign.maps}
    for cell in head:
        what = maps.pop(plain(cell.text), None)
        yield cell._replace(text=what) if what is not None else cell
    titles = [normal(cell.text) for cell in head]
    for name, _ in foreign.maps:
        if plain(name) in maps:
            message = f"{grid.title}: the table has no column `{name}`"
            report.append(E015.at(grid.place, message, known_hint(name, titles)))


def _with(grid: Grid, title: str, texts: Sequence[str]) -> Grid:
    """Return a table with another column, whose cells stand where their rows begin."""
    rows = [(row[0]._replace(text=text, items=(), problem=""), *row)
            for row, text in zip(grid.rows, (title, *texts), strict=True)]  # fmt: skip
    return grid._replace(rows=tuple(rows))


def _ids(loaded: Loaded, plan: Plan, grid: Grid) -> Iterator[str]:
    """Yield the ids of cards that have none: those of cards of the same names, or new ones."""
    head = [normal(cell.text).casefold() for cell in grid.rows[0]]
    at, of = (
        head.index("name") if "name" in head else len(head),
        next((n for n, t in enumerate(head) if t.startswith("faction")), -1),
    )
    records = loaded.records[plan.title]
    known = {(r.key[0], normal(r.node.attributes["name"])): r.key[1] for r in records}
    keys = []
    for row in grid.rows[1:]:
        cells = [normal(cell.text) for cell in row]
        faction = cells[of] if 0 <= of < len(cells) else ""
        keys.append((faction, cells[at] if at < len(cells) else ""))
    every = [record.key for records in loaded.records.values() for record in records]
    factions: dict[str, list[Named]] = {faction: [] for faction, _ in keys}
    for faction, card_id in every:
        factions.setdefault(faction, []).append(Named(card_id, ""))
    for key in keys:
        if key not in known:
            factions[key[0]].append(Named("", key[1]))
    fresh = {faction: iter(ids) for faction, ids in new_ids(factions, {}).items()}
    for key in keys:
        yield known[key] if key in known else next(fresh[key[0]])
