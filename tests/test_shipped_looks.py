"""The shipped game: every card says what it does, and no faction is taken for another."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageCms

from conftest import ROOT
from deckwright.base.colors import luminance
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import compose_faces
from deckwright.game.folder import GameFolder
from deckwright.ops.model import DrawGlyphs, FillPath, Gradient, map_ops, walk
from deckwright.outputs.press.icc import BUNDLED
from deckwright.outputs.press.inks import InkConverter
from deckwright.templates.compose import Subject
from deckwright.templates.lints import L003, lint_face
from support import load_all

pytestmark = pytest.mark.usefixtures("shipped_checked")

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from deckwright.base.findings import Report
    from deckwright.ops.model import Face, Op

FOLDER = GameFolder(ROOT)
GAME = load_all(ROOT)
SMALLEST = 7.5 / 72 * 25.4
SMALLEST_ON_TOKENS = 7 / 72 * 25.4
"""The smallest text on a card, in mm."""
Color = tuple[float, float, float]
INKS = InkConverter(BUNDLED.read_bytes(), 300)
FROM_INKS = ImageCms.buildTransform(
    str(BUNDLED),
    ImageCms.createProfile("sRGB"),
    "CMYK",
    "RGB",
    ImageCms.Intent.RELATIVE_COLORIMETRIC,
)

# What people with protanopia and deuteranopia see of linear RGB (Machado and others, 2009).
PROTANOPIA = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
EVERYTHING = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)


def times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def linear(color: str) -> list[float]:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def lab(color: str, eyes: Sequence[Sequence[float]] = EVERYTHING) -> Color:
    """Return a color in CIE L*a*b* as somebody sees it."""
    seen = [min(1.0, max(0.0, channel)) for channel in times(eyes, linear(color))]
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in (a / b for a, b in zip(times(TO_XYZ, seen), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Color, other: Color) -> float:
    """Return the difference CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    c1, c2 = math.hypot(a1 * g, b1), math.hypot(a2 * g, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * g)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    lm, cm, hm = (l1 + l2) / 2, (c1 + c2) / 2, (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * math.cos(math.radians(hm - 30))
        + 0.24 * math.cos(math.radians(2 * hm))
        + 0.32 * math.cos(math.radians(3 * hm + 6))
        - 0.20 * math.cos(math.radians(4 * hm - 63))
    )
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    twist = math.sin(math.radians(60 * math.exp(-(((hm - 275) / 25) ** 2))))
    rt = -2 * math.sqrt(cm**7 / (cm**7 + 25**7)) * twist
    dl, dc = (l2 - l1) / sl, (c2 - c1) / sc
    return math.sqrt(dl**2 + dc**2 + (dh / sh) ** 2 + rt * dc * dh / sh)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [  # from the table of Sharma, Wu and Dalal
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ],
)
def test_differences_of_colors_are_those_of_the_standard(
    one: Color, other: Color, expected: float
) -> None:
    assert difference(one, other) == pytest.approx(expected, abs=5e-4)


def printed(color: str) -> str:
    """Return what a color looks like in print, by the standard for coated paper."""
    page = Image.new("CMYK", (1, 1), INKS.convert_color(color).cmyk)
    seen = ImageCms.applyTransform(page, FROM_INKS)
    assert seen is not None
    return "#" + seen.tobytes().hex()


@pytest.mark.parametrize("eyes", [EVERYTHING, PROTANOPIA, DEUTERANOPIA])
@pytest.mark.parametrize(("look", "least"), [(str, 20), (printed, 18)])
def test_the_colors_of_factions_and_of_markers_are_told_apart(
    eyes: Sequence[Sequence[float]], look: Callable[[str], str], least: float
) -> None:
    assert len(GAME.factions) == 10
    factions = {faction.id: faction.color for faction in GAME.factions.values()}
    markers = {marker.id: marker.face.color for marker in GAME.setup.markers}
    for colors in factions, markers:
        seen = {name: lab(look(color), eyes) for name, color in colors.items()}
        for one, other in combinations(seen, 2):
            assert difference(seen[one], seen[other]) >= least, (one, other)


def test_in_gray_there_are_ten_steps_and_each_race_has_light_and_dark() -> None:
    lightness = sorted(lab(faction.color)[0] for faction in GAME.factions.values())
    assert min(b - a for a, b in pairwise(lightness)) >= 6
    for race in {faction.race for faction in GAME.factions.values()}:
        one, other = (lab(f.color)[0] for f in GAME.factions.values() if f.race == race)
        assert abs(one - other) >= 25, race


def test_the_arms_of_a_faction_have_its_color() -> None:
    arms = GAME.setup.vocabularies["tinctures"].terms
    for faction in GAME.factions.values():
        assert arms[faction.id].data["field"] == faction.color


@pytest.mark.parametrize("style", [None, "low-ink"])
def test_every_card_and_token_says_what_it_does_in_letters_that_can_be_read(
    style: str | None,
) -> None:
    report: Report = []
    factory = FaceFactory(GAME, FOLDER, report, style)
    drawn = list(compose_faces(factory, report))
    assert not report
    assert len(drawn) == len(GAME.cards) + len(list(GAME.tokens()))
    for named in drawn:
        assert not too_pale(named.face, factory), named.name
        glyphs = [op for op in walk(named.face.ops) if isinstance(op, DrawGlyphs)]
        least = SMALLEST_ON_TOKENS if named.card.kind.token else SMALLEST
        assert min(op.size for op in glyphs) >= least - 0.01, named.name
        text = squeezed("".join(op.text for op in glyphs))
        for rule in (GAME.rules[rule_id] for rule_id in named.card.rule_ids()):
            assert any(squeezed(label) in text for label in rule.labels.values()), named.name
            words = squeezed(rule.effect), squeezed(rule.brief or rule.effect)
            assert any(some in text for some in words), (named.name, rule.id)


def too_pale(face: Face, factory: FaceFactory) -> list[str]:
    """Return what is found of texts that are too pale, on the ends of gradients as well."""
    found: list[str] = []
    for end in (0, -1):

        def plain(op: Op, end: int = end) -> Op:
            """Return an op with the darkest or the lightest color of its gradient."""
            if isinstance(op, FillPath) and isinstance(op.color, Gradient):
                colors = sorted((color for _, color in op.color.stops), key=luminance)
                return op._replace(color=colors[end])
            return op

        ends = face._replace(ops=map_ops(face.ops, plain))
        lints = lint_face(
            ends, Subject(""), 0, factory.drawing_context.metrics, set(), lambda _: None
        )
        found += [lint.message for lint in lints if lint.code == L003]
    return found


@pytest.mark.parametrize("style", [None, "classic", "low-ink"])
def test_backs_and_classic_faces_can_be_read(style: str | None) -> None:
    factory = FaceFactory(GAME, FOLDER, [], style)
    drawn = [*compose_faces(factory, [], backs=True)]
    assert len(drawn) >= len(GAME.factions) - 1
    if style == "classic":
        drawn += compose_faces(factory, [])
    for named in drawn:
        assert not too_pale(named.face, factory), named.name


def test_the_border_of_a_back_is_darker_than_what_it_surrounds() -> None:
    for named in compose_faces(FaceFactory(GAME, FOLDER, []), [], backs=True):
        border, ground = [op.color for op in walk(named.face.ops) if isinstance(op, FillPath)][:2]
        assert isinstance(border, str)
        assert isinstance(ground, Gradient)
        assert all(luminance(border) < luminance(color) for _, color in ground.stops), named.name


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_a_short_text_is_shorter_than_the_text_it_stands_for() -> None:
    for rule in GAME.rules.values():
        assert rule.brief is None or len(rule.brief) < len(rule.effect), rule.id


def test_a_card_without_rules_has_a_line_of_flavor_and_no_two_cards_share_one() -> None:
    cards = list(GAME.cards.values())
    assert all(card.fields["flavor"] for card in cards if not card.rule_ids())
    lines = Counter(card.fields["flavor"] for card in cards if card.fields["flavor"])
    assert max(lines.values()) == 1
