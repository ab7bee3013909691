"""A job ticket as XJDF 2.1, the print industry's exchange format for jobs.

After CIP4's XJDF Specification 2.1 of 2020 and its schema of that version (https://cip4.org). It
says what is ordered, as products with intents, and which files that is in, as run lists. Lengths
are points. What nobody has decided, such as paper, is left out, and so are attributes whose meaning
the schema alone does not settle: checksums are in SHA256SUMS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from urllib.parse import quote

from deckwright import __version__
from deckwright.base.units import PER_UNIT, Mm
from deckwright.outputs.package.model import Pile, Ticket
from deckwright.xmlio.building import Built, document

NAMESPACE = "http://www.CIP4.org/JDFSchema_2_0"
_VERSION = "2.1"
_PROCESS = {"CMYK": ("Cyan", "Magenta", "Yellow", "Black")}


def as_xjdf(ticket: Ticket) -> bytes:
    """Return a ticket as XJDF."""
    time = ticket.date.astimezone(UTC).isoformat()
    about = {
        "AgentName": "Deckwright",
        "AgentVersion": __version__,
        "DeviceID": "deckwright",
        "Time": time,
    }
    root = {
        "DescriptiveName": ticket.game,
        "JobID": nmtoken(ticket.job),
        "Types": "Product",
        "Version": _VERSION,
    }
    products = [_product(pile, number, ticket) for number, pile in enumerate(ticket.piles, 1)]
    sets = [_run_lists(ticket), *_colors(ticket)]
    audit = Built("AuditPool", {}, (Built("AuditCreated", {}, (Built("Header", about),)),))
    ordered = [Built("ProductList", {}, products)] if products else []
    return document(Built("XJDF", root, (audit, *ordered, *sets)), NAMESPACE)


def nmtoken(text: str) -> str:
    """Return a text as a name token of XML, which holds no spaces."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text) or "_"


def _product(pile: Pile, number: int, ticket: Ticket) -> Built:
    """Return a pile as a product: as many as sets are ordered, each with all its pieces."""
    attributes = {
        **({"Amount": str(ticket.sets)} if ticket.sets else {}),
        "DescriptiveName": pile.title,
        "ExternalID": nmtoken(pile.id),
        "ID": f"product{number}",
        "IsRoot": "true",
    }
    return Built("Product", attributes, tuple(_intents(pile)))


def _intents(pile: Pile) -> Iterator[Built]:
    width, height = pile.trim
    size = f"{points(width)} {points(height)}"
    layout = {"Bleed": points(pile.bleed)}
    if pile.kind in {"cards", "rulebook"}:
        # The surfaces of all pieces, be they blank or not.
        pages = 2 * pile.pieces if pile.kind == "cards" else pile.pages
        layout |= {"FinishedDimensions": f"{size} 0", "Pages": str(pages)}
    else:
        # What is cut out of a page is smaller than the page.
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
        surfaces = (Built("SurfaceColor", {**colors, "Surface": side}) for side in sides)
        yield _intent("ColorIntent", {}, *surfaces)
    if pile.colors.die:
        shape = Built("ShapeCut", {"CutType": "Cut", "ShapeType": "Path"})
        yield _intent("ShapeCuttingIntent", {}, shape)
    if pile.stock:
        yield _intent("MediaIntent", {"MediaQuality": pile.stock, "MediaType": "Paper"})


def _intent(name: str, attributes: dict[str, str], *children: Built) -> Built:
    return Built("Intent", {"Name": name}, (Built(name, attributes, children),))


def _run_lists(ticket: Ticket) -> Built:
    """Return the files of all piles, each as a run that is called as the pile and counted."""
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
            runs = Built("RunList", pages, (Built("FileSpec", where),))
            resources.append(
                Built("Resource", {"DescriptiveName": pile.title}, (Built("Part", run), runs))
            )
    return Built("ResourceSet", {"Name": "RunList", "Usage": "Input"}, resources)


def _colors(ticket: Ticket) -> Iterator[Built]:
    """Yield what inks beside the print's own are really called: tokens have no spaces."""
    inks = dict.fromkeys(ink for pile in ticket.piles for ink in pile.colors.inks)
    colors = [
        Built(
            "Resource",
            {},
            (
                Built("Part", {"Separation": nmtoken(ink)}),
                Built("Color", {"ActualColorName": ink}),
            ),
        )
        for ink in inks
    ]
    if colors:
        yield Built("ResourceSet", {"Name": "Color", "Usage": "Input"}, colors)


def points(length: Mm) -> str:
    """Return a length in points, as exact as a thousandth."""
    return f"{length / PER_UNIT['pt']:.3f}".rstrip("0").rstrip(".")
