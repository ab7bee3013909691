"""Findings as reports for programs, and which of them count."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from sarif_pydantic import Sarif

from conftest import Run, edit
from deckwright.base.findings import REGISTRY, register_all_codes
from deckwright.cli.reporters import reporter, reporters
from examples_of_codes import EXAMPLES

register_all_codes()
CARDS = Path("xml/Factions/RW_cards.xml")


@pytest.fixture
def broken(small: Path) -> Path:
    """The small game with two errors, in lines 5 and 18, and a warning."""
    edit(CARDS, '<row name="RANGED"/>\n    <rule id="rp002"/>', '<row name="RANGD"/>')
    edit(CARDS, '<rule id="ra002"/>', '<rule id="ra0002"/>')
    rules = small / "xml" / "rules.xml"
    edit(rules, 'River="Whistle"', 'River="Whistle" Nobody="Whistle"')
    return small


@pytest.mark.usefixtures("broken")
def test_json_has_every_finding_with_its_place(run: Run) -> None:
    edit(CARDS, "RANGD", "RANGED")
    result = run("check", "--format", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert (found["version"], found["errors"], found["warnings"]) == (1, 1, 1)
    error, warning = found["findings"]
    assert (error["code"], error["file"], error["severity"]) == ("R003", CARDS.as_posix(), "error")
    line = CARDS.read_text(encoding="utf-8").splitlines()[error["line"] - 1]
    assert line[error["column"] - 1 :].startswith('id="ra0002"')
    assert error["hint"] == "did you mean `ra002`?"
    assert (warning["code"], warning["severity"]) == ("R015", "warning")
    assert "xml/game.xml" in found["files"]
    assert result.stderr == "1 error and 1 warning\n"


@pytest.mark.usefixtures("broken")
def test_github_gets_a_command_for_each_finding(run: Run) -> None:
    lines = run("check", "--format", "github").stdout.splitlines()
    assert lines[0] == (
        "::error title=R004%3A a term%2C such as a row%2C that the game does not have,"
        "file=xml/Factions/RW_cards.xml,line=5,col=10::the game has no row `RANGD`%0A"
        "did you mean `RANGED`?"
    )
    assert [line.partition("%3A")[0] for line in lines[1:]] == [
        "::error title=R003",
        "::warning title=R015",
    ]


@pytest.mark.usefixtures("broken")
def test_sarif_is_as_its_schema_has_it(run: Run) -> None:
    edit(CARDS, "RANGD", "RANGED")
    log = Sarif.model_validate_json(run("check", "--format", "sarif").stdout)
    (whole,) = log.runs
    assert log.version == "2.1.0"
    assert [rule.id for rule in whole.tool.driver.rules or []] == ["R003", "R015"]
    levels = [(result.rule_id, result.level) for result in whole.results or []]
    assert [(name, getattr(level, "value", level)) for name, level in levels] == [
        ("R003", "error"),
        ("R015", "warning"),
    ]


@pytest.mark.usefixtures("broken")
def test_junit_has_a_case_for_each_file(run: Run) -> None:
    root = ET.fromstring(run("check", "--format", "junit").stdout)
    cases = {case.get("name"): case for case in root.iter("testcase")}
    decks = {path.as_posix() for path in Path("xml/Decks").glob("*.xml")}
    assert set(cases) > decks | {"xml/game.xml", "xml/rules.xml"}
    failed = [name for name, case in cases.items() if case.find("failure") is not None]
    assert failed == [CARDS.as_posix()]
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == (str(len(cases)), "1")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["json", "github", "sarif", "junit"])
def test_a_clean_game_has_an_empty_report(run: Run, name: str) -> None:
    result = run("check", "--format", name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "error" not in result.stdout.replace('"errors": 0', "")


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    ("options", "codes", "exit_code"),
    [
        ((), {"R003", "R015"}, 1),
        (("--select", "R015"), {"R015"}, 0),
        (("--select", "R"), {"R003", "R015"}, 1),
        (("--select", "r003,d"), {"R003"}, 1),
        (("--ignore", "R003"), {"R015"}, 0),
        (("--ignore", "R015", "--ignore", "R003"), set(), 0),
        (("--select", "R", "--ignore", "R015"), {"R003"}, 1),
        (("--ignore", "R003", "--strict"), {"R015"}, 1),
        (("--select", "X"), set(), 0),
    ],
)
def test_codes_and_families_are_chosen(
    run: Run, options: tuple[str, ...], codes: set[str], exit_code: int
) -> None:
    edit(CARDS, "RANGD", "RANGED")
    result = run("check", *options)
    assert result.exit_code == exit_code
    assert {code for code in REGISTRY if f" {code}: " in result.stderr} == codes


@pytest.mark.usefixtures("small")
def test_a_code_that_does_not_exist_is_refused(run: Run) -> None:
    result = run("check", "--ignore", "X0077")
    assert result.exit_code == 2
    assert "did you mean `X007`?" in result.stderr
    assert run("check", "--select", "Q").exit_code == 2


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(("severity", "shown", "exit_code"), [
    ("error", "error R015", 1), ("warning", "warning R015", 0), ("info", "info R015", 0),
    ("off", "", 0),
])  # fmt: skip
def test_a_game_grades_its_warnings(run: Run, severity: str, shown: str, exit_code: int) -> None:
    edit(CARDS, "RANGD", "RANGED")
    edit(CARDS, "ra0002", "ra002")
    graded = f'<severities><severity code="R015" is="{severity}"/></severities>\n</game>'
    edit(Path("xml/game.xml"), "</game>", graded)
    result = run("check")
    assert result.exit_code == exit_code
    assert (shown in result.stderr) if shown else (result.stderr == "")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("code", ["R003", "R999"])
def test_errors_stay_errors_and_codes_must_exist(run: Run, code: str) -> None:
    graded = f'<severities><severity code="{code}" is="off"/></severities>\n</game>'
    edit(Path("xml/game.xml"), "</game>", graded)
    result = run("check")
    assert result.exit_code == 1
    assert f"`{code}`" in result.stderr


def test_a_reporter_is_entered_once() -> None:
    assert set(reporters()) == {"text", "json", "github", "sarif", "junit"}
    with pytest.raises(ValueError, match="json"):
        reporter("json")(lambda _: "")


@pytest.mark.parametrize("code", ["R003", "l001", "X001"])
def test_a_code_is_explained_with_its_example(run: Run, code: str) -> None:
    result = run("explain", code)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{code.upper()}: {REGISTRY[code.upper()].title}")
    assert f" {code.upper()}: " in result.stdout.split("\n", 1)[1]
    assert "```" not in result.stdout
    assert REGISTRY[code.upper()].prose in " ".join(result.stdout.split())


def test_all_codes_are_listed_where_none_is_named(run: Run) -> None:
    result = run("explain")
    assert result.exit_code == 0
    listed = re.findall(
        r"^  ([A-Z]\d{3}) (.+) \((error|warning|info)\)$", result.stdout, re.MULTILINE
    )
    assert {(code, title, severity) for code, title, severity in listed} == {
        (code.id, code.title, code.severity.value) for code in REGISTRY.values()
    }
    families = re.findall(r"^\S.*$", result.stdout, re.MULTILINE)
    assert len(families) == len({code[0] for code in REGISTRY})


@pytest.mark.parametrize("code", sorted(REGISTRY))
def test_every_code_is_explained_in_prose(code: str) -> None:
    prose = REGISTRY[code].prose
    written = (EXAMPLES / code / "prose.md").read_text(encoding="utf-8")
    assert prose == " ".join(written.split()), "make docs"
    assert re.fullmatch(r"[A-Z`].{60,400}\.", prose), "two or three whole sentences"
    assert prose.count("`") % 2 == 0
    assert "  " not in prose


def test_an_unknown_code_is_not_explained(run: Run) -> None:
    result = run("explain", "X0077")
    assert result.exit_code == 2
    assert "did you mean `X007`?" in result.stderr


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def tracked(small: Path) -> Path:
    git(small, "init", "-q")
    git(small, "add", "-A")
    git(small, "commit", "-q", "-m", "start")
    return small


def checked(run: Run, revision: str = "HEAD") -> set[str]:
    result = run("check", "--changed-since", revision, "--format", "json")
    return {Path(name).name for name in json.loads(result.stdout)["files"]}


def test_nothing_changed_is_nothing_to_check(tracked: Path, run: Run) -> None:
    assert tracked.is_dir()
    assert checked(run) == set()
    assert run("check", "--changed-since", "HEAD").exit_code == 0


def test_decks_that_use_a_changed_card_are_checked(tracked: Path, run: Run) -> None:
    decks = tracked / "xml" / "Decks"
    users = {path.name for path in decks.glob("*.xml") if '"RW2"' in path.read_text("utf-8")}
    assert users
    edit(tracked / CARDS, 'name="Ferryman"', 'name="Ferrywoman"')
    assert checked(run) == users | {"RW_cards.xml"}


def test_cards_that_name_a_changed_card_are_checked(small: Path, run: Run) -> None:
    field = '<field name="friends" type="list" of="card" optional="true"/>'
    edit(small / "xml/game.xml", '<field name="level"', f'{field}<field name="level"')
    edit(small / "xml/Factions/WF_cards.xml", 'id="WF1"', 'id="WF1" friends="WF2, RW/RW5"')
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "start")):
        git(small, *arguments)
    edit(small / CARDS, 'name="Mother Flood"', 'name="Father Flood"')
    assert {"RW_cards.xml", "WF_cards.xml"} <= checked(run)


def test_cards_that_use_a_changed_rule_are_checked(tracked: Path, run: Run) -> None:
    edit(tracked / "xml" / "rules.xml", 'River="Whistle"', 'River="Flute"')
    found = checked(run)
    assert found >= {"rules.xml", "RW_cards.xml"}
    assert "EC_cards.xml" not in found


def test_the_set_up_concerns_all(tracked: Path, run: Run) -> None:
    template = tracked / "templates" / "card.xml"
    template.write_text(template.read_text("utf-8") + "\n", encoding="utf-8")
    assert len(checked(run)) > 5


def test_a_new_file_is_a_change(tracked: Path, run: Run) -> None:
    first = next((tracked / "xml" / "Decks").glob("*.xml"))
    first.with_name("new.xml").write_text(first.read_text("utf-8"), encoding="utf-8")
    assert checked(run) == {"new.xml"}


@pytest.mark.parametrize("revision", ["nope", "--output=x", ""])
def test_a_revision_that_is_none_is_refused(tracked: Path, run: Run, revision: str) -> None:
    result = run("check", f"--changed-since={revision}")
    assert result.exit_code == 2
    assert "cannot see what has changed" in result.stderr
    assert not (tracked / "x").exists()
