"""Backs that show what is on their cards: each is behind its face, wherever that is printed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter

from conftest import Run, edit
from deckwright.api.game import open_game
from deckwright.base.findings import Diagnostic
from deckwright.checks.counting import DeckRules
from deckwright.decks.stats import deck_stats
from deckwright.faces.copies import has_own_back
from deckwright.faces.factory import FaceFactory
from deckwright.faces.selection import make_deck_copies
from deckwright.game.folder import GameFolder
from repositories import track
from support import card, line, load_all, load_deck, token_rule, uses, write_game

FACE = '<face><rect x="5" y="{{ card.costs }}" width="20" height="9" fill="#000000"/></face>'
BACK = """<face>
  <rect x="40" y="{{ card.costs }}" width="20" height="9" fill="#000000"/>
  <text when="card.costs > 30" y="80" width="65" height="8">{{ faction.id }} {{ kind }}</text>
</face>"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game whose faces and backs have a bar, each at its own height."""
    heights = {"A1": 10, "A2": 20, "A3": 40, "A4": 55}
    cards = [
        card(card_id, f"Card {card_id}", "AA", uses("r") if card_id == "A1" else "", costs=height)
        for card_id, height in heights.items()
    ]
    decks = {"d": [line("A1", 2), line("A2", 3), line("A3"), line("A4", 4)]}
    rules = [token_rule("r", "Egg", 1)]
    folder = write_game(tmp_path / "game", cards, rules=rules, decks=decks, face=FACE)
    (folder / "templates" / "back.xml").write_text(BACK, encoding="utf-8")
    (folder / "templates" / "egg.xml").write_text("<face/>", encoding="utf-8")
    setup = folder / "xml" / "game.xml"
    edit(setup, '<kind tag="card"', '<kind tag="card" back="back.xml"')
    edit(setup, 'token="true" width="65" height="90" face="card.xml"',
         'token="true" width="65" height="90" face="egg.xml"')  # fmt: skip
    monkeypatch.chdir(folder)
    return folder


def seen(path: Path) -> list[Image.Image]:
    """Return the pages of a PDF in black and white, without what is thin."""
    with pypdfium2.PdfDocument(path) as pdf:
        pages = [page.render(scale=1.3).to_pil().convert("L") for page in pdf]
    return [
        p.point(lambda v: 255 if v > 128 else 0).filter(ImageFilter.MaxFilter(5)) for p in pages
    ]


def bars(picture: Image.Image) -> int:
    return picture.histogram()[0]


def differ(first: Image.Image, second: Image.Image) -> int:
    apart = ImageChops.difference(first, second).filter(ImageFilter.MinFilter(3))
    return sum(apart.histogram()[64:])


ACROSS, OVER = Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM


@pytest.mark.parametrize(
    ("options", "way"),
    [
        (["--sheet", "a4-65x90"], ACROSS),
        (["--sheet", "a4-65x90", "--flip", "short"], OVER),
        (["--sheet", "card"], ACROSS),
        (["--sheet", "letter-poker", "--scale", "fit"], ACROSS),
    ],
    ids=["long", "short", "card", "scaled"],
)
def test_each_back_is_behind_its_face(
    game: Path, run: Run, options: list[str], way: Image.Transpose
) -> None:
    result = run("deck", "d", "--backs", *options, "--marks", "none", "--no-footer", "--quiet")
    assert result.exit_code == 0, result.stderr
    pages = seen(game / "out" / "deck_d.pdf")
    fronts = [page for page in pages[::2] if bars(page)]
    assert fronts
    for front, back in zip(fronts, pages[1::2], strict=False):
        assert bars(back) > 200
        assert differ(front, back.transpose(way)) == 0


def test_each_back_is_behind_its_face_on_a_folded_sheet(game: Path, run: Run) -> None:
    result = run("deck", "d", "--sheet", "a4-gutterfold", "--marks", "none", "--no-footer")
    assert result.exit_code == 0, result.stderr
    for page in filter(bars, seen(game / "out" / "deck_d.pdf")):
        half = (0, 0, page.width // 2, page.height)
        other = (page.width - page.width // 2, 0, page.width, page.height)
        assert differ(page.crop(half), page.crop(other).transpose(ACROSS)) == 0


@pytest.mark.usefixtures("game")
def test_each_card_has_a_file_of_its_back(run: Run) -> None:
    assert run("export", "png", "--backs", "-o", "pictures", "--dpi", "20").exit_code == 0
    names = {path.stem for path in Path("pictures").rglob("*.png")}
    assert names == {"back_A1", "back_A2", "back_A3", "back_A4"}
    assert run("export", "svg", "A3", "--both", "-o", "drawings").exit_code == 0
    assert {path.stem for path in Path("drawings").rglob("*.svg")} == {"A3", "back_A3"}


def test_an_order_has_each_back_behind_its_face(game: Path, run: Run) -> None:
    result = run("export", "mpc", "d", "--anyway", "--scale", "fit", "--no-tokens")
    assert result.exit_code == 0, result.stderr
    folder = game / "out" / "mpc_d"
    root = ET.parse(folder / "cards.xml").getroot()
    slots = {
        side: {
            card.findtext("slots"): card.findtext("id") for card in root.iterfind(f"{side}/card")
        }
        for side in ("fronts", "backs")
    }
    common = root.findtext("cardback")
    for slot, front in slots["fronts"].items():
        assert slots["backs"].get(slot, common) == f"backs/{Path(front or '').name}"
    assert len({*slots["backs"].values(), common}) == 4


def test_a_table_has_unique_backs(game: Path, run: Run) -> None:
    assert run("export", "tts", "d", "-o", "tts").exit_code == 0
    state = json.loads((game / "tts" / "d.json").read_text(encoding="utf-8"))
    pile = state["ObjectStates"][0]
    (sheet,) = pile["CustomDeck"].values()
    assert sheet["UniqueBack"] is True
    fronts, backs = (
        Image.open(game / "tts" / "pictures" / sheet[side].rsplit("/", 1)[-1]).convert("L")
        for side in ("FaceURL", "BackURL")
    )
    assert fronts.size == backs.size
    width = fronts.width // sheet["NumWidth"]
    height = fronts.height // sheet["NumHeight"]
    for index in {number % 100 for number in pile["DeckIDs"]}:
        left, top = index % sheet["NumWidth"] * width, index // sheet["NumWidth"] * height
        cells = [side.crop((left, top, left + width, top + height)) for side in (fronts, backs)]
        cells = [c.point(lambda v: 255 if v > 128 else 0) for c in cells]
        bar, behind = (
            ImageChops.invert(c.filter(ImageFilter.MaxFilter(9))).getbbox() for c in cells
        )
        assert bar is not None
        assert behind is not None
        assert bar[1] == pytest.approx(behind[1], abs=2)
        assert bar[0] < behind[0]


def test_a_card_of_cockatrice_turns_into_its_back(game: Path, run: Run) -> None:
    assert run("export", "cockatrice", "--pictures", "--dpi", "20", "-o", "c").exit_code == 0
    root = ET.parse(game / "c" / "customsets" / "Test.xml").getroot()
    cards = {found.findtext("name"): found for found in root.iter("card")}
    for name, other, side in (
        ("Card A2", "Card A2 (back)", "front"),
        ("Card A2 (back)", "Card A2", "back"),
    ):
        found = cards[name]
        assert found.findtext("prop/layout") == "transform"
        assert found.findtext("prop/side") == side
        (related,) = found.iterfind("related[@attach='transform']")
        assert related.text == other
        assert (game / "c" / "pics" / "CUSTOM" / "Test" / f"{name}.png").exists()
    assert cards["Egg"].findtext("prop/layout") == "normal"
    assert len({found.find("set").get("uuid") for found in cards.values()}) == len(cards) == 9  # type: ignore[union-attr]


def test_the_check_lays_out_each_back(game: Path, run: Run) -> None:
    edit(game / "templates" / "back.xml", 'width="65" height="8">',
         'font-size="{{ card.costs }}" width="65" height="16">')  # fmt: skip
    result = run("check")
    assert result.exit_code == 1
    subjects = re.findall(r"error L001: (.*?):", result.stdout + result.stderr)
    assert subjects == ["the back of card `A3`"]
    assert "`A4`" in result.stdout + result.stderr, "it is told in one line with the first"


def test_a_back_names_a_picture_that_is_not_there(game: Path) -> None:
    edit(game / "xml" / "Factions" / "AA_cards.xml", 'costs="10"', 'costs="10" image="no.png"')
    shown = '<image when="card.image" href="{{ card.image }}" width="9" height="9"/>'
    edit(game / "templates" / "back.xml", "</face>", f"{shown}</face>")
    read, report = load_all(game), list[Diagnostic]()
    factory = FaceFactory(read, GameFolder(game), report)
    back = factory.card_back(read.cards["AA", "A1"], "AA", report)
    assert back is not None
    assert "no.png" in back.alt
    assert report == []


def test_each_part_of_a_card_has_its_back(game: Path, run: Run) -> None:
    setup = game / "xml" / "game.xml"
    edit(setup, '<kind tag="card"', '<kind tag="card" parts="level"')
    edit(game / "xml" / "Factions" / "AA_cards.xml", 'name="Card A2" faction_id="AA" level="1"',
         'name="Card A2" faction_id="AA" level="2"')  # fmt: skip
    edit(setup, 'type="term" of="levels"', 'type="integer"')
    edit(game / "templates" / "back.xml", "{{ card.costs }}", "{{ card.costs + card.part }}")
    read = load_all(game)
    factory = FaceFactory(read, GameFolder(game), [])
    double = read.cards["AA", "A2"]
    first, second = (factory.card_back(double, "AA", [], part) for part in (1, 2))
    assert first != second
    assert first is factory.card_back(double, "AA", [], 1)
    deck = load_deck(game, read, "d")
    copies = make_deck_copies(deck_stats(read, deck, DeckRules()), factory, [], backs=True)
    behind = [(copy.number, copy.back) for copy in copies if copy.card is double]
    assert behind == [(1, first), (2, second)] * 3
    assert run("export", "png", "A2", "--backs", "-o", "p", "--dpi", "20").exit_code == 0
    assert {path.stem for path in Path("p").rglob("*.png")} == {"back_A2_part1", "back_A2_part2"}


def test_only_a_template_that_shows_the_card_gives_each_its_own(game: Path) -> None:
    read = load_all(game)
    cards = [found for (_, card_id), found in read.cards.items() if card_id != "A4"]

    def backs() -> set[int]:
        factory = FaceFactory(read, GameFolder(game), [])
        own = {has_own_back(factory, found, "AA", []) for found in cards}
        found = [factory.card_back(each, "AA", []) for each in cards]
        assert own == {len({id(back) for back in found}) > 1}
        return {id(back) for back in found}

    assert len(backs()) == 3
    template = game / "templates" / "back.xml"
    template.write_text('<face><text y="9">card {{ faction.id }} card</text></face>', "utf-8")
    assert len(backs()) == 1
    # What was compiled before says the same.
    assert len(backs()) == 1


def test_a_change_on_the_back_is_a_change_of_the_card(game: Path, run: Run) -> None:
    assert run("deck", "d", "--backs", "--quiet").exit_code == 0
    edit(game / "templates" / "back.xml", "card.costs > 30", "card.costs > 50")
    result = run("deck", "d", "--backs", "--changed-since", "out/deck_d.pdf", "-o", "new.pdf")
    assert result.exit_code == 0, result.stderr
    assert "A3" in result.stdout
    assert "A2" not in result.stdout


def test_an_open_game_tells_whose_back_has_changed(game: Path) -> None:
    opened = open_game(game)
    before = [opened.card(card_id).back() for card_id in ("A1", "A3")]
    assert all(before)
    edit(game / "xml" / "Factions" / "AA_cards.xml", 'costs="40"', 'costs="50"')
    changes = opened.reload()
    assert [(name.card, name.back) for name in (f.name for f in changes.faces)] == [("A3", True)]


def test_a_box_shows_the_back_of_a_card_though_all_have_several_parts(game: Path, run: Run) -> None:
    setup = game / "xml" / "game.xml"
    edit(setup, '<kind tag="card"', '<kind tag="card" parts="actions"')
    cards = game / "xml" / "Factions" / "AA_cards.xml"
    cards.write_text(cards.read_text("utf-8").replace('actions="0"', 'actions="2"'), "utf-8")
    edit(setup, '<field name="actions" type="integer"/>\n    <field name="costs"',
         '<field name="actions" type="integer" min="1"/>\n    <field name="costs"')  # fmt: skip
    result = run("check")
    assert result.exit_code == 0, result.stderr
    result = run("tuckbox", "d")
    assert result.exit_code == 0, result.stderr
    assert any(map(bars, seen(game / "out" / "box_d.pdf")))


def test_what_differs_is_told_of_each_back(game: Path, run: Run) -> None:
    track(game)
    edit(game / "templates" / "back.xml", "card.costs > 30", "card.costs > 50")
    result = run("diff", "v1")
    assert result.exit_code == 0, result.stderr
    assert [line for line in result.stdout.splitlines() if "back of" in line] == [
        "back of Card A3: picture or layout changed"
    ]


def test_the_back_of_a_stack_sees_no_card_and_says_what_it_sees(game: Path, run: Run) -> None:
    edit(
        game / "xml" / "game.xml", 'id="main" name="Main"', 'id="main" name="Main" back="back.xml"'
    )
    result = run("check")
    assert result.exit_code == 1
    assert "error T006: `card` is undefined (for the back of `main`)" in result.stderr
    assert (
        "hint: use one of `fields`, `game`, `printed`, `stack`, `symbols`, `terms`, `words`"
        in result.stderr
    )


def test_a_picture_that_cannot_be_read_is_told_once_and_looked_at_again(
    game: Path, run: Run
) -> None:
    (game / "img").mkdir()
    (game / "img" / "a.png").write_bytes(b"no picture")
    edit(game / "xml" / "Factions" / "AA_cards.xml", 'costs="10"', 'costs="10" image="a.png"')
    shown = '<image when="card.image" href="{{ card.image }}" width="9" height="9"/>'
    shown += '<rect when="not card.image" width="9" height="9" fill="red"/>'
    for name in ("card", "back"):
        edit(game / "templates" / f"{name}.xml", "</face>", f"{shown}</face>")
    assert run("deck", "d", "--backs").stderr.count("warning I009") == 1
    opened = open_game(game)
    deck = opened.deck("d")
    deck.print(game / "before.pdf", backs=True)
    Image.new("L", (120, 120)).save(game / "img" / "a.png")
    opened.reload()
    deck.print(game / "after.pdf", backs=True)
    with pypdfium2.PdfDocument(game / "after.pdf") as pdf:
        images = [len([*page.get_objects(filter=[3], max_depth=5)]) for page in pdf]
    assert images[:2] == [2, 2]
