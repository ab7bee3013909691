"""Lists of banned and restricted cards, as the commands know them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import HERE, Run, edit
from repositories import commit, diff_lines, track
from support import card, data, line, load_all, load_deck, write_game

NEW = Path("xml/Restrictions/2026-spring.xml")


@pytest.fixture
def undercity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game, as the working folder, whose newest list bans a card of the deck `whisker`."""
    shutil.copytree(HERE / "games" / "undercity", tmp_path / "game")
    monkeypatch.chdir(tmp_path / "game")
    edit(NEW, 'faction_id="FREE" id="cat"', 'faction_id="RATS" id="gnaw"')
    return tmp_path / "game"


@pytest.mark.usefixtures("undercity")
def test_the_list_of_a_day_is_chosen_by_its_date(run: Run) -> None:
    result = run("check", "whisker")
    assert result.exit_code == 1
    assert "3 banned cards (`gnaw`), none are allowed; by `2026-spring.xml`" in result.stderr
    assert run("check", "whisker", "--date", "2026-02-28").exit_code == 0
    assert run("check", "whisker", "--date", "2025-01-01").exit_code == 0
    assert run("check", "whisker", "--date", "2026-03-01").exit_code == 1
    assert run("check", "whisker", "--limits", "open").exit_code == 0
    assert run("deck", "whisker", "--date", "2026-02-28").exit_code == 0


@pytest.mark.usefixtures("undercity")
@pytest.mark.parametrize("date", ["yesterday", "2026-13-01", "2026-3-1", "01.03.2026", ""])
def test_a_date_that_is_none_is_wrong_usage(run: Run, date: str) -> None:
    result = run("check", "whisker", "--date", date)
    assert result.exit_code == 2
    assert "a day, such as 2026-03-01" in result.stderr


@pytest.mark.usefixtures("undercity")
def test_stats_say_which_list_is_in_force(run: Run) -> None:
    assert "limits (Spring list, 2026-03-01)\n" in run("stats", "whisker").stdout
    lines = run("stats", "whisker").stdout.splitlines()
    assert [row.split() for row in lines if row.startswith("!")] == [
        ["!", "Deck:", "banned", "cards", "3", "none"]
    ]
    older = run("stats", "whisker", "--date", "2026-02-28").stdout
    assert "limits (Autumn list, 2025-09-01)\n" in older
    assert "\n!" not in older
    assert "\nlimits\n" in run("stats", "whisker", "--limits", "open").stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('from="2026-03-01"', 'from="2026-02-32"', "a day, such as 2026-03-01"),
        ('formats="standard"', 'formats="standrad"', "did you mean `standard`?"),
        ('id="gnaw"', 'id="gnwa"', "there is no card `gnwa` in faction `RATS`"),
        ('faction_id="RATS"', 'faction_id="RATZ"', "there is no faction `RATZ`"),
        ('id="wax" is="restricted"', 'id="wax" is="restrict"', "did you mean `restricted`?"),
        ('from="2026-03-01"', 'from="2025-09-01"', "`2025-autumn.xml` also comes into force"),
        ("<meta", "<mate", "`mate`"),
    ],
)
@pytest.mark.usefixtures("undercity")
def test_a_list_is_checked_like_any_file(run: Run, old: str, new: str, message: str) -> None:
    edit(NEW, old, new)
    result = run("check", str(NEW))
    assert message in result.stderr
    assert "2026-spring.xml:" in result.stderr


def test_a_list_for_all_formats_and_one_for_one_go_by_their_days(undercity: Path) -> None:
    edit(NEW, ' formats="standard"', "")
    game = load_all(undercity)
    for form in ("standard", "open"):
        in_force = game.restrictions_for(form, "2026-03-01")
        assert in_force is not None
        assert in_force.name == "Spring list"


@pytest.mark.usefixtures("undercity")
def test_lists_are_formatted_and_have_a_schema(run: Run) -> None:
    edit(NEW, 'name="Spring list" from="2026-03-01"', 'from="2026-03-01" name="Spring list"')
    assert str(NEW) in run("fmt", "--check").stdout
    run("fmt")
    assert 'name="Spring list" from="2026-03-01"' in NEW.read_text("utf-8")
    run("schema")
    assert Path("xml/schema/restrictions.xsd").is_file()


def test_decks_are_checked_again_when_a_list_has_changed(undercity: Path, run: Run) -> None:
    track(undercity)
    edit(NEW, 'id="gnaw" is="banned"', 'id="gnaw" is="restricted"')
    assert "not checked" not in run("check", "--changed-since", "v1").stderr
    assert "3 files checked" in run("check", "--changed-since", "v1").stdout
    assert diff_lines(run, "v1") == [
        "restrictions 2026-spring Spring list: gnaw of RATS banned → restricted"
    ]
    commit(undercity, "v2")
    assert run("check", "--changed-since", "v2").stdout.startswith("0 ")


def test_a_card_that_factions_share_is_banned_for_all_of_them(tmp_path: Path, run: Run) -> None:
    limits = '<limit id="b" name="banned" zone="main" where="restriction=banned" max="0"/>'
    deck = [line("A1", 1, "BB")]
    write_game(tmp_path, [card("A1", "Ant")], decks={"deck": deck}, limits=limits)
    edit(tmp_path / "xml/factions_definition.xml", '"Hive"', '"Hive" cards="AA"')
    (tmp_path / "xml/Factions/BB_cards.xml").unlink()
    banned = '<card faction_id="AA" id="A1" is="banned"/>'
    folder = tmp_path / "xml" / "Restrictions"
    folder.mkdir()
    meta = '<meta name="List" from="2026-01-01"/>'
    (folder / "a.xml").write_text(data(meta, banned), encoding="utf-8")
    assert load_deck(tmp_path, load_all(tmp_path), "deck").entries[0].faction_id == "BB"
    assert "1 banned (`A1`), none are allowed" in run("check", "-g", str(tmp_path)).stderr


def test_a_folder_of_a_name_that_is_near_is_told_of(undercity: Path, run: Run) -> None:
    (undercity / "xml" / "Restrictions").rename(undercity / "xml" / "Restriction")
    assert "rename it to `Restrictions`" in run("check").stderr
