"""Files written object by object, of which most are ready: bytes with gaps for others' numbers.

ReportLab would make each object anew for each file. What a file is made of besides objects is in
ISO 32000-1, 7.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

from reportlab.pdfbase.pdfdoc import PDFObject

_HEADER = b"%%PDF-%d.%d\n%%\xe2\xe3\xcf\xd3\n"
_ID_BYTES = 16


class Part:
    """An object that many files have.

    Attributes:
        chunks: its bytes, between which the numbers of other objects stand.
        others: these objects, in order; None for the fonts of the file.
        size: how many bytes it has, with those of all others.
    """

    __slots__ = ("__weakref__", "chunks", "others", "size")

    def __init__(self, chunks: tuple[bytes, ...], others: tuple[Part | None, ...] = ()) -> None:
        """Be what is between `obj` and `endobj`."""
        self.chunks, self.others = chunks, others
        self.size: int = sum(map(len, chunks)) + sum(part.size for part in others if part)


class Numbered:
    """The objects of a file, numbered as they are entered."""

    def __init__(self) -> None:
        """Begin without any."""
        self._numbers: dict[int, int] = {}
        self._objects: list[PDFObject | Part] = []

    def enter(self, entered: PDFObject | Part) -> int:
        """Enter an object, if it is not yet there; return its number, from 1."""
        number = self._numbers.get(id(entered))
        if number is None:
            self._objects.append(entered)
            number = self._numbers[id(entered)] = len(self._objects)
        return number

    def written(
        self, trailer: Mapping[str, PDFObject], fonts: PDFObject, version: tuple[int, int]
    ) -> bytes:
        """Return the file.

        Args:
            trailer: what its trailer names, such as its catalog; all has been entered.
            fonts: the fonts of all its pages and forms.
            version: that of PDF.
        """
        header = _HEADER % version
        chunks, at, places = [header], len(header), list[int]()
        # Parts enter others while they are written.
        for number, entered in enumerate(self._objects, 1):
            places.append(at)
            if isinstance(entered, Part):
                body = self._filled(entered, fonts)
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

    def _filled(self, part: Part, fonts: PDFObject) -> list[bytes]:
        """Return the bytes of a part with the numbers of what it refers to in this file."""
        first, *rest = part.chunks
        body = [first]
        for chunk, other in zip(rest, part.others, strict=True):
            body += [b"%d 0 R" % self.enter(fonts if other is None else other), chunk]
        return body
