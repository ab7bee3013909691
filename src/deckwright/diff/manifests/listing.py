"""Changes as JSON, for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from deckwright.base.visible import visible_json, visible_path
from deckwright.diff.manifests.compare import BACK, CardChange
from deckwright.diff.manifests.things import ThingChange
from deckwright.diff.manifests.wording import Difference

VERSION = 1
"""Of this format; it grows when a name changes its meaning."""


def as_json(
    labels: tuple[str, str],
    cards: Iterable[CardChange],
    things: Iterable[ThingChange] = (),
    left_out: Sequence[str] = (),
    pdf: Path | None = None,
) -> str:
    """Return changes as a JSON object.

    Args:
        labels: what was compared with what.
        left_out: what could not be compared.
        pdf: where the faces are shown.
    """
    whole = {
        "version": VERSION,
        "old": labels[0],
        "new": labels[1],
        "changes": [*map(_card, cards), *map(_thing, things)],
        "left_out": list(left_out),
        "pdf": None if pdf is None else visible_path(pdf),
    }
    return visible_json(whole)


def _card(change: CardChange) -> dict[str, object]:
    return {
        "what": "back" if change.kind == BACK else "card",
        "faction": change.faction_id,
        "id": change.card_id,
        "name": change.name,
        "change": change.state,
        "old_copies": change.old_copies,
        "new_copies": change.new_copies,
        "to_print": change.to_print,
        "differences": _differences(change.differences),
    }


def _thing(change: ThingChange) -> dict[str, object]:
    return {
        "what": change.what,
        "id": change.id,
        "name": change.name,
        "change": change.state,
        "differences": _differences(change.differences),
    }


def _differences(differences: Iterable[Difference]) -> list[dict[str, object]]:
    return [difference._asdict() for difference in differences]
