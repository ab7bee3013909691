"""Words for layout: pieces of text in one style, divided by font, direction and script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from deckwright.text.bidi import Direction, base_level, resolve_levels
from deckwright.text.scripts import CONTROLS, attaches, scripts_of

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics, ShapedText
    from deckwright.text.symbols import SymbolArt


_SMALL_CAPS = 0.8
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
        script: the code of the script that HarfBuzz arranges; "" if each character is a glyph.
        level: its embedding level, odd from right to left (UAX 9).
        gap_level: that of the space before its word; in the first word of a line, of the line.
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
    script: str = ""
    level: int = 0
    gap_level: int = 0

    @property
    def em(self) -> float:
        """Its size relative to the text's, including the effect of small capitals."""
        return self.scale * (_SMALL_CAPS if self.small else 1)

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

    @property
    def rtl(self) -> bool:
        """Whether HarfBuzz arranges it from right to left."""
        return self.script != "" and self.level % 2 > 0

    def shape(self, family: str, metrics: Metrics) -> ShapedText:
        """Return its text shaped in its font, in a text of this family."""
        return metrics.shape(self.font(family), self.text, self.script, rtl=self.rtl)


Word = tuple[Piece, ...]
"""A unit that stays on one line unless it is wider: a word, or a number with its noun."""

Paragraph = tuple[tuple[Word, ...], ...]
"""Words in lines separated by hard breaks."""

RichText = tuple[Paragraph, ...]

DRAWING = "\ufffc"
"""Stands for a drawing in a text."""


def text_of(word: Iterable[Piece]) -> str:
    """Return the text of a word, with a placeholder for each drawing."""
    return "".join(DRAWING if piece.drawn else piece.text for piece in word)


def mark_of(paragraph: Paragraph) -> Piece | None:
    """Return the mark of a list item, which is its first word; None for other paragraphs."""
    first = paragraph[0][0][0] if paragraph[0] else Piece()
    return first if first.mark else None


def split_by_font(piece: Piece, family: str, metrics: Metrics) -> list[Piece]:
    """Return a piece divided by font; characters that no font has stay in the first.

    Args:
        family: the family of the text that it belongs to.
    """
    chain = metrics.chain(piece.font(family))
    if not chain or not piece.shape(family, metrics).missing:
        return [piece]
    families = (piece.family, *chain)

    def first(cluster: str) -> str | None:
        for name in families:
            part = piece._replace(family=name, text=cluster)
            if not part.shape(family, metrics).missing:
                return name
        return piece.family

    return [
        piece._replace(text="".join(some), family=name)
        for name, some in groupby(clusters(piece.text), first)
    ]


def find_missing(piece: Piece, family: str, metrics: Metrics) -> str:
    """Return the characters of a piece that none of its fonts has."""
    # A mark that is missing on its own may be available combined with its base character, so
    # the whole text is shaped.
    font, script, rtl = piece.font(family), piece.script, piece.rtl
    if piece.drawn or not any(
        metrics.shape(font, one, script, rtl=rtl).missing for one in set(piece.text)
    ):
        return ""
    parts = split_by_font(piece, family, metrics)
    return "".join(part.shape(family, metrics).missing for part in parts)


def clusters(text: str) -> Iterator[str]:
    """Yield characters with their combining marks, and emoji with all of their parts."""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not attaches(text[end], text[end - 1]):
            yield text[start:end]
            start = end


def itemize(rich: RichText, direction: Direction = "auto") -> RichText:
    """Return a text with the levels and scripts of its pieces, which are divided by them.

    Args:
        direction: that of its paragraphs.
    """
    return tuple(_itemize_paragraph(paragraph, direction) for paragraph in rich)


def _itemize_paragraph(paragraph: Paragraph, direction: Direction) -> Paragraph:
    mark = mark_of(paragraph)
    lines = (paragraph[0][1:], *paragraph[1:]) if mark else paragraph
    base = base_level(" ".join(map(_line_text, lines)), direction)
    divided = [tuple(_itemize_line(line, base)) for line in lines]
    if mark:
        divided[0] = ((mark._replace(level=base, gap_level=base),), *divided[0])
    return tuple(divided)


def _line_text(line: Sequence[Word]) -> str:
    """Return the text of a line, with a placeholder for each drawing."""
    text = "".join(("" if word[0].close else " ") + text_of(word) for word in line)
    return text[0 if line and line[0][0].close else 1 :]


def _itemize_line(line: Sequence[Word], base: int) -> Iterator[Word]:
    """Yield the words of a line with their pieces divided by level and script."""
    text = _line_text(line)
    levels = resolve_levels(text, base)
    scripts = scripts_of(text, levels)
    at = 0
    for index, word in enumerate(line):
        gap = base
        if index and not word[0].close:
            gap, at = levels[at], at + 1
        pieces: list[Piece] = []
        for piece in word:
            if piece.drawn:
                pieces.append(piece._replace(level=levels[at]))
                at += 1
                continue
            places = range(at, at + len(piece.text))
            at = places.stop
            for (level, script), some in groupby(places, lambda i: (levels[i], scripts[i])):
                part = "".join(text[place] for place in some if text[place] not in CONTROLS)
                if not part:
                    continue
                spacing = 0 if script else piece.spacing  # it would tear joined letters apart
                pieces.append(
                    piece._replace(text=part, level=level, script=script, spacing=spacing)
                )
        pieces = pieces or [word[0]._replace(text="", level=base)]
        first = pieces[0]._replace(gap_level=gap)
        yield (first, *(piece._replace(close=False) for piece in pieces[1:]))
