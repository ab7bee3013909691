"""What pages have not saved yet, so that it can be told when the studio ends."""

from __future__ import annotations

from deckwright.base.choices import ChoiceError
from deckwright.studio.saving import state_of

_MOST_WORKS, _MOST_CHARACTERS = 200, 200


class Unsaved:
    """Works by their ids. They stay in the browser, whichever of its tabs is closed."""

    def __init__(self) -> None:
        """Begin with none."""
        self._works: dict[str, str] = {}

    @property
    def works(self) -> tuple[str, ...]:
        """What is not saved, in words."""
        return tuple(self._works.values())

    def note(self, work: object, text: object) -> None:
        """Note that a work is not saved, in words; or that it is, by None.

        Raises:
            ChoiceError: if this is no such note.
        """
        if not isinstance(work, str) or not isinstance(text, str | None):
            raise ChoiceError("a note needs the id of a work, and words or null")
        work = state_of(work.encode(errors="replace"))  # however long it is
        self._works.pop(work, None)
        if not text:
            return
        if len(self._works) >= _MOST_WORKS:
            raise ChoiceError(f"no more than {_MOST_WORKS} works are kept")
        line = "".join(filter(str.isprintable, text))
        self._works[work] = line[:_MOST_CHARACTERS]
