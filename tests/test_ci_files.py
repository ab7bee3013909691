"""The files for CI and editors are true: they parse, and name what there is."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import click
import pytest
from lxml import etree

from conftest import ROOT, Run, edit
from deckwright import __version__
from deckwright.cli import deckwright
from deckwright.cli.terminal import ExitCode

WORKFLOWS = ROOT / ".github" / "workflows"
WORKFLOW = WORKFLOWS / "cards.yml"
FORMS = sorted(WORKFLOWS.parent.glob("ISSUE_TEMPLATE/[!c]*.yml"))
CONTRIBUTORS = ROOT / ".pre-commit-config.yaml"
ACTION = ROOT / "action.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
SETTINGS = ROOT / ".vscode" / "settings.json"
CI = ROOT / "docs" / "ci.md"
TEMPLATE = ROOT / "src/deckwright/repository"
"""What `deckwright new --repository` adds to a game."""
FILES = (*sorted(WORKFLOWS.iterdir()), ACTION, HOOKS, CI)


YAMLS = (
    *FILES[:-1],
    *FORMS,
    CONTRIBUTORS,
    TEMPLATE / ".github/workflows/cards.yml",
    TEMPLATE / ".pre-commit-config.yaml",
    ROOT / ".github/dependabot.yml",
    ROOT / "mkdocs.yml",
    WORKFLOWS.parent / "ISSUE_TEMPLATE" / "config.yml",
)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", read(path), re.DOTALL)


KEY = r"[\w-]+(?:,? [\w-]+)*"


class Yaml:
    """The YAML of these files, and no more; what is not understood is an error. PyYAML is not
    among the packages that the tests may use."""

    def __init__(self, text: str) -> None:
        self.lines = dedent(text).splitlines()
        self.at = 0

    def next(self) -> tuple[int, str]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            content = line.lstrip(" ")
            if content and not content.startswith("#"):
                return len(line) - len(content), content
            self.at += 1
        return -1, ""

    def node(self) -> Any:
        indent, content = self.next()
        return self.sequence(indent) if content.startswith("- ") else self.mapping(indent)

    def sequence(self, indent: int) -> list[Any]:
        items = []
        while self.next()[0] == indent and self.next()[1].startswith("- "):
            content = self.next()[1][2:]
            if re.match(rf"{KEY}:( |$)", content):
                self.lines[self.at] = " " * (indent + 2) + content
                items.append(self.mapping(indent + 2))
            else:
                self.at += 1
                items.append(self.scalar(content))
        return items

    def mapping(self, indent: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while self.next()[0] == indent and not self.next()[1].startswith("- "):
            found = re.fullmatch(rf"({KEY}):(?: +(.*))?", self.next()[1])
            assert found is not None, self.next()[1]
            key, rest = found[1], re.sub(r"(^| +)#.*", "", found[2] or "")
            assert key not in result, key
            self.at += 1
            if rest in {"|", ">-"}:
                result[key] = self.block(indent, "\n" if rest == "|" else " ")
            elif rest:
                result[key] = self.scalar(rest)
            else:
                below, content = self.next()
                inside = below > indent or (below == indent and content.startswith("- "))
                result[key] = self.node() if inside else None
        assert self.next()[0] < indent or self.next()[1].startswith("- "), self.next()[1]
        return result

    def block(self, indent: int, joint: str) -> str:
        taken = []
        while self.at < len(self.lines) and (
            not self.lines[self.at].strip() or self.lines[self.at].startswith(" " * (indent + 1))
        ):
            taken.append(self.lines[self.at])
            self.at += 1
        return joint.join(dedent("\n".join(taken)).strip().split("\n"))

    def scalar(self, text: str) -> Any:
        if text.startswith("["):
            assert text.endswith("]"), text
            return [self.scalar(item.strip()) for item in text[1:-1].split(",")]
        if text.startswith('"'):
            assert re.fullmatch(r'"[^"\\]*"', text), text
            return text[1:-1]
        assert not re.search(r": |:$| #|^[&*!|>%@`{']|^- ", text), text
        return text


def parsed(text: str) -> Any:
    yaml = Yaml(text)
    result = yaml.node()
    assert yaml.next() == (-1, ""), yaml.next()
    return result


@pytest.mark.parametrize("text", ["a: b: c", "a: 1\na: 2", "a:\n  b: 1\n c: 2", "- {a", "a: 'b"])
def test_what_is_not_yaml_does_not_pass(text: str) -> None:
    with pytest.raises(AssertionError):
        parsed(text)


@pytest.mark.parametrize("text", [*map(read, YAMLS), *blocks(CI, "yaml")])
def test_what_is_yaml_does(text: str) -> None:
    assert parsed(text)


def command_named(name: str) -> click.Command | None:
    return deckwright.get_command(click.Context(deckwright), name)


def options(command: click.Command) -> dict[str, click.Parameter]:
    named = {name: param for param in command.params for name in param.opts + param.secondary_opts}
    return {name: param for name, param in named.items() if name.startswith("-")}


COMMAND = re.compile(r"(?<![\w/@])deckwright ([a-z][^\n`>|#;]*)")
TEXTS = {path.name: read(path).replace("\\ ", " ") for path in FILES}
TEXTS |= {f"new {path.name}": read(path) for path in TEMPLATE.rglob("*.y*ml")}
LINES = sorted({(name, line) for name, text in TEXTS.items() for line in COMMAND.findall(text)})


@pytest.mark.parametrize(("name", "line"), LINES)
def test_a_command_line_names_what_there_is(name: str, line: str) -> None:
    command_name, *arguments = line.split()
    command = command_named(command_name)
    assert command is not None, f"{name}: `{line}`"
    known = options(command)
    for argument, after in pairwise([*arguments, ""]):
        if argument.startswith("-"):
            assert argument in known, f"{name}: `{line}`"
            choice = known[argument].type
            if isinstance(choice, click.Choice) and not after.startswith('"$'):
                assert after in choice.choices, f"{name}: `{line}`"


def test_every_option_that_is_named_alone_exists() -> None:
    commands = [command_named(name) for name in deckwright.list_commands(click.Context(deckwright))]
    known = {option for command in commands if command for option in options(command)}
    named = {o for path in FILES for o in re.findall(r"[`(](--[a-z][a-z-]*)[ `)]", read(path))}
    assert len(named) > 5
    assert named <= known


def test_codes_formats_and_exit_codes_of_the_docs_are_those_of_the_program() -> None:
    text = read(CI)
    pages = read(CI.with_name("diagnostics.md"))
    assert all(f"### {code}: " in pages for code in re.findall(r"\b[A-Z]\d{3}\b", text))
    check = command_named("check")
    assert check is not None
    choice = options(check)["--format"].type
    assert isinstance(choice, click.Choice)
    named = re.findall(r"^\| `(\w+)` \| [^`|]+ \| [^`|]+ \|$", text, re.MULTILINE)
    assert named == list(choice.choices)
    exits = re.findall(r"^\| (\d+) \|", text, re.MULTILINE)
    assert [int(code) for code in exits] == [*ExitCode]
    assert click.UsageError.exit_code == ExitCode.USAGE


PIN = re.compile(r"uses: (\S+)@([0-9a-f]{40})  # (v[\d.]+)$", re.MULTILINE)


def test_actions_are_pinned_to_one_commit_everywhere_and_the_docs_name_its_major_version() -> None:
    text = "\n".join(map(read, FILES[:-1]))
    pins = PIN.findall(text)
    assert len(pins) == text.count("uses: ") > 10
    versions = {name: version for name, _, version in pins}
    assert len(set(pins)) == len(versions)
    docs = read(CI) + read(TEMPLATE / ".github/workflows/cards.yml")
    shown = {name for name in re.findall(r"uses: (\S+)", docs) if not name.startswith("OWNER/")}
    assert shown <= {f"{name}@{version.partition('.')[0]}" for name, version in versions.items()}


def test_the_workflow_may_do_no_more_than_it_must() -> None:
    workflow = parsed(read(WORKFLOW))
    assert workflow["permissions"] == {"contents": "read"}
    assert set(workflow["on"]) == {"push", "pull_request"}
    assert set(workflow["concurrency"]) == {"group", "cancel-in-progress"}
    jobs = workflow["jobs"]
    assert list(jobs) == ["check", "print"]
    assert ["permissions" in job for job in jobs.values()] == [True, False]
    asked = jobs["check"]["permissions"]
    assert asked == {"contents": "read", "security-events": "write", "actions": "read"}
    assert jobs["check"]["steps"][0]["with"]["fetch-depth"] == "0"


@pytest.mark.parametrize("path", [*sorted(WORKFLOWS.iterdir()), ACTION], ids=lambda p: p.name)
def test_no_program_of_a_workflow_is_made_of_what_others_have_written(path: Path) -> None:
    """An expression within a script could be code: what it stands for comes by `env`."""
    whole = parsed(read(path))
    steps = [s for job in whole.get("jobs", {"": whole.get("runs")}).values() for s in job["steps"]]
    assert len(steps) > 2
    assert [step["run"] for step in steps if "${{" in step.get("run", "")] == []


def test_the_paths_of_the_workflow_exist() -> None:
    jobs = parsed(read(WORKFLOW))["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    paths = re.findall(r"cache-dependency-path: (\S+)", read(WORKFLOW))
    assert [(ROOT / path).is_file() for path in paths] == [True] * len(jobs)
    kept = jobs["print"]["steps"][-1]["with"]["path"]
    assert kept == "out/*.pdf"
    assert (ROOT / kept).parent.is_dir()
    scan = next(step for step in steps if step.get("id") == "sarif")["run"]
    assert f"> {jobs['check']['steps'][-1]['with']['sarif_file']}" in scan


TESTS = WORKFLOWS / "tests.yml"
RELEASE = WORKFLOWS / "release.yml"
SUITE = "python -m pytest -n auto --dist worksteal --ignore tests/browser"


def runs(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_every_system_and_python_that_is_promised_is_tried() -> None:
    jobs = parsed(read(TESTS))["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]
    assert matrix["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    stated = [c.split(" :: ")[-1] for c in project["classifiers"] if " :: 3." in c]
    assert matrix["python"] == stated == ["3.11", "3.12", "3.13", "3.14"]
    assert project["requires-python"] == f">={stated[0]}"
    assert runs(jobs["test"])[-2:] == [
        "python tests/trial.py",
        SUITE,
    ]
    assert f"$(BIN)/{SUITE}\n" in read(ROOT / "Makefile")
    assert runs(jobs["gate"]) == ["make js", "bash .ci/run", "make corpus", "make site"]
    tried = parsed(read(RELEASE))["jobs"]["try"]["strategy"]["matrix"]
    assert tried == matrix


def test_a_release_is_built_checked_and_tried_before_it_is_published() -> None:
    release = parsed(read(RELEASE))
    assert release["on"] == {"push": {"tags": ["v*"]}}
    assert release["permissions"] == {"contents": "read"}
    jobs = release["jobs"]
    order = [(name, job.get("needs")) for name, job in jobs.items()]
    assert order == [("build", None), *pairwise_names("build", "try", "publish", "announce")]
    tools, build, sbom = runs(jobs["build"])[1:]
    assert "--require-hashes --requirement .ci/release-tools.txt" in tools
    assert "SOURCE_DATE_EPOCH" in build
    assert "diff --recursive dist" in build
    assert "twine check --strict dist/*" in build
    assert "--require-hashes --requirement .ci/lock.txt" in sbom
    assert "cyclonedx-py environment" in sbom
    assert "python tests/trial.py" in runs(jobs["try"])
    rights = {name: job["permissions"] for name, job in jobs.items() if "permissions" in job}
    assert rights == {
        "publish": {"id-token": "write", "attestations": "write"},
        "announce": {"contents": "write"},
    }
    uses = [step["uses"].partition("@")[0] for step in jobs["publish"]["steps"]]
    assert uses[1:] == ["actions/attest", "pypa/gh-action-pypi-publish"]
    assert "secrets." not in read(RELEASE)
    made = [s["with"]["name"] for s in jobs["build"]["steps"] if "upload" in s.get("uses", "")]
    assert made == ["dist", "notes"]


PACKAGE = re.compile(r"^([\w.-]+)", re.MULTILINE)


@pytest.mark.parametrize("name", ["release-tools", "lock"])
def test_a_lock_has_a_hash_for_each_version_and_names_no_host(name: str) -> None:
    text = read(ROOT / ".ci" / f"{name}.txt")
    entries = re.split(r"\n(?! )", text.rstrip())
    assert all(re.match(r"[\w.-]+==[\w.]+ .*--hash=sha256:", e, re.DOTALL) for e in entries)
    assert "://" not in text
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    (extras,) = project["optional-dependencies"]["all"]
    wanted = [PACKAGE.findall(read(ROOT / ".ci/release-tools.in"))]
    if name == "lock":
        wanted = [project["dependencies"]]
        wanted += [project["optional-dependencies"][e] for e in re.findall(r"\w+", extras)[1:]]
    needs = {PACKAGE.findall(line)[0].lower().replace("_", "-") for each in wanted for line in each}
    assert needs <= {PACKAGE.findall(entry)[0] for entry in entries}, "run `make lock`"


def test_development_and_ci_install_one_version_of_each_package_that_they_need() -> None:
    lines = read(ROOT / ".ci" / "dev.txt").splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+( ; .+)?", line) for line in lines)
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    wanted = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        wanted += extra
    needs = {PACKAGE.findall(line)[0].lower().replace("_", "-") for line in wanted}
    assert needs - {"deckwright"} <= {PACKAGE.findall(line)[0] for line in lines}, "run `make lock`"
    installs = re.findall(r"pip install .*", read(ROOT / "Makefile") + read(TESTS))
    assert len(installs) == 2
    assert all("--constraint" in line for line in installs)


def test_the_site_is_built_before_it_is_published_and_only_from_main() -> None:
    site = parsed(read(WORKFLOWS / "site.yml"))
    assert site["on"] == {"push": {"branches": ["main"]}}
    assert site["permissions"] == {"contents": "read"}
    assert runs(site["jobs"]["build"]) == ["make site"]
    assert site["jobs"]["publish"]["needs"] == "build"
    assert set(site["jobs"]["publish"]["permissions"]) == {"pages", "id-token"}


def pairwise_names(*names: str) -> list[tuple[str, str]]:
    return [(after, before) for before, after in pairwise(names)]


def notes(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / ".ci" / "notes.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")


def test_the_notes_of_a_release_are_its_section_of_the_changelog() -> None:
    done = notes(f"v{__version__}")
    assert done.returncode == 0, done.stderr
    whole = read(ROOT / "CHANGELOG.md")
    assert "\n## [Unreleased]\n" in whole.partition(f"\n## [{__version__}] - ")[0]
    assert f"\n\n{done.stdout}" in whole
    assert "\n## " not in done.stdout
    assert notes("v9.9.9").returncode == 1


@pytest.mark.parametrize(
    ("changelog", "expected"),
    [
        ("## [Unreleased]\n\n## [1.2] - 2026-01-02\n\n- A\n\n## [1.1] - 2026-01-01\n- B", "- A\n"),
        ("## [1.2]\n\n- undated\n", None),
        ("## [1.2] - 2026-01-02\n\n## [1.1] - 2026-01-01\n\n- nothing is new\n", None),
        ("## [1x2] - 2026-01-02\n\n- of another\n", None),
    ],
)
def test_a_version_needs_a_dated_section(changelog: str, expected: str | None) -> None:
    section = runpy.run_path(str(ROOT / ".ci" / "notes.py"))["notes"]
    if expected is not None:
        assert section("v1.2", changelog, '__version__ = "1.2"\n') == expected
    else:
        with pytest.raises(ValueError, match="CHANGELOG"):
            section("v1.2", changelog, '__version__ = "1.2"\n')


def test_the_hooks_of_contributors_use_the_tools_that_lint_uses() -> None:
    (repo,) = parsed(read(CONTRIBUTORS))["repos"]
    assert repo["repo"] == "local"
    lint = read(ROOT / "Makefile").split("\nlint:")[1].split("\n\n")[0]
    entries = {hook["id"]: hook["entry"] for hook in repo["hooks"]}
    for tool in re.findall(r"\$\(BIN\)/(\w+(?: check| format| fmt)?)", lint):
        assert any(entry.startswith(f".venv/bin/{tool}") for entry in entries.values()), tool
    assert entries["generated-pages"] == "make docs schema"
    for hook in repo["hooks"]:
        assert hook["language"] == "system"
        if "files" in hook:
            assert re.search(hook["files"], "xml/game.xml")


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_for_issues_asks_what_is_needed(form: Path) -> None:
    asked = parsed(read(form))
    assert {"name", "description", "body"} <= set(asked)
    fields = [part for part in asked["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in fields} <= {"textarea", "input"}
    assert len({part["id"] for part in fields}) == len(fields) >= 3
    assert all(part["attributes"]["label"] for part in fields)
    assert any(part.get("validations") == {"required": "true"} for part in fields)


def test_the_inputs_and_outputs_of_the_action_are_used_and_documented() -> None:
    text, docs = read(ACTION), read(CI)
    action = parsed(text)
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(action["inputs"])
    for name, value in action["inputs"].items():
        default = f"`{value['default']}`" if value["default"] else ""
        assert f"| `{name}` | {default} |".replace("|  |", "| |") in docs
    steps = action["runs"]["steps"]
    assert all(("run" in step) == (step.get("shell") == "bash") for step in steps)
    ids = {step["id"] for step in steps if "id" in step}
    for name, value in action["outputs"].items():
        assert f"| `{name}` |" in docs
        found = re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}", value["value"])
        assert found is not None
        assert found[1] in ids
        assert f'"{found[2]}=' in text


@pytest.mark.parametrize(
    ("given", "expected", "report"),
    [
        ({}, ["--game", ".", "--format", "github"], ""),
        ({"GAME": "a b"}, ["--game", "a b", "--format", "github"], ""),
        ({"STRICT": "true"}, ["--game", ".", "--format", "github", "--strict"], ""),
        ({"SINCE": "a"}, ["--game", ".", "--format", "github", "--changed-since", "a"], ""),
        ({"FORMAT": "sarif"}, ["--game", ".", "--format", "sarif"], "deckwright.sarif"),
        ({"FORMAT": "junit"}, ["--game", ".", "--format", "junit"], "deckwright.xml"),
    ],
)
def test_the_action_checks_as_it_is_told(
    given: dict[str, str], expected: list[str], report: str, tmp_path: Path
) -> None:
    program = tmp_path / "deckwright"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/said"\necho told\nexit 1\n')
    program.chmod(0o755)
    usual = {"GAME": ".", "STRICT": "false", "SINCE": "", "FORMAT": "github"}
    places = {"RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(tmp_path / "output")}
    path = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    step = next(s for s in parsed(read(ACTION))["runs"]["steps"] if s.get("id") == "check")
    assert set(step["env"]) == set(usual)
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        env=usual | places | path | given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert (tmp_path / "said").read_text().splitlines() == ["check", "--untrusted", *expected]
    assert done.stdout == ("" if report else "told\n")
    if report:
        assert (tmp_path / "output").read_text() == f"report={tmp_path / report}\n"
        assert (tmp_path / report).read_text() == "told\n"


TABLES = ("csv", "json", "tsv", "xlsx")
"""How the names of tables of cards end, which nothing formats."""


def test_the_hooks_take_the_files_of_games() -> None:
    hooks = {hook["id"]: hook for hook in parsed(read(HOOKS))}
    entries = [hook["entry"] for hook in hooks.values()]
    assert entries == ["deckwright check --untrusted", "deckwright fmt"]
    assert set(re.findall(r"- id: (deckwright-\w+)", read(CI))) == set(hooks)
    games = [ROOT, *(ROOT / "examples").glob("*/")]
    files = [file for game in games for file in (game / "xml").rglob("*.xml")]
    files += [file for game in games for file in (game / "templates").rglob("*.xml")]
    assert len(files) > 100
    for hook in hooks.values():
        taken = re.compile(hook["files"])
        assert [f for f in files if not taken.search(f.relative_to(ROOT).as_posix())] == []
        tables = [bool(taken.search(f"my-game/xml/Factions/a.{end}")) for end in TABLES]
        assert all(tables) if hook["id"] == "deckwright-check" else not any(tables)
        for other in (
            "xml/schema/game.xsd",
            "xml/cards.csv",
            "docs/elements/text.xml",
            "axml/game.xml",
        ):
            assert not taken.search(other)


def as_regex(glob: str) -> re.Pattern[str]:
    """Return a glob of Java, which LemMinX matches by, as a regular expression."""
    parts = {"**": ".*", "*": "[^/]*", "{": "(?:", "}": ")", ",": "|"}
    tokens = re.findall(r"\*\*|.", glob)
    return re.compile("".join(parts.get(token, re.escape(token)) for token in tokens))


def inside(file: Path) -> str:
    return f"/{file.relative_to(ROOT).as_posix()}"


def test_vscode_knows_the_schema_of_every_file() -> None:
    settings = json.loads(read(SETTINGS))
    pairs = [(as_regex(a["pattern"]), a["systemId"]) for a in settings["xml.fileAssociations"]]
    schemas = {path.relative_to(ROOT).as_posix() for path in (ROOT / "xml" / "schema").iterdir()}
    assert {schema for _, schema in pairs} == schemas
    listed = re.findall(r"\| `(\w+\.xsd)` \|", read(CI))
    assert {f"xml/schema/{name}" for name in listed} == schemas
    for file in (ROOT / "xml").rglob("*.xml"):
        (found,) = [schema for pattern, schema in pairs if pattern.fullmatch(inside(file))]
        schema = etree.XMLSchema(etree.parse(ROOT / found))
        assert schema.validate(etree.parse(file))
        schemas.discard(found)
    # It has no sheets, services, cutting machines and lists of restrictions of its own.
    others = {"sheet", "service", "cutter", "restrictions"}
    assert schemas == {f"xml/schema/{name}.xsd" for name in others}


def test_vscode_does_not_judge_other_games_by_the_schemas_of_this_one() -> None:
    (entry,) = json.loads(read(SETTINGS))["xml.validation.filters"]
    pattern = as_regex(entry["pattern"])
    assert [f for f in (ROOT / "xml").rglob("*.xml") if pattern.fullmatch(inside(f))] == []
    for place in ("factions_definition", "rules", "Factions/*", "Decks/*", "Restrictions/*"):
        others = [
            *ROOT.glob(f"examples/*/xml/{place}.xml"),
            *ROOT.glob(f"tests/*/*/xml/{place}.xml"),
        ]
        assert len(others) > 2
        assert [file for file in others if not pattern.fullmatch(inside(file))] == []


def test_the_settings_of_the_docs_are_those_of_the_repository() -> None:
    assert blocks(CI, "json") == [read(SETTINGS)]
    recommended = json.loads(read(SETTINGS.with_name("extensions.json")))["recommendations"]
    assert recommended == ["redhat.vscode-xml"]
    assert f"`{recommended[0]}`" in read(CI)


@pytest.mark.parametrize(
    ("file", "root", "schema"),
    [
        ("game.xml", "<game ", "schema/game.xsd"),
        ("factions_definition.xml", "<data", "schema/factions.xsd"),
        ("rules.xml", "<data", "schema/rules.xsd"),
        ("Factions/RW_cards.xml", "<data", "../schema/cards.xsd"),
        ("Decks/river.xml", "<data", "../schema/deck.xsd"),
    ],
)
def test_a_file_may_name_its_schema(
    file: str, root: str, schema: str, small: Path, run: Run
) -> None:
    assert f"`{schema}`" in read(CI)
    (example,) = re.findall(r'<data( xmlns:xsi="[^"]*" xsi:noName\w+=)"', read(CI))
    path = small / "xml" / file
    edit(path, root, f'{root.strip()}{example}"{schema}"{root[len(root.strip()) :]}')
    assert run("check").exit_code == 0
    assert run("schema").exit_code == 0
    judge = etree.XMLSchema(etree.parse(path.parent / schema))
    assert judge.validate(etree.parse(path))


@pytest.mark.parametrize("source", ["like", "from"])
def test_a_new_game_can_have_the_files_of_a_repository(
    source: str, tmp_path: Path, run: Run
) -> None:
    cards = tmp_path / "cards.csv"
    cards.write_text("Name,Cost\nAnt,2\n")
    folder = tmp_path / "game"
    begin = {"like": ("--like", "starter"), "from": ("--from", str(cards))}[source]
    assert run("new", str(folder), "--repository", *begin).exit_code == 0
    for path in TEMPLATE.rglob("*"):
        if path.is_file():
            assert (folder / path.relative_to(TEMPLATE)).read_bytes() == path.read_bytes()
    assert run("check", "--game", str(folder)).exit_code == 0
    assert run("new", str(tmp_path / "plain")).exit_code == 0
    assert not (tmp_path / "plain" / ".github").exists()


def test_the_editor_of_a_new_repository_knows_the_schemas_that_this_one_knows() -> None:
    key = "xml.fileAssociations"
    ours, theirs = (json.loads(read(p)) for p in (SETTINGS, TEMPLATE / ".vscode/settings.json"))
    assert ours[key] == theirs[key]
    container = json.loads(read(TEMPLATE / ".devcontainer/devcontainer.json"))
    extensions = json.loads(read(TEMPLATE / ".vscode/extensions.json"))["recommendations"]
    assert container["customizations"]["vscode"]["extensions"] == extensions
