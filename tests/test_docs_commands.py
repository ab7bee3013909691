"""The commands of the documentation do what it says: each page's are run, from top to bottom."""

from __future__ import annotations

import re
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pypdf import PdfWriter

from conftest import ROOT, edit
from deckwright import cli
from homes import CheckResult, Home
from repositories import git, track
from support import load_all, page_texts

PAGES = [*ROOT.glob("docs/*.md"), *ROOT.glob("examples/*/README.md")]
BLOCK = re.compile(r"^```sh\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.DOTALL | re.MULTILINE)

ELSEWHERE = {"coming-from.md", "own-game.md", "languages.md"}
"""Pages that have a test of their own, as the README's five minutes have."""

NOT_RUN = {
    r"(python -m )?pip install ": "installs a package",
    "python -c ": "needs a package that is for this alone",
    "gs ": "Ghostscript need not be there",
    "dask ": "runs until somebody stops it, on several machines",
    "deckwright run start .* --engine dask": "needs these machines",
    "deckwright studio$": "runs until somebody stops it",
}
"""What starts so is not run, and why."""

SLOW = (
    "deckwright balance",
    "deckwright balance --worth 'strength + 2*actions' --limits casual",
    "deckwright balance --out balance.pdf",
    "deckwright rulebook --service press",
    "deckwright overview --service press",
)
"""What takes ten seconds or more: the first here, the others with `make corpus`."""

FINDINGS = {
    "deckwright solve EH --limits standard",
}
"""What ends with findings, as the page says."""


EXAMPLES = {
    "deckwright deck army_HK_1 --changed-since out/deck_army_HK_1.manifest.json",
}
"""What the page shows the output of as it is for another state of the game."""

QUICK = [
    "building.md", "ci.md", "cutting.md", "decks.md", "exports.md", "moths", "pictures.md",
    "runs.md",
]  # fmt: skip
"""Pages whose commands take few seconds; of the others, `make test` tries one."""


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands of a page, with what it says that a block of one prints."""
    for lines, said in BLOCK.findall(page.read_text(encoding="utf-8")):
        asked = [line for line in lines.splitlines() if not line.startswith("#!")]
        for line in asked:
            yield line.removeprefix("exec ").partition("  #")[0].rstrip(), said


def reason(command: str) -> str | None:
    """Return why a command is not run."""
    return next((why for start, why in NOT_RUN.items() if re.match(start, command)), None)


def named(page: Path) -> str:
    return page.parent.name if page.name == "README.md" else page.name


TRIED = [
    page
    for page in sorted(PAGES, key=named)
    if page.name not in ELSEWHERE and any(not reason(command) for command, _ in commands(page))
]


def made(page: Path, folder: Path) -> None:
    """Make the game that a page is about, and the files that it takes for granted."""
    source = ROOT / "examples" / "mosaic" if page.name == "runs.md" else ROOT
    for name in ("xml", "img", "templates"):
        if (source / name).is_dir():
            shutil.copytree(source / name, folder / name)
    text = page.read_text(encoding="utf-8")
    games = set(re.findall(r"--game (examples/\w+)", text))
    if page.name == "ci.md":
        shutil.copy(folder / "xml/Decks/army_HK_1.xml", folder / "xml/Decks/my-deck.xml")
        games |= {"examples/starter"}
    for game in games:
        shutil.copytree(
            ROOT / game, folder / game, ignore=shutil.ignore_patterns("out", "pictures")
        )
    if page.name == "ci.md":
        for name in ("my-game", "games/one"):
            shutil.copytree(folder / "examples/starter", folder / name)
        shutil.rmtree(folder / "examples")
        track(folder)
        git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    if page.name == "runs.md":
        _, deck = re.findall(r"^```json\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        (folder / "out").mkdir()
        (folder / "out/club.jsonl").write_text(deck, encoding="utf-8")
    if page.name == "printing.md":
        made_elsewhere(folder)


def made_elsewhere(folder: Path) -> None:
    """Make files that other programs are said to have made."""
    for name, sizes in {"cards.pdf": [(63, 88)] * 6, "board.pdf": [(594, 420)]}.items():
        with PdfWriter() as pdf:
            for width, height in sizes:
                pdf.add_blank_page(width / 25.4 * 72, height / 25.4 * 72)
            pdf.write(folder / name)
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="300mm" height="300mm"/>'
    (folder / "board.svg").write_text(drawing, encoding="utf-8")
    shutil.copy(ROOT / "docs/pictures/sheet.png", folder / "mat.png")


def run(command: str) -> Result:
    """Run a command in this process, without what only a shell can do with its output."""
    program, *arguments = shlex.split(re.split(" > | \\|\\| ", command)[0])
    return CliRunner().invoke(getattr(cli, program), arguments, catch_exceptions=False)


def follow(page: Path, folder: Path) -> None:
    """Run what a page says, and compare what it prints with what the page says of that."""
    made(page, folder)
    printed = ""
    for command, said in commands(page):
        if reason(command) or command in SLOW:
            continue
        if "…" in command:  # a code, as a command before has printed it
            files = [*folder.glob("out/*signed*.jsonl")]
            known = printed + "".join(path.read_text("utf-8") for path in files)
            start = re.search(r"\S+(?=…)", command)
            assert start is not None
            code = re.search(rf"{start[0].partition('.')[0]}\.[A-Z2-7]{{50,}}", known)
            assert code is not None, command
            command = command.replace(f"{start[0]}…", code[0])  # noqa: PLW2901
        done = run(command)
        assert done.exit_code == (1 if command in FINDINGS else 0), (command, done.output)
        printed += done.output
        shown = " ".join(done.output.split())  # some spaces are no-break spaces
        parts = [" ".join(part.split()) for part in re.split(r"^\s*…\n", said, flags=re.MULTILINE)]
        if command in EXAMPLES:
            continue
        assert [part for part in parts if part not in shown] == [], command
        if key := re.search(r'public-key="\w+"', done.output):
            edit(folder / "xml/game.xml", "<game ", f"<game {key[0]} ")


@pytest.mark.parametrize("page", [page for page in TRIED if named(page) in QUICK], ids=named)
def test_the_commands_of_a_page_work_as_written(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shipped_checked: CheckResult,
    user_home: Home,
) -> None:
    assert shipped_checked.code == 0
    if named(page) == "moths":  # whose Japanese font takes long to prepare
        assert user_home.know(ROOT / "examples/moths").code == 0
    monkeypatch.chdir(tmp_path)
    follow(page, tmp_path)


def test_the_way_from_a_catalog_to_a_printed_deck_works_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ROOT / "docs/languages.md"
    text = page.read_text(encoding="utf-8")
    shutil.copytree(ROOT / "examples/starter", tmp_path / "game")
    monkeypatch.chdir(tmp_path / "game")
    entry, *_ = re.findall(r"^```po\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    untranslated = re.sub(r'msgstr ".*"', 'msgstr ""', entry)
    for command, _ in commands(page):
        assert run(command).exit_code == 0, command
        if command == "deckwright language add fr":
            edit(Path("xml/lang/fr.po"), untranslated, entry)
    assert "Chaton" in "".join(page_texts(Path("out/fr/deck_cats.pdf")))
    for command in re.findall(r"`(deckwright language (?:export|import) [^`]*)`", text):
        assert run(command).exit_code == 0, command
    assert entry in Path("xml/lang/fr.po").read_text(encoding="utf-8")


LONG = sorted((p for p in TRIED if named(p) not in QUICK), key=lambda p: named(p) != "starter")


@pytest.mark.corpus(len(LONG))
@pytest.mark.parametrize("page", LONG, ids=named)
def test_the_commands_of_a_long_page_work_as_written(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped_checked: CheckResult
) -> None:
    assert shipped_checked.code == 0
    monkeypatch.chdir(tmp_path)
    follow(page, tmp_path)


@pytest.mark.corpus(len(SLOW))
@pytest.mark.parametrize("command", SLOW)
def test_a_slow_command_of_a_page_works_as_written(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped_checked: CheckResult
) -> None:
    assert shipped_checked.code == 0
    assert any(command == each for page in PAGES for each, _ in commands(page))
    target = ["--out", str(tmp_path / "made.pdf")] if "--service" in command else []
    monkeypatch.chdir(tmp_path)
    done = run(shlex.join([*shlex.split(command), "--game", str(ROOT), *target]))
    assert done.exit_code == 0, done.output


def test_what_is_not_run_is_in_the_pages() -> None:
    told = [command for page in PAGES for command, _ in commands(page)]
    assert [start for start in NOT_RUN if not any(re.match(start, each) for each in told)] == []


def test_the_readme_counts_the_shipped_game() -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    game = load_all(ROOT)
    decks = len([*(ROOT / "xml" / "Decks").glob("*.xml")])
    assert f"{len(game.cards)} cards, {len(game.rules)} special rules and eight decks" in readme
    assert decks == 8


def test_the_readme_of_festival_counts_its_game() -> None:
    readme = (ROOT / "examples/festival/README.md").read_text(encoding="utf-8")
    game = load_all(ROOT / "examples/festival")
    cards = Counter(card.faction_id for card in game.cards.values())
    markers = {marker.id: marker.copies for marker in game.setup.markers}
    assert f"{len(game.cards)} cards: {cards['RP']} of Rustpit Open Air" in readme
    assert f"{cards['VM']} of Velvet Meadow (Alternative), {cards['SK']} of the sky" in readme
    assert f"{len(game.rules)} rules with names" in readme
    up, down, energy = (markers[name] for name in ("mood-up", "mood-down", "energy"))
    assert f"{up} markers for mood up, {down} for mood down, {energy} for energy" in readme
