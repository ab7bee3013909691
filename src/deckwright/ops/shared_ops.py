"""Runs of ops shared by several faces, identified by their content.

A face that is changed for a single deck is mostly drawn like those of other decks. The shared runs
are found by comparing ops by value, not by identity.
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
"""The least length of ops, as `repr`, that is worth a form of its own."""


class OpRun(NamedTuple):
    """Ops that are drawn one after the other.

    Attributes:
        key: equal for equal runs of all faces; None if only one face has the ops.
    """

    ops: Sequence[Op]
    key: bytes | None = None


class OpKeys:
    """Computes keys of ops; equal ops have equal keys."""

    def __init__(self) -> None:
        """Start empty."""
        # Keeping the op alive keeps its id from being reused.
        self._keys: dict[int, tuple[Op, bytes, int]] = {}

    def __len__(self) -> int:
        """Return the number of ops with known keys."""
        return len(self._keys)

    def keys_of(self, ops: Iterable[Op]) -> frozenset[bytes]:
        """Return the keys of ops."""
        return frozenset(self._entry_of(op)[1] for op in ops)

    def runs(self, ops: Iterable[Op], shared: Collection[bytes]) -> list[OpRun]:
        """Return ops divided into runs.

        Args:
            shared: the keys of ops that other faces have.
        """
        result = []
        for is_shared, group in groupby(map(self._entry_of, ops), lambda known: known[1] in shared):
            drawn, keys, sizes = zip(*group, strict=True)
            worth = is_shared and sum(sizes) >= _MIN_SHARED_LENGTH
            key = blake2b(b"".join(keys), digest_size=_KEY_BYTES).digest() if worth else None
            result.append(OpRun(drawn, key))
        return result

    def forget(self, first: int = 0) -> None:
        """Forget all but the oldest `first` keys."""
        truncate_dict(self._keys, first)

    def _entry_of(self, op: Op) -> tuple[Op, bytes, int]:
        known = self._keys.get(id(op))
        if known is None:
            written = repr(op).encode()
            key = blake2b(written, digest_size=_KEY_BYTES).digest()
            known = self._keys[id(op)] = op, key, len(written)
        return known
