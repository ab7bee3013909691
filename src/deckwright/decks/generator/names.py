"""Names of decks, of word lists, without any that say what they must not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deckwright.base.findings import Report, has_errors
from deckwright.base.output import CannotMakeError
from deckwright.decks.generator.draws import Draws, lot
from deckwright.decks.generator.forbidden import Forbidden
from deckwright.decks.generator.making import E110
from deckwright.game.folder import GameFolder
from deckwright.game.generator import Names
from deckwright.game.generator_checks import FACTION, IN_BRACES
from deckwright.game.word_lists import read_words

_AGAIN = 1000
"""How many names are drawn before it is taken that none is allowed."""


class Namer:
    """Makes names."""

    def __init__(self, names: Names, folder: GameFolder, report: Report) -> None:
        """Read the word lists; what is wrong with them is reported."""
        before = len(report)
        self._names = names
        self._lists: Mapping[str, Sequence[str]] = {
            each.id: read_words(folder, each, report) for each in names.lists
        }
        words = [word for each in names.forbidden for word in read_words(folder, each, report)]
        self._forbidden = Forbidden(words)
        self._lot = lot((at, pattern.weight) for at, pattern in enumerate(names.patterns))
        self.usable = not has_errors(report[before:])

    def name(self, draws: Draws, faction: str) -> str:
        """Return a name; one that is forbidden is drawn again.

        Args:
            faction: the name of the deck's faction.

        Raises:
            CannotMakeError: if all that are drawn are forbidden.
        """
        for _ in range(_AGAIN):
            pattern = self._names.patterns[self._lot.drawn(draws)]
            parts = IN_BRACES.split(pattern.text)
            for at in range(1, len(parts), 2):
                words = self._lists.get(parts[at], ())
                parts[at] = faction if parts[at] == FACTION else words[draws.below(len(words))]
            name = " ".join("".join(parts).split())
            if name and not self._forbidden.holds(name):
                return name
        message = f"of {_AGAIN} names none is allowed, such as `{name}`"
        hint = "look at the lists of `forbidden`: one may hold a letter alone"
        raise CannotMakeError(E110.at(pattern.source.at("is"), message, hint))
