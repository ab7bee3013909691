"""PDF objects as raw bytes, with gaps for the numbers of other objects."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from typing import IO, NamedTuple

from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.pdfdoc import PDFDocument, PDFObject


class RawObject(PDFObject):  # type: ignore[misc]
    """An object given by its serialized form."""

    def __init__(self, text: bytes) -> None:
        """Take the bytes between `obj` and `endobj`."""
        self.text = text

    def format(self, _: PDFDocument) -> bytes:
        """Return the text."""
        return self.text


def object_number(document: PDFDocument, written: PDFObject) -> int:
    """Return the number of an object, entering it in the document if it is new."""
    reference = document.Reference(written)
    return int(document.idToObjectNumberAndVersion[reference.name][0])


def encode_text(text: str) -> bytes:
    """Return a text as a PDF string in ASCII, or else in UTF-16 (ISO 32000-1, 7.9.2.2)."""
    data = text.encode("ascii") if text.isascii() else b"\xfe\xff" + text.encode("utf-16-be")
    for special in (b"\\", b"(", b")", b"\r"):
        data = data.replace(special, b"\\r" if special == b"\r" else b"\\" + special)
    return b"(" + data + b")"


_HEADER = b"%%PDF-%d.%d\n%%\xe2\xe3\xcf\xd3\n"
_ID_BYTES = 16
_MIN_PACKED_VERSION = (1, 5)
"""The first version of PDF with streams of objects."""
_PACKED_OBJECTS = 200
"""The number of objects in a stream: a viewer that needs one of them unpacks all."""
_ENTRY_BYTES = b"\1\4\2"
"""The bytes of the fields of an entry in a stream of cross-references."""


class ObjectWriter:
    """Writes the numbered objects of a file, and where they are.

    From PDF 1.5 on, all objects but streams are packed into compressed streams, and so is the
    table of their places (ISO 32000-1, 7.5.7 and 7.5.8).
    """

    def __init__(self, write: Callable[[bytes], int], version: tuple[int, int]) -> None:
        """Write to a file.

        Args:
            write: appends bytes to the file, and returns their place.
        """
        self._write, self._is_packing = write, version >= _MIN_PACKED_VERSION
        self._places: dict[int, int] = {}
        self._waiting: list[tuple[int, bytes]] = []
        self._packs: list[tuple[tuple[int, ...], bytes]] = []

    def add(self, number: int, body: bytes) -> None:
        """Write an object.

        Args:
            body: the bytes between `obj` and `endobj`.
        """
        if self._is_packing and not body.endswith((b"endstream", b"endstream\n")):
            self._waiting.append((number, body))
            if len(self._waiting) == _PACKED_OBJECTS:
                self._pack()
        else:
            self._places[number] = self._write(b"%d 0 obj\n%s\nendobj\n" % (number, body))

    def _pack(self) -> None:
        """Pack the objects that wait."""
        heads, place = [], 0
        for number, body in self._waiting:
            heads.append(b"%d %d" % (number, place))
            place += len(body) + 1
        head = b" ".join(heads) + b"\n"
        data = zlib.compress(head + b"\n".join(body for _, body in self._waiting))
        attributes = b"/Type/ObjStm/N %d/First %d" % (len(heads), len(head))
        numbers = tuple(number for number, _ in self._waiting)
        self._packs.append((numbers, _make_stream(attributes, data)))
        self._waiting = []

    def finish(self, trailer: bytes) -> None:
        """Write where the objects are.

        Args:
            trailer: the entries of the trailer, without `Size`.
        """
        if not self._is_packing:
            self._write_table(trailer)
            return
        if self._waiting:
            self._pack()
        last = max((*self._places, *(n for numbers, _ in self._packs for n in numbers)))
        entries = {0: (0, 0, 0xFFFF)}
        for number, (numbers, stream) in enumerate(self._packs, last + 1):
            self._places[number] = self._write(b"%d 0 obj\n%s\nendobj\n" % (number, stream))
            entries |= {packed: (2, number, index) for index, packed in enumerate(numbers)}
        entries |= {number: (1, place, 0) for number, place in self._places.items()}
        own, start = last + len(self._packs) + 1, self._write(b"")
        entries[own] = 1, start, 0
        rows = b"".join(
            b"%c%s%s" % (kind, place.to_bytes(4, "big"), more.to_bytes(2, "big"))
            for _, (kind, place, more) in sorted(entries.items())
        )
        attributes = b"/Type/XRef/Size %d/W[%s]%s\n" % (
            own + 1,
            b" ".join(b"%d" % size for size in _ENTRY_BYTES),
            trailer,
        )
        stream = _make_stream(attributes, zlib.compress(rows))
        self._write(b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (own, stream, start))

    def _write_table(self, trailer: bytes) -> None:
        count = len(self._places) + 1
        start = self._write(b"xref\n0 %d\n0000000000 65535 f \n" % count)
        places = (self._places[number] for number in range(1, count))
        self._write(b"".join(b"%010d 00000 n \n" % place for place in places))
        self._write(b"trailer\n<</Size %d%s>>\n" % (count, trailer))
        self._write(b"startxref\n%d\n%%%%EOF\n" % start)


def _make_stream(attributes: bytes, data: bytes) -> bytes:
    """Return a stream with compressed data."""
    # ISO 19005-2, 6.1.7.1: an end-of-line marker precedes `endstream`.
    return b"<<%s/Filter/FlateDecode/Length %d>>stream\r\n%s\r\nendstream" % (
        attributes,
        len(data),
        data,
    )


class ObjectTemplate:
    """A PDF object that many files share.

    Attributes:
        chunks: its bytes, split where the numbers of other objects are inserted.
        references: the objects referred to, in order; None for the fonts of the file.
        size: its number of bytes, including all objects it refers to.
    """

    __slots__ = ("__weakref__", "chunks", "references", "size")

    def __init__(
        self, chunks: tuple[bytes, ...], references: tuple[ObjectTemplate | None, ...] = ()
    ) -> None:
        """Take the bytes between `obj` and `endobj`."""
        self.chunks, self.references = chunks, references
        self.size: int = sum(map(len, chunks)) + sum(part.size for part in references if part)


class ObjectTable:
    """The objects of a file, numbered in the order of entry."""

    def __init__(self) -> None:
        """Start empty."""
        self._numbers: dict[int, int] = {}
        self._objects: list[PDFObject | ObjectTemplate] = []

    def enter(self, entered: PDFObject | ObjectTemplate) -> int:
        """Return the number of an object, from 1, entering it if it is new."""
        number = self._numbers.get(id(entered))
        if number is None:
            self._objects.append(entered)
            number = self._numbers[id(entered)] = len(self._objects)
        return number

    def to_bytes(
        self, trailer: Mapping[str, PDFObject], fonts: PDFObject, version: tuple[int, int]
    ) -> bytes:
        """Return the serialized file.

        Args:
            trailer: the objects named in the trailer, such as the catalog; all are entered already.
            fonts: the fonts of all its pages and forms.
            version: the PDF version.
        """
        chunks, at = list[bytes](), 0

        def write(data: bytes) -> int:
            nonlocal at
            place, at = at, at + len(data)
            chunks.append(data)
            return place

        write(_HEADER % version)
        writer = ObjectWriter(write, version)
        digest = blake2b(digest_size=_ID_BYTES)
        # Templates enter the objects they refer to while they are written.
        for number, entered in enumerate(self._objects, 1):
            if isinstance(entered, ObjectTemplate):
                body = b"".join(self._fill_references(entered, fonts))
            else:
                body = entered.format(None)
            digest.update(body)
            writer.add(number, body)
        named = b"".join(
            b"/%s %d 0 R" % (name.encode(), self.enter(entered))
            for name, entered in trailer.items()
        )
        ids = digest.hexdigest().encode()
        writer.finish(b"%s/ID[<%s><%s>]" % (named, ids, ids))
        return b"".join(chunks)

    def _fill_references(self, part: ObjectTemplate, fonts: PDFObject) -> list[bytes]:
        """Return the bytes of a template with its references filled in."""
        first, *rest = part.chunks
        body = [first]
        for chunk, other in zip(rest, part.references, strict=True):
            body += [b"%d 0 R" % self.enter(fonts if other is None else other), chunk]
        return body


_STREAM_END = b"endstream"
_stream: ContextVar[IO[bytes] | None] = ContextVar("stream", default=None)


_OBJECT = re.compile(rb"(\d+) 0 obj\n")
_TRAILER = re.compile(rb"trailer\n<<(.*)>>\nstartxref", re.DOTALL)
_SIZE = re.compile(rb"/Size \d+\s*")


class StreamedFile(pdfdoc.PDFFile):  # type: ignore[misc]
    """ReportLab's file buffer, which packs objects and passes everything on to a stream at once."""

    def __init__(self, version: tuple[int, int]) -> None:
        """Begin a file of a version of PDF."""
        self._writer: ObjectWriter | None = None
        super().__init__(version)
        self._writer = ObjectWriter(self._append, version)

    def add(self, data: str | bytes) -> int:
        """Append to the file; return the offset of the data."""
        head = _OBJECT.match(data) if isinstance(data, bytes) else None
        if self._writer is None or not isinstance(data, bytes):
            return self._append(data)
        if head is not None:
            body = data[head.end() : -len(b"\nendobj\n")]
            if body.endswith(_STREAM_END):
                # ISO 19005-2, 6.1.7.1: `endstream` is preceded by an end-of-line marker, which is
                # not part of the stream.
                body = body[: -len(_STREAM_END)] + b"\r\n" + _STREAM_END
            self._writer.add(int(head[1]), body)
        elif trailer := _TRAILER.match(data):
            self._writer.finish(_SIZE.sub(b"", trailer[1].strip()))
        return int(self.offset)  # nobody asks: the table of ReportLab is left out

    def _append(self, data: str | bytes) -> int:
        place: int = super().add(data)
        stream = _stream.get()
        if stream is not None:
            stream.writelines(self.strings)
            self.strings.clear()
        return place


pdfdoc.PDFFile = StreamedFile  # a document makes its file of it


@contextmanager
def stream_to(stream: IO[bytes]) -> Iterator[None]:
    """Write canvases that are saved within the context to `stream` piece by piece."""
    token = _stream.set(stream)
    try:
        yield
    finally:
        _stream.reset(token)


_DPART_LEVELS = b"[/Run/Deck]"
"""The names of the levels of the tree."""
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]")


class DocumentPart(NamedTuple):
    """A run of pages that belong together, as in PDF/VT.

    Attributes:
        pages: the number of pages; they follow those of the previous part.
        facts: metadata; names consist of letters, digits and `_`.
    """

    pages: int
    facts: Mapping[str, str | int | float]


class DocumentParts:
    """The tree of document parts of a file."""

    def __init__(self, parts: Sequence[DocumentPart], enter: Callable[[PDFObject], int]) -> None:
        """Enter the objects of the tree.

        Args:
            parts: together they contain all pages.
            enter: enters an object in the file, and returns its number.
        """
        self._parts = parts
        self._root, self._top = RawObject(b""), RawObject(b"")
        self._leaves = [RawObject(b"") for _ in parts]
        self.root = enter(self._root)
        self._numbers = [enter(leaf) for leaf in self._leaves]
        top = enter(self._top)
        kids = b" ".join(b"%d 0 R" % number for number in self._numbers)
        self._root.text = (
            b"<</Type/DPartRoot/DPartRootNode %d 0 R/RecordLevel 1/NodeNameList%s>>"
            % (top, _DPART_LEVELS)
        )
        self._top.text = b"<</Type/DPart/Parent %d 0 R/DParts[[%s]]>>" % (self.root, kids)
        self._above = top
        self._of_pages = [n for part, n in zip(parts, self._numbers, strict=True)
                          for _ in range(part.pages)]  # fmt: skip

    def part_of_page(self, number: int) -> int:
        """Return the object number of the part that contains a page, counted from 0."""
        return self._of_pages[number]

    def finish(self, pages: Sequence[int]) -> None:
        """Set the first and last page of each part, given the object numbers of all pages."""
        first = 0
        for part, leaf in zip(self._parts, self._leaves, strict=True):
            ends = pages[first], pages[first + part.pages - 1]
            leaf.text = b"<</Type/DPart/Parent %d 0 R/Start %d 0 R/End %d 0 R/DPM%s>>" % (
                *(self._above, *ends),
                _encode_facts(part.facts),
            )
            first += part.pages


def _encode_facts(facts: Mapping[str, str | int | float]) -> bytes:
    """Return the metadata of a part as a PDF dictionary."""
    return b"<<%s>>" % b"".join(
        b"/%s%s" % (_NOT_IN_NAMES.sub("_", name).encode(), _encode_value(value))
        for name, value in facts.items()
    )


def _encode_value(value: str | float) -> bytes:
    return encode_text(value) if isinstance(value, str) else f" {value}".encode()
