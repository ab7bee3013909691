"""The hints that tell how to install an extra."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from conftest import ROOT
from deckwright.base import extras


@pytest.fixture
def _python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "env/bin/python"))
    monkeypatch.setattr(extras, "find_spec", lambda _name: "pip")
    monkeypatch.setattr(extras, "_SOURCE", tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_python")
def test_the_hint_names_the_interpreter_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert extras.install_command("cut") == 'env/bin/python -m pip install "deckwright[cut]"'
    monkeypatch.chdir(ROOT)
    python = tmp_path / "env/bin/python"
    assert extras.install_command("cut") == f'{python} -m pip install "deckwright[cut]"'
    monkeypatch.setattr(sys, "executable", "/opt/my tools/python")
    assert extras.install_command("cut").startswith('"/opt/my tools/python" -m pip ')


@pytest.mark.usefixtures("_python")
def test_in_a_checkout_the_hint_is_what_make_does(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    assert extras.install_command("solve") == 'env/bin/python -m pip install -e ".[solve]"'


@pytest.mark.usefixtures("_python")
def test_without_pip_it_names_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)
    expected = 'uv pip install --python env/bin/python "deckwright[sign]"'
    assert extras.install_command("sign") == expected


def test_every_extra_of_a_hint_exists_and_is_in_all() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    known = project["optional-dependencies"]
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    hints = set(re.findall(r"""install_command\(["'](\w+)["']\)""", code))
    (every,) = known["all"]
    assert hints == set(every.partition("[")[2].rstrip("]").split(",")) <= set(known)
