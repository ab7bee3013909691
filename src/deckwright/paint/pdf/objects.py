"""The numbered objects of a PDF file, and the tree of its document parts."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple


def encode_text(text: str) -> bytes:
    """Return a text as a PDF string in ASCII, or else in UTF-16 (ISO 32000-1, 7.9.2.2)."""
    data = text.encode("ascii") if text.isascii() else b"\xfe\xff" + text.encode("utf-16-be")
    for special in (b"\\", b"(", b")", b"\r"):
        data = data.replace(special, b"\\r" if special == b"\r" else b"\\" + special)
    return b"(" + data + b")"


def encode_name(text: str) -> bytes:
    """Return a text as a PDF name, with all but ASCII letters, digits, `-`, `_` and `.` escaped."""
    return b"/" + b"".join(
        bytes((byte,)) if byte in _PLAIN_IN_NAMES else b"#%02X" % byte for byte in text.encode()
    )


_PLAIN_IN_NAMES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


def make_stream(entries: bytes, data: bytes) -> bytes:
    """Return a stream object of data that is encoded as the entries of its dictionary say."""
    # ISO 19005-2, 6.1.7.1: an end-of-line marker precedes `endstream`.
    return b"<<%s/Length %d>>stream\r\n%s\r\nendstream" % (entries, len(data), data)


def compress_stream(entries: bytes, data: bytes) -> bytes:
    """Return a stream object with compressed data."""
    return make_stream(b"%s/Filter/FlateDecode" % entries, zlib.compress(data))


_HEADER = b"%%PDF-%d.%d\n%%\xe2\xe3\xcf\xd3\n"
_ID_BYTES = 16
_MIN_PACKED_VERSION = (1, 5)
"""The first version of PDF with streams of objects."""
_PACKED_OBJECTS = 200
"""The number of objects in a stream: a viewer that needs one of them unpacks all."""
_ENTRY_BYTES = b"\1\4\2"
"""The bytes of the fields of an entry in a stream of cross-references."""


class PdfFile:
    """Writes the numbered objects of a file, and where they are.

    From PDF 1.5 on, all objects but streams are packed into compressed streams, and so is the
    table of their places (ISO 32000-1, 7.5.7 and 7.5.8).

    Attributes:
        is_packing: whether they are packed.
    """

    def __init__(self, write: Callable[[bytes], object], version: tuple[int, int]) -> None:
        """Begin a file, to which `write` appends bytes."""
        self._write, self.is_packing = write, version >= _MIN_PACKED_VERSION
        self._count = self._size = 0
        self._digest = blake2b(digest_size=_ID_BYTES)
        self._places: dict[int, int] = {}
        self._waiting: list[tuple[int, bytes]] = []
        self._packs: list[tuple[tuple[int, ...], bytes]] = []
        self._append(_HEADER % version)

    def reserve(self) -> int:
        """Return the number of an object that is added later."""
        self._count += 1
        return self._count

    def add(self, body: bytes, number: int | None = None) -> int:
        """Write an object with a new number or a reserved one; return that.

        Args:
            body: the bytes between `obj` and `endobj`.
        """
        number = self.reserve() if number is None else number
        self._digest.update(body)
        if self.is_packing and not body.endswith(b"endstream"):
            self._waiting.append((number, body))
            if len(self._waiting) == _PACKED_OBJECTS:
                self._pack()
        else:
            self._append_object(number, body)
        return number

    def finish(self, root: int, info: int) -> None:
        """Write where the objects are; `root` is the catalog, `info` the Info dictionary."""
        digits = self._digest.hexdigest().encode()
        trailer = b"/Root %d 0 R/Info %d 0 R/ID[<%s><%s>]" % (root, info, digits, digits)
        if not self.is_packing:
            count, start = self._count + 1, self._size
            self._append(b"xref\n0 %d\n0000000000 65535 f \n" % count)
            places = (self._places[number] for number in range(1, count))
            self._append(b"".join(b"%010d 00000 n \n" % place for place in places))
            end = b"trailer\n<</Size %d%s>>\nstartxref\n%d\n%%%%EOF\n" % (count, trailer, start)
            self._append(end)
            return
        if self._waiting:
            self._pack()
        entries = {0: (0, 0, 0xFFFF)}
        for numbers, stream in self._packs:
            number = self.reserve()
            self._append_object(number, stream)
            entries |= {packed: (2, number, index) for index, packed in enumerate(numbers)}
        entries |= {number: (1, place, 0) for number, place in self._places.items()}
        own, start = self.reserve(), self._size
        entries[own] = 1, start, 0
        rows = b"".join(
            b"%c%s%s" % (kind, place.to_bytes(4, "big"), more.to_bytes(2, "big"))
            for _, (kind, place, more) in sorted(entries.items())
        )
        widths = b" ".join(b"%d" % size for size in _ENTRY_BYTES)
        head = b"/Type/XRef/Size %d/W[%s]%s" % (own + 1, widths, trailer)
        self._append_object(own, compress_stream(head, rows))
        self._append(b"startxref\n%d\n%%%%EOF\n" % start)

    def _append_object(self, number: int, body: bytes) -> None:
        self._places[number] = self._size
        self._append(b"%d 0 obj\n%s\nendobj\n" % (number, body))

    def _append(self, data: bytes) -> None:
        self._write(data)
        self._size += len(data)

    def _pack(self) -> None:
        """Pack the objects that wait."""
        heads, place = [], 0
        for number, body in self._waiting:
            heads.append(b"%d %d" % (number, place))
            place += len(body) + 1
        head = b" ".join(heads) + b"\n"
        stream = compress_stream(
            b"/Type/ObjStm/N %d/First %d" % (len(heads), len(head)),
            head + b"\n".join(body for _, body in self._waiting),
        )
        self._packs.append((tuple(number for number, _ in self._waiting), stream))
        self._waiting = []


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


def add_document_parts(
    file: PdfFile, parts: Sequence[DocumentPart], pages: Sequence[int]
) -> tuple[int, list[int]]:
    """Write the tree of document parts (ISO 16612-2, 6.5).

    Args:
        parts: together they contain all pages.
        pages: the object numbers of the pages.

    Returns:
        the object numbers of the root, and of the part of each page.
    """
    root, top = file.reserve(), file.reserve()
    numbers = [file.reserve() for _ in parts]
    entries = b"/DPartRootNode %d 0 R/RecordLevel 1/NodeNameList%s" % (top, _DPART_LEVELS)
    file.add(b"<</Type/DPartRoot%s>>" % entries, root)
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    file.add(b"<</Type/DPart/Parent %d 0 R/DParts[[%s]]>>" % (root, kids), top)
    part_of_page = list[int]()
    for part, number in zip(parts, numbers, strict=True):
        first = len(part_of_page)
        part_of_page += [number] * part.pages
        facts = b""
        for name, value in part.facts.items():
            written = encode_text(value) if isinstance(value, str) else f" {value}".encode()
            facts += b"/%s%s" % (_NOT_IN_NAMES.sub("_", name).encode(), written)
        ends = pages[first], pages[first + part.pages - 1]
        entries = b"/Parent %d 0 R/Start %d 0 R/End %d 0 R/DPM<<%s>>" % (top, *ends, facts)
        file.add(b"<</Type/DPart%s>>" % entries, number)
    return root, part_of_page
