"""A cache of what the files of one game share: fonts, and faces painted once as forms.

A file depends only on its own pages, not on the files before it: names are derived from content,
and the letters of the fonts are fixed when the cache is created.
"""

from __future__ import annotations

import re
import zlib
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from io import BytesIO
from types import MappingProxyType
from typing import NamedTuple
from weakref import WeakValueDictionary

from reportlab.pdfbase.pdfdoc import PDFObject
from reportlab.pdfgen.canvas import Canvas

from deckwright.base.units import format_decimal
from deckwright.images.store import ImageStore
from deckwright.ops.model import Face, Op
from deckwright.ops.shared_ops import OpRun
from deckwright.paint.pdf import colors, metadata
from deckwright.paint.pdf.colors import Spot, shading
from deckwright.paint.pdf.document import FormKey, form_key, prepare_reportlab, visible_box
from deckwright.paint.pdf.fonts import PdfFonts, first_font, locate_font_errors
from deckwright.paint.pdf.metadata import OutputIntent
from deckwright.paint.pdf.objects import ObjectTemplate
from deckwright.paint.pdf.painter import Painter
from deckwright.sheet.pages import PlacedFace
from deckwright.text.fonts import Font

_MAX_CACHE_BYTES = 24 << 20
"""The size limit of cached forms and their pictures, in bytes."""
_MAX_CACHED_OPS = 8_000
"""The maximum number of ops with cached operators."""
_DIGEST_BYTES = 12
_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_FONT = re.compile(r"/(F\d+\+\d+) ")
_CacheKey = FormKey | tuple[bytes, bytes, float]
"""The key of a cached form: a placed face, or a run of ops with its box and scale."""
_STREAM_START, _STREAM_END = b"\nstream\n", b"endstream\n"


_NO_SPOTS: Mapping[str, Spot] = MappingProxyType({})
DrawPlaced = Callable[[PlacedFace], Iterable[Op]]
SplitRuns = Callable[[Face, Sequence[Op]], Iterable[OpRun]]


def one_run(_: Face, ops: Sequence[Op]) -> Iterable[OpRun]:
    """Return the ops of a face as one run that no other face shares."""
    return (OpRun(ops),)


class PaintedContent(NamedTuple):
    """Painted content.

    Attributes:
        data: the compressed operators.
        resources: all but fonts and forms of faces, with gaps for the numbers of `references`.
        forms: the names of the faces' forms that it shows.
        fonts: the resource names of its fonts.
        missing: letters that the cache lacks, with the ids of their fonts.
    """

    data: bytes
    resources: tuple[bytes, ...]
    references: tuple[ObjectTemplate, ...]
    forms: tuple[str, ...]
    fonts: frozenset[str]
    missing: frozenset[tuple[str, str]]


class CachedForm(NamedTuple):
    """The form of a face, or of ops that several faces share; then `face` is None."""

    face: Face | None
    form: ObjectTemplate
    fonts: frozenset[str]
    missing: frozenset[tuple[str, str]]


class FormCache:
    """The fonts with the letters of a game, and the forms of its faces.

    Attributes:
        canvas: the scratch canvas; `painting` captures what is painted on it.
        painter: paints on the canvas.
        fonts: the fonts by resource name.
        intent: what files say of their colors, None for nothing.
        press: what they are printed for, if they are in inks.
        tagged: whether they are PDF/A-2a and PDF/UA-1.
    """

    def __init__(
        self,
        fonts: Mapping[str, Font],
        images: ImageStore,
        letters: Mapping[str, Iterable[str]],
        draw_placed: DrawPlaced,
        intent: OutputIntent | None = None,
        *,
        tagged: bool = True,
        runs: SplitRuns = one_run,
    ) -> None:
        """Embed fonts.

        Args:
            fonts: all fonts by id.
            letters: the available letters by font id, the most frequent first, so that most files
                need few subsets.
            draw_placed: returns the ops of a placed face when it is painted.
            intent: the printing condition, for files in inks.
            tagged: whether files get a structure tree, as in `write_pdf`.
            runs: splits the ops of a face; runs with keys are painted once for all faces.

        Raises:
            CannotMakeError: if a font cannot be embedded.
        """
        self.press, self.tagged = intent, tagged and intent is None
        prepare_reportlab()
        self.canvas = Canvas(
            BytesIO(), pageCompression=1, invariant=1, initialFontName=first_font(fonts).fontName
        )
        self._document = self.canvas._doc  # noqa: SLF001 - no other way
        self._fonts = _FixedFonts(PdfFonts(fonts, self._document), letters)
        self.painter = _StablePainter(
            self.canvas, self._fonts, images, intent.spots if intent else _NO_SPOTS
        )
        self._draw_placed, self._runs = draw_placed, runs
        self._templates = WeakValueDictionary[str, ObjectTemplate]()
        self._pieces = OrderedDict[_CacheKey, CachedForm]()
        self._size = 0
        with locate_font_errors():
            for font in self._document.delayedFonts:
                font.addObjects(self._document)
        names = sorted(set(self._fonts.names()), key=_font_sort_key)
        self.fonts = {name: self._part(name) for name in names}
        self.intent: ObjectTemplate | None = None
        if intent is not None:
            self.intent = self._make_template(metadata.output_intent(self._document, intent))
        elif self.tagged:
            profile = self._document.Reference(colors.srgb_profile())
            self.intent = self._make_template(colors.output_intent(profile))
        self._lasting = frozenset(self._document.idToObject)
        self._forget()

    def __len__(self) -> int:
        """Return the number of cached forms."""
        return len(self._pieces)

    def piece(self, placed: PlacedFace) -> CachedForm:
        """Return the form of a placed face, painting it on first use."""
        return self._cached_form(form_key(placed), partial(self._painted, placed))

    def _cached_form(self, key: _CacheKey, paint: Callable[[], CachedForm]) -> CachedForm:
        """Return a cached form, painting it on first use."""
        piece = self._pieces.get(key)
        if piece is not None:
            self._pieces.move_to_end(key)
            return piece
        piece = paint()
        if piece.missing:
            return piece
        # The face is kept alive with its form, so that its id stays unique.
        self._pieces[key] = piece
        self._size += piece.form.size
        while self._size > _MAX_CACHE_BYTES and len(self._pieces) > 1:
            _, gone = self._pieces.popitem(last=False)
            self._size -= gone.form.size
        return piece

    def forget(self, faces: Iterable[Face]) -> None:
        """Drop faces that are not placed again."""
        gone = {id(face) for face in faces}
        for key in [key for key in self._pieces if gone and key[0] in gone]:
            self._size -= self._pieces.pop(key).form.size

    def form_name(self, name: str) -> str:
        """Return the resource name of a form."""
        called: str = self._document.getXObjectName(name)
        return called

    def _painted(self, placed: PlacedFace) -> CachedForm:
        """Paint a face, with nested forms for the runs it shares with others."""
        box, before = visible_box(placed), self.painter.cached_count
        corners = " ".join(
            format_decimal(n, 4) for n in (box.x, box.y, box.right, box.bottom)
        ).encode()
        runs = [*self._runs(placed.face, tuple(self._draw_placed(placed)))]
        within = {
            number: self._cached_form(
                (run.key, corners, placed.scale),
                partial(self._form, None, [run], corners, placed.scale),
            )
            for number, run in enumerate(runs)
            if run.key is not None
        }
        piece = self._form(placed.face, runs, corners, placed.scale, within)
        if within:
            self.painter.forget_after(before)
        return piece

    def _form(
        self,
        face: Face | None,
        runs: Iterable[OpRun],
        corners: bytes,
        scale: float,
        within: Mapping[int, CachedForm] = MappingProxyType({}),
    ) -> CachedForm:
        """Paint runs of ops as a form.

        Args:
            corners: the corners of its visible part.
            scale: the scale at which it is placed.
            within: forms for some of the runs, by their index.
        """
        with self.capture() as captured:
            for number, run in enumerate(runs):
                if number in within:
                    self.canvas.addLiteral(f"/Run{number} Do")
                else:
                    with self.painter.at_scale(scale):
                        self.painter.paint(run.ops)
        (content,) = captured
        head = b"<</Type/XObject/Subtype/Form/FormType 1/BBox[%s]/Resources<<" % corners
        tail = b">>>>/Filter/FlateDecode/Length %d>>stream\n%s\r\nendstream"
        chunks = [head + b"/Font ", *content.resources]
        for number in within:
            chunks[-1] += b"/Run%d " % number
            chunks.append(b"")
        chunks[-1] += tail % (len(content.data), content.data)
        forms = [piece.form for piece in within.values()]
        form = ObjectTemplate((*chunks,), (None, *content.references, *forms))
        fonts = content.fonts.union(*(piece.fonts for piece in within.values()))
        missing = content.missing.union(*(piece.missing for piece in within.values()))
        return CachedForm(face, form, fonts, missing)

    @contextmanager
    def capture(self) -> Iterator[list[PaintedContent]]:
        """Capture what is painted on the canvas within the context."""
        canvas = self.canvas
        canvas.init_graphics_state()
        canvas._code, canvas._formsinuse = [], []  # noqa: SLF001 - no other way
        canvas._shadingUsed, canvas._colorsUsed = {}, {}  # noqa: SLF001
        self._fonts.missing.clear()
        captured: list[PaintedContent] = []
        yield captured
        text = "\n".join(canvas._code)  # noqa: SLF001
        used = dict.fromkeys(canvas._formsinuse)  # noqa: SLF001
        names = [self._document.getXObjectName(name) for name in used]
        images = [name for name in names if name in self._document.idToObject]
        forms = [name for name, own in zip(used, names, strict=True) if own not in images]
        chunks, others = self._resources(sorted(images))
        captured.append(
            PaintedContent(
                zlib.compress(text.encode()),
                chunks,
                others,
                (*forms,),
                frozenset(_FONT.findall(text)).intersection(self.fonts),
                frozenset(self._fonts.missing),
            )
        )
        self._forget(0 if self._fonts.missing else _MAX_CACHED_OPS)

    def _resources(
        self, images: Iterable[str]
    ) -> tuple[tuple[bytes, ...], tuple[ObjectTemplate, ...]]:
        """Return the current resources, with gaps for the numbers of other objects.

        The last chunk ends inside the dictionary of forms and images.
        """
        canvas, chunks, others = self.canvas, [b""], list[ObjectTemplate]()

        def add(name: str) -> None:
            chunks[-1] += b"/%s " % name.encode()
            others.append(self._part(name))
            chunks.append(b"")

        states = canvas._extgstate.getState()  # noqa: SLF001 - no other way
        if states is not None:
            chunks[-1] += b"/ExtGState%s" % states.format(self._document)
        for kind, used in (
            (b"Shading", canvas._shadingUsed),  # noqa: SLF001
            (b"ColorSpace", canvas._colorsUsed),  # noqa: SLF001
        ):
            if used:
                chunks[-1] += b"/%s<<" % kind
                for name in sorted(used):
                    add(name)
                chunks[-1] += b">>"
        chunks[-1] += b"/XObject<<"
        for name in images:
            add(name)
        return (*chunks,), (*others,)

    def _part(self, name: str) -> ObjectTemplate:
        """Return an object of ReportLab's document as a template, by name."""
        part = self._templates.get(name)
        if part is None:
            part = self._templates[name] = self._make_template(self._document.idToObject[name])
        return part

    def _make_template(self, thing: PDFObject) -> ObjectTemplate:
        """Return an object of ReportLab as a template, with templates for its references."""
        document = self._document
        written = thing.format(document)
        at = written.find(_STREAM_START)
        head, body = (written, b"") if at < 0 else (written[:at], written[at:])
        if body:
            # ISO 19005-2, 6.1.7.1: a line ends before the end of a stream.
            body = body.removesuffix(_STREAM_END) + b"\r\nendstream"
        pieces = _REFERENCE.split(head)
        names = [document.numberToId[int(number)] for number in pieces[1::2]]
        chunks = pieces[::2]
        chunks[-1] += body
        return ObjectTemplate((*chunks,), tuple(map(self._part, names)))

    def _forget(self, most_ops: int = 0) -> None:
        """Drop objects from ReportLab's document; templates keep those in use."""
        document = self._document
        for name in [name for name in document.idToObject if name not in self._lasting]:
            number, _ = document.idToObjectNumberAndVersion.pop(name)
            del document.idToObject[name], document.numberToId[number]
        self.painter.forget(most_ops)


class _FixedFonts(PdfFonts):
    """The fonts of a cache, with a fixed set of letters."""

    def __init__(self, fonts: PdfFonts, letters: Mapping[str, Iterable[str]]) -> None:
        """Enter the letters of all fonts in the document."""
        self._names: dict[str, dict[str, tuple[str, int]]] = {}
        self._glyphs: dict[str, Collection[int]] = {}
        self._first = fonts.first
        self.missing: set[tuple[str, str]] = set()
        for font_id in sorted(letters):
            glyphs = fonts.open(font_id).face.charToGlyph
            known = self._names[font_id] = {}
            self._glyphs[font_id] = glyphs
            for letter in dict.fromkeys(letters[font_id]):
                if ord(letter) in glyphs or letter == "\xa0":
                    ((name, codes),) = fonts.encode(font_id, letter)
                    known[letter] = name, codes[0]

    @property
    def first(self) -> str:
        """The id of the font that the PDF has in any case."""
        return self._first

    def names(self) -> Iterator[str]:
        """Yield the resource names of the fonts, without the slash."""
        for known in self._names.values():
            yield from (name[1:] for name, _ in known.values())

    def encode(self, font_id: str, text: str) -> list[tuple[str, bytes]]:
        """Return `text` as stretches of a subset's resource name and its bytes, one a character.

        Unknown letters are recorded in `missing`.
        """
        known = self._names.get(font_id, {})
        stretches: list[tuple[str, bytearray]] = []
        for letter in text:
            entry = known.get(letter)
            if entry is None:
                if ord(letter) in self._glyphs.get(font_id, {ord(letter)}):
                    self.missing.add((font_id, letter))
                # As in ReportLab, a letter that the font lacks becomes its first glyph.
                entry = next(iter(known.values()), ("/F0+0", 0))[0], 0
            name, code = entry
            if stretches and stretches[-1][0] == name:
                stretches[-1][1].append(code)
            else:
                stretches.append((name, bytearray((code,))))
        return [(name, bytes(codes)) for name, codes in stretches]


class _StablePainter(Painter):
    """A painter that names shadings by their content."""

    def _shading(self, radial: bool, stops: tuple[tuple[float, str], ...]) -> str:  # noqa: FBT001
        entered = shading(radial, stops)
        name = f"Sh{blake2b(entered.format(None), digest_size=_DIGEST_BYTES).hexdigest()}"
        document = self._canvas._doc  # noqa: SLF001 - no other way
        if name not in document.idToObject:
            document.Reference(entered, name)
        return name


def _font_sort_key(name: str) -> tuple[int, ...]:
    """Return the sort key of a font's resource name, such as F2+1."""
    return tuple(map(int, name.removeprefix("F").split("+")))
