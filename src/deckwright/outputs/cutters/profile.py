"""Profiles of cutting machines: XML files with their marks and the sheets that they take.

Deckwright brings some; a game's own are in `xml/cutters`, and come first.
"""

from __future__ import annotations

from pathlib import Path

from deckwright.base.files import is_file
from deckwright.base.findings import Report
from deckwright.game.reading import load_valid
from deckwright.sheet.cutting import Cutter
from deckwright.sheet.registration import Mark, MarkShape, Medium, Place
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import (
    LENGTH,
    NAME,
    POSITIVE,
    Occurs,
    Value,
    element,
    key,
    one_of,
    optional,
    required,
)

_BUNDLED = Path(__file__).parent / "profiles"
_PAPER = Value(pattern=r"[A-Za-z0-9_-]{1,40}", words="a name of letters, digits, - and _")

SHAPE = element(
    "cutter",
    "what a cutting machine reads and takes",
    required("name", NAME, "what the machine is called"),
    optional("inset", LENGTH, "distance from the edges of the paper to the marks (default: 0 mm)"),
    optional("thickness", LENGTH, "width of the lines of marks (default: 0 mm)"),
    optional("arm", LENGTH, "shortest lines of marks that are corners (default: 0 mm)"),
    optional("longest-arm", LENGTH, "longest ones, where there is room (default: the shortest)"),
    optional("clear", LENGTH, "how far print keeps away from marks (default: 0 mm)"),
    optional(
        "corners",
        one_of(
            ("empty", "nothing is printed in the squares that they span"),
            ("free", "print may be as near as `clear` to their lines"),
        ),
        "what may be inside of marks that are corners (default: `empty`)",
    ),
    optional("gutter", LENGTH, "distance between cuts (default: 2 mm)"),
    optional("bleed", LENGTH, "how far print goes beyond cuts (default: half the gutter)"),
    Occurs(
        element(
            "mark",
            "a mark that the machine reads",
            required(
                "shape",
                one_of(
                    ("square", "filled"),
                    ("disc", "filled"),
                    ("corner", "two lines, as an L"),
                    ("frame", "lines all around"),
                ),
                "what it looks like",
            ),
            optional(
                "at",
                one_of("top-left", "top-right", "bottom-left", "bottom-right"),
                "where it is; not needed for a frame (default: `top-left`)",
            ),
            optional("size", POSITIVE, "width of a square or disc in mm"),
        ),
        maximum=8,
    ),
    Occurs(
        element(
            "medium",
            "a sheet that it takes, upright; marks turn with it and keep their corners",
            key("paper", _PAPER, "the sheet format that has this paper"),
            required("width", POSITIVE, "width of the paper in mm"),
            required("height", POSITIVE, "height of the paper in mm"),
            optional("inset-x", LENGTH, "left and right of the marks (default: `inset`)"),
            optional("inset-y", LENGTH, "above and below the marks (default: `inset`)"),
            optional(
                "area-width",
                POSITIVE,
                "width of what can be cut, in the middle (default: all between the marks)",
            ),
            optional("area-height", POSITIVE, "its height"),
        ),
        1,
        40,
    ),
)


def cutter_names(xml_folder: Path) -> list[str]:
    """Return the ids of all machines: the bundled ones, and a game's own in `xml/cutters`."""
    folders = (xml_folder / "cutters", _BUNDLED)
    return sorted({file.stem for folder in folders for file in folder.glob("*.xml")})


def load_cutter(cutter_id: str, xml_folder: Path, report: Report) -> Cutter | None:
    """Return a machine that `cutter_names` knows, None after reporting what is wrong with it."""
    path = xml_folder / "cutters" / f"{cutter_id}.xml"
    if not is_file(path):
        path = _BUNDLED / f"{cutter_id}.xml"
    root = load_valid(path, SHAPE, report)
    return None if root is None else _read(cutter_id, root)


def _read(cutter_id: str, node: Node) -> Cutter:
    def mm(attribute: str, default: str = "0") -> float:
        return float(node.get(attribute) or default)

    gutter, shortest = mm("gutter", "2"), mm("arm")
    return Cutter(
        cutter_id,
        node.attributes["name"],
        tuple(_mark(child) for child in node.named("mark")),
        {m.attributes["paper"]: _medium(m, mm("inset")) for m in node.named("medium")},
        mm("thickness"),
        shortest,
        max(shortest, mm("longest-arm")),
        mm("clear"),
        node.get("corners") != "free",
        gutter,
        min(mm("bleed", str(gutter / 2)), gutter / 2),
    )


def _mark(node: Node) -> Mark:
    shape, place = node.attributes["shape"], node.get("at") or "top-left"
    return Mark(MarkShape(shape), Place(place), float(node.get("size") or 0))


def _medium(node: Node, inset: float) -> Medium:
    names = ("inset-x", "inset-y", "area-width", "area-height")
    x, y, width, height = (node.get(name) for name in names)
    return Medium(
        float(node.attributes["width"]),
        float(node.attributes["height"]),
        inset if x is None else float(x),
        inset if y is None else float(y),
        float(width or 0),
        float(height or 0),
    )
