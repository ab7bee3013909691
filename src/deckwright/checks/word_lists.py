"""The word lists of which names of decks are made are there, and can be read."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Diagnostic, Report
from deckwright.checks import design_check
from deckwright.game.folder import GameFolder
from deckwright.game.model import Game
from deckwright.game.word_lists import read_words


@design_check
def word_lists(game: Game) -> Iterator[Diagnostic]:
    """Each list can be used."""
    generator = game.setup.generator
    names = generator.names if generator else None
    report: Report = []
    for word_list in (*names.lists, *names.forbidden) if names else ():
        read_words(GameFolder(game.folder), word_list, report)
    yield from report
