"""The last print of a deck: what its newest manifest says was printed, and what differs since."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report
from deckwright.diff.manifests.compare import Changes, changed_since
from deckwright.diff.manifests.file import manifest_path, read_manifest
from deckwright.diff.manifests.listing import as_json
from deckwright.diff.manifests.model import Manifest
from deckwright.game.model import CardKey


class Last(NamedTuple):
    """A last print: its manifest, and that manifest's file."""

    path: Path
    manifest: Manifest

    @property
    def when(self) -> str:
        """When it was printed, as text of ISO 8601."""
        return datetime.fromtimestamp(self.path.stat().st_mtime, UTC).isoformat()


def last_print(deck: str, folders: Iterable[Path], game: str, report: Report) -> Last | None:
    """Return the last print of a deck; None if it was not printed, or that cannot be read.

    Args:
        deck: the name of its file, without the ending.
        folders: where prints are.
        game: the name of the game.
    """
    names = (f"deck_{deck}.pdf", f"deck_{deck}_changed.pdf")
    paths = [manifest_path(folder / name) for folder in folders for name in names]
    there = [path for path in paths if path.is_file()]
    if not there:
        return None
    path = max(there, key=lambda path: path.stat().st_mtime_ns)
    manifest = read_manifest(path, report, game)
    return None if manifest is None else Last(path, manifest)


def since(last: Last, now: Manifest) -> dict[str, object]:
    """Return what has changed since a last print, as plain data."""
    before = last.manifest
    changes = changed_since(before, now)
    return {
        "last": {
            "when": last.when,
            "sheet": before.sheet,
            "style": before.style,
            "title": before.title,
            "copies": sum(entry.copies for entry in before.entries),
        },
        "to_print": sum(changes.to_print.values()),
        "cards": json.loads(as_json(("", ""), changes.cards))["changes"],
    }


def states(changes: Changes) -> dict[CardKey, str]:
    """Return which cards are new or look different, by their ids and those of their factions."""
    return {
        (change.faction_id, change.card_id): change.state
        for change in changes.cards
        if change.state in {"new", "changed"}
    }
