"""What is said where a search for decks finds none, or leaves something out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deckwright.decks.solver.building import LeftOut
    from deckwright.decks.solver.conflict import Conflict


def unregarded(left: LeftOut) -> str:
    """Return that a limit was left out, and why."""
    return f"limit `{left.limit}` was left out of the search: {left.reason}"


def conflict_lines(conflict: Conflict | None) -> Iterator[str]:
    """Yield what conflicts where there is no deck, and what would make one possible."""
    if conflict is None:
        return
    yield f"  {conflict.clash}"
    changes = [f"`--limit {part.change}`" for part in conflict.parts if part.change]
    if not conflict.only:
        yield f"  {conflict.way or 'there are other conflicts'}"
    elif changes:
        yield f"  possible with {' or '.join(changes)}"
