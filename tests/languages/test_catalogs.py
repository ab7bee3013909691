"""What catalogs tell translators, and catalogs that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import polib
import pytest

from conftest import Run, edit
from deckwright.game.words import WORDS, describe_bounds
from support import FRENCH, load_all, page_texts, run_program, translate

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
SETUP = Path("xml/game.xml")
COMMANDS = (
    ("check", "--untrusted"),
    ("deck", "river", "--language", "fr"),
    ("language", "update"),
    ("language", "check"),
    ("language", "export", "fr"),
)


def entry_of(context: str) -> Any:
    return next(e for e in polib.pofile(FRENCH) if e.msgctxt == context and not e.obsolete)


@pytest.mark.usefixtures("french")
def test_an_entry_tells_on_what_its_text_is_printed() -> None:
    assert entry_of("card/RW:RW2/name").comment == "Card Ferryman, River Wardens"
    rule = next(e for e in polib.pofile(FRENCH) if e.msgctxt.startswith("rule/ra001/"))
    assert rule.comment == "on Bell Founder, Ferryman, Mother Flood, Map Seller"
    token = next(e for e in polib.pofile(FRENCH) if e.msgctxt.startswith("token/"))
    assert token.comment == "Token Otter"


@pytest.mark.usefixtures("french")
def test_an_entry_has_the_placeholders_of_its_text(run: Run) -> None:
    assert entry_of("word/at-least").flags == ['placeholders:"{}"']
    assert entry_of("word/about-best").flags == ['placeholders:"{count}":"{apart}"']
    old = 'placeholders:"{count}":"{apart}"'
    edit(FRENCH, old, 'identical, placeholders:"{x}":"{count}"')
    run("language", "update")
    assert entry_of("word/about-best").flags == ["identical", 'placeholders:"{count}":"{apart}"']


@pytest.mark.usefixtures("french")
def test_lengths_are_what_fits_on_faces_and_stay_until_they_are_measured_again(run: Run) -> None:
    assert "max-length" not in FRENCH.read_text("utf-8")
    assert run("language", "update", "--lengths").exit_code == 0
    once = FRENCH.read_bytes()
    (flag,) = entry_of("card/RW:RW2/name").flags
    length = int(flag.removeprefix("max-length:"))
    assert entry_of("kind/card/actions").flags == []  # on no face
    for command in ("update", "--lengths"), ("update",), ("update", "--lengths"):
        assert run("language", *command).exit_code == 0
        assert FRENCH.read_bytes() == once
    letters = ("Ferryman " * 20)[:length].strip()
    translate({"Ferryman": letters})
    assert "L001" not in run("language", "check").output
    translate({"Ferryman": letters * 3})
    assert "L001" in run("language", "check").output
    edit(Path("templates/card.xml"), 'width="46" height="9"', 'width="23" height="9"')
    run("language", "update", "--lengths")
    (flag,) = entry_of("card/RW:RW2/name").flags
    assert int(flag.removeprefix("max-length:")) < length * 0.6


@pytest.mark.usefixtures("french")
def test_findings_of_a_catalog_follow_its_texts_and_those_of_the_game(run: Run) -> None:
    translate({"Ferryman": "Passeur"})
    assert "P004" not in run("language", "check").output
    edit(Path("xml/Factions/RW_cards.xml"), 'name="Ferryman"', 'name="Ferrywoman"')
    for _ in range(2):  # found, then known
        output = run("language", "check").output
        assert "the game has no text `Ferryman`" in output
        assert "the catalog lacks 1 text, such as `Ferrywoman`" in output
    run("language", "update")
    output = run("language", "check").output
    assert "P004" not in output
    assert "P007" not in output


def spoil(content: bytes) -> None:
    FRENCH.parent.mkdir(exist_ok=True)
    FRENCH.write_bytes(content)


@pytest.mark.corpus(3)
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"#" * 20_000_001, "fr.po: error P001: it cannot be read: it is too large"),
        (
            HEADER.encode() + b"".join(b'msgid "%d"\nmsgstr ""\n\n' % n for n in range(100_001)),
            "fr.po: error P001: it has 100,002 entries, more than 100,000",
        ),
        (b'msgid "a"\nmsgstr "caf\xe9"\n', "fr.po:2:1: error P001: it is not in utf-8"),
        (
            b'msgid "a"\nmsgstr "caf\\"\n',
            "fr.po:2:1: error P001: a text has no closing quotation mark",
        ),
        (b"other.po", "fr.po:1:1: error P001: this is not valid in a PO file"),
    ],
    ids=["too large", "too many", "another encoding", "no closing mark", "name of a file"],
)
def test_a_catalog_that_cannot_be_used_is_told(
    run: Run, command: tuple[str, ...], content: bytes, said: str
) -> None:
    Path("other.po").write_text(HEADER, "utf-8")
    spoil(content)
    result = run(*command)
    assert result.exit_code == 1
    assert said in result.output


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_catalog_that_is_a_link_to_elsewhere_is_not_read(
    run: Run, command: tuple[str, ...], tmp_path: Path
) -> None:
    FRENCH.parent.mkdir()
    (tmp_path / "secret").write_text("root:x:0", "utf-8")
    FRENCH.symlink_to(tmp_path / "secret")
    result = run(*command)
    assert result.exit_code == 1
    assert "fr.po: error X007" in result.output
    assert "root" not in result.output


@pytest.mark.usefixtures("small")
def test_a_catalog_in_latin_1_becomes_one_in_utf_8(run: Run) -> None:
    header = HEADER.replace("UTF-8", "ISO-8859-1")
    entry = 'msgctxt "card/RW:RW2/name"\nmsgid "Ferryman"\nmsgstr "Café"\n'
    spoil((header + entry).encode("latin-1"))
    assert run("deck", "river", "-q", "--language", "fr").exit_code == 0
    assert "Café" in " ".join(page_texts(Path("out/fr/deck_river.pdf")))
    assert run("language", "update").exit_code == 0
    once = FRENCH.read_bytes()
    assert "charset=UTF-8" in once.decode()
    assert entry_of("card/RW:RW2/name").msgstr == "Café"
    assert run("language", "update").exit_code == 0
    assert FRENCH.read_bytes() == once


def test_the_locale_of_the_process_changes_no_print(french: Path) -> None:
    translate({"Ferryman": "Passeur de l'île incroyable"})
    prints = []
    for locale in ("C", "tr_TR.UTF-8"):
        command = ("--no-cache", "deck", "river", "-q", "--language", "fr", "-o", f"{locale}.pdf")
        assert run_program(*command, cwd=french, LANG=locale, LC_ALL=locale).returncode == 0
        prints.append(Path(f"{locale}.pdf").read_bytes())
        with pikepdf.open(f"{locale}.pdf") as document:
            assert document.Root.Lang == "fr"
    assert prints[0] == prints[1]


def test_limits_per_field_have_the_name_of_the_field(small: Path) -> None:
    edit(
        SETUP,
        'name="level" type="term" of="levels" text="Level"',
        'name="level" type="term" of="levels" text="Rank"',
    )
    setup = load_all(small).setup
    limit = setup.limits[0]._replace(min=None, max=2, exactly=None, per="level", own_faction=False)
    assert describe_bounds(WORDS, limit, setup) == "at most 2 of each Rank"
    assert describe_bounds(WORDS, limit) == "at most 2 of each level"
