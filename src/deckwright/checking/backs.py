"""Find backs that show which way up their card is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckwright.base.findings import Code, Diagnostic, Location, Severity, shorten
from deckwright.base.geometry import Matrix
from deckwright.base.units import MM_PER_UNIT, Mm
from deckwright.faces.copies import Back, back_of, has_own_back
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import prepare_images
from deckwright.game.model import Card, Game
from deckwright.ops.model import DrawGlyphs, DrawImage, Face, Gradient, Group, Op, walk
from deckwright.templates.lints import find_ops_at

if TYPE_CHECKING:
    from PIL import Image

L019 = Code("L019", Severity.INFO, "a back that shows which way up its card is")

_DPI = 75
_PIXEL: Mm = MM_PER_UNIT["in"] / _DPI
_MIN_DIFFERENCE = 40
"""The smallest difference of gray values, of 255, that players notice."""
_HINT = (
    "draw this twice, the second time turned around the middle, or leave it out; if the cards are "
    'never shuffled, give their kind `shuffled="false"`'
)


class HiddenBack(NamedTuple):
    """A back that cards share, whose way up may tell them apart.

    Attributes:
        card, faction_id: the first card that has it, and the faction that prints this card.
    """

    back: Back
    card: Card
    faction_id: str

    @property
    def key(self) -> tuple[object, ...]:
        """A key for one state of `game.xml`."""
        back = self.back
        return back.template, back.source.ordinal, back.owner, self.card.kind.tag


def find_hidden_backs(game: Game, printed: Iterable[tuple[Card, str]]) -> list[HiddenBack]:
    """Return the backs of cards that may be shuffled.

    Args:
        printed: cards with the factions that print them.
    """
    backs = (
        HiddenBack(back, card, faction_id)
        for card, faction_id in printed
        if card.kind.shuffled
        and not card.kind.token
        and (back := back_of(game, card, faction_id)) is not None
    )
    found: dict[tuple[object, ...], HiddenBack] = {}
    for hidden in backs:
        found.setdefault(hidden.key, hidden)
    return [*found.values()]


def lint_backs(
    factories: Iterable[FaceFactory], backs: Collection[HiddenBack]
) -> Iterator[Diagnostic]:
    """Yield a finding for each template of backs that look different when they are turned.

    Args:
        factories: one for each style.
    """
    from deckwright.paint.raster import Raster, draw  # only if backs have changed

    known: dict[tuple[object, ...], Face] = {}
    reported = set[Path]()
    for factory in factories:
        fresh: list[tuple[Path, Face]] = []
        for hidden in backs:
            back, card, faction_id = hidden
            path = factory.folder.template(back.template, factory.style)
            if path in reported or has_own_back(factory, card, faction_id, []):
                continue
            face, key = factory.card_back(card, faction_id, []), (path, *hidden.key)
            if face is not None and known.get(key) != face:
                known[key] = face
                fresh.append((path, face))
        images = factory.pictures.store
        if not prepare_images((face for _, face in fresh), images, []):
            continue
        sides = (side for _, face in fresh for side in (face, _turn(face)))
        pictures = draw(sides, factory.fonts, images, Raster(_DPI))
        for (path, face), picture, turned in zip(fresh, pictures, pictures, strict=True):
            pixel = None if path in reported else _find_difference(picture, turned)
            if pixel is not None:
                reported.add(path)
                row, column = divmod(pixel, picture.width)
                op = _find_cause(face, ((column + 0.5) * _PIXEL, (row + 0.5) * _PIXEL), factory)
                message = f"the back `{path.name}` shows which way up its card is: {_describe(op)}"
                node = factory.map_origins().get(id(op))
                yield L019.at(node.source.at() if node else Location(path), message, _HINT)


def _turn(face: Face) -> Face:
    """Return a face turned by 180 degrees."""
    return face._replace(ops=(Group(face.ops, (-1, 0, 0, -1, face.width, face.height)),))


def _find_difference(picture: Image.Image, other: Image.Image) -> int | None:
    """Return the number of the pixel that differs most, None if nobody notices any difference.

    Edges may be one pixel apart: a painter rounds those of thin shapes either way.
    """
    from PIL import ImageChops, ImageFilter  # as above

    if max(ImageChops.difference(picture, other).convert("L").tobytes()) < _MIN_DIFFERENCE:
        return None  # of most backs, found faster
    lightest = picture.filter(ImageFilter.MaxFilter(3))
    darkest = picture.filter(ImageFilter.MinFilter(3))
    lighter, darker = ImageChops.subtract(other, lightest), ImageChops.subtract(darkest, other)
    differences = ImageChops.lighter(lighter, darker).convert("L").tobytes()
    most = max(differences)
    return differences.index(most) if most >= _MIN_DIFFERENCE else None


def _find_cause(face: Face, point: tuple[Mm, Mm], factory: FaceFactory) -> Op | None:
    """Return the topmost op that makes a face differ at a point and at the opposite one.

    It is None if that is unclear.
    """
    opposite = face.width - point[0], face.height - point[1]
    here, there = (
        [*find_ops_at(face, at, _PIXEL / 2, factory.metrics)][::-1] for at in (point, opposite)
    )
    order = {id(op): index for index, op in enumerate(walk(face.ops))}
    for one, other in zip_longest(here, there):
        if not (one and other and _looks(one[0], one[1]) == _looks(other[0], other[1], -1)):
            return max((pair[0] for pair in (one, other) if pair), key=lambda op: order[id(op)])
    return None


def _looks(op: Op, matrix: Matrix, sign: int = 1) -> tuple[object, ...]:
    """Return what an op looks like within its outline, to compare it with others.

    Args:
        sign: -1 to compare it turned by 180 degrees.
    """
    direction = tuple(round(sign * number, 3) for number in matrix[:4])
    if isinstance(op, DrawGlyphs):
        return op.text, op.color, direction
    if isinstance(op, DrawImage):
        return op.path, direction
    assert not isinstance(op, Group)
    return (op.color, direction) if isinstance(op.color, Gradient) else (op.color,)


def _describe(op: Op | None) -> str:
    """Return what differs when a back is turned."""
    turned = "turned by 180 degrees"
    if isinstance(op, DrawGlyphs):
        return f"{turned}, it has no text `{shorten(op.text)}` in this place"
    if isinstance(op, DrawImage):
        return f"{turned}, its picture `{op.path.name}` looks different"
    return f"{turned}, it looks different in this place"
