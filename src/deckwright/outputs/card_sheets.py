"""Card sheets: the copies of a print on paper, their backs, and what is beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from deckwright.base.units import Mm
from deckwright.game.model import FaceKey
from deckwright.ops.bleed import squared
from deckwright.ops.model import Face, Op
from deckwright.sheet.cutting import cut_of, rounded
from deckwright.sheet.grid import SheetFormat
from deckwright.sheet.impose import Placement, impose, placed, placed_behind, reach_of
from deckwright.sheet.marks import cut_marks
from deckwright.sheet.pages import Page
from deckwright.sheet.setting import Setting
from deckwright.sheet.slug import slug_of


class Imposable(Protocol):
    """What is laid out on sheets: copies of cards, which say what these are, and their like."""

    @property
    def face(self) -> Face:
        """Its face."""

    @property
    def back(self) -> Face | None:
        """Its back, if that is printed."""

    @property
    def part(self) -> str:
        """The part of the print that it belongs to."""

    @property
    def deck(self) -> str:
        """The deck that it belongs to, where a print has several."""

    @property
    def face_key(self) -> FaceKey | None:
        """Which of all faces it is a copy of."""

    @property
    def size(self) -> tuple[Mm, Mm]:
        """Width and height of its trim box."""

    @property
    def radius(self) -> Mm:
        """How round its corners are cut."""


T = TypeVar("T", bound=Imposable)


class CardSheet(NamedTuple, Generic[T]):
    """A sheet of cards, and its other side if that is printed.

    Attributes:
        empty: how many slots have no card.
        spare: the tokens that fill it.
    """

    front: Page
    back: Page | None = None
    empty: int = 0
    spare: tuple[T, ...] = ()


def card_sheets(
    copies: Sequence[T],
    setting: Setting,
    spare: Sequence[Sequence[T]] = (),
) -> list[CardSheet[T]]:
    """Return the card sheets; the first that shows a part of the deck gets a bookmark.

    Cards of one size share sheets; on labels, all those that lie on them the same way.

    Args:
        spare: tokens, each with all its faces, that fill the last sheet of their size, in turn.
    """
    formats: dict[tuple[Mm, Mm], SheetFormat] = {}
    groups: dict[object, list[T]] = {}

    def shared(copy: T) -> object:
        """Return what is the same for cards that share sheets."""
        if copy.size not in formats:
            formats[copy.size] = setting.format.fitted(*copy.size)
        return formats[copy.size] if setting.format.labels else copy.size

    for copy in copies:
        groups.setdefault(shared(copy), []).append(copy)
    seen = set[str]()
    sheets: list[CardSheet[T]] = []
    for key, group in groups.items():
        made = _Sheets(setting, formats[group[0].size], seen)
        fitting = [token for token in spare if token and all(shared(c) == key for c in token)]
        filling = _filling(fitting, -len(group) % len(made.slots))
        sheets += made.all([*group, *filling])
        sheets[-1] = sheets[-1]._replace(spare=tuple(filling))
    return sheets


def _filling(tokens: Sequence[Sequence[T]], room: int) -> list[T]:
    """Return whole tokens that fill so many slots, each as often as the others as far as can be."""
    filling: list[T] = []
    while fitting := [token for token in tokens if len(token) <= room - len(filling)]:
        for token in fitting:
            if len(token) <= room - len(filling):
                filling += token
    return filling


class _Sheets:
    """Makes the sheets of cards of one size."""

    def __init__(self, setting: Setting, sheet: SheetFormat, seen: set[str]) -> None:
        """Use a format that fits the cards; `seen` are the parts that have a bookmark."""
        self._setting, self._sheet, self._seen = setting, sheet, seen
        self.slots = sheet.slots()
        self._slug = slug_of(sheet) if setting.footer else None
        self._offset = (0.0, 0.0) if sheet.folded else setting.offset
        self._marks: dict[int, tuple[Op, ...]] = {}
        self._grown: dict[int, Face] = {}

    def all(self, copies: Iterable[T]) -> Iterator[CardSheet[T]]:
        """Yield the sheets with these copies."""
        for placements in impose(copies, self._sheet):
            yield self._one(placements)

    def _one(self, placements: Sequence[Placement[T]]) -> CardSheet[T]:
        sheet = self._sheet
        parts = _distinct(p.item.part for p in placements)
        new = [part for part in parts if part not in self._seen]
        self._seen.update(new)
        faces = [
            placed(self._whole(p.item.face), p.slot, sheet)._replace(of=p.item.face_key)
            for p in placements
        ]
        edges = (
            rounded(face.box, p.item.radius * face.scale)
            for face, p in zip(faces, placements, strict=True)
        )
        backs = [
            placed_behind(self._whole(p.item.back), p.slot, sheet, self._offset)._replace(
                of=p.item.face_key, back=True
            )
            for p in placements
            if p.item.back is not None
        ]
        single = len(self.slots) == 1 and not sheet.folded
        front = Page(
            sheet.page_width,
            sheet.page_height,
            tuple([*faces, *backs] if sheet.folded else faces),
            self._marked(len(placements)),
            " · ".join(new) or None,
            self.slots[0] if single else None,
            sheet.bleed,
            self._slug,
            about=" + ".join(_distinct(p.item.deck for p in placements)),
            cut=cut_of(sheet.registration, {self._setting.cuts: edges}),
        )
        empty = len(self.slots) - len(placements)
        if sheet.folded or not self._setting.backs:
            return CardSheet(front, empty=empty)
        back = front._replace(faces=tuple(backs), ops=(), bookmark=None, behind=True, cut=None)
        return CardSheet(front, back, empty)

    def _marked(self, copies: int) -> tuple[Op, ...]:
        """Return the marks of a sheet with so many copies; sheets with as many share them."""
        if copies not in self._marks:
            self._marks[copies] = cut_marks(self._sheet, self.slots[:copies])
        return self._marks[copies]

    def _whole(self, face: Face) -> Face:
        """Return a face whose ground reaches as far as it is shown."""
        if id(face) not in self._grown:
            self._grown[id(face)] = squared(face, *reach_of(face, self._sheet))
        return self._grown[id(face)]


def _distinct(words: Iterable[str]) -> list[str]:
    """Return words in order, each once, without empty ones."""
    return [word for word in dict.fromkeys(words) if word]


def arranged(sheets: Iterable[CardSheet[T]], *, apart: bool = False) -> list[Page]:
    """Return the pages of sheets, each followed by its back unless those are `apart`."""
    return [page for s in sheets for page in (s.front, None if apart else s.back) if page]
