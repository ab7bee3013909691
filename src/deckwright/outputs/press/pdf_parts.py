"""A finished PDF taken apart, for rules about it."""

from __future__ import annotations

import io
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject


_TOKEN = re.compile(
    rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)|<[0-9A-Fa-f\s]*>|%[^\r\n]*|/[^\s/\[\]<>(){}%]*"
    rb"|(?<![\w.])[A-Za-z'\"][A-Za-z0-9'\"*]*",
    re.DOTALL,
)
"""Strings, comments, names and operators of a content stream; numbers are passed over."""


class Parts:
    """A PDF whose parts are found once for all rules."""

    def __init__(self, data: bytes) -> None:
        """Open a file.

        Raises:
            pypdf.errors.PdfReadError: if it is no PDF.
        """
        from pypdf import PdfReader  # noqa: PLC0415 - heavy

        self.reader = PdfReader(io.BytesIO(data), strict=False)

    @property
    def root(self) -> DictionaryObject:
        """The catalog."""
        return self.reader.root_object

    @cached_property
    def objects(self) -> list[DictionaryObject]:
        """All dictionaries and streams that can be reached, each once."""
        found: list[Any] = []
        seen, left = set[int](), [self.reader.trailer]
        while left:
            item: Any = left.pop()
            item = item.get_object() if hasattr(item, "get_object") else item
            if not isinstance(item, dict | list) or id(item) in seen:
                continue
            seen.add(id(item))
            if isinstance(item, dict):
                found.append(item)
            left += item.values() if isinstance(item, dict) else item
        return found

    @cached_property
    def operators(self) -> set[bytes]:
        """All operators of pages and forms."""
        contents = [page.get_contents() for page in self.reader.pages]
        forms = [
            item
            for item in self.objects
            if hasattr(item, "get_data") and item.get("/Subtype") == "/Form"
        ]
        streams = (stream.get_data() for stream in (*contents, *forms) if stream is not None)
        return {
            token
            for data in streams
            for token in set(_TOKEN.findall(data))
            if token[:1] not in b"(<%/"
        }

    @cached_property
    def spaces(self) -> list[object]:
        """The color spaces of images, shadings and resources."""
        named = [
            space for item in self.objects for key, space in item.items() if "ColorSpace" in key
        ]
        return [
            space
            for one in map(plain, named)
            for space in (one.values() if isinstance(one, dict) else [one])
        ]

    @cached_property
    def states(self) -> list[DictionaryObject]:
        """The graphics states that pages and forms may set."""
        holders = (plain(item.get("/ExtGState")) for item in self.objects)
        return [
            plain(state)
            for holder in holders
            if isinstance(holder, dict)
            for state in holder.values()
        ]

    @cached_property
    def xmp(self) -> str:
        """The XMP metadata; "" if there are none."""
        stream = plain(self.root.get("/Metadata"))
        return stream.get_data().decode("utf-8", "replace") if hasattr(stream, "get_data") else ""


def plain(item: Any) -> Any:  # noqa: ANN401 - whatever a PDF can hold
    """Return what a reference stands for; anything else as it is."""
    return item.get_object() if hasattr(item, "get_object") else item
