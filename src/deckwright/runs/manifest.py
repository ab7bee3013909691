"""What a run has printed: a line for each deck, in the order of the decks.

A line says the deck's id, number and key, the files with size and SHA-256, the pages with the
cards in their slots, and a digest of each face; or why the deck was set aside. Lines are only ever
added. The last one may be torn off where a run was killed; it does not count then.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from deckwright.runs.lines import DeckLine


class Record(NamedTuple):
    """A line of the manifest.

    Attributes:
        deck, number, key: the deck's id, its line, and what its print is known by.
        files: of each the path in the run's folder, its size in bytes and its SHA-256; none for a
            deck that was set aside, and two if backs are apart.
        pages: for each page the cards in its slots, as FACTION:ID, ` #2` for a card's second face,
            ` back` for its back.
        faces: the digest of each face, by the same names.
        values: what was printed on the deck.
        aside: why it was set aside: findings with code, message and hint.
    """

    deck: str
    number: int
    key: str
    files: tuple[tuple[str, int, str], ...] = ()
    pages: tuple[tuple[str, ...], ...] = ()
    faces: Mapping[str, str] = {}
    values: Mapping[str, str | int | float] = {}
    aside: tuple[Mapping[str, Any], ...] = ()

    @property
    def printed(self) -> bool:
        """Whether there are files."""
        return bool(self.files)

    def written(self) -> str:
        """Return the line, without its end; what is empty is left out."""
        said = {name: value for name, value in self._asdict().items() if value}
        return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def parsed(text: str) -> Record:
    """Return a line of a manifest.

    Raises:
        ValueError: if it is none.
    """
    try:
        said = json.loads(text)
        said["files"] = tuple(
            (str(f), int(size), str(sha)) for f, size, sha in said.get("files", ())
        )
        said["pages"] = tuple(tuple(map(str, page)) for page in said.get("pages", ()))
        said["aside"] = tuple(
            {**each, "message": str(each["message"])} for each in said.get("aside", ())
        )
        record = Record(**said)
    except (TypeError, AttributeError, KeyError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not (isinstance(record.deck, str) and isinstance(record.number, int)):
        raise ValueError("it names no deck")  # noqa: TRY004 - what it holds is wrong
    return record


def read_records(path: Path) -> Iterator[tuple[int, Record | None]]:
    """Yield the whole lines of a manifest with their numbers, None for one that is none.

    Raises:
        OSError: if it cannot be read, but for there being none.
    """
    try:
        stream = path.open(encoding="utf-8", errors="replace", newline="\n")
    except FileNotFoundError:
        return
    with stream:
        for number, text in enumerate(stream, 1):
            if not text.endswith("\n"):
                return
            try:
                yield number, parsed(text)
            except ValueError:
                yield number, None


def _mend(path: Path) -> None:
    """Cut off a line that was not written to its end."""
    with path.open("rb+") as stream:
        size = stream.seek(0, os.SEEK_END)
        step = 65536
        while size:
            begin = max(size - step, 0)
            stream.seek(begin)
            block = stream.read(size - begin)
            found = block.rfind(b"\n")
            if found >= 0:
                size = begin + found + 1
                break
            size = begin
        stream.truncate(size)


class Appender:
    """Adds lines to a manifest, each on the disk before the next."""

    def __init__(self, path: Path) -> None:
        """Open a manifest, and mend its end."""
        path.touch()
        _mend(path)
        self._stream: IO[bytes] = path.open("ab")

    def add(self, records: Iterable[Record]) -> None:
        """Add lines.

        Raises:
            OSError: if they cannot be written; a part of a line may be there then.
        """
        self._stream.write("".join(f"{record.written()}\n" for record in records).encode())
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def set_aside(
    number: int, key: str, line: DeckLine, reasons: Iterable[Mapping[str, Any]]
) -> Record:
    """Return the line of a deck that is not printed, with the reasons."""
    return Record(line.id, number, key, values=line.values, aside=tuple(reasons))


def reason(message: str, hint: str = "") -> Mapping[str, Any]:
    """Return why a deck is set aside if there is no finding about it."""
    return {"message": message, **({"hint": hint} if hint else {})}
