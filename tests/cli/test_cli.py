from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from conftest import ROOT, Run, edit
from deckwright import __version__
from deckwright.base.findings import module_names
from deckwright.cli import deckwright
from support import list_pdfs, run_program, write_decks


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game as the working folder, with decks that are good, short, wrong and broken."""
    monkeypatch.chdir(write_decks(tmp_path / "game"))
    return tmp_path / "game"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["check", "good"], 0),
        (["check", "good", "other.xml", "xml/rules.xml"], 0),
        (["check"], 1),
        (["check", "short"], 1),
        (["check", "wrong"], 1),
        (["check", "broken"], 1),
        (["check", "nothing"], 3),
        (["deck", "good"], 0),
        (["deck", "short"], 1),
        (["deck", "wrong"], 1),
        (["deck", "broken"], 1),
        (["deck", "nothing"], 3),
        (["deck", "good", "--out", "/dev/null"], 3),
        (["deck", "good", "nothing", "short"], 3),
        (["deck"], 2),
        (["deck", "good", "--nothing"], 2),
        (["deck", "good", "--game", "nothing"], 2),
        (["deck", "good", "--game", "xml"], 2),
        (["deck", "good", "--game", "xml/rules.xml"], 2),
        (["deck", "good", "other", "--out", "new"], 2),
        (["nothing"], 2),
        ([], 0),
        (["schema"], 0),
        (["--version"], 0),
        (["--help"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
@pytest.mark.usefixtures("game")
def test_the_exit_code_says_how_it_went(run: Run, command: list[str], code: int) -> None:
    result = run(*command)
    assert result.exit_code == code, result.stderr
    assert ("error" in result.stderr.lower()) == (code != 0 and bool(command))


@pytest.mark.parametrize(
    ("words", "code"), [("check good", 0), ("check broken", 1), ("deck", 2), ("check nothing", 3)]
)
def test_the_program_ends_with_the_exit_code(game: Path, words: str, code: int) -> None:
    result = run_program(*words.split(), cwd=game)
    assert result.returncode == code, result.stderr
    assert "Traceback" not in result.stderr


def test_exit_codes_are_told_by_name() -> None:
    ways = re.compile(
        r"(?:sys\.exit|\bExit|ctx\.exit)\(-?\d|^_?[A-Z_]+ = (?:70|130)$", re.MULTILINE
    )
    files = (ROOT / "src" / "deckwright" / "cli").rglob("*.py")
    assert [p.name for p in files if ways.search(p.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (["deck"], ["name a deck list", "broken.xml, good.xml, other.xml, short.xml, wrong.xml"]),
        (["deck", "x", "y", "--out", "new"], ["--out must be a folder"]),
        (["deck", "x", "--game", "xml"], ["there is no game in", "it has no folder `xml`"]),
        (["deck", "godo"], ["there is no such deck list", "did you mean `good`?"]),
        (["check", "godo"], ["godo"]),
        (["chekc"], ["there is no command `chekc`"]),
    ],
)
@pytest.mark.usefixtures("game")
def test_a_mistake_is_explained(run: Run, command: list[str], parts: list[str]) -> None:
    result = run(*command)
    assert result.exit_code != 0
    for part in parts:
        assert part in result.stderr


def test_a_game_without_decks_says_so(game: Path, run: Run) -> None:
    shutil.rmtree(game / "xml" / "Decks")
    result = run("deck")
    assert result.exit_code == 2
    assert "none yet" in result.stderr


def test_check_counts_what_it_checked(game: Path, run: Run) -> None:
    for name in ("short", "wrong", "broken"):
        (game / "xml" / "Decks" / f"{name}.xml").unlink()
    assert run("check").stdout == (
        "5 cards and decks checked, no problems found\n"
        "the sheet `a4-65x90` prints up to 5 mm from the edges of the paper\n"
    )
    assert run("check", "good").stdout == "1 file checked, no problems found\n"


def test_check_takes_folders(game: Path, run: Run) -> None:
    files = len(list((game / "xml" / "Factions").glob("*.xml")))
    counted = f"{files} files checked" if files > 1 else "1 file checked"
    assert run("check", "xml/Factions").stdout.startswith(counted)
    assert "broken.xml" in run("check", "xml/Decks").stderr
    assert "broken.xml" not in run("check", "xml/Factions", "good").stderr
    assert run("check", "templates").exit_code == 0
    (game / "none").mkdir()
    result = run("check", "none")
    assert result.exit_code == 3
    assert "there are no XML files in the folder" in result.stderr


def test_the_folder_of_a_game_is_that_game(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run("check")
    here = run("check", ".")
    assert (here.stdout, here.stderr) == (whole.stdout, whole.stderr)
    monkeypatch.chdir(game.parent)
    there = run("check", "game")
    assert there.exit_code == 1
    assert Path("game/xml/Decks/broken.xml").as_posix() in there.stderr
    assert "name it alone" in run("check", "game", "game/xml/rules.xml").stderr
    monkeypatch.chdir(write_decks(game.parent / "another"))
    result = run("check", "..")
    assert result.exit_code == 2
    assert "holds files from another game" in result.stderr
    assert run("check", "../game/xml/Decks").exit_code == 2


def test_check_tells_of_all_that_is_wrong_at_once(game: Path, run: Run) -> None:
    edit(game / "xml" / "rules.xml", 'effect="', 'efect="')
    result = run("check")
    assert result.exit_code == 1
    assert "xml/rules.xml:2:" in result.stderr
    assert "xml/Decks/broken.xml:" in result.stderr


def test_check_of_a_file_shows_the_findings_of_that_file_alone(game: Path, run: Run) -> None:
    result = run("check", "wrong")
    assert result.exit_code == 1
    places = {text.partition(":")[0] for text in result.stderr.splitlines() if " error " in text}
    assert places == {str(Path("xml/Decks/wrong.xml"))}
    assert game.is_dir()


@pytest.mark.parametrize("name", ["xml/notes.xml", "xml/Decks", "out/notes.xml", "img/a.png"])
def test_check_does_not_say_that_it_checked_what_it_did_not(
    game: Path, run: Run, name: str
) -> None:
    for folder in ("out", "img"):
        (game / folder).mkdir()
    for path in (game / "xml" / "notes.xml", game / "out" / "notes.xml", game / "img" / "a.png"):
        path.write_text("<data", encoding="utf-8")
    result = run("check", name)
    assert result.exit_code != 0
    assert "no problems found" not in result.output


@pytest.mark.usefixtures("game")
def test_warnings_are_counted_and_leave_the_exit_code_0(run: Run) -> None:
    edit(Path("xml/game.xml"), 'min="2"', 'min="99" severity="warning"')
    result = run("deck", "good")
    assert result.exit_code == 0
    assert " warning D009: " in result.stderr
    result = run("check", "good")
    assert result.exit_code == 0
    assert result.stderr.endswith("1 warning\n")


def test_version() -> None:
    result = run_program("--version", cwd=Path.cwd())
    assert result.stdout == f"deckwright, version {__version__}\n"


def commands() -> list[str]:
    with click.Context(deckwright) as context:
        return deckwright.list_commands(context)


def test_help_lists_the_commands(run: Run) -> None:
    text = run("--help").stdout
    assert {"check", "deck", "schema"} <= set(commands())
    for name in commands():
        assert f"\n  {name} " in text


@pytest.mark.parametrize("name", commands())
def test_the_help_of_a_command_lists_its_options(run: Run, name: str) -> None:
    with click.Context(deckwright) as context:
        command = deckwright.get_command(context, name)
    assert command is not None
    result = run(name, "--help")
    assert result.exit_code == 0
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help
            assert max(parameter.opts, key=len) in result.stdout


def test_help_and_check_do_not_load_what_only_prints() -> None:
    code = "import sys; import deckwright.cli.check, deckwright.cli.printing; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in result.stdout.split()}
    assert {"click", "deckwright"} <= loaded
    assert not loaded & {"reportlab", "PIL", "jinja2", "pypdf", "uharfbuzz", "pyphen", "fontTools"}


def at_the_end(game: Path, values: str, *words: str) -> list[str]:
    """Return the values of an expression when a command ends."""
    code = (
        "import atexit, gc, sys; from deckwright.cli import main; sys.argv[0] = 'deckwright';"
        f"atexit.register(lambda: print(*{values}, file=sys.stderr)); main()"
    )
    result = subprocess.run([sys.executable, "-c", code, *words], cwd=game,
                            capture_output=True, text=True, check=True)  # fmt: skip
    return result.stderr.splitlines()[-1].split()


def loaded_by(game: Path, *words: str) -> set[str]:
    """Return the modules that a command has loaded when it ends."""
    return set(at_the_end(game, "sys.modules", *words))


def test_a_command_seldom_looks_for_garbage_and_never_at_its_end(game: Path) -> None:
    between, frozen = at_the_end(
        game, "(gc.get_threshold()[0], gc.get_freeze_count())", "stats", "good"
    )
    assert int(between) > 10_000
    assert int(frozen) > 10_000


def test_a_deck_needs_nothing_for_the_web_and_an_unchanged_game_nothing_to_draw(
    game: Path,
) -> None:
    printing = loaded_by(game, "deck", "good")
    assert "uharfbuzz" in printing
    assert not {"urllib.request", "http.client", "fontTools", "reportlab", "numpy"} & printing
    starter = ROOT / "examples" / "starter"
    assert "jinja2" in loaded_by(starter, "check")
    again = loaded_by(starter, "check")
    assert "lxml.etree" in again
    assert not {"reportlab", "PIL", "jinja2", "uharfbuzz", "deckwright.sheet.grid"} & again
    assert sys.platform != "linux" or not {"platformdirs", "tempfile"} & again


def test_an_unchanged_game_with_findings_needs_nothing_to_draw() -> None:
    orbit = ROOT / "examples" / "orbit"
    assert "jinja2" in loaded_by(orbit, "check")
    again = loaded_by(orbit, "check")
    assert not {"reportlab", "PIL", "jinja2", "deckwright.checking.whole_layout"} & again


def test_every_command_of_the_package_is_listed(run: Run) -> None:
    package = sys.modules["deckwright.cli"]
    modules = [import_module(f"deckwright.cli.{name}") for name in module_names(package)]
    found = [each for m in modules for each in vars(m).values() if isinstance(each, click.Command)]
    groups = [each for each in found if isinstance(each, click.Group)]
    inner = {
        each.get_command(click.Context(each), name)
        for each in groups
        for name in each.list_commands(click.Context(each))
    }
    assert set(commands()) == {each.name for each in found if each not in inner} - {"deckwright"}
    assert run("common").exit_code == 2


@pytest.mark.parametrize("debug", ["", "1"])
def test_our_own_fault_is_told_in_two_lines_or_in_full(game: Path, debug: str) -> None:
    code = """
import sys
import deckwright
def fail(*_, **__):
    raise ZeroDivisionError("oops")
deckwright.Game.print_decks = fail
from deckwright.cli import main
sys.argv = ["deckwright", "deck", "good"]
main()
"""
    environment = {**os.environ, "DECKWRIGHT_DEBUG": debug}
    result = subprocess.run([sys.executable, "-c", code], cwd=game, env=environment,
                            capture_output=True, text=True, check=False)  # fmt: skip
    assert "ZeroDivisionError: oops" in result.stderr
    assert ("Traceback" in result.stderr) == bool(debug)
    if not debug:
        assert result.returncode == 70
        assert "DECKWRIGHT_DEBUG=1" in result.stderr
        assert len(result.stderr.splitlines()) == 2


def entry_point(name: str) -> Path:
    return Path(sys.executable).parent / name


@pytest.mark.parametrize("name", ["deck_constructor", "deckwright"])
def test_the_programs_are_installed(game: Path, name: str) -> None:
    command = [str(entry_point(name)), *(["deck"] if name == "deckwright" else []), "good.xml"]
    result = subprocess.run(command, cwd=game, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[0] == "Deck"
    assert list_pdfs(game) == ["out/deck_good.pdf"]


def test_deck_constructor_fails_and_helps_under_its_own_name(game: Path) -> None:
    program_path = entry_point("deck_constructor")
    result = subprocess.run([program_path, "short"], cwd=game, capture_output=True, check=False)
    assert result.returncode == 1
    result = subprocess.run([program_path], cwd=game, capture_output=True, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith(b"Usage: deck_constructor ")


def test_output_that_nobody_reads_is_no_fault(game: Path) -> None:
    command = f"{sys.executable} -m deckwright deck good | true"
    result = subprocess.run(["bash", "-c", command], cwd=game, capture_output=True, check=False)
    assert result.stderr == b""
    assert list_pdfs(game) == ["out/deck_good.pdf"]


def test_names_that_the_terminal_cannot_show_are_no_fault(game: Path) -> None:
    edit(game / "xml" / "rules.xml", 'name="Wolf"', 'name="Bär"')
    result = run_program("deck", "good", cwd=game, PYTHONIOENCODING="ascii")
    assert result.returncode == 0, result.stderr
    assert "\n  tokens  6 (B" in result.stdout


@pytest.mark.usefixtures("game")
def test_check_takes_a_file_once_and_names_the_nearest_deck(run: Run) -> None:
    result = run("check", "xml/rules.xml", "xml/../xml/rules.xml")
    assert result.stdout.startswith("1 file checked")
    assert "did you mean `short.xml`?" in run("check", "shot.xml").stderr
