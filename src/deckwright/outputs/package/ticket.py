"""A job ticket: its piles and files, as JSON and XJDF 2.1, with checksums to verify."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, get_args
from urllib.parse import quote

from deckwright import __version__
from deckwright.base.files import (
    files_below,
    is_file,
    is_folder,
    list_folder,
    open_file,
    path_exists,
    read_file,
    stays_inside,
)
from deckwright.base.findings import Code, Diagnostic, Location, Severity
from deckwright.base.output import OutputError
from deckwright.base.units import MM_PER_UNIT, Mm, pluralize
from deckwright.xmlio.canonical import ElementSpec, build_document

SIZE_TOLERANCE: Mm = 0.05
"""Sizes that differ by less are equal: PDFs round to fractions of a point."""


class PageSizes(NamedTuple):
    """The page sizes of a PDF.

    Attributes:
        trims, bleeds: the width and height of each page's trim box and bleed box; those of the page
            if it has none.
    """

    trims: tuple[tuple[Mm, Mm], ...]
    bleeds: tuple[tuple[Mm, Mm], ...]

    @property
    def trim(self) -> tuple[Mm, Mm] | None:
        """The trim size of all pages, None if they differ."""
        same = all(is_same_size(self.trims[0], other) for other in self.trims)
        return self.trims[0] if self.trims and same else None


def measure_pdf(data: bytes | BinaryIO) -> PageSizes:
    """Return the page sizes of a PDF; raise a ValueError if it cannot be read."""
    from pypdf import PdfReader  # only for packages

    # What pypdf repairs is irrelevant to whether a file is intact.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    try:
        pages = list(PdfReader(stream).pages)
        trims = tuple(_size(page.trimbox) for page in pages)
        return PageSizes(trims, tuple(_size(page.bleedbox) for page in pages))
    except Exception as error:  # a broken file can make pypdf raise anything
        raise ValueError("it cannot be read as a PDF") from error


def is_same_size(one: Sequence[Mm], other: Sequence[Mm]) -> bool:
    """Return whether two sizes are equal within the tolerance."""
    return all(abs(a - b) <= SIZE_TOLERANCE for a, b in zip(one, other, strict=True))


def _size(box: object) -> tuple[Mm, Mm]:
    """Return the width and height of a pypdf box in mm."""
    width, height = float(box.width), float(box.height)  # type: ignore[attr-defined]
    point = MM_PER_UNIT["pt"]
    return round(width * point, 3), round(height * point, 3)


TICKET_JSON, TICKET_XJDF, TICKET_PDF = "ticket.json", "ticket.xjdf", "ticket.pdf"
SUMS = "SHA256SUMS"
MAX_LIST_BYTES = 50_000_000
"""The size limit of lists in bytes; real ones have some kilobytes."""
MAX_PDF_BYTES = 500_000_000
"""The size limit of PDFs that are inspected in bytes; broken ones are read completely."""

PileKind = Literal["cards", "box", "markers", "rulebook"]


class Colors(NamedTuple):
    """The colors of a pile.

    Attributes:
        process: "CMYK" or "RGB".
        inks: the names of spot inks such as foil, as in the PDF.
        die: the names of separations with lines of a die, which are not printed.
        profile: the name of the ICC profile of the press, "" for RGB.
        condition: the registered printing condition, such as "FOGRA39"; "" if unknown.
        limit: the total ink limit in percent; None for no limit.
        pdfx: the part of PDF/X of the files, None for none.
    """

    process: Literal["CMYK", "RGB"] = "RGB"
    inks: tuple[str, ...] = ()
    die: tuple[str, ...] = ()
    profile: str = ""
    condition: str = ""
    limit: int | None = None
    pdfx: str | None = None


class TicketPile(NamedTuple):
    """Pieces of one size, on one stock, with one back.

    Attributes:
        id: the stem of its file names.
        deck: the name of its deck, "" if it belongs to none.
        pieces: the number of cards, boxes, markers or books in one set.
        designs: the number of different ones.
        sides: the number of printed sides, 1 or 2.
        trim: the trim size; the page size for pieces that are cut out of pages.
        bleed: the bleed around it.
        safe: the distance of important content from the cut.
        stock: the card stock; "" if unknown.
        radius: the radius of its corners, None for square ones.
        files: the names of its files in the package; masks of inks come last.
        pages: the number of pages of the first file; 0 for pictures.
    """

    id: str
    kind: PileKind
    title: str
    deck: str
    pieces: int
    designs: int
    sides: int
    trim: tuple[Mm, Mm] = (0, 0)
    files: tuple[str, ...] = ()
    pages: int = 0
    colors: Colors = Colors()
    bleed: Mm = 0
    safe: Mm = 0
    stock: str = ""
    radius: Mm | None = None


class PackedFile(NamedTuple):
    """A file of a package.

    Attributes:
        name: its path in the package, with slashes.
        pages: the number of pages, None if it is not a PDF.
        trim: the trim size of its pages, or their size if they have no trim box; None if it is not
            a PDF or its pages differ.
    """

    name: str
    bytes: int
    sha256: str
    pages: int | None = None
    trim: tuple[Mm, Mm] | None = None


class Ticket(NamedTuple):
    """A job ticket.

    Attributes:
        job: the id of the job, of letters, digits, `.`, `-` and `_`.
        language: the language of the game, such as "de".
        service: the id of the print service that the files are made for.
        printer: the name of the service, "" for any print shop.
        sets: the number of sets ordered; None if unknown.
        back_first: whether a card's back is the page before its face.
    """

    job: str
    game: str
    language: str
    date: datetime
    service: str
    printer: str
    sets: int | None
    back_first: bool
    piles: tuple[TicketPile, ...]
    files: tuple[PackedFile, ...]


FORMAT, VERSION = "deckwright-ticket", 1
"""The format identifiers of the file; incompatible changes increase the version."""


def as_json(ticket: Ticket) -> str:
    """Return a ticket as JSON, with lengths in mm and the field names of the classes here."""
    data = {"format": FORMAT, "version": VERSION, **ticket._asdict()}
    data["date"] = ticket.date.astimezone(UTC).isoformat()
    data["piles"] = [
        {**pile._asdict(), "trim": _size_data(pile.trim), "colors": pile.colors._asdict()}
        for pile in ticket.piles
    ]
    data["files"] = [
        {**file._asdict(), "trim": file.trim and _size_data(file.trim)} for file in ticket.files
    ]
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _size_data(size: tuple[float, float]) -> dict[str, float]:
    return {"width": size[0], "height": size[1]}


def parse_ticket(text: str) -> Ticket:
    """Return the ticket in a JSON file; unknown entries are ignored.

    Raises:
        ValueError: if it is not a complete ticket of this version.
    """
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError("it is not a job ticket")
        if data["version"] != VERSION:
            raise ValueError(
                f"its version is {data['version']}, but this Deckwright reads version {VERSION}"
            )
        return Ticket(
            **_pick_fields(Ticket, data)
            | {
                "date": datetime.fromisoformat(data["date"]),
                "piles": tuple(_read_pile(each) for each in data["piles"]),
                "files": tuple(_read_file_entry(each) for each in data["files"]),
            }
        )
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError("it is incomplete or damaged") from error


def _pick_fields(kind: Any, data: dict[str, Any]) -> dict[str, Any]:  # a tuple's class
    return {name: data[name] for name in kind._fields}


def _read_pile(data: dict[str, Any]) -> TicketPile:
    given, colors = _pick_fields(TicketPile, data), data["colors"]
    if given["kind"] not in get_args(PileKind):
        raise ValueError(f"it has a pile of an unknown kind, `{given['kind']}`")
    return TicketPile(**given)._replace(
        id=str(data["id"]),
        sides=int(data["sides"]),
        trim=_read_size(data["trim"]),
        files=tuple(map(_name, data["files"])),
        pages=int(data["pages"]),
        colors=Colors(**_pick_fields(Colors, colors))._replace(
            inks=tuple(map(str, colors["inks"])), die=tuple(map(str, colors["die"]))
        ),
        bleed=float(data["bleed"]),
    )


def _read_file_entry(data: dict[str, Any]) -> PackedFile:
    pages, trim = data["pages"], data["trim"]
    return PackedFile(**_pick_fields(PackedFile, data))._replace(
        name=_name(data["name"]),
        pages=None if pages is None else int(pages),
        trim=None if trim is None else _read_size(trim),
    )


def _name(name: Any) -> str:  # whatever JSON has
    """Return the name of a file if it is valid on file systems."""
    text = str(name)
    text.encode()
    if "\0" in text:
        raise ValueError("it names a file outside the package")
    return text


def _read_size(size: Any) -> tuple[float, float]:  # whatever JSON has
    return float(size["width"]), float(size["height"])


E100 = Code("E100", Severity.ERROR, "a folder that Deckwright did not make")

_LINE = re.compile(r"([0-9a-f]{64}) [ *]([^\0]+)")


def format_sums(files: Mapping[str, Path]) -> bytes:
    """Return the checksums of files, given by name, in the format of `sha256sum -c`."""
    lines = []
    for name, path in files.items():
        with path.open("rb") as stream:
            lines.append(f"{hashlib.file_digest(stream, 'sha256').hexdigest()}  {name}\n")
    return "".join(lines).encode()


def read_sums(text: str) -> dict[str, tuple[int, str]]:
    """Return the line numbers and checksums of files by name.

    Raises:
        ValueError: if it is not a list of checksums.
    """
    sums_by_name: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        matched = _LINE.fullmatch(line)
        if matched is None:
            raise ValueError(f"line {number} is not a checksum with a file name")
        sums_by_name[matched.group(2)] = number, matched.group(1)
    return sums_by_name


def require_replaceable(target: Path, main: str, noun: str) -> list[Path]:
    """Require that new files may replace the folder `target` without losing files of the user."""
    place = Location(target)
    hint = "name another folder with `--out`"
    if not path_exists(target):
        return []
    if not is_folder(target):
        raise OutputError(E100.at(place, f"a {noun} is a folder, but this is a file", hint))
    entries = list_folder(target)
    inner = [path for path in entries if is_folder(path) and main in _read_file_list(path)]
    there = {path.relative_to(target).as_posix() for path in files_below(target)
             if not any(path.is_relative_to(folder) for folder in inner)}  # fmt: skip
    ours = _read_file_list(target)
    if entries != inner and main not in ours:
        raise OutputError(E100.at(place, f"the folder is neither empty nor a {noun}", hint))
    if others := sorted(there - ours):
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        message = f"the {noun} has a file that is not part of it, `{others[0]}`{more}"
        raise OutputError(E100.at(place, message, f"move it away, or {hint}"))
    return inner


def _read_file_list(folder: Path) -> set[str]:
    """Return the names of the files that Deckwright wrote to a folder; none if it wrote no list."""
    try:
        return {SUMS, *read_sums(read_file(folder / SUMS, MAX_LIST_BYTES).decode())}
    except (OSError, ValueError):
        return set()


NAMESPACE = "http://www.CIP4.org/JDFSchema_2_0"
_VERSION = "2.1"
_PROCESS = {"CMYK": ("Cyan", "Magenta", "Yellow", "Black")}


def as_xjdf(ticket: Ticket) -> bytes:
    """Return a ticket as XJDF."""
    about = {
        "AgentName": "Deckwright",
        "AgentVersion": __version__,
        "DeviceID": "deckwright",
        "Time": ticket.date.astimezone(UTC).isoformat(),
    }
    audit = ElementSpec("AuditCreated", {}, (ElementSpec("Header", about),))
    content = [ElementSpec("AuditPool", {}, (audit,))]
    # Piles are products, whose amount is the number of sets.
    amount = {"Amount": str(ticket.sets)} if ticket.sets else {}
    if ticket.piles:
        products = [
            ElementSpec(
                "Product",
                {
                    **amount,
                    "DescriptiveName": pile.title,
                    "ExternalID": nmtoken(pile.id),
                    "ID": f"product{number}",
                    "IsRoot": "true",
                },
                tuple(_intents(pile)),
            )
            for number, pile in enumerate(ticket.piles, 1)
        ]
        content.append(ElementSpec("ProductList", {}, products))
    # The files of all piles are runs, named after the pile and numbered.
    sizes = {file.name: file for file in ticket.files}
    resources = []
    for pile in ticket.piles:
        for number, name in enumerate(pile.files, 1):
            file = sizes[name]
            where = {
                "FileSize": str(file.bytes),
                **({"MimeType": "application/pdf"} if file.pages else {}),
                "URL": quote(name),
            }
            pages = {"NPage": str(file.pages)} if file.pages else {}
            run = {"Run": nmtoken(f"{pile.id}-{number}" if number > 1 else pile.id)}
            runs = ElementSpec("RunList", pages, (ElementSpec("FileSpec", where),))
            title = {"DescriptiveName": pile.title}
            resources.append(ElementSpec("Resource", title, (ElementSpec("Part", run), runs)))
    usage = {"Name": "RunList", "Usage": "Input"}
    content.append(ElementSpec("ResourceSet", usage, resources))
    # Tokens have no spaces, so resources tell the real names of spot inks.
    colors = []
    for ink in dict.fromkeys(ink for pile in ticket.piles for ink in pile.colors.inks):
        part = ElementSpec("Part", {"Separation": nmtoken(ink)})
        color = ElementSpec("Color", {"ActualColorName": ink})
        colors.append(ElementSpec("Resource", {}, (part, color)))
    if colors:
        content.append(ElementSpec("ResourceSet", {"Name": "Color", "Usage": "Input"}, colors))
    root = {
        "DescriptiveName": ticket.game,
        "JobID": nmtoken(ticket.job),
        "Types": "Product",
        "Version": _VERSION,
    }
    return build_document(ElementSpec("XJDF", root, content), NAMESPACE)


def nmtoken(text: str) -> str:
    """Return a text as an XML name token, which has no spaces."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text) or "_"


def _intents(pile: TicketPile) -> Iterator[ElementSpec]:
    width, height = pile.trim
    size = f"{points(width)} {points(height)}"
    layout = {"Bleed": points(pile.bleed)}
    if pile.kind in {"cards", "rulebook"}:
        # All surfaces count, even blank ones.
        pages = 2 * pile.pieces if pile.kind == "cards" else pile.pages
        layout |= {"FinishedDimensions": f"{size} 0", "Pages": str(pages)}
    else:
        # Pieces are smaller than the page they are cut out of.
        layout["Dimensions"] = size
    layout["Sides"] = "TwoSidedHeadToHead" if pile.sides > 1 else "OneSided"
    yield _intent("LayoutIntent", layout)
    if pile.kind == "cards":
        # Loose: a pile of cards is not bound.
        yield _intent("BindingIntent", {"BindingType": "None"})
    used = " ".join((*_PROCESS.get(pile.colors.process, ()), *map(nmtoken, pile.colors.inks)))
    if used:
        sides = ("Front", "Back")[: pile.sides]
        colors = {"ColorsUsed": used}
        if re.fullmatch(r"[\w.-]+", pile.colors.condition):
            colors["PrintStandard"] = pile.colors.condition
        surfaces = (ElementSpec("SurfaceColor", {**colors, "Surface": side}) for side in sides)
        yield _intent("ColorIntent", {}, *surfaces)
    if pile.colors.die:
        shape = ElementSpec("ShapeCut", {"CutType": "Cut", "ShapeType": "Path"})
        yield _intent("ShapeCuttingIntent", {}, shape)
    if pile.stock:
        yield _intent("MediaIntent", {"MediaQuality": pile.stock, "MediaType": "Paper"})


def _intent(name: str, attributes: dict[str, str], *children: ElementSpec) -> ElementSpec:
    return ElementSpec("Intent", {"Name": name}, (ElementSpec(name, attributes, children),))


def points(length: Mm) -> str:
    """Return a length in points with three decimals."""
    return f"{length / MM_PER_UNIT['pt']:.3f}".rstrip("0").rstrip(".")


E101 = Code("E101", Severity.ERROR, "a package that lacks a file")
E102 = Code("E102", Severity.ERROR, "a file of a package that has changed")
E103 = Code("E103", Severity.ERROR, "a file that does not belong to its package")
E104 = Code("E104", Severity.ERROR, "a PDF that does not match its job ticket")

_RESEND_HINT = "ask for the package again, or make it again with `deckwright package`"


def verify_folder(folder: Path) -> Iterator[Diagnostic]:
    """Yield all findings of the package in a folder."""
    if not is_folder(folder):
        yield E100.at(Location(folder), "there is no such folder", "name the folder of a package")
        return
    texts = [_read_text(folder / name) for name in (SUMS, TICKET_JSON)]
    if texts == [None, None]:
        message = f"the folder is not a package: it has neither `{SUMS}` nor `{TICKET_JSON}`"
        yield E100.at(Location(folder), message, "name the folder of a package")
        return
    yield from _verify_sums(folder, texts[0])
    if texts[1] is not None:
        try:
            ticket = parse_ticket(texts[1])
        except ValueError as error:
            message = f"the job ticket cannot be used: {error}"
            yield E100.at(Location(folder / TICKET_JSON), message, _RESEND_HINT)
        else:
            yield from _verify_pdfs(folder, ticket)


def _read_text(path: Path) -> str | None:
    """Return the text of a list, None if it cannot be read."""
    try:
        return read_file(path, MAX_LIST_BYTES).decode(errors="replace")
    except OSError:
        return None


def _verify_sums(folder: Path, text: str | None) -> Iterator[Diagnostic]:
    """Yield missing, changed and unlisted files."""
    listing = folder / SUMS
    if text is None:
        yield E101.at(
            Location(folder), f"the list of checksums, `{SUMS}`, is missing", _RESEND_HINT
        )
        return
    try:
        known = read_sums(text)
    except ValueError as error:
        yield E102.at(
            Location(listing), f"the list of checksums has changed: {error}", _RESEND_HINT
        )
        return
    for name, (line, digest) in known.items():
        path = folder / name
        if not stays_inside(path, folder) or not is_file(path):
            yield E101.at(Location(listing, line, 1), f"`{name}` is missing", _RESEND_HINT)
            continue
        try:
            with path.open("rb") as stream:
                actual = hashlib.file_digest(stream, "sha256").hexdigest()
            problem = None if actual == digest else "has changed since the package was made"
        except OSError as error:
            problem = f"cannot be read: {error.strerror}"
        if problem is not None:
            yield E102.at(Location(path), f"`{name}` {problem}", _RESEND_HINT)
    for path in sorted(files_below(folder)):
        name = path.relative_to(folder).as_posix()
        if name not in known and name != SUMS:
            hint = "remove it, so that nobody prints it"
            yield E103.at(Location(path), f"`{name}` does not belong to the package", hint)


def _verify_pdfs(folder: Path, ticket: Ticket) -> Iterator[Diagnostic]:
    """Yield PDFs whose pages contradict the ticket; missing ones are reported elsewhere."""
    files = {file.name: file for file in ticket.files}
    for pile in ticket.piles:
        for number, name in enumerate(pile.files):
            place, path = Location(folder / TICKET_JSON), folder / name
            if name not in files:
                message = (
                    f"the pile `{pile.id}` has the file `{name}`, which its list of files lacks"
                )
                yield E104.at(place, message, _RESEND_HINT)
            elif files[name].pages is not None and stays_inside(path, folder) and is_file(path):
                for problem in _compare_pdf(path, files[name], pile, first=number == 0):
                    yield E104.at(Location(path), f"`{name}` {problem}", _RESEND_HINT)


def _compare_pdf(path: Path, file: PackedFile, pile: TicketPile, *, first: bool) -> Iterator[str]:
    """Yield how a PDF deviates from the ticket."""
    try:
        with open_file(path) as stream:
            if os.fstat(stream.fileno()).st_size > MAX_PDF_BYTES:
                yield f"is too large to check: it has more than {MAX_PDF_BYTES:,} bytes"
                return
            sizes = measure_pdf(stream)
    except (ValueError, OSError):
        yield "cannot be read as a PDF"
        return
    for pages in dict.fromkeys((file.pages, pile.pages if first else file.pages)):
        if len(sizes.trims) != pages:
            yield f"has {pluralize(len(sizes.trims), 'page')}, but the job ticket says {pages}"
    wanted = file.trim
    if wanted is None:
        return
    if pile.kind == "cards":
        wanted = pile.trim
    outer = tuple(side + 2 * pile.bleed for side in wanted)
    for number, (trim, bleed) in enumerate(zip(sizes.trims, sizes.bleeds, strict=True), 1):
        if not is_same_size(trim, wanted):
            yield (
                f"is cut to {_format_size(trim)} on page {number}, but the job ticket says "
                + _format_size(wanted)
            )
            return
        if pile.bleed and not is_same_size(bleed, outer):
            yield (
                f"is printed on {_format_size(bleed)} with its bleed on page {number}, but the "
                f"job ticket says {_format_size(outer)}"
            )
            return


def _format_size(size: tuple[float, ...]) -> str:
    return " × ".join(f"{side:.2f}".rstrip("0").rstrip(".") for side in size) + " mm"
