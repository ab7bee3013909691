"""The words that print uses, in English, for games that do not give their own in `game.xml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deckwright.base.casing import upper
from deckwright.game.deck_rules import Limit
from deckwright.game.formulas import CARDS, Number, Reference
from deckwright.game.setup import Setup

_LIST = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
WORDS: Mapping[str, str] = dict(line.split(": ", 1) for line in _LIST.splitlines())
WatermarkText = str | bool | None
"""A text across all faces; True for the word for a draft, False for none, None as the game says."""
_TELLING = ("at-least", "at-most", "hint", "allow", "pages")
"""Words without which a game's language cannot be distinguished from English."""


def bound_words(words: Mapping[str, str], limit: Limit, setup: Setup | None = None) -> str:
    """Return what a limit allows: "at least 25", "höchstens 2 je Karte".

    Args:
        setup: has the names of what numbers refer to; they are printed as they are written without.
    """

    def said(number: Number) -> object:
        if setup is None or isinstance(number, int):
            return number
        return number.said(lambda reference: reference_name(setup, reference))

    bounds = []
    if limit.min is not None:
        bounds.append(filled(words["at-least"], said(limit.min)))
    for word, number in (("at-most", limit.max), ("exactly", limit.exactly)):
        if number is not None:
            bounds.append(words["none"] if number == 0 else filled(words[word], said(number)))
    parts = [words["own-faction"]] if limit.own_faction else []
    if bounds:
        parts.append(", ".join(bounds))
    if limit.per:
        parts.append(words["per-card"] if limit.per == "name" else filled(words["per"], limit.per))
    return " ".join(parts)


def watermark_of(setup: Setup, text: WatermarkText) -> str:
    """Return the text across all faces, "" for none."""
    if text is None:
        return setup.watermark
    if isinstance(text, bool):
        return upper(setup.words["draft"], setup.language) if text else ""
    return text.strip()


def reference_name(setup: Setup, reference: Reference) -> str:
    """Return what print calls something that a number refers to: "Influence (Identity)"."""
    fields = (field for kind in setup.kinds.values() for field in kind.fields)
    texts = {field.name: field.text or field.name for field in fields}
    name = {**texts, CARDS: setup.words["cards"]}.get(reference.field, reference.field)
    zones = {zone.id: zone.name for zone in setup.zones}
    return f"{name} ({zones[reference.zone]})" if reference.zone in zones else name


def filled(word: str, value: object) -> str:
    """Return a word of the game with a value in place of `{}`; other braces are text."""
    return word.replace("{}", str(value))


def speaks(language: str, words: Mapping[str, str]) -> bool:
    """Return whether a game has the words to report on its decks in its own language."""
    return language != "en" and all(words[word] != WORDS[word] for word in _TELLING)


def language_of(setup: Setup) -> str:
    """Return the language of a game without its country: "de" of "de_AT"."""
    return setup.language.replace("_", "-").partition("-")[0]
