"""Strings: letter case by language, XML escaping, and safe display of foreign texts.

Languages are codes such as "tr" or "de-AT".
"""

from __future__ import annotations

import os
import re
import unicodedata
from html import escape
from pathlib import Path
from typing import Any, Self


class Translated(str):
    """A text in another language; it prints as its translation and compares as its source.

    Conditions, limits and references are written in the game's own language, and compare sources.

    Attributes:
        forms: the forms of a word that is printed with numbers, in the order of `plurals`.
        plurals: which form goes with which number, as gettext writes it.
    """

    __slots__ = ("forms", "plurals", "source")
    source: str
    forms: tuple[str, ...]
    plurals: str

    def __new__(
        cls, text: str, source: str, forms: tuple[str, ...] = (), plurals: str = ""
    ) -> Self:
        """Create the translation of a text."""
        translated = super().__new__(cls, text)
        translated.source, translated.forms, translated.plurals = source, forms, plurals
        return translated

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, tuple[str, ...], str]]:
        return type(self), (str(self), self.source, self.forms, self.plurals)

    def __eq__(self, other: object) -> bool:
        return self.source == (other.source if isinstance(other, Translated) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.source)

    def __contains__(self, part: object) -> bool:
        return self.source.__contains__(part)  # type: ignore[operator]  # it raises what str does

    def startswith(self, *affix: Any) -> bool:
        """Return whether the source starts with an affix."""
        return self.source.startswith(*affix)

    def endswith(self, *affix: Any) -> bool:
        """Return whether the source ends with an affix."""
        return self.source.endswith(*affix)


def with_forms(text: str, one: str, few: str) -> str:
    """Return a word with its forms for one, for few, and (`text`) for many; "" if it has none."""
    return Translated(text, text, (*filter(None, (one, few)), text)) if one else text


_TURKIC = frozenset(("tr", "az"))
_SPLIT_LITHUANIAN = str.maketrans({"Ì": "I\u0300", "Í": "I\u0301", "Ĩ": "I\u0303"})
_SOFT_DOT = re.compile("(?<=[ijį])\u0307")
_MORE_ABOVE = re.compile("([IJĮ])(?=[\u0300\u0301\u0303])")
_ACCENTS = "\u0300\u0301\u0313\u0314\u0342"
_HIATUS = re.compile(
    f"([αεηοω\u0391\u0395\u0397\u039f\u03a9])[{_ACCENTS}]+"
    f"([\u03b9\u03c5\u0399\u03a5])(?![{_ACCENTS}\u0308])"
)
"""Adjacent vowels kept apart by the first one's accent; without it they need a diaeresis."""
_ACCENTED = re.compile(f"([\u0391-\u03a9\u03b1-\u03c9])(\u0308?)[{_ACCENTS}]+")
_OR = re.compile(r"\bη\u0301(?!\w)")
"""The Greek word "or", which keeps its accent in capitals."""
_WORDS = re.compile(r"([-\s({\[<]+)")
"""Separators of words, as in Jinja's filter `title`."""


def ends_in_mark(text: str) -> bool:
    """Return whether a text ends in a sign that belongs to a letter, such as an Indic vowel."""
    return text != "" and unicodedata.category(text[-1]).startswith("M")


def upper(text: str, language: str) -> str:
    """Return a text in upper case."""
    match base_language(language):
        case "tr" | "az":
            text = text.replace("i", "İ")
        case "lt":
            text = unicodedata.normalize("NFC", _SOFT_DOT.sub("", text))
        case "el":
            parts = unicodedata.normalize("NFD", text)
            parts = _HIATUS.sub("\\1\\2\u0308", _OR.sub("Ή", parts))
            text = unicodedata.normalize("NFC", _ACCENTED.sub(r"\1\2", parts))
    return text.upper()


def lower(text: str, language: str) -> str:
    """Return a text in lower case."""
    match base_language(language):
        case "tr" | "az":
            text = text.replace("I\u0307", "i").replace("İ", "i").replace("I", "\u0131")
        case "lt":
            text = _MORE_ABOVE.sub("\\1\u0307", text.translate(_SPLIT_LITHUANIAN))
    return text.lower()


def capitalize(text: str, language: str) -> str:
    """Return a text with its first letter in upper case and the others in lower case."""
    base, first = base_language(language), 1
    if base == "nl" and text[:2].lower() == "ij":
        first = 2
    head = text[:first]
    head = upper(head, language) if base in _TURKIC or first > 1 else head.title()
    return head + lower(text[first:], language)


def title(text: str, language: str) -> str:
    """Return a text with each word capitalized."""
    return "".join(capitalize(word, language) for word in _WORDS.split(text))


def swap_case(text: str, language: str) -> str:
    """Return a text with upper and lower case exchanged."""
    return "".join(
        lower(letter, language) if letter.isupper() else upper(letter, language) for letter in text
    )


def base_language(language: str) -> str:
    """Return a language code without its region: "de" for "de-AT" or "de_AT"."""
    return language.replace("_", "-").partition("-")[0]


def fold(text: str) -> str:
    """Return a text in lower case without accents, for comparison."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})


def escape_text(text: str) -> str:
    """Return a text escaped for XML element content."""
    return escape(text, quote=False)


def quote_attribute(value: str, quote: str = "") -> str:
    """Return an attribute value in quotes: the given ones, or those that it lacks."""
    quote = quote or ("'" if '"' in value and "'" not in value else '"')
    escaped = value.translate(_ESCAPES)
    return quote + escaped.replace(quote, "&quot;" if quote == '"' else "&apos;") + quote


_CONTROL = re.compile(
    "[\0-\x08\n-\x1f\x7f-\x9f"  # C0 except the tab, DEL and C1
    "\u2028\u2029"  # line and paragraph separators
    "\u202a-\u202e\u2066-\u2069"  # bidirectional embeddings, overrides and isolates
    "\ufeff\ufff9-\ufffb"  # byte order mark, annotations
    "\ud800-\udfff]"  # surrogates: bytes of a file name that are not UTF-8
)
_WORKFLOW_COMMAND = re.compile(r"^\s*(?=::)|#(?=#\w*\[)")


def sanitize_line(text: str) -> str:
    """Return a text as one harmless line: control characters and workflow commands escaped."""
    return _WORKFLOW_COMMAND.sub(r"\g<0>\\", _CONTROL.sub(_escape_control, text))


def printable_path(path: Path) -> str:
    """Return a path with slashes; bytes that are not UTF-8 are escaped."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def dump_safe_json(value: object) -> str:
    """Return a value as JSON with control characters and workflow commands escaped."""
    import json  # every command imports this module, few write JSON

    text = json.dumps(value, ensure_ascii=False, indent=2)
    text = re.sub(r"#(?=#\w*\[)", r"\\u0023", text)
    return "\n".join(
        _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", line) for line in text.split("\n")
    )


def _escape_control(match: re.Match[str]) -> str:
    number = ord(match[0])
    short = {"\n": "\\n", "\r": "\\r"}.get(match[0])
    return short or (f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}")
