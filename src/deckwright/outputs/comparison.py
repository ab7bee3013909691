"""Print the old and new faces of a game side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import Report, is_error
from deckwright.base.geometry import IDENTITY, Box, Matrix
from deckwright.base.output import write_file
from deckwright.base.units import PAPER_SIZES, Mm
from deckwright.diff.comparing import GameComparison, GameState
from deckwright.diff.manifest import Digests
from deckwright.diff.manifest_changes import CardChange
from deckwright.diff.things import ThingChange
from deckwright.faces.selection import prepare_images
from deckwright.game.model import FaceKey
from deckwright.images.store import ImageStore
from deckwright.ops import outlines
from deckwright.ops.model import (
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Group,
    Op,
    StrokePath,
    Tag,
    map_ops,
    walk,
)
from deckwright.ops.outlines import line
from deckwright.ops.readable import alt_text
from deckwright.paint.pdf.document import write_pdf
from deckwright.paint.pdf.metadata import info_of
from deckwright.sheet.flow import (
    GRAY,
    Strip,
    TextRun,
    TextSetter,
    paginate_strips,
    place_picture,
    place_strip,
    stack_strips,
)
from deckwright.sheet.pages import Page
from deckwright.text.break_opportunities import Hyphenator
from deckwright.text.fonts import Font
from deckwright.text.shaping import Metrics, bounding_box

_MARK_DISTANCE: Mm = 0.7
"""The distance between a mark and the marked content."""
_MAX_MARKED_SHARE = 0.5
"""The maximum share of a face that marks may cover; larger marks would say nothing."""

DrawnPiece = tuple[object, Box]
"""Something that a face draws: a comparable identity with its position, and its bounds."""


Inspector = tuple[Digests, Metrics]
"""Digests and metrics with the fonts of a game."""


def _list_pieces(
    ops: Iterable[Op], matrix: Matrix, around: tuple[object, ...], room: Box, inspector: Inspector
) -> Iterator[DrawnPiece]:
    """Yield the pieces drawn within `room`; `around` identifies the enclosing groups."""
    digests, metrics = inspector
    for op in ops:
        if isinstance(op, Group):
            inner = op.inner_matrix(matrix)
            clipped, inside = room, around
            if op.clip:
                clip = outlines.bounds_of(op.clip, inner)
                clipped, inside = room.intersection(clip), (*around, _round_all(clip))
            if op.opacity < 1:
                inside = (*inside, op.opacity)
            yield from _list_pieces(op.ops, inner, inside, clipped, inspector)
        else:
            box = bounding_box(op, matrix, metrics, capitals=True).intersection(room)
            yield (digests.of_op(op), _round_all(matrix), around), box


def find_differences(
    old: Face, new: Face, inspectors: tuple[Inspector, Inspector]
) -> tuple[list[Box], list[Box]]:
    """Return the areas where two faces differ; none if they would cover most of a face."""
    before, after = (
        [*_list_pieces(face.ops, IDENTITY, (), Box(0, 0, face.width, face.height), inspector)]
        for face, inspector in zip((old, new), inspectors, strict=True)
    )
    counts = Counter(what for what, _ in before), Counter(what for what, _ in after)
    marks = (
        _mark_pieces(before, counts[0] - counts[1], old),
        _mark_pieces(after, counts[1] - counts[0], new),
    )
    for face, boxes in zip((old, new), marks, strict=True):
        marked = sum(box.width * box.height for box in boxes)
        if marked > _MAX_MARKED_SHARE * face.width * face.height:
            return [], []
    return marks


def _mark_pieces(pieces: Iterable[DrawnPiece], changed: Counter[object], face: Face) -> list[Box]:
    """Return boxes around the changed pieces, with overlapping boxes merged."""
    marks: list[Box] = []
    left = Counter(changed)
    for what, box in pieces:
        if left[what] <= 0:
            continue
        left[what] -= 1
        if box.width <= 0 or box.height <= 0:
            continue
        mark = box.expand(_MARK_DISTANCE).intersection(Box(0, 0, face.width, face.height))
        while True:
            near = mark.expand(_MARK_DISTANCE)
            touched = [other for other in marks if min(near.intersection(other)[2:]) > 0]
            if not touched:
                break
            marks = [other for other in marks if other not in touched]
            mark = Box.around([mark, *touched])
        marks.append(mark)
    return marks


def _round_all(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(number, 3) + 0.0 for number in numbers)


HALF: Mm = 86
"""The width of one column."""
GUTTER: Mm = 8
"""The distance between the columns."""
WIDTH: Mm = 2 * HALF + GUTTER

OLD, NEW = "#a03028", "#2b6a3d"
"""The colors of the old and the new state."""

_MARKS = ("#d9281e", "#12a047")
"""The colors of marks on old and new faces, too bright for texts."""

_MAX_FACE_HEIGHT: Mm = 100
"""The maximum height of a face, so that two pairs fit on a page."""
_PLACEHOLDER_COLOR = "#f2f3f5"
_TITLE_PT, _WORDS_PT, _SMALL_PT = 11, 9, 8
_MAX_PAIR_HEIGHT: Mm = 220
"""The maximum height of a pair with its texts; the list of changes is complete."""


class FacePair(NamedTuple):
    """The faces of a card, None for one that does not exist or cannot be drawn, and their marks."""

    old: Face | None
    new: Face | None
    marks: tuple[Sequence[Box], Sequence[Box]] = ((), ())


def pair_strip(
    title: str,
    about: str,
    faces: FacePair,
    there: tuple[bool, bool],
    changes: Sequence[str],
    setter: TextSetter,
) -> Strip:
    """Return the faces of a card side by side, with its title and changes.

    Args:
        about: the faction or kind of the card, and the state of the change.
        there: whether the card exists in the old and in the new state.
        changes: the changes in words.
    """
    head = setter.set_text([TextRun(title, bold=True)], WIDTH * 0.62, _TITLE_PT, role="H2")
    kind = setter.set_text(about, WIDTH * 0.36, _SMALL_PT, color=GRAY, anchor="end")
    place = partial(setter.left_of, room=WIDTH)
    ops: list[Op] = [place_strip(head, place(0, WIDTH * 0.62), 0)]
    ops.append(place_strip(kind, place(WIDTH * 0.64, WIDTH * 0.36), 0.9))
    y = max(head.height, kind.height) + 1.5
    drawn = [face for face in faces[:2] if face is not None]
    if drawn:
        scale = min(1, *(min(HALF / face.width, _MAX_FACE_HEIGHT / face.height) for face in drawn))
        widest, highest = drawn[0].width * scale, drawn[0].height * scale
        for number, face in enumerate(faces[:2]):
            x = place(number * (HALF + GUTTER), widest if face is None else face.width * scale)
            if face is not None:
                width, height = face.width * scale, face.height * scale
                outline = [outlines.rectangle(*mark, rx=1) for mark in faces.marks[number]]
                marks = [
                    StrokePath(around, *look)
                    for around in outline
                    for look in (("#ffffff", 0.9), (_MARKS[number], 0.5))
                ]
                alt = f"{('old', 'new')[number]}: {alt_text(face)}"
                shown = place_picture(face, x, y, scale, marks)
                ops.append(shown._replace(tag=Tag("Figure", alt)))
                highest = max(highest, height)
                if not there[1]:
                    right, bottom = x + width, y + height
                    cross = (("M", x, y), ("L", right, bottom), ("M", right, y), ("L", x, bottom))
                    veil = FillPath(outlines.rectangle(x, y, width, height), "#ffffff")
                    ops.append(Group((veil, StrokePath(cross, OLD, 0.7, 1)), opacity=0.45))
            else:
                what = "cannot be drawn" if there[number] else ("not there", "gone")[number]
                text = setter.set_text(what, widest, _WORDS_PT, color=GRAY, anchor="middle")
                box = outlines.rectangle(x, y, widest, highest)
                ops += [
                    FillPath(box, _PLACEHOLDER_COLOR),
                    StrokePath(box, "#d9dce0", 0.15),
                    place_strip(text, x, y + (highest - text.height) / 2),
                ]
        y += highest + 2
    for number, words in enumerate(changes):
        line = setter.set_text(words, WIDTH - 3.5, _WORDS_PT)
        if y + line.height > _MAX_PAIR_HEIGHT:
            line = setter.set_text(f"and {len(changes) - number} more", WIDTH - 3.5, _WORDS_PT)
        mark = setter.set_text("•", 3, _WORDS_PT, role=None)
        ops += [place_strip(mark, place(0.5, 3), y), place_strip(line, place(3.5, WIDTH - 3.5), y)]
        y += line.height
        if y > _MAX_PAIR_HEIGHT:
            break
    return Strip(y, tuple(ops))


_PAPER_WIDTH, _PAPER_HEIGHT = PAPER_SIZES["a4"]
_LEFT: Mm = (_PAPER_WIDTH - WIDTH) / 2
_TOP: Mm = 20
_FACES_TOP: Mm = 27
"""The top of the faces, below the captions of the columns."""
_BOTTOM: Mm = _PAPER_HEIGHT - 17
_INDENT: Mm = 4
_NUMBER_WIDTH: Mm = 10
"""The width of the column of page numbers."""
_GAP: Mm = 7
_LINE_COLOR = "#c9ccd1"

_HEADINGS = {"rule": "Rules", "deck": "Decks", "faction": "Factions"}
_SETUP = "game.xml"
_LEGEND = "Frames mark parts that only one of the two faces has."


def comparison_pages(
    comparison: GameComparison, setter: TextSetter, faces: Callable[[FaceKey], FacePair]
) -> list[Page]:
    """Return the pages of the list of all changes, and of the visible ones."""
    pairs, titles, keys = list[Strip](), list[str](), list[FaceKey]()
    games = [side.game for side in (comparison.new, comparison.old) if side.game]
    for change in comparison.cards if any(comparison.faces) else ():
        there = change.state != "new", change.state != "gone"
        words = change.words if all(there) else ()
        # The faction of a card, or else its kind, and the state of the change.
        owner, kind = change.faction_id, change.kind
        names = [g.factions[owner].name for g in games if owner in g.factions]
        names += [g.setup.kinds[kind].name for g in games if kind in g.setup.kinds]
        about = " · ".join([*names[:1], change.state])
        for part in change.parts:
            keys.append((change.faction_id, change.card_id, part))
            several = part > 1 or len(change.parts) > 1
            title = f"{change.title}, part {part}" if several else change.title
            titles.append(title)
            pairs.append(pair_strip(title, about, faces(keys[-1]), there, words, setter))
            words = ()
    sheets = paginate_strips(pairs, _FACES_TOP, _BOTTOM, _GAP)
    # The length of the list does not depend on the page numbers in it.
    first = len(paginate_strips(_list(comparison, setter, {}), _TOP, _BOTTOM))
    on_pages = (number for number, sheet in enumerate(sheets, first + 1) for _ in sheet)
    numbers = dict(zip(keys, on_pages, strict=True))
    texts = paginate_strips(_list(comparison, setter, numbers), _TOP, _BOTTOM)
    remaining = iter(titles)
    count = len(texts) + len(sheets)
    pages = []
    for number, sheet in enumerate([*texts, *sheets], 1):
        ops: list[Op] = [place_strip(strip, _LEFT, y) for strip, y in sheet if strip.ops]
        foot = _small(setter, f"{number} / {count}", "middle")
        ops.append(place_strip(foot._replace(tag=None), _LEFT, _BOTTOM + 6))
        bookmark = "Changes" if number == 1 else None
        if number > first:
            # The game, and the captions of the columns.
            ops.append(place_strip(_small(setter, _game_name(comparison)), _LEFT, 9))
            ops.append(place_strip(_small(setter, describe_states(comparison), "end"), _LEFT, 9))
            ops.append(StrokePath(line(_LEFT, 14, _LEFT + WIDTH, 14), _LINE_COLOR, 0.15))
            for which, state, color, x in (
                ("old", comparison.old, OLD, 0),
                ("new", comparison.new, NEW, HALF + GUTTER),
            ):
                runs = [TextRun(which, bold=True, color=color), TextRun(state.label)]
                left = _LEFT + setter.left_of(x, HALF, WIDTH)
                ops.append(place_strip(setter.set_text(runs, HALF, _WORDS_PT), left, 17))
            bookmark = " · ".join(islice(remaining, len(sheet)))
        pages.append(Page(_PAPER_WIDTH, _PAPER_HEIGHT, (), tuple(ops), bookmark))
    return pages


def _list(
    comparison: GameComparison, setter: TextSetter, numbers: Mapping[FaceKey, int]
) -> list[Strip]:
    """Return the list of all changes, with the page numbers of faces."""
    head = TextRun(f"Changes in {_game_name(comparison)}", bold=True)
    strips = [
        setter.set_text([head], WIDTH, 20, role="H1"),
        Strip(1),
        setter.set_text(describe_states(comparison), WIDTH, 11, color=GRAY),
        setter.set_text(comparison.summary, WIDTH, 11, color=GRAY),
    ]
    if any(change.parts for change in comparison.cards) and any(comparison.faces):
        strips.append(setter.set_text(_LEGEND, WIDTH, 9, color=GRAY))
    strips += [
        setter.set_text([TextRun("Note:", bold=True), TextRun(left_out)], WIDTH, 9)
        for left_out in comparison.left_out
    ]
    sections: list[tuple[str, Sequence[CardChange | ThingChange]]] = [("Cards", comparison.cards)]
    for what in (*_HEADINGS, _SETUP):
        heading = _HEADINGS.get(what, what)
        of = [c for c in comparison.things if _HEADINGS.get(c.what, _SETUP) == heading]
        sections.append((heading, of))
    for heading, changes in sections:
        if changes:
            line = setter.set_text([TextRun(heading, bold=True)], WIDTH, 12, role="H2")
            strips += [Strip(5), line._replace(keep_with_next=True), Strip(1, keep_with_next=True)]
        for change in changes:
            # With the number of the page that shows it.
            title, number = change.title, None
            if isinstance(change, CardChange):
                keys = [(change.faction_id, change.card_id, part) for part in change.parts]
                number = next((numbers[key] for key in keys if key in numbers), None)
            elif change.what in _HEADINGS:
                title = title.removeprefix(change.what)
            width, runs = WIDTH - _NUMBER_WIDTH, [TextRun(f"{title}:", bold=True)]
            first = setter.set_text([*runs, TextRun(change.words[0])], width, 9)
            if setter.rtl:
                first = stack_strips([first], _NUMBER_WIDTH)
            if number is not None:
                seen = _small(setter, str(number), "end")._replace(tag=None)
                first = first._replace(ops=(*first.ops, place_strip(seen, 0, 0)))
            strips.append(first)
            for words in change.words[1:]:
                more = setter.set_text(words, width - _INDENT, 9)
                left = setter.left_of(_INDENT, width - _INDENT, WIDTH)
                strips.append(stack_strips([more], left))
            strips.append(Strip(0.6))
    return strips


def _small(setter: TextSetter, text: str, anchor: str = "start") -> Strip:
    return setter.set_text(text, WIDTH, 8, color=GRAY, anchor=anchor)


def _game_name(comparison: GameComparison) -> str:
    setup = comparison.new.setup or comparison.old.setup
    return setup.name if setup else "a game"


def describe_states(comparison: GameComparison) -> str:
    """Return the labels of the compared states."""
    return f"{comparison.old.label} → {comparison.new.label}"


def print_comparison(comparison: GameComparison, target: Path) -> int:
    """Write a comparison as a PDF to `target`; return the number of pages.

    Images that cannot be printed are reported to the state they belong to.
    """
    side = comparison.new if comparison.new.setup else comparison.old
    setup = side.setup
    assert setup is not None, "without a game there is nothing to compare"
    sides = comparison.old, comparison.new
    old_fonts, new_fonts = (s.factory.fonts if s.factory else {} for s in sides)
    fonts, renamed = merge_fonts(old_fonts, new_fonts)
    family = comparison.new.factory.text_font if comparison.new.factory else None
    setter = TextSetter(fonts, family, Hyphenator(setup.language, setup.hyphenation))

    images = ImageStore()
    keys = [(c.faction_id, c.card_id, part) for c in comparison.cards for part in c.parts]
    before = _find_drawable(comparison.old, comparison.faces[0], keys, images)
    after = _find_drawable(comparison.new, comparison.faces[1], keys, images)
    inspectors = [
        (Digests(factory.fonts, images), factory.drawing_context.metrics)
        for side in sides
        if (factory := side.factory)
    ]

    def rename(op: Op) -> Op:
        return op._replace(font=renamed.get(op.font, op.font)) if isinstance(op, DrawGlyphs) else op

    def faces(key: FaceKey) -> FacePair:
        old, new = before.get(key), after.get(key)
        both = inspectors[0], inspectors[-1]
        marks = find_differences(old, new, both) if old and new else ([], [])
        if old and renamed:
            old = old._replace(ops=map_ops(old.ops, rename))
        return FacePair(old, new, marks)

    pages = comparison_pages(comparison, setter, faces)
    info = info_of(f"{setup.name}: {describe_states(comparison)}", setup, side.folder)
    write_file(target, lambda stream: write_pdf(stream, pages, info, setter.fonts, images))
    return len(pages)


def merge_fonts(
    old: Mapping[str, Font], new: Mapping[str, Font]
) -> tuple[dict[str, Font], dict[str, str]]:
    """Merge the fonts of two games by id; return them with the new ids of renamed old fonts.

    Fonts with the same content are merged, wherever their files are.
    """
    fonts, renamed = dict(new), dict[str, str]()
    for font_id, font in old.items():
        if font_id not in new:
            fonts[font_id] = font
            continue
        paths = {font.path, new[font_id].path}
        if len(paths) > 1 and len({path.read_bytes() for path in paths}) > 1:
            other = f"old-{font_id}"
            while other in old or other in new:
                other = f"old-{other}"
            fonts[other] = Font(other, font.path)
            renamed[font_id] = other
    return fonts, renamed


def _find_drawable(
    side: GameState, faces: Mapping[FaceKey, Face], keys: Iterable[FaceKey], images: ImageStore
) -> dict[FaceKey, Face]:
    """Return the faces of the given keys whose images can be printed; report the others."""
    wanted = {key: faces[key] for key in keys if key in faces}
    if side.factory is None:
        return {}
    findings: Report = []
    prepare_images(wanted.values(), images, findings)
    side.report.extend(finding for finding in findings if is_error(finding))
    drawable = {}
    for key, face in wanted.items():
        with suppress(KeyError):
            for op in walk(face.ops):
                if isinstance(op, DrawImage):
                    images.get(op)
            drawable[key] = face
    return drawable
