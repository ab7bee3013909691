"""`deckwright check --games`: many games, checked at the same time and told of in one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any

import click

from deckwright.base.findings import is_well
from deckwright.base.progress import tell
from deckwright.base.visible import visible_path
from deckwright.checking.stages import Checked
from deckwright.cli import common
from deckwright.game.folder import is_game


def are_games(names: Sequence[str]) -> bool:
    """Return whether several folders are named, all of them games: what a shell makes of `*`."""
    return len(names) > 1 and all(is_game(Path(name)) for name in names)


def check(
    patterns: Sequence[str], named: Sequence[str], asked: Mapping[str, Any]
) -> tuple[Checked, list[str]]:
    """Check games, and return what was found in all of them, and a line for each.

    Args:
        patterns: match folders of games; what else they match is left out.
        named: folders of games.
        asked: what `Game.inspect` takes.

    Raises:
        click.UsageError: if there is no game, or something is named that is none.
    """
    from deckwright.api.many_games import inspect_games  # noqa: PLC0415 - starts processes
    from deckwright.images.drawings.rasterizing import is_rasterizing  # noqa: PLC0415

    folders = _folders(patterns, named)
    for folder in folders:
        common.open_folder(folder)
    each = inspect_games(folders, rasterize=is_rasterizing(), **asked)
    checked: dict[Path, Checked] = {}
    for one in each:
        checked[one.path] = one.checked
        tell("checking games", len(checked), len(folders))
    names = [visible_path(folder) for folder in folders]
    width = max(map(len, names))
    told = zip(names, checked.values(), strict=True)
    lines = [f"{name:{width}}  {_summary(one)}" for name, one in told]
    return _together(checked), lines


def _folders(patterns: Sequence[str], named: Sequence[str]) -> list[Path]:
    """Return the folders of games, each once."""
    for name in named:
        if not is_game(Path(name)):
            raise click.UsageError(f"`{name}` is no folder of a game: name files without --games")
    folders = [Path(name) for name in named]
    for pattern in patterns:
        matched = [Path(name) for name in sorted(glob(pattern, recursive=True))]  # noqa: PTH207 - may be absolute
        games = [path for path in matched if is_game(path)]
        if not games:
            raise click.UsageError(f"there is no game in `{pattern}`")
        folders += games
    return [*dict.fromkeys(folders)]


def _together(checked: Mapping[Path, Checked]) -> Checked:
    """Return what was looked at and found in all games."""
    each = [*checked.values()]
    return Checked(
        sum(one.number for one in each),
        tuple(
            left._replace(what=f"{visible_path(path)}: {left.what}")
            for path, one in checked.items()
            for left in one.unchecked
        ),
        tuple(path for one in each for path in one.files),
        hindered=any(one.hindered for one in each),
        findings=tuple(finding for one in each for finding in one.findings),
    )


def _summary(checked: Checked) -> str:
    """Return a line about one game."""
    counted = common.counted(checked.number, "card and deck", "cards and decks")
    said = [common.totals([*checked.findings])] if checked.findings else []
    if is_well(checked.findings):
        said.insert(0, "not all of it checked" if checked.unchecked else "no problems")
    return ", ".join([counted, *said])
