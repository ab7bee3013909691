"""What templates print in texts for what expressions give."""

from __future__ import annotations

from collections.abc import Callable

from deckwright.base.numbers import written
from deckwright.expressions.filters import printed
from deckwright.text.markup import marked


def printing(language: str) -> Callable[[object], object]:
    """Return what makes a value ready for a text: markup takes effect, decimals are as written.

    A list is printed with commas; of what has a name, such as a term or a card, that is printed.

    Args:
        language: of the game, which may have a comma in decimals.
    """

    def ready(value: object) -> object:
        if type(value) is str:
            return marked(value)
        if type(value) is float:
            return written(value, language)
        if type(value) is list:
            return ", ".join(printed(ready(item)) for item in value)
        return ready(value["name"]) if type(value) is dict and "name" in value else value

    return ready
