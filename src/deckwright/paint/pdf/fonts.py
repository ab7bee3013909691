"""Fonts in a PDF, embedded as subsets whose text can be copied."""

from __future__ import annotations

import pickle
import struct
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from io import BytesIO
from operator import mul
from pathlib import Path
from typing import Any

import reportlab
from reportlab.pdfbase import pdfmetrics, ttfonts
from reportlab.pdfgen.canvas import Canvas

from deckwright.base.cache import Cache
from deckwright.base.findings import Code, Location, Severity
from deckwright.base.output import OutputError
from deckwright.text.fonts import T007, Font

_FILE_ATTRIBUTES = {"_ttf_data", "filename"}
_UNCACHED_ATTRIBUTES = _FILE_ATTRIBUTES | {"_pdfScale", "glyphToChar"}
"""`_pdfScale` cannot be pickled, and only ReportLab's own shaping uses `glyphToChar`."""


class CachedFontFace(ttfonts.TTFontFace):  # type: ignore[misc]
    """A font file as ReportLab parses it, cached by its content."""

    def extractInfo(self, charInfo: int = 1) -> None:  # noqa: N802, N803 - ReportLab's names
        """Set the attributes of the font, from the cache if possible.

        Raises:
            TTFError: if the font cannot be read.
        """
        cache = Cache("fonts")
        digest = blake2b(f"{reportlab.__version__} {charInfo} ".encode(), digest_size=20)
        digest.update(self._ttf_data)
        key = digest.hexdigest()
        kept = cache.read_decoded(key, _unpickle)
        if kept is not None:
            self.__dict__.update(kept)
            self._pdfScale = partial(mul, 1000 / self.unitsPerEm)
            return
        super().extractInfo(charInfo)
        known = {
            name: value for name, value in vars(self).items() if name not in _UNCACHED_ATTRIBUTES
        }
        cache.write(key, pickle.dumps(known))


def _unpickle(content: bytes) -> dict[str, Any] | None:
    known = pickle.loads(content)  # noqa: S301 - ours, and whole
    return known if known["unitsPerEm"] > 0 else None


_reportlab_to_unicode = ttfonts.makeToUnicodeCMap
_MAX_CMAP_BLOCK = 100
"""The maximum number of codes in a block of a CMap."""


def _make_to_unicode(name: str, subset: list[int]) -> str:
    """Return the ToUnicode CMap of a subset, in UTF-16 as PDF requires.

    ReportLab writes code points, which differ from UTF-16 above U+FFFF, and unused codes as well.
    The syntax follows Adobe Technical Note 5411.
    """
    lines = [
        f"<{code:02X}> <{chr(character).encode('utf-16-be').hex().upper()}>"
        for code, character in enumerate(subset)
        if character
    ]
    blocks = [
        lines[start : start + _MAX_CMAP_BLOCK] for start in range(0, len(lines), _MAX_CMAP_BLOCK)
    ]
    written = "\n".join(
        "\n".join([f"{len(block)} beginbfchar", *block, "endbfchar"]) for block in blocks
    )
    whole: str = _reportlab_to_unicode(name, subset)
    before, _, rest = whole.partition(f"{len(subset)} beginbfchar")
    return before + written + rest.partition("endbfchar")[2]


ttfonts.makeToUnicodeCMap = _make_to_unicode
ttfonts.TTFontFace = CachedFontFace  # a TTFont makes its face of it


class TTFont(ttfonts.TTFont):  # type: ignore[misc]
    """A font registered under a unique name, since ReportLab merges fonts of the same name."""

    def __init__(self, name: str, filename: str) -> None:
        """Read a font's file.

        Raises:
            TTFError: if it cannot be read.
        """
        super().__init__(name, filename)
        self._file_name: bytes = self.face.name
        """The name of the font in its file."""
        self.face.name = name.encode()

    def addObjects(self, doc: Any) -> None:  # noqa: ANN401, N802 - ReportLab's
        """Add the font to a PDF under the name in its file, numbered if that name is taken."""
        alike = [font for font in doc.delayedFonts if font._file_name == self._file_name]  # noqa: SLF001
        number, known = alike.index(self), self.face.name
        self.face.name = self._file_name + (f"-{number + 1}".encode() if number else b"")
        try:
            super().addObjects(doc)
        finally:
            self.face.name = known


E077 = Code("E077", Severity.ERROR, "a font that cannot be embedded")


class PdfFonts:
    """The fonts of one PDF; a font file is read on first use."""

    def __init__(self, fonts: Mapping[str, Font], document: Any) -> None:  # noqa: ANN401
        """Take the fonts by id, and ReportLab's document."""
        self._fonts = fonts
        self._document = document
        self._open_fonts: dict[str, TTFont] = {}

    @property
    def first(self) -> str:
        """The id of the font that the PDF always contains."""
        return next(iter(self._fonts))

    def open(self, font_id: str) -> TTFont:
        """Return a font that is registered with ReportLab."""
        opened = self._open_fonts.get(font_id)
        if opened is None:
            path = str(self._fonts[font_id].path)
            # Fonts with the same file share it, so that it is embedded once.
            fonts = self._open_fonts.values()
            opened = next((font for font in fonts if font.face.filename == path), None)
            if opened is None:
                opened = open_font(self._fonts[font_id])
            self._open_fonts[font_id] = opened
        return opened

    def encode(self, font_id: str, text: str) -> list[tuple[str, bytes]]:
        """Return `text` as runs of a subset's resource name and codes, one byte per character."""
        font = self.open(font_id)
        return [
            (font.getSubsetInternalName(subset, self._document), codes)
            for subset, codes in font.splitString(text, self._document)
        ]


@contextmanager
def locate_font_errors() -> Iterator[None]:
    """Turn errors of embedding fonts into findings that name the font.

    Raises:
        CannotMakeError: if a font cannot be embedded.
    """
    try:
        yield
    except (LookupError, ArithmeticError, ValueError, TypeError, struct.error) as error:
        for frame, _ in traceback.walk_tb(error.__traceback__):
            font = frame.f_locals.get("self")
            if isinstance(font, TTFont):
                hint = "export it again from a font editor, or use another font"
                message = "the font cannot be embedded: it has characters without outlines"
                place = Location(Path(font.face.filename))
                raise OutputError(E077.at(place, message, hint)) from error
        raise


def check_embedding(font: Font, text: str) -> None:
    """Check that a font can be embedded with the characters of `text`.

    Raises:
        CannotMakeError: if they cannot be embedded.
    """
    canvas = Canvas(BytesIO(), initialFontName=open_font(font).fontName)
    with locate_font_errors():
        PdfFonts({font.id: font}, canvas._doc).encode(font.id, text)  # noqa: SLF001 - no other way
        canvas.save()


def first_font(fonts: Mapping[str, Font]) -> TTFont:
    """Return the initial font of a canvas; ReportLab would use Helvetica by default."""
    return open_font(next(iter(fonts.values())))


def open_font(font: Font) -> TTFont:
    """Return a font that is registered with ReportLab, reading its file on first use.

    Raises:
        CannotMakeError: if it is damaged.
    """
    name = f"{font.id}@{font.path.absolute()}"  # the working folder may change
    if name in pdfmetrics.getRegisteredFontNames():
        registered: TTFont = pdfmetrics.getFont(name)
        return registered
    try:
        opened = TTFont(name, str(font.path))
    except MemoryError:
        raise
    except Exception as error:  # ReportLab raises what it meets
        message = f"the font `{font.path.name}` is damaged: {error}"
        hint = "save or copy it again, or use another one"
        raise OutputError(T007.at(Location(font.path), message, hint)) from error
    pdfmetrics.registerFont(opened)
    return opened
