"""Pages before the decks of a large file: whose they are, for those who sort what was printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.units import Mm
from deckwright.ops.cells import cells
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op
from deckwright.ops.outlines import rectangle
from deckwright.ops.tags import Tag
from deckwright.runs.manifest import Record
from deckwright.sheet.pages import Page
from deckwright.templates.codes import encoded
from deckwright.text.scripts import without_shaped
from deckwright.text.shaping import Metrics

_INK = "#000000"
_GREY = "#555555"
_MARGIN: Mm = 20
_CODE: Mm = 40
_BAR: Mm = 8
"""How wide the bar along the right edge is, by which one finds the page in a stack."""
_NAME: Mm = 12
_LINE: Mm = 5


class Typed(NamedTuple):
    """How pages of text look.

    Attributes:
        size: of the paper.
        families: the fonts of titles and of text.
        words: those of the game.
    """

    size: tuple[Mm, Mm]
    metrics: Metrics
    families: tuple[str, str]
    words: Mapping[str, str]


class Separators:
    """The pages before decks.

    Attributes:
        pages: how many were made.
    """

    def __init__(self, records: Sequence[Record], file: int) -> None:
        """Take the records of the decks of a file, and the file's number."""
        self._records, self._file = records, file
        self._leaves = any(_is_two_sided(record) for record in records)
        self.pages = 0

    def before(self, typed: Typed, names: Sequence[str]) -> Callable[[int], Iterator[Page]]:
        """Return what makes the pages before the deck of a number, from 0.

        Where paper is printed on both sides, a separator is a leaf, and each deck begins on one.

        Args:
            names: of the decks.
        """
        size, words = typed.size, typed.words
        title, text = typed.families

        def made(number: int) -> Iterator[Page]:
            record = self._records[number]
            odd = number > 0 and len(self._records[number - 1].pages) % 2
            blanks = [Page(*size)] if self._leaves else []
            yield from blanks * odd
            self.pages += 1 + len(blanks) * (1 + odd)
            said = record.deck, names[number]
            lines = [
                f"{record.deck} · {number + 1}/{len(self._records)} · {self._file:04}.pdf",
                f"{words['pages']}: {len(record.pages)}",
                *(f"{name}: {value}" for name, value in record.values.items() if value not in said),
                *(f"SHA-256 {_groups(checksum)}" for _, _, checksum in record.files),
            ]
            ops = [*_code(record.deck), *_bar(size)]
            ops += _text(names[number], _NAME, _MARGIN + _CODE + 22, size, title, typed.metrics)
            y = _MARGIN + _CODE + 22 + _NAME
            for line in lines:
                ops += _text(line, _LINE, y, size, text, typed.metrics, _GREY)
                y += _LINE * 1.6
            yield Page(*size, ops=tuple(ops), bookmark=names[number], tag=Tag("P"))
            yield from blanks

        return made


def _is_two_sided(record: Record) -> bool:
    """Return whether a deck has its backs behind its faces."""
    backs = any(slot.endswith(" back") for page in record.pages for slot in page)
    return backs and len(record.files) == 1


def _groups(checksum: str) -> str:
    """Return the first half of a checksum in groups that people can compare."""
    return " ".join(checksum[at : at + 8] for at in range(0, 32, 8))


def _code(value: str) -> Iterator[Op]:
    made = encoded("qr", value, "M", None)
    module = _CODE / len(made.rows[0])
    outline = cells(made.rows, _MARGIN, _MARGIN, module, module)
    yield Group((FillPath(outline, _INK),), alt=value)


def _bar(size: tuple[Mm, Mm]) -> Iterator[Op]:
    width, height = size
    yield FillPath(rectangle(width - _BAR, 0, _BAR, height), _INK)


def _text(
    text: str, high: Mm, y: Mm, size: tuple[Mm, Mm], family: str, metrics: Metrics, ink: str = _INK
) -> Iterator[Op]:
    """Draw a line of text, as large as it fits beside the bar."""
    font = f"{family}-regular"
    shaped = metrics.shape(font, without_shaped(text))
    room = size[0] - _MARGIN - _BAR - _LINE
    high = min(high, room / max(shaped.width, 1e-9))
    yield DrawGlyphs(font, high, _MARGIN, y, shaped.text, shaped.kerns, ink)
