"""Print previews: pages laid out by the code that prints them, and drawn on demand.

They are made in a child process that keeps the game open, so that repeated previews are fast.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

from deckwright import __version__
from deckwright.api import FaceName, Game, GameError, Print
from deckwright.api.options import Sheets, resolve_sheet
from deckwright.base.findings import Diagnostic, Report
from deckwright.base.output import OutputError
from deckwright.base.units import Mm
from deckwright.diff.manifest import Digests
from deckwright.diff.manifest_changes import changed_since, changes_as_json
from deckwright.faces.factory import FaceFactory
from deckwright.game.model import CardKey
from deckwright.ops.model import Face
from deckwright.outputs.pages import DocumentLayout, capture_layout
from deckwright.paint.raster import open_pages
from deckwright.paint.svg import GlyphOutlines, SvgOptions, page_svg
from deckwright.sheet.grid import Flip
from deckwright.sheet.layout import load_layout
from deckwright.sheet.pages import PlacedFace
from deckwright.studio.answers import Json, LocalizedError, fingerprint_of, pick
from deckwright.studio.described import serialize_finding
from deckwright.studio.faces import face_key
from deckwright.studio.printing.tasks import PrintRequest, build_tasks, find_previous_print

_RASTER_DPI = 120
"""The resolution at which pages of PDF files are drawn."""


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
        picture: the path of its picture.
        behind: for a back page, the indexes of the document and page of its front.
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


PageTools = tuple[FaceFactory, Digests, GlyphOutlines]
"""A factory, and what hashes and draws pages with its faces."""
DrawPage = Callable[[], str | bytes]
"""A function that draws the picture of a page."""


class PageSerializer:
    """Serializes documents, and collects the pictures of their pages.

    Attributes:
        pictures: the pictures by file name, which is a hash of the page and an ending.
    """

    def __init__(self, names: Mapping[CardKey, str], states: Mapping[CardKey, str]) -> None:
        """Take the names of cards, and the states of those that have changed."""
        self._names, self._states = names, states
        self.pictures: dict[str, DrawPage] = {}

    def serialize_document(self, document: DocumentLayout, tools: PageTools) -> DocumentData:
        """Return a document as plain data; its pages are drawn as SVG."""
        factory, digests, glyphs = tools
        copies: Counter[object] = Counter()
        pages = []
        for number, page in enumerate(document.pages):
            size = page.width, page.height
            look = [
                [
                    __version__,
                    page.bookmark,
                    digests.of(Face(*size, (*page.lines_below, *page.ops))),
                ],
                [
                    [digests.of(p.face), p.turn, *(f"{n:.4f}" for n in (*p.box, *p.reach))]
                    for p in page.faces
                ],
            ]
            name = f"{fingerprint_of(json.dumps(look).encode())}.svg"
            svg_options = SvgOptions(page.bookmark or "", ground=None)
            self.pictures[name] = partial(
                page_svg, page, glyphs, factory.pictures.store, svg_options
            )
            # Cards in the head of a text are pictures, not copies to print.
            faces = () if page.tag else page.faces
            slots = [self._serialize_slot(placed, copies) for placed in faces]
            pages.append(_page_data(number, size, page.bookmark, name, slots))
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
            self.pictures[name] = partial(book.png, number, _RASTER_DPI)
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
        faces = [
            (number, at)
            for at, page in enumerate(pages)
            if page.faces and not page.is_back and not page.tag
        ]


def _page_data(
    number: int,
    size: tuple[Mm, Mm],
    title: str | None,
    picture: str,
    slots: Sequence[SlotData] = (),
) -> PageData:
    width, height = (round(side, 4) for side in size)
    return PageData(number + 1, width, height, title, f"/sheets/{picture}", slots)


MAX_PAGES = 2000
_MAX_KEPT_PREVIEWS = 6
"""The number of recent previews whose pages can still be drawn."""


class PreviewRenderer:
    """Lays out the pages of a game, and draws them."""

    def __init__(self, game: Game) -> None:
        """Take a game that was opened with a cache of its files."""
        self._game = game
        self._tools: dict[int, PageTools] = {}
        self._recent_pictures: deque[Mapping[str, DrawPage]] = deque(maxlen=_MAX_KEPT_PREVIEWS)

    def preview(self, request: PrintRequest) -> Json:
        """Return the pages of a print request, without writing to its target folder.

        Raises:
            ChoiceError: if it is invalid, or has too many pages.
            GameError: if no part of it can be printed.
        """
        self._reload()
        model = self._game.model
        vectors: list[DocumentLayout] = []
        books: list[Path] = []  # PDF files of documents that are typeset as a whole
        prints: list[Print] = []
        findings: list[Diagnostic] = []
        with TemporaryDirectory() as folder:
            request = request._replace(target_folder=Path(folder))
            for task in build_tasks(self._game, request):
                with capture_layout() as documents:
                    try:
                        result = task.make()
                    except GameError as error:
                        findings += [each for each in error.findings if each not in findings]
                        continue
                findings += [each for each in result.findings if each not in findings]
                vectors += documents
                if sum(len(document.pages) for document in vectors) > MAX_PAGES:
                    message = f"these are more than {MAX_PAGES:,} pages"
                    hint = "look at less at a time; printing has no such limit"
                    key, most = "print-too-large", str(MAX_PAGES)
                    raise LocalizedError(key, most, message=message, hint=hint)
                if isinstance(result, Print):
                    prints.append(result)
                path = request.target_folder / task.name
                if not documents and path.suffix == ".pdf" and path.is_file():
                    books.append(path)
            if findings and not vectors and not books:
                raise GameError(findings)
            states, changed = self._compare_with_previous(request, prints)
            tokens = [(card.id, card.name) for card in model.tokens()]
            names = {(faction, token): name for faction in model.factions for token, name in tokens}
            names |= {key: card.name for key, card in model.cards.items()}
            serializer = PageSerializer(names, states)
            serialized = [
                serializer.serialize_document(each, self._tools_for(each.factory))
                for each in vectors
            ]
            pair_backs(serialized, vectors)
            serialized += [serializer.serialize_pdf(path) for path in books]
        self._recent_pictures.appendleft(serializer.pictures)
        slots = (slot for each in serialized for page in each.pages for slot in page.slots)
        return {
            "documents": serialized,
            "sheets": sum(each.sheets for each in prints),
            "cards": sum((slot.key or "").endswith(":face") for slot in slots),
            "empty": sum(each.empty for each in prints),
            "spare": dict(sum((Counter(each.spare) for each in prints), Counter[str]())),
            "changes": [line for each in prints for line in each.changes],
            "findings": [serialize_finding(each, self._game.path) for each in findings],
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
        changes = changed_since(before, printed.manifests[0])
        return {
            "last": {
                **pick(before, "sheet", "style", "title"),
                "when": last.printed_at,
                "copies": sum(entry.copies for entry in before.entries),
            },
            "to_print": sum(changes.to_print.values()),
            "cards": json.loads(changes_as_json(("", ""), changes.cards))["changes"],
        }

    def picture(self, name: str) -> str | bytes | None:
        """Draw the picture of a page by name; return None if the preview is too old."""
        draw = next((known[name] for known in self._recent_pictures if name in known), None)
        return None if draw is None else draw()

    def _reload(self) -> None:
        """Read changed files."""
        if self._game.reload().files:
            self._tools.clear()

    def _compare_with_previous(
        self, request: PrintRequest, prints: Iterable[Print]
    ) -> tuple[dict[CardKey, str], Json]:
        """Return the cards that differ from each deck's previous print, and a summary by deck."""
        states: dict[CardKey, str] = {}
        summaries: Json = {}
        for now in (manifest for each in prints for manifest in each.manifests):
            last = find_previous_print(now.deck, request.print_folders, self._game.name, [])
            if last is not None:
                changes = changed_since(last.manifest, now)
                states |= {
                    (change.faction_id, change.card_id): change.state
                    for change in changes.cards
                    if change.state in {"new", "changed"}
                }
                cards, copies = len(changes.cards), sum(changes.to_print.values())
                summaries[now.deck] = {"when": last.printed_at, "cards": cards, "to_print": copies}
        return states, summaries

    def _tools_for(self, factory: FaceFactory) -> PageTools:
        tools = self._tools.get(id(factory))
        if tools is None or tools[0] is not factory:
            digests = Digests(factory.fonts, factory.pictures.store)
            tools = self._tools[id(factory)] = factory, digests, GlyphOutlines(factory.fonts)
        return tools

    def _describe_flip(self, request: PrintRequest) -> Json:
        """Return the edge over which sheets are flipped, and whether they are folded instead."""
        flat: Json = {"flip": None, "folded": False}
        folder, options = self._game.folder, request.options
        if request.product == "markers":
            return {**flat, "flip": Flip.LONG.value}
        if request.product == "calibration":
            return {**flat, "flip": options["flip"]}
        if "sheet" not in options:
            return flat
        names = ("sheet", "scale", "backs", "backs_apart", "flip", "printer")
        sheet_options = cast("Sheets", {name: options[name] for name in names})
        try:
            setting = load_layout(
                self._game.model.setup, folder.xml, resolve_sheet(folder, sheet_options), []
            )
        except OutputError:
            return flat
        if not setting.backs:
            return flat
        folded = setting.format.is_folded
        return {"flip": None if folded else setting.format.flip.value, "folded": folded}
