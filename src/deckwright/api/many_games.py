"""Many games at once: a folder of them is checked on all cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.api.game import open_game
from deckwright.base.parallel import spread
from deckwright.checking.stages import Checked


class CheckedGame(NamedTuple):
    """A game, by its folder as it was named, and what its check looked at and found."""

    path: Path
    checked: Checked


def inspect_games(
    paths: Iterable[Path | str],
    *,
    rasterize: bool = False,
    **asked: Any,  # noqa: ANN401 - those of `Game.inspect`
) -> Iterator[CheckedGame]:
    """Check whole games, as many at a time as there are cores, and yield them in order.

    Mistakes in one keep no other from being checked.

    Args:
        paths: their folders.
        rasterize: as for `open_game`.
        asked: what `Game.inspect` takes, but for `files`.

    Raises:
        GameError: if one of the folders holds no game.
        ValueError: as `Game.inspect`.
    """
    return spread(partial(_inspected, rasterize=rasterize, asked=asked), [*map(Path, paths)])


def _inspected(path: Path, *, rasterize: bool, asked: Mapping[str, Any]) -> CheckedGame:
    game = open_game(path, keep=False, rasterize=rasterize)
    checked = game.inspect(**asked)
    return CheckedGame(path, checked._replace(severities={}))
