"""The stock of a game, and another one for files with letters that are rarely printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.paint.pdf.cmyk import Intent
from deckwright.paint.pdf.document_parts import DocumentPart
from deckwright.paint.pdf.info import Info
from deckwright.paint.pdf.stock import Drawn, Runs, Stock, one_run
from deckwright.paint.pdf.stocked import MissingLettersError, stocked_pdf
from deckwright.sheet.pages import Page
from deckwright.text.fonts import Font

_Letters = frozenset[tuple[str, str]]


class Stocks:
    """Writes files of a game. What is in a file depends on its pages alone, not on those before."""

    def __init__(
        self,
        fonts: Mapping[str, Font],
        images: ImageStore,
        letters: Mapping[str, str],
        drawn: Drawn,
        intent: Intent | None = None,
        *,
        tagged: bool = True,
        runs: Runs = one_run,
    ) -> None:
        """Begin with a stock of these letters.

        Args:
            fonts, letters, drawn, intent, tagged, runs: as for `Stock`.

        Raises:
            CannotMakeError: if a font cannot be embedded.
        """
        self._letters = letters
        self._begin = partial(
            Stock, fonts, images, drawn=drawn, intent=intent, tagged=tagged, runs=runs
        )
        self._usual = self._begin(letters)
        self._other: tuple[_Letters, Stock] | None = None

    @property
    def kept(self) -> int:
        """How many faces the usual stock keeps."""
        return len(self._usual)

    def pdf(self, pages: Sequence[Page], info: Info, parts: Sequence[DocumentPart] = ()) -> bytes:
        """Return pages as a PDF file.

        Args:
            parts: which pages belong together, if the file says so.

        Raises:
            CannotMakeError: if a font cannot be embedded.
        """
        try:
            return stocked_pdf(pages, info, self._usual, parts)
        except MissingLettersError as error:
            return stocked_pdf(pages, info, self._with(error.letters), parts)

    def forget(self, faces: Sequence[Face]) -> None:
        """Forget faces that are not placed again."""
        for stock in (self._usual, *(self._other or ())[1:]):
            stock.forget(faces)

    def _with(self, letters: _Letters) -> Stock:
        """Return a stock that has other letters besides; the last one is kept."""
        if self._other is None or self._other[0] != letters:
            more: dict[str, str] = {}
            for font_id, letter in sorted(letters):
                more[font_id] = more.get(font_id, self._letters.get(font_id, "")) + letter
            self._other = letters, self._begin({**self._letters, **more})
        return self._other[1]
