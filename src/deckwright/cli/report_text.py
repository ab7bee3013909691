"""Helpers for text reports on decks: language, card lists, columns."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import click

from deckwright.base.units import format_measure
from deckwright.checks.counting import DeckLine
from deckwright.cli.terminal import can_show
from deckwright.decks.stats import Chart
from deckwright.game.model import Card
from deckwright.game.words import WORDS, has_own_words

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


def label(words: Mapping[str, str] | None, word: str) -> str:
    """Return a word, in lower case if English."""
    return words[word] if words else WORDS[word].lower()


def card_lines(
    lines: Sequence[DeckLine],
    charts: Iterable[Chart],
    language: str,
    note: Callable[[Card], str] = lambda _: "",
) -> list[str]:
    """Format lines of a deck list with numeric fields: "2x Smith (HK3)  Costs 4".

    Args:
        charts: the charts of the fields to show.
        note: returns a note on a card.
    """
    names = [f"{line.card.name} ({line.card.id})" for line in lines]
    fields = [chart for chart in charts if chart.numeric]
    values = [
        "  ".join(
            f"{chart.name} {format_measure(value, chart.unit, language)}"
            for chart in fields
            if isinstance(value := line.card.fields.get(chart.id), (int, float))
        )
        for line in lines
    ]
    notes = [note(line.card) for line in lines]
    wide = max(map(len, names), default=0)
    long = max(map(len, values), default=0) if any(notes) else 0
    return [
        f"  {line.entry.copies}x {name:<{wide}}  {value:<{long}}  {noted}".rstrip()
        for line, name, value, noted in zip(lines, names, values, notes, strict=True)
    ]


_MIN_COLUMN_WIDTH, _MAX_COLUMN_WIDTH = 6, 24
"""The minimum and maximum width of columns in characters."""
_BAR_NUMBER_WIDTH = 5
"""The width of the number beside a bar."""
_MIN_BAR_WIDTH = 6
"""Narrower columns show numbers without bars."""


class Columns(NamedTuple):
    """A table of columns beside labels.

    Attributes:
        labels: the width of labels.
        width: the width of each column.
    """

    labels: int
    width: int

    def row(self, label: str, cells: Iterable[str], mark: str = "") -> str:
        """Format a line: a mark of one character, a label and the cells."""
        shown = [truncate(cell, self.width).ljust(self.width) for cell in cells]
        line = [f"{mark:1} {truncate(label, self.labels):<{self.labels}}", *shown]
        return "  ".join(line).rstrip()

    def bars(self, numbers: Sequence[int], maximum: int) -> list[str]:
        """Format numbers as cells, with bars if the column is wide enough.

        Args:
            maximum: the number with the longest bar.
        """
        room = self.width - _BAR_NUMBER_WIDTH
        if room < _MIN_BAR_WIDTH:
            return [str(number or "") for number in numbers]
        block, scale = "█" if can_show("█") else "#", min(1.0, room / max(1, maximum))
        return [
            f"{block * max(round(number * scale), min(number, 1))} {number or ''}".strip()
            for number in numbers
        ]


def fit_columns(labels: Iterable[str], titles: Sequence[str]) -> Columns:
    """Return the widths that fit these labels and titles into the terminal."""
    total = shutil.get_terminal_size((80, 24)).columns
    longest = max(map(len, labels), default=0)
    room = total - 2 - min(longest, total // 2)
    width = max(_MIN_COLUMN_WIDTH, min(_MAX_COLUMN_WIDTH, room // len(titles) - 2))
    return Columns(min(longest, max(20, total - 2 - len(titles) * (width + 2))), width)


def truncate(text: str, width: int) -> str:
    """Truncate a text to a width, with an ellipsis."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def shorten_titles(titles: Sequence[str], width: int) -> list[str]:
    """Shorten titles of columns to a width so that they stay distinct."""
    beginnings = [truncate(title, width) for title in titles]
    middle = width // 2
    both_ends = [
        title if len(title) <= width else f"{title[: width - middle - 1]}…{title[-middle:]}"
        for title in titles
    ]
    for shown in (beginnings, both_ends):
        if len({*shown}) == len(shown):
            return shown
    return [f"{n} {truncate(title, width - 2)}" for n, title in enumerate(titles, 1)]
