"""The language in which commands report on decks: English, or the game's own.

All other messages are in English. What is told of decks and their limits is made of the game's
words, so these are enough to tell it in the game's language. A run never mixes the two: what is
named by a game stands in English sentences as it is, and findings are told in the game's language
only if all of them can be.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

import click

from deckwright.game.words import WORDS, speaks

F = TypeVar("F", bound=Callable[..., object])

ENGLISH = "en"
_KEY = "deckwright.language"


def _remember(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta[_KEY] = _language(value)


def language_option(function: F) -> F:
    """Add the option that says in which language to report on decks."""
    option = click.option(
        "--language",
        metavar="LANG",
        expose_value=False,
        callback=_remember,
        help="Report on decks and limits in the game's language, such as de.",
    )
    return option(function)


def wanted_language() -> str:
    """Return the language that is asked for, else that of the terminal: "de", "en"."""
    context = click.get_current_context(silent=True)
    given = context.meta.get(_KEY) if context else None
    # The first of these that is set counts: https://pubs.opengroup.org/onlinepubs/9799919799/.
    settings = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return given or _language(next((value for value in settings if value), ENGLISH))


def _language(value: str) -> str:
    """Return the language of a locale such as "de_DE.UTF-8"."""
    found = re.match(r"([a-z]{2,3})(?![a-z])", value.casefold())
    return found[1] if found else ENGLISH


def words_in(language: str, words: Mapping[str, str]) -> Mapping[str, str] | None:
    """Return the words of a game in this language if commands are to use them, None for English."""
    return words if language == wanted_language() and speaks(language, words) else None


def label(words: Mapping[str, str] | None, word: str) -> str:
    """Return a word, in lower case if it is English."""
    return words[word] if words else WORDS[word].lower()
