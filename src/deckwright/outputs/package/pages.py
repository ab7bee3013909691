"""The pages of a job ticket: a summary, each pile with its pictures, and checksums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import PurePosixPath

from deckwright.base.units import Mm, format_date, format_number
from deckwright.game.words import fill_in
from deckwright.ops import outlines
from deckwright.ops.model import Face, FillPath, Op, StrokePath, Tag
from deckwright.ops.readable import alt_text
from deckwright.outputs.package.ticket import Ticket, TicketPile
from deckwright.sheet.flow import (
    GRAY,
    Strip,
    TextRun,
    TextSetter,
    paginate_strips,
    place_picture,
    place_strip,
)
from deckwright.sheet.pages import Page

Words = Mapping[str, str]

_MAX_NAMED_FILES = 3
"""The maximum number of files listed for a pile; beyond it, the folder is named."""


_SIDE: Mm = 18
_TOP: Mm = 18
_BOTTOM_MARGIN: Mm = 20
"""The distance from the lower edge of the page to the texts."""
_MAX_PICTURE_WIDTH: Mm = 30
_MAX_PICTURE_HEIGHT: Mm = 44
"""The maximum size of a picture."""
_PICTURE_GAP: Mm = 4
_FACTS_LEFT: Mm = 2 * _MAX_PICTURE_WIDTH + _PICTURE_GAP + 6
"""The left edge of a pile's rows, to the right of its two pictures."""
_LABEL_WIDTH: Mm = 31
"""The width of row labels."""
_BLANK_ROW_HEIGHT: Mm = 6.5
"""The height of a blank row to fill in."""
_LINE, _GROUND = "#b9bdc3", "#f2f3f5"
_TEXT_PT, _SMALL_PT = 9, 8


def ticket_pages(
    ticket: Ticket,
    pictures: Mapping[str, Sequence[Face]],
    setter: TextSetter,
    words: Words,
    paper: tuple[Mm, Mm],
) -> list[Page]:
    """Return the pages of a ticket.

    Args:
        pictures: a face and its optional back, by the ids of piles.
    """
    width, height = paper
    make = _StripMaker(ticket, setter, words, width - 2 * _SIDE)
    strips = [*make.head(), *make.table()]
    strips += [make.pile(pile, pictures.get(pile.id, ())) for pile in ticket.piles]
    strips += make.checksums()
    sheets = paginate_strips(strips, _TOP, height - _BOTTOM_MARGIN)
    title = f"{words['job-ticket']} – {ticket.game}"
    pages = []
    for number, placed in enumerate(sheets, 1):
        ops: list[Op] = [place_strip(strip, _SIDE, y) for strip, y in placed if strip.ops]
        foot = f"{title} · {words['page']} {number} / {len(sheets)}"
        small = setter.set_text(foot, make.width, _SMALL_PT, color=GRAY, anchor="middle", role=None)
        ops.append(place_strip(small, _SIDE, height - _BOTTOM_MARGIN + 7))
        pages.append(Page(width, height, ops=tuple(ops), bookmark=title if number == 1 else None))
    return pages


class _StripMaker:
    """Makes strips of the width of the column, in the language of the game."""

    def __init__(self, ticket: Ticket, setter: TextSetter, words: Words, width: Mm) -> None:
        self.width = width
        self._ticket, self._setter, self._words = ticket, setter, words
        self._numbers = count(1)

    def head(self) -> Iterator[Strip]:
        """Yield the title, and the facts and blanks about the whole job."""
        ticket, words = self._ticket, self._words
        yield self._bold(words["job-ticket"], self.width, 20, role="H1")
        yield Strip(0.5)
        yield self._setter.set_text(ticket.game, self.width, 13, color=GRAY)
        yield Strip(3)
        rows = [
            (words["made-for"], ticket.printer),
            (words["print-run"], str(ticket.sets or "")),
            (words["delivery"], ""),
            (words["contact"], ""),
            (words["file-date"], format_date(ticket.date, words["date"], ticket.language)),
        ]
        yield self._rows(rows, self.width)
        yield Strip(5, is_space=True)

    def table(self) -> Iterator[Strip]:
        """Yield the list of all piles."""
        columns = (0.33, 0.08, 0.09, 0.18, 0.09, 0.23)
        gap: Mm = 3
        numbers = {1, 2, 4}
        whole = self._tag("Table")
        names = ("pile", "pieces", "designs", "size", "pages", "colors")
        lines = [tuple(self._words[name] for name in names)]
        lines += (
            (
                _pile_title(pile),
                str(pile.pieces),
                str(pile.designs),
                self._format_mm(*pile.trim),
                str(pile.pages or "–"),
                " + ".join((pile.colors.process, *pile.colors.inks)),
            )
            for pile in self._ticket.piles
        )
        for texts in lines:
            is_head = texts is lines[0]
            row, ops, x, high = self._tag("TR", whole), list[Op](), 0.0, 0.0
            for number, (text, share) in enumerate(zip(texts, columns, strict=True)):
                anchor = "end" if number in numbers else "start"
                width = share * self.width - gap
                cell = self._cell(text, width, row, head=is_head, anchor=anchor)
                ops.append(place_strip(cell, self._setter.left_of(x, width, self.width), 1))
                x, high = x + width + gap, max(high, cell.height)
            rule = StrokePath(outlines.line(0, high + 2, self.width, high + 2), _LINE, 0.15)
            yield Strip(high + 2, (*ops, rule), keep_with_next=is_head)
        yield Strip(7, is_space=True)

    def pile(self, pile: TicketPile, faces: Sequence[Face]) -> Strip:
        """Return a pile with its pictures and facts."""
        title = self._bold(_pile_title(pile), self.width - 4, 11, role="H2")
        band = title.height + 1.6
        ground = outlines.rectangle(0, 0, self.width, band)
        ops: list[Op] = [FillPath(ground, _GROUND), place_strip(title, 2, 0.8)]
        top, high = band + 3, 0.0
        for number, face in enumerate(faces[:2]):
            scale = min(_MAX_PICTURE_WIDTH / face.width, _MAX_PICTURE_HEIGHT / face.height)
            start = number * (_MAX_PICTURE_WIDTH + _PICTURE_GAP)
            x = self._setter.left_of(start, face.width * scale, self.width)
            tag = Tag("Figure", alt_text(face) or face.subject)
            ops.append(place_picture(face, x, top, scale)._replace(tag=tag))
            high = max(high, face.height * scale)
        rows = self._rows(list(self._facts(pile)), self.width - _FACTS_LEFT)
        left = self._setter.left_of(_FACTS_LEFT, self.width - _FACTS_LEFT, self.width)
        ops.append(place_strip(rows, left, top))
        return Strip(top + max(high, rows.height) + 8, tuple(ops))

    def checksums(self) -> Iterator[Strip]:
        """Yield the checksums of the files, and how to compare them."""
        title = self._bold(self._words["checksums"], self.width, 11, role="H2")
        yield title._replace(keep_with_next=True)
        yield Strip(0.8, keep_with_next=True)
        hint = self._words["check-files"]
        about = self._setter.set_text(hint, self.width, _SMALL_PT, color=GRAY)
        yield about._replace(keep_with_next=True)
        yield Strip(1.5, keep_with_next=True)
        left, place = self.width * 0.4, self._setter.left_of
        at = place(0, left - 3, self.width), place(left, self.width * 0.6, self.width)
        for file in self._ticket.files:
            name = self._bold(file.name, left - 3, _SMALL_PT)
            groups = " ".join(file.sha256[start : start + 16] for start in range(0, 64, 16))
            checksum = self._setter.set_text(groups, self.width * 0.6, _SMALL_PT)
            high = max(name.height, checksum.height)
            yield Strip(high + 0.6, (place_strip(name, at[0], 0), place_strip(checksum, at[1], 0)))

    def _facts(self, pile: TicketPile) -> Iterator[tuple[str, str]]:
        """Yield the rows for a pile: a label and a text, "" for a blank to fill in."""
        words, colors = self._words, pile.colors
        number, sets = str(pile.pieces), self._ticket.sets
        yield words["pieces"], f"{number} × {sets} = {pile.pieces * sets}" if sets else number
        if pile.designs > 1:
            yield words["designs"], str(pile.designs)
        is_cut_out = pile.kind in {"box", "markers"}
        yield words["page-size" if is_cut_out else "trim-size"], self._format_mm(*pile.trim)
        if pile.bleed:
            yield words["bleed"], self._format_mm(pile.bleed)
        if pile.safe:
            yield words["safe-zone"], self._format_mm(pile.safe)
        sides = words["two-sided" if pile.sides > 1 else "one-sided"]
        if pile.sides > 1 and pile.kind == "cards" and pile.pages == 2 * pile.pieces:
            turn = words["backs-first" if self._ticket.back_first else "faces-first"]
            sides = f"{sides}, {turn}"
        yield words["printed"], sides
        parts = [" + ".join((colors.process, *colors.inks)), colors.profile, colors.pdfx or ""]
        if colors.limit:
            parts.append(fill_in(words["ink-limit"], colors.limit))
        yield words["colors"], " · ".join(filter(None, parts))
        if colors.die:
            yield words["die-lines"], f"{', '.join(colors.die)} ({words['not-printed']})"
        if pile.radius:
            yield words["corners"], fill_in(words["corner-radius"], self._format_mm(pile.radius))
        yield words["paper"], pile.stock
        if pile.pages:
            yield words["pages"], str(pile.pages)
        files = ", ".join(pile.files)
        if len(pile.files) > _MAX_NAMED_FILES:
            files = f"{PurePosixPath(pile.files[0]).parts[0]}/"
        yield words["files"], files

    def _format_mm(self, *lengths: Mm) -> str:
        numbers = (format_number(round(length, 2), self._ticket.language) for length in lengths)
        return f"{' × '.join(numbers)} mm"

    def _rows(self, rows: Sequence[tuple[str, str]], width: Mm) -> Strip:
        """Return a table of labels and texts, with a line to write on for blanks."""
        whole, ops, y = self._tag("Table"), list[Op](), 0.0
        first = self._setter.left_of(0, _LABEL_WIDTH - 2, width)
        second = self._setter.left_of(_LABEL_WIDTH, width - _LABEL_WIDTH, width)
        for called, text in rows:
            row = self._tag("TR", whole)
            head = self._cell(called, _LABEL_WIDTH - 2, row, head=True)
            high = head.height
            ops.append(place_strip(head, first, y if text else y + _BLANK_ROW_HEIGHT - high))
            if text:
                cell = self._cell(text, width - _LABEL_WIDTH, row)
                ops.append(place_strip(cell, second, y))
                high = max(high, cell.height)
            else:
                high = _BLANK_ROW_HEIGHT
                at = round(y + high - 1.2, 4)
                end = second + width - _LABEL_WIDTH
                ops.append(StrokePath(outlines.line(second, at, end, at), _LINE, 0.2))
            y += high + 0.5
        return Strip(y, tuple(ops))

    def _cell(
        self, text: str, width: Mm, row: Tag, *, head: bool = False, anchor: str = "start"
    ) -> Strip:
        strip = self._setter.set_text([TextRun(text, bold=head)], width, _TEXT_PT, anchor=anchor)
        return strip._replace(tag=self._tag("TH" if head else "TD", row))

    def _bold(self, text: str, width: Mm, size_pt: float, **role: str) -> Strip:
        return self._setter.set_text([TextRun(text, bold=True)], width, size_pt, **role)

    def _tag(self, role: str, parent: Tag | None = None) -> Tag:
        return Tag(role, number=next(self._numbers), parent=parent)


def _pile_title(pile: TicketPile) -> str:
    return f"{pile.deck}: {pile.title}" if pile.deck else pile.title
