"""What templates print in texts for what expressions give."""

from __future__ import annotations

from collections.abc import Callable

from deckwright.base.numbers import written
from deckwright.text.markup import marked


def printing(language: str) -> Callable[[object], object]:
    """Return what makes a value ready for a text: markup takes effect, decimals are as written.

    Args:
        language: of the game, which may have a comma in decimals.
    """

    def ready(value: object) -> object:
        if type(value) is str:
            return marked(value)
        return written(value, language) if type(value) is float else value

    return ready
