"""`deckwright studio`, up to where its server begins."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from conftest import Run, edit
from deckwright.base.extras import install_command
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
    assert f"the port {port} cannot be had" in result.stderr
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
