"""The words that print uses, in English, for games that do not give their own in `game.xml`."""

from __future__ import annotations

from collections.abc import Mapping

from deckwright.game.setup import Limit, Setup

WORDS: Mapping[str, str] = {
    "tokens": "Tokens",
    "token": "Token",
    "markers": "Markers",
    "cards": "Cards",
    "reference": "Rules",
    "passive": "Passive rules",
    "active": "Active rules",
    "page": "Page",
    "draft": "Draft",
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
    "date": "{day} {name} {year}",
    "pages": "Pages",
    "card-sheets": "card sheets",
    "empty-slots": "empty slots",
    "spare-tokens": "Spare tokens",
    "file": "File",
    "error": "error",
    "errors": "errors",
    "warning": "warning",
    "warnings": "warnings",
    "hint": "hint",
    "allow": "allow it with {}",
}
_TELLING = ("at-least", "at-most", "hint", "allow", "pages")
"""Words without which a game's language cannot be distinguished from English."""


def bound_words(words: Mapping[str, str], limit: Limit) -> str:
    """Return what a limit allows: "at least 25", "höchstens 2 je Karte"."""
    parts = []
    if limit.own_faction:
        parts.append(words["own-faction"])
    if limit.min is not None:
        parts.append(filled(words["at-least"], limit.min))
    for word, number in (("at-most", limit.max), ("exactly", limit.exactly)):
        if number is not None:
            parts.append(filled(words[word], number) if number else words["none"])
    if limit.per:
        parts.append(words["per-card"] if limit.per == "name" else filled(words["per"], limit.per))
    return " ".join(parts)


def filled(word: str, value: object) -> str:
    """Return a word of the game with a value in place of `{}`; other braces are text."""
    return word.replace("{}", str(value))


def speaks(language: str, words: Mapping[str, str]) -> bool:
    """Return whether a game has the words to report on its decks in its own language."""
    return language != "en" and all(words[word] != WORDS[word] for word in _TELLING)


def language_of(setup: Setup) -> str:
    """Return the language of a game without its country: "de" of "de_AT"."""
    return setup.language.replace("_", "-").partition("-")[0]
