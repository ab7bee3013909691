"""Select and compose the faces of a print: of a game, a deck, its tokens and markers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.base.findings import Code, Report, Severity, has_errors
from deckwright.base.processes import track_progress
from deckwright.base.units import Mm
from deckwright.checks.counting import assign_zones
from deckwright.decks.stats import DeckStats
from deckwright.faces.copies import Copy, NamedFace, has_own_back, name_back
from deckwright.faces.factory import FaceFactory
from deckwright.game.decklist import TokenCount
from deckwright.game.model import Card, Game, PrintableCard, PrintedValues
from deckwright.game.setup import Marker
from deckwright.ops.bleed import square_corners
from deckwright.ops.model import DrawImage, Face, walk
from deckwright.templates.compose import RULES_FIELD

if TYPE_CHECKING:
    from deckwright.images.store import ImageStore


R019 = Code("R019", Severity.ERROR, "a requested card that does not exist")


def compose_faces(
    factory: FaceFactory,
    report: Report,
    names: Collection[str] = (),
    *,
    backs: bool = False,
) -> Iterator[NamedFace]:
    """Yield the faces of cards and tokens; report those that cannot be composed.

    Args:
        names: ids or names of cards, ids of factions or of rules that create tokens; all if empty.
        backs: whether to yield backs instead: one for each stack, for each faction and kind, or for
            each card with a back of its own.
    """
    seen, selected = set[int](), list[PrintableCard]()
    for each in factory.game.printable_cards():
        card, faction_id, rule_id = each
        # A card is selected by its own name, or that of its faction or rule.
        own = {card.id, card.name, *(("tokens", rule_id) if rule_id else (faction_id,))}
        if faction_id and (not names or not own.isdisjoint(names)):
            selected.append(each)
    if not backs:
        factory.prefetch([(each.card, each.faction_id) for each in selected], report)
    for each in track_progress(selected, "composing faces"):
        if backs:
            yield from compose_backs(factory, each, seen, report)
        else:
            yield from compose_fronts(factory, each, report)


def compose_fronts(
    factory: FaceFactory, printable: PrintableCard, report: Report
) -> Iterator[NamedFace]:
    """Yield the faces of a card or token; report those that cannot be composed."""
    card, faction_id, rule_id = printable
    group = "tokens" if rule_id else faction_id
    for number, face in enumerate(factory.card_faces(card, faction_id, report), 1):
        yield NamedFace(_file_name(factory.game, card, number), group, card, face)


def compose_backs(
    factory: FaceFactory, printable: PrintableCard, seen: set[int], report: Report
) -> Iterator[NamedFace]:
    """Yield the backs of a card or token; report those that cannot be composed.

    Args:
        seen: the `id()` of the backs that other cards share with it, which are left out.
    """
    card, faction_id, _ = printable
    is_own = has_own_back(factory, card, faction_id, report)
    for number in range(1, card.parts + 1 if is_own else 2):
        back = factory.card_back(card, faction_id, report, number)
        if back is not None and id(back) not in seen:
            seen.add(id(back))
            own = _file_name(factory.game, card, number) if is_own else None
            named = name_back(factory.game, card, faction_id, back, own)
            yield named._replace(name=f"back_{named.name}")


def _file_name(game: Game, card: Card, number: int) -> str:
    """Return the stem of a face's file, prefixed by the faction if it shares cards."""
    faction = game.factions.get(card.faction_id)
    shared = f"{faction.id}_" if faction and faction.cards_of else ""
    part = f"_part{number}" if card.parts > 1 else ""
    return shared + (card.id.replace("/", "_") if card.kind.token else card.id) + part


def compose_marker_sides(
    marker: Marker, factory: FaceFactory, report: Report
) -> tuple[Face, Face | None] | None:
    """Return both sides of a marker, None after reporting why it cannot be drawn."""
    front = factory.compose_marker(marker, marker.face, report)
    other = factory.compose_marker(marker, marker.other, report) if marker.other else None
    if front is None or (marker.other and other is None):
        return None
    # With square corners, straight cuts leave no white corners.
    return square_corners(front, 0, 0), other and square_corners(other, 0, 0)


def make_deck_copies(
    stats: DeckStats, factory: FaceFactory, report: Report, *, backs: bool
) -> list[Copy]:
    """Return all copies of a deck in print order: zone by zone, then the tokens."""
    deck, copies = stats.deck, list[Copy]()
    lines = assign_zones(factory.game, deck)
    factory.prefetch([(line.card, line.card.faction_id) for line in lines], report)
    for line in track_progress(lines, "composing cards"):
        part = line.zone.name if line.zone else deck.name
        card, entry = line.card, line.entry
        printed = (*deck.printed, *entry.printed)
        faces = factory.card_faces(card, card.faction_id, report, printed)
        of_one = _copies_of_faces(card, card.faction_id, faces, part, entry.zone, printed)
        copies += of_one * entry.copies
    copies += make_token_copies(stats.tokens, deck.faction_id, factory, report)
    return _add_backs(copies, factory, report) if backs else copies


def _copies_of_faces(
    card: Card,
    faction_id: str,
    faces: Iterable[Face],
    part: str,
    zone_id: str | None = None,
    printed: PrintedValues = (),
) -> list[Copy]:
    """Return a copy of each face of a card."""
    return [
        Copy(card, faction_id, face, part=part, number=number, zone_id=zone_id, printed=printed)
        for number, face in enumerate(faces, 1)
    ]


def make_token_copies(
    counts: Iterable[TokenCount],
    faction_id: str,
    factory: FaceFactory,
    report: Report,
    *,
    backs: bool = False,
) -> list[Copy]:
    """Return all copies of tokens to print for a faction."""
    copies: list[Copy] = []
    name = factory.game.setup.words["tokens"]
    for count in counts:
        faces = factory.card_faces(count.token, faction_id, report)
        copies += _copies_of_faces(count.token, faction_id, faces, name) * count.copies
    return _add_backs(copies, factory, report) if backs else copies


def make_single_copies(
    counts: Iterable[TokenCount],
    faction_id: str,
    factory: FaceFactory,
    report: Report,
    *,
    backs: bool,
) -> list[list[Copy]]:
    """Return one copy of each token, with all its faces, for filling sheets."""
    single = (count._replace(copies=1) for count in counts)
    return [make_token_copies([one], faction_id, factory, report, backs=backs) for one in single]


def _add_backs(copies: Iterable[Copy], factory: FaceFactory, report: Report) -> list[Copy]:
    """Return copies with backs; report those that cannot be composed."""

    def back(copy: Copy) -> Face | None:
        card, faction_id, number = copy.card, copy.faction_id, copy.number
        return factory.card_back(
            card, faction_id, report, number, zone_id=copy.zone_id, printed=copy.printed
        )

    return [copy._replace(back=back(copy)) for copy in copies]


_MIN_SLIP: Mm = 5
"""The shortest side of a slip."""


def replace_with_slips(
    copies: Iterable[Copy], factory: FaceFactory, trim: Mm, report: Report
) -> list[Copy]:
    """Return copies with slips in place of their faces; report those that cannot be composed.

    Args:
        trim: the amount by which slips are narrower and lower than their cards.
    """
    slips: dict[tuple[int, str, int], Face | None] = {}
    result = []
    for copy in copies:
        card, faction_id, number = copy.card, copy.faction_id, copy.number
        key = id(card), faction_id, number
        if key not in slips:
            width, height = (
                max(side - trim, min(side, _MIN_SLIP))
                for side in (card.kind.width, card.kind.height)
            )
            slips[key] = factory.compose_slip(card, faction_id, (width, height), report, number)
        slip = slips[key]
        if slip is not None:
            result.append(copy._replace(face=slip, back=None))
    return result


def prepare_images(faces: Iterable[Face], images: ImageStore, report: Report) -> bool:
    """Prepare the images of faces; return whether there are no errors.

    Findings about an image name the first card that shows it.
    """
    drawings, users = [], dict[Path, str]()
    for face in faces:
        for op in walk(face.ops):
            if isinstance(op, DrawImage):
                drawings.append(op)
                users.setdefault(op.path, face.subject)
    findings: Report = []
    images.prepare(drawings, findings)
    for finding in findings:
        user = users.get(finding.location.path) if finding.location else None
        message = f"{finding.message} (for {user})" if user else finding.message
        report.append(finding._replace(message=message))
    return not has_errors(report)


L016 = Code("L016", Severity.WARNING, "a card that prints only the names of its rules")

_HINT = "shorten the texts of the rules, give them a `brief`, or give the card fewer rules"


def find_truncated_cards(faces: Iterable[tuple[Card, Face]]) -> list[Card]:
    """Return the cards whose faces leave out the texts of rules, each once."""
    return [*{card.id: card for card, face in faces if RULES_FIELD in face.unprinted}.values()]


def report_truncated_cards(cards: Sequence[Card], where: str, report: Report) -> None:
    """Report all cards that leave out the texts of their rules in one warning.

    Args:
        where: the place that has these texts instead, for the message.
    """
    if not cards:
        return
    first, others = cards[0], len(cards) - 1
    more = f" and {others} other card{'s' * (others > 1)} have" if others else " has"
    names = "the names of their rules" if others else "the names of its rules"
    message = f"card `{first.id}`{more} room only for {names}: {where}"
    report.append(L016.at(first.source.at(), message, _HINT))
