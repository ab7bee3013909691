"""Markup in texts, and rich text as words to lay out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from itertools import count, groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

from deckwright.base.files import to_letters
from deckwright.base.strings import upper
from deckwright.base.units import Mm
from deckwright.text.bidi import Direction, language_direction
from deckwright.text.break_opportunities import bind_words, split_ideographs, split_words
from deckwright.text.scripts import is_complex, is_unspaced
from deckwright.text.words import Paragraph, Piece, RichText, Word, clusters, itemize

if TYPE_CHECKING:
    from deckwright.text.symbols import SymbolArt

CODE_MARK = "\x04"
"""Encloses a code in rendered text: b, i, u, s, sc, p, tspan, list and item, each with a / at its
end, br, "icon NAME", or "=" and a verbatim text.

"list STYLE" gives the style of its items' marks, "item MARK" the mark of an item outside of a list.
"tspan" has attributes, `NAME=VALUE`, separated by `ATTRIBUTE_SEPARATOR`: a color, and two measures,
each a share of the type size and a length.
"""
ATTRIBUTE_SEPARATOR = "\x1f"
BULLET = "•"


_SPACE = re.compile("[ \t\r\n]+")
_DIGIT = re.compile(r"\d")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"))
"""Characters that only control line breaks or emoji presentation.

Fonts draw them as boxes or not at all.
"""

_SIGN = re.compile(r"\{(?:icon:([\w-]+)|([A-Za-z][A-Za-z0-9_-]*))\}")
"""An icon or a symbol with its name."""

_NO_SYMBOLS: Mapping[str, SymbolArt] = MappingProxyType({})
_MAX_WORD_LENGTH = 500
"""The longest stretch without a space that is kept together, in characters.

No language has longer words, and breaking one, or reordering its accents, takes quadratic time.
"""
_MIN_SCALE, _MAX_SCALE = 0.3, 4.0
"""Bounds of a run's type size, as a share of the text's."""


class UnknownSymbolError(Exception):
    """A text has a name in braces that is not a symbol of the game."""

    def __init__(self, name: str) -> None:
        """Keep the name."""
        super().__init__(name)
        self.name = name


def parse_rich_text(
    text: str,
    style: Piece = Piece(),  # noqa: B008 - it does not change
    *,
    size: Mm = 1,
    symbols: Mapping[str, SymbolArt] = _NO_SYMBOLS,
    language: str = "",
    direction: Direction | None = None,
) -> RichText:
    """Return rendered text as paragraphs, without empty ones and with white space collapsed.

    Args:
        style: its style at first.
        symbols: the game's, by id.
        size: the em, to convert lengths.
        language: the text's language, for small capitals.
        direction: the direction of paragraphs, None for that of the language.

    Raises:
        UnknownSymbolError: if the game has symbols, and the text has another name in braces.
    """
    builder = RichTextBuilder(style, symbols, size, language, direction)
    for index, part in enumerate(text.split(CODE_MARK)):
        if index % 2:
            builder.code(part)
        else:
            builder.text(part)
    return builder.build()


class RichTextBuilder:
    """Collects words, hard lines and paragraphs.

    Attributes:
        style: the style of the following text; its own text is ignored.
    """

    def __init__(
        self,
        style: Piece = Piece(),  # noqa: B008 - it does not change
        symbols: Mapping[str, SymbolArt] = _NO_SYMBOLS,
        size: Mm = 1,
        language: str = "",
        direction: Direction | None = None,
    ) -> None:
        """Start with the style of a piece; the rest is as in `parse_rich_text`."""
        self.style = style
        self._symbols = symbols
        self._language = language
        self._direction = direction or language_direction(language)
        self._complex = self._direction == "rtl"
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
        """Add text; white space ends a word, `{icon:name}` is an icon, `{id}` a symbol.

        Raises:
            UnknownSymbolError: if the game has symbols, and none of that id.
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
        """Add text in which braces have no meaning."""
        self._numbered = self._numbered or _DIGIT.search(part) is not None
        for number, chunk in enumerate(_SPACE.split(part) if part else ()):
            if number:
                self.end_word()
            for start in range(0, len(chunk), _MAX_WORD_LENGTH):
                stretch = unicodedata.normalize("NFC", chunk[start : start + _MAX_WORD_LENGTH])
                if is_complex(stretch):
                    self._complex = True  # joiners have a meaning
                else:
                    stretch = stretch.translate(_INVISIBLE)
                if not stretch:
                    continue
                before = chunk[start - 1] if start else ""
                if before:  # it continues an overlong word
                    self.end_word()
                elif self._word:
                    before = self._word[-1].text[-1:]
                # Ideographs are words of their own.
                parts = [w for part in split_ideographs(stretch, before) for w in split_words(part)]
                for place, whole in enumerate(parts):
                    if place:
                        self.end_word()
                    if whole:
                        first, *rest = self._pieces(whole)
                        self._word += [first._replace(close=True) if place else first, *rest]

    def _pieces(self, chunk: str) -> Iterator[Piece]:
        """Yield a stretch without spaces in the current style."""
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
        """Add an icon."""
        self._word.append(self.style._replace(icon=name))

    def build(self) -> RichText:
        """Return the collected text."""
        self.end_paragraph()
        rich = tuple(self.paragraphs)
        return itemize(rich, self._direction) if self._complex else rich

    def code(self, code: str) -> None:
        """Apply a markup code."""
        if code.startswith("="):
            self.verbatim(code[1:])
        elif code.startswith("icon "):
            self.icon(code.removeprefix("icon ").strip())
        elif code == "br":
            self.end_line()
        elif code in {"p", "/p", "/item"}:
            self.end_paragraph()
        elif code.startswith(("list", "/list", "item")):
            self.end_paragraph()
            kind, _, argument = code.partition(" ")
            if kind == "list":
                self._lists.append(item_marks(argument))
            elif kind == "/list" and self._lists:
                self._lists.pop()
            elif kind == "item":
                self._mark = argument or next(self._lists[-1] if self._lists else item_marks(""))
        elif code.startswith("tspan "):
            self._around.append(self.style)
            for attribute in code.removeprefix("tspan ").split(ATTRIBUTE_SEPARATOR):
                name, _, value = attribute.partition("=")
                if name == "fill":
                    self.style = self.style._replace(color=value)
                    continue
                ems, mm = map(float, value.split())
                share = ems + mm / self._size
                if name == "font-size":
                    scale = min(max(self.style.scale * share, _MIN_SCALE), _MAX_SCALE)
                    self.style = self.style._replace(scale=scale)
                else:
                    self.style = self.style._replace(spacing=share)
        elif code == "/tspan" and self._around:
            self.style = self._around.pop()
        elif code.removeprefix("/") in self._depth:
            self._depth[code.removeprefix("/")] += -1 if code.startswith("/") else 1

    def end_word(self) -> None:
        """End the current word, if any."""
        if self._word:
            self._words.append(tuple(self._word))
            self._word.clear()

    def end_line(self) -> None:
        """End the current line, even if it is empty."""
        self.end_word()
        words = tuple(self._words)
        self._lines.append(bind_words(words) if self._numbered else words)
        self._words.clear()
        self._numbered = False

    def end_paragraph(self) -> None:
        """End the current paragraph, if it has any words."""
        self.end_line()
        if any(self._lines):
            if self._mark:
                mark = Piece(self._mark, self.style.bold, self.style.italic, mark=True)
                self._lines[0] = ((mark,), *self._lines[0])
            self.paragraphs.append(tuple(self._lines))
            self._mark = ""
        self._lines.clear()


def item_marks(style: str) -> Iterator[str]:
    """Yield the marks of list items: for "number" or "letter", or else bullets."""
    for number in count(1):
        yield {"number": f"{number}.", "letter": f"{to_letters(number).lower()})"}.get(
            style, BULLET
        )


def plain_text(rich: RichText) -> str:
    """Return the text without markup."""
    words = (word for paragraph in rich for line in paragraph for word in line)
    return "".join(
        ("" if word[0].close else " ") + "".join(piece.text for piece in word) for word in words
    ).strip()


_SIGNS = re.compile(
    r"\\([*_+~{}\\.•-])|(\*+|_+|\+\++|~~+)|\{fill:([^{}\n]{1,80})\}|(\{/fill\})", re.MULTILINE
)
_CODES = {"*": "b", "**": "b", "_": "i", "__": "i", "++": "u", "~~": "s"}
_FILL = "{fill}"
_BREAK = re.compile(r"[ \t]*[\r\n]\s*")
_ITEM = re.compile(r"[ \t]*(?:([-*•])|(\d{1,3})[.)])[ \t]+(?=\S)")

MarkupPart = tuple[str, str]
"""A kind with its text: `text`; `verbatim`, in which braces have no meaning; `item`, with the mark
of an item that starts; or `code`: b, i, u or s, each with a / at its end, p, "tspan fill=COLOR"
or /tspan."""


def encode_markup(text: str) -> str:
    """Return a text with its markup as codes between `CODE_MARK`s, for the text element."""
    if not _SIGNS.search(text) and not _BREAK.search(text) and not text.lstrip().startswith(BULLET):
        return text
    kinds = {
        "text": "{}",
        "verbatim": f"{CODE_MARK}={{}}{CODE_MARK}",
        "code": f"{CODE_MARK}{{}}{CODE_MARK}",
        "item": f"{CODE_MARK}item {{}}{CODE_MARK}",
    }
    return "".join(kinds[kind].format(content) for kind, content in split_markup(text))


def strip_markup(text: str, name_symbol: Callable[[str], str] = str) -> str:
    """Return a text without its markup; paragraphs become lines.

    Args:
        name_symbol: returns words for names in braces.
    """
    writers: dict[str, Callable[[str], str]] = {
        "text": name_symbol,
        "verbatim": str,
        "code": lambda code: "\n" if code == "p" else "",
        "item": lambda mark: f"{mark} ",
    }
    return "".join(writers[kind](content) for kind, content in split_markup(text))


def split_markup(text: str) -> list[MarkupPart]:
    """Return the parts of a text, with properly nested codes."""
    lines = _BREAK.split(text)
    items = [_ITEM.match(line) for line in lines]
    found: list[MarkupPart] = []
    for number, (line, item) in enumerate(zip(lines, items, strict=True)):
        if number:
            found.append(("code", "p"))
        if item is not None and _is_item(items, number):
            found.append(("item", f"{item[2]}." if item[2] else BULLET))
            line = line[item.end() :]  # noqa: PLW2901 - the rest of it
        found += _split_line(line)
    return found


def _is_item(items: list[re.Match[str] | None], number: int) -> bool:
    """Return whether a line that looks like an item is one: its neighbour is one, too."""
    item = items[number]
    assert item is not None
    if item[1] == BULLET:
        return True
    for step in (-1, 1):
        other = items[number + step] if 0 <= number + step < len(items) else None
        alike = other is not None and other[1] == item[1]
        if other and alike and (item[1] or int(other[2]) - int(item[2]) == step):
            return True
    return False


def _split_line(text: str) -> list[MarkupPart]:
    """Return the parts of a line."""
    found: list[MarkupPart] = []
    open_: list[tuple[str, int, str]] = []
    """Signs that may open a span, each with its index in `found` and its code."""
    end = 0

    def close(run: str, code: str) -> None:
        """Turn the sign that opened a span into a code, and add the one that closes it."""
        begun = ""
        while begun != run:
            begun, place, opening = open_.pop()
        found[place] = ("code", opening)
        found.append(("code", code))

    for sign in _SIGNS.finditer(text):
        found.append(("text", text[end : sign.start()]))
        end = sign.end()
        escaped, run, fill, filled = sign.groups()
        if escaped:
            found.append(("verbatim", escaped))
        elif fill:
            open_.append((_FILL, len(found), f"tspan fill={fill.strip()}"))
            found.append(("text", sign[0]))
        elif filled and _is_open(_FILL, open_):
            close(_FILL, "/tspan")
        elif run in _CODES and _may_delimit(text, sign, begin=False) and _is_open(run, open_):
            close(run, f"/{_CODES[run]}")
        else:
            if run in _CODES and _may_delimit(text, sign, begin=True) and not _is_open(run, open_):
                open_.append((run, len(found), _CODES[run]))
            found.append(("text", sign[0]))
    found.append(("text", text[end:]))
    return found


def _is_open(run: str, open_: list[tuple[str, int, str]]) -> bool:
    return any(begun == run for begun, *_ in open_)


def _may_delimit(text: str, sign: re.Match[str], *, begin: bool) -> bool:
    """Return whether a sign may open or close a span.

    Within a word it does neither, except in scripts whose words are not divided by spaces.
    """
    before, after = text[max(sign.start() - 1, 0) : sign.start()], text[sign.end() : sign.end() + 1]
    inside, outside = (after, before) if begin else (before, after)
    free = len(sign[0]) > 1 or not outside.isalnum() or is_unspaced(outside)
    return bool(inside.strip()) and free
