"""Words to lay out: pieces of text in one style, and what stays together on a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deckwright.text.symbols import SymbolArt


SMALL_CAPS = 0.8
"""The size of small capitals, as a share of the text's."""


class Piece(NamedTuple):
    """A part of a word in one style: text, or an icon by name.

    Attributes:
        scale: its size, as a share of the text's.
        small: whether it is in small capitals, which are smaller again.
        underlined, struck: whether a line is drawn below it, or through it.
        spacing: how far its letters are set apart, in ems.
        mark: whether it is the mark of an item of a list, which hangs beside its paragraph.
        color: `#rrggbb`, where it is not the text's.
        link: the anchor that it leads to, in a book.
        anchors: the anchors that stand here, in a book.
        symbol: a symbol of the game, instead of text.
        family: the id of its font family, where it is not the text's: of code, which is in no
            language.
        close: whether the word that it begins follows the one before it without a space.
    """

    text: str = ""
    bold: bool = False
    italic: bool = False
    icon: str | None = None
    scale: float = 1
    color: str | None = None
    link: str | None = None
    anchors: tuple[str, ...] = ()
    symbol: SymbolArt | None = None
    family: str | None = None
    close: bool = False
    small: bool = False
    underlined: bool = False
    struck: bool = False
    spacing: float = 0
    mark: bool = False

    @property
    def em(self) -> float:
        """Its size, small capitals counted as such, as a share of the text's."""
        return self.scale * (SMALL_CAPS if self.small else 1)

    @property
    def drawn(self) -> bool:
        """Whether it is a drawing, not text."""
        return self.icon is not None or self.symbol is not None

    @property
    def font_style(self) -> str:
        """The style of the font family: "regular", "bold", "italic" or "bold-italic"."""
        if self.bold:
            return "bold-italic" if self.italic else "bold"
        return "italic" if self.italic else "regular"

    def font(self, family: str) -> str:
        """Return the id of its font in a text of a family."""
        return f"{self.family or family}-{self.font_style}"


Word = tuple[Piece, ...]
"""What stays on one line unless it is wider than that: a word, or a number with its noun."""

Paragraph = tuple[tuple[Word, ...], ...]
"""Hard lines of words."""

Rich = tuple[Paragraph, ...]


def mark_of(paragraph: Paragraph) -> Piece | None:
    """Return the mark of an item of a list, which is its first word; None for no item."""
    first = paragraph[0][0][0] if paragraph[0] else Piece()
    return first if first.mark else None
