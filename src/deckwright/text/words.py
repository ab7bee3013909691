"""Words for layout: pieces of text in one style, with their fonts and scripts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics
    from deckwright.text.symbols import SymbolArt


SMALL_CAPS = 0.8
"""The size of small capitals, as a share of the text's."""


class Piece(NamedTuple):
    """A part of a word in one style: text, or an icon by name.

    Attributes:
        scale: its size relative to the text's.
        small: whether it is in small capitals, which are smaller again.
        underlined, struck: whether a line runs below or through it.
        spacing: the letter spacing, in ems.
        mark: whether it is a list item's mark, which hangs beside its paragraph.
        color: `#rrggbb`, unless it is the text's.
        link: the anchor that it links to, in a book.
        anchors: the anchors at this place, in a book.
        symbol: a symbol of the game, instead of text.
        family: the id of its font family, unless it is the text's: that of code, which is in no
            language.
        close: whether its word follows the previous one without a space.
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
        """Its size relative to the text's, including the effect of small capitals."""
        return self.scale * (SMALL_CAPS if self.small else 1)

    @property
    def drawn(self) -> bool:
        """True if it is a drawing instead of text."""
        return self.icon is not None or self.symbol is not None

    @property
    def font_style(self) -> str:
        """The style of the font family: "regular", "bold", "italic" or "bold-italic"."""
        if self.bold:
            return "bold-italic" if self.italic else "bold"
        return "italic" if self.italic else "regular"

    def font(self, family: str) -> str:
        """Return its font's id, in a text of this family."""
        return f"{self.family or family}-{self.font_style}"


Word = tuple[Piece, ...]
"""A unit that stays on one line unless it is wider: a word, or a number with its noun."""

Paragraph = tuple[tuple[Word, ...], ...]
"""Words in lines separated by hard breaks."""

RichText = tuple[Paragraph, ...]


def mark_of(paragraph: Paragraph) -> Piece | None:
    """Return the mark of a list item, which is its first word; None for other paragraphs."""
    first = paragraph[0][0][0] if paragraph[0] else Piece()
    return first if first.mark else None


_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI"))
"""Bidirectional classes of right-to-left text (UAX 9, table 4)."""
_FIRST_COMPLEX = "\u0590"
"""No character before this one needs complex shaping."""
_JOINING = "Mong Phag"
"""Left-to-right scripts with joining letters (The Unicode Standard, ArabicShaping.txt)."""
_SYLLABIC = (
    "Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Tglg Hano Buhd Tagb Limb Bugi"
    " Lana Bali Sund Batk Lepc Sylo Saur Rjng Java Cham Mtei Brah Kthi Chak Mahj Shrd Khoj Mult"
    " Sind Gran Newa Tirh Sidd Modi Takr Ahom Dogr Diak Nand Zanb Soyo Bhks Marc Gonm Gong Maka"
    " Kawi Tutg Krai Gukh"
)
"""Scripts whose signs are reordered or stacked within syllables (codes from UAX 24; The Unicode
Standard, chapters 12 to 17; IndicSyllabicCategory.txt)."""
_COMPLEX_SCRIPTS = frozenset(f"{_JOINING} {_SYLLABIC}".split())
_JAMO = ("\u1160", "\u11ff"), ("\ud7b0", "\ud7fb")
"""Korean vowels and finals, which join the preceding letters; NFC leaves those of Old Korean."""


def find_complex_characters(text: str) -> list[str]:
    """Return the distinct characters that run right to left, join or are reordered."""
    return [one for one in dict.fromkeys(text) if one >= _FIRST_COMPLEX and _is_complex(one)]


def replace_complex(text: str) -> str:
    """Return a text with such characters replaced by "?"."""
    return text.translate(dict.fromkeys(map(ord, find_complex_characters(text)), "?"))


@cache
def _is_complex(character: str) -> bool:
    """Return whether a character belongs to a script that print cannot set."""
    if unicodedata.bidirectional(character) in _RIGHT_TO_LEFT:
        return True
    if any(first <= character <= last for first, last in _JAMO):
        return True
    from fontTools.unicodedata import script  # rarely needed

    return script(character) in _COMPLEX_SCRIPTS


def split_by_font(piece: Piece, family: str, metrics: Metrics) -> list[Piece]:
    """Return a piece divided by font; characters that no font has stay in the first.

    Args:
        family: the family of the text that it belongs to.
    """
    font = piece.font(family)
    chain = metrics.chain(font)
    if not chain or not metrics.shape(font, piece.text).missing:
        return [piece]
    families = (piece.family, *chain)

    def first(cluster: str) -> str | None:
        for name in families:
            if not metrics.shape(piece._replace(family=name).font(family), cluster).missing:
                return name
        return piece.family

    return [
        piece._replace(text="".join(some), family=name)
        for name, some in groupby(clusters(piece.text), first)
    ]


def find_missing(piece: Piece, family: str, metrics: Metrics) -> str:
    """Return the characters of a piece that none of its fonts has."""
    font = piece.font(family)
    # A mark that is missing on its own may be available combined with its base character, so
    # the whole text is shaped.
    if piece.drawn or not any(metrics.shape(font, one).missing for one in set(piece.text)):
        return ""
    parts = split_by_font(piece, family, metrics)
    return "".join(metrics.shape(part.font(family), part.text).missing for part in parts)


def clusters(text: str) -> Iterator[str]:
    """Yield characters with their combining marks."""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not unicodedata.combining(text[end]):
            yield text[start:end]
            start = end
