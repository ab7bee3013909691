"""Which letters and lines are printed over the ground, and not in a gap that is left for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from deckwright.base.colors import mix
from deckwright.base.units import Mm
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, FillPath, Gradient, Op, StrokePath
from deckwright.ops.spots import ink_of, spot_of
from deckwright.outputs.press.inks import FULL, Cmyk, Inks
from deckwright.outputs.press.leaves import Leaf, leaves
from deckwright.text.shaping import Metrics

THIN: Mm = 0.5
"""Lines thinner than this are printed as texts are, with black alone where they are dark."""
_BLACK: Cmyk = (0, 0, 0, FULL)
_STEPS = 8
"""Into how many parts a gradient is cut: its colors run as they do in RGB, inks would differ."""


def overprinting(
    face: Face, inks: Inks, metrics: Metrics, top: Collection[str] = ()
) -> frozenset[int]:
    """Return the ids of the ops that are printed over what is below them.

    These are texts and lines of full black alone, as far as the ground leaves room for their ink
    within the limit. Where it does not, or is an image, they get a gap.

    Args:
        top: the ids of the inks beside the four of which all is printed so.
    """
    over, gap = set[int](), set[int]()
    below: list[Leaf] = []
    for leaf in leaves(face.ops, metrics):
        op = leaf.op
        if named := ink_of(op):
            if spot_of(named)[0] in top:
                over.add(id(op))
        elif isinstance(op, DrawGlyphs | StrokePath) and line_inks(op, inks) == _BLACK:
            # Black alone leaves room for more black, so these are not looked at again.
            (over if _has_room(leaf, below, inks) else gap).add(id(op))
        else:
            below.append(leaf)
    # The same op may be drawn at several places.
    return frozenset(over - gap)


def with_steps(gradient: Gradient) -> Gradient:
    """Return a gradient in RGB with the stops that it has in inks."""
    stops: list[tuple[float, str]] = []
    for (start, first), (end, second) in zip(gradient.stops, gradient.stops[1:], strict=False):
        parts = [step / _STEPS for step in range(_STEPS)] if end > start else [0]
        stops += ((start + (end - start) * part, mix(first, second, part)) for part in parts)
    return gradient._replace(stops=(*stops, gradient.stops[-1]))


def line_inks(op: DrawGlyphs | StrokePath, inks: Inks) -> Cmyk:
    """Return the inks of a text or a line."""
    if isinstance(op, StrokePath) and op.width >= THIN:
        return inks.color(op.color).cmyk
    return inks.text(op.color)


def _has_room(leaf: Leaf, below: Sequence[Leaf], inks: Inks) -> bool:
    """Return whether black in full may come on top of all that is seen below a leaf."""
    for other in reversed(below):
        if not other.box.touches(leaf.box):
            continue
        if isinstance(other.op, DrawImage):
            return False
        colored = max(sum(cmyk[:3]) for cmyk in _inks_of(other.op, inks))
        if (colored + FULL) * 100 > inks.limit * FULL:
            return False
        if other.covers(leaf.box):
            return True
    return True


def _inks_of(op: Op, inks: Inks) -> list[Cmyk]:
    """Return the inks of all colors of an op."""
    if isinstance(op, DrawGlyphs | StrokePath):
        return [line_inks(op, inks)]
    assert isinstance(op, FillPath)
    if isinstance(op.color, Gradient):
        return [inks.color(color).cmyk for _, color in with_steps(op.color).stops]
    return [inks.color(op.color).cmyk]
