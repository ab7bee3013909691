"""The catalogues have words in both languages for all that the page and the server say."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import NamedTuple

from conftest import ROOT
from deckwright import open_game
from deckwright.studio.described import hint_for_page
from deckwright.studio.printing.options import GameSource, list_products
from examples_of_codes import EXAMPLES

SOURCE = ROOT / "src" / "deckwright"
CATALOGUES = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in (SOURCE / "studio" / "pages" / "words").glob("*.json")
}
ENGLISH, GERMAN = CATALOGUES["en"]["words"], CATALOGUES["de"]["words"]
MESSAGES: dict[str, str] = CATALOGUES["de"]["messages"]


def texts(pattern: str, folder: Path) -> set[str]:
    """Return what a pattern finds in the code of a folder."""
    sources = (path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
    return {found for text in sources for found in re.findall(pattern, text)}


def test_mistakes_that_the_server_says() -> None:
    said = texts(r'LocalizedError\(\s*"([\w-]+)"', SOURCE / "studio")
    assert said >= {"decks-no-name", "print-too-many", "looks-only", "disk-full", "file-changed"}
    assert said - ENGLISH.keys() == set()


NOT_IN_THE_STUDIO = {
    "checking games",
    "making decks",
    "merging decks",
    "printing decks",
    "verifying decks",
}


def test_what_long_work_is_at() -> None:
    done = texts(r'\btrack_progress\(.*, "([^"]+)"\)', SOURCE) | texts(
        r'\breport_progress\("([^"]+)"', SOURCE
    )
    assert {"painting pages"} | NOT_IN_THE_STUDIO <= done
    done -= NOT_IN_THE_STUDIO
    assert {f"print-doing-{each}" for each in done} - ENGLISH.keys() == set()


PLACED_BY_THE_PAGE = {"changed", "language"}
"""Options that are no rows of the form."""


def test_options_of_prints() -> None:
    game = open_game(ROOT)
    products = list_products(GameSource(game.model, game.folder)).values()
    names = {o.name for product in products for o in product.options if o.type != "numbers"}
    assert {"sheet", "booklet", "foil"} | PLACED_BY_THE_PAGE <= names
    names -= PLACED_BY_THE_PAGE
    assert {f"print-option-{each}" for each in names} - ENGLISH.keys() == set()


def test_bundled_print_services() -> None:
    profiles = SOURCE / "outputs" / "services" / "profiles"
    names = {f"service-{path.stem}" for path in profiles.glob("*.xml")}
    assert "service-mpc" in names
    words = {f"print-{word}-{name}" for word in ("thing", "about") for name in names}
    assert words - ENGLISH.keys() == set()


def test_both_languages_have_the_same_words() -> None:
    assert [*ENGLISH] == [*GERMAN]
    for name, word in ENGLISH.items():
        assert word.count("{}") == GERMAN[name].count("{}"), name


class Template(NamedTuple):
    """A template of messages as the page reads it, in `shared/words.js`."""

    text: str
    pattern: re.Pattern[str]
    quoted: list[bool]
    only_joins: bool


def parse(text: str) -> Template:
    pattern, quoted, at = "", list[bool](), 0
    for place in re.finditer(r"\{(n?)\}", text):
        quoted.append(text[: place.start()].count("`") % 2 == 1)
        value = r"\d[\d.,]*" if place[1] else "[^`]*" if quoted[-1] else "(?:[^`]|`[^`]*`)+?"
        pattern += f"{re.escape(text[at : place.start()])}({value})"
        at = place.end()
    whole = re.compile(pattern + re.escape(text[at:]), re.DOTALL)
    return Template(text, whole, quoted, only_joins=len(re.sub(r"\{n?\}", "", text)) < 8)


TEMPLATES = sorted(
    map(parse, MESSAGES), key=lambda each: len(re.sub(r"\{n?\}", "", each.text)), reverse=True
)


def find_templates(message: str) -> list[str]:
    """Return the template that translates a message, and those for its parts; [] if none does."""
    message = re.sub(r" \(\S+\.xml:\d+\)$", "", message)
    for each in TEMPLATES:
        match = each.pattern.fullmatch(message)
        if match is None:
            continue
        parts = zip(match.groups(), each.quoted, strict=True)
        found = [(part, [] if quoted else find_templates(part)) for part, quoted in parts]
        if not each.only_joins or all(
            inside or not re.search("[a-z]{3}", re.sub("`[^`]*`", "", part))
            for part, inside in found
        ):
            return [each.text, *(name for _, inside in found for name in inside)]
    return []


_FINDING = re.compile(r"(?:\S+: )?(?:error|warning|info) [A-Z]\d{3}: (.*)")


def messages_of(code: str) -> list[str]:
    """Return the messages and hints of an example, as the page receives them."""
    lines = (EXAMPLES / code / "expected.txt").read_text("utf-8").splitlines()
    hints = (hint_for_page(line[8:]) for line in lines if line.startswith("  hint: "))
    return [*(match[1] for line in lines if (match := _FINDING.match(line))), *filter(None, hints)]


CODES = [path.name for path in sorted(EXAMPLES.iterdir()) if path.name[0] in "DGILPRSTX"]


def test_findings_have_german_messages() -> None:
    messages = [each for code in CODES for each in messages_of(code)]
    assert [each for each in messages if not find_templates(each)] == []


def test_what_the_table_refuses_has_german_messages() -> None:
    source = (SOURCE / "decks" / "play" / "table.py").read_text("utf-8")
    said = re.findall(r'ChoiceError\(\s*f?"([^"]+)"', source)
    filled = {
        re.sub(r"\{event.*?\}", "undo", re.sub(r"\{(?!event).*?\}", "7", each)) for each in said
    }
    assert len(filled) > 8
    assert [each for each in sorted(filled) if not find_templates(each)] == []
    assert find_templates("there is no field `by` in the event `flip`")


def _source_templates(path: Path) -> set[str]:
    """Return the texts in a module, with `{}` for what it puts into them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(re.sub(r"\\\d", "{}", node.value))
        elif isinstance(node, ast.JoinedStr):
            parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
            found.add("".join(map(str, parts)))
    return found


def test_every_template_is_of_a_message() -> None:
    """It is used for an example, equals a text in the source, or has only words of one module."""
    modules = [_source_templates(path) for path in sorted(SOURCE.rglob("*.py"))]
    exact = set().union(*modules)
    words = [set(re.findall(r"[A-Za-z]{3,}", " ".join(each))) for each in modules]
    used = {name for code in CODES for each in messages_of(code) for name in find_templates(each)}

    def is_alive(text: str) -> bool:
        own = set(re.findall(r"[A-Za-z]{3,}", text))
        return text in exact | used or any(own <= module for module in words)

    assert [text for text in MESSAGES if not is_alive(text)] == []


def test_translations_use_what_their_templates_name() -> None:
    for text, german in MESSAGES.items():
        places = re.findall(r"\{(?:n|\d?)\}", german)
        assert len(places) == len(re.findall(r"\{n?\}", text)), text
