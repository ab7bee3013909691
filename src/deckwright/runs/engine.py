"""What prints shards: a place where work goes and comes back from, whoever does it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, Self

WorkerSetup = tuple[str, str, str, int]
"""What a worker begins with: the game's folder, the options, the run's folder, and its date."""


class Shard(NamedTuple):
    """Decks that are printed together.

    Attributes:
        decks: of each the number, the key and the line.
        tries: how often a worker was lost with it.
    """

    decks: tuple[tuple[int, str, str], ...]
    tries: int = 0

    def halves(self) -> tuple[Shard, Shard]:
        """Return its halves."""
        middle = len(self.decks) // 2
        return Shard(self.decks[:middle]), Shard(self.decks[middle:])


class PrintedShard(NamedTuple):
    """A shard that was printed, and the lines of the manifest."""

    shard: Shard
    lines: list[str]


class LostShard(NamedTuple):
    """A shard whose worker died or was ended, and why."""

    shard: Shard
    why: str


class EngineError(Exception):
    """Nothing can be printed: workers cannot begin, or what they write cannot be written.

    Then its cause is the OSError.
    """


class Engine(Protocol):
    """Workers. It is a context: when it ends, they do."""

    def room(self) -> bool:
        """Return whether another shard may be given: only so many are under way."""

    def give(self, shard: Shard) -> None:
        """Give a shard away, to be printed as soon as a worker is free."""

    def results(self) -> Iterator[PrintedShard | LostShard]:
        """Wait a moment, and yield what has come back."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...
