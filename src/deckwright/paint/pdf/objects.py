"""PDF objects as raw bytes, with gaps for the numbers of other objects."""

from __future__ import annotations

import re
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
        header = _HEADER % version
        chunks, at, places = [header], len(header), list[int]()
        # Templates enter the objects they refer to while they are written.
        for number, entered in enumerate(self._objects, 1):
            places.append(at)
            if isinstance(entered, ObjectTemplate):
                body = self._fill_references(entered, fonts)
            else:
                body = [entered.format(None)]
            body = [b"%d 0 obj\n" % number, *body, b"\nendobj\n"]
            at += sum(map(len, body))
            chunks += body
        digest = blake2b(digest_size=_ID_BYTES)
        for chunk in chunks:
            digest.update(chunk)
        count = len(places) + 1
        chunks.append(b"xref\n0 %d\n0000000000 65535 f \n" % count)
        chunks += [b"%010d 00000 n \n" % place for place in places]
        named = b"".join(
            b"/%s %d 0 R" % (name.encode(), self.enter(entered))
            for name, entered in trailer.items()
        )
        ids = digest.hexdigest().encode()
        chunks.append(b"trailer\n<</Size %d%s/ID[<%s><%s>]>>\n" % (count, named, ids, ids))
        chunks.append(b"startxref\n%d\n%%%%EOF\n" % at)
        return b"".join(chunks)

    def _fill_references(self, part: ObjectTemplate, fonts: PDFObject) -> list[bytes]:
        """Return the bytes of a template with its references filled in."""
        first, *rest = part.chunks
        body = [first]
        for chunk, other in zip(rest, part.references, strict=True):
            body += [b"%d 0 R" % self.enter(fonts if other is None else other), chunk]
        return body


_STREAM_END = b"endstream\nendobj\n"
_stream: ContextVar[IO[bytes] | None] = ContextVar("stream", default=None)


class StreamedFile(pdfdoc.PDFFile):  # type: ignore[misc]
    """ReportLab's file buffer, which passes everything on to a stream at once."""

    def add(self, data: str | bytes) -> int:
        """Append to the file; return the offset of the data."""
        if isinstance(data, bytes) and data.endswith(_STREAM_END):
            # ISO 19005-2, 6.1.7.1: `endstream` is preceded by an end-of-line marker, which is not
            # part of the stream.
            data = data[: -len(_STREAM_END)] + b"\r\n" + _STREAM_END
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
