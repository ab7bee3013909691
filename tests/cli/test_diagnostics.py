"""Every code has a bad example with its output, and a good example without a finding.

An example is a folder that is laid over the small game of `tests/games/small`. A file that ends in
`.delete` removes the file of that name, one that ends in `.link` makes a link of it to what it
holds, and one that ends in `.pad` holds the number of bytes that the file of that name is padded
to. `command` holds the arguments, "check" where it is missing.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from conftest import Run
from deckwright.base.findings import REGISTRY, register_all_codes
from examples_of_codes import EXAMPLES, lay_over

register_all_codes()


def command_of(folder: Path) -> list[str]:
    command = folder / "command"
    return shlex.split(command.read_text(encoding="utf-8")) if command.is_file() else ["check"]


# The layout that L007 interrupts needs a process of its own.
CODES = [pytest.param(c, marks=[pytest.mark.child] * (c == "L007")) for c in sorted(REGISTRY)]


@pytest.fixture(autouse=True)
def _version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages of examples mention 1.0.0; their runs were planned with 0.1.0."""
    for module, version in (
        ("game.load", "1.0.0"),
        ("diff.manifest", "1.0.0"),
        ("runs.plan", "0.1.0"),
    ):
        monkeypatch.setattr(f"deckwright.{module}.__version__", version)


@pytest.mark.corpus(2)
@pytest.mark.parametrize("code", CODES)
def test_the_bad_example_gives_the_expected_output(
    code: str,
    small: Path,
    run: Run,
    request: pytest.FixtureRequest,
) -> None:
    folder = EXAMPLES / code
    lay_over(small, folder / "bad")
    result = run(*command_of(folder))
    expected = folder / "expected.txt"
    if request.config.getoption("--update-golden"):
        expected.write_text(result.stderr, encoding="utf-8")
    assert f" {code}: " in result.stderr
    assert result.stderr == expected.read_text(encoding="utf-8")
    assert (result.exit_code == 0) == (REGISTRY[code].severity.value != "error")


@pytest.mark.corpus(8)
@pytest.mark.parametrize("code", sorted(REGISTRY))
def test_the_good_example_is_clean(code: str, small: Path, run: Run) -> None:
    folder = EXAMPLES / code
    lay_over(small, folder / "good")
    result = run(*command_of(folder))
    assert result.stderr == ""
    assert result.exit_code == 0


def test_no_example_is_without_a_code() -> None:
    assert {folder.name for folder in EXAMPLES.iterdir()} == set(REGISTRY)
