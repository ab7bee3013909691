"""Many games in one report: `check --games`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import deckwright
from conftest import Run, edit
from deckwright.base import workers


@pytest.fixture
def games(small: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two games, of which `bad` has a card with an unknown rule, and other things."""
    folder = small.parent / "games"
    for name in ("bad", "good"):
        shutil.copytree(small, folder / name)
    (folder / "notes").mkdir()
    (folder / "README.md").write_text("games")
    edit(folder / "bad/xml/Factions/RW_cards.xml", '<rule id="ra002"/>', '<rule id="ra0002"/>')
    monkeypatch.chdir(small.parent)
    return folder


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("named", [("--games", "games/*"), ("games/bad", "games/good")])
def test_one_report_has_all_games(
    run: Run, monkeypatch: pytest.MonkeyPatch, cores: int, named: tuple[str, ...]
) -> None:
    monkeypatch.setattr(workers, "count_cores", lambda: cores)
    result = run("check", *named)
    assert result.exit_code == 1
    assert "games/bad/xml/Factions/RW_cards.xml:18:" in result.stderr
    bad, good = result.stdout.splitlines()
    assert bad.startswith("games/bad   ")
    assert bad.endswith(", 1 error")
    assert good.startswith("games/good  ")
    assert good.endswith(", no problems")


@pytest.mark.usefixtures("games")
def test_reports_for_programs_name_the_files_of_all_games(run: Run) -> None:
    result = run("check", "--games", "games/*", "--format", "json")
    found = json.loads(result.stdout)
    assert [finding["code"] for finding in found["findings"]] == ["R003"]
    assert {Path(name).parts[1] for name in found["files"]} == {"bad", "good"}


@pytest.mark.usefixtures("games")
def test_options_are_for_all_games(run: Run) -> None:
    result = run("check", "--games", "games/*", "--games", "games/good", "--ignore", "R003")
    assert (result.exit_code, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == 3


@pytest.mark.usefixtures("games")
def test_what_is_no_game_is_named(run: Run) -> None:
    for wrong, said in (
        (("--games", "gmaes/*"), "there is no game in `gmaes/*`"),
        (("--games", "games/*", "games/notes"), "`games/notes` is not a game folder"),
    ):
        result = run("check", *wrong)
        assert result.exit_code == 2
        assert said in result.stderr


def test_the_library_checks_many_games(games: Path) -> None:
    bad, good = deckwright.inspect_games([games / "bad", str(games / "good")])
    assert [one.path.name for one in (bad, good)] == ["bad", "good"]
    assert [finding.code.id for finding in bad.checked.findings] == ["R003"]
    assert good.checked.findings == ()
    with pytest.raises(deckwright.GameError):
        list(deckwright.inspect_games([games / "notes"]))
