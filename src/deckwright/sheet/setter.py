"""Set short texts for pages that no template lays out, as strips of ops, one below another.

The texts are what Deckwright says, with names and values of a game in it: they are set in a bundled
font, and in the game's own one where that lacks a character.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.geometry import shifted
from deckwright.base.units import PER_UNIT, Mm
from deckwright.ops.model import Group, Op
from deckwright.ops.tags import Tag
from deckwright.text import paragraphs, placing
from deckwright.text.binding import bind
from deckwright.text.fonts import Font
from deckwright.text.hyphens import Hyphens
from deckwright.text.shaping import HarfBuzzMetrics
from deckwright.text.words import Piece, Rich

INK, GRAY = "#1c1d20", "#666b73"
_LINE_HEIGHT = 1.3
_LONGEST = 600
"""How much of a text is set, in characters: what is longer would fill the page."""
_LONGEST_WORD = 48
"""What is longer, in characters, is broken: it is no word of any language."""


class Strip(NamedTuple):
    """Something as wide as its column, to stand below others.

    Attributes:
        ops: with the strip's top left corner as origin.
        glued: whether the next strip must stay on the same page, or in the same column.
        space: whether it is a distance, which vanishes at the top of a column.
        tag: what it is, or is a part of.
    """

    height: Mm
    ops: tuple[Op, ...] = ()
    glued: bool = False
    space: bool = False
    tag: Tag | None = None


class Run(NamedTuple):
    """A stretch of text in one style."""

    text: str
    bold: bool = False
    color: str | None = None


class Setter:
    """Sets texts.

    Attributes:
        fonts: all fonts that its ops may name, by id.
    """

    def __init__(
        self,
        words: Mapping[str, Font],
        fonts: Mapping[str, Font],
        family: str | None,
        hyphens: Hyphens,
    ) -> None:
        """Set in the bundled fonts `words`, given by style.

        Args:
            fonts: the game's, by id.
            family: the game's family for what the bundled ones lack; None if it has none.
            hyphens: divides words.
        """
        own = "words"
        while f"{own}-regular" in fonts:
            own += "_"
        self.fonts = {**{f"{own}-{style}": font for style, font in words.items()}, **fonts}
        self._families = [own, family] if family else [own]
        self._metrics = HarfBuzzMetrics(self.fonts, hyphens.language)
        self._hyphens = hyphens

    def text(
        self,
        runs: str | Sequence[Run],
        width: Mm,
        size_pt: float,
        *,
        color: str = INK,
        anchor: str = "start",
        role: str | None = "P",
    ) -> Strip:
        """Return a text broken to `width`.

        Args:
            role: that of its tag; None if it is there for the eye alone.
        """
        rich = _rich([Run(runs)] if isinstance(runs, str) else runs)
        family, rich = self._family(rich)
        size = size_pt * PER_UNIT["pt"]
        style = paragraphs.Style(family, size, color, _LINE_HEIGHT)
        block = paragraphs.lay_out(rich, style, self._metrics, width=width, hyphens=self._hyphens)
        ops: list[Op] = []
        leading = size * _LINE_HEIGHT
        baseline = (leading - size) / 2 + block.ascent
        for number, line in enumerate(block.lines):
            y = number * leading + baseline
            ops += placing.line_ops(line, 0, y, width, size, style, anchor)
        return Strip(len(block.lines) * leading, tuple(ops), tag=Tag(role) if role else None)

    def _family(self, rich: Rich) -> tuple[str, Rich]:
        """Return a family that has all characters of a text, and the text; "?" is in all fonts."""
        own = self._families[0]
        unset = paragraphs.unset_characters(rich)
        rich = _without(rich, unset)
        lacking = paragraphs.missing_characters(rich, own, self._metrics)
        for family in self._families[1:]:
            if lacking and not paragraphs.missing_characters(rich, family, self._metrics):
                return family, rich
        return own, _without(rich, lacking)


def _rich(runs: Iterable[Run]) -> Rich:
    """Return runs as words; a run begins a word."""
    words = []
    for run in runs:
        for chunk in unicodedata.normalize("NFC", run.text[:_LONGEST]).split():
            for start in range(0, len(chunk), _LONGEST_WORD):
                text = chunk[start : start + _LONGEST_WORD]
                words.append((Piece(text, bold=run.bold, color=run.color),))
    return ((bind(words),),) if words else ()


def _without(rich: Rich, lacking: Iterable[str]) -> Rich:
    """Return a text with "?" for the characters that no font has."""
    table = dict.fromkeys(map(ord, lacking), "?")
    return tuple(
        tuple(
            tuple(tuple(p._replace(text=p.text.translate(table)) for p in word) for word in line)
            for line in paragraph
        )
        for paragraph in rich
    )


def moved(strip: Strip, x: Mm, y: Mm) -> Group:
    """Return the ops of a strip with its top left corner at x, y."""
    return Group(strip.ops, shifted(round(x, 4), round(y, 4)), tag=strip.tag)


def stacked(strips: Iterable[Strip], indent: Mm = 0) -> Strip:
    """Return strips one below the other as a single one."""
    ops: list[Op] = []
    height: Mm = 0
    for strip in strips:
        ops.append(moved(strip, indent, height))
        height += strip.height
    return Strip(height, tuple(ops))
