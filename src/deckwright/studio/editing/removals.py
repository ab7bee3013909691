"""Things that are taken out of their files, and how they come back."""

from __future__ import annotations

import base64
from typing import NamedTuple

from deckwright.base.choices import ChoiceError
from deckwright.studio.saving import state_of
from deckwright.xmlio.xml_text import XmlFile

NOTHING_BACK = ChoiceError("this brings nothing back")


class Undo(NamedTuple):
    """What makes of a file what it held before something was taken out.

    Attributes:
        state: what tells the file without it from any other state.
        at: from which byte on it differed.
        length: how many bytes stand there now.
        former: what stood there.
    """

    state: str
    at: int
    length: int
    former: bytes

    def told(self) -> dict[str, object]:
        """Return it as the page keeps it."""
        return {**self._asdict(), "former": base64.b64encode(self.former).decode()}

    def applied(self, now: bytes) -> bytes:
        """Return what a file in the state that this is for held before."""
        return now[: self.at] + self.former + now[self.at + self.length :]


def undo_of(before: bytes, after: bytes) -> Undo:
    """Return what makes one content of the other again."""
    at = _alike(before, after)
    rest, others = before[at:], after[at:]
    same = _alike(rest[::-1], others[::-1])
    return Undo(state_of(after), at, len(others) - same, rest[: len(rest) - same])


def _alike(one: bytes, other: bytes) -> int:
    """Return how many first bytes both have in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def undo_from(said: object) -> Undo:
    """Return what a page has kept.

    Raises:
        ChoiceError: if it is nothing of that sort.
    """
    given = said if isinstance(said, dict) else {}
    state, former = given.get("state"), given.get("former")
    at, length = given.get("at"), given.get("length")
    known = isinstance(state, str) and isinstance(former, str)
    if not known or not isinstance(at, int) or not isinstance(length, int) or min(at, length) < 0:
        raise NOTHING_BACK
    try:
        return Undo(str(state), at, length, base64.b64decode(str(former), validate=True))
    except ValueError:
        raise NOTHING_BACK from None


def take_out(file: XmlFile, ordinal: int) -> None:
    """Take an element out of a file, by its number there."""
    element = file.elements[ordinal]
    holder = file.holder(element)
    holder.remove(element)
    holder.close()
