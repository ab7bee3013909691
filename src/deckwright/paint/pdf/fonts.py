"""Fonts in a PDF, embedded as subsets whose codes are glyph ids, and whose text can be copied."""

from __future__ import annotations

import re
import struct
import unicodedata
import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path

import uharfbuzz as hb

from deckwright.base.cache import BoundedCache
from deckwright.base.findings import Code, Location, Severity
from deckwright.base.output import OutputError
from deckwright.base.units import format_decimal
from deckwright.paint.pdf.objects import PdfFile, compress_stream, encode_name, make_stream
from deckwright.paint.pdf.truetype import TrueTypeConverter
from deckwright.text.fonts import T007, Font
from deckwright.text.scripts import JOINER, joined_forms
from deckwright.text.shaping import lacks_part

E077 = Code("E077", Severity.ERROR, "a font that cannot be embedded")

_VERSIONS = (b"\0\1\0\0", b"true")
"""The beginnings of files with TrueType outlines."""
_POSTSCRIPT = b"OTTO"
"""The beginning of files with PostScript outlines."""
_MAGIC, _EM, _BOX = slice(12, 16), slice(18, 20), 36
"""The places of the magic number, the em and the bounds of all glyphs in the table `head`."""
_NEEDED_TABLES = ("head", "hhea", "hmtx", "maxp")
_TRUETYPE_TABLES = ("glyf", "loca")
_SUBSET_FLAGS = (
    hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NOTDEF_OUTLINE | hb.SubsetFlags.NO_LAYOUT_CLOSURE
)
_DROPPED_TABLES = [
    int.from_bytes(tag.encode())
    for tag in (
        *("BASE", "CBDT", "CBLC", "COLR", "CPAL", "DSIG", "EBDT", "EBLC", "GDEF", "GPOS", "GSUB"),
        *("JSTF", "LTSH", "MATH", "OS/2", "STAT", "SVG ", "VDMX", "VORG", "cmap", "gasp", "hdmx"),
        *("kern", "meta", "name", "post", "sbix", "vhea", "vmtx"),
    )
]
"""Tables that a font in a PDF does not need (ISO 32000-1, 9.9)."""
_MAX_SUBSETS = 16
"""The number of subsets of a font that are kept for the next files."""
_SYMBOLIC, _ITALIC = 4, 64
"""Flags of a font descriptor (ISO 32000-1, table 123)."""
_STEM_WIDTH = 80
"""A typical width of stems, in thousandths of the em; only substitutes of a font need it."""
_MAX_CMAP_BLOCK = 100
"""The maximum number of codes in a block of a CMap (Adobe Technical Note 5411)."""
_CMAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{}
endcmap
CMapName currentdict /CMap defineresource pop
end
end"""

_FIRST_FORM, _LAST_FORM = "\ufb50", "\ufefc"
"""The range of Arabic presentation forms."""
_HYPHENS = {"\u2010": "-", "\u2011": "\u2010"}
"""Characters and what stands for them in a font that lacks them, as in HarfBuzz."""


class FontFile:
    """A font file, with the glyphs of its characters."""

    def __init__(self, path: Path) -> None:
        """Open a file; a damaged one raises a ValueError."""
        self.path = path
        self._face = hb.Face(hb.Blob.from_file_path(str(path)))
        with path.open("rb") as stream:
            version = stream.read(4)
        if version not in {*_VERSIONS, _POSTSCRIPT}:
            raise ValueError("it is no TrueType or OpenType font")
        outlines: tuple[str, ...] = _TRUETYPE_TABLES
        if version == _POSTSCRIPT:
            outlines = ("CFF2",) if self._table("CFF2") else ("CFF ",)
        lacking = [tag for tag in (*outlines, *_NEEDED_TABLES) if not self._table(tag)]
        if lacking:
            raise ValueError(f"it has no table `{lacking[0]}`")
        head = self._table("head")
        if head[_MAGIC] != b"\x5f\x0f\x3c\xf5" or not any(head[_EM]):
            raise ValueError("its table `head` is invalid")
        if self._table("hhea")[:2] != b"\0\1":
            raise ValueError("its table `hhea` has an unknown version")
        self._font = hb.Font(self._face)
        self._converter = TrueTypeConverter(self._font) if version == _POSTSCRIPT else None
        self._glyphs: dict[str, int] = {}
        self._subsets = BoundedCache[frozenset[int], bytes](_MAX_SUBSETS)

    def _table(self, tag: str) -> bytes:
        data: bytes = self._face.reference_table(tag).data
        return data

    def encode(self, text: str) -> tuple[Sequence[int], bool]:
        """Return the glyph of each character, and whether the text can be read back from them.

        Characters that the font lacks become its first glyph.
        """
        glyphs = [self._glyphs.get(letter) or self._find_glyph(letter) for letter in text]
        if text.isascii():
            return glyphs, 0 not in glyphs
        letters = self.letters
        shown = (letters.get(glyph, "") for glyph in glyphs)
        return glyphs, "".join(shown) == text.replace("\xa0", " ")

    def _find_glyph(self, letter: str) -> int:
        """Return the glyph of a character, or of what stands for it."""
        glyph: int | None = self._font.get_nominal_glyph(ord(letter))
        if letter == "\xa0" or (not glyph and unicodedata.category(letter) == "Zs"):
            glyph = self._font.get_nominal_glyph(ord(" "))
        elif not glyph and letter in _HYPHENS:
            glyph = self._find_glyph(_HYPHENS[letter])
        self._glyphs[letter] = glyph or 0
        return glyph or 0

    def advance(self, glyph: int) -> int:
        """Return the advance of a glyph in thousandths of the em."""
        units: int = self._font.get_glyph_h_advance(glyph)
        return round(1000 * units / float(self._face.upem))

    @cached_property
    def letters(self) -> Mapping[int, str]:
        """The text of each glyph: of several characters, the one with the lowest number."""
        letters: dict[int, str] = {}
        nominal = self._font.get_nominal_glyph
        for code in self._face.unicodes:
            letter = chr(code)
            if _FIRST_FORM <= letter <= _LAST_FORM:  # a letter as it is joined with others
                letter = unicodedata.normalize("NFKC", letter)
            letters.setdefault(nominal(code) or 0, letter)
        for form in joined_forms(map(chr, self._face.unicodes)):
            buffer = hb.Buffer()
            buffer.add_str(form)
            buffer.guess_segment_properties()
            hb.shape(self._font, buffer)
            both = zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
            shown = [info.codepoint for info, place in both if place.x_advance]
            if len(shown) == 1:
                letters.setdefault(shown[0], form.strip(JOINER))
        return letters

    def embed(self, file: PdfFile, number: int, glyphs: Iterable[int]) -> None:
        """Write the font with the given glyphs, under a reserved object number.

        Raises:
            OutputError: if it cannot be embedded.
        """
        used = frozenset(glyphs) | {0}
        program = self._subset(used)
        digest = blake2b(program, digest_size=6).digest()
        tag = "".join(chr(ord("A") + byte % 26) for byte in digest)
        name = encode_name(f"{tag}+{self._name}")
        data = zlib.decompressobj().decompress(program)
        font_file = file.add(make_stream(b"/Filter/FlateDecode/Length1 %d" % len(data), program))
        glyph_set = b""
        if not file.is_packing:
            # ISO 19005-1, 6.3.5, demands the set of glyphs, and so do checks of PDF/X-1a.
            bits = bytearray(max(used) // 8 + 1)
            for glyph in used:
                bits[glyph // 8] |= 0x80 >> glyph % 8
            glyph_set = b"/CIDSet %d 0 R" % file.add(compress_stream(b"", bytes(bits)))
        extents = self._font.get_font_extents("ltr")
        corners = struct.unpack_from(">4h", self._table("head"), _BOX)
        post = self._table("post")
        slant = struct.unpack_from(">i", post, 4)[0] / 0x10000 if len(post) > 8 else 0
        cap = self._font.get_metric_position_with_fallback(hb.OTMetricsTag.CAP_HEIGHT)
        flags, box = _SYMBOLIC | (_ITALIC if slant else 0), b" ".join(map(self._units, corners))
        up, down, cap_height = map(self._units, (extents.ascender, extents.descender, cap))
        lean = format_decimal(slant).encode()
        descriptor = file.add(
            b"<</Type/FontDescriptor/FontName%s/Flags %d/FontBBox[%s]/ItalicAngle %s"
            b"/Ascent %s/Descent %s/CapHeight %s/StemV %d/FontFile2 %d 0 R%s>>"
            % (name, flags, box, lean, up, down, cap_height, _STEM_WIDTH, font_file, glyph_set)
        )
        ordered = sorted(used)
        widths = b"".join(
            b"%d[%s]" % (glyph, self._units(self._font.get_glyph_h_advance(glyph)))
            for glyph in ordered
        )
        descendant = file.add(
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont%s/CIDToGIDMap/Identity/W[%s]"
            b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
            b"/FontDescriptor %d 0 R>>" % (name, widths, descriptor)
        )
        lines = [
            f"<{glyph:04X}> <{letter.encode('utf-16-be').hex().upper()}>"
            for glyph in ordered
            if glyph and (letter := self.letters.get(glyph))
        ]
        blocks = (
            lines[start : start + _MAX_CMAP_BLOCK]
            for start in range(0, len(lines), _MAX_CMAP_BLOCK)
        )
        characters = "\n".join(
            "\n".join([f"{len(block)} beginbfchar", *block, "endbfchar"]) for block in blocks
        )
        to_unicode = file.add(compress_stream(b"", _CMAP.format(characters).encode()))
        file.add(
            b"<</Type/Font/Subtype/Type0/BaseFont%s/Encoding/Identity-H"
            b"/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>" % (name, descendant, to_unicode),
            number,
        )

    def check_embedding(self, text: str) -> None:
        """Raise an OutputError unless the font can be embedded with the characters of a text."""
        self._subset(frozenset(self.encode(text)[0]))

    def _subset(self, glyphs: frozenset[int]) -> bytes:
        """Return the compressed font with these glyphs alone, under their ids."""
        known = self._subsets.get(glyphs)
        if known is None:
            if any(lacks_part(self._face, glyph) for glyph in glyphs):
                raise self._damage("it has characters without outlines")
            program = self._converter.convert(glyphs) if self._converter else self._keep(glyphs)
            known = self._subsets.add(glyphs, zlib.compress(program))
        return known

    def _keep(self, glyphs: frozenset[int]) -> bytes:
        wanted = hb.SubsetInput()
        wanted.glyph_set.set(glyphs)
        wanted.flags = _SUBSET_FLAGS
        wanted.drop_table_tag_set.update(_DROPPED_TABLES)
        try:
            program: bytes = hb.subset(self._face, wanted).blob.data
        except RuntimeError as error:
            raise self._damage("its glyphs cannot be read") from error
        return program

    def _damage(self, reason: str) -> OutputError:
        hint = "export it again from a font editor, or use another font"
        message = f"the font cannot be embedded: {reason}"
        return OutputError(E077.at(Location(self.path), message, hint))

    @cached_property
    def _name(self) -> str:
        """The PostScript name of the font."""
        try:
            name = self._face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME)
        except UnicodeDecodeError:
            name = None
        return re.sub(r"[^!-~]|[][()<>{}/%#]", "", name or self.path.stem) or "Font"

    def _units(self, length: float) -> bytes:
        """Return a length in font units in thousandths of the em."""
        return format_decimal(length * 1000 / self._face.upem).encode()


def open_font(font: Font) -> FontFile:
    """Return a font's file, opened on first use.

    Raises:
        OutputError: if it is damaged.
    """
    try:
        status = font.path.stat()
        return _open_file(font.path.absolute(), status.st_mtime_ns, status.st_size)
    except (OSError, ValueError, RuntimeError, hb.HarfBuzzError) as error:
        message = f"the font `{font.path.name}` is damaged: {error}"
        hint = "save or copy it again, or use another one"
        raise OutputError(T007.at(Location(font.path), message, hint)) from error


@lru_cache(maxsize=64)
def _open_file(path: Path, _time: int, _size: int) -> FontFile:
    return FontFile(path)


class PdfFonts(dict[str, FontFile]):
    """The fonts of a game by id; a font file is read on first use, if it is not damaged.

    Attributes:
        fonts: all fonts by id; the first one is for invisible texts.
    """

    def __init__(self, fonts: Mapping[str, Font]) -> None:
        """Take the fonts by id."""
        super().__init__()
        self.fonts = fonts

    def __missing__(self, font_id: str) -> FontFile:
        """Open a font; those with the same file share it, a damaged one raises an OutputError."""
        opened = self[font_id] = open_font(self.fonts[font_id])
        return opened
