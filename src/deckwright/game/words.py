"""The words that print uses, in English, for games that do not give their own in `game.xml`."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "tokens": "Tokens",
    "token": "Token",
    "markers": "Markers",
    "cards": "Cards",
    "reference": "Rules",
    "passive": "Passive rules",
    "active": "Active rules",
    "page": "Page",
    "tuck-box": "Tuck box",
    "cut": "cut",
    "fold": "fold",
    "glue": "glue",
    "full-size": "print at 100 %",
    "deck-list": "Deck list",
    "amount": "Copies",
    "limits": "Limits",
    "limit": "Limit",
    "total": "Total",
    "contents": "Contents",
    "overview": "Overview",
    "index-cards": "Index of cards",
    "index-rules": "Index of rules",
    "figure": "Figure",
    "table": "Table",
    "example": "Example",
    "note": "Note",
    "at-least": "at least {}",
    "at-most": "at most {}",
    "exactly": "exactly {}",
    "none": "none",
    "per-card": "of each card",
    "per": "of each {}",
    "own-faction": "the deck's own only",
}
