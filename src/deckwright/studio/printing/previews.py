"""Pages as they will come out: laid out by what prints them, and drawn when they are asked for.

This is for a process of its own, which keeps the game open: a second look takes a moment only.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypedDict

from deckwright import __version__
from deckwright.api import FaceName, Game, GameError, Print
from deckwright.api.options import Sheets, resolve_sheet
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.units import Mm
from deckwright.diff.manifest import Digests
from deckwright.diff.manifest_changes import changed_since
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import CardKey
from deckwright.ops.model import Face
from deckwright.outputs.pages import DocumentLayout, capture_layout
from deckwright.paint.raster import open_pages
from deckwright.paint.svg import GlyphOutlines, SvgOptions, page_svg
from deckwright.sheet.grid import Flip
from deckwright.sheet.layout import load_layout
from deckwright.sheet.pages import Page, PlacedFace
from deckwright.studio.answers import LocalizedError
from deckwright.studio.described import serialize_finding
from deckwright.studio.faces import face_key
from deckwright.studio.printing.tasks import (
    PrintRequest,
    build_tasks,
    changed_states,
    find_previous_print,
    serialize_changes,
)

_RASTER_DPI = 120
"""How fine pages of books are drawn."""


class SlotData(TypedDict):
    """A face on a page.

    Attributes:
        key: as the wall has it; None if it is no card's.
        x, y, width, height: its trim box on the page.
        turn: by how many quarters it is turned to the right.
        copy: how many of its like are on the document's pages up to it.
        state: "new" or "changed" against the last print.
    """

    key: str | None
    name: str
    x: Mm
    y: Mm
    width: Mm
    height: Mm
    turn: int
    copy: int
    state: str | None


class PageData(TypedDict):
    """A page.

    Attributes:
        behind: the numbers of document and page, from 0, of the page that it is the other side of.
        picture: where its picture is asked for.
    """

    number: int
    width: Mm
    height: Mm
    title: str | None
    behind: tuple[int, int] | None
    picture: str
    slots: list[SlotData]


class DocumentData(TypedDict):
    """A document."""

    file: str
    pages: list[PageData]


class PagePicture(NamedTuple):
    """The picture of a page, drawn when it is asked for; the name of its file is its hash."""

    name: str
    draw: Callable[[], str | bytes]


class PageTools(NamedTuple):
    """What draws the pages of a factory's faces, and tells them from others."""

    factory: FaceFactory
    digests: Digests
    glyphs: GlyphOutlines


def make_tools(factory: FaceFactory) -> PageTools:
    """Return what draws the pages of a factory's faces."""
    digests = Digests(factory.fonts, factory.pictures.store)
    return PageTools(factory, digests, GlyphOutlines(factory.fonts))


class PageSerializer:
    """Makes plain data of documents, and has the pictures of their pages.

    Attributes:
        pictures: by their names.
    """

    def __init__(self, names: Mapping[CardKey, str], looks: Mapping[CardKey, str]) -> None:
        """Take what cards are called, and which are new or look different."""
        self._names, self._looks = names, looks
        self.pictures: dict[str, PagePicture] = {}

    def vectors(self, document: DocumentLayout, tools: PageTools) -> DocumentData:
        """Return a document whose pages are drawn as vectors."""
        copies: Counter[object] = Counter()
        pages = []
        for number, page in enumerate(document.pages):
            name = f"{_hash_page(page, tools.digests)}.svg"
            self.pictures[name] = PagePicture(name, partial(_draw_svg, page, tools))
            told = _page_data(number, page.width, page.height, page.bookmark, name)
            told["slots"] = [self._slot(placed, copies) for placed in page.faces]
            pages.append(told)
        return {"file": document.target.name, "pages": pages}

    def pixels(self, path: Path) -> DocumentData:
        """Return a PDF file whose pages are drawn as pixels."""
        data = path.read_bytes()
        book, digest = open_pages(data), blake2b(data, digest_size=16)
        pages = []
        for number, (width, height) in enumerate(book.sizes):
            one = digest.copy()
            one.update(f"{number} {__version__}".encode())
            name = f"{one.hexdigest()}.png"
            self.pictures[name] = PagePicture(name, partial(book.png, number, _RASTER_DPI))
            pages.append(_page_data(number, width, height, None, name))
        return {"file": path.name, "pages": pages}

    def _slot(self, placed: PlacedFace, copies: Counter[object]) -> SlotData:
        of = placed.of
        same = (of, placed.back) if of else (placed.face.subject, id(placed.face))
        copies[same] += 1
        box = (round(value, 4) for value in placed.box)
        x, y, width, height = box
        key = None
        if of is not None:
            key = face_key(FaceName(of[0], of[1], back=placed.back, part=of[2]))
        return {
            "key": key,
            "name": self._names.get(of[:2], of[1]) if of else placed.face.subject,
            "x": x,
            "y": y,
            "width": width,
            "height": height,
            "turn": placed.turn,
            "copy": copies[same],
            "state": self._looks.get(of[:2]) if of else None,
        }


def pair_backs(told: list[DocumentData], documents: Iterable[DocumentLayout]) -> None:
    """Say which pages are the other sides of which.

    A back follows its face, or stands in a document of backs alone behind that of the faces.
    """
    faces: list[tuple[int, int]] = []
    for number, document in enumerate(documents):
        pages = document.pages
        apart = bool(pages) and all(page.behind for page in pages) and len(pages) == len(faces)
        for at, page in enumerate(pages):
            if page.behind:
                told[number]["pages"][at]["behind"] = faces[at] if apart else (number, at - 1)
        faces = [(number, at) for at, page in enumerate(pages) if page.faces and not page.behind]


def _page_data(number: int, width: Mm, height: Mm, title: str | None, picture: str) -> PageData:
    return {
        "number": number + 1,
        "width": round(width, 4),
        "height": round(height, 4),
        "title": title,
        "behind": None,
        "picture": f"/sheets/{picture}",
        "slots": [],
    }


def _draw_svg(page: Page, tools: PageTools) -> str:
    look = SvgOptions(page.bookmark or "", ground=None)
    return page_svg(page, tools.glyphs, tools.factory.pictures.store, look)


def _hash_page(page: Page, digests: Digests) -> str:
    """Return the hash of a page: equal where two pages look the same."""
    whole = [__version__, page.bookmark, digests.of(Face(page.width, page.height, page.ops))]
    faces = [
        [digests.of(p.face), p.turn, *(f"{n:.4f}" for n in (*p.box, *p.reach))] for p in page.faces
    ]
    return blake2b(json.dumps([whole, faces]).encode(), digest_size=16).hexdigest()


Json = dict[str, object]

MAX_PAGES = 2000
_MAX_KEPT_PREVIEWS = 6
"""Of how many looks the pages can be drawn."""


class _Layout(NamedTuple):
    """What was laid out.

    Attributes:
        vectors: documents of pages.
        books: the PDF files of those that are set page by page.
    """

    vectors: list[DocumentLayout]
    books: list[Path]
    prints: list[Print]
    findings: list[Diagnostic]


class PreviewRenderer:
    """Lays out pages of a game, and draws them."""

    def __init__(self, game: Game) -> None:
        """Take an open game that keeps what it reads."""
        self._game = game
        self._tools: dict[int, PageTools] = {}
        self._kept: deque[Mapping[str, PagePicture]] = deque(maxlen=_MAX_KEPT_PREVIEWS)

    def preview(self, choice: PrintRequest) -> Json:
        """Return the pages of what is asked for, wherever it is to be written.

        Raises:
            ChoiceError: if it cannot be had, or has too many pages.
            GameError: if nothing of it can be printed.
        """
        self._look()
        with TemporaryDirectory() as folder:
            choice = choice._replace(where=Path(folder))
            laid = self._lay_out(choice)
            looks, changed = self._compared(choice, laid.prints)
            binder = PageSerializer(self._names(), looks)
            told = [binder.vectors(each, self._drawn_by(each)) for each in laid.vectors]
            pair_backs(told, laid.vectors)
            told += [binder.pixels(path) for path in laid.books]
        self._kept.appendleft(binder.pictures)
        return {
            "documents": told,
            "sheets": sum(each.sheets for each in laid.prints),
            "cards": _count_faces(told),
            "empty": sum(each.empty for each in laid.prints),
            "spare": dict(sum((Counter(each.spare) for each in laid.prints), Counter[str]())),
            "changes": [line for each in laid.prints for line in each.changes],
            "findings": [
                serialize_finding(each, self._game.path)._asdict() for each in laid.findings
            ],
            "changed": changed,
            **self._turned(choice),
        }

    def changes(self, deck: str, prints: tuple[Path, ...]) -> Json:
        """Return what has changed in a deck since its last print.

        Raises:
            GameError: if the deck or its manifest has a mistake.
        """
        self._look()
        report: Report = []
        last = find_previous_print(deck, prints, self._game.name, report)
        if report:
            raise GameError(report)
        if last is None:
            return {"last": None, "to_print": 0, "cards": []}
        before = last.manifest
        backs = any(entry.back is not None for entry in before.entries)
        style = before.style if before.style in self._game.styles else None
        with TemporaryDirectory() as folder, capture_layout():
            target = Path(folder) / f"deck_{deck}.pdf"
            paths = [str(path) for path in self._game.folder.deck_files() if path.stem == deck]
            printed = self._game.print_decks(
                paths, target, backs=backs, style=style, ignore_limits=True
            )
        return serialize_changes(last, printed.manifests[0])

    def picture(self, name: str) -> str | bytes | None:
        """Return the picture of a page by its name, None if it is not known any more."""
        found = next((known[name] for known in self._kept if name in known), None)
        return None if found is None else found.draw()

    def _look(self) -> None:
        """Read what has changed."""
        if self._game.reload().files:
            self._tools.clear()

    def _lay_out(self, choice: PrintRequest) -> _Layout:
        laid = _Layout([], [], [], [])
        pages = 0
        for work in build_tasks(self._game, choice):
            with capture_layout() as found:
                try:
                    made = work.make()
                except GameError as error:
                    laid.findings.extend(f for f in error.findings if f not in laid.findings)
                    continue
            laid.findings.extend(f for f in made.findings if f not in laid.findings)
            laid.vectors.extend(found)
            pages += sum(len(document.pages) for document in found)
            if pages > MAX_PAGES:
                message = f"these are more than {MAX_PAGES:,} pages"
                hint = "look at less at a time; printing has no such limit"
                raise LocalizedError("print-too-large", str(MAX_PAGES), message=message, hint=hint)
            if isinstance(made, Print):
                laid.prints.append(made)
            path = choice.where / work.called
            if not found and path.suffix == ".pdf" and path.is_file():
                laid.books.append(path)
        if laid.findings and not laid.vectors and not laid.books:
            raise GameError(laid.findings)
        return laid

    def _compared(
        self, choice: PrintRequest, prints: Iterable[Print]
    ) -> tuple[dict[CardKey, str], Json]:
        """Return what looks different than in the last print of each deck, and how much that is."""
        looks: dict[CardKey, str] = {}
        found: Json = {}
        for now in (manifest for each in prints for manifest in each.manifests):
            last = find_previous_print(now.deck, choice.prints, self._game.name, [])
            if last is not None:
                changes = changed_since(last.manifest, now)
                looks |= changed_states(changes)
                cards, copies = len(changes.cards), sum(changes.to_print.values())
                found[now.deck] = {"when": last.when, "cards": cards, "to_print": copies}
        return looks, found

    def _names(self) -> dict[CardKey, str]:
        """Return what cards are called; tokens by each faction that may print them."""
        game = self._game.model
        tokens = [(card.id, card.name) for card in game.tokens()]
        names = {(faction, token): name for faction in game.factions for token, name in tokens}
        return {**names, **{key: card.name for key, card in game.cards.items()}}

    def _drawn_by(self, document: DocumentLayout) -> PageTools:
        factory = document.factory
        tools = self._tools.get(id(factory))
        if tools is None or tools.factory is not factory:
            tools = self._tools[id(factory)] = make_tools(factory)
        return tools

    def _turned(self, choice: PrintRequest) -> Json:
        """Return over which edge sheets are turned, or that they are folded instead."""
        if choice.thing == "markers":
            return {"flip": Flip.LONG.value, "folded": False}
        if choice.thing == "calibration":
            return {"flip": choice.options["flip"], "folded": False}
        if "sheet" not in choice.options:
            return {"flip": None, "folded": False}
        folder, options = self._game.folder, choice.options
        said: Sheets = {
            "sheet": options["sheet"],
            "scale": options["scale"],
            "backs": options["backs"],
            "backs_apart": options["backs_apart"],
            "flip": options["flip"],
            "printer": options["printer"],
        }
        setting = load_layout(self._game.model.setup, folder.xml, resolve_sheet(folder, said), [])
        if setting is None or not setting.backs:
            return {"flip": None, "folded": False}
        folded = setting.format.folded
        return {"flip": None if folded else setting.format.flip.value, "folded": folded}


def _count_faces(told: list[DocumentData]) -> int:
    """Return how many faces of cards are on pages."""
    slots = (slot for each in told for page in each["pages"] for slot in page["slots"])
    return sum((slot["key"] or "").endswith(":face") for slot in slots)
