"""Fonts in a PDF: subsets with the characters that are printed, so that text can be copied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from deckwright.fonts import Font


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


def first_font(fonts: Mapping[str, Font]) -> TTFont:
    """Return a font for ReportLab to begin with, which would otherwise name Helvetica."""
    return open_font(next(iter(fonts.values())))


def open_font(font: Font) -> TTFont:
    """Return a font read from its file and registered, so that a canvas can begin with it."""
    name = f"{font.id}@{font.path}"
    if name in pdfmetrics.getRegisteredFontNames():
        registered: TTFont = pdfmetrics.getFont(name)
        return registered
    opened = TTFont(name, str(font.path))
    known = {pdfmetrics.getFont(other) for other in pdfmetrics.getRegisteredFontNames()}
    if opened.face.name in {other.face.name for other in known}:
        # ReportLab would take two files with one font name inside for one font.
        opened.face.name += f"-{font.id}".encode()
    pdfmetrics.registerFont(opened)
    return opened
