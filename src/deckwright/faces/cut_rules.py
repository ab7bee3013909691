"""Cards whose faces print only the names of their rules, since the texts had no room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deckwright.base.findings import Code, Report, Severity
from deckwright.game.model import Card
from deckwright.ops.model import Face
from deckwright.templates.compose import RULES

L016 = Code("L016", Severity.WARNING, "a card that prints only the names of its rules")

_HINT = "give the rules shorter texts, or a `brief`, or the card fewer rules"


def find_cut_cards(faces: Iterable[tuple[Card, Face]]) -> list[Card]:
    """Return the cards whose faces leave out the texts of rules, each once."""
    return [*{card.id: card for card, face in faces if RULES in face.unprinted}.values()]


def report_cut_cards(cards: Sequence[Card], where: str, report: Report) -> None:
    """Report all cards that leave out the texts of their rules in one warning.

    Args:
        where: where these texts are instead.
    """
    if not cards:
        return
    first, others = cards[0], len(cards) - 1
    more = f" and {others} other card{'s' * (others > 1)} print" if others else " prints"
    names = "the names of their rules" if others else "the names of its rules"
    message = f"card `{first.id}`{more} only {names}, for want of room: {where}"
    report.append(L016.at(first.source.at(), message, _HINT))
