"""The page for browsers: what its files hold, what stays, and what it does not replace."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import polib
import pytest

import deckwright
from conftest import Run, edit
from support import card, line, token_rule, uses, write_game

TRICKY = "</script><b onclick=x> & Söhne"


class Reader(HTMLParser):
    """What a page holds: its elements with their attributes, and the text of some."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.ways: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.ways.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.ways[-1] if self.ways else "", []).append(data)

    def values(self, tag: str, name: str) -> list[str]:
        return [
            value for found, given in self.elements if found == tag and (value := given.get(name))
        ]


def data_of(page: Path) -> Any:
    """Return what the script of a page reads."""
    text = page.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of five cards and a token, with two decks."""
    cards = [
        card("A1", "Ant", "AA", uses("call"), level=2, costs=3, actions=2),
        card("A2", TRICKY.replace("&", "&amp;").replace("<", "&lt;"), costs=4),
        card("A?#", "Odd", costs=1),
        card("B1", "Bee", "BB"),
        card("G1", "Guest", "GG"),
    ]
    decks = {"ants": [line("A1", 3), line("A2"), line("G1", 2)], "bees": [line("B1", 2)]}
    return write_game(tmp_path / "game", cards, rules=[token_rule("call", "Wolf")], decks=decks)


@pytest.fixture
def site(game: Path, run: Run) -> Path:
    result = run("export", "html", "-g", str(game))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[-1].startswith("6 faces in ")
    return game / "out" / "html"


def test_all_cards_can_be_read_without_a_script(site: Path) -> None:
    page = Reader(site / "index.html")
    alts = page.values("img", "alt")
    assert [alt.partition("\n")[0] for alt in alts] == [
        "Ant (Card)", f"{TRICKY} (Card)", "Odd (Card)", "Wolf (Token)",
        "Bee (Card)", "Guest (Card)",
    ]  # fmt: skip
    assert "Call (1): Create a Wolf." in alts[0]
    for name in {*page.values("img", "src"), *page.values("a", "href")} - {"#main"}:
        if name.startswith("#"):
            assert unquote(name[1:]) in page.values("li", "id") + page.values("section", "id")
        else:
            assert (site / unquote(urlsplit(name).path)).read_bytes().startswith(b"<?xml")
    assert "Create a Wolf." in page.texts["dd"]


def test_the_page_runs_nothing_but_its_own(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    page = Reader(site / "index.html")
    assert "<b onclick" not in text
    assert not re.search(r"\b(?:https?:)?//[a-z]", re.sub(r"<script>.*?</script>", "", text))
    assert not [name for _, given in page.elements for name in given if name.startswith("on")]
    assert not [given for _, given in page.elements if "style" in given]
    (policy,) = [p for p in page.values("meta", "content") if "default-src 'none'" in p]
    for tag in ("style", "script"):
        content = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()) for each in content]
        assert [f"{tag}-src 'sha256-{digests[0].decode()}'"] == re.findall(
            rf"{tag}-src [^;]*", policy
        )
        assert len(digests) == 1
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)[0]
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)


def test_the_script_knows_the_cards_in_the_order_of_the_page(site: Path) -> None:
    faces = data_of(site / "index.html")["faces"]
    alts = Reader(site / "index.html").values("img", "alt")
    assert [f"{face['name']} ({face['kind'].title()})" for face in faces] == [
        alt.partition("\n")[0] for alt in alts
    ]
    assert [face["copies"] for face in faces][:2] == [{"ants": 3}, {"ants": 1}]
    assert "source" not in faces[0]


def test_a_page_of_a_deck_has_its_cards_alone(game: Path, run: Run) -> None:
    edit(game / "xml/Factions/BB_cards.xml", 'costs="0"', 'costs="none"')
    assert run("export", "html", "ants", "-g", str(game)).exit_code == 0
    page = game / "out/html_ants/index.html"
    cards = {(face["card"], face["copies"]["ants"]) for face in data_of(page)["faces"]}
    assert cards == {("A1", 3), ("A2", 1), ("G1", 2), ("call/1", 6)}
    assert "3×" in page.read_text(encoding="utf-8")
    assert "Bee" not in page.read_text(encoding="utf-8")


def test_a_deck_with_errors_is_left_out_of_a_game_but_not_shown_alone(
    site: Path, game: Path, run: Run
) -> None:
    edit(game / "xml/Decks/bees.xml", 'id="B1"', 'id="B9"')
    before = files_in(site)
    result = run("export", "html", "bees", "-g", str(game), "-o", str(site))
    assert (result.exit_code, "B9" in result.stderr) == (1, True)
    assert files_in(site) == before
    result = run("export", "html", "-g", str(game))
    assert (result.exit_code, "B9" in result.stderr) == (1, True)
    assert [deck["value"] for deck in data_of(site / "index.html")["decks"]] == ["ants"]


def test_a_game_with_errors_leaves_the_old_page(site: Path, game: Path, run: Run) -> None:
    before = files_in(site)
    edit(game / "templates/card.xml", "card.name", "card.nane")
    assert run("export", "html", "-g", str(game)).exit_code == 1
    assert files_in(site) == before
    assert [path.name for path in site.parent.iterdir()] == ["html"]


def test_the_same_game_gives_the_same_bytes_and_old_faces_go(
    site: Path, game: Path, run: Run
) -> None:
    before = files_in(site)
    assert run("export", "html", "-g", str(game)).exit_code == 0
    assert files_in(site) == before
    sums = {name: digest for digest, name in
            (row.split("  ") for row in before["SHA256SUMS"].decode().splitlines())}  # fmt: skip
    assert [*sums] == sorted(sums)
    assert sums == {
        name: hashlib.sha256(content).hexdigest()
        for name, content in before.items()
        if name != "SHA256SUMS"
    }
    edit(game / "xml/Factions/BB_cards.xml", 'id="B1"', 'id="B7"')
    edit(game / "xml/Decks/bees.xml", 'id="B1"', 'id="B7"')
    assert run("export", "html", "-g", str(game)).exit_code == 0
    changes = files_in(site).keys() ^ before.keys()
    assert changes == {"faces/B1.svg", "faces/B7.svg"}


@pytest.mark.parametrize("which", ["notes", "own", "sums", "file"])
def test_what_is_no_page_is_not_replaced(
    which: str, site: Path, game: Path, tmp_path: Path
) -> None:
    target = site if which == "notes" else tmp_path / which
    if which == "file":
        target.write_text("mine", encoding="utf-8")
    else:
        target.mkdir(exist_ok=True)
        (target / "CNAME").write_text("example.org", encoding="utf-8")
    if which == "sums":
        (target / "SHA256SUMS").write_text(f"{'0' * 64}  CNAME\n", encoding="utf-8")
    before = files_in(tmp_path)
    with pytest.raises(deckwright.GameError, match="E100"):
        deckwright.open_game(game).export_html(target)
    assert files_in(tmp_path) == before


def test_pages_of_other_languages_stay_in_their_folders(small: Path, run: Run) -> None:
    assert run("language", "add", "fr").exit_code == 0
    catalog = polib.pofile(small / "xml/lang/fr.po")
    for entry in catalog:
        entry.msgstr = "Passeur" if entry.msgid == "Ferryman" else ""
    catalog.save()
    for _ in range(2):
        result = run("export", "html", "--languages", "all", "-o", "site/", "-q")
        assert result.exit_code == 0, result.stderr
    assert run("export", "html", "-o", "site", "-q").exit_code == 0
    english, french = (Reader(small / "site" / name / "index.html") for name in ("", "fr"))
    assert (english.values("html", "lang"), french.values("html", "lang")) == (["en"], ["fr"])
    assert ("Ferryman" in english.texts["span"], "Passeur" in french.texts["span"]) == (True, True)
    controls = [given for _, given in french.elements if given.get("lang") == "en"]
    assert controls
    assert not [given for tag, given in english.elements if tag != "html" and "lang" in given]
    assert french.texts["title"] == english.texts["title"]


def test_a_watermark_is_on_every_face(game: Path, run: Run) -> None:
    for place in ("plain", "marked"):
        options = ["--watermark", "PLAYTEST"] if place == "marked" else []
        run("export", "html", "ants", "-g", str(game), "-o", str(game / place), *options)
    plain, marked = (files_in(game / place) for place in ("plain", "marked"))
    assert plain.keys() == marked.keys()
    faces = [name for name in plain if name.startswith("faces/")]
    assert all(len(marked[name]) > len(plain[name]) for name in faces)
