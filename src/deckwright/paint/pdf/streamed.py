"""Files that are written object by object, where ReportLab would hold them in memory, and twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO

from reportlab.pdfbase import pdfdoc

_END = b"endstream\nendobj\n"
_stream: ContextVar[IO[bytes] | None] = ContextVar("stream", default=None)


class StreamedFile(pdfdoc.PDFFile):  # type: ignore[misc]
    """What ReportLab gathers a file in; what is added goes to the stream at once."""

    def add(self, data: str | bytes) -> int:
        """Add to the file; return the place in it where that begins."""
        if isinstance(data, bytes) and data.endswith(_END):
            # ISO 19005-2, 6.1.7.1: a line ends before the end of a stream. What ends it is no end
            # of what is in the stream.
            data = data[: -len(_END)] + b"\r\n" + _END
        place: int = super().add(data)
        stream = _stream.get()
        if stream is not None:
            stream.writelines(self.strings)
            self.strings.clear()
        return place


pdfdoc.PDFFile = StreamedFile  # a document makes its file of it


@contextmanager
def streaming(stream: IO[bytes]) -> Iterator[None]:
    """Write what canvases save within a block to `stream` as they make it."""
    token = _stream.set(stream)
    try:
        yield
    finally:
        _stream.reset(token)
