"""Text with inline markup, as the template program writes it, as words to lay out.

Markup codes stand between `MARK` characters, which XML cannot contain, so that no text of a game
can be taken for markup.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import count, groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

from deckwright.base.casing import upper
from deckwright.base.names import letters
from deckwright.base.units import Mm
from deckwright.text.binding import bind
from deckwright.text.fallback import clusters
from deckwright.text.ideographs import parted
from deckwright.text.words import Paragraph, Piece, Rich, Word

if TYPE_CHECKING:
    from deckwright.text.symbols import SymbolArt

MARK = "\x04"
"""Encloses a code in rendered text: b, i, u, s, sc, p, tspan, list and item, each with a / where it
ends, br, "icon NAME", or "=" and what is printed as it is.

"list STYLE" says how its items are marked, "item MARK" how one that is in no list is. "tspan" has
its attributes, `NAME=VALUE`, divided by `NEXT`: a color, and two measures, each a share of the type
size and a length."""
NEXT = "\x1f"
BULLET = "•"


_SPACE = re.compile("[ \t\r\n]+")
_DIGIT = re.compile(r"\d")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"))
"""Characters that only say where a word may break, or whether a sign is to have colors.

Fonts draw them as boxes or not at all."""

_SIGN = re.compile(r"\{(?:icon:([\w-]+)|([A-Za-z][A-Za-z0-9_-]*))\}")
"""An icon or a symbol: the name of one of them."""

_NO_SYMBOLS: Mapping[str, SymbolArt] = MappingProxyType({})
_LONGEST_WORD = 500
"""The longest stretch without a space that is kept together, in characters.

No language has such words, and to break one, or to bring its accents into their order, takes as
many steps as the square of its length.
"""
_LEAST, _MOST = 0.3, 4.0
"""How small and large the type of a run may be, as a share of the text's."""


class UnknownSymbolError(Exception):
    """A text has a name in braces that is no symbol of the game."""

    def __init__(self, name: str) -> None:
        """Keep the name."""
        super().__init__(name)
        self.name = name


def parse(
    text: str,
    *,
    bold: bool = False,
    italic: bool = False,
    spacing: float = 0,
    size: Mm = 1,
    symbols: Mapping[str, SymbolArt] = _NO_SYMBOLS,
    language: str = "",
) -> Rich:
    """Return rendered text as paragraphs; empty ones are left out, white space is collapsed.

    Args:
        spacing: how far letters are set apart, in ems.
        size: the em, for lengths in it.
        language: of the text, for small capitals.

    Raises:
        UnknownSymbolError: if there are symbols, and the text has another name in braces.
    """
    reader = Builder(Piece(bold=bold, italic=italic, spacing=spacing), symbols, size, language)
    for index, part in enumerate(text.split(MARK)):
        if index % 2:
            reader.code(part)
        else:
            reader.text(part)
    return reader.rich()


class Builder:
    """Collects words, hard lines and paragraphs."""

    def __init__(
        self,
        style: Piece = Piece(),  # noqa: B008 - it does not change
        symbols: Mapping[str, SymbolArt] = _NO_SYMBOLS,
        size: Mm = 1,
        language: str = "",
    ) -> None:
        """Begin with text as `style` has it.

        Args:
            symbols: the game's, by id.
            size: the em, for lengths in the text.
            language: of the text, for small capitals.

        Attributes:
            style: what following text looks like. Its own text means nothing.
        """
        self.style = style
        self._symbols = symbols
        self._language = language
        self.paragraphs: list[Paragraph] = []
        self._lines: list[tuple[Word, ...]] = []
        self._words: list[Word] = []
        self._word: list[Piece] = []
        self._numbered = False
        self._size = size
        self._depth = dict.fromkeys(("b", "i", "u", "s", "sc"), 0)
        self._around: list[Piece] = []
        self._lists: list[Iterator[str]] = []
        self._mark = ""

    def text(self, text: str) -> None:
        """Take text; white space ends a word, `{icon:name}` is an icon, `{id}` a symbol.

        Raises:
            UnknownSymbolError: if there are symbols, and none of that id.
        """
        end = 0
        for sign in _SIGN.finditer(text):
            icon, symbol = sign.groups()
            if icon is None and not self._symbols:
                continue
            self.verbatim(text[end : sign.start()])
            end = sign.end()
            if icon is not None:
                self.icon(icon)
            elif symbol in self._symbols:
                self._word.append(self.style._replace(symbol=self._symbols[symbol]))
            else:
                raise UnknownSymbolError(symbol)
        self.verbatim(text[end:])

    def verbatim(self, part: str) -> None:
        """Take text in which braces mean nothing."""
        self._numbered = self._numbered or _DIGIT.search(part) is not None
        for number, chunk in enumerate(_SPACE.split(part) if part else ()):
            if number:
                self.end_word()
            for start in range(0, len(chunk), _LONGEST_WORD):
                stretch = unicodedata.normalize("NFC", chunk[start : start + _LONGEST_WORD])
                if stretch := stretch.translate(_INVISIBLE):
                    self._add(stretch, chunk[start - 1] if start else "")

    def _add(self, stretch: str, before: str) -> None:
        """Take text without spaces; between Chinese characters words end.

        Args:
            before: the last character of what it goes on with, where that is a word of its own.
        """
        if before:
            self.end_word()
        elif self._word:
            before = self._word[-1].text[-1:]
        for number, part in enumerate(parted(stretch, before)):
            if number:
                self.end_word()
            if part:
                first, *rest = self._pieces(part)
                self._word += [first._replace(close=True) if number else first, *rest]

    def _pieces(self, chunk: str) -> Iterator[Piece]:
        """Yield a stretch without spaces in the style at hand."""
        piece = self.style._replace(
            text=chunk,
            bold=self.style.bold or self._depth["b"] > 0,
            italic=self.style.italic or self._depth["i"] > 0,
            underlined=self._depth["u"] > 0,
            struck=self._depth["s"] > 0,
        )
        if self._depth["sc"] <= 0:
            yield piece
            return
        for small, some in groupby(clusters(chunk), lambda letter: letter[0].islower()):
            text = "".join(some)
            yield piece._replace(text=upper(text, self._language), small=small)

    def icon(self, name: str) -> None:
        """Take an icon."""
        self._word.append(self.style._replace(icon=name))

    def rich(self) -> Rich:
        """Return what was collected."""
        self.end_paragraph()
        return tuple(self.paragraphs)

    def code(self, code: str) -> None:
        """Take a markup code."""
        if code.startswith("="):
            self.verbatim(code[1:])
        elif code.startswith("icon "):
            self.icon(code.removeprefix("icon ").strip())
        elif code == "br":
            self.end_line()
        elif code in {"p", "/p", "/item"}:
            self.end_paragraph()
        elif code.startswith(("list", "/list", "item")):
            self._list(code)
        elif code.startswith("tspan "):
            self._around.append(self.style)
            self.style = self._run(code.removeprefix("tspan "))
        elif code == "/tspan" and self._around:
            self.style = self._around.pop()
        elif code.removeprefix("/") in self._depth:
            self._depth[code.removeprefix("/")] += -1 if code.startswith("/") else 1

    def _list(self, code: str) -> None:
        """Begin or end a list, or begin an item."""
        self.end_paragraph()
        kind, _, said = code.partition(" ")
        if kind == "list":
            self._lists.append(marks(said))
        elif kind == "/list" and self._lists:
            self._lists.pop()
        elif kind == "item":
            self._mark = said or next(self._lists[-1] if self._lists else marks(""))

    def _run(self, attributes: str) -> Piece:
        """Return the style of a run with attributes of its own."""
        style = self.style
        for attribute in attributes.split(NEXT):
            name, _, value = attribute.partition("=")
            if name == "fill":
                style = style._replace(color=value)
                continue
            ems, mm = map(float, value.split())
            share = ems + mm / self._size
            if name == "font-size":
                style = style._replace(scale=min(max(style.scale * share, _LEAST), _MOST))
            else:
                style = style._replace(spacing=share)
        return style

    def end_word(self) -> None:
        """End the word, if one is begun."""
        if self._word:
            self._words.append(tuple(self._word))
            self._word.clear()

    def end_line(self) -> None:
        """End the line, even an empty one."""
        self.end_word()
        words = tuple(self._words)
        self._lines.append(bind(words) if self._numbered else words)
        self._words.clear()
        self._numbered = False

    def end_paragraph(self) -> None:
        """End the paragraph, if it has any word."""
        self.end_line()
        if any(self._lines):
            if self._mark:
                mark = Piece(self._mark, self.style.bold, self.style.italic, mark=True)
                self._lines[0] = ((mark,), *self._lines[0])
            self.paragraphs.append(tuple(self._lines))
            self._mark = ""
        self._lines.clear()


def marks(style: str) -> Iterator[str]:
    """Yield the marks of the items of a list: "number", "letter", or bullets."""
    for number in count(1):
        yield {"number": f"{number}.", "letter": f"{letters(number).lower()})"}.get(style, BULLET)


def plain(rich: Rich) -> str:
    """Return the text without markup."""
    words = (word for paragraph in rich for line in paragraph for word in line)
    return "".join(
        ("" if word[0].close else " ") + "".join(piece.text for piece in word) for word in words
    ).strip()
