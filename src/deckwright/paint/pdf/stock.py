"""What the files of one game have in common: fonts, and faces that are painted once.

A file takes from the stock what it shows. What it takes is the same whatever other files have taken
before: names come from what a thing is, and the letters of fonts are settled when a stock begins.
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
from deckwright.ops.runs import OpRun
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
"""How much a stock keeps of faces and their pictures."""
_MAX_CACHED_OPS = 8_000
"""How many ops have their operators kept."""
_DIGEST_BYTES = 12
_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_FONT = re.compile(r"/(F\d+\+\d+) ")
_CacheKey = FormKey | tuple[bytes, bytes, float]
"""What a piece is kept by: a face as it is placed, or a run of ops and the corners around it."""
_STREAM_START, _STREAM_END = b"\nstream\n", b"endstream\n"


_NO_SPOTS: Mapping[str, Spot] = MappingProxyType({})
DrawPlaced = Callable[[PlacedFace], Iterable[Op]]
SplitRuns = Callable[[Face, Sequence[Op]], Iterable[OpRun]]


def one_run(_: Face, ops: Sequence[Op]) -> Iterable[OpRun]:
    """Return the ops of a face that shares none with others."""
    return (OpRun(ops),)


class PaintedContent(NamedTuple):
    """What was painted.

    Attributes:
        data: its operators, compressed.
        resources: its resources but fonts, and forms of faces; with gaps for numbers of `others`.
        forms: the names of forms of faces that it shows.
        fonts: the names of the fonts that it uses.
        missing: the letters that the stock lacks, with the ids of their fonts.
    """

    data: bytes
    resources: tuple[bytes, ...]
    others: tuple[ObjectTemplate, ...]
    forms: tuple[str, ...]
    fonts: frozenset[str]
    missing: frozenset[tuple[str, str]]


class CachedForm(NamedTuple):
    """A face as a form, or what several faces have in common; then without a face."""

    face: Face | None
    form: ObjectTemplate
    fonts: frozenset[str]
    missing: frozenset[tuple[str, str]]


class FormCache:
    """Fonts with the letters of a game, and its faces as far as they were painted.

    Attributes:
        canvas: what is painted on; `painting` gives what that was.
        painter: paints on it.
        fonts: the fonts, by the names that operators use.
        intent: what files say of their colors, None for nothing.
        press: what they are printed for, if they are in inks.
        tagged: whether they are PDF/A-2a and PDF/UA-1.
    """

    def __init__(
        self,
        fonts: Mapping[str, Font],
        images: ImageStore,
        letters: Mapping[str, Iterable[str]],
        drawn: DrawPlaced,
        intent: OutputIntent | None = None,
        *,
        tagged: bool = True,
        runs: SplitRuns = one_run,
    ) -> None:
        """Embed fonts.

        Args:
            fonts: all fonts by id.
            letters: the letters that can be painted, by the id of the font, in the order in which
                they are likely to be needed: those that come late need not be in most files.
            drawn: what draws a placed face; asked for when it is painted.
            intent: what files are printed for, if they are in inks.
            tagged: whether they are for people, as for `write_pdf`.
            runs: parts what draws a face: runs with keys are painted once for all faces.

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
        self._drawn, self._runs = drawn, runs
        self._named = WeakValueDictionary[str, ObjectTemplate]()
        self._pieces = OrderedDict[_CacheKey, CachedForm]()
        self._size = 0
        with locate_font_errors():
            for font in self._document.delayedFonts:
                font.addObjects(self._document)
        names = sorted(set(self._fonts.names()), key=_font_sort_key)
        self.fonts = {name: self._part(name) for name in names}
        self.intent: ObjectTemplate | None = None
        if intent is not None:
            self.intent = self._made(metadata.output_intent(self._document, intent))
        elif self.tagged:
            profile = self._document.Reference(colors.srgb_profile())
            self.intent = self._made(colors.output_intent(profile))
        self._lasting = frozenset(self._document.idToObject)
        self._forget()

    def __len__(self) -> int:
        """Return how many faces are kept, with what faces have in common."""
        return len(self._pieces)

    def piece(self, placed: PlacedFace) -> CachedForm:
        """Return a face as it is placed, painted if it is new."""
        return self._kept(form_key(placed), partial(self._painted, placed))

    def _kept(self, key: _CacheKey, paint: Callable[[], CachedForm]) -> CachedForm:
        """Return a piece, painted if it is new."""
        piece = self._pieces.get(key)
        if piece is not None:
            self._pieces.move_to_end(key)
            return piece
        piece = paint()
        if piece.missing:
            return piece
        # The face is kept with its form: as long as it lives, its id is its own.
        self._pieces[key] = piece
        self._size += piece.form.size
        while self._size > _MAX_CACHE_BYTES and len(self._pieces) > 1:
            _, gone = self._pieces.popitem(last=False)
            self._size -= gone.form.size
        return piece

    def forget(self, faces: Iterable[Face]) -> None:
        """Forget faces that are not placed again."""
        gone = {id(face) for face in faces}
        for key in [key for key in self._pieces if gone and key[0] in gone]:
            self._size -= self._pieces.pop(key).form.size

    def form_name(self, name: str) -> str:
        """Return what operators call a form that is placed by this name."""
        called: str = self._document.getXObjectName(name)
        return called

    def _painted(self, placed: PlacedFace) -> CachedForm:
        """Paint a face: what it shares with others as forms within its own."""
        box, before = visible_box(placed), self.painter.made
        corners = " ".join(
            format_decimal(n, 4) for n in (box.x, box.y, box.right, box.bottom)
        ).encode()
        runs = [*self._runs(placed.face, tuple(self._drawn(placed)))]
        within = {
            number: self._kept(
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
            corners: of what is shown of it.
            scale: how much larger it is placed.
            within: the forms of some of the runs, by their numbers.
        """
        with self.capture() as made:
            for number, run in enumerate(runs):
                if number in within:
                    self.canvas.addLiteral(f"/Run{number} Do")
                else:
                    with self.painter.at_scale(scale):
                        self.painter.paint(run.ops)
        (content,) = made
        head = b"<</Type/XObject/Subtype/Form/FormType 1/BBox[%s]/Resources<<" % corners
        tail = b">>>>/Filter/FlateDecode/Length %d>>stream\n%s\r\nendstream"
        chunks = [head + b"/Font ", *content.resources]
        for number in within:
            chunks[-1] += b"/Run%d " % number
            chunks.append(b"")
        chunks[-1] += tail % (len(content.data), content.data)
        forms = [piece.form for piece in within.values()]
        form = ObjectTemplate((*chunks,), (None, *content.others, *forms))
        fonts = content.fonts.union(*(piece.fonts for piece in within.values()))
        missing = content.missing.union(*(piece.missing for piece in within.values()))
        return CachedForm(face, form, fonts, missing)

    @contextmanager
    def capture(self) -> Iterator[list[PaintedContent]]:
        """Gather what is painted on the canvas within the block; it is there at its end."""
        canvas = self.canvas
        canvas.init_graphics_state()
        canvas._code, canvas._formsinuse = [], []  # noqa: SLF001 - no other way
        canvas._shadingUsed, canvas._colorsUsed = {}, {}  # noqa: SLF001
        self._fonts.missing.clear()
        made: list[PaintedContent] = []
        yield made
        text = "\n".join(canvas._code)  # noqa: SLF001
        used = dict.fromkeys(canvas._formsinuse)  # noqa: SLF001
        names = [self._document.getXObjectName(name) for name in used]
        images = [name for name in names if name in self._document.idToObject]
        forms = [name for name, own in zip(used, names, strict=True) if own not in images]
        chunks, others = self._resources(sorted(images))
        made.append(
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
        """Return the resources of what was painted, with gaps for the numbers of other objects.

        The last chunk ends inside of the dictionary of forms and images.
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
        """Return an object of ReportLab's document as a part."""
        part = self._named.get(name)
        if part is None:
            part = self._named[name] = self._made(self._document.idToObject[name])
        return part

    def _made(self, thing: PDFObject) -> ObjectTemplate:
        """Return an object of ReportLab's as a part; what it refers to as others."""
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
        """Forget what ReportLab's document has got: it is in parts, as far as it is used."""
        document = self._document
        for name in [name for name in document.idToObject if name not in self._lasting]:
            number, _ = document.idToObjectNumberAndVersion.pop(name)
            del document.idToObject[name], document.numberToId[number]
        self.painter.forget(most_ops)


class _FixedFonts(PdfFonts):
    """The fonts of a stock, whose letters are settled."""

    def __init__(self, fonts: PdfFonts, letters: Mapping[str, Iterable[str]]) -> None:
        """Enter the letters of fonts in a document."""
        self._known: dict[str, dict[str, tuple[str, int]]] = {}
        self._glyphs: dict[str, Collection[int]] = {}
        self._first = fonts.first
        self.missing: set[tuple[str, str]] = set()
        for font_id in sorted(letters):
            glyphs = fonts.open(font_id).face.charToGlyph
            known = self._known[font_id] = {}
            self._glyphs[font_id] = glyphs
            for letter in dict.fromkeys(letters[font_id]):
                if ord(letter) in glyphs or letter == "\xa0":
                    ((name, codes),) = fonts.encoded(font_id, letter)
                    known[letter] = name, codes[0]

    @property
    def first(self) -> str:
        """The id of the font that the PDF has in any case."""
        return self._first

    def names(self) -> Iterator[str]:
        """Yield the names of fonts as operators have them, without the slash."""
        for known in self._known.values():
            yield from (name[1:] for name, _ in known.values())

    def encoded(self, font_id: str, text: str) -> list[tuple[str, bytes]]:
        """Return `text` as stretches of a subset's resource name and its bytes, one a character.

        Letters that are not known are noted in `missing`.
        """
        known = self._known.get(font_id, {})
        stretches: list[tuple[str, bytearray]] = []
        for letter in text:
            found = known.get(letter)
            if found is None:
                if ord(letter) in self._glyphs.get(font_id, {ord(letter)}):
                    self.missing.add((font_id, letter))
                # As ReportLab has it, a letter that a font lacks is its first glyph.
                found = next(iter(known.values()), ("/F0+0", 0))[0], 0
            name, code = found
            if stretches and stretches[-1][0] == name:
                stretches[-1][1].append(code)
            else:
                stretches.append((name, bytearray((code,))))
        return [(name, bytes(codes)) for name, codes in stretches]


class _StablePainter(Painter):
    """A painter whose shadings are called by what they are."""

    def _shading(self, radial: bool, stops: tuple[tuple[float, str], ...]) -> str:  # noqa: FBT001
        made = shading(radial, stops)
        name = f"Sh{blake2b(made.format(None), digest_size=_DIGEST_BYTES).hexdigest()}"
        document = self._canvas._doc  # noqa: SLF001 - no other way
        if name not in document.idToObject:
            document.Reference(made, name)
        return name


def _font_sort_key(name: str) -> tuple[int, ...]:
    """Return what the names of fonts, such as F2+1, are sorted by."""
    return tuple(map(int, name.removeprefix("F").split("+")))
