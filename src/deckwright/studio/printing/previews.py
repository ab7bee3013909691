"""Print previews: pages laid out by the code that prints them, and drawn on demand.

They run in a process of their own that keeps the game open, so that repeated previews are fast.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from deckwright import __version__
from deckwright.api import FaceName, Game, GameError, Print
from deckwright.api.options import Sheets, resolve_sheet
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import OutputError
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
from deckwright.studio.answers import Json, LocalizedError
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
"""The resolution at which pages of books are drawn."""


class SlotData(NamedTuple):
    """A face on a page.

    Attributes:
        key: its key in the face grid; None if it belongs to no card.
        x, y, width, height: its trim box on the page.
        turn: its rotation in quarter turns clockwise.
        copy: its number among the document's copies of this face.
        state: "new" or "changed" compared with the previous print.
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


class PageData(NamedTuple):
    """A page.

    Attributes:
        behind: for a back page, the indexes of its front: document and page, from 0.
        picture: the path of its picture.
    """

    number: int
    width: Mm
    height: Mm
    title: str | None
    picture: str
    slots: Sequence[SlotData] = ()
    behind: tuple[int, int] | None = None


class DocumentData(NamedTuple):
    """A document in the preview."""

    file: str
    pages: list[PageData]


class PagePicture(NamedTuple):
    """The picture of a page, drawn on demand; its file name is its hash."""

    name: str
    draw: Callable[[], str | bytes]


class PageTools(NamedTuple):
    """The tools for drawing and hashing the pages of a factory's faces."""

    factory: FaceFactory
    digests: Digests
    glyphs: GlyphOutlines


def make_tools(factory: FaceFactory) -> PageTools:
    """Return the tools for the pages of a factory's faces."""
    digests = Digests(factory.fonts, factory.pictures.store)
    return PageTools(factory, digests, GlyphOutlines(factory.fonts))


class PageSerializer:
    """Serializes documents, and collects the pictures of their pages.

    Attributes:
        pictures: the pictures by name.
    """

    def __init__(self, names: Mapping[CardKey, str], looks: Mapping[CardKey, str]) -> None:
        """Take the names of cards, and the states of those that have changed."""
        self._names, self._states = names, looks
        self.pictures: dict[str, PagePicture] = {}

    def serialize_document(self, document: DocumentLayout, tools: PageTools) -> DocumentData:
        """Return a document as plain data; its pages are drawn as SVG."""
        copies: Counter[object] = Counter()
        pages = []
        for number, page in enumerate(document.pages):
            name = f"{_hash_page(page, tools.digests)}.svg"
            self.pictures[name] = PagePicture(name, partial(_draw_svg, page, tools))
            slots = [self._serialize_slot(placed, copies) for placed in page.faces]
            pages.append(_page_data(number, (page.width, page.height), page.bookmark, name, slots))
        return DocumentData(document.target.name, pages)

    def serialize_pdf(self, path: Path) -> DocumentData:
        """Return a PDF file as plain data; its pages are drawn as PNG."""
        data = path.read_bytes()
        book, digest = open_pages(data), blake2b(data, digest_size=16)
        pages = []
        for number, size in enumerate(book.sizes):
            one = digest.copy()
            one.update(f"{number} {__version__}".encode())
            name = f"{one.hexdigest()}.png"
            self.pictures[name] = PagePicture(name, partial(book.png, number, _RASTER_DPI))
            pages.append(_page_data(number, size, None, name))
        return DocumentData(path.name, pages)

    def _serialize_slot(self, placed: PlacedFace, copies: Counter[object]) -> SlotData:
        of = placed.face_key
        same = (of, placed.is_back) if of else (placed.face.subject, id(placed.face))
        copies[same] += 1
        key, name, state = None, placed.face.subject, None
        if of is not None:
            key = face_key(FaceName(of[0], of[1], back=placed.is_back, part=of[2]))
            name, state = self._names.get(of[:2], of[1]), self._states.get(of[:2])
        x, y, width, height = (round(value, 4) for value in placed.box)
        return SlotData(key, name, x, y, width, height, placed.turn, copies[same], state)


def pair_backs(serialized: list[DocumentData], documents: Iterable[DocumentLayout]) -> None:
    """Link back pages to their front pages.

    A back page follows its front, or is in a document of backs that follows that of the fronts.
    """
    faces: list[tuple[int, int]] = []
    for number, document in enumerate(documents):
        pages = document.pages
        apart = bool(pages) and all(page.is_back for page in pages) and len(pages) == len(faces)
        for at, page in enumerate(pages):
            if page.is_back:
                front = faces[at] if apart else (number, at - 1)
                serialized[number].pages[at] = serialized[number].pages[at]._replace(behind=front)
        faces = [(number, at) for at, page in enumerate(pages) if page.faces and not page.is_back]


def _page_data(
    number: int,
    size: tuple[Mm, Mm],
    title: str | None,
    picture: str,
    slots: Sequence[SlotData] = (),
) -> PageData:
    width, height = (round(side, 4) for side in size)
    return PageData(number + 1, width, height, title, f"/sheets/{picture}", slots)


def _draw_svg(page: Page, tools: PageTools) -> str:
    look = SvgOptions(page.bookmark or "", ground=None)
    return page_svg(page, tools.glyphs, tools.factory.pictures.store, look)


def _hash_page(page: Page, digests: Digests) -> str:
    """Return a hash that is equal for pages that look the same."""
    base = [__version__, page.bookmark, digests.of(Face(page.width, page.height, page.ops))]
    faces = [
        [digests.of(p.face), p.turn, *(f"{n:.4f}" for n in (*p.box, *p.reach))] for p in page.faces
    ]
    return blake2b(json.dumps([base, faces]).encode(), digest_size=16).hexdigest()


MAX_PAGES = 2000
_MAX_KEPT_PREVIEWS = 6
"""The number of recent previews whose pages can still be drawn."""


class _Layout(NamedTuple):
    """The result of laying out a request.

    Attributes:
        vectors: documents with pages of ops.
        books: the PDF files of documents that are typeset as a whole.
    """

    vectors: list[DocumentLayout]
    books: list[Path]
    prints: list[Print]
    findings: list[Diagnostic]


class PreviewRenderer:
    """Lays out the pages of a game, and draws them."""

    def __init__(self, game: Game) -> None:
        """Take a game that was opened with a cache of its files."""
        self._game = game
        self._tools: dict[int, PageTools] = {}
        self._recent_pictures: deque[Mapping[str, PagePicture]] = deque(maxlen=_MAX_KEPT_PREVIEWS)

    def preview(self, request: PrintRequest) -> Json:
        """Return the pages of a print request, whatever its target folder.

        Raises:
            ChoiceError: if it is invalid, or has too many pages.
            GameError: if no part of it can be printed.
        """
        self._reload()
        with TemporaryDirectory() as folder:
            request = request._replace(target_folder=Path(folder))
            layout = self._lay_out(request)
            looks, changed = self._compare_with_previous(request, layout.prints)
            binder = PageSerializer(self._card_names(), looks)
            serialized = [
                binder.serialize_document(each, self._tools_for(each)) for each in layout.vectors
            ]
            pair_backs(serialized, layout.vectors)
            serialized += [binder.serialize_pdf(path) for path in layout.books]
        self._recent_pictures.appendleft(binder.pictures)
        return {
            "documents": serialized,
            "sheets": sum(each.sheets for each in layout.prints),
            "cards": _count_faces(serialized),
            "empty": sum(each.empty for each in layout.prints),
            "spare": dict(sum((Counter(each.spare) for each in layout.prints), Counter[str]())),
            "changes": [line for each in layout.prints for line in each.changes],
            "findings": [serialize_finding(each, self._game.path) for each in layout.findings],
            "changed": changed,
            **self._describe_flip(request),
        }

    def changes(self, deck: str, prints: tuple[Path, ...]) -> Json:
        """Return the changes in a deck since its previous print.

        Raises:
            GameError: if the deck or its manifest has an error.
        """
        self._reload()
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
        """Draw the picture of a page by name; return None if the preview is too old."""
        picture = next((known[name] for known in self._recent_pictures if name in known), None)
        return None if picture is None else picture.draw()

    def _reload(self) -> None:
        """Read changed files."""
        if self._game.reload().files:
            self._tools.clear()

    def _lay_out(self, request: PrintRequest) -> _Layout:
        layout = _Layout([], [], [], [])
        pages = 0
        for task in build_tasks(self._game, request):
            with capture_layout() as documents:
                try:
                    result = task.make()
                except GameError as error:
                    layout.findings.extend(f for f in error.findings if f not in layout.findings)
                    continue
            layout.findings.extend(f for f in result.findings if f not in layout.findings)
            layout.vectors.extend(documents)
            pages += sum(len(document.pages) for document in documents)
            if pages > MAX_PAGES:
                message = f"these are more than {MAX_PAGES:,} pages"
                hint = "look at less at a time; printing has no such limit"
                raise LocalizedError("print-too-large", str(MAX_PAGES), message=message, hint=hint)
            if isinstance(result, Print):
                layout.prints.append(result)
            path = request.target_folder / task.name
            if not documents and path.suffix == ".pdf" and path.is_file():
                layout.books.append(path)
        if layout.findings and not layout.vectors and not layout.books:
            raise GameError(layout.findings)
        return layout

    def _compare_with_previous(
        self, request: PrintRequest, prints: Iterable[Print]
    ) -> tuple[dict[CardKey, str], Json]:
        """Return the cards that differ from each deck's previous print, and a summary by deck."""
        looks: dict[CardKey, str] = {}
        summaries: Json = {}
        for now in (manifest for each in prints for manifest in each.manifests):
            last = find_previous_print(now.deck, request.print_folders, self._game.name, [])
            if last is not None:
                changes = changed_since(last.manifest, now)
                looks |= changed_states(changes)
                cards, copies = len(changes.cards), sum(changes.to_print.values())
                summaries[now.deck] = {"when": last.printed_at, "cards": cards, "to_print": copies}
        return looks, summaries

    def _card_names(self) -> dict[CardKey, str]:
        """Return the names of cards by key; tokens under each faction that may print them."""
        game = self._game.model
        tokens = [(card.id, card.name) for card in game.tokens()]
        names = {(faction, token): name for faction in game.factions for token, name in tokens}
        return {**names, **{key: card.name for key, card in game.cards.items()}}

    def _tools_for(self, document: DocumentLayout) -> PageTools:
        factory = document.factory
        tools = self._tools.get(id(factory))
        if tools is None or tools.factory is not factory:
            tools = self._tools[id(factory)] = make_tools(factory)
        return tools

    def _describe_flip(self, request: PrintRequest) -> Json:
        """Return the edge over which sheets are flipped, or whether they are folded instead."""
        if request.product == "markers":
            return {"flip": Flip.LONG.value, "folded": False}
        if request.product == "calibration":
            return {"flip": request.options["flip"], "folded": False}
        if "sheet" not in request.options:
            return {"flip": None, "folded": False}
        folder, options = self._game.folder, request.options
        sheet_options: Sheets = {
            "sheet": options["sheet"],
            "scale": options["scale"],
            "backs": options["backs"],
            "backs_apart": options["backs_apart"],
            "flip": options["flip"],
            "printer": options["printer"],
        }
        try:
            setting = load_layout(
                self._game.model.setup, folder.xml, resolve_sheet(folder, sheet_options), []
            )
        except OutputError:
            return {"flip": None, "folded": False}
        if not setting.backs:
            return {"flip": None, "folded": False}
        folded = setting.format.is_folded
        return {"flip": None if folded else setting.format.flip.value, "folded": folded}


def _count_faces(documents: list[DocumentData]) -> int:
    """Return the number of card faces on all pages."""
    slots = (slot for each in documents for page in each.pages for slot in page.slots)
    return sum((slot.key or "").endswith(":face") for slot in slots)
