"""Fixtures: a copy of the small game, and user folders of the tests' own."""

from __future__ import annotations

import gc
import os
import resource
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from ctypes import CDLL
from functools import partial
from pathlib import Path

import fontTools.svgLib.path  # noqa: F401 - so that the children of checks need not
import pytest
from _pytest.runner import pytest_runtest_protocol as run_test
from click.testing import CliRunner, Result
from hypothesis import settings

from deckwright.checking import sandbox
from deckwright.cli import GC_THRESHOLD, deckwright
from homes import CheckResult, Home, shared_folder
from support import card, write_game

HERE = Path(__file__).parent
ROOT = HERE.parent
SMALL = HERE / "games" / "small"

# The same examples in every run; `--hypothesis-profile=search` tries new ones.
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("search", database=None, deadline=None)
settings.load_profile("same")

gc.set_threshold(GC_THRESHOLD)  # as the program does


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write what is there as what is expected"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select a share of each large corpus, or the remaining cases if `REST_OF_CORPUS` is set.

    With `-k` or `--update-golden`, all cases are selected. `make corpus` runs the remaining ones,
    and those that grow there. For lack of time the gate runs a few of them.

    Tests of the shipped game come first: one process checks it while another runs the others.
    """
    share = int(os.environ.get("REST_OF_CORPUS", "0"))
    counts: Counter[str] = Counter()
    left_out: list[pytest.Item] = []
    for item in items:
        marker = item.get_closest_marker("corpus")
        if marker is not None and not (config.option.keyword or config.option.update_golden):
            function = item.nodeid.partition("[")[0]
            first = counts[function] % marker.args[0] == 0
            grown = first and marker.kwargs.get("grows")
            again = (
                grown or (not first and counts[function] % share == share - 1) if share else first
            )
            if not again:
                left_out.append(item)
            counts[function] += 1
    config.hook.pytest_deselected(items=left_out)
    left = set(left_out)
    items[:] = [item for item in items if item not in left]
    items.sort(key=lambda item: "shipped_checked" not in getattr(item, "fixturenames", ()))


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection."""
    gc.collect()
    gc.freeze()


def run_with_stack(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test below a large stack frame, which makes its calls faster.

    Python allocates its stack in chunks of 16 kB and frees each as soon as it is empty: a loop at
    the end of a chunk maps and unmaps memory with every call. A call with a large frame gets a
    chunk with room for hundreds of calls below it.
    """
    return bool(run_test(item, nextitem))


run_with_stack.__code__ = run_with_stack.__code__.replace(co_stacksize=70_000)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    # With `--reruns` their plugin runs the tests itself.
    if item.config.getoption("reruns", None):
        return None
    done = run_with_stack(item, nextitem)
    TRIMMER.give_back()
    return done


class MemoryTrimmer:
    """Keeps the memory of this process small, as each check forks it: 18 ms a gigabyte."""

    def __init__(self) -> None:
        self._least = 0
        self._trim = getattr(CDLL(None), "malloc_trim", int) if sys.platform == "linux" else None

    def give_back(self) -> None:
        """Return unused memory to the system after each 100 MB of growth."""
        if self._trim is not None and resident_bytes() > self._least + (100 << 20):
            gc.collect()
            self._trim(0)
            self._least = resident_bytes()


def resident_bytes() -> int:
    """Return the resident memory of this process in bytes (Linux only)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * PAGE


TRIMMER, PAGE = MemoryTrimmer(), resource.getpagesize()


@pytest.fixture(scope="session", autouse=True)
def user_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """Temporary user folders for the tests."""
    home = Home(tmp_path_factory.mktemp("home"), shared_folder(tmp_path_factory.getbasetemp()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_ALL", "C.UTF-8")
        patch.setenv("XDG_CACHE_HOME", str(home.cache))
        patch.setenv("XDG_CONFIG_HOME", str(home.config))
        patch.setenv("XDG_DATA_DIRS", str(home.config))
        patch.setenv("XDG_STATE_HOME", str(home.config.with_name("state")))
        patch.delenv("SOURCE_DATE_EPOCH", raising=False)
        patch.setattr(os, "fsync", lambda _: None)  # tests need no durable files
        home.know(SMALL)
        home.know(write_game(home.config.with_name("game"), [card("A1", "Ant")]))
        yield home


@pytest.fixture(autouse=True)
def _check_in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check layouts without a child process, whose start takes longer than most of the checks.

    Tests marked `child` have one.
    """
    if not request.node.get_closest_marker("child"):
        monkeypatch.setattr(sandbox, "CAN_FORK", False)


@pytest.fixture(scope="session")
def shipped_overview(user_home: Home, shipped_checked: CheckResult) -> Path:
    """The whole overview of the shipped game."""
    assert shipped_checked.code == 0
    return user_home.once("overview.pdf", partial(print_shipped, "overview"))


@pytest.fixture(scope="session")
def shipped_rulebook(user_home: Home, shipped_checked: CheckResult) -> Path:
    """The rulebook of the shipped game."""
    assert shipped_checked.code == 0
    return user_home.once("rulebook.pdf", partial(print_shipped, "rulebook"))


def print_shipped(book: str, path: Path) -> None:
    arguments = [book, "--game", str(ROOT), "--out", str(path)]
    result = CliRunner().invoke(deckwright, arguments, catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.fixture(scope="session")
def shipped_checked(user_home: Home) -> CheckResult:
    """The result of checking the shipped game; its drawings are cached from then on."""
    return user_home.know(ROOT)


@pytest.fixture(autouse=True)
def _tidy_home(user_home: Home) -> None:
    """Clean the user's folders after each test."""
    user_home.tidy()


@pytest.fixture
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for one test, which does not exist yet."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder / "deckwright"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the small game, as the working folder."""
    game = tmp_path / "small"
    shutil.copytree(SMALL, game)
    monkeypatch.chdir(game)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(game / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(game / "share"))
    return game


Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """A function that runs `deckwright` with arguments in this process."""

    def run_command(*arguments: str) -> Result:
        return CliRunner().invoke(deckwright, list(arguments), catch_exceptions=False)

    return run_command


@pytest.fixture
def french(small: Path, run: Run) -> Path:
    """The small game with a French catalog, without translations."""
    assert run("language", "add", "fr").exit_code == 0
    return small


def edit(path: Path, old: str, new: str) -> None:
    """Replace the only occurrence of `old` in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new), encoding="utf-8")
