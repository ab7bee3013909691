"""Break text into lines, and find the size at which it fits. Millimetres.

Widths are proportional to the type size, so words are measured once, in ems.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.units import MM_PER_UNIT, TOLERANCE, Mm
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.breaking import (
    MeasuredWord,
    TextRun,
    Wrap,
    break_lines,
    choose_width,
    fill_lines,
    measure_words,
    shape_word,
)
from deckwright.text.fonts import FONT_SCRIPTS
from deckwright.text.scripts import find_vertical
from deckwright.text.words import Paragraph, Piece, RichText, find_missing, mark_of

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics

_SHRINK_STEP: Mm = 0.1 * MM_PER_UNIT["pt"]
"""The step by which text shrinks."""

MARK_GAP = 0.45
"""The space between an item's mark and its text, in ems."""
MAX_MISSING = 12
"""The most missing characters that are reported."""


class TextStyle(NamedTuple):
    """The style of a text.

    Attributes:
        family: the font family's id.
        size: the em in mm.
        line_height: the distance of baselines, in ems.
        paragraph_gap: additional space between paragraphs, in mm.
        hyphenate: whether words are hyphenated to fill lines.
        wrap: how the lines of a paragraph are broken.
        anywhere: whether a word that does not fit otherwise may break between any letters.
        rtl: whether lines start at the right.
    """

    family: str
    size: Mm
    color: str
    line_height: float = 1.2
    paragraph_gap: Mm = 0
    hyphenate: bool = False
    wrap: Wrap = "wrap"
    anywhere: bool = False
    rtl: bool = False

    def with_size(self, size: Mm) -> TextStyle:
        """Return the style with another size."""
        return self._replace(size=size)


class TextLine(NamedTuple):
    """A line of text.

    Attributes:
        width: in ems.
        first: whether paragraph spacing precedes it: it starts a paragraph, but neither the first
            one nor a list's further item.
        last: whether it ends a paragraph or a hard line.
        indent: its indent in ems, which is part of its width.
        mark: the mark in the indent, for the first line of a list item.
    """

    runs: tuple[TextRun, ...]
    width: float
    first: bool
    last: bool = True
    indent: float = 0
    mark: TextRun | None = None

    @property
    def is_divided(self) -> bool:
        """Whether it ends with a hyphen."""
        return bool(self.runs) and self.runs[-1].piece.text.endswith("-")


class TextBlock(NamedTuple):
    """Laid-out text.

    Attributes:
        size: the em in mm.
        width, height: its extent in mm.
        ascent, cap_height: the font's, in mm.
    """

    lines: tuple[TextLine, ...]
    size: Mm
    width: Mm
    height: Mm
    ascent: Mm
    cap_height: Mm


def missing_characters(rich: RichText, family: str, metrics: Metrics) -> list[str]:
    """Return the characters that a family's fonts lack, without repetition, up to a limit."""
    missing: dict[str, None] = {}
    for piece in _pieces(rich):
        missing.update(dict.fromkeys(find_missing(piece, family, metrics)))
        if len(missing) >= MAX_MISSING:
            break
    return list(missing)[:MAX_MISSING]


_SCRIPTS = {
    "CYRILLIC": ("Cyrillic letters", "Noto Sans"),
    "GREEK": ("Greek letters", "Noto Sans"),
    "HIRAGANA": ("Japanese letters", "Noto Sans JP"),
    "KATAKANA": ("Japanese letters", "Noto Sans JP"),
    "CJK": ("Chinese characters", "Noto Sans SC"),
    "HANGUL": ("Korean letters", "Noto Sans KR"),
    **{script.upper(): (f"{script} letters", f"Noto Sans {script}") for script in FONT_SCRIPTS},
    "ARABIC": ("Arabic letters", "IBM Plex Sans Arabic"),
}
"""The first words of characters' names, with their scripts and bundled fonts that have them."""
_MIN_GROUPED = 3
"""The fewest letters that are named by their script."""
_STYLES = (
    ("", Piece()),
    ("the bold of ", Piece(bold=True)),
    ("the italic of ", Piece(italic=True)),
    ("the bold italic of ", Piece(bold=True, italic=True)),
)


def describe_missing(family: str, missing: Iterable[str], metrics: Metrics) -> tuple[str, str]:
    """Return a message and a hint about characters that a family's fonts lack.

    Several letters of a script are not listed: the message is the same for all texts in it.
    """
    text = "".join(missing)
    styles = (said for said, p in _STYLES if find_missing(p._replace(text=text), family, metrics))
    font = f"{next(styles, '')}the font `{family}`"
    scripts = [_SCRIPTS.get(unicodedata.name(letter, "").split(" ")[0]) for letter in text]
    known = list(dict.fromkeys(script for script in scripts if script))
    known.sort(key=lambda script: script[0].startswith("Chinese"))  # others use these as well
    others = metrics.chain(f"{family}-regular")
    hint = "write it another way, or give the font a `fallback` in game.xml that has it"
    if others:
        hint = "write it another way, or add a font that has it to the `fallback` in game.xml"
    characters = format_characters(text)
    if known and all(scripts):
        if len(text) >= _MIN_GROUPED:
            characters = " or ".join(dict.fromkeys(script for script, _ in known))
        chain = ",".join((*others, "more"))
        hint = (
            f'add `<font id="more" family="{known[0][1]}"/>` to the fonts in game.xml, and '
            f'`fallback="{chain}"` to the font `{family}`'
        )
    if others:
        listed = ", ".join(f"`{other}`" for other in others)
        return f"neither {font} nor its fallback {listed} has {characters}", hint
    return f"{font} has no {characters}", hint


def find_unsupported(rich: RichText) -> list[str]:
    """Return the characters of scripts that print does not support, up to a limit."""
    return find_vertical("".join(piece.text for piece in _pieces(rich)))[:MAX_MISSING]


def describe_unsupported(characters: Iterable[str]) -> tuple[str, str]:
    """Return a message and a hint about characters of unsupported scripts."""
    message = (
        f"Deckwright cannot typeset {format_characters(characters)}: letters of a script that is "
        "written in columns"
    )
    return message, "write it in another script, or show it as a picture"


def format_characters(characters: Iterable[str]) -> str:
    """Return characters with their code points, as a list."""
    return ", ".join(f"`{character}` (U+{ord(character):04X})" for character in characters)


def _pieces(rich: RichText) -> Iterator[Piece]:
    """Yield the pieces of all words."""
    return (piece for part in rich for line in part for word in line for piece in word)


_Measured = tuple[list[list[MeasuredWord]], bool, float]
"""The words of a paragraph in its hard lines, whether a paragraph gap precedes it, its indent."""


def fit_text(
    rich: RichText,
    style: TextStyle,
    metrics: Metrics,
    *,
    width: Mm | None,
    height: Mm | None,
    min_size: Mm,
    hyphens: Hyphenator,
) -> TextBlock | None:
    """Return the text at the largest size from the style's down to `min_size` that fits, or None.

    Unless the style hyphenates, words are hyphenated only if the text does not fit otherwise;
    breaks between any letters are the last resort.
    """
    measured: list[_Measured] = []
    for paragraph, mark, indent in _hang_marks(rich, style.family, metrics):
        words = (line[1:] if mark else line for line in paragraph)
        lines = [measure_words(line, style.family, metrics) for line in words]
        first = bool(measured) and not (indent and measured[-1][2])
        measured.append((lines, first, indent))
    whole = style._replace(anywhere=False)
    ways = [(whole, hyphens)] if style.hyphenate else [(whole, None), (whole, hyphens)]
    ways += [(style, hyphens)] if style.anywhere else []
    if width is None or not any(
        word_width > width / style.size - indent
        for lines, _, indent in measured
        for line in lines
        for word_width, _ in line
    ):
        ways = ways[:1]  # the others divide words that are wider than the line
    steps = max(0, math.ceil(round((style.size - min_size) / _SHRINK_STEP, 6)))
    for way, divided in ways:
        low, high = 0, steps
        best: TextStyle | None = None
        # Lines that are narrowed are as many as full ones, which are broken much faster.
        full = way if way.hyphenate else way._replace(wrap="wrap")
        while low <= high:
            middle = (low + high) // 2 if best or low else 0
            size = max(min_size, style.size - middle * _SHRINK_STEP)
            if divided is None:
                widths = _measure_lines(measured, math.inf if width is None else width / size)
            else:
                broken = _lines(rich, full.with_size(size), metrics, width, divided)
                widths = ((line.width, line.first) for line in broken)
            if _fits(widths, way.with_size(size), width, height):
                best, high = way.with_size(size), middle - 1
            else:
                low = middle + 1
        if best is not None:
            return lay_out(rich, best, metrics, width=width, hyphens=divided)
    return None


def _measure_lines(measured: Iterable[_Measured], limit: float) -> Iterator[tuple[float, bool]]:
    """Yield the widths of lines of undivided words, and whether paragraph spacing precedes them."""
    for lines, first, indent in measured:
        for line in lines:
            for width in fill_lines(line, limit - indent):
                yield width + indent, first
                first = False  # noqa: PLW2901 - that of the paragraph's first line


def _fits(
    lines: Iterable[tuple[float, bool]], style: TextStyle, width: Mm | None, height: Mm | None
) -> bool:
    """Return whether lines fit; as few as possible are asked for, since there may be many.

    Args:
        lines: their widths in ems, and whether paragraph spacing precedes them.
    """
    gaps = 0
    for count, (line_width, first) in enumerate(lines, 1):
        gaps += first
        if width is not None and line_width * style.size > width + TOLERANCE:
            return False
        if height is not None and _height(count, gaps, style) > height + TOLERANCE:
            return False
    return True


def lay_out(
    rich: RichText,
    style: TextStyle,
    metrics: Metrics,
    *,
    width: Mm | None,
    hyphens: Hyphenator | None = None,
    max_lines: int | None = None,
) -> TextBlock:
    """Return the text at the style's size, broken to `width`.

    Args:
        width: None for no line breaks.
        hyphens: hyphenates words wider than a line; None to divide none.
        max_lines: how many lines to lay out; None for all.
    """
    lines = tuple(islice(_lines(rich, style, metrics, width, hyphens), max_lines))
    vertical = metrics.vertical(f"{style.family}-regular")
    return TextBlock(
        lines=lines,
        size=style.size,
        width=max((line.width for line in lines), default=0) * style.size,
        height=_height(len(lines), sum(line.first for line in lines), style),
        ascent=vertical.ascent * style.size,
        cap_height=vertical.cap_height * style.size,
    )


def _lines(
    rich: RichText, style: TextStyle, metrics: Metrics, width: Mm | None, hyphens: Hyphenator | None
) -> Iterator[TextLine]:
    """Yield the lines of a text."""
    whole = math.inf if width is None else width / style.size
    before = 0.0
    for number, (paragraph, mark, indent) in enumerate(_hang_marks(rich, style.family, metrics)):
        first = number > 0 and not (indent and before)
        before = indent
        for hard_line in paragraph:
            waiting: TextLine | None = None
            words, limit = hard_line[1:] if mark else hard_line, whole - indent
            room = limit
            if style.wrap != "wrap":
                room = choose_width(words, limit, style.family, metrics, style.wrap)
            for runs, total in break_lines(
                words,
                room,
                style.family,
                metrics,
                hyphens,
                fill=style.hyphenate,
                anywhere=style.anywhere,
            ):
                if waiting is not None:
                    yield waiting
                waiting = TextLine(
                    runs, total + indent, first, last=False, indent=indent, mark=mark
                )
                first, mark = False, None  # noqa: PLW2901 - that of the paragraph's first line
            if waiting is not None:
                yield waiting._replace(last=True)


def _hang_marks(
    rich: RichText, family: str, metrics: Metrics
) -> Iterator[tuple[Paragraph, TextRun | None, float]]:
    """Yield paragraphs with their mark and indent; the items of a list share an indent."""
    for is_list, some in groupby(rich, lambda paragraph: mark_of(paragraph) is not None):
        paragraphs = list(some)
        if not is_list:
            yield from ((paragraph, None, 0) for paragraph in paragraphs)
            continue
        marks = [shape_word(paragraph[0][0], family, metrics)[0] for paragraph in paragraphs]
        indent = max(mark.width for mark in marks) + MARK_GAP
        yield from ((*item, indent) for item in zip(paragraphs, marks, strict=True))


def _height(lines: int, gaps: int, style: TextStyle) -> Mm:
    """Return the height of lines with some paragraph gaps."""
    return (1 + (lines - 1) * style.line_height) * style.size + gaps * style.paragraph_gap
