"""`deckwright overview`: all factions, cards and rules in one PDF."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from conftest import HERE, ROOT, SMALL, Run, edit
from deckwright.cli import deckwright
from deckwright.game.model import Card, Faction, Game, Rule
from support import card, load_all, program, token_rule, uses, write_game

COVER, CONTENTS = 1, 2
INDEXES = ["Register der Karten", "Register der Sonderregeln"]


def squeezed(text: str) -> str:
    """Return a text without spaces and hyphens, so that it does not matter where lines end."""
    return re.sub(r"[\s\u00a0\-\ufffe\x02]", "", text)


class Link(NamedTuple):
    """What a link covers, on which page, and the page that it leads to; pages from 1."""

    text: str
    page: int
    target: int


class Read:
    """An overview that was printed: its pages, links and outline. Pages count from 1."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.links: list[Link] = []
        self.texts = [""]
        with pikepdf.open(path) as pdf, pypdfium2.PdfDocument(path) as seen:
            numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages, 1)}
            for number, page in enumerate(pdf.pages, 1):
                textpage = seen[number - 1].get_textpage()
                self.texts.append(textpage.get_text_range())
                for link in page.obj.get("/Annots", []):
                    text = " ".join(textpage.get_text_bounded(*map(float, link.Rect)).split())
                    self.links.append(Link(text, number, numbers[link.Dest[0].objgen]))
                textpage.close()

    def outline(self) -> list[tuple[int, str, int]]:
        """Return the outline: depths, titles, pages."""
        reader = PdfReader(self.path)

        def walk(items: list[object], depth: int) -> Iterator[tuple[int, str, int]]:
            for item in items:
                if isinstance(item, list):
                    yield from walk(item, depth + 1)
                else:
                    page = reader.get_destination_page_number(item)  # type: ignore[arg-type]
                    yield depth, str(item.title), (page or 0) + 1  # type: ignore[attr-defined]

        return list(walk([*reader.outline], 0))

    def part(self, title: str) -> list[str]:
        """Return the pages from a heading to the page where the next but one begins."""
        marks = self.outline()
        (start,) = (page for _, name, page in marks if name == title)
        end = min((page for _, _, page in marks if page > start), default=len(self.texts))
        return self.texts[start:end]


def build(game: Path, target: Path, *arguments: str) -> Read:
    command = ["overview", *arguments, "--game", str(game), "--out", str(target)]
    result = CliRunner().invoke(deckwright, command)
    assert (result.exit_code, result.stderr) == (0, ""), result.exception
    return Read(target)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache folder of the overviews that several tests look at."""
    return tmp_path_factory.mktemp("images")


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Read:
    """The whole overview of the shipped game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        return build(ROOT, tmp_path_factory.mktemp("overview") / "overview.pdf")


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Read:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        return build(SMALL, tmp_path_factory.mktemp("small") / "overview.pdf")


@pytest.fixture(scope="session")
def shipped() -> Game:
    return load_all(ROOT)


def cards_of(game: Game, faction: Faction) -> list[Card]:
    """Return the cards of a faction, and the tokens that these can create."""
    cards = [found for found in game.cards.values() if found.faction_id == faction.id]
    for found in cards:
        for rule_id in found.rule_ids():
            cards += [token for token in game.rules[rule_id].tokens if token not in cards]
    return cards


def rules_of(game: Game, faction: Faction) -> list[Rule]:
    ids = dict.fromkeys(i for found in cards_of(game, faction) for i in found.rule_ids())
    return [game.rules[rule_id] for rule_id in ids]


def test_every_card_stands_once_above_its_id(whole: Read, shipped: Game) -> None:
    with pypdfium2.PdfDocument(whole.path) as document:
        for faction in shipped.factions.values():
            start = whole.texts.index(whole.part(faction.name)[0])
            seen: dict[str, str] = {}
            for offset in range(len(whole.part(faction.name))):
                page = document[start + offset - 1].get_textpage()
                for found in cards_of(shipped, faction):
                    search = page.search(found.id, match_case=True, match_whole_word=True)
                    while (place := search.get_next()) is not None:
                        boxes = [page.get_charbox(place[0] + n) for n in range(place[1])]
                        middle, top = (boxes[0][0] + boxes[-1][2]) / 2, boxes[0][3]
                        above = page.get_text_bounded(middle - 56, top, middle + 56, top + 160)
                        assert found.id not in seen
                        seen[found.id] = above
                page.close()
            for found in cards_of(shipped, faction):
                assert squeezed(found.name) in squeezed(seen[found.id]), found.id


def test_every_rule_is_under_the_name_that_the_race_gives_it(whole: Read, shipped: Game) -> None:
    for faction in shipped.factions.values():
        text = squeezed(" ".join(whole.part(faction.name)))
        passive, _, active = text.partition(squeezed("Aktive Sonderregeln"))
        _, _, passive = passive.rpartition(squeezed("Passive Sonderregeln"))
        for rule in rules_of(shipped, faction):
            cost = f"({rule.cost})" if rule.active else ""
            label = rule.any_label(faction.race)
            assert rule.label(faction.race) in {None, label}
            entry = squeezed(label + cost + rule.effect[:40])
            here, there = (active, passive) if rule.active else (passive, active)
            assert here.count(entry) == 1, (faction.id, label)
            assert entry not in there


def test_a_faction_shows_nothing_of_others(whole: Read, shipped: Game) -> None:
    for faction in shipped.factions.values():
        words = set(" ".join(whole.part(faction.name)).split())
        expected = {found.id for found in cards_of(shipped, faction)}
        assert {found.id for found in shipped.cards.values()} & words <= expected
        assert squeezed(faction.description) in squeezed(" ".join(whole.part(faction.name)))


def test_the_outline_has_races_with_their_factions(whole: Read, shipped: Game) -> None:
    expected = [(0, "Inhalt")]
    for race in dict.fromkeys(faction.race for faction in shipped.factions.values()):
        expected.append((0, race))
        expected += [(1, f.name) for f in shipped.factions.values() if f.race == race]
    assert [mark[:2] for mark in whole.outline()] == [*expected, *((0, i) for i in INDEXES)]
    for _, title, page in whole.outline():
        assert squeezed(title) in squeezed(whole.texts[page])


@pytest.mark.parametrize("name", ["whole", "small"])
def test_the_contents_have_true_numbers_and_lead_there(
    name: str, request: pytest.FixtureRequest
) -> None:
    book: Read = request.getfixturevalue(name)
    contents = [link for link in book.links if link.page == CONTENTS]
    assert [f"{title} {page}" for _, title, page in book.outline()[1:]] == [
        link.text for link in contents
    ]
    assert all(link.text.endswith(f" {link.target}") for link in contents)


def test_the_index_of_cards_has_true_numbers(whole: Read, shipped: Game) -> None:
    entries = {}
    (first, last) = (page for _, title, page in whole.outline() if title in INDEXES)
    for link in whole.links:
        if first <= link.page < last:
            match = re.fullmatch(r"(.+) \((\w+)\) ?(\d+)", link.text)
            assert match
            assert int(match[3]) == link.target
            assert match[2] in whole.texts[link.target].split()
            entries[match[2]] = match[1]
    assert entries == {found.id: found.name for found in shipped.cards.values()}


@pytest.mark.parametrize("name", ["whole", "small"])
def test_the_index_of_rules_has_true_numbers(name: str, request: pytest.FixtureRequest) -> None:
    book: Read = request.getfixturevalue(name)
    game = load_all(ROOT if name == "whole" else SMALL)
    start = book.outline()[-1][2]
    for link in book.links:
        if link.page >= start:
            assert re.search(rf"(?:^|\D){link.target}$", link.text)
    text = "\n".join(book.texts[start:])
    for faction in game.factions.values():
        pages = {book.texts.index(page) for page in book.part(faction.name)}
        for rule in rules_of(game, faction):
            label = rule.any_label(faction.race)
            found = re.search(rf"^{re.escape(label)} ([\d, ]+)\r?$", text, re.MULTILINE)
            assert found, label
            numbers = list(map(int, found[1].split(",")))
            assert numbers == sorted(set(numbers))
            # Its name stands on one page of the faction, and that page is in the index.
            (page,) = pages & set(numbers)
            assert squeezed(label + (f"({rule.cost})" if rule.active else "") + rule.effect[:20]
                            ) in squeezed(book.texts[page])  # fmt: skip


def test_every_link_leads_to_what_it_names(small: Read) -> None:
    assert {link.page for link in small.links} == {2, len(small.texts) - 2, len(small.texts) - 1}
    for link in small.links:
        word = re.split(r" \(| \d", link.text)[0]
        assert word.isdecimal() or squeezed(word) in squeezed(small.texts[link.target])


def test_one_faction_alone_has_neither_cover_nor_contents(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(SMALL, tmp_path / "game"))
    result = run("overview", "EC")
    assert result.exit_code == 0
    assert result.stdout == f"1 page in {Path('out/overview_EC.pdf')}\n"
    book = Read(Path("out/overview_EC.pdf"))
    assert [mark[1:] for mark in book.outline()] == [("Ember Court", 1)]
    words = set(" ".join(book.texts).split())
    assert {found.id for found in load_all(SMALL).cards.values()} & words == {
        "EC1", "EC2", "EC3", "EC4", "EC5",
    }  # fmt: skip
    assert "River Wardens" not in " ".join(book.texts)


def test_several_factions_have_all_that_the_whole_has(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(SMALL, tmp_path / "game"))
    assert run("overview", "WF", "EC", "WF", "--quiet").output == ""
    book = Read(Path("out/overview_WF_EC.pdf"))
    titles = [title for _, title, _ in book.outline()]
    assert titles == ["Contents", "Ember", "Ember Court", "Neutral", "Wayfarers",
                      "Index of cards", "Index of rules"]  # fmt: skip
    words = set(" ".join(book.texts).split())
    assert {"EC1", "WF1"} <= words
    assert "RW1" not in words


def test_an_unknown_faction_is_refused_with_a_hint(run: Run, tmp_path: Path) -> None:
    game = str(shutil.copytree(SMALL, tmp_path / "game"))
    for name, hint in (("ec", "did you mean `EC`?"), ("XY", "use one of `RW`, `EC`, `WF`")):
        result = run("overview", "EC", name, "--game", game)
        assert (result.exit_code, (tmp_path / "game" / "out").exists()) == (2, False)
        assert f"there is no faction `{name}`" in result.stderr
        assert hint in result.stderr


def test_it_says_what_it_is(whole: Read) -> None:
    reader = PdfReader(whole.path)
    assert reader.metadata is not None
    assert reader.metadata.title == "Drei Reihen – Übersicht"
    assert str(reader.root_object["/Lang"]) == "de"
    assert reader.page_labels == [str(number) for number in range(1, len(reader.pages) + 1)]
    for number, text in enumerate(whole.texts[CONTENTS:], CONTENTS):
        assert re.search(rf"\b{number}\b", text), "the page number at the foot"
    assert "Drei Reihen" in whole.texts[COVER]


def test_all_fonts_are_embedded_and_the_file_is_without_fault(whole: Read) -> None:
    with pikepdf.open(whole.path) as pdf:
        assert pdf.check_pdf_syntax() == []
        objects = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary)]
        fonts = [item for item in objects if item.get("/Type") == "/Font"]
        assert fonts
        for font in fonts:
            assert re.match(r"/[A-Z]{6}\+", str(font.BaseFont))
            assert "/FontFile2" in font.FontDescriptor
            assert "/ToUnicode" in font


@pytest.mark.parametrize("place", ["", "other"])
def test_two_builds_are_equal_in_every_byte_wherever_the_cache_is(
    small: Read, tmp_path: Path, cache: Path, place: str
) -> None:
    target = tmp_path / "again.pdf"
    command = ("overview", "--game", SMALL, "--out", target)
    folder = str(cache / place)
    result = program(*command, cwd=tmp_path, PYTHONHASHSEED="12345", XDG_CACHE_HOME=folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert target.read_bytes() == small.path.read_bytes()


def test_a_game_without_templates_of_its_own_has_an_overview(tmp_path: Path) -> None:
    book = build(HERE / "games" / "foreign", tmp_path / "overview.pdf")
    text = squeezed(" ".join(book.texts))
    for word in ("Sumpfkönigtum", "Bund der Füchse & Dachse", "Listig, leise und allein.", "Molch",
                 "Teichruf", "Lockruf", "bleibt liegen <bis zum Ende> der Runde"):  # fmt: skip
        assert squeezed(word) in text, word


@pytest.fixture
def ants(tmp_path: Path) -> Path:
    label = '<label GEN="Digger" Ants="Ant &amp; Co"/>'
    dig = f'<rule id="dig" type="passive" effect="Digs &lt;b>.">{label}</rule>'
    cards = [card("A1", "Ant", "AA", uses("call", "dig"))]
    return write_game(tmp_path, cards, rules=[token_rule("call", "Wolf"), dig])


def test_nothing_in_texts_is_taken_for_markup(ants: Path) -> None:
    book = build(ants, ants / "out" / "x.pdf", "AA")
    text = " ".join(" ".join(book.texts).split())
    assert "Ant & Co Digs <b>." in text
    assert "Call (1) Create a Wolf." in text


@pytest.mark.parametrize("wrong", ["{icon:nosuch}", "\N{SNOWMAN}"])
@pytest.mark.parametrize(("old", "new", "name"), [
    ("Digs &lt;b>.", "Digs {}.", "rules"),
    ('color="teal"/>', 'color="teal"><description>Oh {}</description></faction>',
     "factions_definition"),
])  # fmt: skip
def test_what_cannot_be_printed_is_reported_at_its_place(
    ants: Path, run: Run, wrong: str, old: str, new: str, name: str
) -> None:
    assert run("overview", "--game", str(ants), "--quiet").output == ""
    before = (ants / "out" / "overview.pdf").read_bytes()
    edit(ants / "xml" / f"{name}.xml", old, new.format(wrong))
    result = run("overview", "--game", str(ants))
    assert result.exit_code == 1
    assert re.search(rf"{name}\.xml:\d+:\d+: error ", result.stderr)
    assert "the overview was not printed: 1 error" in result.stderr
    assert (ants / "out" / "overview.pdf").read_bytes() == before
