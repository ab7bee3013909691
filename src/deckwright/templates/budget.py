"""What the programs of templates may use up: no template may run for ever or fill the memory.

Work is counted in steps. A step is one part of an expression, which takes some 50 nanoseconds; what
handles texts and lists takes more of them, in proportion to their sizes. A program cannot escape
the count: what it repeats is paid for before it begins, by the size of what is repeated.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from jinja2 import Undefined

from deckwright.templates import reasons

MAX_ITEMS = 20_000
"""Most elements that the loops of one face may repeat, and most items of a list that it makes."""
MAX_WORK = 2_000_000
"""Most steps that the program of one face may take: a tenth of a second."""
MAX_TEXT = 20_000
"""The longest text that an expression may make, in characters: as long as an attribute may be."""
MAX_ALL_WORK = 200_000_000
"""Most steps and characters of all faces in one style together: those of some 10,000 cards."""
MAX_DRAWN = 12_000_000
"""Most characters of all faces in one style that are drawn, each text and element only once."""
MAX_NUMBER = 10**18
"""No whole number that an expression makes is as large."""


class TooMuchError(Exception):
    """A program uses up more than it may."""


class Budget:
    """Counts down what a program may still use up.

    Attributes:
        items: the elements that its loops may repeat.
        work: the steps that it may take.
    """

    __slots__ = ("_all", "_drawn", "items", "work")

    def __init__(self) -> None:
        """Begin with all that programs may use up together."""
        self._all = MAX_ALL_WORK
        self._drawn = MAX_DRAWN
        self.items = 0
        self.work = 0

    def begin(self) -> None:
        """Begin another program.

        Raises:
            TooMuchError: if the programs before it have used up what all may together.
        """
        if self._all < 0:
            message = "the templates take too much work for all faces together"
            raise TooMuchError(message)
        self.items = MAX_ITEMS
        self.work = MAX_WORK

    def end(self, written: int) -> None:
        """End the program; it has written so many characters."""
        self._all -= MAX_WORK - self.work + written

    def draw(self, size: int) -> None:
        """Draw elements of so many characters that were not drawn before.

        Raises:
            TooMuchError: if all templates have drawn too much together.
        """
        self._drawn -= size
        if self._drawn < 0:
            message = "the templates draw too much for all faces together"
            raise TooMuchError(message)

    def spend(self, steps: int) -> None:
        """Take steps.

        Raises:
            TooMuchError: if there are not so many left.
        """
        self.work -= steps
        if self.work < 0:
            message = f"the template takes more than {MAX_WORK:,} steps for a face"
            raise TooMuchError(message)

    def repeated(self, items: Collection[Any], steps: int) -> Collection[Any]:
        """Return what a loop repeats, having paid for all of it.

        Args:
            steps: what the loop does for one item.

        Raises:
            TooMuchError: if that is too much.
            TypeError: if nothing can be repeated for `items`.
        """
        if type(items) not in {list, tuple, dict, str, range}:
            if isinstance(items, Undefined):
                iter(items)
            message = f"`each` needs a list, not {described(items)}"
            raise TypeError(message)
        number = len(items)
        self.items -= number
        if self.items < 0:
            message = f"the template repeats more than {MAX_ITEMS:,} elements for a face"
            raise TooMuchError(message)
        self.spend(number * steps)
        return items

    def make_text(self, length: int) -> None:
        """Pay for a text that is about to be made.

        Raises:
            TooMuchError: if it is too long.
        """
        if length > MAX_TEXT:
            message = f"the template makes a text of more than {MAX_TEXT:,} characters"
            raise TooMuchError(message)
        self.spend(1 + (length >> 4))

    def make_list(self, length: int) -> None:
        """Pay for a list that is about to be made.

        Raises:
            TooMuchError: if it is too long.
        """
        if length > MAX_ITEMS:
            message = f"the template makes a list of more than {MAX_ITEMS:,} items"
            raise TooMuchError(message)
        self.spend(1 + length)


def described(value: object) -> str:
    """Return what kind of thing a value is, in a designer's words."""
    return reasons.described(type(value).__name__)
