"""Fixtures: a small game to work on, and a cache folder that is not the user's."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

from deckwright.cli import deckwright

HERE = Path(__file__).parent
ROOT = HERE.parent
SMALL = HERE / "games" / "small"

# The same examples in every run; `--hypothesis-profile=search` looks for new ones.
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("search", database=None, deadline=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write what is there as what is expected"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a large corpus take one case of so many, unless all of it is asked for.

    Every case is tried by `make corpus`, which the gate runs, too.
    """
    if os.environ.get("WHOLE_CORPUS"):
        return
    counts: Counter[str] = Counter()
    left_out: list[pytest.Item] = []
    for item in items:
        marker = item.get_closest_marker("corpus")
        if marker is not None:
            function = item.nodeid.partition("[")[0]
            if counts[function] % marker.args[0]:
                left_out.append(item)
            counts[function] += 1
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test depend on the language of the terminal that it runs in."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compiled templates that many tests use, which every cache of a test begins with."""
    home = tmp_path_factory.mktemp("programs")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(home))
        for game in (ROOT, SMALL):
            CliRunner().invoke(deckwright, ["check", "--game", str(game)], catch_exceptions=False)
    return home / "deckwright" / "programs"


@pytest.fixture(autouse=True)
def _own_cache(
    tmp_path_factory: pytest.TempPathFactory, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("cache")
    shutil.copytree(programs, home / "deckwright" / "programs", copy_function=os.link)
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small game, as the working folder."""
    game = tmp_path / "small"
    shutil.copytree(SMALL, game)
    monkeypatch.chdir(game)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(game / "config"))
    return game


Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run `deckwright` with arguments, as the command line does."""

    def run_command(*arguments: str) -> Result:
        return CliRunner().invoke(deckwright, list(arguments), catch_exceptions=False)

    return run_command


def edit(path: Path, old: str, new: str) -> None:
    """Replace the one `old` in a file by `new`."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
