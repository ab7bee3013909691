"""The footers of sheets: what a loose one belongs to, its number, and the day of the print."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.game.folder import GameFolder

if TYPE_CHECKING:
    from deckwright.exporters.workshop import Workshop
    from deckwright.sheet.pages import Page


def footed(pages: Sequence[Page], title: str, folder: GameFolder, workshop: Workshop) -> list[Page]:
    """Return pages with rulers and footers: what they belong to, their number, and the date.

    The date is SOURCE_DATE_EPOCH, or that of the newest file of the game (both in UTC), so that
    the same input gives the same bytes.
    """
    from deckwright.exporters.card_sheets import with_slugs  # noqa: PLC0415

    words = workshop.game.setup.words
    after = f"{_date(folder)} · {words['full-size']}"
    return list(with_slugs(pages, (title, after), words["page"], workshop))


def _date(folder: GameFolder) -> str:
    """Return the day of a print, as 2026-11-21."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if given.isascii() and given.isdecimal() and len(given) <= _LONGEST_EPOCH:
        seconds = float(given)
    else:
        files = [*folder.files(), *(p for f in folder.template_folders for p in f.glob("*.xml"))]
        seconds = max(_changed(files), default=0)
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _changed(paths: Iterable[Path]) -> Iterable[float]:
    """Yield when files were changed, in seconds since 1970."""
    for path in paths:
        try:
            yield path.stat().st_mtime
        except OSError:
            continue  # it has just gone


_LONGEST_EPOCH = 11
"""The digits of the seconds until the year 5138; datetime ends in 9999."""
