"""Check the translations of a game: their texts, and how they are printed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from deckwright import __version__
from deckwright.base.cache import Cache, fingerprint_code
from deckwright.base.extras import install_command
from deckwright.base.findings import (
    Code,
    Diagnostic,
    Location,
    Report,
    Severity,
    decode_findings,
    encode_findings,
    format_names,
)
from deckwright.base.locales import find_locale
from deckwright.base.output import report_failure
from deckwright.base.units import pluralize
from deckwright.game.folder import GameFolder
from deckwright.game.language import use_language
from deckwright.game.load import load_setup
from deckwright.game.translation import parse_inner
from deckwright.languages.catalog import (
    P003,
    TextKey,
    count_forms,
    excerpt,
    load_catalog,
    map_entries,
    parse_catalog,
    read_catalog,
    translation_of,
)
from deckwright.languages.updating import PrintedText, list_texts
from deckwright.text.fonts import T007, uninstalled_families
from deckwright.text.richtext import split_markup

P004 = Code("P004", Severity.WARNING, "a translation of a text that the game does not have")
P005 = Code("P005", Severity.ERROR, "a translation with other numbers, symbols or markup")
P006 = Code("P006", Severity.INFO, "a translation that is the same as its source")
P009 = Code("P009", Severity.ERROR, "a plural without the forms of its language")
P007 = Code("P007", Severity.INFO, "texts that are in no catalog")

_IDENTICAL = "identical"
"""The flag of a translation that is meant to be like its source."""
_SIGN = re.compile(r"\{[^{}]*\}|<[^<>]*>|\d+(?:[.,]\d+)*")
_EMPHASES = {"b": "*…*", "i": "_…_", "u": "++…++", "s": "~~…~~"}
"""The markup of the codes for emphasis."""
_TERM = re.compile(r' of="[^"<>]*"')
"""The attribute that names a term in the index, which is translated as well."""


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
            report += _check_catalog(path, texts)
            with use_language(load_catalog(path)):
                printed = [*_check_fonts(folder, code)] or check()
                found = [each for each in printed if (each.code.id, each.location) not in known]
            places: Mapping[Location, Location] = {}
            if found:
                entries = map_entries(parse_catalog(path, read_catalog(path)))
                places = _map_places(path, entries, texts.values())
            report += (
                each._replace(location=each.location and places.get(each.location, each.location))
                for each in found
            )
        yield from report


def _check_catalog(path: Path, texts: Mapping[TextKey, PrintedText]) -> Report:
    """Return the findings in a catalog, known if it was checked with the same texts before.

    Raises:
        OutputError: if it cannot be read.
    """
    data, cache, code = (
        read_catalog(path),
        Cache("catalogs"),
        fingerprint_code(Path(__file__).parent),
    )
    state = repr((__version__, code, str(path), data, *texts)).encode(errors="surrogateescape")
    key = blake2b(state, digest_size=20).hexdigest()
    known = cache.read_decoded(key, lambda found: decode_findings(json.loads(found)))
    if known is None:
        catalog = parse_catalog(path, data)
        entries = map_entries(catalog)
        known = [*_check_entries(path, entries, texts)]
        known += _check_plurals(path, entries.values(), count_forms(catalog))
        cache.write(key, json.dumps(encode_findings(known)).encode())
    return known


def _check_fonts(folder: GameFolder, code: str) -> Iterator[Diagnostic]:
    """Yield a warning about each font of the current language that is not installed.

    Whoever checks a game need not have the fonts of all its languages; printing needs them.
    """
    setup, lacking = load_setup(folder, []), uninstalled_families()
    for name in dict.fromkeys(font.family for font in setup.fonts.values()) if setup else ():
        if name in lacking:
            message = f"the font family `{name}` is not installed, so print is not checked"
            hint = f"install it with `{install_command('fonts')}`"
            place = Location(folder.catalogs()[code])
            yield T007.at(place, message, hint)._replace(given_severity=Severity.WARNING)


def _check_entries(
    path: Path, entries: Mapping[TextKey, Any], texts: Mapping[TextKey, PrintedText]
) -> Iterator[Diagnostic]:
    """Yield the findings in the texts of a catalog."""
    missing = [entry for entry in entries.values() if not translation_of(entry)]
    fuzzy = [entry for entry in entries.values() if translation_of(entry) and entry.fuzzy]
    for left, what in ((missing, "without a translation"), (fuzzy, "with a fuzzy translation")):
        if left:
            message = f"texts {what}: {len(left)} of {len(entries)}"
            hint = "they are printed in the game's own language"
            yield P003.at(Location(path, left[0].linenum, 1), message, hint)
    for key, entry in entries.items():
        place = Location(path, entry.linenum, 1)
        if key not in texts:
            message = f"the game has no text `{excerpt(entry.msgid)}` at `{key[0]}`"
            hint = f"`deckwright language update {path.stem}` brings the catalog up to date"
            yield P004.at(place, message, hint)
        elif translation_of(entry) and not entry.fuzzy:
            yield from check_entry(entry, place, texts[key])
    if lacking := [text for key, text in texts.items() if key not in entries]:
        count = pluralize(len(lacking), "text")
        message = f"the catalog lacks {count}, such as `{excerpt(lacking[0].text)}`"
        hint = f"`deckwright language update {path.stem}` adds them"
        yield P007.at(Location(path), message, hint)


def _check_plurals(path: Path, entries: Iterable[Any], number: int) -> Iterator[Diagnostic]:
    """Yield the plurals that lack forms.

    Args:
        number: how many forms the language has, 0 if the catalog does not tell.
    """
    for entry in entries:
        forms = [text for text in entry.msgstr_plural.values() if text]
        if not entry.msgid_plural or (not forms and number) or len(forms) == number:
            continue
        message = f"the plural of `{excerpt(entry.msgid)}` has {len(forms)} forms"
        message += f", not {number} as the header says" if number else ", the header tells none"
        hint = f"the usual header is `Plural-Forms: {find_locale(path.stem).plurals}`"
        yield P009.at(Location(path, entry.linenum, 1), message, hint)


def check_entry(entry: Any, place: Location, text: PrintedText) -> Iterator[Diagnostic]:
    """Yield the findings in a translation, an entry of a catalog."""
    if entry.msgid_plural:
        known = [Counter(_SIGN.findall(each)) for each in (entry.msgid, entry.msgid_plural)]
        forms = translation_of(entry).splitlines()
        wrong = [form for form in forms if Counter(_SIGN.findall(form)) not in known]
        if wrong:
            message = f"the form `{excerpt(wrong[0])}` differs from `{entry.msgid_plural}`"
            yield P005.at(place, message, "write numbers, symbols and markup as in the source")
        return
    both = (_TERM.sub("", each) for each in (entry.msgid, entry.msgstr))
    source, target = (Counter([*_SIGN.findall(each), *_emphases(each)]) for each in both)
    if source != target:
        lacks, has = [*(source - target)], [*(target - source)]
        parts = [f"it lacks {format_names(lacks)}"] * bool(lacks)
        parts += [f"it has {format_names(has)}"] * bool(has)
        message = f"the translation of `{excerpt(entry.msgid)}` differs: {' and '.join(parts)}"
        yield P005.at(place, message, "write numbers, symbols and markup as in the source")
    elif "<" in entry.msgid and parse_inner(entry.msgstr, text.source) is None:
        message = f"the markup of the translation of `{excerpt(entry.msgid)}` is malformed"
        yield P005.at(place, message, "close each element that is opened")
    elif entry.msgstr == entry.msgid and _IDENTICAL not in entry.flags:
        message = f"the translation of `{excerpt(entry.msgid)}` is the same"
        yield P006.at(place, message, f"if that is meant, write `#, {_IDENTICAL}` above it")


def _emphases(text: str) -> Iterator[str]:
    """Yield the markup of each stretch of emphasis in a text; `snake_case` has none."""
    codes = (code for kind, code in split_markup(text) if kind == "code")
    return (_EMPHASES[code] for code in codes if code in _EMPHASES)


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
        if entry is not None and (translation := translation_of(entry)):
            place, element = Location(path, entry.linenum, 1), text.source.at()
            longer = len(translation) / len(entry.msgid)
            if longer > growth.get(element, 0):
                growth[element], places[element] = longer, place
            if text.attribute:
                places[text.place] = place
    return places
