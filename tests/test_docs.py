"""The documentation is true: generated pages are current, and the README's commands work."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

from conftest import ROOT
from deckwright.base.findings import register_all_codes
from deckwright.templates.elements import ELEMENTS
from homes import CheckResult

register_all_codes()

README = (ROOT / "README.md").read_text(encoding="utf-8")


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATE = script("generate")


@pytest.mark.parametrize("name", sorted(GENERATE.PAGES))
def test_a_generated_page_is_current(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert page == GENERATE.PAGES[name](), "run `make docs`"


def test_the_picture_of_the_rooms_has_their_arrows() -> None:
    """The counts of files and lines may be older: they change with every commit."""
    picture = (ROOT / "docs" / "pictures" / "rooms.svg").read_text(encoding="utf-8")
    counts = re.compile(r"[\d,]+ files, [\d,]+ lines")
    assert counts.sub("", picture) == counts.sub("", script("rooms").rooms_svg()), "run `make docs`"


@pytest.mark.parametrize("tag", sorted(ELEMENTS))
def test_every_template_element_is_documented_with_a_picture(tag: str) -> None:
    page = (ROOT / "docs" / "templates.md").read_text(encoding="utf-8")
    assert f"\n## `{tag}`\n" in page, f"write docs/elements/{tag}.xml, then `make docs pictures`"
    section = page.split(f"\n## `{tag}`\n")[1].split("\n## ")[0]
    for attribute in ELEMENTS[tag].attributes:
        assert f"| `{attribute}` |" in section
    assert f"<{tag}" in section
    with Image.open(ROOT / "docs" / "pictures" / "elements" / f"{tag}.png") as picture:
        assert len(picture.convert("RGB").getcolors(100_000) or ()) > 1


PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob("benchmarks/*.md"),
    *ROOT.glob("examples/*/README.md"),
    *ROOT.glob(".github/*.md"),
]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def prose(page: Path) -> str:
    """Return a page without its programs, in which brackets mean something else."""
    return re.sub(
        r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are called in links, on GitHub and on the site."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_and_picture_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if "://" not in link:
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            assert target.is_file(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_lists_of_a_page_are_lists_on_the_site(page: Path) -> None:
    """Python-Markdown wants an empty line before a list, and four spaces for one within another."""
    lines = prose(page).splitlines()
    items = [number for number, line in enumerate(lines) if re.match(r" *(-|\d+\.) ", line)]
    for number in items:
        indent = re.match(" *", lines[number])
        assert indent is not None
        assert len(indent[0]) % 4 == 0, lines[number]
        before = lines[number - 1]
        assert not before or before.startswith(" ") or number - 1 in items, lines[number]


def test_the_modules_and_places_that_a_page_names_exist() -> None:
    code = [
        path
        for room in ("src", "tests", "benchmarks", "docs")
        for path in ROOT.glob(f"{room}/**/*.py")
    ]
    modules = {f"/{path.relative_to(ROOT).as_posix()}" for path in code}
    text = "\n".join(map(prose, PAGES))
    named = set(re.findall(r"`([\w./]+\.py)`", text))
    places = set(re.findall(r"`((?:src|tests|docs|benchmarks|\.ci)/[\w./-]+)`", text))
    assert len(named) > 20
    assert len(places) > 10
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in modules)] == []
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_the_navigation_of_the_site_has_every_page_that_the_readme_leads_to() -> None:
    found = [ROOT / "README.md"]
    for page in found:
        links = [link for link in LINK.findall(prose(page)) if "://" not in link]
        targets = [(page.parent / link.partition("#")[0]).resolve() for link in links]
        found += [t for t in dict.fromkeys(targets) if t.suffix == ".md" and t not in found]
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    named = re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)
    assert len(named) == len(set(named)) > 20
    assert set(named) == {page.relative_to(ROOT).as_posix() for page in found}
    assert {page for page in PAGES if page.parent.name != ".github"} == set(found)


def test_the_make_targets_that_the_docs_name_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    programs = "\n".join(re.findall(r"^```.*?^```", text, re.DOTALL | re.MULTILINE))
    target = "make ([a-z]+(?: [a-z]+)*)"
    lines = re.findall(f"^{target}", programs, re.MULTILINE) + re.findall(f"`{target}", text)
    targets = {word for line in lines for word in line.split()}
    assert {"deck", "test", "docs", "schema", "bench", "pictures"} <= targets
    assert [target for target in targets if f"\n{target}:" not in makefile] == []


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def clone(tmp_path: Path, shipped_checked: CheckResult) -> Path:
    assert shipped_checked.code == 0
    for name in ("xml", "img", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_five_minutes_of_the_readme_work_as_written(
    clone: Path, shipped_overview: Path, shipped_rulebook: Path
) -> None:
    card, deck = blocks("xml")
    cards = clone / "xml" / "Factions" / "HK_cards.xml"
    cards.write_text(
        cards.read_text(encoding="utf-8").replace("</data>", card + "</data>"), "utf-8"
    )
    (clone / "xml" / "Decks" / "mine.xml").write_text(deck, encoding="utf-8")
    shutil.copy(ROOT / "examples/moths/xml/Factions/moths.xlsx", clone / "cards.xlsx")
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    programs = ("deckwright ", "deck_constructor ", "marker_constructor", "overview_constructor")
    commands = [line for line in lines if line.startswith(programs)]
    assert len(commands) == 10
    told = [shlex.split(command, comments=True) for command in commands]
    # The books take long: those of the shipped game are printed once for all tests.
    for book in (["deckwright", "rulebook"], ["overview_constructor"]):
        told.remove(book)
    assert min(path.stat().st_size for path in (shipped_overview, shipped_rulebook)) > 0
    for program, *arguments in told:
        done = subprocess.run(
            [Path(sys.executable).parent / program, *arguments],
            cwd=clone,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert (clone / "out" / "deck_mine.pdf").is_file()
    assert (clone / "out" / "proof" / "HK17.png").is_file()
    printed = {path.name for path in (clone / "out").glob("*.pdf")}
    assert printed == {
        "box_army_EW_1.pdf",
        "deck_mine.pdf",
        "markers.pdf",
    }
    printed = {path.name for path in (clone / "my-game" / "out").glob("*.pdf")}
    assert printed == {"deck_cards.pdf", "overview.pdf"}


def test_the_mistake_of_the_readme_is_told_as_the_readme_says(clone: Path) -> None:
    cards = clone / "xml" / "Factions" / "HK_cards.xml"
    text = cards.read_text(encoding="utf-8")
    start = text.index('name="Held"')
    cards.write_text(text[:start] + text[start:].replace("strength", "strenght", 1), "utf-8")
    (said,) = blocks("text")
    program = Path(sys.executable).parent / "deckwright"
    done = subprocess.run(
        [program, "check"], cwd=clone, capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.stderr == said


def test_orbit_has_the_shipped_templates_and_a_skin() -> None:
    ours, theirs = ROOT / "examples/orbit/templates", ROOT / "templates"
    skin = {"chapter-art.xml", "chapter.xml", "cover-picture.xml", "opening.xml", "page.xml"}
    skin |= {"crown.xml", "helm.xml", "marker.xml", "pennant.xml", "tailpiece.xml"}
    skin |= {"back-ground.xml", "back-page.xml", "chip.xml", "created.xml", "field.xml"}
    skin |= {"mini.xml", "nerves.xml", "panels.xml", "reach.xml", "ready.xml", "round-end.xml"}
    skin |= {"round-middle.xml", "round.xml", "stowaway.xml", "turn.xml"}
    skin |= {f"tail-{end}.xml" for end in ("lathe", "mess", "port", "reef")}
    shared = {path.relative_to(ours) for path in ours.rglob("*.xml") if path.name not in skin}
    assert shared == set(GENERATE.shared_templates())
    for path in shared:
        assert (ours / path).read_bytes() == (theirs / path).read_bytes(), path
