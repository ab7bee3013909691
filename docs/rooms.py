"""Draw the rooms of the code and what each is built on, for docs/architecture.md: `make docs`.

A room stands above the rooms that it imports. An arrow is drawn only if no longer path says the
same: `faces` uses `text` through `templates`, too, so that arrow is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "deckwright"
WIDTH, HEIGHT, MARGIN, GAP = 164, 42, 8, 24
STEP_X, STEP_Y = WIDTH + 36, HEIGHT + GAP


def imported_rooms(room: Path) -> set[str]:
    """Return the other rooms that the modules of a room import, at the top or inside functions."""
    nodes = (node for path in room.rglob("*.py") for node in ast.walk(ast.parse(path.read_bytes())))
    modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    names = {module.split(".")[1] for module in modules if module.startswith("deckwright.")}
    return names - {room.name}


def levels_of(uses: dict[str, set[str]]) -> dict[str, int]:
    """Return the level of each room, one above the highest that it uses; the lowest rooms first."""
    levels: dict[str, int] = {}
    while ready := [room for room in uses if room not in levels and uses[room] <= levels.keys()]:
        levels |= {room: 1 + max((levels[u] for u in uses[room]), default=-1) for room in ready}
    return levels


def arrows_of(uses: dict[str, set[str]], levels: dict[str, int]) -> list[tuple[str, str]]:
    """Return the pairs of rooms that use each other directly, and not through a third as well."""
    further: dict[str, set[str]] = {}
    for room in levels:
        further[room] = set().union(*(uses[used] | further[used] for used in uses[room]))
    return [(a, b) for a in levels for b in levels if b in uses[a] - further[a]]


def columns_of(arrows: list[tuple[str, str]], levels: dict[str, int]) -> dict[str, int]:
    """Return the column of each room: level by level, twice, those with the shortest arrows."""
    columns = dict.fromkeys(levels, 1)

    def length(columns: dict[str, int]) -> int:
        bends = sum(blocked(*arrow, columns, levels) for arrow in arrows)
        return 7 * bends + sum(10 * abs(columns[a] - columns[b]) for a, b in arrows)

    for level in sorted(set(levels.values())) * 2:
        rooms = [room for room in levels if levels[room] == level]
        orders = permutations((1, 0, 2), len(rooms))
        columns = min(
            (columns | dict(zip(rooms, order, strict=False)) for order in orders), key=length
        )
    return columns


def blocked(room: str, used: str, columns: dict[str, int], levels: dict[str, int]) -> bool:
    """Return whether a third room stands between two, in the column of one of them."""
    between = [r for r in levels if levels[used] < levels[r] < levels[room]]
    return any(columns[r] in {columns[room], columns[used]} for r in between)


def rooms_svg() -> str:
    """Return the picture. Its colors can be read on light and on dark pages."""
    folders = {path.parent.name: path.parent for path in sorted(SOURCE.glob("*/__init__.py"))}
    uses = {name: imported_rooms(folder) for name, folder in folders.items()}
    levels = levels_of(uses)
    arrows = arrows_of(uses, levels)
    columns = columns_of(arrows, levels)
    top = max(levels.values())
    xs = {room: MARGIN + column * STEP_X + WIDTH // 2 for room, column in columns.items()}
    ys = {room: MARGIN + (top - level) * STEP_Y for room, level in levels.items()}
    width, height = 2 * STEP_X + WIDTH + 2 * MARGIN, top * STEP_Y + HEIGHT + 2 * MARGIN

    def lines() -> Iterator[str]:
        yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        yield f'  viewBox="0 0 {width} {height}" font-family="sans-serif" text-anchor="middle">'
        yield '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6"'
        yield '  markerHeight="6" orient="auto"><path d="M0 0 8 4 0 8z" fill="#888"/></marker>'
        for room, used in arrows:
            x, y, x2, y2, way = xs[room], ys[room] + HEIGHT, xs[used], ys[used], ""
            lean = end = (x2 > x) - (x2 < x)
            if blocked(room, used, columns, levels):  # go down in the gap beside the column
                lean, end = lean or -1, lean or 1
                way = "{0} {1} {0} {2}".format(x2 - end * STEP_X // 2, y + GAP, y2 - GAP)
            x, x2 = x + lean * WIDTH // 4, x2 - end * WIDTH // 4
            yield f'<path d="M{x} {y} {way} {x2} {y2}" stroke="#888" stroke-width="1.5"'
            yield '  fill="none" marker-end="url(#tip)"/>'
        for room, x in xs.items():
            counts = [path.read_bytes().count(b"\n") for path in folders[room].rglob("*.py")]
            yield f'<rect x="{x - WIDTH // 2}" y="{ys[room]}" width="{WIDTH}" height="{HEIGHT}"'
            yield f'  rx="5" fill="#e4ecf4" stroke="#5a7894"/><text x="{x}" y="{ys[room] + 18}"'
            yield f'  font-size="14" font-weight="bold">{room}</text><text x="{x}"'
            yield f'  y="{ys[room] + 34}" font-size="11">'
            yield f"  {len(counts)} files, {sum(counts):,} lines</text>"
        yield "</svg>"

    return "\n".join([*lines(), ""])
