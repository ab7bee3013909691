"""Write pages as a reproducible PDF file with embedded fonts, bookmarks, tags and metadata."""

from __future__ import annotations

import io
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from deckwright.base.cache import BoundedCache, truncate_dict
from deckwright.base.geometry import Box
from deckwright.base.processes import track_progress
from deckwright.base.units import POINTS_PER_MM, Mm, format_decimal
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face, Op, Tag
from deckwright.ops.shared_ops import OpRun
from deckwright.paint.pdf.content import Content, Piece, Resource, add_picture
from deckwright.paint.pdf.fonts import FontFile, PdfFonts
from deckwright.paint.pdf.metadata import (
    X4,
    Info,
    OutputIntent,
    add_info,
    add_output_intent,
    format_xmp,
    pdfx_properties,
)
from deckwright.paint.pdf.objects import (
    DocumentPart,
    PdfFile,
    add_document_parts,
    encode_name,
    encode_text,
    make_stream,
)
from deckwright.paint.pdf.painter import Painter
from deckwright.paint.pdf.structure import Structure
from deckwright.sheet.pages import Page, PlacedFace
from deckwright.text.bidi import language_direction
from deckwright.text.fonts import Font

_TAGGED_VERSION, _UNTAGGED_VERSION = (1, 7), (1, 4)
"""The PDF versions of tagged files, and of untagged ones without an output intent."""
_MAX_CACHE_BYTES = 24 << 20
_MAX_CACHED_OPS = 8_000
_MAX_INLINE_BYTES = 16_000
"""The length of operators up to which a face that is shown once goes into its page.

Compressed with its neighbors, a short one takes less room. A long one does not, since compression
looks back 32 KB; as a form it is compressed once for all prints.
"""
_NAME_BYTES = 12

_FormKey = tuple[int, tuple[Mm, Mm], float]
"""The key of a placed face: its id, how far it reaches beyond the trim box, and its scale."""
DrawFace = Callable[[PlacedFace], Iterable[Op]]
"""Returns the ops of a placed face when it is painted."""
SplitRuns = Callable[[Face, Sequence[Op]], Iterable[OpRun]]
"""Splits the ops of a face; runs with keys are painted once for all faces."""


class PieceStore(Protocol):
    """The painted faces of earlier runs."""

    def find_piece(self, placed: PlacedFace) -> Piece | None:
        """Return a painted face, None if it must be painted."""

    def add_piece(self, placed: PlacedFace, piece: Piece) -> None:
        """Remember a painted face."""


class PieceMemory:
    """The most recently painted pieces in memory; a store of painted faces."""

    def __init__(self) -> None:
        """Start empty."""
        self._pieces = BoundedCache[tuple[object, ...], tuple[object, Piece]](_MAX_CACHE_BYTES)

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self._pieces)

    def get(self, key: tuple[object, ...]) -> Piece | None:
        """Return a piece by its key."""
        known = self._pieces.get(key)
        return known and known[1]

    def add(self, key: tuple[object, ...], piece: Piece, keyed: object = None) -> Piece:
        """Keep a piece with its pictures, and `keyed` alive so that ids in the key stay unique."""
        piece = piece.load_pictures()
        self._pieces.add(key, (keyed, piece), piece.size)
        return piece

    def forget(self, faces: Iterable[Face]) -> None:
        """Drop the pieces of faces."""
        ids = {id(face) for face in faces}
        self._pieces.drop(lambda key: key[0] in ids)

    def find_piece(self, placed: PlacedFace) -> Piece | None:
        """Return a painted face, None if it must be painted."""
        return self.get(_form_key(placed))

    def add_piece(self, placed: PlacedFace, piece: Piece) -> None:
        """Remember a painted face, with its pictures."""
        self.add(_form_key(placed), piece, placed.face)


class Link(NamedTuple):
    """A box on a page that leads to an anchor.

    Attributes:
        tag: the tag of the link element.
        label: what the anchor is called.
        box: in points from the bottom left of the page.
    """

    page: int
    tag: Tag
    anchor: str
    label: str
    box: Box


class OutlineEntry(NamedTuple):
    """A bookmark; its level counts from 0."""

    title: str
    anchor: str
    level: int


class Navigation(NamedTuple):
    """What leads to places in a document whose pages are counted from 0.

    Attributes:
        anchors: the page of each anchor, and its height above the foot of the page in points.
        links: in the order of the pages.
    """

    anchors: dict[str, tuple[int, float]]
    links: list[Link]
    outline: list[OutlineEntry]


def write_pdf(  # noqa: PLR0913 - as in `PdfWriter`
    stream: IO[bytes],
    pages: Sequence[Page],
    info: Info,
    fonts: Mapping[str, Font],
    images: ImageStore,
    intent: OutputIntent | None = None,
    *,
    tagged: bool = True,
    navigation: Navigation | None = None,
) -> None:
    """Write `pages` to `stream`, as PDF/A-2a and PDF/UA-1 unless they are for a press.

    A face that occurs more than once is painted once, as a form, and placed for each copy.

    Args:
        fonts: all fonts by id.
        intent: the printing condition, for pages in inks.
        tagged: whether to write a structure tree for assistive technology.
        navigation: links and bookmarks; None for the bookmarks of the pages.

    Raises:
        OutputError: if a font cannot be embedded.
    """
    writer = PdfWriter(fonts, images, intent, tagged=tagged)
    writer.write(stream, pages, info, navigation=navigation)


class PdfWriter:
    """Writes files of one game; a file depends on its own pages alone."""

    def __init__(  # noqa: PLR0913 - only the first two are needed
        self,
        fonts: Mapping[str, Font],
        images: ImageStore,
        intent: OutputIntent | None = None,
        *,
        draw: DrawFace = lambda placed: placed.face.ops,
        runs: SplitRuns = lambda _, ops: (OpRun(ops),),
        tagged: bool = True,
        keep: bool = False,
        store: PieceStore | None = None,
    ) -> None:
        """Start with nothing painted.

        Args:
            fonts: all fonts by id.
            intent: the printing condition, for files in inks.
            draw: returns the ops of a face.
            runs: splits them.
            tagged: whether files get a structure tree, unless they are for a press.
            keep: whether painted faces are kept for the next files.
            store: the painted faces of earlier runs.
        """
        self.fonts, self.intent, self.tagged = PdfFonts(fonts), intent, tagged and intent is None
        self.keep = keep
        self.painter = Painter(self.fonts, images, intent.spots if intent else {})
        self._draw, self._runs, self._store = draw, runs, store
        self._pieces = PieceMemory()

    @property
    def cached_faces(self) -> int:
        """The number of kept pieces."""
        return len(self._pieces)

    def make_pdf(
        self, pages: Sequence[Page], info: Info, parts: Sequence[DocumentPart] = ()
    ) -> bytes:
        """Return pages as a PDF file; see `write`."""
        stream = io.BytesIO()
        self.write(stream, pages, info, parts)
        return stream.getvalue()

    def write(
        self,
        stream: IO[bytes],
        pages: Sequence[Page],
        info: Info,
        parts: Sequence[DocumentPart] = (),
        navigation: Navigation | None = None,
    ) -> None:
        """Write pages to a stream.

        Args:
            parts: the document parts, if the file has any.
            navigation: links and bookmarks; None for the bookmarks of the pages.

        Raises:
            OutputError: if a font cannot be embedded.
        """
        _FileBuilder(self, stream.write, pages, info, parts, navigation).build()

    def forget(self, faces: Iterable[Face]) -> None:
        """Drop faces that are not placed again."""
        self._pieces.forget(faces)

    def paint_face(self, placed: PlacedFace, *, repeated: bool) -> Piece:
        """Return a painted face, from the cache if possible.

        Args:
            repeated: whether the file shows it several times.

        Returns:
            a form, or content without a stream, which goes into the page.
        """
        if self.keep:
            key, face = _form_key(placed), placed.face
            piece = self._pieces.get(key)
            return piece or self._pieces.add(key, self._paint_face(placed).compress(), face)
        piece = None if self._store is None else self._store.find_piece(placed)
        if piece is None:
            piece = self._paint_face(placed)
            if len(piece.operators) > _MAX_INLINE_BYTES:
                piece = piece.compress()
            if self._store is not None:
                self._store.add_piece(placed, piece)
        return piece.compress() if repeated else piece

    def _paint_face(self, placed: PlacedFace) -> Piece:
        """Paint a face, with nested forms for the runs that it shares with others."""
        painter, box, shared = self.painter, visible_box(placed), False
        corners = _format_numbers((box.x, box.y, box.right, box.bottom))
        before = len(painter.cache)
        with painter.record() as content, painter.at_scale(placed.scale):
            for run in self._runs(placed.face, tuple(self._draw(placed))):
                if run.key is None:
                    painter.paint(run.ops)
                    continue
                shared = True
                key = run.key, corners, placed.scale
                piece = self._pieces.get(key)
                if piece is None:
                    with painter.record() as form:
                        painter.paint(run.ops)
                    piece = self._pieces.add(key, form.finish(corners).compress())
                # The key of the run depends on the places of pictures, and the name may not.
                digest = blake2b(piece.box + piece.stream, digest_size=_NAME_BYTES)
                name = f"Run{digest.hexdigest()}"
                content.use("XObject", name, piece)
                content.add(f"/{name} Do")
        # What is drawn again is built again.
        if shared:
            truncate_dict(painter.cache, before)
        if len(painter.cache) > _MAX_CACHED_OPS:
            painter.cache.clear()
        return content.finish(corners)


class _FileBuilder:
    """Builds one file."""

    def __init__(
        self,
        writer: PdfWriter,
        write: Callable[[bytes], object],
        pages: Sequence[Page],
        info: Info,
        parts: Sequence[DocumentPart],
        navigation: Navigation | None,
    ) -> None:
        version = _TAGGED_VERSION if writer.tagged else _UNTAGGED_VERSION
        version = writer.intent.version if writer.intent else version
        self._writer, self._info, self._parts = writer, info, parts
        self._pages, self._navigation = pages, navigation
        self._file = PdfFile(write, version)
        self._tree = self._file.reserve()
        self._page_numbers = [self._file.reserve() for _ in pages]
        self._counts = Counter(_form_key(placed) for page in pages for placed in page.faces)
        self._structure = Structure(writer.painter) if writer.tagged else None
        self._numbers: dict[str, int] = {}
        """The objects by their names."""
        self._forms: dict[_FormKey, Resource] = {}
        self._fonts: dict[Path, tuple[FontFile, int, set[int]]] = {}
        """The fonts by their files, with their numbers and glyphs."""

    def build(self) -> None:
        """Write the file."""
        file, numbers = self._file, self._page_numbers
        root, part_of_page = b"", list[int]()
        if self._parts:
            number, part_of_page = add_document_parts(file, self._parts, numbers)
            root = b"/DPartRoot %d 0 R" % number
        links: dict[int, list[Link]] = {}
        for link in self._navigation.links if self._navigation else ():
            links.setdefault(link.page, []).append(link)
        for number, page in enumerate(track_progress(self._pages, "painting pages")):
            entries = self._page(number, page, links.get(number, ()))
            if part_of_page:
                entries += b"/DPart %d 0 R" % part_of_page[number]
            file.add(b"<</Type/Page%s>>" % entries, numbers[number])
        kids = b" ".join(b"%d 0 R" % number for number in numbers)
        file.add(b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(numbers), kids), self._tree)
        for font, number, glyphs in self._fonts.values():
            font.embed(file, number, glyphs)
        catalog = file.add(b"<</Type/Catalog%s%s>>" % (self._catalog(), root))
        file.finish(catalog, add_info(file, self._info, self._writer.intent))

    def _page(self, number: int, page: Page, links: Sequence[Link]) -> bytes:
        """Write the content of a page; return the entries of the page."""
        file, intent, structure = self._file, self._writer.intent, self._structure
        width, height = page.width * POINTS_PER_MM, page.height * POINTS_PER_MM
        on_page = (POINTS_PER_MM, 0, 0, -POINTS_PER_MM, 0, height)
        # The page is painted in mm from its top left corner.
        with self._writer.painter.record() as content:
            content.add(f"q {POINTS_PER_MM:.6f} 0 0 {-POINTS_PER_MM:.6f} 0 {height:.4f} cm")
            paint: Callable[..., None] = self._writer.painter.paint
            if structure is not None:
                structure.start_page()
                paint = partial(structure.paint, matrix=on_page)
            paint(page.lines_below)
            for placed in page.faces:
                with structure.figure(placed, on_page) if structure else nullcontext():
                    self._place(content, placed)
            if structure is not None and page.tag:
                paint = partial(paint, parent=structure.element(page.tag))
            paint(page.ops)
            content.add("Q")
        annotations = [file.reserve() for _ in links]
        for link, annotation in zip(links, annotations, strict=True):
            assert structure is not None
            target = self._destination(link.anchor)
            structure.link(link.tag, target, link.label, link.box, annotation)
        piece = content.finish()
        stream = zlib.compress(piece.operators)
        painted = file.add(make_stream(b"/Filter/FlateDecode", stream))
        size = _format_numbers((width, height))
        entries = b"/Parent %d 0 R/MediaBox[0 0 %s]" % (self._tree, size)
        if page.trim is not None:
            left, top, across, down = page.trim
            for name, by in ((b"TrimBox", 0), (b"BleedBox", page.bleed)):
                below, above = page.height - (top + down + by), page.height - (top - by)
                edges = (left - by, below, left + across + by, above)
                box = _format_numbers(round(edge * POINTS_PER_MM, 4) for edge in edges)
                entries += b"/%s[%s]" % (name, box)
        entries += b"/Contents %d 0 R/Resources%s" % (painted, self._resources(piece))
        if annotations:
            entries += b"/Annots[%s]" % b" ".join(b"%d 0 R" % each for each in annotations)
        if structure is not None:
            entries += b"/StructParents %d/Tabs/S" % number
        if intent is not None and intent.pdfx == X4:
            # Translucent content is blended in CMYK, not in RGB.
            entries += b"/Group<</Type/Group/S/Transparency/CS/DeviceCMYK/I true>>"
        return entries

    def _place(self, content: Content, placed: PlacedFace) -> None:
        """Paint a face at its place; one with a form is placed as that."""
        *turned, x, y = placed.matrix
        matrix = f"{' '.join(f'{n:.8g}' for n in turned)} {format_decimal(x)} {format_decimal(y)}"
        content.add(f"q {matrix} cm")
        key = _form_key(placed)
        form = self._forms.get(key)
        if form is None:
            piece = self._writer.paint_face(placed, repeated=self._counts[key] > 1)
            if piece.stream:
                form = self._forms[key] = Resource("XObject", f"face{len(self._forms)}", piece)
            else:
                content.add(f"{' '.join(map(format_decimal, visible_box(placed)))} re W n")
                content.place(piece)
        if form is not None:
            content.use(*form)
            content.add(f"/{form.name} Do")
        content.add("Q")

    def _destination(self, anchor: str) -> bytes:
        assert self._navigation is not None
        page, height = self._navigation.anchors[anchor]
        return b"[%d 0 R/FitH %s]" % (self._page_numbers[page], _format_numbers((height,)))

    def _resources(self, piece: Piece) -> bytes:
        """Write the objects that a piece names; return its resource dictionary."""
        kinds: dict[str, list[bytes]] = {}
        for font_id, glyphs in piece.glyphs.items():
            font = self._writer.fonts[font_id]
            if font.path not in self._fonts:
                self._fonts[font.path] = font, self._file.reserve(), set()
            _, number, used = self._fonts[font.path]
            used.update(glyphs)
            kinds.setdefault("Font", []).append(b"%s %d 0 R" % (encode_name(font_id), number))
        for resource in piece.resources:
            entry = b"/%s %d 0 R" % (resource.name.encode(), self._number(resource))
            kinds.setdefault(resource.kind, []).append(entry)
        return b"<<%s>>" % b"".join(
            b"/%s<<%s>>" % (kind.encode(), b"".join(entries)) for kind, entries in kinds.items()
        )

    def _number(self, resource: Resource) -> int:
        """Return the number of an object, writing it on first use."""
        if resource.name in self._numbers:
            return self._numbers[resource.name]
        file, body = self._file, resource.body
        if isinstance(body, bytes):
            number = file.add(body)
        elif isinstance(body, Piece):
            head = b"/Type/XObject/Subtype/Form/BBox[%s]/Resources%s/Filter/FlateDecode"
            number = file.add(make_stream(head % (body.box, self._resources(body)), body.stream))
        else:
            space = b" %d 0 R" % self._number(body.ink) if body.ink else body.space
            encoded = body.load().encoded
            assert encoded is not None
            number = add_picture(file, encoded, space)
        self._numbers[resource.name] = number
        return number

    def _catalog(self) -> bytes:
        """Return the entries of the catalog."""
        file, info, intent = self._file, self._info, self._writer.intent
        lines = pdfx_properties(intent, info, self._parts) if intent and intent.pdfx == X4 else []
        packet = format_xmp(info, *lines, tagged=self._writer.tagged).encode()
        rtl = language_direction(info.language) == "rtl"
        entries = [
            b"/Pages %d 0 R" % self._tree,
            b"/Lang%s" % encode_text(info.language) if info.language else b"",
            b"/ViewerPreferences<</DisplayDocTitle true%s>>" % (b"/Direction/R2L" if rtl else b""),
            b"/PageLabels<</Nums[0<</S/D/St 1>>]>>",
            b"/Metadata %d 0 R" % file.add(make_stream(b"/Type/Metadata/Subtype/XML", packet)),
        ]
        if intent is not None or self._structure is not None:
            entries.append(b"/OutputIntents[%d 0 R]" % add_output_intent(file, intent))
        if self._structure is not None:
            tree = self._structure.finish(file, self._page_numbers)
            entries.append(b"/MarkInfo<</Marked true>>/StructTreeRoot %d 0 R" % tree)
        if self._navigation:
            mode = b"/PageMode/UseOutlines"
            marks = [
                (title, level, self._destination(anchor))
                for title, anchor, level in self._navigation.outline
            ]
        else:
            mode = b"/PageMode/UseNone"
            marks = [
                (page.bookmark, 0, b"[%d 0 R/Fit]" % number)
                for page, number in zip(self._pages, self._page_numbers, strict=True)
                if page.bookmark is not None
            ]
        if marks:
            entries.append(b"/Outlines %d 0 R" % _add_outline(file, marks))
        return b"".join([*entries, mode])


def _add_outline(file: PdfFile, marks: Sequence[tuple[str, int, bytes]]) -> int:
    """Write bookmarks with their levels and destinations; return the number of the outline.

    Only the first level is open at first.
    """
    root = file.reserve()
    numbers = [file.reserve() for _ in marks]
    kids: dict[int, list[int]] = {}
    """The object numbers of bookmarks, by that of their parent."""
    above: list[int] = []
    """The latest bookmark of each level."""
    places: list[tuple[int, int]] = []
    for number, (_, level, _) in zip(numbers, marks, strict=True):
        del above[level:]
        siblings = kids.setdefault(above[-1] if above else root, [])
        places.append((above[-1] if above else root, len(siblings)))
        siblings.append(number)
        above.append(number)

    def range_of(parent: int) -> bytes:
        return b"/First %d 0 R/Last %d 0 R" % (kids[parent][0], kids[parent][-1])

    for number, (parent, at), (title, _, target) in zip(numbers, places, marks, strict=True):
        siblings = kids[parent]
        entries = [
            b"/Title%s/Parent %d 0 R" % (encode_text(title), parent),
            b"/Prev %d 0 R" % siblings[at - 1] if at else b"",
            b"/Next %d 0 R" % siblings[at + 1] if at + 1 < len(siblings) else b"",
            b"/Count %d%s" % (-len(kids[number]), range_of(number)) if number in kids else b"",
            b"/Dest%s" % target,
        ]
        file.add(b"<<%s>>" % b"".join(entries), number)
    file.add(b"<</Type/Outlines/Count %d%s>>" % (len(kids[root]), range_of(root)), root)
    return root


def _form_key(placed: PlacedFace) -> _FormKey:
    return id(placed.face), placed.reach, placed.scale


def visible_box(placed: PlacedFace) -> Box:
    """Return the visible part of a placed face, in its own coordinates."""
    (across, down), face = placed.reach, placed.face
    return Box(-across, -down, face.width + 2 * across, face.height + 2 * down)


def _format_numbers(numbers: Iterable[float]) -> bytes:
    return " ".join(format_decimal(number, 4) for number in numbers).encode()
