"""Elements that change sides in languages that are written from right to left."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckwright.base.geometry import IDENTITY, Box
from deckwright.ops.model import DrawGlyphs, FillPath, Group, Op, StrokePath
from deckwright.ops.outlines import bounds_of
from deckwright.text.break_opportunities import Hyphenator
from support import composer

WIDTH = 65


def draw(folder: Path, body: str, language: str) -> tuple[Op, ...]:
    maker = composer(folder, f"<face>{body}</face>", [])
    assert maker is not None
    maker.context = maker.context._replace(hyphens=Hyphenator(language))
    face = maker.compose({}, WIDTH, 90)
    assert face is not None
    return face.ops


def places(ops: tuple[Op, ...], matrix: tuple[float, ...] = IDENTITY) -> list[tuple[float, ...]]:
    """Return the left and the right ends of what is drawn, with its upper end, from the left."""
    found: list[tuple[float, ...]] = []
    for op in ops:
        if isinstance(op, Group):
            found += places(op.ops, op.inner_matrix(matrix))  # type: ignore[arg-type]
        elif isinstance(op, FillPath | StrokePath):
            box = bounds_of(op.outline, matrix)  # type: ignore[arg-type]
            found.append((round(box.x, 3), round(box.right, 3), round(box.y, 3)))
        elif isinstance(op, DrawGlyphs):
            wide = len(op.text.rstrip()) * op.size / 2
            box = Box(op.x, op.y, wide, 0).transform(matrix)  # type: ignore[arg-type]
            found.append((round(box.x, 3), round(box.right, 3), round(box.y, 3)))
    return sorted(found)


@pytest.mark.parametrize(
    "body",
    [
        '<rect x="1" y="2" width="10" height="3" fill="red"/>',
        '<g x="4" y="1"><path d="M1 1 L9 3 L2 8 Z" fill="red"/><line x1="1" x2="5"/></g>',
        '<text x="3" y="5" width="20" font-size="2">ab</text>',
        '<text x="3" font-size="2">abc</text><text x="30" font-size="2" text-anchor="end">d</text>',
        '<text x="3" width="20" font-size="2" text-anchor="middle">ab</text>',
        '<g x="10" rotate="30" cx="3" cy="2"><rect width="8" height="3" fill="red"/></g>',
        '<g transform="translate(5 1) scale(2)"><circle cx="3" r="2" fill="red"/></g>',
        '<icon name="fish" x="2" width="6"/>',
        '<g x="7"><g x="2" scale="0.5"><icon name="star" width="8"/></g></g>',
        '<box x="5" y="4" padding="1"><text font-size="2">ab</text></box>',
        '<box x="30" text-anchor="end" fill="red"><text font-size="2">ab</text></box>',
        '<row x="2" width="40"><circle r="3" fill="red"/><circle r="1" fill="red"/></row>',
        '<first><text width="1" height="1">abc</text><circle r="1" fill="red"/></first>',
        '<g each="n in [1, 2]" x="{{ n * 9 }}"><circle cx="{{ n }}" r="1" fill="red"/></g>',
    ],
)  # fmt: skip
def test_all_that_a_mirrored_group_holds_changes_sides(tmp_path: Path, body: str) -> None:
    mirrored = f'<g mirror="{WIDTH}">{body}</g>'
    plain = places(draw(tmp_path, body, "de"))
    assert plain
    assert places(draw(tmp_path, mirrored, "de")) == plain
    turned = sorted((WIDTH - right, WIDTH - left, top) for left, right, top in plain)
    seen = places(draw(tmp_path, mirrored, "ar"))
    assert len(seen) == len(turned)
    for one, other in zip(seen, turned, strict=True):
        assert one[:2] == pytest.approx(other[:2], abs=0.02)


def test_pictures_keep_their_looks_and_a_group_in_a_group_turns_once(tmp_path: Path) -> None:
    inner = '<icon name="fish" width="6"/>'
    (alone,) = draw(tmp_path, inner, "ar")
    nested = f'<g mirror="{WIDTH}"><g mirror="6">{inner}</g></g>'
    (group,) = draw(tmp_path, nested, "ar")
    assert isinstance(alone, FillPath)
    assert isinstance(group, Group)
    (icon,) = group.ops
    assert isinstance(icon, FillPath)
    moved = [(kind, *(round(v + (0 if n % 2 else 6), 3) for n, v in enumerate(place)))
             for kind, *place in icon.outline]  # fmt: skip
    assert moved == [(kind, *(round(v, 3) for v in place)) for kind, *place in alone.outline]


def test_a_clip_and_a_path_of_letters_change_sides(tmp_path: Path) -> None:
    clipped = (
        '<g mirror="65"><g clip="M1 0 H9 V5 H1 Z"><rect width="9" height="9" fill="red"/></g></g>'
    )
    (outer,) = draw(tmp_path, clipped, "he")
    assert isinstance(outer, Group)
    (inner,) = outer.ops
    assert isinstance(inner, Group)
    assert inner.clip
    box = bounds_of(inner.clip, outer.inner_matrix(IDENTITY))
    assert (box.x, box.right) == (56, 64)
    bent = '<text path="M0 5 H10" x="3" font-size="2">ab</text>'
    plain = places(draw(tmp_path, bent, "de"))
    seen = places(draw(tmp_path, f'<g mirror="65">{bent}</g>', "he"))
    assert [left - 49 for left, *_ in seen] == pytest.approx([left for left, *_ in plain])
