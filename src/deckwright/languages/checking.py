"""Check the translations of a game: their texts, and how they are printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from deckwright.base.files import read_file
from deckwright.base.findings import Code, Diagnostic, Location, Report, Severity
from deckwright.base.output import report_failure
from deckwright.base.units import pluralize
from deckwright.game.folder import GameFolder
from deckwright.game.language import use_language
from deckwright.game.translation import parse_inner
from deckwright.languages.catalog import MAX_BYTES, P003, iter_entries, load_catalog, parse_catalog
from deckwright.languages.updating import PrintedText, list_texts

P004 = Code("P004", Severity.WARNING, "a translation of a text that the game does not have")
P005 = Code("P005", Severity.ERROR, "a translation with other numbers, symbols or markup")
P006 = Code("P006", Severity.INFO, "a translation that is the same as its source")
P007 = Code("P007", Severity.INFO, "texts that are in no catalog")

TextKey = tuple[str, str]
"""The context and the source of a text."""
_IDENTICAL = "identical"
"""The flag of a translation that is meant to be like its source."""
_SIGN = re.compile(r"\{[^{}]*\}|<[^<>]*>|\d+(?:[.,]\d+)*")
_MAX_SHOWN = 60
_TERM = re.compile(r' of="[^"<>]*"')
"""The attribute that names a term in the index, which is translated as well."""
_PATTERNS = ("word/date",)
"""Texts that each language fills with parts of its own choice."""


def check_languages(
    folder: GameFolder, codes: Iterable[str], own: Report, check: Callable[[], Report]
) -> Iterator[Diagnostic]:
    """Yield the findings in languages of a game: in their catalogs, and in what is printed.

    Those about a translation are at its line.

    Args:
        own: the findings in the game itself.
        check: returns the findings in the game in the current language.

    Raises:
        OutputError: if the game cannot be read.
    """
    texts = {(text.context, text.text): text for text in list_texts(folder)}
    known = {(each.code.id, each.location) for each in own}
    for code in codes:
        path = folder.catalogs()[code]
        report: Report = []
        with report_failure(report):
            entries = {
                (entry.msgctxt or "", entry.msgid): entry
                for entry in iter_entries(parse_catalog(path, read_file(path, MAX_BYTES)))
            }
            report += _check_entries(path, entries, texts)
            with use_language(load_catalog(path)):
                found = [each for each in check() if (each.code.id, each.location) not in known]
            places = _map_places(path, entries, texts.values()) if found else {}
            report += (
                each._replace(location=each.location and places.get(each.location, each.location))
                for each in found
            )
        yield from report


def _check_entries(
    path: Path, entries: Mapping[TextKey, Any], texts: Mapping[TextKey, PrintedText]
) -> Iterator[Diagnostic]:
    """Yield the findings in the texts of a catalog."""
    missing = [entry for entry in entries.values() if not entry.msgstr]
    fuzzy = [entry for entry in entries.values() if entry.msgstr and entry.fuzzy]
    for left, what in ((missing, "without a translation"), (fuzzy, "with a fuzzy translation")):
        if left:
            message = f"texts {what}: {len(left)} of {len(entries)}"
            hint = "they are printed in the game's own language"
            yield P003.at(Location(path, left[0].linenum, 1), message, hint)
    for key, entry in entries.items():
        place = Location(path, entry.linenum, 1)
        if key not in texts:
            message = f"the game has no text `{_shorten(entry.msgid)}` at `{key[0]}`"
            hint = f"`deckwright language update {path.stem}` brings the catalog up to date"
            yield P004.at(place, message, hint)
        elif entry.msgstr and not entry.fuzzy:
            yield from check_entry(entry, place, texts[key])
    if lacking := [text for key, text in texts.items() if key not in entries]:
        count = pluralize(len(lacking), "text")
        message = f"the catalog lacks {count}, such as `{_shorten(lacking[0].text)}`"
        hint = f"`deckwright language update {path.stem}` adds them"
        yield P007.at(Location(path), message, hint)


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"


def check_entry(entry: Any, place: Location, text: PrintedText) -> Iterator[Diagnostic]:
    """Yield the findings in a translation, an entry of a catalog."""
    both = (_TERM.sub("", each) for each in (entry.msgid, entry.msgstr))
    source, target = (Counter(_SIGN.findall(each)) for each in both)
    if source != target and entry.msgctxt not in _PATTERNS:
        lacks, has = [*(source - target)], [*(target - source)]
        parts = [f"it lacks {_list(lacks)}"] * bool(lacks) + [f"it has {_list(has)}"] * bool(has)
        message = f"the translation of `{_shorten(entry.msgid)}` differs: {' and '.join(parts)}"
        yield P005.at(place, message, "write numbers, symbols and markup as in the source")
    elif "<" in entry.msgid and parse_inner(entry.msgstr, text.source) is None:
        message = f"the markup of the translation of `{_shorten(entry.msgid)}` is malformed"
        yield P005.at(place, message, "close each element that is opened")
    elif entry.msgstr == entry.msgid and _IDENTICAL not in entry.flags:
        message = f"the translation of `{_shorten(entry.msgid)}` is the same"
        yield P006.at(place, message, f"if that is meant, write `#, {_IDENTICAL}` above it")


def _list(signs: Iterable[str]) -> str:
    return ", ".join(f"`{sign}`" for sign in signs)


def _map_places(
    path: Path, entries: Mapping[TextKey, Any], texts: Iterable[PrintedText]
) -> Mapping[Location, Location]:
    """Return the places of translations by those of their texts in the game's files.

    A finding about an element may be about any of its texts: most likely what grew most.
    """
    places: dict[Location, Location] = {}
    growth: dict[Location, float] = {}
    for text in texts:
        entry = entries.get((text.context, text.text))
        if entry is not None and entry.msgstr:
            place, element = Location(path, entry.linenum, 1), text.source.at()
            longer = len(entry.msgstr) / len(entry.msgid)
            if longer > growth.get(element, 0):
                growth[element], places[element] = longer, place
            if text.attribute:
                places[text.place] = place
    return places
