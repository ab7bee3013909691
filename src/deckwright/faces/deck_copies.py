"""Every copy that is printed of a deck and of tokens, as cards or as slips."""

from __future__ import annotations

from collections.abc import Iterable

from deckwright.base.findings import Report
from deckwright.base.progress import steps
from deckwright.base.units import Mm
from deckwright.checks.zoning import zoned
from deckwright.decks.stats import DeckStats
from deckwright.faces.copies import Copy
from deckwright.faces.factory import FaceFactory
from deckwright.game.decklist import TokenCount
from deckwright.game.model import Card, Deck, Values
from deckwright.ops.model import Face

_LEAST_SLIP: Mm = 5
"""No side of a slip is shorter."""


def deck_copies(
    stats: DeckStats, factory: FaceFactory, report: Report, *, backs: bool
) -> list[Copy]:
    """Return every copy of a deck in the order of print: zone by zone, then the tokens."""
    faction_id = stats.deck.faction_id
    cards = _copies(stats.deck, factory, report)
    tokens = token_copies(stats.tokens, faction_id, factory, report)
    return _backed([*cards, *tokens], factory, report) if backs else [*cards, *tokens]


def _copies(deck: Deck, factory: FaceFactory, report: Report) -> list[Copy]:
    """Return every copy to print; one of several faces is as many."""
    copies: list[Copy] = []
    lines = zoned(factory.game, deck)
    factory.expect([(line.card, line.card.faction_id) for line in lines], report)
    for line in steps(lines, "composing cards"):
        part = line.zone.name if line.zone else deck.name
        card, faction_id = line.card, line.card.faction_id
        printed = (*deck.printed, *line.entry.printed)
        faces = factory.card_faces(card, faction_id, report, printed)
        of_one = _each(card, faction_id, faces, part, line.entry.zone, printed)
        copies += of_one * line.entry.copies
    return copies


def _each(
    card: Card,
    faction_id: str,
    faces: Iterable[Face],
    part: str,
    zone_id: str | None = None,
    printed: Values = (),
) -> list[Copy]:
    """Return a copy of each face of a card."""
    return [
        Copy(card, faction_id, face, part=part, number=number, zone_id=zone_id, printed=printed)
        for number, face in enumerate(faces, 1)
    ]


def token_copies(
    counts: Iterable[TokenCount],
    faction_id: str,
    factory: FaceFactory,
    report: Report,
    *,
    backs: bool = False,
) -> list[Copy]:
    """Return every copy of tokens to print, as a faction has them."""
    copies: list[Copy] = []
    name = factory.game.setup.words["tokens"]
    for count in counts:
        faces = factory.card_faces(count.token, faction_id, report)
        copies += _each(count.token, faction_id, faces, name) * count.copies
    return _backed(copies, factory, report) if backs else copies


def each_once(
    counts: Iterable[TokenCount],
    faction_id: str,
    factory: FaceFactory,
    report: Report,
    *,
    backs: bool,
) -> list[list[Copy]]:
    """Return one copy of each token, with all its faces, to fill sheets with."""
    single = (count._replace(copies=1) for count in counts)
    return [token_copies([one], faction_id, factory, report, backs=backs) for one in single]


def _backed(copies: Iterable[Copy], factory: FaceFactory, report: Report) -> list[Copy]:
    """Return copies with their backs; those that cannot be composed are reported."""

    def back(copy: Copy) -> Face | None:
        card, faction_id, number = copy.card, copy.faction_id, copy.number
        return factory.card_back(
            card, faction_id, report, number, zone_id=copy.zone_id, printed=copy.printed
        )

    return [copy._replace(back=back(copy)) for copy in copies]


def _slip_size(width: Mm, height: Mm, trim: Mm) -> tuple[Mm, Mm]:
    """Return the size of a slip for cards of this size, from which `trim` is taken."""
    return max(width - trim, min(width, _LEAST_SLIP)), max(height - trim, min(height, _LEAST_SLIP))


def on_slips(copies: Iterable[Copy], factory: FaceFactory, trim: Mm, report: Report) -> list[Copy]:
    """Return copies with slips in the place of their faces; what cannot be composed is reported.

    Args:
        trim: by how much slips are narrower and lower than their cards.
    """
    slips: dict[tuple[int, str, int], Face | None] = {}
    made = []
    for copy in copies:
        card, faction_id, number = copy.card, copy.faction_id, copy.number
        key = id(card), faction_id, number
        if key not in slips:
            size = _slip_size(card.kind.width, card.kind.height, trim)
            slips[key] = factory.slip(card, faction_id, size, report, number)
        slip = slips[key]
        if slip is not None:
            made.append(copy._replace(face=slip, back=None))
    return made
