"""Icons and symbols in texts and on cards, and the search for icons by meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.files import is_file, stays_inside
from deckwright.base.findings import Code, Diagnostic, Report, Severity, cap_findings, find_nearest
from deckwright.base.strings import fold
from deckwright.base.units import Mm
from deckwright.game.language import find_picture
from deckwright.game.setup import Symbol
from deckwright.images.drawings.cache import load_drawing
from deckwright.images.drawings.model import MAX_SEGMENTS, DrawingError, count_segments
from deckwright.ops import outlines
from deckwright.ops.model import ElementError, FillPath, Group, Op, Outline
from deckwright.ops.moving import move_ops, recolor
from deckwright.text import shaping
from deckwright.text.shaping import icon_names


def load_icon_outline(name: str) -> Outline:
    """Return the outline of an icon in a square of 1 × 1.

    Raises:
        ElementError: if there is no such icon.
    """
    try:
        return shaping.icon_outline(name)
    except KeyError:
        message, text = f"there is no icon `{name}`", f"{{icon:{name}}}"
        raise ElementError("value", message, icon_hint(name), "name", quoted=text) from None


_ICON_SPACE = 0.065
"""The space on each side of an icon in a text, by its height."""


@cache
def load_text_icon(name: str) -> tuple[Outline, float]:
    """Return the outline of an icon in a text, in a box of 1 in height, and its width.

    Without the empty sides of its square, which would be gaps between the words.

    Raises:
        ElementError: if there is no such icon.
    """
    outline = load_icon_outline(name)
    box = outlines.tight_bounds(outline)
    moved = outlines.scale_and_move(outline, _ICON_SPACE - box.x, 0, 1)
    return moved, box.width + 2 * _ICON_SPACE


G003 = Code("G003", Severity.ERROR, "a symbol that cannot be drawn")

TEXT_COLOR = "currentColor"
"""The fill of a symbol without a color of its own: the surrounding text's color."""


@dataclass(frozen=True, eq=False, slots=True)
class SymbolArt:
    """The appearance of a symbol: ops in a box of `aspect` × 1.

    Attributes:
        aspect: width by height.
        name: its alternative text; "" for anything that is not a symbol of the game.
    """

    id: str
    aspect: float
    art: tuple[Op, ...]
    name: str = ""

    def ops(self, x: Mm, y: Mm, height: Mm, color: str) -> Iterator[Op]:
        """Yield the ops of the symbol with its top left corner at `x`, `y`.

        Args:
            color: the surrounding text's color.
        """
        ops = recolor(move_ops(self.art, height, x, y), {TEXT_COLOR: color})
        yield from [Group(tuple(ops), alt=self.name)] if self.name else ops


def load_symbols(
    symbols: Mapping[str, Symbol], images: Path, report: Report
) -> dict[str, SymbolArt]:
    """Return the appearance of symbols by id; those that cannot be drawn are reported.

    Args:
        images: the folder of the game's drawings.
    """
    loaded: dict[str, SymbolArt] = {}

    def load() -> Iterator[Diagnostic]:
        """Add symbols; yield why some cannot be drawn."""
        drawings: dict[str, SymbolArt] = {}
        remaining = 2 * MAX_SEGMENTS
        for symbol in symbols.values():
            try:
                if symbol.icon:
                    outline, width = load_text_icon(symbol.icon)
                    art = (FillPath(outline, symbol.color or TEXT_COLOR),)
                    loaded[symbol.id] = SymbolArt(symbol.id, width, art, symbol.name)
                    continue
                # Each drawing is read once, even if several symbols use it.
                if symbol.image not in drawings:
                    drawing = _load_drawing(symbol, images)
                    size = count_segments(drawing.art)
                    if size > remaining:
                        message = (
                            "the drawings of all symbols together have more than "
                            f"{MAX_SEGMENTS:,} lines"
                        )
                        raise ElementError("drawing", message, "simplify them")  # noqa: TRY301
                    remaining -= size
                    drawings[symbol.image] = drawing
                known = drawings[symbol.image]
                loaded[symbol.id] = replace(known, id=symbol.id, name=symbol.name)
            except ElementError as error:
                place = error.place or symbol.source.at("icon" if symbol.icon else "image")
                yield G003.at(place, f"symbol `{symbol.id}`: {error.message}", error.hint)

    report.extend(cap_findings(load(), single_file=True))
    return loaded


def _load_drawing(symbol: Symbol, images: Path) -> SymbolArt:
    path = find_picture(images, symbol.image)
    hint = "name an SVG drawing in the folder `img`"
    if not stays_inside(path, images) or not is_file(path):
        message = f"there is no drawing `{symbol.image}` in the folder `img`"
        raise ElementError("drawing", message, hint)
    try:
        drawing = load_drawing(path, path.stat().st_mtime_ns)
    except OSError as error:
        message = f"cannot read the drawing `{symbol.image}`: {error.strerror}"
        raise ElementError("drawing", message, hint) from None
    except DrawingError as error:
        raise ElementError("drawing", str(error), error.hint, place=error.place) from None
    art = tuple(move_ops(drawing.visible_ops, 1 / drawing.height, 0, 0))
    return SymbolArt(symbol.id, drawing.width / drawing.height, art)


_LIST = Path(__file__).with_name("icon_words.txt")
_MAX_WORDS = 8
"""Further words of a query are ignored."""
_MAX_WORD_LENGTH = 40
_MIN_STEM = 4
_ENDINGS = frozenset(["s", "es", "e", "en", "er", "n", "ern", "r", "in", "innen", "ed", "d", "ing"])
"""Words with a common stem of this length and these endings are forms of one word."""
_MIN_TYPO_RATIO = 0.8
"""The similarity from which on a name counts as a misspelling of a known one."""
_NAME_SCORE, _PART_SCORE, _FORM_SCORE, _INSIDE_SCORE = 100, 70, 45, 15
_MEANING_SCORE, _MEANING_FORM_SCORE, _MEANING_PART_SCORE, _RELATED_SCORE = 90, 75, 40, 20
"""Scores of icons: for their names, and for their meanings."""
_MAX_HINTS = 3
_UMLAUTS = str.maketrans(dict(zip("äöüÄÖÜ", ("ae", "oe", "ue") * 2, strict=True)))


class IconMeaning(NamedTuple):
    """A meaning that icons can express.

    Attributes:
        english, german: words for it.
        icons: the names of icons, the best first.
    """

    english: tuple[str, ...]
    german: tuple[str, ...]
    icons: tuple[str, ...]


class IconSection(NamedTuple):
    """Related meanings."""

    title: str
    meanings: tuple[IconMeaning, ...]


@cache
def icon_sections() -> tuple[IconSection, ...]:
    """Return the meanings of icons in games, by section."""
    sections: list[IconSection] = []
    for line in filter(None, _LIST.read_text(encoding="utf-8").splitlines()):
        if line.startswith("# "):
            sections.append(IconSection(line.removeprefix("# "), ()))
            continue
        words, _, icons = line.rpartition(": ")
        english, german = (tuple(side.strip().split(", ")) for side in words.split("|"))
        meaning = IconMeaning(english, german, tuple(icons.split()))
        sections[-1] = sections[-1]._replace(meanings=(*sections[-1].meanings, meaning))
    return tuple(sections)


def _meanings() -> Iterator[IconMeaning]:
    """Yield the meanings of all sections."""
    return (meaning for section in icon_sections() for meaning in section.meanings)


@cache
def find_icons(words: str) -> tuple[str, ...]:
    """Return the names of icons for some words, the best first.

    Icons that match all words by name or meaning come first, then related ones.
    """
    queries = [word[:_MAX_WORD_LENGTH] for word in re.findall(r"\w+", words)][:_MAX_WORDS]
    word_scores = [scores for word in queries if (scores := _score_word(word))]
    phrase = _score_meanings(fold(" ".join(queries))) if len(queries) > 1 else {}
    order = {name: place for place, name in enumerate(icon_names())}
    worth = {
        name: (
            len(queries) if name in phrase else sum(each > _RELATED_SCORE for each in own),
            sum(each for each in own if each > _RELATED_SCORE) + 2 * phrase.get(name, 0),
            sum(own),
            -len(name),
            -order[name],
        )
        for name in {name for scores in (*word_scores, phrase) for name in scores}
        for own in [[scores.get(name, 0) for scores in word_scores]]
    }
    return tuple(sorted(worth, key=lambda name: worth[name], reverse=True))


def icon_meanings(name: str) -> list[str]:
    """Return the meanings that an icon expresses best, as "english/german"."""
    meanings = [meaning for meaning in _meanings() if name in meaning.icons]
    meanings.sort(key=lambda meaning: meaning.icons.index(name))
    return [f"{meaning.english[0]}/{meaning.german[0]}" for meaning in meanings[:_MAX_HINTS]]


def icon_hint(name: str) -> str:
    """Return a hint for an unknown icon: similar names or meanings."""
    near = find_nearest(name, icon_names())
    slip = bool(near) and _similarity(name, near[0]) >= _MIN_TYPO_RATIO
    is_word = any(spelled == fold(name) for spelled, _ in _words())
    matches = () if slip and not is_word else find_icons(name)[:_MAX_HINTS]
    names = [f"`{icon}`" for icon in matches or near]
    if not names:
        return "`deckwright icons WORD` finds icons by what they mean"
    *others, last = names
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?"


def _score_word(word: str) -> dict[str, int]:
    """Return icons' scores for one word, or for similar words if it matches nothing."""
    folded = fold(word)
    scores = {}
    for name, parts in _names():
        if name == folded:
            scores[name] = _NAME_SCORE
        elif folded in parts:
            scores[name] = _PART_SCORE - 2 * len(parts) - 4 * parts.index(folded)
        elif any(_is_form(folded, part) for part in parts):
            scores[name] = _FORM_SCORE - 2 * len(parts)
        elif len(folded) >= _MIN_STEM and folded in name:
            scores[name] = _INSIDE_SCORE
    for name, score in _score_meanings(folded).items():
        scores[name] = max(scores.get(name, 0), score)
    if scores:
        return scores
    known = [spelled for spelled, _ in _words()] if len(folded) > _MIN_STEM else []
    near = [
        word for word in find_nearest(folded, known) if _similarity(folded, word) > _MIN_TYPO_RATIO
    ]
    return {name: score for word in near for name, score in _score_meanings(word).items()}


def _score_meanings(word: str) -> dict[str, int]:
    """Return icons' scores for a word that their meanings have."""
    scores: dict[str, int] = {}
    for spelled, meaning in _words():
        if spelled == word:
            score = _MEANING_SCORE
        elif _is_form(word, spelled):
            score = _MEANING_FORM_SCORE
        elif (
            len(spelled) >= _MIN_STEM
            and " " not in word
            and word.startswith(spelled) | word.endswith(spelled)
        ):  # a compound: Langschwert with Schwert
            score = _MEANING_PART_SCORE
        else:
            continue
        for place, name in enumerate(meaning.icons):
            scores[name] = max(scores.get(name, 0), score - 2 * place)
        if score >= _MEANING_FORM_SCORE:
            # The icons of all meanings that share its best icon.
            for other in _meanings():
                if meaning.icons[0] in other.icons:
                    for name in other.icons:
                        scores.setdefault(name, _RELATED_SCORE)
    return scores


@cache
def _names() -> tuple[tuple[str, list[str]], ...]:
    """Return the names of all icons, each with its parts."""
    return tuple((name, name.split("-")) for name in icon_names())


@cache
def _words() -> tuple[tuple[str, IconMeaning], ...]:
    """Return all words, folded for comparison, with their meanings."""
    return tuple(
        (spelled, meaning)
        for meaning in _meanings()
        for word in (*meaning.english, *meaning.german)
        for spelled in dict.fromkeys((fold(word), fold(word.translate(_UMLAUTS))))
    )


def _is_form(word: str, other: str) -> bool:
    """Return whether two words are forms of one: sword and swords, Burg and Burgen."""
    short, long = sorted((word, other), key=len)
    return len(short) >= _MIN_STEM and long.startswith(short) and long[len(short) :] in _ENDINGS


def _similarity(word: str, other: str) -> float:
    """Return the similarity of two words, from 0 to 1."""
    return SequenceMatcher(None, word, other).ratio()
