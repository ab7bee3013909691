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

from deckwright.api.errors import GameError
from deckwright.base.files import open_file
from deckwright.base.findings import Location
from deckwright.runs.lines import DeckLine, is_id, values_in
from deckwright.runs.plan import is_of
from deckwright.xmlio.load import X006

_MAX_LINE, _MAX_FILE = 8_000_000, 2_000_000_000
"""How many bytes a line may have, and a file of a deck."""


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
    """Return a line of a manifest, whoever has written it.

    Raises:
        ValueError: if it is none, or names files that cannot be its deck's.
    """
    try:
        said = json.loads(text)
        said["files"] = tuple((name, size, str(sha)) for name, size, sha in said.get("files", ()))
        said["pages"] = tuple(tuple(map(str, page)) for page in said.get("pages", ()))
        said["aside"] = tuple(
            {**each, "message": str(each["message"])} for each in said.get("aside", ())
        )
        said["values"] = values_in(said)
        record = Record(**said)
    except (TypeError, AttributeError, KeyError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not is_id(record.deck) or type(record.number) is not int or record.number < 1:
        raise ValueError("it names no deck")
    for name, size, _ in record.files:
        known = isinstance(name, str) and is_of(record.deck, name)
        if not known or type(size) is not int or not 0 <= size <= _MAX_FILE:
            raise ValueError(f"a deck has no file `{name}`")
    return record


def read_records(path: Path) -> Iterator[tuple[int, Record | None]]:
    """Yield the whole lines of a manifest with where they end, None for one that is none.

    Behind a line that is too long to be one, nothing is read.

    Yields:
        how many bytes of the file are read with a line, and what it says.

    Raises:
        GameError: if it cannot be read, but for there being none.
    """
    try:
        with open_file(path) as stream:
            while (line := stream.readline(_MAX_LINE)).endswith(b"\n"):
                try:
                    yield stream.tell(), parsed(line.decode(errors="replace"))
                except ValueError:
                    yield stream.tell(), None
    except FileNotFoundError:
        return
    except OSError as error:
        message = f"cannot read the file: {error.strerror or error}"
        raise GameError([X006.at(Location(path), message)]) from None


class Appender:
    """Adds lines to a manifest, each on the disk before the next."""

    def __init__(self, path: Path, size: int) -> None:
        """Open a manifest, and cut off a line that was not written to its end.

        Args:
            size: where the last line ends that was, in bytes.
        """
        self._stream: IO[bytes] = path.open("ab")
        self._stream.truncate(size)

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
