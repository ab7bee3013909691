"""Break words into lines: measure, divide and join them into runs. Widths are in ems."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple
from unicodedata import category

from deckwright.ops.model import Glyph
from deckwright.text.break_opportunities import MIN_FRAGMENT, Hyphenator, space_before
from deckwright.text.symbols import load_text_icon
from deckwright.text.words import DRAWING, Piece, Word, split_by_font, text_of

if TYPE_CHECKING:
    from deckwright.text.shaping import Metrics

Wrap = Literal["wrap", "balance", "pretty"]
"""How lines are broken: filled, of similar length, or filled without a short last line."""

_NARROWING_STEPS = 8
"""The number of widths to try."""
_NARROWING_STEP = 0.03
"""How much narrower each try is, as a share of the width."""
_MIN_LAST_LINE = 0.22
"""The minimum length of the last line, as a share of the width."""

ICON_EM = 1.1
"""Width and height of an icon in the text, in ems."""

_HYPHENS = "-–/"
"""Characters that end a line without an added hyphen."""
_OWN_HYPHEN = re.compile(
    rf"(?<=[^\W\d_]{{{MIN_FRAGMENT}}}[{_HYPHENS}])(?=[^\W\d_]{{{MIN_FRAGMENT}}})"
)


class TextRun(NamedTuple):
    """A stretch of a line in one font, or one icon. Widths in ems."""

    piece: Piece
    width: float
    kerns: tuple[int, ...] = ()
    glyphs: tuple[Glyph, ...] = ()


def break_lines(
    words: Sequence[Word],
    limit: float,
    family: str,
    metrics: Metrics,
    hyphens: Hyphenator | None,
    *,
    fill: bool,
    anywhere: bool = False,
) -> Iterator[tuple[tuple[TextRun, ...], float]]:
    """Yield the lines of `words` as runs with their width, at most `limit` ems if possible.

    Words that are wider than a line are divided.

    Args:
        limit: the maximum width of lines; infinite for no breaks.
        hyphens: hyphenates words; None to never divide any.
        fill: whether words are also divided to fill lines, except the last word, of which a
            fragment would stand alone.
        anywhere: whether a word wider than a line may break between any letters.
    """
    queue = list(reversed(words))
    line: list[TextRun] = []
    width = 0.0
    while queue:
        word = queue.pop()
        runs = shape_word(word, family, metrics)
        word_width = sum(run.width for run in runs)
        if line:
            gap = _gap(line[-1].piece, word, family, metrics)
            gap_width = gap[0].width if gap else 0.0
            if width + gap_width + word_width <= limit:
                line += [*gap, *runs]
                width = width + gap_width + word_width
                continue
            if queue and fill and hyphens is not None:
                room = limit - width - gap_width
                places = _hyphenations(word, room, hyphens)
                head, rest = _split_to_fit(word, room, family, metrics, places)
                if head:
                    last = [*gap, *shape_word(head, family, metrics)]
                    yield _join_runs([*line, *last]), width + sum(run.width for run in last)
                    line, width = [], 0.0
                    queue.append(rest)
                    continue
            yield _join_runs(line), width
            line, width = [], 0.0
        if hyphens is not None and word_width > limit:
            head, rest = _split_wide_word(word, limit, family, metrics, hyphens, anywhere=anywhere)
            if head:
                queue += [rest, head]
                continue
        line, width = runs, word_width
    yield _join_runs(line), width


MeasuredWord = tuple[float, float]
"""The widths of a word and of the space before it, in ems."""


def measure_words(words: Sequence[Word], family: str, metrics: Metrics) -> list[MeasuredWord]:
    """Return the widths of words and of the spaces before them."""
    measured: list[MeasuredWord] = []
    last: Piece | None = None
    for word in words:
        runs = shape_word(word, family, metrics)
        gap = _gap(last, word, family, metrics) if last else ()
        measured.append((sum(run.width for run in runs), gap[0].width if gap else 0.0))
        last = runs[-1].piece
    return measured


def fill_lines(measured: Sequence[MeasuredWord], limit: float) -> Iterator[float]:
    """Yield the widths of the lines that `break_lines` makes of undivided words."""
    width: float | None = None
    for word_width, gap in measured:
        if width is None:
            width = word_width
        elif width + gap + word_width <= limit:
            width = width + gap + word_width
        else:
            yield width
            width = word_width
    yield width or 0.0


def choose_width(
    words: Sequence[Word], limit: float, family: str, metrics: Metrics, wrap: Wrap
) -> float:
    """Return the best width of the lines of `words`, in ems, that needs no more lines.

    It is `limit` if a single word is wider than that.
    """
    measured = measure_words(words, family, metrics)

    def lines(room: float) -> list[float]:
        widths = [*fill_lines(measured, room)]
        return widths if max(widths) <= room else []

    usual = lines(limit)
    if not usual[1:]:
        return limit
    if wrap == "pretty":
        for step in range(_NARROWING_STEPS):
            room = limit * (1 - step * _NARROWING_STEP)
            lengths = lines(room) if step else usual
            if len(lengths) == len(usual) and lengths[-1] >= limit * _MIN_LAST_LINE:
                return room
        return limit
    low, high = 0.0, limit
    for _ in range(_NARROWING_STEPS):
        middle = (low + high) / 2
        if 0 < len(lines(middle)) <= len(usual):
            high = middle
        else:
            low = middle
    return high


def _gap(before: Piece, word: Word, family: str, metrics: Metrics) -> tuple[TextRun, ...]:
    """Return the space before a word, if it has one."""
    return () if word[0].close else (_shape_piece(space_before(before, word), family, metrics),)


def shape_word(word: Word, family: str, metrics: Metrics) -> list[TextRun]:
    """Return the runs of a word: one per piece, more where its font lacks characters."""
    runs: list[TextRun] = []
    for original in word:
        piece = original
        if piece.close or piece.gap_level:  # these matter between words only
            piece = piece._replace(close=False, gap_level=0)
        if piece.drawn:
            aspect = piece.symbol.aspect if piece.symbol else load_text_icon(piece.icon)[1]
            runs.append(TextRun(piece, ICON_EM * aspect * piece.scale))
        else:
            parts = split_by_font(piece, family, metrics)
            runs += [_shape_piece(part, family, metrics) for part in parts]
    return runs


def _shape_piece(piece: Piece, family: str, metrics: Metrics) -> TextRun:
    """Return the run of a piece set in a single font."""
    shaped = piece.shape(family, metrics).add_spacing(piece.spacing)
    return TextRun(piece, shaped.width * piece.em, shaped.kerns, shaped.glyphs)


def _join_runs(runs: list[TextRun]) -> tuple[TextRun, ...]:
    """Return the runs with adjacent ones of the same style joined."""
    result: list[TextRun] = []
    for _, alike in groupby(runs, lambda run: run.piece[1:]):  # all but the text
        group = list(alike)
        first = group[0].piece
        if len(group) == 1 or first.drawn:
            result += group
            continue
        kerns: tuple[int, ...] = ()
        if any(run.kerns for run in group):
            kerns = tuple(kern for run in group for kern in run.kerns or (0,) * len(run.piece.text))
        piece = first._replace(text="".join(run.piece.text for run in group))
        parts = reversed(group) if first.level % 2 else group
        glyphs = tuple(glyph for run in parts for glyph in run.glyphs)
        result.append(TextRun(piece, sum(run.width for run in group), kerns, glyphs))
    return tuple(result)


def _split_wide_word(
    word: Word, room: float, family: str, metrics: Metrics, hyphens: Hyphenator, *, anywhere: bool
) -> tuple[Word, Word]:
    """Return the start of a word that is too wide for a line, and the rest; () if none fits.

    It is divided by hyphenation; else between a number and its noun; else after one of its own
    hyphens; and if it may break `anywhere`, between any letters without a hyphen.
    """
    text = _text(word, room)
    ways = (
        _hyphenations(word, room, hyphens),
        [match.end() for match in re.finditer(" ", text)],
        [match.end() for match in re.finditer(f"[{_HYPHENS}](?=.)", text)],
    )
    parts = (_split_to_fit(word, room, family, metrics, places) for places in ways)
    divided = next((divided for divided in parts if divided[0]), ((), word))
    if divided[0] or not anywhere:
        return divided
    places = [place for place in range(1, len(text)) if category(text[place])[0] != "M"]
    return _split_to_fit(word, room, family, metrics, places, hyphen="")


def _text(word: Sequence[Piece], room: float) -> str:
    """Return the text of a word as far as it may matter.

    No more characters fit, except some without width.
    """
    return text_of(word)[: 120 + 8 * max(0, int(room))]


def _hyphenations(word: Word, room: float, hyphens: Hyphenator) -> list[int]:
    """Return where a word may be hyphenated."""
    # The letters of code are masked: it is in no language.
    masked = [p._replace(text=DRAWING * len(p.text)) if p.family else p for p in word]
    text = _text(masked, room)
    return sorted({*hyphens.positions(text), *(m.start() for m in _OWN_HYPHEN.finditer(text))})


def _split_to_fit(
    word: Word, room: float, family: str, metrics: Metrics, places: Sequence[int], hyphen: str = "-"
) -> tuple[Word, Word]:
    """Return the longest start of `word` that fits into `room` ems, and the rest.

    Args:
        places: where it may be divided, from the left.
        hyphen: appended to the start, unless that ends in a hyphen.
    """

    def width(place: int) -> float:
        return sum(
            run.width for run in shape_word(_cut_word(word, place, hyphen)[0], family, metrics)
        )

    fitting = bisect_right(places, room, key=width)
    return _cut_word(word, places[fitting - 1], hyphen) if fitting else ((), word)


def _cut_word(word: Word, place: int, hyphen: str) -> tuple[Word, Word]:
    """Return a word divided at a place.

    The first part ends in a hyphen, its own or the given one; a space there is dropped.
    """
    head: list[Piece] = []
    tail: list[Piece] = []
    for piece in word:
        length = 1 if piece.drawn else len(piece.text)
        if place >= length:
            head.append(piece)
        elif place <= 0:
            tail.append(piece)
        else:
            head.append(piece._replace(text=piece.text[:place]))
            tail.append(piece._replace(text=piece.text[place:]))
        place -= length
    last = head.pop()
    if last.text != " ":
        own = last.text[-1:] in _HYPHENS
        head.append(last._replace(text=last.text + ("" if own else hyphen)))
    return tuple(head), tuple(tail)
