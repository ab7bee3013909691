"""Look whether a package is whole: all files there and as they were, and as the ticket says."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from deckwright.base.files import belongs, files_below, is_file, is_folder, open_file, read_file
from deckwright.base.findings import Code, Diagnostic, Location, Severity
from deckwright.base.numbers import counted
from deckwright.outputs.package.data import from_json
from deckwright.outputs.package.folder import E100, read_sums
from deckwright.outputs.package.measuring import alike, measured
from deckwright.outputs.package.model import (
    LARGEST,
    LARGEST_PDF,
    SUMS,
    TICKET_JSON,
    Packed,
    Pile,
    Ticket,
)

E101 = Code("E101", Severity.ERROR, "a package that lacks a file")
E102 = Code("E102", Severity.ERROR, "a file of a package that has changed")
E103 = Code("E103", Severity.ERROR, "a file that does not belong to its package")
E104 = Code("E104", Severity.ERROR, "a PDF that is not as its job ticket says")

_AGAIN = "have the package sent again, or make it again with `deckwright package`"


def verify_folder(folder: Path) -> Iterator[Diagnostic]:
    """Yield all that is wrong with the package in a folder."""
    if not is_folder(folder):
        yield E100.at(Location(folder), "there is no such folder", "name the folder of a package")
        return
    texts = [_text(folder / name) for name in (SUMS, TICKET_JSON)]
    if texts == [None, None]:
        message = f"the folder is no package: it has neither `{SUMS}` nor `{TICKET_JSON}`"
        yield E100.at(Location(folder), message, "name the folder of a package")
        return
    yield from _sums(folder, texts[0])
    if texts[1] is not None:
        try:
            ticket = from_json(texts[1])
        except ValueError as error:
            message = f"the job ticket cannot be used: {error}"
            yield E100.at(Location(folder / TICKET_JSON), message, _AGAIN)
        else:
            yield from _as_told(folder, ticket)


def _text(path: Path) -> str | None:
    """Return what a list holds, None if there is none that can be read."""
    try:
        return read_file(path, LARGEST).decode(errors="replace")
    except OSError:
        return None


def _sums(folder: Path, text: str | None) -> Iterator[Diagnostic]:
    """Yield files that are not there, that have changed, and that are in no list of checksums."""
    listing = folder / SUMS
    if text is None:
        yield E101.at(Location(folder), f"the list of checksums, `{SUMS}`, is missing", _AGAIN)
        return
    try:
        known = read_sums(text)
    except ValueError as error:
        yield E102.at(Location(listing), f"the list of checksums has changed: {error}", _AGAIN)
        return
    for name, (line, digest) in known.items():
        path = folder / name
        if not belongs(path, folder) or not is_file(path):
            yield E101.at(Location(listing, line, 1), f"`{name}` is missing", _AGAIN)
        elif (problem := _changed(path, digest)) is not None:
            yield E102.at(Location(path), f"`{name}` {problem}", _AGAIN)
    for path in sorted(files_below(folder)):
        name = path.relative_to(folder).as_posix()
        if name not in known and name != SUMS:
            hint = "take it out of the folder, so that nobody prints it"
            yield E103.at(Location(path), f"`{name}` does not belong to the package", hint)


def _changed(path: Path, digest: str) -> str | None:
    """Return in which way a file is not the one with this checksum, None if it is."""
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None if found == digest else "is not as it was when the package was made"


def _as_told(folder: Path, ticket: Ticket) -> Iterator[Diagnostic]:
    """Yield PDFs whose pages are not as the ticket says. Those that are not there are told of."""
    files = {file.name: file for file in ticket.files}
    for pile in ticket.piles:
        for number, name in enumerate(pile.files):
            place, path = Location(folder / TICKET_JSON), folder / name
            if name not in files:
                message = f"the pile `{pile.id}` has the file `{name}`, which the list lacks"
                yield E104.at(place, message, _AGAIN)
            elif files[name].pages is not None and belongs(path, folder) and is_file(path):
                for problem in _misprinted(path, files[name], pile, first=number == 0):
                    yield E104.at(Location(path), f"`{name}` {problem}", _AGAIN)


def _misprinted(path: Path, file: Packed, pile: Pile, *, first: bool) -> Iterator[str]:
    """Yield in which ways a PDF is not as the ticket has it."""
    try:
        with open_file(path) as stream:
            if os.fstat(stream.fileno()).st_size > LARGEST_PDF:
                yield f"is too large to be looked into: at most {LARGEST_PDF:,} bytes are"
                return
            found = measured(stream)
    except (ValueError, OSError):
        yield "cannot be read as a PDF"
        return
    for pages in dict.fromkeys((file.pages, pile.pages if first else file.pages)):
        if len(found.trims) != pages:
            yield f"has {counted(len(found.trims), 'page')}, and the job ticket says {pages}"
    wanted = file.trim
    if wanted is None:
        return
    if pile.kind == "cards":
        wanted = pile.trim
    outer = tuple(side + 2 * pile.bleed for side in wanted)
    for number, (trim, bleed) in enumerate(zip(found.trims, found.bleeds, strict=True), 1):
        if not alike(trim, wanted):
            yield f"is cut to {_said(trim)} on page {number}, and the job ticket says " + _said(
                wanted
            )
            return
        if pile.bleed and not alike(bleed, outer):
            yield (
                f"is printed on {_said(bleed)} with its bleed on page {number}, and the job ticket "
                f"says {_said(outer)}"
            )
            return


def _said(size: tuple[float, ...]) -> str:
    return " × ".join(f"{side:.2f}".rstrip("0").rstrip(".") for side in size) + " mm"
