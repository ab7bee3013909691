"""Runs of ops that several faces have in common, known by what they are.

A face with something on it that is printed for one deck alone is, for the most part, drawn as those
of all other decks are. Where that is so depends on what ops are, not on which objects they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

from deckwright.base.cache import truncate_dict
from deckwright.ops.model import Op

_KEY_BYTES = 16
_MIN_SHARED_LENGTH = 1_500
"""How long ops are, as Python writes them, that are worth a form of their own."""


class OpRun(NamedTuple):
    """Ops that are drawn one after the other.

    Attributes:
        key: the same for equal runs of all faces; None if the ops are those of one face.
    """

    ops: Sequence[Op]
    key: bytes | None = None


class OpKeys:
    """Knows what ops are: those that are equal have equal keys."""

    def __init__(self) -> None:
        """Begin without any."""
        # The op is kept with its key: as long as it lives, its id is its own.
        self._known: dict[int, tuple[Op, bytes, int]] = {}

    def __len__(self) -> int:
        """Return how many ops are kept with their keys."""
        return len(self._known)

    def of(self, ops: Iterable[Op]) -> frozenset[bytes]:
        """Return the keys of ops."""
        return frozenset(self._of(op)[1] for op in ops)

    def runs(self, ops: Iterable[Op], shared: Collection[bytes]) -> list[OpRun]:
        """Return ops in runs.

        Args:
            shared: the keys of ops that other faces have.
        """
        made = []
        for is_shared, group in groupby(map(self._of, ops), lambda known: known[1] in shared):
            drawn, keys, sizes = zip(*group, strict=True)
            worth = is_shared and sum(sizes) >= _MIN_SHARED_LENGTH
            key = blake2b(b"".join(keys), digest_size=_KEY_BYTES).digest() if worth else None
            made.append(OpRun(drawn, key))
        return made

    def forget(self, first: int = 0) -> None:
        """Forget all but so many that came first."""
        truncate_dict(self._known, first)

    def _of(self, op: Op) -> tuple[Op, bytes, int]:
        known = self._known.get(id(op))
        if known is None:
            written = repr(op).encode()
            key = blake2b(written, digest_size=_KEY_BYTES).digest()
            known = self._known[id(op)] = op, key, len(written)
        return known
