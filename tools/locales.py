"""Write src/deckwright/base/locales.txt: how languages write numbers, dates and plurals.

The data is that of the Unicode CLDR, as Babel (https://babel.pocoo.org) has it:

    pip install babel && python tools/locales.py
"""

from __future__ import annotations

import re
from pathlib import Path

from babel import Locale, localedata
from babel.messages.plurals import get_plural

TARGET = Path(__file__).parents[1] / "src" / "deckwright" / "base" / "locales.txt"
_TOKEN = re.compile(r"'([^']*)'|(MMMM?|M{1,2}|d{1,2}|y{1,4}|G+)")
_MILLIONS = re.compile(r"n != 0 && n % 1000000 == 0 \? (\d) : \d")
_PARTS = {"d": "{day}", "y": "{year}", "M": "{month}", "MMM": "{name}"}


def describe(code: str) -> list[str]:
    """Return the decimal sign, the percent pattern, the date pattern, the months and plurals."""
    locale = Locale.parse(code)
    symbols = locale.number_symbols
    latin = symbols.get("latn", symbols) or symbols[locale.default_numbering_system]
    eras = locale.eras.get("abbreviated", {})

    def part(match: re.Match[str]) -> str:
        letters = match[2]
        if letters is None:
            return match[1] or "'"
        if letters.startswith("G"):
            return str(eras.get(1, ""))
        return _PARTS[letters[0] if letters[0] != "M" or len(letters) < 3 else "MMM"]

    percent = re.sub("[#,.0]+", "{}", locale.percent_formats[None].pattern)
    date = _TOKEN.sub(part, locale.date_formats["long"].pattern)
    names = locale.months["format"]["wide"]
    rule = get_plural(code)
    plurals = f"nplurals={rule.num_plurals}; plural={rule.plural_expr};"
    if found := _MILLIONS.search(plurals):  # a form for millions, which games do not count
        plurals = plurals.replace(found[0], found[1]).replace("=3;", "=2;")
    if code == "en":
        date = "{day} {name} {year}"  # unlike that of the United States, it is clear everywhere
    return [
        str(latin["decimal"]),
        re.sub("[\u200e\u200f\u061c]", "", percent).replace("\u202f", "\u00a0"),
        re.sub("[\u200e\u200f\u061c]", "", date).replace("\u202f", "\u00a0").strip(),
        "|".join(names[month] for month in range(1, 13)),
        plurals,
    ]


def main() -> None:
    """Write the table: a line a language, and one a region that differs from its language."""
    lines: dict[str, list[str]] = {}
    for code in sorted(localedata.locale_identifiers(), key=lambda name: (name.count("_"), name)):
        if code == "root":
            continue
        language, _, region = code.partition("_")
        if region and (len(region) != 2 or language not in lines):
            continue  # scripts and variants
        found = describe(code)
        if not region and found[3] == "|".join(f"M{month:02}" for month in range(1, 13)):
            continue  # nobody has given the names of its months
        if lines.get(language) != found:
            lines[code] = found
    text = "".join("\t".join([code, *fields]) + "\n" for code, fields in sorted(lines.items()))
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
