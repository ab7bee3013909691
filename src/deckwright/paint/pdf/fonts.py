"""Fonts in a PDF: subsets with the characters that are printed, so that text can be copied."""

from __future__ import annotations

import struct
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from deckwright.base.findings import Code, Location, Severity
from deckwright.base.output import CannotMakeError
from deckwright.paint.pdf.font_tables import TTFont
from deckwright.text.fonts import T007, Font

E077 = Code("E077", Severity.ERROR, "a font that cannot be embedded")


class PdfFonts:
    """The fonts of one PDF; a font's file is read when it is first printed."""

    def __init__(self, fonts: Mapping[str, Font], document: Any) -> None:  # noqa: ANN401
        """Take the fonts by id, and ReportLab's document."""
        self._fonts = fonts
        self._document = document
        self._opened: dict[str, TTFont] = {}

    @property
    def first(self) -> str:
        """The id of the font that the PDF has in any case."""
        return next(iter(self._fonts))

    def open(self, font_id: str) -> TTFont:
        """Return a font, read and known to ReportLab."""
        opened = self._opened.get(font_id)
        if opened is None:
            path = str(self._fonts[font_id].path)
            # Fonts with the same file share it, so that it is embedded once.
            opened = next((font for font in self._opened.values() if font.face.filename == path),
                          None)  # fmt: skip
            if opened is None:
                opened = open_font(self._fonts[font_id])
            self._opened[font_id] = opened
        return opened

    def encoded(self, font_id: str, text: str) -> list[tuple[str, bytes]]:
        """Return `text` as stretches of a subset's resource name and its bytes, one a character."""
        font = self.open(font_id)
        return [
            (font.getSubsetInternalName(subset, self._document), codes)
            for subset, codes in font.splitString(text, self._document)
        ]


@contextmanager
def embedding() -> Iterator[None]:
    """Say which font is to blame when the fonts of a PDF cannot be embedded within a block.

    Raises:
        CannotMakeError: with the font's file.
    """
    try:
        yield
    except (LookupError, ArithmeticError, ValueError, TypeError, struct.error) as error:
        for frame, _ in traceback.walk_tb(error.__traceback__):
            font = frame.f_locals.get("self")
            if isinstance(font, TTFont):
                hint = "export it again from a font editor, or use another font"
                message = "the font cannot be embedded: it has characters without outlines"
                place = Location(Path(font.face.filename))
                raise CannotMakeError(E077.at(place, message, hint)) from error
        raise


def embed(font: Font, text: str) -> None:
    """Embed the characters of `text` in a PDF that is thrown away.

    Raises:
        CannotMakeError: if they cannot be embedded.
    """
    canvas = Canvas(BytesIO(), initialFontName=open_font(font).fontName)
    with embedding():
        PdfFonts({font.id: font}, canvas._doc).encoded(font.id, text)  # noqa: SLF001 - no other way
        canvas.save()


def first_font(fonts: Mapping[str, Font]) -> TTFont:
    """Return a font for ReportLab to begin with, which would otherwise name Helvetica."""
    return open_font(next(iter(fonts.values())))


def open_font(font: Font) -> TTFont:
    """Return a font read from its file and registered, so that a canvas can begin with it.

    Raises:
        CannotMakeError: if it is damaged.
    """
    name = f"{font.id}@{font.path.absolute()}"  # the working folder may change
    if name in pdfmetrics.getRegisteredFontNames():
        registered: TTFont = pdfmetrics.getFont(name)
        return registered
    try:
        opened = TTFont(name, str(font.path))
    except MemoryError:
        raise
    except Exception as error:  # ReportLab raises what it meets
        message = f"the font `{font.path.name}` is damaged: {error}"
        hint = "save or copy it again, or use another one"
        raise CannotMakeError(T007.at(Location(font.path), message, hint)) from error
    pdfmetrics.registerFont(opened)
    return opened
