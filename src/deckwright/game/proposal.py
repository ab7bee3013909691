"""Propose what the columns of a table hold that somebody made who knew nothing of the game.

A title may be a field's name, the word that is printed for it, another word for the same (English
or German, `synonyms.txt`), or nearly one of these; and what stands below it must be such a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deckwright.base.findings import nearest
from deckwright.grids.table import CellError, Column
from deckwright.grids.values import read_value

_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_OF_CARDS = re.compile(r"^(?:card|karten?)(?=..)")
_ENOUGH = 0.6
"""The part of the values below a title that a field must accept to be what it holds."""


class Wanted(NamedTuple):
    """What is looked for: a column of the game, and the other names that it goes by."""

    column: Column
    names: tuple[str, ...]


def plain(title: str) -> str:
    """Return a title as titles are compared: "Card Name", "card_name" and "cardName" are one."""
    return re.sub(r"[\W_]+", "", title.casefold().translate(_LETTERS))


@cache
def _synonyms() -> Mapping[str, frozenset[str]]:
    """Return the words that mean the same as a word, itself included."""
    text = Path(__file__).with_name("synonyms.txt").read_text(encoding="utf-8")
    found: dict[str, frozenset[str]] = {}
    for line in text.splitlines():
        words = frozenset(map(plain, line.split()))
        for word in words:
            found[word] = found.get(word, frozenset()) | words
    return found


def proposed(wanted: Sequence[Wanted], titles: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return what columns may hold, by their titles; each thing that is wanted stands in one.

    Args:
        titles: the titles, and some of what stands below each.
    """
    result: dict[str, str] = {}
    for matches in (_same, _alike, _near):
        taken = {*result.values()}
        for want in wanted:
            if want.column.title in taken:
                continue
            free = [title for title in titles if title not in result]
            for title in matches(want, free):
                if _holds(want.column, titles[title]) and not (
                    matches is _near and want.column.title == "name" and _numbers(titles[title])
                ):
                    result[title] = want.column.title
                    break
    return result


def _words(title: str) -> Iterator[str]:
    """Yield the names that a title may be: all of it, or the end of a path, `attributes.title`.

    "card_text" is the text, as all columns are of cards.
    """
    for name in dict.fromkeys((title, title.rpartition(".")[2])):
        word = plain(name)
        yield word
        yield _OF_CARDS.sub("", word)


def _same(want: Wanted, titles: Iterable[str]) -> Iterator[str]:
    """Yield the titles that are one of the names of what is wanted."""
    names = {*map(plain, want.names)}
    whole = [title for title in titles if plain(title) in names]
    yield from whole
    yield from (t for t in titles if t not in whole and not names.isdisjoint(_words(t)))


def _alike(want: Wanted, titles: Iterable[str]) -> Iterator[str]:
    """Yield the titles that mean the same."""
    names = frozenset[str]().union(*(_synonyms().get(plain(n), frozenset()) for n in want.names))
    whole = [title for title in titles if plain(title) in names]
    yield from whole
    yield from (t for t in titles if t not in whole and not names.isdisjoint(_words(t)))


def _near(want: Wanted, titles: Iterable[str]) -> Iterator[str]:
    """Yield the title that is nearly a name of what is wanted."""
    by_word = {plain(title): title for title in titles}
    for name in want.names:
        yield from (by_word[word] for word in nearest(plain(name), by_word))


def _numbers(samples: Sequence[str]) -> bool:
    """Return whether all that stands below a title is numbers."""
    return all(text.strip().lstrip("-").isdecimal() for text in samples if text.strip())


def _holds(column: Column, samples: Sequence[str]) -> bool:
    """Return whether what stands below a title may be what a column holds."""
    given = [text for text in samples if text.strip()]
    if column.attribute is None or column.attribute.name in {"id", "name"} or not given:
        return True
    return sum(_accepts(column, text) for text in given) >= _ENOUGH * len(given)


def _accepts(column: Column, text: str) -> bool:
    assert column.attribute is not None
    try:
        read_value(column.attribute, text)
    except CellError:
        return False
    return True
