"""Whether texts and lines are large enough for a print service, as large as they are printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from deckwright.base.colors import luminance
from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.base.geometry import Box
from deckwright.base.units import POINTS
from deckwright.faces.copies import Side
from deckwright.ops.model import DrawGlyphs, DrawImage, FillPath, StrokePath
from deckwright.outputs.press.leaves import Leaf, leaves
from deckwright.outputs.services.profile import Service
from deckwright.text.shaping import Metrics

E044 = Code("E044", Severity.WARNING, "a text too small for a print service")
E045 = Code("E045", Severity.WARNING, "a line too thin for a print service")

_SLACK = 0.05
"""How many points may be missing: nobody sees that."""
_LIGHT = 0.5
"""The luminance from which letters on a picture are taken for light ones on something dark."""


def check_fineness(
    sides: Iterable[Side], service: Service, metrics: Metrics
) -> Iterator[Diagnostic]:
    """Yield texts and lines that are finer than a service prints, each size of a kind once."""
    if not (service.min_text or service.min_light_text or service.min_line):
        return
    seen = set[object]()
    for side in sides:
        below: list[Leaf] = []
        for leaf in leaves(side.face.ops, metrics):
            found = _text(leaf, below, service) or _line(leaf, service)
            if found is not None:
                code, what, size, least = found
                key = side.alike, code, least, round(size, 1)
                if key not in seen:
                    seen.add(key)
                    yield code.at(
                        side.place,
                        f"{side.subject}: {what} {size:.2g} pt, {service.name} wants "
                        f"{least:g} pt at least",
                        "make it larger" if code is E044 else "make it wider",
                    )
            below.append(leaf)


def _text(
    leaf: Leaf, below: Sequence[Leaf], service: Service
) -> tuple[Code, str, float, float] | None:
    """Return what is to be said of a text that is too small, with its size and the least one."""
    op = leaf.op
    if not isinstance(op, DrawGlyphs) or not op.text.strip():
        return None
    size = op.size * _scale(leaf) * POINTS
    if size < service.min_text - _SLACK:
        return E044, f"the text `{op.text}` has", size, service.min_text
    if size < service.min_light_text - _SLACK and _is_on_darker(leaf, op.color, below):
        return E044, f"the light text `{op.text}` has", size, service.min_light_text
    return None


def _line(leaf: Leaf, service: Service) -> tuple[Code, str, float, float] | None:
    """Return what is to be said of a line that is too thin, as `_text` does."""
    op, scale = leaf.op, _scale(leaf)
    if isinstance(op, StrokePath):
        width = op.seen_width(scale) * scale * POINTS
        if width < service.min_line - _SLACK:
            return E045, "a line has", width, service.min_line
    return None


def _scale(leaf: Leaf) -> float:
    """Return how much larger a leaf is than in its own coordinates."""
    return prod(group.scale for group in leaf.around)


def _is_on_darker(leaf: Leaf, color: str, below: Sequence[Leaf]) -> bool:
    """Return whether letters are lighter than the ground that the middle of them is on."""
    box, light = leaf.box, luminance(color)
    middle = Box(box.x + box.width / 4, box.y + box.height / 4, box.width / 2, box.height / 2)
    for other in reversed(below):
        if isinstance(other.op, DrawImage):
            if other.box.common(middle) == middle:
                return light > _LIGHT
        elif isinstance(other.op, FillPath) and other.covers(middle):
            return min(map(luminance, other.op.colors)) < light
    return False
