"""Printed words, word lists, and stray braces in texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from deckwright.base.files import find_existing, is_file, stays_inside
from deckwright.base.findings import Code, Diagnostic, Location, Report, Severity, nearest_hint
from deckwright.base.locales import choose_form, find_locale, parse_plurals
from deckwright.base.strings import Translated, base_language, upper
from deckwright.game.deck_rules import CARDS, Limit, Number
from deckwright.game.folder import GameFolder
from deckwright.game.generator import WordFile
from deckwright.game.kinds import Vocabulary
from deckwright.game.setup import Setup

_WORD_LIST = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
_ENGLISH = "nplurals=2; plural=n != 1;"


WORDS: Mapping[str, str] = {
    **dict(line.split(": ", 1) for line in _WORD_LIST.splitlines()),
    "cards": Translated("Cards", "Cards", ("Card", "Cards"), _ENGLISH),
}
WatermarkText = str | bool | None
"""The text across all faces: True for the word for a draft, False for none, None for the game's."""
_DISTINCTIVE_WORDS = ("at-least", "at-most", "hint", "allow", "pages")
"""If all of these differ from English, the game has been translated."""


def describe_bounds(words: Mapping[str, str], limit: Limit, setup: Setup | None = None) -> str:
    """Return the bounds of a limit in words: "at least 25", "höchstens 2 je Karte".

    Args:
        setup: the source of names for references; without it, formulas are printed as written.
    """
    kinds = setup.kinds.values() if setup else ()
    names = {f.name: f.text or f.name for kind in kinds for f in kind.fields}

    def describe(number: Number) -> object:
        if setup is None or isinstance(number, int):
            return number
        names[CARDS] = setup.words["cards"]
        zones = {zone.id: f" ({zone.name})" for zone in setup.zones}
        # References read like "Influence (Identity)".
        return number.describe(lambda r: names.get(r.field, r.field) + zones.get(r.zone, ""))

    bounds = []
    if limit.min is not None:
        bounds.append(fill_in(words["at-least"], describe(limit.min)))
    for word, number in (("at-most", limit.max), ("exactly", limit.exactly)):
        if number is not None:
            bounds.append(words["none"] if number == 0 else fill_in(words[word], describe(number)))
    parts = [words["own-faction"]] if limit.own_faction else []
    if bounds:
        parts.append(", ".join(bounds))
    if limit.per:
        own = words["per-card"] if limit.per == "name" else ""
        parts.append(own or fill_in(words["per"], names.get(limit.per, limit.per)))
    return " ".join(parts)


def complete_words(setup: Setup) -> dict[str, str]:
    """Return the words of a game in its own language, with English for those that it lacks.

    Dates are written as is usual in the language, unless the game has a word for that.
    """
    words = {key: choose_plurals(word, setup) for key, word in setup.words.items()}
    return {**WORDS, "date": find_locale(setup.language).date, **words}


def complete_terms(setup: Setup) -> dict[str, Vocabulary]:
    """Return the vocabularies of a game in its own language."""
    return {
        key: vocabulary._replace(
            terms={
                id_: term._replace(name=choose_plurals(term.name, setup))
                for id_, term in vocabulary.terms.items()
            }
        )
        for key, vocabulary in setup.vocabularies.items()
    }


def choose_plurals(word: str, setup: Setup) -> str:
    """Return a word that knows which of its forms goes with which number, if it has any."""
    if not isinstance(word, Translated):
        return word
    plurals = find_locale(setup.language).plurals
    usual = len(word.forms) == parse_plurals(plurals)[0]
    return Translated(word, word, word.forms, plurals if usual else _ENGLISH)


def watermark_text(setup: Setup, text: WatermarkText) -> str:
    """Return the text across all faces, "" for none."""
    if text is None:
        return setup.watermark
    if isinstance(text, bool):
        return upper(setup.words["draft"], setup.language) if text else ""
    return text.strip()


def fill_in(word: str, value: object) -> str:
    """Return a word with a value in place of `{}`, in the form for it; other braces are text."""
    form = choose_form(word, value) if isinstance(value, int) else word
    return form.replace("{}", str(value))


_MOST_MARKS = 9
"""The highest cost for which a mark is repeated; beyond, one is followed by the number."""


def format_cost(words: Mapping[str, str], cost: int) -> str:
    """Return the cost of an active rule as it stands behind the rule's name, with markup.

    The word `rule-cost` has `{}` for the number, or is a mark that is repeated: {icon:flash}.
    """
    word = words["rule-cost"]
    if "{}" in word:
        return f" {fill_in(word, cost)}"
    return word * cost if cost <= _MOST_MARKS else f"{word}{cost}"


def has_own_words(language: str, words: Mapping[str, str]) -> bool:
    """Return whether a game can report on its decks in its own language."""
    return language != "en" and all(str(words[word]) != WORDS[word] for word in _DISTINCTIVE_WORDS)


def label(words: Mapping[str, str] | None, word: str) -> str:
    """Return a word of a game, or for None in English and in lower case."""
    return words[word] if words else WORDS[word].lower()


def language_of(setup: Setup) -> str:
    """Return the language of a game without its country: "de" for "de_AT"."""
    return base_language(setup.language)


T016 = Code("T016", Severity.WARNING, "braces that are printed as they are")

_MAX_TEXT = 20_000
"""The longest text examined: unclosed braces take quadratic time."""
_BRACES = re.compile(r"(?<!\\)\{([^{}\n]{1,80})\}")
_SINGLE = re.compile(rf"(?<!\{{){_BRACES.pattern}(?!\}})")
"""Single braces only: double ones are an expression with an error."""
_EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_MARKUP = re.compile(r"icon:[\w-]+|fill:.+|/fill")
"""Markup in braces, besides symbols."""
_EXPRESSION_MARK = "\x01"
"""Replaces the output of expressions; no file can contain it."""
_VALUE = re.compile(r"\w+(?:\.\w+)+")
_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def find_stray_braces(
    text: str, symbols: Collection[str], place: Location, subject: str, *, template: bool = False
) -> Diagnostic | None:
    """Return the finding that a text has braces that are printed as they are, None if it has none.

    An unknown symbol is a different finding, if the game has symbols.

    Args:
        symbols: the ids of the game's symbols.
        subject: the description of the text in the message, as in "card `HK3`: `name`".
        template: whether the text may contain expressions.
    """
    if len(text) > _MAX_TEXT:
        return None
    pattern = _SINGLE if template else _BRACES
    for brace in pattern.finditer(_EXPRESSION.sub(_EXPRESSION_MARK, text) if template else text):
        inside = brace[1].strip()
        if (
            _EXPRESSION_MARK in inside
            or _MARKUP.fullmatch(brace[1])
            or (symbols and _SYMBOL.fullmatch(brace[1]))
        ):
            continue
        hint: str | None = "declare a symbol of this name in game.xml, or use other brackets"
        if _SYMBOL.fullmatch(inside):
            hint = f"for an icon, write `{{icon:{inside}}}`; for a symbol, declare it in game.xml"
        if inside in symbols:
            hint = f"write `{{{inside}}}`"
        elif _MARKUP.fullmatch(tight := re.sub(r":\s+", ":", inside)):
            hint = f"write `{{{tight}}}`"
        elif template:
            hint = f"write expressions as `{{{{ {inside} }}}}`"
        elif _VALUE.fullmatch(inside):
            hint = f"only templates have expressions, written as `{{{{ {inside} }}}}`"
        elif near := nearest_hint(inside, symbols):
            hint = near
        return T016.at(place, f"{subject} has `{brace[0]}`, which is printed as it is", hint)
    return None


T021 = Code("T021", Severity.WARNING, "markup that is printed as it is")

_STARS = re.compile(r"(?<![\w*\\])(\*\*?)(?=[^\s*])([^*\n]{1,200})(?<=[^\s*])\1(?![\w*])")


def find_stray_stars(text: str, place: Location, subject: str) -> Iterator[Diagnostic]:
    """Yield the finding that stars around words print as they are, where tags make text bold."""
    match = _STARS.search(_EXPRESSION.sub("…", text[:_MAX_TEXT])) if "*" in text else None
    if match is not None:
        message = f"{subject} has `{match[0]}`, whose stars are printed as they are"
        yield T021.at(place, message, f"write `<b>{match[2]}</b>`")


R034 = Code("R034", Severity.ERROR, "a word list that cannot be used")

_MAX_BYTES = 1_000_000
"""The largest size of a list, in bytes."""


def load_words(folder: GameFolder, listed: WordFile, report: Report) -> tuple[str, ...]:
    """Return the words of a list, each once; none after reporting an error.

    Empty lines and lines that begin with `#` are skipped.
    """
    path, place = find_existing(folder.words_folder / listed.file), listed.source.at("file")
    name = f"xml/{folder.words_folder.name}/{listed.file}"
    problem, hint = "", "write it: a text file with a word in each line"
    data = b""
    if not is_file(path):
        problem = "is not there"
    elif not stays_inside(path, folder.xml):
        problem, hint = "is a link that leads out of the game", "put the file itself there"
    else:
        with path.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            problem, hint = f"has more than {_MAX_BYTES:,} bytes", "make several lists of it"
    words: dict[str, None] = {}
    if not problem:
        try:
            lines = data.decode("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            problem, hint = "is not in UTF-8", "save it in that encoding"
        else:
            words = dict.fromkeys(line.strip() for line in lines if not line.startswith("#"))
            words.pop("", None)
            if not words:
                problem = "has no words"
    if problem:
        report.append(R034.at(place, f"the word list `{name}` {problem}", hint))
    return tuple(words)
