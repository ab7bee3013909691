"""Text with inline markup, as the template program writes it, as words to lay out.

Markup codes stand between `MARK` characters, which XML cannot contain, so that no text of a game
can be taken for markup.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MARK = "\x1d"
"""Encloses a markup code in rendered text: b, /b, i, /i, br, p, or "icon NAME"."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a word in one style: text, or an icon by name."""

    text: str = ""
    bold: bool = False
    italic: bool = False
    icon: str | None = None

    @property
    def font_style(self) -> str:
        """The style of the font family: "regular", "bold", "italic" or "bold-italic"."""
        if self.bold:
            return "bold-italic" if self.italic else "bold"
        return "italic" if self.italic else "regular"


Word = tuple[Piece, ...]
"""What is not broken at its inside, unless it is wider than the line."""

Paragraph = tuple[tuple[Word, ...], ...]
"""Hard lines of words."""

Rich = tuple[Paragraph, ...]

_SPACE = re.compile("[ \t\r\n]+")


def parse(text: str, *, bold: bool = False, italic: bool = False) -> Rich:
    """Return rendered text as paragraphs; empty ones are left out, white space is collapsed."""
    result: list[Paragraph] = []
    lines: list[tuple[Word, ...]] = []
    words: list[Word] = []
    word: list[Piece] = []
    bolds, italics = int(bold), int(italic)

    def end_word() -> None:
        if word:
            words.append(tuple(word))
            word.clear()

    def end_line() -> None:
        end_word()
        lines.append(tuple(words))
        words.clear()

    def end_paragraph() -> None:
        end_line()
        if any(lines):
            result.append(tuple(lines))
        lines.clear()

    for index, part in enumerate(text.split(MARK)):
        if index % 2 == 0:
            chunks = _SPACE.split(unicodedata.normalize("NFC", part))
            for number, chunk in enumerate(chunks):
                if number:
                    end_word()
                if chunk:
                    word.append(Piece(chunk, bolds > 0, italics > 0))
        elif part in {"b", "/b"}:
            bolds += 1 if part == "b" else -1
        elif part in {"i", "/i"}:
            italics += 1 if part == "i" else -1
        elif part == "br":
            end_line()
        elif part in {"p", "/p"}:
            end_paragraph()
        elif part.startswith("icon "):
            word.append(Piece(icon=part.removeprefix("icon ").strip(), bold=bolds > 0))
    end_paragraph()
    return tuple(result)


def plain(rich: Rich) -> str:
    """Return the text without markup."""
    words = (word for paragraph in rich for line in paragraph for word in line)
    return " ".join("".join(piece.text for piece in word) for word in words).strip()
