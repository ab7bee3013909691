"""What the command line says of itself: help, examples that work, and completion."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import click
import pytest

from conftest import ROOT, Run
from deckwright.cli import deckwright
from deckwright.cli.terminal import _OPTION_HEADINGS, LazyGroup
from support import run_program


def commands(group: click.Command, *above: str) -> Iterator[tuple[str, ...]]:
    """Yield the words that lead to each command."""
    if isinstance(group, click.Group):
        for name in group.list_commands(click.Context(group)):
            inner = group.get_command(click.Context(group), name)
            assert inner is not None
            yield from commands(inner, *above, name)
    else:
        yield above


COMMANDS = sorted(commands(deckwright))


def examples(run: Run, command: tuple[str, ...]) -> list[str]:
    """Return the examples in the help of a command."""
    _, _, below = run(*command, "--help").stdout.partition("Examples:\n")
    return [line.strip() for line in below.splitlines() if line.strip()]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_examples_that_it_understands(
    run: Run, command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = examples(run, command)
    assert len(found) >= 2
    for name in ("my-game", "out/csv", "out/play", "out", "xml/Factions", "pictures"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    for name in (
        "out/csv/card.csv",
        "out/csv/*.csv",
        "out/cards.xlsx",
        "out/cards.json",
        "cards.xlsx",
        "cards.pdf",
        "board.pdf",
        "mat.png",
        "mat.svg",
        "publisher.pem",
        "k.pem",
        "out/run.jsonl",
        "out/play/army_HK_1-7.jsonl",
        "club.csv",
        "out/rulebook.pdf",
    ):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    for example in found:
        start, *words = shlex.split(example)
        assert start == "deckwright"
        assert tuple(words[: len(command)]) == command
        inner: click.Command = deckwright
        for word in command:
            assert isinstance(inner, click.Group)
            inner = inner.get_command(click.Context(inner), word) or deckwright
        # This raises a usage error for what the command does not take.
        inner.make_context(inner.name, words[len(command) :])


@pytest.mark.parametrize(
    "group", [(), ("export",), ("import",), ("run",)], ids=["deckwright", "export", "im", "run"]
)
def test_a_group_alone_shows_its_help_with_no_line_cut_off(run: Run, group: tuple[str]) -> None:
    alone = run(*group)
    assert alone.exit_code == 0
    assert alone.stderr == ""
    assert alone.stdout == run(*group, "--help").stdout
    listed = re.findall(r"^  [a-z].*", alone.stdout, re.MULTILINE)
    assert len(listed) >= 2
    assert [line for line in listed if not line.endswith((".", "`.")) or "..." in line] == []


def test_commands_and_many_options_are_grouped_under_headings(run: Run) -> None:
    assert headings(run("--help").stdout) == [
        "Options",
        "Start",
        "Check",
        "Print",
        "Build and play decks",
        "Export and import",
        "Print runs",
    ]
    deck = run("deck", "--help").stdout
    assert headings(deck) == ["Options", "Content", "Faces", "Paper", "Backs", "Deck limits"]
    assert re.search(r"^Backs:\n  --backs ", deck, re.MULTILINE)
    assert headings(run("stats", "--help").stdout) == ["Options"]


def headings(text: str) -> list[str]:
    return re.findall(r"^([A-Z][a-z ]+):$", text, re.MULTILINE)


def test_options_under_headings_are_options_of_commands() -> None:
    known = {param.name for words in COMMANDS for param in command_of(*words).params}
    listed = [name for names in _OPTION_HEADINGS.values() for name in names.split()]
    assert set(listed) <= known
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("print cats", "did you mean `build` or `deck`?"),
        ("Lint", "did you mean `check`?"),
        ("preview", "did you mean `studio` or `proof`?"),
        ("chekc", "did you mean `check`?"),
        ("export pn", "did you mean `png`?"),
    ],
)
def test_a_near_word_leads_to_the_command(run: Run, typed: str, hint: str) -> None:
    result = run(*typed.split())
    assert result.exit_code == 2
    assert result.stderr.endswith(f"\n  hint: {hint}\n")


def test_synonyms_name_commands_and_are_none() -> None:
    commands = {name for name, *_ in COMMANDS}
    assert isinstance(deckwright, LazyGroup)
    assert {word for names in deckwright.synonyms.values() for word in names.split()} <= commands
    assert not deckwright.synonyms.keys() & commands


@pytest.mark.parametrize("words", [(), ("deck",), ("export",), ("export", "png")])
def test_h_is_help(tmp_path: Path, words: tuple[str, ...]) -> None:
    short, long = (run_program(*words, flag, cwd=tmp_path) for flag in ("-h", "--help"))
    assert (short.returncode, short.stdout) == (0, long.stdout)
    assert "-h, --help" in short.stdout


@pytest.mark.parametrize(
    ("typed", "offered"), [("deckwright ta", []), ("deckwright tu", ["tuckbox"]),
                           ("deckwright deck --sty", ["--style"]),
                           ("deckwright deck --cut sil", ["silhouette", "silhouette-4"]),
                           ("deckwright tokens --service press", ["press"])],
)  # fmt: skip
def test_a_shell_can_complete_what_is_typed(tmp_path: Path, typed: str, offered: list[str]) -> None:
    number = str(len(typed.split()) - 1)
    asked = {"_DECKWRIGHT_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": number}
    script = Path(sys.executable).parent / "deckwright"
    done = subprocess.run(
        [script],
        cwd=tmp_path,
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.split(",")[1] for line in done.stdout.split()] == offered


def test_the_docs_tell_of_completion() -> None:
    text = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    for shell in ("bash", "zsh", "fish"):
        assert f"_DECKWRIGHT_COMPLETE={shell}_source deckwright" in text


@pytest.mark.parametrize(
    "words",
    ["", "-h", "--help", "--version", "nonsense", "--nonsense", "export", "import -h", "export x"],
)
def test_what_lists_commands_imports_none_of_them(words: str) -> None:
    code = (
        "import atexit, sys; from deckwright.cli import main;"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *words.split()], capture_output=True, text=True, check=False
    )
    loaded = set(result.stderr.splitlines()[-1].split())
    ours = {name for name in loaded if name.startswith("deckwright.")}
    assert not loaded & {"json", "lxml", "importlib.metadata", "platformdirs"}
    # What the modules of the command line itself import, and no command's.
    assert {name.split(".")[1] for name in ours} <= {"base", "cli"}
    assert not {f"deckwright.cli.{name}" for (name, *_) in COMMANDS if len(_) == 0} & ours


def test_lists_of_commands_tell_the_beginning_of_each_ones_help() -> None:
    for group in (deckwright, *map(command_of, ("export", "import"))):
        assert isinstance(group, LazyGroup)
        context = click.Context(group)
        formatter = click.HelpFormatter(width=500)
        group.format_commands(context, formatter)
        told = {line.split()[0]: line.split(None, 1)[1] for line in formatter.getvalue().split("\n")
                if line.startswith("  ")}  # fmt: skip
        assert sorted(told) == group.list_commands(context)
        for name, text in told.items():
            command = group.get_command(context, name)
            assert command is not None
            assert text == command.get_short_help_str(limit=500)


def command_of(*words: str) -> click.Command:
    command: click.Command = deckwright
    for word in words:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None
        command = found
    return command


@pytest.mark.parametrize("words", ["deckwright e", "deckwright export "])
def test_names_of_commands_are_completed_without_importing_them(words: str) -> None:
    code = (
        "import atexit, sys; from deckwright.cli import main;"
        "sys.argv = ['deckwright'];"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main()"
    )
    environment = {
        **os.environ,
        "_DECKWRIGHT_COMPLETE": "zsh_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    result = subprocess.run([sys.executable, "-c", code], env=environment,
                            capture_output=True, text=True, check=True)  # fmt: skip
    exports = [name for group, *rest in COMMANDS if group == "export" for name in rest]
    assert result.stdout.split("\n")[1::3][:2] in (["explain", "export"], exports[:2])
    assert not {"lxml", "deckwright.game.model"} & set(result.stderr.split())


def test_each_print_service_has_the_command_that_follows_from_its_profile(run: Run) -> None:
    services = ROOT / "src" / "deckwright" / "outputs" / "services"
    profiles = {path.stem: path for path in (services / "profiles").glob("*.xml")}
    assert {("export", name) for name in profiles} <= set(COMMANDS)
    for name, path in profiles.items():
        profile = ET.parse(path).getroot().attrib
        told = " ".join(run("export", name, "--help").stdout.split())
        assert (
            f"Prepare decks for {profile['name']}: {profile['makes']}. {profile['about']} " in told
        )
        assert len(examples(run, ("export", name))) == len(profile["examples"].split("|"))
        assert run("export", name).stderr.endswith("Missing argument 'DECK…'.\n")


def test_what_exports_tell_of_themselves(run: Run, request: pytest.FixtureRequest) -> None:
    """Where lines end depends on the terminal."""
    helps = [run(*words, "--help").stdout for words in COMMANDS if words[0] == "export"]
    text = "".join(" ".join(part.split()) + "\n" for help_ in helps for part in help_.split("\n\n"))
    golden = ROOT / "tests" / "golden" / "help" / "export.txt"
    if request.config.getoption("--update-golden"):
        golden.write_text(text, encoding="utf-8")
    expected = golden.read_text(encoding="utf-8").splitlines()
    assert text.splitlines() == expected, "if this is right, run with `--update-golden`"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("deck x --papr a4", "did you mean `--sheet`?"),
        ("deck x --bleeds", "did you mean `--sheet a4-bleed`?"),
        ("new x --blank", "did you mean `--like blank`?"),
        ("tuckbox x --papper a4", "did you mean `--paper`?"),
        ("solve x --inclde y", "did you mean `--include`?"),
        ("explain D999", "use one of `D001`,"),
    ],
)
def test_what_is_unknown_is_answered_with_what_is_near(run: Run, line: str, hint: str) -> None:
    result = run(*line.split())
    assert result.exit_code == 2
    assert f"  hint: {hint}" in result.stderr
