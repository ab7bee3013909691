"""The markers (counters) of a game, as defined in `game.xml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, cast

from deckwright.base.colors import resolve_color
from deckwright.base.findings import ChoiceError, require_known
from deckwright.base.units import PAPER_SIZES, Mm
from deckwright.game.read import read_integer, read_text
from deckwright.game.setup import Marker, MarkerSheet, MarkerSide
from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import (
    COLOR,
    ID,
    INTEGER,
    LENGTH,
    NAME,
    POSITIVE_LENGTH,
    Occurs,
    Shape,
    Value,
    element,
    key,
    one_of,
    optional,
    required,
)

DEFAULT_MARGIN: Mm = 5
"""The margin that home printers leave white, in mm."""

_MAX_VALUES, _MAX_MARKERS = 50, 1000
"""Limits on the denominations of a marker and on the markers of a game."""

_SIDE = (
    required("name", NAME, "its name"),
    optional("label", NAME, "the text that it shows"),
    optional("icon", ID, "its icon"),
    required("color", COLOR, "its color"),
)


def markers_shape() -> Shape:
    """Return the shape of `markers`."""
    other = element("other", "its other side (default: blank)", *_SIDE)
    value = element(
        "value",
        "a denomination",
        key("number", INTEGER, "its value, and its label"),
        required("count", INTEGER, "how many are printed"),
    )
    marker = element(
        "marker",
        "a kind of counter",
        key("id", ID, "its id"),
        *_SIDE,
        optional("count", INTEGER, "how many are printed, if it has no values"),
        optional(
            "shape",
            one_of(("square", "with rounded corners"), "circle", "hexagon"),
            "its shape (default: square)",
        ),
        required("size", POSITIVE_LENGTH, "its width in mm"),
        Occurs(value, 0, _MAX_VALUES),
        Occurs(other, 0, 1),
    )
    return element(
        "markers",
        "the counters of the game",
        required("face", NAME, "their template, a file in templates/"),
        optional(
            "paper",
            Value(kind="term", terms=tuple((name, "") for name in PAPER_SIZES)),
            "the paper they are printed on (default: a4)",
        ),
        optional("margin", LENGTH, "the white margin at the edge, in mm (default: 5)"),
        Occurs(marker, 1, _MAX_MARKERS),
        prunable=("marker",),
    )


def read_marker_sheet(node: Node) -> MarkerSheet:
    """Return the print settings of the markers."""
    margin = float(node.get("margin") or DEFAULT_MARGIN)
    return MarkerSheet(read_text(node, "face"), node.get("paper") or "a4", margin, node.source)


def read_markers(node: Node, colors: Mapping[str, str]) -> Iterator[Marker]:
    """Yield the markers of `node`; each denomination is a marker of its own.

    Args:
        colors: the game's values of color names.
    """

    def side(of: Node, label: str) -> MarkerSide:
        color = resolve_color(read_text(of, "color"), colors)
        return MarkerSide(
            read_text(of, "name"), of.get("label") or label, of.get("icon") or "", color
        )

    for marker in node.children_named("marker"):
        values: list[Node | None] = [*marker.children_named("value")]
        for value in values or [None]:
            amount = None if value is None else int(read_text(value, "number"))
            label = "" if amount is None else str(amount)
            other = next(marker.children_named("other"), None)
            yield Marker(
                id=read_text(marker, "id") + ("" if amount is None else f"/{amount}"),
                value=amount,
                copies=read_integer(value or marker, "count", 1) or 0,
                shape=cast(
                    'Literal["square", "circle", "hexagon"]', marker.get("shape") or "square"
                ),
                size=float(read_text(marker, "size")),
                face=side(marker, label),
                other=None if other is None else side(other, label),
                source=marker.source,
            )


def apply_counts(markers: Iterable[Marker], counts: Mapping[str, int]) -> list[Marker]:
    """Return markers with other counts.

    Args:
        counts: by id; a count for "id" applies to each of its values, unless there is "id/value".
    """
    return [
        marker._replace(
            copies=counts.get(marker.id, counts.get(marker.id.partition("/")[0], marker.copies))
        )
        for marker in markers
    ]


def resolve_counts(
    markers: Iterable[Marker], only: Iterable[str], changes: Mapping[str, int]
) -> dict[str, int]:
    """Return the counts that differ from those of the game.

    Args:
        only: the ids of the markers to print, with or without values; all if empty.
        changes: other counts, by id.

    Raises:
        ChoiceError: if a marker does not exist, or none is left.
    """
    markers, only = [*markers], [*only]
    known = [name for marker in markers for name in (marker.id.partition("/")[0], marker.id)]
    if not known:
        raise ChoiceError("the game has no markers", "list them under `markers` in game.xml")
    for name in (*only, *changes):
        require_known(name, dict.fromkeys(known), "marker", " in game.xml")
    parents = {name.partition("/")[0] for name in only if "/" in name}
    left_out = {
        marker.id: 0
        for marker in markers
        if only
        and marker.id not in only
        and (marker.id.partition("/")[0] not in only or marker.id in parents)
    }
    counts = {**left_out, **changes}
    if not any(marker.copies for marker in apply_counts(markers, counts)):
        raise ChoiceError("every marker has the count 0, so there is nothing to print")
    return counts
