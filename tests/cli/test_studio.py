"""`deckwright studio`, up to where its server begins."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import Run, edit
from deckwright.base.extras import install_command
from deckwright.cli import deckwright
from deckwright.studio.server import bind_port
from support import card, write_game


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(write_game(tmp_path, [card("A1", "Ant")]))


def test_without_its_libraries_it_says_what_to_install(
    run: Run, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("deckwright.cli.studio"), "find_spec", lambda _name: None)
    result = run("studio", "--game", folder)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-2:] == [
        "Error: the studio needs libraries that are not installed",
        f"  hint: {install_command('studio')}",
    ]


def test_a_port_that_is_taken_is_told(run: Run, folder: str) -> None:
    with bind_port(0) as taken:
        port = taken.getsockname()[1]
        result = run("studio", "--game", folder, "--no-browser", "--port", str(port))
    assert result.exit_code == 2
    assert f"the port {port} cannot be used" in result.stderr
    assert "hint: name another port" in result.stderr


def test_a_game_that_cannot_be_opened_is_told(run: Run, folder: str) -> None:
    edit(Path(folder) / "xml" / "game.xml", "<game ", "<<game ")
    result = run("studio", "--game", folder, "--no-browser")
    assert result.exit_code == 1
    assert "game.xml" in result.stderr
    assert result.stdout == ""


def test_it_cannot_be_opened_to_others(run: Run, folder: str) -> None:
    result = run("studio", "--game", folder, "--host", "0.0.0.0")
    assert result.exit_code == 2
    assert "--host" in result.stderr


def test_its_help_imports_no_server() -> None:
    code = (
        "import sys; from deckwright.cli import deckwright;"
        "deckwright.main(['studio', '--help'], standalone_mode=False);"
        "print({'starlette', 'uvicorn', 'watchfiles', 'asyncio'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize(("there", "answer"), [("", "y"), ("cards.csv", ""), ("", "n")])
def test_at_a_terminal_it_offers_a_blank_game_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str, answer: str
) -> None:
    served: list[str] = []
    monkeypatch.setattr("deckwright.cli.studio.is_interactive", lambda: True)
    monkeypatch.setattr(
        "deckwright.studio.server.serve", lambda game, **_: served.append(game.name)
    )
    if there:
        (tmp_path / there).write_text("Name\nWolf\n", encoding="utf-8")
    arguments = ["studio", "--game", str(tmp_path), "--no-browser"]
    result = CliRunner().invoke(deckwright, arguments, input=f"{answer}\n")
    assert f"There is no game in {tmp_path}. Start a blank one there?" in result.stdout
    if answer == "n":
        assert "`deckwright new` starts a game" in result.stderr
        assert served == []
        assert not any(tmp_path.iterdir())
    else:
        assert served == [tmp_path.name.replace("_", " ").capitalize()]
        assert (tmp_path / "README.md").exists()


def test_where_something_else_is_it_offers_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deckwright.cli.studio.is_interactive", lambda: True)
    (tmp_path / "letter.txt").touch()
    result = run("studio", "--game", str(tmp_path))
    assert result.exit_code == 2
    assert "Start a blank one" not in result.stdout
