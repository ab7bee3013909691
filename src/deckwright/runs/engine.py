"""The interface of engines, which print shards of a run on local or remote workers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, Self

WorkerSetup = tuple[str, str, str, int]
"""The setup of a worker: the game's folder, the options, the run's folder, and its date."""


class Shard(NamedTuple):
    """Decks that a worker prints together.

    Attributes:
        decks: the number, key and line of each deck.
        tries: how many workers were lost with it.
    """

    decks: tuple[tuple[int, str, str], ...]
    tries: int = 0


class PrintedShard(NamedTuple):
    """A printed shard with its lines of the manifest."""

    shard: Shard
    lines: list[str]


class LostShard(NamedTuple):
    """A shard whose worker died or was killed, with the reason."""

    shard: Shard
    reason: str


class EngineError(Exception):
    """Raised if workers cannot start, or if their output cannot be written.

    In the latter case its cause is the OSError.
    """


class Engine(Protocol):
    """A pool of workers. As a context manager, it ends them on exit."""

    def has_room(self) -> bool:
        """Return whether to submit another shard; the number in flight is limited."""

    def submit(self, shard: Shard) -> None:
        """Submit a shard, to be printed as soon as a worker is free."""

    def results(self) -> Iterator[PrintedShard | LostShard]:
        """Wait briefly, and yield finished shards."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...
