"""Write PDF files from cached fonts and forms, without ReportLab.

The file has the same pages, texts, structure and metadata, but other bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from reportlab.pdfbase.pdfdoc import PDFObject

from deckwright.base.units import POINTS_PER_MM, format_decimal
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face
from deckwright.paint.pdf.document import FormKey, form_key, page_boxes, paint_page
from deckwright.paint.pdf.form_cache import (
    CachedForm,
    DrawPlaced,
    FormCache,
    PaintedContent,
    SplitRuns,
    one_run,
)
from deckwright.paint.pdf.metadata import (
    CREATOR,
    PRODUCER,
    X1A,
    X4,
    Info,
    OutputIntent,
    format_xmp,
    pdfx_properties,
)
from deckwright.paint.pdf.objects import (
    DocumentPart,
    DocumentParts,
    ObjectTable,
    RawObject,
    encode_text,
)
from deckwright.paint.pdf.structure import Structure
from deckwright.sheet.pages import Page
from deckwright.text.fonts import Font

_TAGGED_VERSION, _UNTAGGED_VERSION = (1, 7), (1, 4)
"""The PDF versions of tagged files, and of untagged ones without an output intent."""


class MissingLettersError(Exception):
    """Raised if the cache lacks letters; `letters` has them with the ids of their fonts."""

    def __init__(self, letters: frozenset[tuple[str, str]]) -> None:
        """Remember the missing letters."""
        super().__init__("".join(sorted({letter for _, letter in letters})))
        self.letters = letters


def build_pdf(
    pages: Sequence[Page], info: Info, cache: FormCache, parts: Sequence[DocumentPart] = ()
) -> bytes:
    """Return `pages` as a file, as PDF/A-2a and PDF/UA-1 unless the cache is for a press.

    Args:
        parts: the document parts, if the file has any.

    Raises:
        MissingLettersError: if the cache lacks letters of the pages.
    """
    return _PdfBuilder(info, cache, parts).of(pages)


class _PdfBuilder:
    """Builds one file."""

    def __init__(self, info: Info, stock: FormCache, parts: Sequence[DocumentPart]) -> None:
        self._info, self._stock = info, stock
        self._numbered = ObjectTable()
        self._structure = Structure(stock.canvas, stock.painter) if stock.tagged else None
        self._document_parts = parts
        self._parts = DocumentParts(parts, self._numbered.enter) if parts else None
        self._catalog, self._tree, self._fonts = RawObject(b""), RawObject(b""), RawObject(b"")
        for entered in (self._catalog, self._tree, self._fonts):
            self._numbered.enter(entered)
        self._pieces: dict[FormKey, CachedForm] = {}
        self._names: dict[FormKey, str] = {}
        self._forms: dict[str, CachedForm] = {}
        self._used = set[str]()
        self._missing = set[tuple[str, str]]()

    def of(self, pages: Sequence[Page]) -> bytes:
        """Return the serialized file."""
        for page in pages:
            for placed in page.faces:
                key = form_key(placed)
                if key not in self._names:
                    piece = self._pieces[key] = self._stock.piece(placed)
                    name = self._names[key] = f"face{len(self._names)}"
                    self._forms[name] = piece
                    self._used |= piece.fonts
                    self._missing |= piece.missing
        objects = [self._page(number, page) for number, page in enumerate(pages)]
        if self._missing:
            raise MissingLettersError(frozenset(self._missing))
        enter = self._numbered.enter
        kids = b" ".join(b"%d 0 R" % enter(each) for each in objects)
        self._tree.text = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(objects), kids)
        fonts = (f"/{name} {enter(self._stock.fonts[name])} 0 R" for name in sorted(self._used))
        self._fonts.text = f"<<{''.join(fonts)}>>".encode()
        if self._parts is not None:
            self._parts.finish([enter(each) for each in objects])
        press = self._stock.press
        info = RawObject(_info_dictionary(self._info, press))
        self._catalog.text = b"".join(self._entries(pages, objects))
        trailer = {"Root": self._catalog, "Info": info}
        enter(info)
        version = (
            press.version if press else _TAGGED_VERSION if self._stock.tagged else _UNTAGGED_VERSION
        )
        return self._numbered.to_bytes(trailer, self._fonts, version)

    def _page(self, number: int, page: Page) -> RawObject:
        """Return a page with its content.

        Args:
            number: the page index, from 0.
        """
        canvas, enter = self._stock.canvas, self._numbered.enter
        canvas._pageNumber = number + 1  # noqa: SLF001 - no other way
        with self._stock.capture() as captured:
            paint_page(canvas, self._stock.painter, page, self._names, self._structure)
        (content,) = captured
        self._used |= content.fonts
        self._missing |= content.missing
        boxes = b"/MediaBox[0 0 %s]" % _format_numbers(
            (page.width * POINTS_PER_MM, page.height * POINTS_PER_MM)
        )
        trim_and_bleed = page_boxes(page)
        if trim_and_bleed is not None:
            boxes += b"/TrimBox[%s]/BleedBox[%s]" % tuple(map(_format_numbers, trim_and_bleed))
        data = content.data
        stream = b"<</Filter/FlateDecode/Length %d>>\nstream\n%s\r\nendstream" % (len(data), data)
        parent, painted = enter(self._tree), enter(RawObject(stream))
        entries = b"/Parent %d 0 R%s/Contents %d 0 R" % (parent, boxes, painted)
        used = self._resources(content)
        if self._structure is not None:
            entries += b"/StructParents %d/Tabs/S" % number
        if self._parts is not None:
            entries += b"/DPart %d 0 R" % self._parts.part_of_page(number)
        press = self._stock.press
        if press is not None and press.pdfx == X4:
            # Translucent content is blended in CMYK, not in RGB.
            entries += b"/Group<</Type/Group/S/Transparency/CS/DeviceCMYK/I true>>"
        return RawObject(b"<</Type/Page%s/Resources<<%s>>>>" % (entries, used))

    def _resources(self, content: PaintedContent) -> bytes:
        """Return the resources of a page."""
        enter = self._numbered.enter
        first, *rest = content.resources
        chunks = [b"/Font %d 0 R" % enter(self._fonts), first]
        for chunk, other in zip(rest, content.references, strict=True):
            chunks += [b"%d 0 R" % enter(other), chunk]
        for name in content.forms:
            shown = self._stock.form_name(name).encode()
            chunks.append(b"/%s %d 0 R" % (shown, enter(self._forms[name].form)))
        return b"".join([*chunks, b">>"])

    def _entries(self, pages: Sequence[Page], objects: Sequence[RawObject]) -> list[bytes]:
        """Return the entries of the catalog."""
        enter, info = self._numbered.enter, self._info
        stock, press = self._stock, self._stock.press
        lines = (
            []
            if press is None or press.pdfx != X4
            else pdfx_properties(press, info, self._document_parts)
        )
        packet = format_xmp(info, *lines, tagged=stock.tagged).encode()
        metadata = b"<</Type/Metadata/Subtype/XML/Length %d>>\nstream\n%s\r\nendstream"
        stream = enter(RawObject(metadata % (len(packet), packet)))
        more = []
        if stock.intent is not None:
            more.append(b"/OutputIntents[%d 0 R]" % enter(stock.intent))
        if self._structure is not None:
            structure = enter(self._structure.enter(enter, objects))
            more.append(b"/MarkInfo<</Marked true>>/StructTreeRoot %d 0 R" % structure)
        if self._parts is not None:
            more.append(b"/DPartRoot %d 0 R" % self._parts.root)
        return [
            b"<</Type/Catalog/Pages %d 0 R/PageMode/UseNone" % enter(self._tree),
            b"/Lang%s" % encode_text(info.language) if info.language else b"",
            b"/ViewerPreferences<</DisplayDocTitle true>>",
            b"/PageLabels<</Nums[0<</S/D/St 1>>]>>",
            b"/Metadata %d 0 R" % stream,
            *more,
            _enter_outlines(pages, objects, enter),
            b">>",
        ]


def _enter_outlines(
    pages: Sequence[Page], objects: Sequence[RawObject], enter: Callable[[PDFObject], int]
) -> bytes:
    """Enter the bookmarks; return their catalog entry, empty if there are none."""
    titled = [
        (page.bookmark, target)
        for page, target in zip(pages, objects, strict=True)
        if page.bookmark is not None
    ]
    if not titled:
        return b""
    top = RawObject(b"")
    items = [RawObject(b"") for _ in titled]
    above, numbers = enter(top), [enter(item) for item in items]
    for at, (item, (title, page)) in enumerate(zip(items, titled, strict=True)):
        before = b"/Prev %d 0 R" % numbers[at - 1] if at else b""
        after = b"/Next %d 0 R" % numbers[at + 1] if at + 1 < len(items) else b""
        item.text = b"<</Title%s/Parent %d 0 R%s%s/Dest[%d 0 R/Fit]>>" % (
            *(encode_text(title), above, before, after),
            enter(page),
        )
    top.text = b"<</Type/Outlines/Count %d/First %d 0 R/Last %d 0 R>>" % (
        *(len(items), numbers[0], numbers[-1]),
    )
    return b"/Outlines %d 0 R" % above


def _info_dictionary(info: Info, press: OutputIntent | None) -> bytes:
    """Return the Info dictionary, with the same values as the XMP."""
    date = info.date.strftime("(D:%Y%m%d%H%M%S+00'00')").encode()
    texts = {
        "Title": info.title,
        "Author": info.author,
        "Subject": info.subject,
        "Creator": CREATOR,
        "Producer": PRODUCER,
    }
    entries = b"".join(
        b"/%s%s" % (name.encode(), encode_text(text)) for name, text in texts.items()
    )
    if press is not None and press.stated and press.pdfx == X1A:
        entries += b"/GTS_PDFXVersion%s" % encode_text(X1A)
    return b"<<%s/CreationDate%s/ModDate%s/Trapped/False>>" % (entries, date, date)


def _format_numbers(numbers: Sequence[float]) -> bytes:
    return " ".join(format_decimal(number, 4) for number in numbers).encode()


_MissingLetters = frozenset[tuple[str, str]]


class PdfWriter:
    """Writes files of a game; each depends only on its own pages."""

    def __init__(
        self,
        fonts: Mapping[str, Font],
        images: ImageStore,
        letters: Mapping[str, str],
        draw_placed: DrawPlaced,
        intent: OutputIntent | None = None,
        *,
        tagged: bool = True,
        runs: SplitRuns = one_run,
    ) -> None:
        """Create the cache with these letters.

        Args:
            fonts, letters, drawn, intent, tagged, runs: as for `FormCache`.

        Raises:
            CannotMakeError: if a font cannot be embedded.
        """
        self._letters = letters
        self._make_cache = partial(
            FormCache,
            fonts,
            images,
            draw_placed=draw_placed,
            intent=intent,
            tagged=tagged,
            runs=runs,
        )
        self._cache = self._make_cache(letters)
        self._extended: tuple[_MissingLetters, FormCache] | None = None

    @property
    def cached_faces(self) -> int:
        """The number of cached forms."""
        return len(self._cache)

    def make_pdf(
        self, pages: Sequence[Page], info: Info, parts: Sequence[DocumentPart] = ()
    ) -> bytes:
        """Return pages as a PDF file.

        Args:
            parts: the document parts, if the file has any.

        Raises:
            CannotMakeError: if a font cannot be embedded.
        """
        try:
            return build_pdf(pages, info, self._cache, parts)
        except MissingLettersError as error:
            return build_pdf(pages, info, self._with_letters(error.letters), parts)

    def forget(self, faces: Sequence[Face]) -> None:
        """Forget faces that are not placed again."""
        for stock in (self._cache, *(self._extended or ())[1:]):
            stock.forget(faces)

    def _with_letters(self, letters: _MissingLetters) -> FormCache:
        """Return a cache with additional letters; the latest one is kept."""
        if self._extended is None or self._extended[0] != letters:
            more: dict[str, str] = {}
            for font_id, letter in sorted(letters):
                more[font_id] = more.get(font_id, self._letters.get(font_id, "")) + letter
            self._extended = letters, self._make_cache({**self._letters, **more})
        return self._extended[1]
