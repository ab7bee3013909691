"""The language of reports on decks."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

import click

from deckwright.game.words import has_own_words

F = TypeVar("F", bound=Callable[..., object])

ENGLISH = "en"
_LANGUAGE_KEY = "deckwright.language"


def _store_language(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta[_LANGUAGE_KEY] = _parse_language(value)


def language_option(function: F) -> F:
    """Add the option for the language of reports on decks."""
    option = click.option(
        "--language",
        metavar="LANG",
        expose_value=False,
        callback=_store_language,
        help="Report on decks and limits in the game's language, such as de.",
    )
    return option(function)


def output_language() -> str:
    """Return the language of `--language`, or else of the terminal: "de", "en"."""
    context = click.get_current_context(silent=True)
    given = context.meta.get(_LANGUAGE_KEY) if context else None
    # The first one that is set takes precedence: https://pubs.opengroup.org/onlinepubs/9799919799/.
    settings = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return given or _parse_language(next((value for value in settings if value), ENGLISH))


def _parse_language(value: str) -> str:
    """Return the language of a locale such as "de_DE.UTF-8"."""
    match = re.match(r"([a-z]{2,3})(?![a-z])", value.casefold())
    return match[1] if match else ENGLISH


def words_for(language: str, words: Mapping[str, str]) -> Mapping[str, str] | None:
    """Return the game's words if they are in the output language, None for English."""
    return words if language == output_language() and has_own_words(language, words) else None
