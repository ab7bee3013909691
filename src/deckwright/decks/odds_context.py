"""What templates see of the odds of a deck."""

from __future__ import annotations

from deckwright.base.numbers import decimals, percent
from deckwright.decks.odds_table import OddsTable
from deckwright.game.context import Context

_MOST = 8
"""The most cards of one sort whose chance is told; a page has no more columns."""


def odds_context(table: OddsTable, language: str, cards: str) -> Context:
    """Return what templates see of odds: `cards`, `hand`, `numbers`, `sections` and so on.

    Args:
        cards: what the section of cards is called.
    """
    opening = table.opening
    groups = [group for section in table.sections for group in section.groups]
    most = max((len(group.played.at_least) for group in groups), default=0)
    return {
        "zone": table.name,
        "cards": table.cards,
        "hand": opening.hand,
        "redraws": opening.redraws,
        "mulligans": opening.mulligans,
        "numbers": list(range(1, min(most, _MOST) + 1)),
        "sections": [
            {
                "id": section.id,
                "name": cards if section.id == "cards" else section.name,
                "groups": [
                    {
                        "id": group.id,
                        "name": group.name,
                        "cards": group.cards,
                        "average": decimals(float(group.played.average), 2, language),
                        "chances": [
                            {
                                "share": float(share),
                                "once": float(once),
                                "text": percent(share, language),
                            }
                            for share, once in zip(
                                group.played.at_least, group.at_once.at_least, strict=True
                            )
                        ][:_MOST],
                    }
                    for group in section.groups
                ],
            }
            for section in table.sections
        ],
    }
