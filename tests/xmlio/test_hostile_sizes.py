"""Files of at most two megabytes, each with too much of something, are checked soon and in bounds.

What a case names besides its files is the code of what it is told; "" is nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from test_hostile_xml import (
    BOOK,
    CARDS,
    DECK,
    FACE,
    FACTION,
    FACTIONS,
    KIND,
    META,
    RULE,
    RULES,
    SETUP,
    book,
    cards,
    rules,
    setup,
)

from hostile import MAX_FILE_BYTES, Files, check_files, drawing, fill_up, scale_down
from support import GAME, card, data, line, token_rule, uses, write_game

pytestmark = pytest.mark.child

Cases = dict[str, tuple[str, Callable[[], Files]]]

LONG = "word " * 3900
"""Nearly as long as the value of an attribute may be."""
ACCENTS = "e" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING GRAVE ACCENT BELOW}" * 9000
TERM = '    <term id="1"'
SYMBOLS = "  <group id="
LIMITS = "  </deck>"
LIMIT = '<limit id="l#" name="l" zone="main" {} max="1"/>'
CONDITIONS = 'where="{}"'.format(" and ".join(["level=1"] * 900))
MARKER = '<marker id="m#" name="M" color="red" size="9">{}</marker>'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "game", [card("A1", "Ant")], decks={"d": [line("A1", 3)]})
    (folder / "img").mkdir()
    return folder


def named(name: Callable[[int], str]) -> Files:
    """Return a card file of two megabytes with such names."""
    numbers = count()
    return [(CARDS, fill_up("<data>", lambda _: card(f"A{(n := next(numbers)) + 1}", name(n)),
                           "</data>"))]  # fmt: skip


def one_card(children: Callable[[int], str]) -> str:
    head = card("A1", "Ant").removesuffix("</card>")
    return fill_up(f"<data>{head}", children, "</card></data>")


def part(text: str, number: int, before: str, holder: str = "") -> str:
    """Return a game.xml that has `text` so often."""
    head, tail = GAME.replace("REFERENCE", "").replace("LIMITS", "").split(before, 1)
    opened, closed = (f"<{holder}>", f"</{holder}>") if holder else ("", "")
    inner = "".join(text.replace("#", str(n)) for n in range(number))
    return f"{head}{opened}{inner}{closed}{before}{tail}"


def chapter(body: str) -> str:
    return f'<rulebook title="x"><chapter id="c" title="a">{body}</chapter></rulebook>'


MANY_CARDS: Files = [(CARDS, cards('id="A#" name="B#"'))]
MANY_RULES: Files = [(RULES, rules(RULE.replace('"r"', '"r#"')))]
LINES = "".join(f'<card faction_id="AA" id="A{n}" amount="2"/>' for n in range(scale_down(4999)))
MANY_LINES: Files = [(DECK, f"{META}{LINES}</data>")]

OF_CARDS: Cases = {
    "long names": ("L001", lambda: named(lambda n: f"{n} {LONG}")),
    "names": ("L001", lambda: named(lambda n: f"{n} " + "word " * 40)),
    "long words": ("L001", lambda: named(lambda n: f"{n}" + "w" * 19_000)),
    "words of their own": ("L001", lambda: named(
        lambda n: " ".join(f"{n}x{k}" for k in range(2000)))),
    "hyphens": ("L001", lambda: named(lambda n: f"{n} " + "a-" * 9000)),
    "accents": ("L002", lambda: named(lambda n: f"{n}{ACCENTS}")),
    "missing characters": ("L002", lambda: named(
        lambda n: "".join(chr(0x4E00 + (n * 300 + k) % 20_000) for k in range(300)))),
    "icons that are not there": ("T004", lambda: named(lambda n: f"{{icon:castlex{n}}}")),
    "rules, unknown, on one card": ("S006", lambda: [
        *MANY_RULES, (CARDS, one_card(lambda n: f'<rule id="x{n}"/>'))]),
    "rules that are unknown": ("R003", lambda: [*MANY_RULES, (CARDS, fill_up(
        "<data>", lambda n: card(f"A{n}", "a", "AA", uses(f"x{n}")), "</data>"))]),
    "images, and many that are not there": ("R005", lambda: [
        *((f"img/{n}.png", "") for n in range(scale_down(900))),
        (CARDS, cards('id="A#" name="B#" image="x#.png"'))]),
    "terms for others": ("R011", lambda: [
        (SETUP, part('<term id="t#" name="a" only="guests"/>', 990, TERM)),
        (CARDS, fill_up("<data>", lambda n: card(f"A{n}", "a", level="t7"), "</data>"))]),
}  # fmt: skip

OF_RULES: Cases = {
    "labels": ("R015", lambda: [(RULES, data(*(
        f'<rule id="r{n}" type="passive" effect="x"><label '
        + " ".join(f'L{n}_{k}="x"' for k in range(490)) + "/></rule>" for n in range(240))))]),
    "tokens that create each other": ("R012", lambda: [
        (RULES, rules(token_rule("r#", "Wolf").replace('actions="0"/>',
                                                       'actions="9"><rule id="#"/></token>'))),
        (CARDS, data(card("A1", "a", "AA", uses("r0"))))]),
    "accents": ("L006", lambda: [(RULES, rules(RULE.replace('"r"', '"r#"').replace(
        'GEN="L"', f'GEN="{ACCENTS}"'))), (BOOK, chapter("x").replace(
            "<chapter", '<overview title="o"/><chapter').replace("x<", "<p/>" * 16_000 + "<"))]),
}  # fmt: skip

OF_DECKS: Cases = {
    "lines without cards": ("R002", lambda: [*MANY_CARDS, (DECK, META + "".join(
        f'<card faction_id="AA" id="x{n}" amount="1"/>' for n in range(scale_down(4999)))
        + "</data>")]),
    "lines of others": ("R014", lambda: [
        *MANY_CARDS, (DECK, META + LINES.replace("AA", "BB") + "</data>"),
        ("xml/Factions/BB_cards.xml", data(card("B1", "b", "BB")))]),
    "limits": ("D002", lambda: [*MANY_CARDS, *MANY_LINES, (
        SETUP, part(LIMIT.format('per="name"'), 200, LIMITS))]),
    "limits of many conditions": ("G002", lambda: [*MANY_CARDS, *MANY_LINES, (
        SETUP, part(LIMIT.format(CONDITIONS), 150, LIMITS))]),
    "limits of conditions with a long end": ("D004", lambda: [(
        SETUP, part(LIMIT.format(f'where="level=1{" " * 9900}"'), 190, LIMITS))]),
    "limits that no faction can keep": ("D003", lambda: [
        (CARDS, fill_up("<data>", lambda n: card(f"A{n}", "a", costs=1), "</data>")),
        (SETUP, part(LIMIT.format(f'sum="costs" where="{" and ".join(["level=1"] * 20)}"'), 48,
                     LIMITS).replace("</deck>", '<limit id="s" name="s" zone="main" min="1"/>'
            '<limit id="z" name="z" zone="main" sum="costs" max="0"/>' + "".join(
                f'<format id="f{n}" name="f"><set limit="l0" value="{n + 1}"/></format>'
                for n in range(15)) + "</deck>"))]),
    "limits of conditions with a long gap": ("S004", lambda: [(
        SETUP, part(LIMIT.format(f'where="level=1 and{" " * 9900}x"'), 99, LIMITS))]),
}  # fmt: skip

OF_SETUPS: Cases = {
    "kinds": ("S006", lambda: [(SETUP, setup(KIND, '  <kind tag="card"'))]),
    "kinds of many fields": ("", lambda: [(SETUP, part(
        KIND.replace("/>", ">") + "".join(f'<field name="f{k}" type="text" optional="true"/>'
                                          for k in range(100)) + "</kind>",
        48, '  <kind tag="card"'))]),
    "children": ("", lambda: [(SETUP, part(
        '<children tag="r#" plural="p#" max="9999"><field name="i" type="text"/></children>', 49,
        '    <children tag="rule"'))]),
    "terms": ("L006", lambda: [
        (SETUP, part('<term id="t#" name="a"/>', 990, TERM)),
        (CARDS, fill_up("<data>", lambda n: card(f"A{n + 1}", "a", level="t989"), "</data>",
                       MAX_FILE_BYTES))]),
    "terms of unknown groups": ("G001", lambda: [(SETUP, part(
        '<term id="t#" name="a" only="x#"/>', 990, TERM))]),
    "groups": ("R001", lambda: [
        (SETUP, part('<group id="g#" name="g" races="{}"/>'.format(
            ",".join(f"r{k}" for k in range(1900))), 150, '  <vocabulary id="levels"')),
        (FACTIONS, data(*(FACTION.replace("#", str(k)) for k in range(490))))]),
    "factions that share cards": ("R024", lambda: [*MANY_CARDS, (FACTIONS, data(
        FACTION.replace("F#", "AA"), FACTION.replace("F#", "BB"), FACTION.replace("F#", "GG"),
        *(FACTION.replace("/>", ' cards="AA"/>').replace("#", str(k)) for k in range(490))))]),
    "fonts": ("S006", lambda: [(SETUP, setup('<font id="f#"/>', '<font id="text"'))]),
    "symbols of no icon": ("G003", lambda: [(SETUP, part(
        '<symbol id="s#" name="s" icon="castlx#"/>', 1000, SYMBOLS, "symbols"))]),
    "symbols of one drawing": ("", lambda: [
        (SETUP, part('<symbol id="s#" name="s" image="c.svg"/>', 1000, SYMBOLS, "symbols")),
        ("img/c.svg", drawing('<rect width="5" height="5"/>' * 15_000))]),
    "markers": ("L006", lambda: [(FACE, "<face/>"), (SETUP, part(
        MARKER.format("".join(f'<value number="{k}" count="9"/>' for k in range(45))), 1000,
        "</game>", "markers").replace("<markers>", '<markers face="card.xml">'))]),
    "severities": ("G001", lambda: [(SETUP, part(
        '<severity code="x#" is="off"/>', 1000, "</game>", "severities"))]),
    "formats": ("", lambda: [
        (SETUP, part('<format id="f#" name="l"/>', 15, LIMITS).replace(
            LIMITS, "".join(LIMIT.format("").replace("#", str(k)) for k in range(199)) + LIMITS)),
        (BOOK, chapter('<limits title="x"/>' * scale_down(10))),
        (DECK, f"{META}{line('A1')}</data>")]),
    "a number that is none": ("", lambda: [(SETUP, part("", 0, TERM).replace(
        TERM, f'{TERM} min="x" max="99999999999999"'))]),
}  # fmt: skip

OF_BOOKS: Cases = {
    "accents": ("L006", lambda: [(BOOK, chapter(f"<p>e{ACCENTS[1:3] * 450_000}</p>".replace(
        ACCENTS[2], "")))]),
    "mixed accents": ("L002", lambda: [(BOOK, chapter(f"<p>e{ACCENTS[1:3] * 90_000}</p>"))]),
    "a long word": ("", lambda: [(BOOK, chapter(f"<p>{'w' * scale_down(390_000)}</p>"))]),
    "hyphens": ("", lambda: [(BOOK, chapter(f"<p>{'a-' * scale_down(195_000)}</p>"))]),
    "words": ("", lambda: [(BOOK, chapter(
        "<p>" + " ".join(map(str, range(scale_down(60_000)))) + "</p>"))]),
    "references to nothing": ("R021", lambda: [(BOOK, book(
        "<p>" + '<ref to="x#"/>' * 1900 + "</p>"))]),
    "references to a long title": ("L005", lambda: [(BOOK, chapter(
        ("<p>" + '<ref to="c"/>' * 1900 + "</p>") * scale_down(4)).replace(
            'title="a"', f'title="{LONG}"'))]),
    "icons that are not there": ("R022", lambda: [(BOOK, book('<p><icon name="castlx#"/></p>'))]),
    "missing characters": ("L002", lambda: [(BOOK, book("<p>\u4e00</p>"))]),
    "cards that are not there": ("R023", lambda: [*MANY_CARDS, (BOOK, book(
        "<figure>" + '<card id="B#"/>' * 49 + "</figure>"))]),
    "callouts": ("L010", lambda: [(BOOK, chapter(
        ("<figure>" + ('<card id="A1">' + '<callout x="1" y="1">a</callout>' * 100 + "</card>") * 50
         + "</figure>") * 2))]),
    "columns": ("", lambda: [(BOOK, chapter("<table><row>" + "<cell>Dampfschiff</cell>" * 20
                                            + "</row></table>"))]),
    "too many columns": ("S006", lambda: [(BOOK, book("<cell>a</cell>", "<table><row>",
                                                      "</row></table>"))]),
    "rows of different lengths": ("S010", lambda: [(BOOK, book(
        "<row><cell>a</cell><cell>b</cell></row>", "<table><row><cell/></row>", "</table>"))]),
    "an overview of many cards": ("L006", lambda: [(CARDS, fill_up(
        "<data>", lambda n: card(f"A{n + 1}", f"B{n}"), "</data>", MAX_FILE_BYTES // 4)), (
            BOOK, chapter("").replace("<chapter", '<overview title="o"/><chapter'))]),
}  # fmt: skip


def face(body: str) -> Files:
    return [(FACE, f"<face>{body}</face>")]


PATTERN = '<pattern width="{0}" height="{0}" step-x="{1}" step-y="{1}">'
OF_TEMPLATES: Cases = {
    "a long text": ("L001", lambda: face('<text width="50">' + "word " * 9_000 + "</text>")),
    "texts that do not fit": ("L001", lambda: face('<text width="1" height="1">word</text>'
                                                   * scale_down(19_000))),
    "paths of nothing": ("", lambda: face('<path d="" fill="linear-gradient(red, blue)"/>'
                                          * scale_down(19_000))),
    "patterns of patterns": ("T004", lambda: face(
        f'{PATTERN.format(100, 1)}{PATTERN.format(1, 0.01)}<line x2="1"/></pattern></pattern>')),
    "patterns of filled patterns": ("T004", lambda: face(
        f'{PATTERN.format(100, 1)}{PATTERN.format(1, 0.01)}<rect width="1" height="1" fill="red"/>'
        "</pattern></pattern>")),
    "texts near the edge": ("L004", lambda: face("".join(
        f'<text y="{n / 100}" width="20" height="5">a</text>' for n in range(scale_down(19_000))))),
    "images that are not there": ("I004", lambda: face("".join(
        f'<image href="x{n}.png" width="1" height="1"/>' for n in range(scale_down(19_000))))),
    "a drawing placed often": ("L007", lambda: [
        *face("".join(f'<image href="a.svg" width="{n}" height="9"/>' for n in range(1, 300))),
        ("img/a.svg", drawing('<rect width="5" height="5"/>' * 16_000))]),
}  # fmt: skip

ALL: dict[str, tuple[str, Callable[[], Files]]] = {
    f"{kind}: {name}": case
    for kind, cases in {"cards": OF_CARDS, "rules": OF_RULES, "decks": OF_DECKS,
                        "game.xml": OF_SETUPS, "rulebook": OF_BOOKS, "templates": OF_TEMPLATES,
                        }.items()
    for name, case in cases.items()
}  # fmt: skip


@pytest.mark.corpus(6, grows=True)
@pytest.mark.parametrize("name", ALL)
def test_too_much_of_a_thing_is_checked_or_reported(game: Path, name: str) -> None:
    expected, make = ALL[name]
    check_files(game, make(), expected)
