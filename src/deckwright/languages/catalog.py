"""Catalogs of translations: `xml/lang/fr.po`, in gettext's format, with the source texts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from deckwright.base.cache import Cache
from deckwright.base.files import is_inside, read_file
from deckwright.base.findings import (
    MAX_FINDINGS,
    ChoiceError,
    Code,
    Location,
    Report,
    Severity,
    known_hint,
    shorten,
)
from deckwright.base.locales import parse_plurals
from deckwright.base.output import OutputError
from deckwright.game.folder import GameFolder
from deckwright.game.language import Language
from deckwright.xmlio.load import outward_link_finding

P001 = Code("P001", Severity.ERROR, "a catalog that cannot be read")
P002 = Code("P002", Severity.ERROR, "two translations of a text")
P003 = Code("P003", Severity.WARNING, "texts without a translation")

TextKey = tuple[str, str]
"""The context and the source of a text."""

FUZZY = "fuzzy"
"""The flag of a translation that needs a look."""
PSEUDO = "en-XA"
"""The pseudo-locale: every text with accents, in brackets and longer."""
_MAX_BYTES = 20_000_000
_MAX_ENTRIES = 100_000
_ENTRY = re.compile(rb"^[ \t]*(?:#~[ \t]*)?msgid[ \t\"]", re.MULTILINE)
_LINE = re.compile(r"\(line (\d+)\)")
_CHARSET = re.compile(rb"charset=([\w-]+)")
_ACCENTS = str.maketrans("aceinosuyzACEINOSUYZ", "àçéîñôšûýžÀÇÉÎÑÔŠÛÝŽ")
_KEPT = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{[^{}]*\}|<[^<>]*>|&\w+;|\\.", re.DOTALL)
_GROWTH = 0.3
_ON_CARDS = ("card/", "rule/", "token/", "faction/", "race/", "deck/", "book/")
"""The beginnings of the contexts of texts that are neither in `game.xml` nor in templates."""


class Catalog(NamedTuple):
    """The translations into a language that are printed.

    Attributes:
        code: the language's code, such as "fr".
        digest: changes with the translations.
        texts: the translations by context and source; the forms of a plural, one a line.
        untranslated: how many texts have none, or one that needs a look.
        plurals: which form of a noun goes with which number, as gettext writes it.
    """

    code: str
    digest: str
    texts: Mapping[str, Mapping[str, str]]
    untranslated: int = 0
    plurals: str = ""

    def translate(self, context: str, text: str) -> str | None:
        """Return the translation of a text, None if there is none."""
        return self.texts.get(context, {}).get(text)

    def translate_forms(self, context: str, forms: tuple[str, ...]) -> tuple[str, ...]:
        """Return the forms of a word that is printed with numbers, () if it is not translated."""
        return tuple((self.translate(context, forms[0]) or "").splitlines())

    def with_drafts(self, drafts: Mapping[tuple[str, str], str]) -> Catalog:
        """Return a catalog with other translations, by context and source."""
        texts = {context: dict(found) for context, found in self.texts.items()}
        for (context, text), words in drafts.items():
            texts.setdefault(context, {})[text] = words
        return self._replace(texts=texts, digest=f"{self.digest} {sorted(drafts.items())}")

    @property
    def looks(self) -> object:
        """What differs if texts of templates or of `game.xml` are translated in another way."""
        return self.code, {
            c: texts for c, texts in self.texts.items() if not c.startswith(_ON_CARDS)
        }


class PseudoLanguage(NamedTuple):
    """A language in which every text has accents and brackets, and is a third longer.

    What is printed without brackets is in no catalog; what overflows will do so in German.
    """

    code: str = PSEUDO
    digest: str = PSEUDO
    plurals: str = "nplurals=2; plural=n != 1;"

    def translate(self, context: str, text: str) -> str:  # noqa: ARG002 - as any language
        """Return the text with accents, in brackets."""
        parts, end = [], 0
        for kept in _KEPT.finditer(text):
            parts += [text[end : kept.start()].translate(_ACCENTS), kept[0]]
            end = kept.end()
        parts.append(text[end:].translate(_ACCENTS))
        words = " ".join(_KEPT.sub("", text).split())
        fill = words[: round(_GROWTH * len(words))].strip()
        return f"[{''.join(parts)}{' ' if fill else ''}{fill.translate(_ACCENTS)}]"

    def translate_forms(self, context: str, forms: tuple[str, ...]) -> tuple[str, ...]:
        """Return the forms with accents, in brackets."""
        return self.translate(context, forms[0]), self.translate(context, forms[-1])


def load_catalog(path: Path) -> Catalog:
    """Return a catalog, from the cache if it is known.

    Raises:
        OutputError: if it cannot be read.
    """
    data = read_catalog(path)
    digest, cache = blake2b(data, digest_size=16).hexdigest(), Cache("languages")
    known: tuple[dict[str, dict[str, str]], int, str] | None
    known = cache.read_decoded(digest, json.loads)
    if known is None:
        texts: dict[str, dict[str, str]] = {}
        untranslated = 0
        catalog = parse_catalog(path, data)
        number, plurals = count_forms(catalog), catalog.metadata.get("Plural-Forms", "")
        for (context, text), entry in map_entries(catalog).items():
            translation = translation_of(entry)
            lacks_forms = entry.msgid_plural and len(translation.splitlines()) != number
            if translation and not entry.fuzzy and not lacks_forms:
                texts.setdefault(context, {})[text] = translation
            else:
                untranslated += 1
        known = texts, untranslated, plurals
        cache.write(digest, json.dumps(known, ensure_ascii=False).encode())
    return Catalog(path.stem, digest, *known)


def read_catalog(path: Path) -> bytes:
    """Return the content of a catalog's file.

    Raises:
        OutputError: if it cannot be read.
    """
    if not is_inside(path, path.absolute().parents[2]):
        raise OutputError(outward_link_finding(path))
    try:
        return read_file(path, _MAX_BYTES)
    except OSError as error:
        message = f"it cannot be read: {error.strerror or error}"
        raise OutputError(P001.at(Location(path), message)) from error


_UNCLOSED = re.compile(r'^[^#"\n]*"(?!(?:[^"\\\n]|\\.)*"[ \t\r]*$)', re.MULTILINE)
"""A line whose text does not end, which polib reads without its last letter."""


def parse_catalog(path: Path, data: bytes) -> Any:  # a polib.POFile
    """Return a parsed catalog.

    Raises:
        OutputError: if it is malformed, or has two entries for a text.
    """
    import polib  # for translators, not for each print

    number = len(_ENTRY.findall(data))
    if number > _MAX_ENTRIES:
        message = f"it has {number:,} entries, more than {_MAX_ENTRIES:,}"
        raise OutputError(P001.at(Location(path), message))
    found = _CHARSET.search(data[:4000])
    encoding = found[1].decode() if found and found[1] != b"CHARSET" else "utf-8"
    try:
        text = data.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        line = data[: getattr(error, "start", 0)].count(b"\n") + 1
        message = f"it is not in {encoding}, which it declares"
        raise OutputError(P001.at(Location(path, line, 1), message, "save it as UTF-8")) from error
    if unclosed := [*_UNCLOSED.finditer(text)]:
        message, hint = "a text has no closing quotation mark", 'end the line with `"`'
        lines = (text.count("\n", 0, match.start()) + 1 for match in unclosed[:MAX_FINDINGS])
        raise OutputError(*(P001.at(Location(path, line, 1), message, hint) for line in lines))
    try:
        catalog = polib.pofile(f"{text}\n")  # a text of one line might be the name of a file
    except (OSError, ValueError, IndexError, UnicodeError) as error:
        match = _LINE.search(str(error))
        place = Location(path, int(match[1]), 1) if match else Location(path)
        hint = "open it with an editor for PO files, such as Poedit"
        raise OutputError(P001.at(place, "this is not valid in a PO file", hint)) from error
    if encoding.lower() not in {"utf-8", "utf8"}:
        catalog.metadata["Content-Type"] = "text/plain; charset=UTF-8"  # as we write it
    first_lines: dict[TextKey, int] = {}
    findings = []
    for entry in catalog:
        if entry.obsolete:
            continue
        line = first_lines.setdefault(key_of(entry), entry.linenum)
        if line != entry.linenum:
            message = f"the text `{excerpt(entry.msgid)}` has another translation in line {line}"
            findings.append(P002.at(Location(path, entry.linenum, 1), message, "remove one"))
    if findings:
        raise OutputError(*findings)
    return catalog


def find_language(folder: GameFolder, code: str) -> Catalog | PseudoLanguage:
    """Return a language of a game.

    Raises:
        ChoiceError: if it has no catalog.
        OutputError: if the catalog cannot be read.
    """
    catalogs = folder.catalogs()
    if code in catalogs:
        return load_catalog(catalogs[code])
    if code == PSEUDO:
        return PseudoLanguage()
    hint = known_hint(code, catalogs) or f"`deckwright language add {code}` begins it"
    raise ChoiceError(f"the game has no language `{code}`", hint)


def find_untranslated(language: Language | None, folder: GameFolder) -> Report:
    """Return the finding that some texts are printed in the game's own language, if any are."""
    if not isinstance(language, Catalog) or not language.untranslated:
        return []
    message = f"texts printed in the game's own language instead: {language.untranslated}"
    hint = f"`deckwright language check {language.code}` tells where the first one is"
    return [P003.at(Location(folder.catalogs()[language.code]), message, hint)]


def format_catalog(catalog: Any) -> bytes:  # of a polib.POFile
    """Return the content of a catalog's file."""
    return (str(catalog).rstrip("\n") + "\n").encode()


_WIDTHS = (78, 0, 79, 80, 100)
"""The widths at which programs wrap texts; 0 for none. The first is that of new catalogs."""


def parse_for_writing(path: Path, data: bytes) -> Any:  # a polib.POFile
    """Return a parsed catalog that will be wrapped as its file is, so that only changes differ.

    Raises:
        OutputError: as `parse_catalog` does.
    """
    catalog = parse_catalog(path, data)
    for width in _WIDTHS:
        catalog.wrapwidth = width
        if format_catalog(catalog) == data:
            return catalog
    catalog.wrapwidth = _WIDTHS[0]
    return catalog


def translation_of(entry: Any) -> str:  # of a polib.POEntry
    """Return the translation of an entry; the forms of a plural in lines, "" if one lacks."""
    if not entry.msgid_plural:
        return str(entry.msgstr)
    forms = [text for _, text in sorted(entry.msgstr_plural.items())]
    return "\n".join(forms) if all(forms) else ""


def set_translation(entry: Any, text: str) -> None:  # of a polib.POEntry
    """Set the translation of an entry; the forms of a plural are lines."""
    if entry.msgid_plural:
        entry.msgstr_plural = dict(enumerate(text.split("\n")))
    else:
        entry.msgstr = text


def count_forms(catalog: Any) -> int:  # of a polib.POFile
    """Return how many forms the plurals of a catalog have, 0 if its header does not tell."""
    try:
        return parse_plurals(catalog.metadata.get("Plural-Forms", ""))[0]
    except ValueError:
        return 0


def excerpt(text: str) -> str:
    """Return the beginning of a text, for messages."""
    return shorten(text, 60)


def key_of(entry: Any) -> TextKey:  # of a polib.POEntry
    """Return the context and the source of an entry."""
    return entry.msgctxt or "", entry.msgid


def map_entries(catalog: Any) -> dict[TextKey, Any]:  # of a polib.POFile
    """Return the entries that are not obsolete."""
    return {key_of(entry): entry for entry in catalog if not entry.obsolete}
