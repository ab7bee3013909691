"""Files that are meant to harm: they end with findings, soon, and nothing else is read."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Run
from hostile import MASS, MAX_FILE_BYTES, check_untrusted, fill_up, find_foreign_paths, write_all
from support import GAME, card, line, token_rule, write_game

RULES = "xml/rules.xml"
CARDS = "xml/Factions/AA_cards.xml"
DECK = "xml/Decks/d.xml"
BOOK = "xml/rulebook.xml"
FACE = "templates/card.xml"
FACTIONS = "xml/factions_definition.xml"
SETUP = "xml/game.xml"
FILES = {RULES: "data", CARDS: "data", DECK: "data", FACTIONS: "data", SETUP: "game",
         BOOK: "rulebook", FACE: "face"}  # fmt: skip
"""The files of a game, with the names of their root elements."""

XI = 'xmlns:xi="http://www.w3.org/2001/XInclude"'
XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
RULE = '<rule id="r" type="passive" effect="Do."><label GEN="L"/></rule>'
DATA = f"<data>{RULE}</data>"
KIND = '<kind tag="k#" name="n" width="65" height="90" face="card.xml"/>'
FACTION = '<faction id="F#" race_name="R#" faction_name="N" color="red"/>'
META = '<data><meta main_faction_id="AA" name="Deck"/>'
LAUGHS = (
    '<!DOCTYPE data [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    + "]><data>&a11;</data>"
)
QUADRATIC = f'<!DOCTYPE data [<!ENTITY a "{"x" * 100_000}">]><data>{"&a;" * 400_000}</data>'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = write_game(tmp_path / "game", [card("A1", "Ant")], decks={"d": [line("A1", 3)]})
    (folder / "img").mkdir()
    write_all(tmp_path, [("secret.xml", "<data>TOPSECRET</data>"), ("secret", "TOPSECRET")])
    return folder


def says(game: Path, name: str, content: str | bytes, run: Run) -> tuple[int, str]:
    """Return the exit code and the findings of a check with this file."""
    write_all(game, [(name, content)])
    result = run("check", "--game", str(game))
    assert "TOPSECRET" not in result.output
    return result.exit_code, result.stderr


@pytest.mark.parametrize("name", FILES)
def test_entities_that_grow_are_refused_in_every_file(game: Path, run: Run, name: str) -> None:
    code, said = says(game, name, LAUGHS, run)
    assert code == 1
    assert f"{name}:1:16: error X004" in said


@pytest.mark.parametrize(
    "content",
    [
        QUADRATIC[:MAX_FILE_BYTES],
        LAUGHS.encode("utf-16"),
        b"\xfe\xff" + LAUGHS.encode("utf-16-be"),
        '<!DOCTYPE data SYSTEM "{outside}.xml"><data/>',
        '<!DOCTYPE data PUBLIC "-//X//X//EN" "http://127.0.0.1:9/x.dtd"><data/>',
        '<!DOCTYPE data [<!ENTITY x SYSTEM "{outside}">]><data>&x;</data>',
        '<!DOCTYPE data [<!ENTITY % x SYSTEM "{outside}.xml">%x;]><data/>',
        '<!-- a --><?b?>\n<!DOCTYPE\ndata [<!ENTITY x SYSTEM "{outside}">]><data>&x;</data>',
        '<!-- <!DOCTYPE x> --><!DOCTYPE data [<!ENTITY x "y">]><data>&x;</data>',
        '<!DOCTYPE \U0001000a [<!ENTITY x "y">]><data>&x;</data>',
        '<!DOCTYPE \U0001000a SYSTEM "{outside}.xml"><data/>',
        "<!doctype data><data/>",
    ],
    ids=range(12),
)
def test_document_types_are_refused_however_they_are_written(
    game: Path, content: str | bytes
) -> None:
    outside = game.parent / "secret"
    if isinstance(content, str):
        content = content.replace("{outside}", outside.as_uri())
    write_all(game, [(RULES, content)])
    outcome = check_untrusted(game)
    assert outcome.code == 1
    assert outcome.codes() <= {"X001", "X004"}
    assert find_foreign_paths(outcome, game) == []
    assert "TOPSECRET" not in outcome.said


def test_what_only_looks_like_a_document_type_is_allowed(game: Path, run: Run) -> None:
    assert says(game, RULES, f"<!-- <!DOCTYPE x> -->{DATA}", run)[0] == 0
    assert says(game, RULES, DATA.replace("Do.", "<![CDATA[<!DOCTYPE x>]]>"), run)[0] == 1


@pytest.mark.parametrize(
    "content",
    [
        f'<data {XI}><xi:include href="{{outside}}.xml"/></data>',
        f'<data {XI}><xi:include parse="text" href="{{outside}}"/></data>',
        '<?xml-stylesheet href="{outside}.xml"?><data/>',
        '<data xml:base="{outside}.xml"/>',
        f'<data {XSI} xsi:schemaLocation="x {{outside}}"/>',
        f'<data {XSI} xsi:noNamespaceSchemaLocation="http://127.0.0.1:9/x.xsd"/>',
    ],
    ids=range(6),
)
def test_nothing_that_a_file_refers_to_is_read(game: Path, content: str) -> None:
    outside = (game.parent / "secret").as_uri()
    write_all(game, [(RULES, content.replace("{outside}", outside))])
    outcome = check_untrusted(game)
    assert outcome.is_friendly
    assert find_foreign_paths(outcome, game) == []
    assert "TOPSECRET" not in outcome.said


@pytest.mark.corpus(2)
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (gzip.compress(DATA.encode(), mtime=0), "X002"),
        (b"PK\x03\x04" + DATA.encode(), "X001"),
        (b'<?xml version="1.0" encoding="UTF-7"?>' + DATA.encode("utf-7"), "X002"),
        (DATA.encode("utf-16-le"), "X002"),
        (DATA.encode("utf-16") + b"x", "X002"),
        (DATA.replace("Do", "\ud800").encode("utf-16", "surrogatepass"), "X002"),
        (DATA.encode("utf-32"), "X001"),
        (b"\0\0\xfe\xff" + DATA.encode("utf-32-be"), "X002"),
        (DATA.encode("utf-32-le"), "X002"),
        (DATA.replace("Do", "D\0o"), "X002"),
        (DATA.replace("Do", "D\x07\x1bo"), "X001"),
        (DATA.replace("Do", "\ufffe"), "X001"),
        (DATA.encode().replace(b"Do", b"\xed\xa0\x80"), "X002"),
        (DATA.encode().replace(b"Do", b"\xc0\xaf"), "X002"),
        *(
            (DATA.replace("Do", f"&#{number};"), "X001")
            for number in ("0", "7", "xD800", "xDFFF", "xFFFE", "99999999", "x" + "F" * 99_999)
        ),
        (f'<?xml version="1.0"?><?xml version="1.0"?>{DATA}', "X001"),
        (f' <?xml version="1.0"?>{DATA}', "X001"),
        ('<?xml version="1.1"?>' + DATA.replace("Do", "&#7;"), "X001"),
        ("<" * MAX_FILE_BYTES, "X001"),
        ("<data>" + "&" * 1_900_000, "X001"),
        ("<!--" + "-" * 1_900_000, "X001"),
        ('<data a="' + "<" * 1_900_000, "X001"),
        ("<data>" * 280_000, "X001"),
        (f"<data><{'x' * 1_900_000}/></data>", "X001"),
        ('<data xmlns:a="a" xmlns:b="a" a:x="1" b:x="2"/>', "X001"),
        ('<data a:x="1"><b:c/></data>', "X001"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 5 else repr(value[:16]),
)
def test_what_is_no_xml_is_located(game: Path, run: Run, content: str | bytes, code: str) -> None:
    exit_code, said = says(game, RULES, content, run)
    assert exit_code == 1
    assert f"{RULES}:1:" in said
    assert f"error {code}" in said
    assert said.count(": error ") == 1
    assert len(said) < 2000


CODECS = ("cp037", "rot13", "hex", "zlib", "base64", "idna", "punycode", "unicode_escape",
          "raw_unicode_escape", "undefined", "mbcs", "utf_16_le", "../../x", "x" * 40, "UTF-8 ",
          "utf-8-sig")  # fmt: skip


@pytest.mark.parametrize("name", CODECS)
def test_encodings_that_are_not_known_are_refused(game: Path, run: Run, name: str) -> None:
    content = f'<?xml version="1.0" encoding="{name}"?>{DATA}'
    code, said = says(game, RULES, content, run)
    assert code in {0, 1}
    assert "X00" in said or code == 0


def test_utf_16_with_a_mark_is_read_whatever_it_declares(game: Path, run: Run) -> None:
    for declared in ("", '<?xml version="1.0" encoding="UTF-8"?>'):
        assert says(game, RULES, (declared + DATA).encode("utf-16"), run) == (0, "")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_mark_too_many_is_no_fault(game: Path, run: Run, encoding: str) -> None:
    assert says(game, RULES, f"\ufeff\ufeff{DATA}".encode(encoding), run)[0] in {0, 1}


def wide(name: str) -> str:
    attributes = " ".join(f'a{n}="1"' for n in range(100_000))
    return f"<{FILES[name]} {attributes}/>"


def many(name: str) -> str:
    return f"<{FILES[name]}>{'<x/>' * 490_000}</{FILES[name]}>"


@pytest.mark.corpus(4)
@pytest.mark.parametrize(
    ("make", "name"),
    [(wide, name) for name in FILES]
    + [(many, name) for name in FILES if not name.startswith("templates/")],
)
def test_a_file_with_a_hundred_thousand_mistakes_is_explained(
    game: Path, make: Callable[[str], str], name: str
) -> None:
    write_all(game, [(name, make(name))])
    outcome = check_untrusted(game)
    assert outcome.bounded, outcome.said[:500]
    assert outcome.code == 1
    assert f"{name}:1:" in outcome.said


def cards(fields: str) -> str:
    """Return a card file of two megabytes; `#` in the fields is the card's number."""
    rest = f'faction_id="AA" level="1" actions="0" costs="0" {fields}/>'
    return fill_up("<data>", lambda n: f"<card {rest.replace('#', str(n))}", "</data>")


def entries(fields: str) -> str:
    return fill_up(META, lambda n: f"<card {fields.replace('#', str(n))}/>", "</data>")


def rules(rule: str) -> str:
    return fill_up("<data>", lambda n: rule.replace("#", str(n)), "</data>")


def book(block: str, head: str = "", tail: str = "") -> str:
    start = '<rulebook title="x"><chapter title="a">' + head
    return fill_up(start, lambda n: block.replace("#", str(n)), tail + "</chapter></rulebook>")


def setup(part: str, before: str, holder: str = "") -> str:
    """Return a game.xml of two megabytes that has `part` as often as can be, before `before`."""
    head, tail = GAME.replace("REFERENCE", "").replace("LIMITS", "").split(before, 1)
    opened, closed = (f"<{holder}>", f"</{holder}>") if holder else ("", "")
    return fill_up(head + opened, lambda n: part.replace("#", str(n)), closed + before + tail)


MASSES: dict[str, tuple[str, Callable[[], str]]] = {
    "cards": (CARDS, lambda: cards('id="A#" name="B#"')),
    "cards of one name": (CARDS, lambda: cards('id="A#" name="B"')),
    "cards of one id": (CARDS, lambda: cards('id="A" name="B"')),
    "cards of another faction": (
        CARDS, lambda: cards('id="A#" name="B"').replace('"AA"', '"ZZ"')),
    "cards without their images": (CARDS, lambda: cards('id="A#" name="B" image="x#.png"')),
    "a card of a long name": (
        CARDS, lambda: f"<data>{card('A1', 'word ' * 380_000)}</data>"),
    "a card of a long word": (CARDS, lambda: f"<data>{card('A1', 'w' * 1_900_000)}</data>"),
    "a card of a long id": (CARDS, lambda: f"<data>{card('w' * 1_900_000, 'a')}</data>"),
    "a card of a long level": (
        CARDS, lambda: f"<data>{card('A1', 'a', level='1' * 1_900_000)}</data>"),
    "entries": (DECK, lambda: entries('faction_id="AA" id="A1" amount="1"')),
    "entries of many copies": (DECK, lambda: entries('faction_id="AA" id="A1" amount="9999"')),
    "entries without their cards": (DECK, lambda: entries('faction_id="AA" id="A#x" amount="1"')),
    "entries without their factions": (DECK, lambda: entries('faction_id="Z#" id="A" amount="1"')),
    "rules": (RULES, lambda: rules(RULE.replace('"r"', '"r#"'))),
    "rules of one id": (RULES, lambda: rules(RULE)),
    "rules with tokens": (RULES, lambda: rules(token_rule("r#", "Wolf"))),
    "factions": (FACTIONS, lambda: rules(FACTION)),
    "paragraphs": (BOOK, lambda: book("<p>A short paragraph of a few words.</p>")),
    "a long paragraph": (BOOK, lambda: book("word ", "<p>", "</p>")),
    "a long word": (BOOK, lambda: book("w", "<p>", "</p>")),
    "sections": (BOOK, lambda: book('<section id="s#" title="T#"/>')),
    "sections of one id": (BOOK, lambda: book('<section id="s" title="T"/>')),
    "references": (BOOK, lambda: book('<ref to="s"/> ', '<table id="s" title="T"><row><cell/></row>'
                                      "</table><p>", "</p>")),
    "references to nothing": (BOOK, lambda: book('<ref to="s#"/>', "<p>", "</p>")),
    "rows": (BOOK, lambda: book("<row><cell>a</cell></row>", "<table>", "</table>")),
    "cells": (BOOK, lambda: book("<cell>a</cell>", "<table><row>", "</row></table>")),
    "figures": (BOOK, lambda: book('<figure><card id="A1"/></figure>')),
    "callouts": (BOOK, lambda: book('<callout x="1" y="1">a</callout>', '<figure><card id="A1">',
                                    "</card></figure>")),
    "fields": (SETUP, lambda: setup('<field name="f#" type="text" optional="true"/>',
                                    '    <field name="level"')),
}  # fmt: skip
"""Files of two megabytes of one thing: the file, and what makes it."""


@pytest.mark.corpus(4, grows=True)
@pytest.mark.parametrize("name", MASSES)
def test_two_megabytes_of_one_thing_are_checked_or_reported(game: Path, name: str) -> None:
    path, make = MASSES[name]
    content = make()
    assert MASS / 4 < len(content.encode()) <= MAX_FILE_BYTES
    write_all(game, [(path, content)])
    outcome = check_untrusted(game)
    assert outcome.bounded, f"{outcome[:1]} {outcome.said[:300]} {outcome[2:4]}"


CONDITIONS = {
    "of many parts": "level=1 and " * 100_000 + "level=1",
    "that never ends": "a=a and " * 230_000 + "a",
    "of one word": "a" * 1_900_000,
    "of spaces": " " * 30_000,
    "of spaces within": "level" + " " * 30_000,
    "of spaces at the end": "level=1" + " " * 100_000 + "x",
    "of doubtful ends": "a=a and" * 3000 + " ==",
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_is_read_or_refused(game: Path, name: str) -> None:
    limit = f'<limit id="a" name="a" zone="main" min="0" where="{CONDITIONS[name]}"/>'
    write_all(game, [(SETUP, GAME.replace("LIMITS", limit).replace("REFERENCE", ""))])
    outcome = check_untrusted(game)
    assert outcome.bounded, outcome.said[:300]


@pytest.mark.parametrize("columns", ["l " * 400_000 + "x", "l " + "l" * 40 + "x",
                                     "l" + " " * 30_000 + "x", "l" + " l" * 400_000])  # fmt: skip
def test_the_columns_of_a_table_are_read_or_refused(game: Path, columns: str) -> None:
    table = f'<table columns="{columns}"><row><cell>a</cell></row></table>'
    content = f'<rulebook title="x"><chapter title="a">{table}</chapter></rulebook>'
    write_all(game, [(BOOK, content)])
    outcome = check_untrusted(game)
    assert outcome.bounded, outcome.said[:300]
    assert outcome.code == 1


@pytest.mark.parametrize("name", FILES)
def test_deep_elements_are_refused(game: Path, run: Run, name: str) -> None:
    for tag in ("data", "section", "b"):
        content = f"<{FILES[name]}>{f'<{tag}>' * 240}{f'</{tag}>' * 240}</{FILES[name]}>"
        code, said = says(game, name, content, run)
        assert code == 1
        assert name in said


@pytest.mark.parametrize("number", ["9" * 300, "9" * 400, "0." + "9" * 99_999, "1" + "0" * 308])
@pytest.mark.parametrize("attribute", ["width", "safe"])
def test_a_huge_length_is_refused_or_does_not_fit(
    game: Path, run: Run, attribute: str, number: str
) -> None:
    kind = 'name="Card" width="65"'
    new = f'name="Card" width="{number}"' if attribute == "width" else f'{kind} safe="{number}"'
    content = GAME.replace("LIMITS", "").replace("REFERENCE", "").replace(kind, new)
    assert says(game, SETUP, content, run)[0] in {0, 1}


@pytest.mark.parametrize("number", ["9" * 300, "9" * 400, "0", "99999999"])
@pytest.mark.parametrize("part", ['<card id="A1"><callout x="#" y="1">a</callout></card>',
                                  '<drawing template="card.xml" width="#" height="1"/>',
                                  '<card id="A1" scale=".#"/>'])  # fmt: skip
def test_a_huge_figure_is_refused_or_printed(game: Path, run: Run, part: str, number: str) -> None:
    figure = f"<figure>{part.replace('#', number)}</figure>"
    content = f'<rulebook title="x"><chapter title="a">{figure}</chapter></rulebook>'
    assert says(game, BOOK, content, run)[0] in {0, 1}
