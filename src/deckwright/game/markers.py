"""The markers (counters) of a game, as defined in `game.xml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from deckwright.base.findings import ChoiceError, require_known
from deckwright.game.setup import Marker


def apply_counts(markers: Iterable[Marker], counts: Mapping[str, int]) -> list[Marker]:
    """Return markers with other counts.

    Args:
        counts: by id; a count for "id" applies to each of its values, unless there is "id/value".
    """
    return [
        marker._replace(
            copies=counts.get(marker.id, counts.get(marker.id.partition("/")[0], marker.copies))
        )
        for marker in markers
    ]


def resolve_counts(
    markers: Iterable[Marker], only: Iterable[str], changes: Mapping[str, int]
) -> dict[str, int]:
    """Return the counts that differ from those of the game.

    Args:
        only: the ids of the markers to print, with or without values; all if empty.
        changes: other counts, by id.

    Raises:
        ChoiceError: if a marker does not exist, or none is left.
    """
    markers, only = [*markers], [*only]
    known = [name for marker in markers for name in (marker.id.partition("/")[0], marker.id)]
    if not known:
        raise ChoiceError("the game has no markers", "list them under `markers` in game.xml")
    for name in (*only, *changes):
        require_known(name, dict.fromkeys(known), "marker", " in game.xml")
    parents = {name.partition("/")[0] for name in only if "/" in name}
    left_out = {
        marker.id: 0
        for marker in markers
        if only
        and marker.id not in only
        and (marker.id.partition("/")[0] not in only or marker.id in parents)
    }
    counts = {**left_out, **changes}
    if not any(marker.copies for marker in apply_counts(markers, counts)):
        raise ChoiceError("every marker has the count 0, so there is nothing to print")
    return counts
