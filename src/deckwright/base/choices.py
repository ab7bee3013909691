"""What is asked for by name and is not there: a mistake of the caller, not of the game."""

from __future__ import annotations

from collections.abc import Iterable

from deckwright.base.findings import known_hint


class ChoiceError(ValueError):
    """Something was asked for that there is not, or that contradicts something else asked for.

    Attributes:
        message, hint: as those of findings.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        """Take what is wrong, and what to do about it."""
        self.message, self.hint = message, hint
        super().__init__(f"{message}\n  hint: {hint}" if hint else message)


def demand(name: str, known: Iterable[str], what: str, where: str = "") -> None:
    """See to it that a name is known.

    Args:
        what: what it is the name of: "style".
        where: where it is looked for, if that must be said: " in game.xml".

    Raises:
        ChoiceError: if it is not.
    """
    names = list(known)
    if name not in names:
        raise ChoiceError(f"there is no {what} `{name}`{where}", known_hint(name, names))
