from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from conftest import ROOT, Run, edit
from deckwright.base.findings import Report
from deckwright.checks.counting import DeckRules, assign_zones
from deckwright.checks.limits import check_limits, resolve_deck_rules
from support import card, line, load_all, load_deck, write_game

CARDS = [
    card("A1", "Scout", level=1, costs=2),
    card("A2", "Scout", level=1, costs=3),
    card("A3", "Queen", level=2, costs=9),
    card("A4", "Drone", level=2, costs=4),
    card("B1", "Stinger", "BB", level=1, costs=5),
    card("G1", "Pilgrim", "GG", level=1, costs=50),
]


def write(folder: Path, limits: str, *lines: str) -> Path:
    return write_game(folder, CARDS, decks={"deck": list(lines)}, limits=limits)


def findings(folder: Path, limits: str, *lines: str, form: str | None = None) -> Report:
    """Return what is found in a deck of these lines by these limits."""
    write(folder, limits, *lines)
    game = load_all(folder)
    deck = load_deck(folder, game, "deck")
    report: Report = []
    check_limits(game, deck, resolve_deck_rules(game, deck, form, {}), report)
    return report


def codes(report: Report) -> list[tuple[str, int]]:
    """Return codes and lines; a deck's meta is its second line, its first card the third."""
    return [(f.code.id, f.location.line) for f in report if f.location is not None]


def limit(zone: str = "main", **attributes: str | int) -> str:
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f'<limit id="x" name="things" zone="{zone}" {written}/>'


@pytest.mark.parametrize(
    ("bound", "amount", "expected"),
    [
        ({"min": "3"}, 3, []),
        ({"min": "3"}, 2, [("D001", 2)]),
        ({"max": "3"}, 3, []),
        ({"max": "3"}, 4, [("D004", 4)]),
        ({"exactly": "3"}, 3, []),
        ({"exactly": "3"}, 2, [("D006", 2)]),
        ({"exactly": "3"}, 4, [("D006", 4)]),
        ({"min": "2", "max": "3"}, 3, []),
        ({"min": "2", "max": "3"}, 1, [("D001", 2)]),
        ({"min": "2", "max": "3"}, 4, [("D004", 4)]),
        ({"max": "0"}, 1, [("D004", 4)]),
    ],
)
def test_the_number_of_copies_is_limited(
    tmp_path: Path, bound: dict[str, str], amount: int, expected: list[tuple[str, int]]
) -> None:
    # Cards of the other zone are not counted.
    report = findings(tmp_path, limit(**bound), line("G1", 9), line("A1", amount))
    assert codes(report) == expected


def test_a_minimum_is_not_met_by_no_cards_at_all(tmp_path: Path) -> None:
    assert codes(findings(tmp_path, limit(min=1))) == [("D001", 2)]
    assert codes(findings(tmp_path, limit(zone="side", exactly=1))) == [("D006", 2)]
    assert codes(findings(tmp_path, limit(zone="side", exactly=0))) == []


def test_a_sum_counts_every_copy(tmp_path: Path) -> None:
    lines = [line("A1", 3), line("A3", 1), line("G1", 1)]  # 3 · 2 + 9
    assert codes(findings(tmp_path, limit(sum="costs", max=15), *lines)) == []
    assert codes(findings(tmp_path, limit(sum="costs", max=14), *lines)) == [("D003", 2)]
    assert codes(findings(tmp_path, limit(sum="costs", min=15), *lines)) == []
    assert codes(findings(tmp_path, limit(sum="costs", min=16), *lines)) == [("D007", 2)]


def numbers(text: str | None) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text or "")]


def test_a_finding_says_both_values_and_what_to_do(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, limit(sum="costs", max=14), line("A1", 3), line("A3", 1))
    assert numbers(finding.message) == [15, 14]
    assert "Main" in finding.message
    assert "things" in finding.message
    assert numbers(finding.hint) == [1, 15]
    (finding,) = findings(tmp_path, limit(min=5), line("A1", 3))
    assert numbers(finding.message) == [3, 5]
    assert numbers(finding.hint) == [2, 3]


def test_two_ids_with_one_name_are_one_card(tmp_path: Path) -> None:
    lines = [line("A1", 2), line("A3", 3), line("A2", 2)]
    assert codes(findings(tmp_path, limit(per="name", max=4), *lines)) == []
    (finding,) = findings(tmp_path, limit(per="name", max=3), *lines)
    assert finding.code.id == "D002"
    assert "`Scout`" in finding.message
    assert codes([finding]) == [("D002", 5)]


def test_one_card_on_two_lines_is_counted_together(tmp_path: Path) -> None:
    report = findings(tmp_path, limit(per="id", max=3), line("A1", 2), line("A1", 2))
    assert codes(report) == [("D002", 4)]


def test_cards_of_two_ids_are_apart_if_counted_by_id(tmp_path: Path) -> None:
    lines = [line("A1", 2), line("A2", 2)]
    assert codes(findings(tmp_path, limit(per="id", max=3), *lines)) == []


@pytest.mark.parametrize(
    ("where", "counted"),
    [
        ("level=2", 3),
        ("level = 2", 3),
        ("level!=2", 4),
        ("costs>4", 1),
        ("costs<4", 4),
        ("costs>=4", 3),
        ("costs<3", 4),
        ("costs<=4", 6),
        ("level=2 and costs>4", 1),
        ("name=Scout", 4),
        ("name!=Scout and level=2", 3),
        ("id=A4", 2),
        ("faction_id=AA", 7),
        ("name>3", 0),
        ("level=1 or costs>4", 5),
        ("level=2 and costs>4 or id=A1", 5),
        ("id=A1 or level=2 and costs>4", 5),
        ("id='A4'", 2),
        ("name='Scout'", 4),
        ("name='Scout' or id=&quot;A4&quot;", 6),
        ("name='Scout or level=2'", 0),
        ("image=''", 7),
    ],
)
def test_a_limit_counts_only_where_its_conditions_hold(
    tmp_path: Path, where: str, counted: int
) -> None:
    escaped = where.replace("<", "&lt;")
    lines = [line("A1", 4), line("A3", 1), line("A4", 2)]
    assert findings(tmp_path, limit(where=escaped, exactly=counted), *lines) == []
    (finding,) = findings(tmp_path, limit(where=escaped, exactly=counted + 1), *lines)
    assert numbers(finding.message) == [counted, counted + 1]


def test_a_zone_may_be_of_the_own_faction_only(tmp_path: Path) -> None:
    report = findings(tmp_path, limit(faction="own"), line("A1"), line("B1"), line("G1"))
    assert codes(report) == [("D005", 4)]


def test_a_limit_may_be_a_warning(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, limit(max=1, severity="warning"), line("A1", 2))
    assert (finding.code.id, finding.severity.value) == ("D009", "warning")


def test_every_broken_limit_is_reported(tmp_path: Path) -> None:
    limits = limit(min=9) + limit(sum="costs", max=1).replace('"x"', '"y"')
    limits += limit(per="name", max=1).replace('"x"', '"z"')
    report = findings(tmp_path, limits, line("A1", 2), line("A4", 2))
    assert [finding.code.id for finding in report] == ["D001", "D003", "D002", "D002"]


FORMATS = """
  <limit id="size" name="cards" zone="main" min="5"/>
  <limit id="costs" name="costs" zone="main" sum="costs" max="10"/>
  <limit id="own" name="faction" zone="main" faction="own"/>
  <format id="standard" name="Standard" default="true"/>
  <format id="short" name="Short"><set limit="size" value="2"/></format>
  <format id="free" name="Free">
    <set limit="size" value="off"/>
    <set limit="own" value="off"/>
  </format>
"""
SHORT = [line("A1", 2)]


def test_the_default_format_holds_for_a_deck_that_names_none(tmp_path: Path) -> None:
    assert codes(findings(tmp_path, FORMATS, *SHORT)) == [("D001", 2)]


def test_a_format_changes_limits_and_switches_them_off(tmp_path: Path) -> None:
    assert findings(tmp_path, FORMATS, *SHORT, form="short") == []
    assert codes(findings(tmp_path, FORMATS, line("B1"), form="short")) == [
        ("D001", 2),
        ("D005", 3),
    ]
    assert findings(tmp_path, FORMATS, line("B1"), form="free") == []


def test_a_deck_names_its_format_and_another_may_be_chosen(tmp_path: Path) -> None:
    write(tmp_path, FORMATS, *SHORT)
    path = tmp_path / "xml" / "Decks" / "deck.xml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("<meta ", '<meta format="short" '), encoding="utf-8")
    game = load_all(tmp_path)
    deck = load_deck(tmp_path, game, "deck")
    sizes = {
        form: [
            limit.min
            for limit in resolve_deck_rules(game, deck, form, {}).limits
            if limit.id == "size"
        ]
        for form in (None, "standard", "free")
    }
    assert sizes == {None: [2], "standard": [5], "free": []}


def test_the_zones_of_a_deck_come_in_the_order_of_the_game(tmp_path: Path) -> None:
    write(tmp_path, "", line("A3"), line("G1"), line("A1"), line("B1"))
    game = load_all(tmp_path)
    lines = assign_zones(game, load_deck(tmp_path, game, "deck"))
    assert [item.card.id for item in lines] == ["A3", "A1", "B1", "G1"]
    assert [item.zone.id for item in lines if item.zone] == ["main", "main", "main", "side"]


def test_a_card_that_no_zone_admits_is_reported(tmp_path: Path) -> None:
    write(tmp_path, "", line("A1"), line("G1"))
    path = tmp_path / "xml" / "game.xml"
    zone = '<zone id="side" name="Side" only="guests"/>'
    path.write_text(path.read_text(encoding="utf-8").replace(zone, ""), encoding="utf-8")
    game = load_all(tmp_path)
    report: Report = []
    check_limits(game, load_deck(tmp_path, game, "deck"), DeckRules(), report)
    assert codes(report) == [("D008", 4)]


@pytest.fixture
def short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game, as the working folder, whose deck has two cards where five are the fewest."""
    monkeypatch.chdir(write(tmp_path, FORMATS, *SHORT))
    return tmp_path


@pytest.mark.parametrize(
    "options",
    [
        ["--limits", "short"],
        ["--limits", "free"],
        ["--limit", "size=2"],
        ["--limit", "size=off"],
        ["--limit", "size=0", "--limit", "costs=4"],
        ["--limits", "short", "--limit", "costs=off"],
        ["--ignore-limits"],
    ],
)
@pytest.mark.parametrize("command", ["check", "deck"])
def test_limits_are_changed_on_the_command_line(
    short: Path, run: Run, command: str, options: list[str]
) -> None:
    assert run(command, "deck").exit_code == 1
    assert not (short / "out").exists()
    result = run(command, "deck", *options)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    "options",
    [["--limit", "size=3"], ["--limit", "costs=3"], ["--limits", "short", "--limit", "size=6"]],
)
def test_a_changed_limit_still_holds(short: Path, run: Run, options: list[str]) -> None:
    assert run("deck", "deck", *options).exit_code == 1
    assert not (short / "out").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--limits", "shrot"], "did you mean `short`?"),
        (["--limit", "sise=3"], "did you mean `size`?"),
        (["--limit", "size"], "ID=NUMBER"),
        (["--limit", "size=many"], "ID=NUMBER"),
        (["--limit", "size=-1"], "ID=NUMBER"),
        (["--limit", "size="], "ID=NUMBER"),
        (["--limit", "own=3"], "--limit own=off"),
    ],
)
@pytest.mark.usefixtures("short")
def test_an_option_that_names_no_limit_is_wrong_usage(
    run: Run, options: list[str], message: str
) -> None:
    result = run("deck", "deck", *options)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.usefixtures("short")
def test_a_limit_without_a_number_can_be_switched_off(run: Run) -> None:
    assert run("deck", "deck", "--limit", "own=off", "--limit", "size=off").exit_code == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<set limit="size" value="2"/>', '<set limit="own" value="2"/>'),
        ('zone="main" min="5"', 'zone="main" min="5" max="4"'),
    ],
)
def test_limits_that_contradict_themselves_are_reported(
    short: Path, run: Run, old: str, new: str
) -> None:
    path = short / "xml" / "game.xml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    result = run("check", "--limits", "short")
    assert result.exit_code == 1
    assert "game.xml" in result.stderr


def test_a_deck_of_a_game_without_formats_cannot_ask_for_one(short: Path, run: Run) -> None:
    game = short / "xml" / "game.xml"
    text = game.read_text(encoding="utf-8")
    game.write_text(text[: text.index("<format ")] + "</deck></game>", encoding="utf-8")
    deck = short / "xml" / "Decks" / "deck.xml"
    text = deck.read_text(encoding="utf-8")
    deck.write_text(text.replace("<meta ", '<meta format="casual" '), encoding="utf-8")
    result = run("deck", "deck")
    assert result.exit_code == 1
    assert " R016: " in result.stderr


BAN = limit(where="level=2", max=0, decks="AA")


def test_a_limit_may_hold_for_the_decks_of_some_factions(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, BAN, line("A3"))
    assert codes([finding]) == [("D004", 3)]
    assert "none" in finding.message
    assert findings(tmp_path, BAN.replace('"AA"', '"BB, GG"'), line("A3")) == []


def test_a_blue_deck_of_duel_holds_no_red_waves(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples" / "duel", tmp_path / "duel")
    monkeypatch.chdir(tmp_path / "duel")
    deck = Path("xml/Decks/blue.xml")
    assert run("check", "blue").exit_code == 0
    edit(deck, 'faction_id="blue" id="first-wave"', 'faction_id="red" id="first-wave"')
    result = run("check", "blue")
    assert result.exit_code == 1
    assert " D005: " in result.stderr


@pytest.mark.parametrize(("amount", "value"), [(1, "off"), (4, "4")])
def test_what_a_hint_allows_is_allowed(tmp_path: Path, run: Run, amount: int, value: str) -> None:
    """One number changes one bound, the upper one where there are two."""
    (finding,) = findings(tmp_path, limit(min=2, max=3), line("A1", amount))
    change = f"--limit x={value}"
    assert finding.hint is not None
    assert change in finding.hint
    assert run("check", "-g", str(tmp_path), "deck", *change.split()).exit_code == 0
