"""Texts that no face prints are told, and what was found by the layout is remembered."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.base.findings import Grading, Location, Severity
from deckwright.checking import layout_check, sandbox
from deckwright.checking.layout_check import LayoutResult
from deckwright.checking.whole_layout import L017
from examples_of_codes import EXAMPLES, lay_over

pytestmark = pytest.mark.child

TEMPLATE = Path("templates/card.xml")
CARDS = Path("xml/Factions/RW_cards.xml")
WELL = "17 cards and decks checked, no problems found (1 info)"


@pytest.fixture
def game(small: Path) -> Path:
    """A game with a text that has no room on the one face of its card."""
    lay_over(small, EXAMPLES / "L017" / "bad")
    return small


def in_style(name: str, old: str, new: str) -> None:
    folder = TEMPLATE.parent / name
    folder.mkdir()
    (folder / TEMPLATE.name).write_text(TEMPLATE.read_text("utf-8").replace(old, new), "utf-8")


@pytest.mark.usefixtures("game")
def test_infos_are_told_and_no_problem(run: Run) -> None:
    result = run("check")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, WELL)
    assert f"{CARDS}:8:95: info L017: the field `cardclass` of card `RW2` has" in result.stderr
    assert "1 info" not in result.stderr
    assert run("check", "--strict").stdout == result.stdout
    summary, _ = run("check", "--games", ".").stdout.splitlines()
    assert summary.endswith(", no problems, 1 info")


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("json", '"severity": "info"'),
        ("github", "::notice title=L017"),
        ("sarif", '"level": "note"'),
        ("junit", 'failures="0"'),
    ],
)
def test_reports_have_infos(run: Run, form: str, said: str) -> None:
    result = run("check", "--format", form)
    assert said in result.stdout
    assert (result.exit_code, result.stderr) == (0, "1 info\n")
    if form == "json":
        found = json.loads(result.stdout)
        assert (found["errors"], found["warnings"], found["infos"]) == (0, 0, 1)


@pytest.mark.usefixtures("game")
def test_infos_stand_last_among_the_numbers(run: Run) -> None:
    edit(Path("xml/rules.xml"), 'River="Whistle"', 'River="Whistle" Nobody="Whistle"')
    assert run("check").stderr.splitlines()[-1] == "1 warning and 1 info"


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize(
    ("old", "new", "exit_code", "said"),
    [
        ("", "", 0, "info L017"),  # no style has more room
        ('height="4"', 'height="9"', 0, ""),  # one has
        ("{{ card.cardclass }}", "", 0, "info L017"),  # one does not offer it
        ('height="5"', 'height="1"', 1, "error L001"),  # then some faces are missing
    ],
)
def test_a_text_is_told_that_no_style_prints(
    run: Run, old: str, new: str, exit_code: int, said: str
) -> None:
    in_style("other", old, new)
    result = run("check")
    assert result.exit_code == exit_code
    assert result.stderr.count("L017") == (said == "info L017")
    assert said in result.stderr


@pytest.mark.usefixtures("game")
def test_a_text_that_another_face_of_the_card_prints_is_printed(run: Run) -> None:
    edit(Path("xml/game.xml"), 'tag="card" ', 'tag="card" parts="actions" ')
    shown = '<text when="card.part == 2" x="5" y="84" width="55" height="5" font-size="5pt">'
    edit(TEMPLATE, "</face>", f"{shown}{{{{ card.cardclass }}}}</text></face>")
    edit(CARDS, 'strength="3" actions="1"', 'strength="3" actions="2"')
    assert "L017" not in run("check").stderr
    edit(CARDS, 'strength="3" actions="2"', 'strength="3" actions="1"')
    assert "L017" in run("check").stderr


@pytest.mark.parametrize("severity", ["error", "warning", "off"])
def test_a_game_grades_its_infos(run: Run, game: Path, severity: str) -> None:
    graded = f'<severities><severity code="L017" is="{severity}"/></severities>\n</game>'
    edit(game / "xml" / "game.xml", "</game>", graded)
    result = run("check")
    assert result.exit_code == (severity == "error")
    assert (f"{severity} L017" in result.stderr) == (severity != "off")


def test_strict_leaves_infos_alone() -> None:
    found = [L017.at(None, "it is never printed")]
    (info,) = Grading(strict=True).apply(found)
    assert info.severity is Severity.INFO
    (graded,) = Grading(strict=True, severities={"L017": Severity.WARNING}).apply(found)
    assert graded.severity is Severity.ERROR


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows by one whenever a game is laid out."""
    calls: list[object] = []
    really: Callable[..., object] = sandbox.run_sandboxed

    def sandboxed(*given: object) -> object:
        calls.append(given)
        return really(*given)

    monkeypatch.setattr(layout_check, "run_sandboxed", sandboxed)
    return calls


@pytest.mark.usefixtures("game")
def test_what_was_found_is_remembered(run: Run, counted: list[object]) -> None:
    edit(TEMPLATE, 'fill="#595249">{{ card.card', 'fill="#ddd">{{ card.card')
    first = run("check")
    assert "warning L003" in first.stderr
    assert "info L017" in first.stderr
    again = run("check")
    assert (again.stderr, again.stdout) == (first.stderr, first.stdout)
    assert len(counted) == 1
    edit(CARDS, "that still crosses at night", "")
    assert "L017" not in run("check").stderr
    assert len(counted) == 2


@pytest.mark.usefixtures("game")
def test_errors_are_looked_for_again(run: Run, counted: list[object]) -> None:
    edit(
        TEMPLATE,
        '<text x="5" y="5" width="46" height="9"',
        '<text x="5" y="5" width="4" height="1"',
    )
    assert "L001" in run("check").stderr
    assert "L001" in run("check").stderr
    assert len(counted) == 2


def test_findings_are_remembered_as_they_are() -> None:
    place = Location(Path("xml/a \udcff.xml"), 3, 9, "Tab")
    findings = [
        L017.at(place, "one", "a hint"),
        L017.at(None, "two")._replace(given_severity=Severity.WARNING),
    ]
    for laid_out in (LayoutResult("5 mm", findings), LayoutResult(None, [])):
        assert LayoutResult.decode(laid_out.encode().encode()) == laid_out


@pytest.mark.parametrize(
    "content",
    [
        "5 mm",
        "[1, []]",
        '[null, [["L999", null, "it", null, null]]]',
        '[null, [["L017", null, 5, null, null]]]',
        '[null, [["L017", ["a.xml", "x", 1, ""], "it", null, null]]]',
        '[null, [["L017", null, "it", null, "fatal"]]]',
        '[null, [["L017", null, "it"]]]',
    ],
)
def test_what_is_no_list_of_findings_is_none(content: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        LayoutResult.decode(content.encode())
