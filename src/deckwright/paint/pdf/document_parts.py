"""Document parts: what the pages of a file are, one part a deck, for presses that print many.

ISO 16612-2 (PDF/VT) has the tree, and ISO 32000-2, 14.12, took it over: a root, below it a leaf for
each record, with the first and the last of its pages and with metadata of its own; each page names
its leaf.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from reportlab.pdfbase.pdfdoc import PDFObject

from deckwright.paint.pdf.objects import Written, text_string

_LEVELS = b"[/Run/Deck]"
"""What the levels of the tree are called."""
_PLAIN = re.compile(r"[^A-Za-z0-9_]")


class DocumentPart(NamedTuple):
    """Pages that belong together.

    Attributes:
        pages: how many they are, after those of the parts before.
        facts: what is said of them, by names of letters, digits and `_`.
    """

    pages: int
    facts: Mapping[str, str | int | float]


class DocumentParts:
    """The tree of the parts of a file."""

    def __init__(self, parts: Sequence[DocumentPart], enter: Callable[[PDFObject], int]) -> None:
        """Enter the tree.

        Args:
            parts: which have all the pages.
            enter: enters an object in the file, and returns its number.
        """
        self._parts = parts
        self._root, self._top = Written(b""), Written(b"")
        self._leaves = [Written(b"") for _ in parts]
        self.root = enter(self._root)
        self._numbers = [enter(leaf) for leaf in self._leaves]
        top = enter(self._top)
        kids = b" ".join(b"%d 0 R" % number for number in self._numbers)
        self._root.text = (
            b"<</Type/DPartRoot/DPartRootNode %d 0 R/RecordLevel 1/NodeNameList%s>>"
            % (top, _LEVELS)
        )
        self._top.text = b"<</Type/DPart/Parent %d 0 R/DParts[[%s]]>>" % (self.root, kids)
        self._above = top
        self._of_pages = [n for part, n in zip(parts, self._numbers, strict=True)
                          for _ in range(part.pages)]  # fmt: skip

    def of_page(self, number: int) -> int:
        """Return the number of the object of the part that a page, from 0, belongs to."""
        return self._of_pages[number]

    def finish(self, pages: Sequence[int]) -> None:
        """Say which pages each part has, given by the numbers of their objects."""
        first = 0
        for part, leaf in zip(self._parts, self._leaves, strict=True):
            ends = pages[first], pages[first + part.pages - 1]
            leaf.text = b"<</Type/DPart/Parent %d 0 R/Start %d 0 R/End %d 0 R/DPM%s>>" % (
                *(self._above, *ends),
                _metadata(part.facts),
            )
            first += part.pages


def _metadata(facts: Mapping[str, str | int | float]) -> bytes:
    """Return what is said of a part as a dictionary of texts and numbers."""
    return b"<<%s>>" % b"".join(
        b"/%s%s" % (_PLAIN.sub("_", name).encode(), _value(value)) for name, value in facts.items()
    )


def _value(value: str | float) -> bytes:
    return text_string(value) if isinstance(value, str) else f" {value}".encode()
