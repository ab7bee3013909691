"""The footers of sheets: what a loose one belongs to, its number, and the day of the print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deckwright.base.dates import date_of, written
from deckwright.game.folder import GameFolder

if TYPE_CHECKING:
    from deckwright.faces.factory import FaceFactory
    from deckwright.sheet.pages import Page


def footed(
    pages: Sequence[Page], title: str, folder: GameFolder, factory: FaceFactory
) -> list[Page]:
    """Return pages with rulers and footers: what they belong to, their number, and the date.

    The date is SOURCE_DATE_EPOCH, or that of the newest file of the game (both in UTC), so that
    the same input gives the same bytes.
    """
    from deckwright.outputs.card_sheets import with_slugs  # noqa: PLC0415

    words = factory.game.setup.words
    day = written(date_of(folder.inputs()), words["date"])
    after = f"{day} · {words['full-size']}"
    return list(with_slugs(pages, (title, after), words["page"], factory))
