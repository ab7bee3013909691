"""Cards of a faction should not look alike."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.checks import game_check
from deckwright.game.model import Card, Game
from deckwright.game.setup import FieldValue

R020 = Code("R020", Severity.WARNING, "two cards of a faction with the same picture")


@game_check
def pictures(game: Game) -> Iterator[Diagnostic]:
    """Two cards of one faction have different pictures, unless they have none."""
    first: dict[tuple[str, str, tuple[FieldValue, ...]], Card] = {}
    for card in game.cards.values():
        fields = [field for field in card.kind.fields if field.picture]
        picture = tuple(card.fields[field.name] for field in fields)
        if all(value == field.default for field, value in zip(fields, picture, strict=True)):
            continue
        known = first.setdefault((card.kind.tag, card.faction_id, picture), card)
        if known is not card:
            shown = ", ".join(
                f"{field.name} `{value}`"
                for field, value in zip(fields, picture, strict=True)
                if value is not None
            )
            yield R020.at(
                card.source.at(),
                f"card `{card.id}` has the same picture as card `{known.id}`: {shown}",
                "give one of them another",
            )
