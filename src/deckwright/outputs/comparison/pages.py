"""Pages with the old and the new faces of a game side by side, and what has changed in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckwright.base.units import PAPERS, Mm
from deckwright.diff.comparing import Comparison
from deckwright.diff.manifests.compare import CardChange
from deckwright.diff.manifests.things import ThingChange
from deckwright.game.model import FaceKey
from deckwright.ops.model import Op, StrokePath
from deckwright.ops.outlines import line
from deckwright.outputs.comparison.pair import GUTTER, HALF, WIDTH, Faces, Pair, caption, pair_strip
from deckwright.sheet.pages import Page
from deckwright.sheet.setter import GRAY, Run, Setter, Strip, moved, stacked

_PAPER_WIDTH, _PAPER_HEIGHT = PAPERS["a4"]
_LEFT: Mm = (_PAPER_WIDTH - WIDTH) / 2
_TOP: Mm = 20
_FACES_TOP: Mm = 27
"""Where faces begin, below the captions of their columns."""
_BOTTOM: Mm = _PAPER_HEIGHT - 17
_INDENT: Mm = 4
_NUMBER: Mm = 10
"""The width of the column of page numbers."""
_GAP: Mm = 7
_LINE = "#c9ccd1"

_HEADINGS = {"rule": "Rules", "deck": "Decks", "faction": "Factions"}
_SETUP = "game.xml"
_LEGEND = "Frames mark what only one of the two faces has."


class _Mark(NamedTuple):
    """A strip; and where it shows faces, their title and key."""

    strip: Strip
    title: str = ""
    key: FaceKey | None = None


def comparison_pages(
    comparison: Comparison, setter: Setter, faces: Callable[[FaceKey], Faces]
) -> list[Page]:
    """Return the list of all changes, and the pages of those that can be seen."""
    pairs = [
        _Mark(pair_strip(pair, setter), pair.title, key) for key, pair in _pairs(comparison, faces)
    ]
    sheets = _filled(pairs, _FACES_TOP, _GAP)
    starts = {mark.key: number for number, sheet in enumerate(sheets) for mark, _ in sheet}
    # How many pages the list takes does not depend on the numbers in it.
    first = len(_filled(_list(comparison, setter, {}), _TOP, 0))
    numbers = {key: first + number + 1 for key, number in starts.items() if key}
    texts = _filled(_list(comparison, setter, numbers), _TOP, 0)
    count = len(texts) + len(sheets)
    pages = []
    for number, sheet in enumerate([*texts, *sheets], 1):
        ops: list[Op] = [moved(mark.strip, _LEFT, y) for mark, y in sheet if mark.strip.ops]
        foot = _small(setter, f"{number} / {count}", "middle")
        ops.append(moved(foot._replace(tag=None), _LEFT, _BOTTOM + 6))
        bookmark = "Changes" if number == 1 else None
        if number > first:
            ops += _head(comparison, setter)
            bookmark = " · ".join(mark.title for mark, _ in sheet)
        pages.append(Page(_PAPER_WIDTH, _PAPER_HEIGHT, (), tuple(ops), bookmark))
    return pages


def shown_keys(comparison: Comparison) -> list[FaceKey]:
    """Return the keys of the faces that are shown."""
    return [
        (change.faction_id, change.card_id, part)
        for change in comparison.cards
        for part in change.parts
    ]


def _pairs(
    comparison: Comparison, faces: Callable[[FaceKey], Faces]
) -> Iterator[tuple[FaceKey, Pair]]:
    """Yield what is shown of the cards that look different."""
    if not any(comparison.faces):
        return
    for change in comparison.cards:
        there = change.state != "new", change.state != "gone"
        words = change.words if all(there) else ()
        for number, part in enumerate(change.parts):
            key = (change.faction_id, change.card_id, part)
            title, kind = _part_title(change, part), _kind(comparison, change)
            yield key, Pair(title, kind, faces(key), there, () if number else words)


def _part_title(change: CardChange, part: int) -> str:
    several = part > 1 or len(change.parts) > 1
    return f"{change.title}, part {part}" if several else change.title


def _kind(comparison: Comparison, change: CardChange) -> str:
    """Return whose card it is, or else what kind of card, and what has become of it."""
    games = [side.game for side in (comparison.new, comparison.old) if side.game]
    names = [g.factions[change.faction_id].name for g in games if change.faction_id in g.factions]
    names += [g.setup.kinds[change.kind].name for g in games if change.kind in g.setup.kinds]
    return " · ".join([*names[:1], change.state])


def _list(comparison: Comparison, setter: Setter, numbers: Mapping[FaceKey, int]) -> list[_Mark]:
    """Return the list of all changes.

    Args:
        numbers: the pages of faces.
    """
    title = Run(f"Changes in {_game_name(comparison)}", bold=True)
    strips = [
        setter.text([title], WIDTH, 20, role="H1"),
        Strip(1),
        setter.text(between(comparison), WIDTH, 11, color=GRAY),
        setter.text(comparison.summary, WIDTH, 11, color=GRAY),
    ]
    if any(change.parts for change in comparison.cards) and any(comparison.faces):
        strips.append(setter.text(_LEGEND, WIDTH, 9, color=GRAY))
    strips += [
        setter.text([Run("Note:", bold=True), Run(left_out)], WIDTH, 9)
        for left_out in comparison.left_out
    ]
    for heading, changes in _sections(comparison):
        head = setter.text([Run(heading, bold=True)], WIDTH, 12, role="H2")
        strips += [Strip(5), head._replace(glued=True), Strip(1, glued=True)]
        for change in changes:
            strips += _listed(change, setter, numbers)
    return [_Mark(strip) for strip in strips]


def _sections(
    comparison: Comparison,
) -> Iterator[tuple[str, Sequence[CardChange | ThingChange]]]:
    """Yield the changes under their headings."""
    if comparison.cards:
        yield "Cards", comparison.cards
    for what in (*_HEADINGS, _SETUP):
        heading = _HEADINGS.get(what, what)
        changes = [c for c in comparison.things if _HEADINGS.get(c.what, _SETUP) == heading]
        if changes:
            yield heading, changes


def _listed(
    change: CardChange | ThingChange, setter: Setter, numbers: Mapping[FaceKey, int]
) -> Iterator[Strip]:
    """Yield a change with its words, and the page where it is seen."""
    title, number = change.title, None
    if isinstance(change, CardChange):
        keys = [(change.faction_id, change.card_id, part) for part in change.parts]
        number = next((numbers[key] for key in keys if key in numbers), None)
    elif change.what in _HEADINGS:
        title = title.removeprefix(change.what)
    width = WIDTH - _NUMBER
    first = setter.text([Run(f"{title}:", bold=True), Run(change.words[0])], width, 9)
    if number is not None:
        seen = _small(setter, str(number), "end")._replace(tag=None)
        first = first._replace(ops=(*first.ops, moved(seen, 0, 0)))
    yield first
    for words in change.words[1:]:
        yield stacked([setter.text(words, width - _INDENT, 9)], _INDENT)
    yield Strip(0.6)


def _filled(marks: Iterable[_Mark], top: Mm, gap: Mm) -> list[list[tuple[_Mark, Mm]]]:
    """Return strips with their heights on pages; what is glued stays with what follows."""
    pages: list[list[tuple[_Mark, Mm]]] = []
    group: list[_Mark] = []
    y = _BOTTOM
    for mark in marks:
        group.append(mark)
        if mark.strip.glued:
            continue
        if not pages or y + sum(each.strip.height for each in group) > _BOTTOM:
            pages.append([])
            y = top
        for each in group:
            pages[-1].append((each, y))
            y += each.strip.height + gap
        group = []
    return pages


def _head(comparison: Comparison, setter: Setter) -> Iterator[Op]:
    """Yield what stands above faces: the game, and captions of the columns."""
    yield moved(_small(setter, _game_name(comparison)), _LEFT, 9)
    yield moved(_small(setter, between(comparison), "end"), _LEFT, 9)
    yield StrokePath(line(_LEFT, 14, _LEFT + WIDTH, 14), _LINE, 0.15)
    old = caption(setter, "old", comparison.old.label, new=False)
    new = caption(setter, "new", comparison.new.label, new=True)
    yield moved(old, _LEFT, 17)
    yield moved(new, _LEFT + HALF + GUTTER, 17)


def _small(setter: Setter, text: str, anchor: str = "start") -> Strip:
    return setter.text(text, WIDTH, 8, color=GRAY, anchor=anchor)


def _game_name(comparison: Comparison) -> str:
    setup = comparison.new.setup or comparison.old.setup
    return setup.name if setup else "a game"


def between(comparison: Comparison) -> str:
    """Return which states are compared."""
    return f"{comparison.old.label} → {comparison.new.label}"
