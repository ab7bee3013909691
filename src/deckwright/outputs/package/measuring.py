"""What a finished PDF says of itself: how many pages, and of which size. A second opinion."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from typing import BinaryIO, NamedTuple

from deckwright.base.units import PER_UNIT, Mm

EXACT: Mm = 0.05
"""Sizes that differ by less are the same: PDFs round to fractions of a point."""


class Measured(NamedTuple):
    """A PDF's pages.

    Attributes:
        trims, bleeds: width and height of each page's trim box, and of its bleed box; those of the
            page for pages without.
    """

    trims: tuple[tuple[Mm, Mm], ...]
    bleeds: tuple[tuple[Mm, Mm], ...]

    @property
    def trim(self) -> tuple[Mm, Mm] | None:
        """The size that all pages are cut to, None if they differ."""
        same = all(alike(self.trims[0], other) for other in self.trims)
        return self.trims[0] if self.trims and same else None


def measured(data: bytes | BinaryIO) -> Measured:
    """Return the pages of a PDF.

    Raises:
        ValueError: if it cannot be read.
    """
    from pypdf import PdfReader  # noqa: PLC0415 - only for packages

    # What pypdf mends on its way is of no use to whoever looks whether a file is whole.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    try:
        pages = list(PdfReader(stream).pages)
        trims = tuple(_size(page.trimbox) for page in pages)
        return Measured(trims, tuple(_size(page.bleedbox) for page in pages))
    except Exception as error:  # a broken file can make pypdf raise anything
        raise ValueError("it cannot be read as a PDF") from error


def alike(one: Sequence[Mm], other: Sequence[Mm]) -> bool:
    """Return whether two sizes are the same."""
    return all(abs(a - b) <= EXACT for a, b in zip(one, other, strict=True))


def _size(box: object) -> tuple[Mm, Mm]:
    """Return width and height of a box of pypdf's in mm."""
    width, height = float(box.width), float(box.height)  # type: ignore[attr-defined]
    point = PER_UNIT["pt"]
    return round(width * point, 3), round(height * point, 3)
