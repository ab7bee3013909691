"""`deckwright overview`: all factions, cards and rules in one PDF."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, groupby, pairwise
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner
from PIL import Image
from pypdf import PdfReader

from conftest import HERE, ROOT, SMALL, Run, edit
from deckwright.base.colors import contrast
from deckwright.book.model import Book, Gallery, GalleryPicture
from deckwright.cli import deckwright
from deckwright.faces.factory import FaceFactory
from deckwright.game.folder import GameFolder
from deckwright.game.model import Card, Faction, Game, Rule
from deckwright.game.words import format_cost
from deckwright.ops.model import DrawGlyphs, Face, FillPath, Group, walk
from deckwright.ops.readable import alt_text
from deckwright.outputs.books import build_overview
from deckwright.paint.pdf.book import join_parts
from homes import Home
from support import card, load_all, run_program, token_rule, uses, write_game

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

    @cached_property
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

    def pages(self, title: str) -> range:
        """Return the pages from a heading to the next one, which may be the same page."""
        marks = self.outline
        ((place, start),) = ((i, page) for i, (_, name, page) in enumerate(marks) if name == title)
        end = marks[place + 1][2] if place + 1 < len(marks) else len(self.texts) - 1
        return range(start, end + 1)

    def part(self, title: str) -> str:
        """Return the text from a heading to the next one."""
        names = [name for _, name, _ in self.outline]
        following = names[names.index(title) + 1]
        text = "\n".join(self.texts[page] for page in self.pages(title))
        begun = re.split(rf"^{re.escape(title)}\r?$", text, maxsplit=1, flags=re.MULTILINE)[1]
        return re.split(rf"^{re.escape(following)}\r?$", begun, maxsplit=1, flags=re.MULTILINE)[0]


def build(game: Path, target: Path, *arguments: str, said: str = "") -> Read:
    command = ["overview", *arguments, "--game", str(game), "--out", str(target)]
    result = CliRunner().invoke(deckwright, command)
    assert (result.exit_code, result.stderr) == (0, said), result.exception
    return Read(target)


@pytest.fixture(scope="session")
def whole(shipped_overview: Path) -> Read:
    """The whole overview of the shipped game."""
    return Read(shipped_overview)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Read:
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


def entry_of(game: Game, faction: Faction, rule: Rule, length: int) -> str:
    """Return the beginning of a rule in a list: its name, what it costs except icons, its text."""
    cost = format_cost(game.setup.words, rule.cost) if rule.cost is not None else ""
    text = re.sub(r"\{.*?\}", "", cost) + rule.effect[:length]
    return squeezed(rule.any_label(faction.race) + text)


def rules_of(game: Game, faction: Faction) -> list[Rule]:
    ids = dict.fromkeys(i for found in cards_of(game, faction) for i in found.rule_ids())
    return [game.rules[rule_id] for rule_id in ids]


def shown(found: Card, faction: Faction, text: str) -> int:
    """Return how often a text has a card's face: its name, and some lines below the faction's."""
    name, own = (r"\s+".join(map(re.escape, text.split())) for text in (found.name, faction.name))
    face = rf"^{name}\r?\n(?:(?!.*– Übersicht).+\n){{0,16}}?{own}\b"
    return len(re.findall(face, text, re.MULTILINE))


def test_every_card_stands_once_in_its_faction(whole: Read, shipped: Game) -> None:
    for faction in shipped.factions.values():
        text = whole.part(faction.name)
        cards = cards_of(shipped, faction)
        for found in cards:
            namesakes = sum(other.name == found.name for other in cards)
            assert shown(found, faction, text) == namesakes, found.id


def test_ids_of_cards_are_no_captions(whole: Read, shipped: Game) -> None:
    for faction in shipped.factions.values():
        words = set(whole.part(faction.name).split())
        assert not words & {found.id for found in cards_of(shipped, faction)}


def test_cards_whose_faces_do_not_name_them_have_captions(tmp_path: Path) -> None:
    cards = [card("A1", "Ant"), card("A2", "Great Bee")]
    plain = '<face><rect width="65" height="90" fill="#888888"/></face>'
    write_game(tmp_path / "dumb", cards, face=plain)
    assert "Ant" in build(tmp_path / "dumb", tmp_path / "dumb.pdf", "AA").texts[1]
    broken = plain.replace("/></face>", '/><text width="20">{{ card.name|upper }}</text></face>')
    write_game(tmp_path / "named", cards, face=broken)
    text = build(tmp_path / "named", tmp_path / "named.pdf", "AA").texts[1]
    assert "ANT" in text
    assert "Ant" not in text
    assert "Great Bee" not in text


def test_openings_of_sections_are_legible_and_white_where_that_is_possible() -> None:
    folder = ROOT / "examples" / "mosaic"
    game = load_all(folder)
    book = build_overview([*game.factions], FaceFactory(game, GameFolder(folder), []), [])
    galleries = [block for block in book.blocks if isinstance(block, Gallery)]
    inks = {}
    for picture in (each for gallery in galleries for each in gallery.pictures if each.headings):
        ground, *ops = picture.face.ops
        texts = walk(
            op for op in ops if isinstance(op, Group) and op.tag and op.tag.role[:1] == "H"
        )
        name = picture.headings[-1].title
        (inks[name],) = {op.color for op in texts if isinstance(op, DrawGlyphs)}
        assert isinstance(ground, FillPath)
        assert contrast(inks[name], ground.colors[0]) >= 4.5, name
    assert inks.pop("Sun") == "#000000"
    assert set(inks.values()) == {"#ffffff"}
    assert book.fonts == {"text": "text", "title": "display"}


def test_every_rule_is_under_the_name_that_the_race_gives_it(whole: Read, shipped: Game) -> None:
    for faction in shipped.factions.values():
        text = squeezed(whole.part(faction.name))
        passive, _, active = text.partition(squeezed("Aktive Sonderregeln"))
        _, _, passive = passive.rpartition(squeezed("Passive Sonderregeln"))
        for rule in rules_of(shipped, faction):
            label = rule.any_label(faction.race)
            assert rule.label(faction.race) in {None, label}
            entry = entry_of(shipped, faction, rule, 40)
            assert entry in (active if rule.active else passive), (faction.id, label)


def test_a_faction_shows_nothing_of_others(whole: Read, shipped: Game) -> None:
    for faction in shipped.factions.values():
        text = whole.part(faction.name)
        assert squeezed(faction.description) in squeezed(text)
        for other in shipped.factions.values():
            for found in cards_of(shipped, other) if other is not faction else ():
                assert not shown(found, other, text), found.id


def test_the_outline_has_races_with_their_factions(whole: Read, shipped: Game) -> None:
    expected = [(0, "Inhalt")]
    for race in dict.fromkeys(faction.race for faction in shipped.factions.values()):
        expected.append((0, race))
        expected += [(1, f.name) for f in shipped.factions.values() if f.race == race]
    assert [mark[:2] for mark in whole.outline] == [*expected, *((0, i) for i in INDEXES)]
    for _, title, page in whole.outline:
        assert squeezed(title) in squeezed(whole.texts[page])


@pytest.mark.parametrize("name", ["whole", "small"])
def test_the_contents_have_true_numbers_and_lead_there(
    name: str, request: pytest.FixtureRequest
) -> None:
    book: Read = request.getfixturevalue(name)
    contents = [link for link in book.links if link.page == CONTENTS]
    assert [f"{title} {page}" for _, title, page in book.outline[1:]] == [
        link.text for link in contents
    ]
    assert all(link.text.endswith(f" {link.target}") for link in contents)


def test_the_index_of_cards_has_true_numbers(whole: Read, shipped: Game) -> None:
    entries = []
    (first, last) = (page for _, title, page in whole.outline if title in INDEXES)
    for link in whole.links:
        match = re.fullmatch(r"(.+?)(?: \((.+)\))? ?(\d+)", link.text)
        if match and (first <= link.page < last):
            assert int(match[3]) == link.target
            assert squeezed(match[1]) in squeezed(whole.texts[link.target])
            entries.append((squeezed(match[1]), squeezed(match[2] or "")))
    names = Counter(found.name for found in shipped.cards.values())
    assert sorted(entries) == sorted(
        (
            squeezed(found.name),
            squeezed(shipped.factions[found.faction_id].name) if names[found.name] > 1 else "",
        )
        for found in shipped.cards.values()
    )


def test_the_index_of_rules_has_true_numbers(whole: Read, shipped: Game) -> None:
    book, game = whole, shipped
    start = book.outline[-1][2]
    for link in book.links:
        if link.page >= start:
            assert re.search(rf"(?:^|\D){link.target}$", link.text)
    text = "\n".join(book.texts[start:])
    for faction in game.factions.values():
        pages = set(book.pages(faction.name))
        for rule in rules_of(game, faction):
            label = rule.any_label(faction.race)
            words = r"\s+".join(map(re.escape, label.split()))
            found = re.search(rf"^{words}\s+([\d, ]+)\r?$", text, re.MULTILINE)
            assert found, label
            numbers = list(map(int, found[1].split(",")))
            assert numbers == sorted(set(numbers))
            # Its name stands on one page of the faction, and that page is in the index.
            entry = entry_of(game, faction, rule, 20)
            assert any(entry in squeezed(book.texts[page]) for page in pages & set(numbers))


def test_every_link_leads_to_what_it_names(small: Read) -> None:
    assert {link.page for link in small.links} == {CONTENTS}
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
    assert [mark[1:] for mark in book.outline] == [("Ember Court", 1)]
    text = squeezed(" ".join(book.texts))
    cards = load_all(SMALL).cards.values()
    names = {found.name for found in cards if squeezed(found.name) in text}
    assert names == {found.name for found in cards if found.faction_id == "EC"}
    assert "River Wardens" not in " ".join(book.texts)


def test_a_faction_without_cards_is_described(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(ROOT / "examples" / "orbit", game, ignore=shutil.ignore_patterns("out"))
    (game / "xml" / "Factions" / "CR_cards.xml").write_text("<data/>", encoding="utf-8")
    book = build(game, tmp_path / "overview.pdf")
    assert any("the peace around every world" in text for text in book.texts)


def test_several_factions_have_all_that_the_whole_has(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(SMALL, tmp_path / "game"))
    assert run("overview", "WF", "EC", "WF", "--quiet").output == ""
    book = Read(Path("out/overview_WF_EC.pdf"))
    titles = [title for _, title, _ in book.outline]
    assert titles == ["Ember Court", "Wayfarers"]  # a few cards are found without contents
    text = squeezed(" ".join(book.texts))
    for found in load_all(SMALL).cards.values():
        assert (squeezed(found.name) in text) == (found.faction_id in {"EC", "WF"})


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
        fonts = [item for item in objects if item.get("/Subtype") == "/Type0"]
        assert fonts
        for font in fonts:
            assert re.match(r"/[A-Z]{6}\+", str(font.BaseFont))
            assert "/FontFile2" in font.DescendantFonts[0].FontDescriptor
            assert "/ToUnicode" in font


@pytest.mark.parametrize("place", ["", "other"])
def test_two_builds_are_equal_in_every_byte_wherever_the_cache_is(
    small: Read, tmp_path: Path, user_home: Home, place: str
) -> None:
    target = tmp_path / "again.pdf"
    command = ("overview", "--game", SMALL, "--out", target)
    folder = str(user_home.cache / place)
    result = run_program(*command, cwd=tmp_path, PYTHONHASHSEED="12345", XDG_CACHE_HOME=folder)
    assert (result.returncode, result.stderr) == (0, "")
    assert target.read_bytes() == small.path.read_bytes()


def test_a_game_without_templates_of_its_own_has_an_overview(tmp_path: Path) -> None:
    said = (
        "there is no xml/game.xml, so the shipped game's is used\n"
        "tests/games/foreign/xml/rules.xml:18:20: warning R037: the active rule `r.null` costs 0 "
        'actions\n  18 |  <rule id="r.null" cost="0" type="active" effect="Kostet nichts – und '
        'bringt nichts.">\n     |                    ^\n'
        "  hint: write what it costs, or make it passive\n"
    )
    book = build(HERE / "games" / "foreign", tmp_path / "overview.pdf", said=said)
    text = squeezed(" ".join(book.texts))
    for word in ("Sumpfkönigtum", "Bund der Füchse & Dachse", "Listig, leise und allein.", "Molch",
                 "Teichruf", "Lockruf", "bleibt liegen <bis zum Ende> der Runde"):  # fmt: skip
        assert squeezed(word) in text, word


@pytest.fixture
def ants(tmp_path: Path) -> Path:
    label = '<label GEN="Digger" Ants="Ant &amp; Co"/>'
    dig = f'<rule id="dig" type="passive" effect="Digs &lt;c>.">{label}</rule>'
    cards = [card("A1", "Ant", "AA", uses("call", "dig"))]
    return write_game(tmp_path, cards, rules=[token_rule("call", "Wolf"), dig])


def test_nothing_in_texts_is_taken_for_markup(ants: Path) -> None:
    book = build(ants, ants / "out" / "x.pdf", "AA")
    text = " ".join(" ".join(book.texts).split())
    assert "Ant & Co Digs <c>." in text
    assert "Call (1) Create a Wolf." in text


@pytest.mark.parametrize("wrong", ["{icon:nosuch}", "\N{SNOWMAN}"])
@pytest.mark.parametrize(("old", "new", "name"), [
    ("Digs &lt;c>.", "Digs {}.", "rules"),
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


def test_the_only_faction_of_a_game_has_a_cover_but_no_contents(
    tmp_path: Path,
) -> None:
    folder = write_game(tmp_path, [card("A1", "Ant")])
    for name in ("BB", "GG"):
        (folder / "xml" / "Factions" / f"{name}_cards.xml").unlink()
    definition = folder / "xml" / "factions_definition.xml"
    kept = [line for line in definition.read_text(encoding="utf-8").splitlines()
            if 'id="BB"' not in line and 'id="GG"' not in line]  # fmt: skip
    definition.write_text("\n".join(kept), encoding="utf-8")
    book = build(folder, tmp_path / "one.pdf")
    assert "Overview" in book.texts[COVER]
    assert [title for _, title, _ in book.outline] == ["Hill"]


def low_pages(book: Read, share: float = 0.515) -> list[int]:
    """Return the pages that are empty below a share of their height, but for the page number."""
    found = []
    with pypdfium2.PdfDocument(book.path) as document:
        for number, page in enumerate(document, 1):
            picture = page.render(scale=0.4).to_pil().convert("L")
            width, height = picture.size
            half = picture.crop((0, round(height * share), width, round(height * 0.92)))
            if half.point(lambda value: 255 if value < 235 else 0).getbbox() is None:
                found.append(number)
    return found


def test_pages_under_half_full_are_ends_of_chapters(whole: Read, shipped_rulebook: Path) -> None:
    rules = Read(shipped_rulebook)
    chapters = {page for depth, _, page in rules.outline if depth == 0}
    assert {page + 1 for page in low_pages(rules)} <= {*chapters, len(rules.texts)}
    assert set(low_pages(whole)) <= {len(whole.texts) - 1}


def test_pictures_fill_all_pages(whole: Read) -> None:
    # Of the 266 mm for cards and text, less is left than for pictures of a few cards.
    assert low_pages(whole, (14 + 0.85 * 266) / 297) == []


def test_pictures_and_texts_are_beside_the_last_cards_of_a_faction(whole: Read) -> None:
    """No token or card has paper beside it; names and figures cross the gaps of other rows."""
    _, number, *_ = whole.pages("Geister")
    page = render(whole, number).convert("L")
    top, bottom = 25, 230
    columns = [page.crop((x, top, x + 1, bottom)).tobytes() for x in range(17, 193)]
    paper = [sum(value > 250 for value in column) / (bottom - top) for column in columns]
    gaps = [share for share in paper if share > 0.2]
    assert len(gaps) <= 2 * 4


def test_a_page_that_begins_with_a_faction_has_no_other_name_over_it(
    run: Run, tmp_path: Path
) -> None:
    path, game = tmp_path / "overview.pdf", ROOT / "examples" / "starter"
    assert run("overview", "--game", str(game), "--out", str(path)).exit_code == 0
    overview = Read(path)
    pages = {title: page for _, title, page in overview.outline}
    assert pages["The Cats"] < pages["The Gulls"]
    assert "The Cats" not in overview.texts[pages["The Gulls"]]


CARD = '<face><rect width="65" height="90" fill="#808080"/><text>{{ card.name }}</text></face>'


EFFECT = "Long and wide. " * 20


def filled(folder: Path, sizes: Iterable[int], *, rules: int = 0, effect: str = EFFECT) -> Read:
    """Return the overview of factions with so many cards, the first of which has rules."""
    texts = [
        f'<rule id="r{n}" type="passive" effect="{effect}"><label GEN="Rule {n}"/></rule>'
        for n in range(rules)
    ]
    used = uses(*(f"r{n}" for n in range(rules)))
    cards = [
        card(f"{name}{n}", f"{name} {n}", name, used if rules and not n else "")
        for name, size in zip(("AA", "BB", "GG"), sizes, strict=False)
        for n in range(size)
    ]
    return build(write_game(folder, cards, rules=texts, face=CARD), folder / "overview.pdf")


def shows(book: Read, page: int, name: str) -> bool:
    """Return whether a page has the card of this name; indexes name it, too."""
    return bool(re.search(rf"{name}\b(?! \()", book.texts[page]))


def test_a_page_has_nine_cards_nearly_as_large_as_they_are(tmp_path: Path) -> None:
    book = filled(tmp_path, [16])
    # Contents and the opening of the section stand among the cards.
    assert [n for n in range(16) if shows(book, 2, f"AA {n}")] == [*range(7)]
    assert [n for n in range(16) if shows(book, 3, f"AA {n}")] == [*range(7, 16)]
    with pypdfium2.PdfDocument(book.path) as document:
        picture = document[2].render(scale=72 / 25.4 / 2).to_pil().convert("L")
        across = picture.crop((0, 200, picture.width, 201)).tobytes().count(128)
    assert across / picture.width * 210 > 3 * 0.95 * 65


def render(book: Read, page: int) -> Image.Image:
    """Return a page as a picture with one pixel a millimeter."""
    with pypdfium2.PdfDocument(book.path) as document:
        picture: Image.Image = document[page - 1].render(scale=25.4 / 72).to_pil()
        return picture


def test_the_contents_stand_on_a_ground_as_large_as_a_card(tmp_path: Path) -> None:
    page = render(filled(tmp_path, [16]), 2)
    paper, ground = page.getpixel((3, 3)), page.getpixel((10, 15))
    assert ground != paper
    assert page.getpixel((69, 94)) == ground
    assert page.getpixel((72, 94)) == paper


def test_contents_precede_cards_as_wide_as_a_page(tmp_path: Path) -> None:
    cards = [card(f"A{n}", f"Ant {n}") for n in range(13)]
    write_game(tmp_path, cards, face=CARD.replace('width="65"', 'width="180"'))
    edit(tmp_path / "xml" / "game.xml", 'name="Card" width="65"', 'name="Card" width="180"')
    book = build(tmp_path, tmp_path / "overview.pdf")
    assert "Contents" in book.texts[CONTENTS]
    assert shows(book, CONTENTS + 1, "Ant 0") or shows(book, CONTENTS, "Ant 0")


@pytest.mark.parametrize("cards", [1, 30])
def test_cards_cover_the_whole_cover(cards: int, tmp_path: Path) -> None:
    page = render(filled(tmp_path, [cards]), 1).convert("L")
    for y in range(0, 240, 80):
        for x in range(0, 210, 70):
            part = page.crop((x, y, x + 70, y + 80)).tobytes()
            assert part.count(128) / len(part) > (0.04 if y < 80 else 0.4)


def test_each_index_has_a_heading_across_the_page(tmp_path: Path) -> None:
    book = filled(tmp_path, [51], rules=2)
    found = 0
    for page in (len(book.texts) - 2, len(book.texts) - 1):
        picture = render(book, page).convert("L")
        lines = [max(picture.crop((12, y, 198, y + 1)).tobytes()) < 200 for y in range(297)]
        found += sum(is_dark and len([*run]) < 3 for is_dark, run in groupby(lines))
    assert found == 2


def test_cards_are_smaller_if_that_saves_a_page(tmp_path: Path) -> None:
    """The rules are below two rows of cards only if these are small."""
    effect = "Short and wide. " * 4
    books = [filled(tmp_path / str(n), [5], rules=n, effect=effect) for n in (12, 20)]
    usual, small = (
        render(book, 2).convert("L").crop((0, 50, 210, 51)).tobytes().count(128) for book in books
    )
    assert 0.85 * usual < small < usual
    assert all("Rule 0" in book.texts[2] for book in books)
    # Cards and the panel below them stand in the middle of the page, as wide as each other.
    page = render(books[1], 2).convert("L").point(lambda value: 255 if value < 250 else 0)
    foot = page.crop((0, 283, 210, 295)).getbbox()
    cards = page.crop((0, 60, 210, 61)).getbbox()
    assert foot is not None
    assert cards is not None
    assert abs(foot[0] - cards[0]) <= 1, "nor is the footer wider"
    for box in (page.crop((0, 60, 210, 61)).getbbox(), page.crop((0, 230, 210, 231)).getbbox()):
        assert box is not None
        assert abs(box[0] - (210 - box[2])) <= 2


def test_the_parts_of_a_card_share_a_row() -> None:
    face = Face(65, 90, ())
    for before in range(7):
        names = [*map(str, range(before)), *"PPP", *"QQ", "z", "y"]
        pictures = tuple(GalleryPicture(face, "", name, 0) for name in names)
        rows = []
        while pictures:
            pictures = join_parts(pictures, 3)
            rows.append([each.anchor for each in pictures[:3]])
            pictures = pictures[3:]
        assert sorted(chain(*rows)) == sorted(names)
        assert sum("P" in row for row in rows) == sum("Q" in row for row in rows) == 1


@pytest.mark.parametrize("first", range(2, 12))
def test_a_section_never_opens_at_the_end_of_a_page(first: int, tmp_path: Path) -> None:
    book = filled(tmp_path, [first, 3, 2])
    pages = {title: page for _, title, page in book.outline}
    for faction in load_all(tmp_path).factions.values():
        assert shows(book, pages[faction.name], f"{faction.id} 0")


def pages_with(book: Read, *words: str) -> list[int]:
    """Return the pages, but for the cover, with any of these words."""
    pattern = rf"\b(?:{'|'.join(words)})\b"
    return [page for page in range(2, len(book.texts)) if re.search(pattern, book.texts[page])]


@pytest.mark.parametrize("size", [1, 4, 8, 10, 17, 30])
def test_the_rules_of_a_faction_are_on_one_page_after_its_cards(size: int, tmp_path: Path) -> None:
    book = filled(tmp_path, [size, 9], rules=9)
    (first, last), cards = pages_with(book, r"Rule \d+"), pages_with(book, r"BB \d+")
    assert pages_with(book, r"AA \d+")[-1] <= first < cards[0] <= cards[-1] <= last


def test_rules_for_more_than_a_page_are_on_several(tmp_path: Path) -> None:
    book = filled(tmp_path, [4, 2], rules=60)
    assert all(len(pages_with(book, rf"Rule {n}")) == 2 for n in range(60))
    pages = [len(pages_with(book, f"Rule {n}", f"Rule {n + 1}")) for n in range(59)]
    assert {2, 4} == set(pages), "of each faction on a page, or on a page and the next one"


def test_small_factions_share_a_page_if_they_are_whole(tmp_path: Path) -> None:
    few = filled(tmp_path / "1", [1, 1], rules=1, effect="Short and wide. ")
    many = filled(tmp_path / "9", [1, 1], rules=9)
    both = [pages_with(few, words) for words in (r"AA \d", r"BB \d", "Rule 0")]
    assert [pages[0] for pages in both] == [2, 2, 2]
    assert pages_with(many, r"BB \d")[0] == 3


def test_factions_with_the_same_cards_show_them_once(tmp_path: Path) -> None:
    game = write_game(tmp_path, [card(f"A{n}", f"Ant {n}") for n in range(3)], face=CARD)
    shared = '<faction id="RR" race_name="Ants" faction_name="Rest" color="red" cards="AA"/>'
    edit(game / "xml" / "factions_definition.xml", "</data>", f"{shared}</data>")
    book = build(game, tmp_path / "overview.pdf")
    assert len(pages_with(book, "Ant 0")) == book.texts[2].count("Ant 0") == 1
    titles = [title for _, title, _ in book.outline]
    assert titles.index("Rest") == titles.index("Hill") + 1
    assert "Ant 0" in build(game, tmp_path / "rest.pdf", "RR").texts[1]


def test_a_cover_shows_cards_of_the_factions_that_are_printed(tmp_path: Path) -> None:
    book = filled(tmp_path, [2, 1, 1])
    assert all(name in book.texts[COVER] for name in ("AA 0", "AA 1", "BB 0", "GG 0"))
    some = build(tmp_path, tmp_path / "some.pdf", "AA", "BB")
    assert "GG 0" not in some.texts[COVER]


def test_no_text_of_the_pictures_that_open_sections_and_of_covers_is_too_small(
    tmp_path: Path,
) -> None:
    face = CARD.replace("<text>", '<text font-size="7pt">')
    game = write_game(tmp_path, [card(f"A{n}", f"Ant {n}") for n in range(3)], face=face)
    back = CARD.replace("{{ card.name }}", "Reverse")
    (game / "templates" / "back.xml").write_text(back, encoding="utf-8")
    edit(game / "xml" / "game.xml", 'face="card.xml">\n    <field name="level"',
         'face="card.xml" back="back.xml">\n    <field name="level"')  # fmt: skip
    book = build(game, tmp_path / "overview.pdf")
    assert "Reverse" not in " ".join(book.texts)
    sizes = []
    for page in PdfReader(book.path).pages:
        page.extract_text(visitor_text=lambda text, cm, tm, _, points: sizes.append(
            points * (tm[0] ** 2 + tm[1] ** 2) ** 0.5 * (cm[0] ** 2 + cm[1] ** 2) ** 0.5
        ) if text.strip() else None)  # fmt: skip
    assert min(sizes) >= 6 - 0.01


@pytest.mark.parametrize(
    ("word", "cost", "printed"),
    [
        ("({})", 2, "Call (2)"),
        ("{} gold", 3, "Call 3 gold"),
        ("+", 3, "Call+++"),
        ("+", 12, "Call+12"),
    ],
)
def test_a_game_says_how_costs_of_rules_are_printed(
    word: str, cost: int, printed: str, tmp_path: Path
) -> None:
    rule = token_rule("call", "Wolf", cost)
    game = write_game(tmp_path, [card("A1", "Ant", "AA", uses("call"))], rules=[rule])
    words = f'<words><word id="rule-cost" text="{word}"/></words>'
    edit(game / "xml" / "game.xml", "<fonts>", f"{words}<fonts>")
    assert printed in " ".join(build(game, tmp_path / "a.pdf", "AA").texts[1].split())


@pytest.mark.parametrize(("size", "columns"), [(6.0, 2), (7.2, 3), (9.9, 3), (4.0, 1)])
def test_texts_of_cards_are_never_under_six_points(
    size: float, columns: int, tmp_path: Path
) -> None:
    face = f'<face><text font-size="{size}pt">small print {{{{ card.name }}}}</text></face>'
    cards = [card(f"A{number}", f"Ant {number}") for number in range(8)]
    write_game(tmp_path, cards, face=face)
    build(tmp_path, tmp_path / "a.pdf", "AA")
    sizes: list[float] = []
    most = 0
    row: Counter[int] = Counter()

    def visit(text: str, cm: list[float], tm: list[float], _font: object, points: float) -> None:
        if "small print" in text:
            sizes.append(abs(points * tm[3] * cm[3]))
            row[round(cm[5] + tm[5] * cm[3])] += 1

    for page in PdfReader(tmp_path / "a.pdf").pages:
        page.extract_text(visitor_text=visit)
        most = max((most, *row.values()))
        row.clear()
    assert len(sizes) == 8
    assert min(sizes) >= 6 - 0.01
    assert most == columns


def test_the_lines_of_a_pale_faction_are_seen_on_paper(tmp_path: Path) -> None:
    game = write_game(
        tmp_path, [card("A1", "Ant", "AA", uses("call"))], rules=[token_rule("call", "Wolf")]
    )
    edit(game / "xml" / "factions_definition.xml", 'color="teal"', 'color="#fff6dd"')
    path = build(game, tmp_path / "overview.pdf", "AA").path
    with pikepdf.open(path) as pdf:
        lines = {
            tuple(map(float, operands))
            for page in pdf.pages
            for operands, operator in pikepdf.parse_content_stream(page)
            if str(operator) == "RG"
        }
    assert lines
    for red, green, blue in lines:
        shade = f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
        assert contrast(shade, "#ffffff") >= 2.9


def test_a_faction_of_more_than_a_page_shares_none(tmp_path: Path) -> None:
    book = filled(tmp_path, [3, 12, 2])
    pages = {title: page for _, title, page in book.outline}
    first, large, last = (pages[each.name] for each in load_all(tmp_path).factions.values())
    assert first < large < last
    assert not shows(book, large, "AA 0")
    assert not shows(book, last, "BB 11")


def example_book(name: str) -> Book:
    folder = ROOT / "examples" / name
    game = load_all(folder)
    return build_overview([*game.factions], FaceFactory(game, GameFolder(folder), []), [])


def words_of(face: Face) -> str:
    return " ".join(op.text for op in walk(face.ops) if isinstance(op, DrawGlyphs))


def openings_of(name: str) -> list[GalleryPicture]:
    galleries = [block for block in example_book(name).blocks if isinstance(block, Gallery)]
    return [each for gallery in galleries for each in gallery.pictures if each.headings]


def test_openings_have_the_key_to_symbols_unless_the_contents_have_it() -> None:
    (opening,) = openings_of("woodland")
    assert all(word in words_of(opening.face) for word in ("Badger", "Any suit", "Satchel"))
    assert "Paper" not in words_of(opening.face), "its icon is on no card"
    assert all("Power" in words_of(each.face) for each in openings_of("starter"))
    assert not any("Strength" in words_of(each.face) for each in openings_of("duel"))
    galleries = (block for block in example_book("duel").blocks if isinstance(block, Gallery))
    (contents,) = (gallery.contents for gallery in galleries if gallery.contents)
    assert contents.key is not None
    assert "Strength" in words_of(contents.key)


@pytest.mark.parametrize("name", ["woodland", "mosaic", "starter", "duel", "festival", "warlords"])
def test_rows_of_a_section_are_complete(name: str) -> None:
    columns = 4 if name == "mosaic" else 3
    for gallery in (block for block in example_book(name).blocks if isinstance(block, Gallery)):
        cells = int(gallery.contents is not None)
        for before, picture in pairwise((None, *gallery.pictures)):
            if before is not None and picture is not None:
                assert cells % columns == 0 or before.headings or not picture.headings
            cells += picture.span if picture is not None else 0
        assert cells % columns == 0


def test_a_small_section_with_pictures_fills_a_page_of_its_own() -> None:
    galleries = [block for block in example_book("mosaic").blocks if isinstance(block, Gallery)]
    opened = [[p.headings[-1].title for p in each.pictures if p.headings] for each in galleries]
    assert opened == [["Ember"], ["Tide"], ["Grove"], ["Dusk"], ["Sun", "The Studio"]]
    for gallery in galleries:
        cells = sum(picture.span * picture.rows for picture in gallery.pictures)
        cells += gallery.contents is not None
        assert 4 * 4 - cells in range(3)
        assert gallery.pictures[0].rows == (1 if gallery is galleries[-1] else 2)


def test_factions_that_share_cards_show_them_in_turn() -> None:
    duel = next(block for block in example_book("duel").blocks if isinstance(block, Gallery))
    names = [p.face.alt or words_of(p.face) for p in duel.pictures if not p.headings]
    assert len(names) == len(set(names)) == len({p.anchor for p in duel.pictures}) - 2
    blue, red = (picture.face for picture in duel.pictures if picture.headings)
    assert blue.ops[0] != red.ops[0]


def test_room_that_is_left_has_pictures_of_the_faction() -> None:
    blocks = example_book("starter").blocks
    galleries = [block for block in blocks if isinstance(block, Gallery)]
    assert [len(gallery.art) for gallery in galleries] == [4, 4]
    for gallery in galleries:
        faces = {alt_text(picture.face) for picture in gallery.pictures}
        assert {face.alt for face in gallery.art} <= faces
