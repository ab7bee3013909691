"""Read files of a game, once as long as they are kept: parsed, and sifted by their shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckwright.base.findings import Diagnostic, Report
from deckwright.game.model import Card, Gap
from deckwright.xmlio.load import load_document
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import Shape
from deckwright.xmlio.validate import sift_document


class Sifted(NamedTuple):
    """The root element of a file that can be used, and the parts that were taken out of it."""

    root: Node
    left_out: Sequence[Node]

    @property
    def gap(self) -> Gap:
        """What was left out."""
        # Of two with the same id, the one that was left out may have been meant to have another.
        kept = {(node.tag, node.get("id")) for node in self.root.children}
        ids = [None if (n.tag, n.get("id")) in kept else n.get("id") for n in self.left_out]
        return Gap(frozenset(filter(None, ids)), not all(ids))


class CardFile(NamedTuple):
    """The cards of a file, and those that were left out for their mistakes.

    Attributes:
        stubs: those that were left out, as far as they can be told.
    """

    cards: Sequence[Card]
    gap: Gap
    stubs: Sequence[Card] = ()


class Reading(NamedTuple):
    """What a file gave when it was read, and what was found.

    Attributes:
        sifted: the file itself, None if nothing of it can be used; that of a file of cards is not
            kept.
        cards: the cards of a file of cards.
        decks: the deck lists that it makes, by their names; those of tables.
    """

    sifted: Sifted | None
    findings: tuple[Diagnostic, ...]
    cards: CardFile = CardFile((), Gap(unknown=True))
    decks: Mapping[str, Sifted] = MappingProxyType({})


_Readings = Mapping[Path, Reading]
_kept: ContextVar[tuple[dict[Path, Reading], _Readings] | None] = ContextVar("_kept", default=None)


@contextmanager
def keeping(
    readings: dict[Path, Reading], former: _Readings = MappingProxyType({})
) -> Iterator[None]:
    """Within the block take from `readings` what was read before, and enter what is read.

    Args:
        former: what was read of files that have changed since, in the same game.
    """
    token = _kept.set((readings, former))
    try:
        yield
    finally:
        _kept.reset(token)


def reading_of(path: Path, read: Callable[[Reading | None], Reading], report: Report) -> Reading:
    """Return what a file gave when it was read before, or else what `read` returns.

    Args:
        read: reads it; it is given what the file gave before it changed, if that is known.
    """
    readings, former = _kept.get() or ({}, {})
    reading = readings.get(path)
    if reading is None:
        reading = readings[path] = read(former.get(path))
    report.extend(reading.findings)
    return reading


def load_sifted(path: Path, shape: Shape, report: Report) -> Sifted | None:
    """Return what can be used of a file, None after reporting why nothing can."""

    def read(_: Reading | None) -> Reading:
        found: Report = []
        root = load_document(path, found)
        left_out = None if root is None else sift_document(root, shape, found)
        sifted = None if root is None or left_out is None else Sifted(root, left_out)
        return Reading(sifted, tuple(found))

    return reading_of(path, read, report).sifted


def load_valid(path: Path, shape: Shape, report: Report) -> Node | None:
    """Return the root element of a valid file, None after reporting why it is not valid."""
    before = len(report)
    sifted = load_sifted(path, shape, report)
    return sifted.root if sifted and len(report) == before else None
