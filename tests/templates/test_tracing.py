"""Elements of templates are found on a face by what they drew."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.geometry import Box
from deckwright.templates.tracing import PlacedElement, trace_elements
from support import HalfEm, composer


def trace(folder: Path, body: str, *, lenient: bool = False) -> list[PlacedElement]:
    maker = composer(folder, f"<face>{body}</face>", [])
    assert maker is not None
    if lenient:
        maker = type(maker)(maker.template, maker.context, maker.subject, [], lenient=True)
    face = maker.compose({"card": {"name": "Ant"}}, 65, 90)
    assert face is not None
    return trace_elements(face.ops, [maker.template], HalfEm())


def told(elements: list[PlacedElement]) -> list[tuple[str, int | None]]:
    return [(each.part.node.tag, each.around) for each in elements]


RECT = '<rect x="1" y="2" width="4" height="3" fill="red" stroke="blue"/>'


def test_elements_that_only_hold_others_are_found_around_them(tmp_path: Path) -> None:
    """Groups without a place of their own draw the very ops of what is in them."""
    body = f'<g><g><g when="card.name">{RECT}<line x2="9"/></g></g></g>{RECT}'
    assert told(trace(tmp_path, body)) == [
        ("g", None), ("g", 0), ("g", 1), ("rect", 2), ("line", 2), ("rect", None),
    ]  # fmt: skip


def test_the_matrix_is_that_of_the_coordinates_of_an_element(tmp_path: Path) -> None:
    turned = RECT.replace("<rect", '<rect transform="scale(2)"')
    group, rect = trace(tmp_path, f'<g x="10" y="20" rotate="90">{turned}</g>')
    assert group.matrix == pytest.approx((1, 0, 0, 1, 0, 0))
    assert rect.matrix == pytest.approx((0, 2, -2, 0, 10, 20))
    assert rect.extent == pytest.approx((-0.2, 21.8, 6.4, 8.4))
    assert group.extent == rect.extent


def test_each_turn_of_a_loop_is_found_with_its_values(tmp_path: Path) -> None:
    found = trace(
        tmp_path, '<rect each="n in [1, 5]" x="{{ n }}" width="2" height="2" fill="red"/>'
    )
    assert [each.values["x"] for each in found] == [1, 5]
    assert found[0].part is found[1].part


def test_one_tile_of_a_pattern_is_found(tmp_path: Path) -> None:
    body = '<pattern x="10" y="10" width="30" height="30" step-x="5" step-y="5">'
    tile = '<circle cx="0" cy="2" r="1" fill="red"/></pattern>'
    pattern, circle = trace(tmp_path, body + tile)
    assert told([pattern, circle]) == [("pattern", None), ("circle", 0)]
    assert circle.matrix == pytest.approx((1, 0, 0, 1, 10, 10))


def test_what_boxes_and_rows_place_is_found_where_it_is(tmp_path: Path) -> None:
    body = f'<row x="20" y="30" gap="1">{RECT}<box padding="1" fill="red">{RECT}</box></row>'
    found = trace(tmp_path, body)
    assert told(found) == [("row", None), ("rect", 0), ("box", 0), ("rect", 2)]
    extents = [each.extent for each in found if each.extent]
    assert extents[0] == pytest.approx(Box.around(extents[1:]))
    assert extents[1].x == pytest.approx(20)


def test_what_is_drawn_despite_a_fault_is_found_as_well(tmp_path: Path) -> None:
    body = '<g opacity="0.5"><text width="1" height="1">Ant</text></g>'
    assert told(trace(tmp_path, body, lenient=True)) == [("g", None), ("text", 0)]


def test_of_what_draws_nothing_there_is_nothing(tmp_path: Path) -> None:
    assert trace(tmp_path, '<rect width="1" height="1"/><g when="card.none is defined"/>') == []
