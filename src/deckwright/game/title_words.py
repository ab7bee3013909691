"""The titles that tables give to their columns, in a dozen languages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ł": "l", "ø": "o", "đ": "d"})
_CARD = re.compile(r"^(?:card|karten?)(?=..)|(?<=..)(?:cards?|carta|cartes?|karty|kaart)$")
_WORD = re.compile(r"\w+")
WORD_BREAK = re.compile(r"_|(?<=[a-z])(?=[A-Z])")
"""What parts the words of `minimum_deck_size` and `minimumDeckSize`."""
_UNITS = re.compile(r"[(\[{].*?[)\]}]")
_MIN_SHARE = 0.02
"""The smallest share of a language's commonest words in a text of that language."""
_MIN_WORDS = 12
"""The fewest words that show a language."""
_SCRIPTS = (
    ("ja", "[\u3040-\u30ff]"),
    ("zh", "[\u4e00-\u9fff]"),
    ("ko", "[\uac00-\ud7af]"),
    ("uk", "[іїєґІЇЄҐ]"),
    ("ru", "[\u0400-\u04ff]"),
    ("el", "[\u0370-\u03ff]"),
)
"""Languages by a script that (nearly) proves them; the first that occurs counts."""


_Words = Mapping[str, frozenset[str]]


@cache
def _load() -> tuple[Mapping[str, Sequence[str]], _Words, _Words]:
    """Return what `title_words.txt` knows.

    Returns:
        the concepts of each word, such as `costs`, which are names of fields; the languages of
            each word; the commonest words of each language.
    """
    concepts: dict[str, list[str]] = {}
    languages: dict[str, set[str]] = {}
    stops: dict[str, frozenset[str]] = {}
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        concept, language, *words = line.split()
        if concept == "stop":
            stops[language] = frozenset(words)
            continue
        for word in map(normalize_title, words):
            concepts.setdefault(word, []).append(concept)
            languages.setdefault(word, {language}).add(language)
    return concepts, {word: frozenset(each) for word, each in languages.items()}, stops


@cache
def normalize_title(title: str) -> str:
    """Return a title for comparison: "Card Name", "card_name" and "cardName" are equal.

    Accents do not count; of signs, only symbols such as emoji do.
    """
    text = unicodedata.normalize("NFC", title).casefold().translate(_LETTERS)
    letters = unicodedata.normalize("NFKD", text)
    kept = "".join(c for c in letters if unicodedata.category(c)[0] in "LNS" or c == "#")
    return kept or text.strip()


def title_variants(title: str) -> list[str]:
    """Return the words that a title may be, the likeliest first.

    They are all of it, the end of a path (`attributes.title`), and it without units; each also
    without "card", since all columns describe cards.
    """
    whole = [title, title.rpartition(".")[2], _UNITS.sub("", title)]
    words = [normalize_title(each) for each in dict.fromkeys(whole)]
    words += [_CARD.sub("", word) for word in words]
    return list(dict.fromkeys(filter(None, words)))


def find_concepts(title: str) -> dict[str, int]:
    """Return what a column with this title may hold: 2 for its whole title, 1 for a word of it."""
    known, _, _ = _load()
    found = {c: 2 for word in title_variants(title) for c in known.get(word, ())}
    parts = _WORD.findall(WORD_BREAK.sub(" ", _UNITS.sub("", title)))
    for part in parts if len(parts) > 1 else ():
        for concept in known.get(normalize_title(part), ()):
            found.setdefault(concept, 1)
    return found


def synonyms_of(word: str) -> frozenset[str]:
    """Return the titles that may mean the same as a title, as `normalize_title` has them."""
    known, _, _ = _load()
    concepts = {*known.get(normalize_title(word), ())}
    return frozenset(other for other, those in known.items() if concepts & {*those})


def guess_language(titles: Iterable[str], texts: Iterable[str]) -> str | None:
    """Return the language of a table, None if nothing shows it."""
    text = " ".join(texts)
    letters = sum(map(str.isalpha, text))
    for language, script in _SCRIPTS:
        # A few words in another script, such as names, do not make a language.
        if 5 * len(re.findall(script, text)) > letters > 0:
            return language
    _, known, commonest = _load()
    votes: dict[str, float] = defaultdict(float)
    headings = [*titles]
    for title in headings:
        parts = {normalize_title(part) for part in (title, *_WORD.findall(title))}
        named = frozenset[str]().union(*(known.get(part, ()) for part in parts))
        for language in named:
            votes[language] += 1 / len(named) / len(headings)
    words = Counter(_WORD.findall(text.casefold()))
    total = sum(words.values()) or 1
    common = Counter(stop for stops in commonest.values() for stop in stops)
    for language, stops in commonest.items():
        share = sum(words[stop] / common[stop] for stop in stops) / total
        if share > _MIN_SHARE and total > _MIN_WORDS:
            votes[language] += 20 * share
    return max(votes, key=lambda each: votes[each]) if votes else None
