"""Card sheets: the copies of a print on paper, their backs, and what stands beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from deckwright.exporters.workshop import Workshop
from deckwright.face.bleed import squared
from deckwright.face.ops import Face
from deckwright.game.model import Card
from deckwright.sheet.grid import SheetFormat
from deckwright.sheet.impose import impose, placed, placed_behind, reach_of
from deckwright.sheet.marks import cut_marks
from deckwright.sheet.pages import Page
from deckwright.sheet.setting import Setting
from deckwright.sheet.slug import slug_of, slug_ops
from deckwright.units import Mm


class Copy(NamedTuple):
    """A face to print, and the part of the deck that it belongs to.

    Attributes:
        card, faction_id: what it is a copy of, and who prints it.
        back: its back, if that is printed and its kind has one.
    """

    part: str
    card: Card
    faction_id: str
    face: Face
    back: Face | None = None


class CardSheet(NamedTuple):
    """A sheet of cards, and its other side if that is printed."""

    front: Page
    back: Page | None = None


def card_sheets(
    copies: Sequence[Copy], setting: Setting, subjects: dict[int, str]
) -> list[CardSheet]:
    """Return the card sheets; the first that shows a part of the deck gets a bookmark.

    Cards of one size share sheets.

    Args:
        subjects: what findings call the subjects of faces, by their ids; those of faces whose
            grounds are made larger are entered.
    """
    sizes: dict[tuple[Mm, Mm], list[Copy]] = {}
    for copy in copies:
        sizes.setdefault((copy.face.width, copy.face.height), []).append(copy)
    seen = set[str]()
    return [
        sheet
        for size, group in sizes.items()
        for sheet in _sheets(group, setting, setting.format.fitted(*size), seen, subjects)
    ]


def _sheets(
    copies: Iterable[Copy],
    setting: Setting,
    sheet: SheetFormat,
    seen: set[str],
    subjects: dict[int, str],
) -> Iterator[CardSheet]:
    """Yield the sheets of cards of one size."""
    marks = cut_marks(sheet)
    slug = slug_of(sheet) if setting.footer else None
    offset = (0.0, 0.0) if sheet.folded else setting.offset
    single = len(sheet.slots()) == 1 and not sheet.folded
    grown: dict[int, Face] = {}

    def bled(face: Face) -> Face:
        if id(face) not in grown:
            grown[id(face)] = squared(face, *reach_of(face, sheet))
            subjects[id(grown[id(face)])] = subjects.get(id(face), "")
        return grown[id(face)]

    for placements in impose(copies, sheet):
        new = dict.fromkeys(p.item.part for p in placements if p.item.part not in seen)
        seen.update(new)
        faces = [placed(bled(p.item.face), p.slot, sheet) for p in placements]
        backs = [
            placed_behind(bled(p.item.back), p.slot, sheet, offset)
            for p in placements
            if p.item.back is not None
        ]
        page = Page(
            sheet.page_width,
            sheet.page_height,
            tuple([*faces, *backs] if sheet.folded else faces),
            marks,
            " · ".join(new) or None,
            sheet.slots()[0] if single else None,
            sheet.bleed,
            slug,
        )
        if sheet.folded or not setting.backs:
            yield CardSheet(page)
        else:
            yield CardSheet(
                page, page._replace(faces=tuple(backs), ops=(), bookmark=None, behind=True)
            )


def arranged(sheets: Iterable[CardSheet], *, apart: bool = False) -> list[Page]:
    """Return the pages of sheets, each followed by its back unless those are `apart`."""
    return [page for s in sheets for page in (s.front, None if apart else s.back) if page]


def with_slugs(
    pages: Sequence[Page], titles: tuple[str, str], page_word: str, workshop: Workshop
) -> Iterator[Page]:
    """Yield pages with rulers and footers in their slugs.

    Args:
        titles: what the footer says before and after the number of the page.
        page_word: what a page is called.
    """
    before, after = titles
    for number, page in enumerate(pages, 1):
        if page.slug is None:
            yield page
            continue
        text = f"{before} · {page_word} {number}/{len(pages)} · {after}"
        metrics, font = workshop.studio.metrics, workshop.text_font
        ops = slug_ops(page.slug, text, font, metrics, ruler=not page.behind)
        yield page._replace(ops=(*page.ops, *ops))
