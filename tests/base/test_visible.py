"""Names of files and values steer neither a terminal nor a CI, whatever command prints them."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from unicodedata import bidirectional, category
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Run
from deckwright.base.strings import dump_safe_json, sanitize_line
from deckwright.cli import terminal
from deckwright.cli import terminal as terminal_module
from hostile import run_bounded as in_child
from support import card, line, run_program, token_rule, write_game

STEERING = {"Cc", "Cs", "Zl", "Zp"}
"""Categories of Unicode that may not be printed: controls, halves of characters, separators."""
TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""And what turns the direction of what follows."""

HOSTILE = (
    "::error::forged",
    " ::warning file=x::forged",
    "a\n::error::forged",
    "a\r::set-env name=PATH::forged",
    "a\n##[error]forged",
    "##[add-matcher]x",
    "a ##vso[task.setvariable variable=x]",
    "###[group]x",
    "a\x1b[31mred\x1b]0;title\x07",
    "a\x9b31m\x85::error::forged",
    "a\u2028::error::forged",
    "a\u202e\u2066b",
)
IN_XML = tuple(text for text in HOSTILE if not re.search("[\x00-\x08\x0b-\x1f]", text))


def harmless(text: str, *, commands: bool = False) -> bool:
    """Return whether a text only shows; `commands` are the github reporter's own lines."""
    for char in set(text) - {"\n", "\t"}:
        assert category(char) not in STEERING, ascii(text)
        assert bidirectional(char) not in TURNING, ascii(text)
    assert "##[" not in text
    assert not re.search(r"##\w+\[", text)
    for row in text.split("\n"):
        if row.lstrip().startswith("::"):
            assert commands, row
            assert re.match(r"::(error|warning) title=[A-Z]\d{3}%3A [^:]*::(?!:)", row), row
    return True


def escaped(text: str) -> str:
    """Return a text as an attribute of XML holds it."""
    return "".join(f"&#{ord(char)};" if char in '<>&"\n\r\t' else char for char in text)


@given(st.text())
def test_every_text_becomes_one_harmless_line(text: str) -> None:
    shown = sanitize_line(text)
    assert harmless(shown)
    assert "\n" not in shown
    assert sanitize_line(shown) == shown


@given(st.text(alphabet="abcäöü ß„“–…\tא‎ב🂡‍\u200d\xa0", min_size=1))
def test_what_only_shows_stays(text: str) -> None:
    assert sanitize_line(text) == text


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_is_harmless_and_loses_nothing(value: object) -> None:
    text = dump_safe_json(value)
    assert harmless(text)
    assert json.loads(text) == value


@pytest.mark.corpus(5)
@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
@pytest.mark.parametrize("name", HOSTILE)
def test_no_report_speaks_to_the_ci(tmp_path: Path, run: Run, form: str, name: str) -> None:
    """The names of a folder, a file, an attribute, its value, and a line that is shown."""
    folder = tmp_path / name
    unknown = f'<card id="A1" name="{escaped(name)}" faction_id="{escaped(name)}" ##[error]x="1"/>'
    wrong = f'<card faction_id="AA" id="A1" amount="{escaped(name)}"/>'
    write_game(folder, [], decks={name: [wrong], "other": [unknown]})
    (folder / "xml/Factions/AA_cards.xml").write_text(
        f'<data><card id="{escaped(sanitize_line(name))}" name="##[error]x" '
        f'faction_id="{sanitize_line(name)}" '
        'level="x"/></data>'.replace("&", "&amp;"),
        encoding="utf-8",
    )
    result = run("check", "--game", str(folder), "--format", form)
    assert result.exit_code == 1
    assert harmless(result.stdout, commands=form == "github")
    assert harmless(result.stderr)
    if form == "json":
        paths = {found["file"] for found in json.loads(result.stdout)["findings"]}
        assert str(folder / "xml" / "Decks" / f"{name}.xml") in paths
    if form == "junit":
        assert ET.fromstring(result.stdout).findall(".//failure")


@pytest.fixture(params=IN_XML, ids=ascii)
def hostile(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game all of whose names are hostile, as the working folder; returns the name."""
    name: str = request.param
    folder, text = tmp_path / name, escaped(name)
    write_game(
        folder,
        [card("A1", text, "AA", '<rule id="call"/>'), card("G1", text, "GG")],
        rules=[token_rule("call", text).replace("Create a", text)],
        decks={name: [line("A1", 3), line("G1")]},
        limits=f'<limit id="size" name="{text}" zone="main" min="9"/>',
    )
    for path in folder.glob("xml/**/*.xml"):
        written = path.read_text("utf-8")
        for old in ("Deck", "Low", "Ants", "Hill", "Main", "Card", "Token", "Test"):
            written = written.replace(f'name="{old}"', f'name="{text}"')
        path.write_text(written, encoding="utf-8")
    marker = f'<marker id="m" color="teal" label="{text}" name="{text}" size="20" count="2"/>'
    markers = f'<markers face="card.xml">{marker}</markers></game>'
    game = folder / "xml" / "game.xml"
    game.write_text(game.read_text("utf-8").replace("</game>", markers), encoding="utf-8")
    book = f'<rulebook title="{text}"><chapter title="{text}"><p>x</p></chapter></rulebook>'
    (folder / "xml" / "rulebook.xml").write_text(book, encoding="utf-8")
    monkeypatch.chdir(folder)
    return name


@pytest.mark.corpus(5)
def test_no_command_speaks_to_the_ci(hostile: str, run: Run) -> None:
    said = ""
    for command in (
        "build --ignore-limits",
        "deck NAME --ignore-limits",
        "tokens NAME",
        "markers",
        "overview",
        "rulebook",
        "stats NAME",
        "hand NAME --hand 2 --out hand.png",
        "hand NAME --hand 2 --format json",
        "tuckbox NAME",
        "proof",
        "fmt --check",
        "fmt --diff",
        "export tts NAME --ignore-limits",
        "export cockatrice",
        "export csv",
        "export xlsx",
        "export svg",
        "export mpc NAME --ignore-limits",
        "import xlsx out/cards.xlsx --delete",
        "calibrate --out NAME.pdf",
        "schema",
        "diff .",
    ):
        arguments = [part.replace("NAME", hostile) for part in command.split(" ")]
        result = run(*arguments)
        assert harmless(result.stdout), command
        assert harmless(result.stderr), command
        assert result.exit_code in {0, 1}, (command, result.output)
        said += result.output
    assert sanitize_line(hostile).lstrip() in said


def test_what_an_import_changes_is_told_harmlessly(hostile: str, run: Run) -> None:
    run("export", "csv")
    table = Path("out/csv/card.csv")
    table.write_text(table.read_text("utf-8-sig").replace("A1", "A2"), encoding="utf-8")
    result = run("import", "csv", str(table), "--delete", "--ignore-limits", "--dry-run")
    assert harmless(result.output)
    assert "forged" in result.output or sanitize_line(hostile) in result.output


def test_changes_are_told_harmlessly(hostile: str, run: Run) -> None:
    shutil.copytree(".", "../other")
    other = Path("../other/xml/Factions/AA_cards.xml")
    other.write_text(other.read_text("utf-8").replace('level="1"', 'level="2"'), encoding="utf-8")
    for form in ("text", "json"):
        result = run("diff", "../other", ".", "--format", form, "--no-pdf")
        assert harmless(result.output)
    changed = json.loads(result.stdout)["changes"]
    assert changed[0]["name"].split() == hostile.split()


WRONG = [
    "NAME", "deck NAME", "check NAME", "check --game NAME", "new x --like NAME", "explain NAME",
    "fmt NAME", "diff NAME", "check --select NAME", "deck d --limit NAME", "import csv NAME",
]  # fmt: skip


@pytest.mark.corpus(5)
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("command", WRONG)
def test_wrong_usage_is_told_harmlessly(tmp_path: Path, name: str, command: str) -> None:
    write_game(tmp_path, [])
    outcome = in_child(*(part.replace("NAME", name) for part in command.split(" ")), cwd=tmp_path)
    assert outcome.code in {1, 2, 3}
    assert outcome.said
    assert harmless(outcome.said)


@pytest.mark.parametrize("command", WRONG)
def test_a_program_of_its_own_says_nothing_else_anywhere(tmp_path: Path, command: str) -> None:
    write_game(tmp_path, [])
    done = run_program(*command.replace("NAME", "::error::forged").split(" "), cwd=tmp_path)
    assert done.returncode in {1, 2, 3}
    assert harmless(done.stdout + done.stderr)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode elsewhere")
@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
def test_names_that_are_not_utf_8_are_told(tmp_path: Path, run: Run, form: str) -> None:
    folder = write_game(tmp_path, [])
    deck = os.fsdecode(b"caf\xe9 \xc3\xa9.xml")
    (folder / "xml" / "Decks").mkdir()
    (folder / "xml" / "Decks" / deck).write_text("<data>", encoding="utf-8")
    result = run("check", "--game", str(folder), "--format", form)
    assert result.exit_code == 1
    assert harmless(result.output, commands=form == "github")
    if form == "sarif":
        found = json.loads(result.stdout)["runs"][0]["results"][-1]
        place = found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert place.endswith("/caf%E9%20%C3%A9.xml")
    else:
        assert ("caf\\\\xe9 é" if form == "json" else "caf\\xe9 é") in result.output


def test_commands_say_nothing_by_other_ways() -> None:
    """What is printed goes through `cli/terminal.py`; the bar has its own line of the terminal."""
    source = Path(terminal.__file__).parent.parent
    others = {
        path.name
        for path in source.rglob("*.py")
        if path not in {Path(terminal.__file__), Path(terminal_module.__file__)}
        and re.search(
            r"click\.s?echo|(?<!def )(?<!\.)\bprint\(|std(?:out|err)\.write",
            path.read_text("utf-8"),
        )
    }
    assert others == set()
