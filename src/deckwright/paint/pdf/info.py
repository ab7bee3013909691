"""The metadata of a PDF, without ReportLab; `metadata.py` writes it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from deckwright.base.units import resolve_date
from deckwright.game.folder import GameFolder
from deckwright.game.setup import Setup


class Info(NamedTuple):
    """The metadata of a PDF.

    Attributes:
        author: "" if there is none.
        language: a code such as "de".
        date: the creation date, in UTC.
    """

    title: str
    author: str
    subject: str
    language: str
    date: datetime


def info_of(title: str, setup: Setup, folder: GameFolder) -> Info:
    """Return the metadata of a PDF that belongs to a game."""
    return Info(title, setup.author, setup.name, setup.language, resolve_date(folder.inputs()))
