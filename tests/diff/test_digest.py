"""Digests of faces: equal where faces print the same, different where they do not."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from conftest import ROOT
from deckwright.base.findings import Report
from deckwright.base.geometry import Box
from deckwright.diff.manifest import Digests
from deckwright.images.store import ImageStore
from deckwright.ops.model import (
    MITER_LIMIT,
    DrawGlyphs,
    DrawImage,
    Face,
    FillPath,
    Gradient,
    Group,
    Op,
    StrokePath,
    Tag,
)
from deckwright.text.fonts import Font
from ops_as_text import format_face

THIS = Path(__file__)
FONTS = {
    "text-regular": Font("text-regular", THIS),
    "title-bold": Font("title-bold", ROOT / "LICENSE"),
}
"""Any files are good enough to tell fonts apart."""
PICTURES = (ROOT / "LICENSE", THIS)

# Lengths that print alike are equal, and colors, texts and files are few, so that faces are
# equal often enough.
lengths = st.integers(-2, 2).map(lambda number: number / 2)
colors = st.sampled_from(["#000000", "#ff0000"])
outlines = st.lists(
    st.one_of(
        st.tuples(st.just("M"), lengths, lengths),
        st.tuples(st.just("C"), *[lengths] * 6),
        st.just(("Z",)),
    ),
    min_size=1,
    max_size=2,
).map(tuple)
gradients = st.builds(
    Gradient,
    st.tuples(lengths, lengths),
    st.tuples(lengths, lengths),
    st.tuples(st.tuples(st.just(0.0), colors), st.tuples(st.just(1.0), colors)),
    st.booleans(),
)
leaves = st.one_of(
    st.builds(FillPath, outlines, st.one_of(colors, gradients), st.booleans()),
    st.builds(
        StrokePath,
        outlines,
        colors,
        lengths,
        st.integers(0, 2),
        st.integers(0, 2),
        st.just(MITER_LIMIT),
        st.sampled_from([(), (1.0,), (1.0, 2.0)]),
        st.sampled_from([0, 0.5]),
    ),
    st.builds(
        DrawGlyphs,
        st.sampled_from([*FONTS]),
        lengths,
        lengths,
        lengths,
        st.sampled_from(["a", "ß", "“"]),
        st.sampled_from([(), (1,), (-2,)]),
        colors,
    ),
    st.builds(
        DrawImage,
        st.sampled_from(PICTURES),
        st.builds(Box, lengths, lengths, lengths, lengths),
        st.booleans(),
    ),
)
groups = st.recursive(
    leaves,
    lambda inner: st.builds(
        Group,
        st.lists(inner, max_size=2).map(tuple),
        st.one_of(st.none(), st.tuples(*[lengths] * 6)),
        st.one_of(st.none(), outlines),
        st.sampled_from([1, 0.5]),
        st.booleans(),
        st.just(""),
    ).filter(lambda group: group.ops),
    max_leaves=3,
)
faces = st.builds(
    lambda height, ops: Face(65.0, height, tuple(ops)),
    st.sampled_from([88.0, 90.0]),
    st.lists(groups, max_size=2),
)


def skip_plain_groups(ops: Iterable[Op]) -> Iterator[Op]:
    """Yield ops, with those of a group that changes nothing in its place."""
    for op in ops:
        if isinstance(op, Group):
            inner = tuple(skip_plain_groups(op.ops))
            yield from inner if op == Group(op.ops) else (op._replace(ops=inner),)
        else:
            yield op


@given(faces, faces)
def test_digests_are_equal_where_faces_are(one: Face, other: Face) -> None:
    digests = Digests(FONTS)
    first, second = (
        format_face(face._replace(ops=tuple(skip_plain_groups(face.ops)))) for face in (one, other)
    )
    assert (digests.of(one) == digests.of(other)) == (first == second)


EVERYTHING = Face(
    65,
    90,
    (
        FillPath((("M", 1.0, 2.0), ("C", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0), ("Z",)), "#ff0000"),
        FillPath(
            (("M", 1.0, 2.0),),
            Gradient((1, 2), (3, 4), ((0, "#ff0000"), (1, "#0000ff"))),
            even_odd=True,
        ),
        StrokePath((("M", 1.0, 2.0),), "#ff0000", 0.5, 1, 2, MITER_LIMIT, (1.0, 2.0), 0.5),
        Group(
            (
                DrawGlyphs("text-regular", 3, 1, 2, "a", (1, 2), "#ff0000"),
                DrawImage(PICTURES[0], Box(1, 2, 3, 4), cover=True),
            ),
            (1, 2, 3, 4, 5, 6),
            (("M", 1.0, 2.0),),
            0.5,
        ),
    ),
)


def _places(value: object, place: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the places of all plain values in tuples of tuples."""
    if isinstance(value, tuple):
        for index, inner in enumerate(value):
            yield from _places(inner, (*place, index))
    else:
        yield place


def _changed(value: Any, place: tuple[int, ...]) -> Any:
    """Return tuples of tuples with another value at one place."""
    if place:
        inner = [*value]
        inner[place[0]] = _changed(value[place[0]], place[1:])
        return value._make(inner) if hasattr(value, "_make") else tuple(inner)
    if isinstance(value, bool):
        return not value
    if isinstance(value, Path):
        return PICTURES[1]
    if isinstance(value, str):
        return {"M": "L", "C": "D", "Z": "Y", "text-regular": "title-bold"}.get(value, f"{value}1")
    return Tag("P") if value is None else value + 1


SAID = [(2, 3, Group._fields.index(name)) for name in ("alt", "module", "tag")]


@pytest.mark.corpus(2)
@pytest.mark.parametrize("place", [p for p in _places(EVERYTHING) if p[0] <= 2 and p not in SAID])
def test_whatever_is_drawn_otherwise_changes_the_digest(place: tuple[int, ...]) -> None:
    digests = Digests(FONTS)
    assert digests.of(_changed(EVERYTHING, place)) != digests.of(EVERYTHING)


def test_what_a_group_says_and_does_not_print_leaves_the_digest_as_it_is() -> None:
    digests = Digests(FONTS)
    plain = digests.of(EVERYTHING)
    assert {digests.of(_changed(EVERYTHING, place)) for place in SAID} == {plain}
    speaking = tuple(Group((op,), alt="said") for op in EVERYTHING.ops)
    assert digests.of(EVERYTHING._replace(ops=speaking)) == plain


@given(faces)
def test_a_digest_does_not_depend_on_objects_or_on_what_came_before(face: Face) -> None:
    digests = Digests(FONTS)
    first = digests.of(face)
    assert digests.of(copy.deepcopy(face)) == first
    assert Digests(FONTS).of(face) == first


SAMPLE = Face(
    65,
    90,
    (
        FillPath((("M", 0.0, 0.0), ("C", 1.0, 2.0, 3.0, 4.0, 5.5, 6.25), ("Z",)), "#1f6f78"),
        Group(
            (StrokePath((("M", 0.0, 0.0), ("L", 1 / 3, -0.0)), "#000000", 0.1),),
            (0.5, 0, 0, 0.5, 1, 2),
        ),
        FillPath((("M", 1.0, 1.0),), Gradient((0, 0), (0, 9), ((0, "#ffffff"), (1, "#000000")))),
    ),
)


def test_a_digest_is_the_same_at_every_time_and_place() -> None:
    """If this fails, `VERSION` of the manifests' format must grow."""
    assert Digests({}).of(SAMPLE) == "8700fc3ff66c3f1345213406f4f8b2e869098be1"


def test_what_reckoning_is_off_by_changes_no_digest() -> None:
    def at(x: float) -> str:
        return Digests({}).of(Face(65, 90, (FillPath((("M", x, -x),), "#000000"),)))

    assert at(0.1 + 0.2) == at(0.3)
    assert at(-0.0) == at(0.0) == at(1e-9)
    assert at(0.3001) != at(0.3)


def test_files_count_by_what_is_in_them(tmp_path: Path) -> None:
    for name, text in (("a", "one"), ("b", "one"), ("c", "two")):
        (tmp_path / name).write_text(text, encoding="utf-8")

    def of(image: str, font: str = "a", font_id: str = "text-regular") -> str:
        fonts = {font_id: Font(font_id, tmp_path / font)}
        ops = (
            DrawImage(tmp_path / image, Box(0, 0, 1, 1), cover=True),
            DrawGlyphs(font_id, 3, 0, 0, "Held", (), "#000000"),
        )
        return Digests(fonts).of(Face(65, 90, ops))

    assert of("a") == of("b") == of("a", "b") == of("a", "a", "title-bold")
    assert len({of("a"), of("c"), of("a", "c"), of("none")}) == 4


def test_a_prepared_image_need_not_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    Image.new("RGB", (40, 40), "red").save(path)
    op = DrawImage(path, Box(0, 0, 10, 10), cover=True)
    images, report = ImageStore(tmp_path / "cache"), Report()
    images.prepare([op], report)
    face = Face(65, 90, (op,))
    read = Digests({}).of(face)
    path.unlink()
    assert Digests({}, images).of(face) == read
    assert Digests({}).of(face) != read
